/** Checks the state: how large it is, that it is read as it was written, and what happens to one that cannot be read. */
import type { IPollFunctions } from 'n8n-workflow';

import { createClient } from '../../nodes/IntegrationLeads/transport/send';
import { eventId } from '../../nodes/IntegrationLeads/watch/outbox';
import { settingsOf } from '../../nodes/IntegrationLeads/trigger/settings';
import { accountHash, type PollResult } from '../../nodes/IntegrationLeads/watch/state';
import { MAX_STATUSES } from '../../nodes/IntegrationLeads/watch/timeline';
import type { Settings } from '../../nodes/IntegrationLeads/watch/types';
import { onlyLong } from '../helpers/long.mts';
import { seeded } from '../pure/virtualClock.mts';
import { ModelService, plainBehaviour, type ServiceBehaviour } from './service.mts';
import { pollService as pollOnce, pollWith, settings } from './polling.mts';

const NOW = Date.parse('2026-03-02T12:00:17.250Z');

function accountOf(count: number, behaviour: Partial<ServiceBehaviour> = {}): ModelService {
	const service = new ModelService({ ...plainBehaviour, ...behaviour }, seeded(count), NOW);
	service.fill(
		count,
		(index) => NOW - 3_600_000 - index * 250_000,
		(index) => (index % 3 ? 'open' : 'closed_won'),
	);
	return service;
}

describe('more statuses than an entry has room for', () => {
	const status = (index: number) => `status-${index}`;

	it('are refused at once, since changes among them would go unseen', async () => {
		const service = accountOf(MAX_STATUSES);
		service.leads.forEach((lead, index) => service.change(lead, { status: status(index) }));
		const { state } = await pollOnce(service, undefined);
		service.change(service.leads[0], { status: status(MAX_STATUSES - 1) });
		expect((await pollOnce(service, state)).events).toHaveLength(1);
		service.change(service.leads[0], { status: 'one more' });
		await expect(pollOnce(service, state)).rejects.toThrow('more than 64 different statuses');
	});

	it('do not matter where only creation is watched', async () => {
		const service = accountOf(1);
		const only: Partial<Settings> = { triggerOn: ['lead.created'] };
		const { state } = await pollOnce(service, undefined, only);
		for (let index = 0; index <= MAX_STATUSES; index += 1)
			service.create(service.now, status(index));
		const { events } = await pollOnce(service, state, only);
		expect(events.map((event) => event.status)).toContain(status(MAX_STATUSES));
	});
});

test('a lead without a time of creation is left out, with a notice', async () => {
	const ask = async () => ({ records: [{ id: 'a', status: 'open' }], total: 1 });
	const polled = await pollWith(undefined, { ...settings, emitSince: -Infinity }, NOW, ask);
	expect(polled?.notices).toEqual(['noCreationTime']);
	expect(polled?.events).toEqual([]);
});

test('event ids are stable; a lead is created once, whatever its status is then', () => {
	const moved = { previousStatus: 'open', status: 'lost' };
	const created = { previousStatus: null, status: 'open' };
	expect(eventId('a', moved, 0)).toBe('5da0202661da77dc309cfe6d406277f8');
	expect(eventId('a', { ...created, status: 'lost' }, 5)).toBe(eventId('a', created, 0));
	const ids = ['vip', 'hot'].map((tag) => eventId('a', { ...created, tag }, 0));
	expect(new Set([...ids, eventId('a', created, 0), eventId('a', moved, 0)]).size).toBe(4);
});

describe('the stored state', () => {
	const QUARTER_MS = 90 * 86_400_000;
	it.each([1_000, 10_000, ...onlyLong([100_000])])(
		'takes at most 6.5 bytes a lead: %d',
		async (count) => {
			const random = seeded(count);
			const service = new ModelService(plainBehaviour, random, NOW);
			// Half of them come in bursts.
			const place = (share: number, index: number) =>
				index % 2 ? share : Math.ceil(share * 40) / 40;
			service.fill(
				count,
				(index) =>
					Math.floor(NOW - 3_600_000 - place(random(), index) * QUARTER_MS - random() * 60_000),
				(index) => (index % 3 ? 'open' : 'closed_won'),
			);
			let [state, left]: [unknown, number] = [undefined, 1];
			while (left > 0) ({ state, unread: left } = await pollOnce(service, state));
			expect(JSON.stringify(state).length / count).toBeLessThan(6.5);
		},
	);

	it('is not changed by a poll; without answers there is no other', async () => {
		const service = accountOf(150);
		const { state } = await pollOnce(service, undefined);
		const before = JSON.stringify(state);
		service.change(service.leads[3], { status: 'lost' });
		expect((await pollOnce(service, state)).events).toHaveLength(1);
		expect(JSON.stringify(state)).toBe(before);
		expect(await pollWith(state, settings, NOW, async () => undefined)).toBeUndefined();
	});

	const good = async () => (await pollOnce(accountOf(150), undefined)).state;
	const unreadable: Array<[string, (good: PollResult['state']) => unknown]> = [
		['of a later version', (good) => ({ ...good, version: 99 })],
		[
			'cut short',
			(good) => ({
				...good,
				buckets: good.buckets.map(([a, b, c, d, text]) => [a, b, c, d, text.slice(0, -2)]),
			}),
		],
		['without buckets', (good) => ({ ...good, buckets: [] })],
	];
	it.each(unreadable)('starts a new baseline with a notice: %s', async (_, broken) => {
		const service = accountOf(150);
		const {
			notices,
			events,
			state: next,
		} = await pollOnce(service, broken(await good()), { emitSince: -Infinity });
		expect(notices).toEqual(['stateUnreadable']);
		expect(events).toEqual([]);
		service.change(service.leads[3], { status: 'lost' });
		expect((await pollOnce(service, next)).events).toHaveLength(1);
	});

	it('starts a new baseline with a notice in another account', async () => {
		const other = { account: 'other' };
		const { notices, events } = await pollOnce(accountOf(150), await good(), other);
		expect(notices).toEqual(['accountChanged']);
		expect(events).toEqual([]);
	});

	it.each([
		['another key in the same credential', { apiKey: 'sk_live_def' }, true],
		['the same credential under another name', { name: 'renamed' }, true],
		['another credential', { id: 'c2' }, false],
		['another base URL', { baseUrl: 'https://other.example.com' }, false],
	])('is kept or not: %s', async (_, changed, isKept) => {
		const watchedWith = async (given: object) => {
			const credential = {
				id: 'c1',
				name: 'Leads',
				baseUrl: 'https://leads.example.com',
				apiKey: 'sk_live_abc',
				...given,
			};
			const context = {
				getNode: () => ({ credentials: { integrationLeadsApi: credential } }),
				getNodeParameter: (name: string) => (name === 'triggerOn' ? ['lead.created'] : null),
				getTimezone: () => 'UTC',
				getCredentials: async () => credential,
			} as unknown as IPollFunctions;
			return accountHash(settingsOf(context, await createClient(context)));
		};
		expect((await watchedWith({})) === (await watchedWith(changed))).toBe(isKept);
	});

	const created = { triggerOn: ['lead.created' as const] };
	it.each<[string, Partial<Settings>, Partial<Settings>, string[]]>([
		['narrower filters', {}, { filters: { priority: 'high' } }, ['new', 'known']],
		['wider filters', { filters: { priority: 'high' } }, {}, ['new', 'known']],
		['more days', { watchWithinDays: 1 }, {}, ['new', 'known']],
		['fewer days', {}, { watchWithinDays: 1 }, ['new', 'known']],
		['creation only', {}, created, ['new']],
		['statuses as well', created, {}, ['new']],
	])(
		'is kept with %s: what was created or changed since the last poll is emitted',
		async (_, before, after, expected) => {
			const service = accountOf(1500);
			const known = service.leads.at(-1)!;
			for (const lead of [known, service.leads[0]]) service.change(lead, { priority: 'high' });
			let state: unknown;
			for (let polls = 0; polls < 3; polls += 1) {
				({ state } = await pollOnce(service, state, before));
				if (polls === 0) service.create(service.now, 'open', 'high');
			}
			service.change(known, { status: 'lost' });
			const fresh = service.create(service.now - 1000, 'open', 'high');
			const names: Record<string, string> = { [fresh.id]: 'new', [known.id]: 'known' };
			const emitted: string[] = [];
			for (let polls = 0; polls < 3; polls += 1) {
				const polled = await pollOnce(service, state, after);
				({ state } = polled);
				emitted.push(...polled.events.map(({ lead }) => names[String(lead.id)] ?? lead.id));
				expect(polled.notices).toEqual([]);
			}
			expect(emitted.sort()).toEqual([...expected].sort());
		},
	);

	it('is kept with filters that are set and removed: nothing comes twice or from before', async () => {
		const service = accountOf(150);
		const seconds = (count: number) => service.now - count * 1000;
		service.create(seconds(180), 'open');
		const high = { filters: { priority: 'high' } };
		let state: unknown;
		const poll = async (changed: Partial<Settings> = {}) => {
			const polled = await pollOnce(service, structuredClone(state), changed);
			({ state } = polled);
			return polled.events.map(({ lead }) => String(lead.id));
		};
		expect(await poll()).toEqual([]);
		const first = service.create(seconds(5), 'open');
		expect(await poll()).toEqual([first.id]);
		const [other, fit] = ['low', 'high'].map((of) => service.create(seconds(5), 'open', of));
		expect(await poll(high)).toEqual([fit.id]);
		const last = service.create(seconds(5), 'open');
		expect(await poll()).toEqual([last.id]);
		expect(await poll()).toEqual([]);
		// Nor does one that matches the new filters later, since it was emitted before.
		expect(await poll(high)).toEqual([]);
		for (const lead of [first, other, last]) service.change(lead, { priority: 'high' });
		expect(await poll(high)).toEqual([]);
	});

	it('is kept with filters that are set and removed while events wait: nothing comes twice', async () => {
		const service = accountOf(150);
		const few = { maxEventsPerPoll: 2 };
		const high = { ...few, filters: { priority: 'high' } };
		let { state }: { state: unknown } = await pollOnce(service, undefined, few);
		for (let left = 5; left > 0; left -= 1) {
			for (const priority of ['low', 'high']) service.create(service.now - 1000, 'open', priority);
		}
		const emitted: string[] = [];
		for (const settings of [few, high, few, few, few, few, few]) {
			const polled = await pollOnce(service, structuredClone(state), settings);
			({ state } = polled);
			emitted.push(...polled.events.map(({ lead }) => String(lead.id)));
		}
		expect([emitted.length, new Set(emitted).size]).toEqual([10, 10]);
	});

	it('is kept when only what is emitted changes', async () => {
		const service = accountOf(150);
		const { state } = await pollOnce(service, undefined);
		service.change(service.leads[3], { status: 'lost' });
		const changed = { toStatus: ['open'], maxRequestsPerPoll: 30, includeFullLead: true };
		const { notices, events } = await pollOnce(service, state, changed);
		expect([notices, events]).toEqual([[], []]);
	});
});

describe('existing leads that are emitted', () => {
	const created: Partial<Settings> = { triggerOn: ['lead.created'] };
	const HOUR_MS = 3_600_000;
	it.each<[string, number, Partial<Settings>, number]>([
		['none', Infinity, created, 0],
		['all', -Infinity, created, 500],
		[
			'all, and older ones than those whose changes are watched',
			-Infinity,
			{ watchWithinDays: 1 },
			500,
		],
		['those created since', NOW - 2 * HOUR_MS, created, 15],
		['those created since, where changes are watched', NOW - 2 * HOUR_MS, {}, 15],
		['those since a day that is not watched', NOW - 30 * HOUR_MS, { watchWithinDays: 1 }, 418],
		['none for a time ahead', NOW + HOUR_MS, created, 0],
		['none for a day ahead', NOW + 50 * HOUR_MS, created, 0],
	])('are %s', async (_, emitSince, changed, count) => {
		const service = accountOf(500);
		let state: unknown;
		const ids: string[] = [];
		for (let polls = 0; polls < 4; polls += 1) {
			const polled = await pollOnce(service, state, { ...changed, emitSince });
			({ state } = polled);
			ids.push(...polled.events.map(({ lead }) => String(lead.id)));
		}
		expect([ids.length, new Set(ids).size]).toEqual([count, count]);
		// From then on, all that are new.
		service.create(service.now - 1000, 'open');
		expect((await pollOnce(service, state, { ...changed, emitSince })).events).toHaveLength(1);
	});
});

it('emits existing leads that are not open as changed, where only changes start the workflow', async () => {
	const service = accountOf(0);
	for (const status of ['open', 'won', 'lost']) service.create(service.now - 60_000, status);
	const only: Partial<Settings> = { triggerOn: ['lead.statusChanged'], emitSince: -Infinity };
	const { state, events } = await pollOnce(service, undefined, only);
	expect(events.map((event) => [event.event, event.previousStatus, event.status]).sort()).toEqual([
		['lead.statusChanged', null, 'lost'],
		['lead.statusChanged', null, 'won'],
	]);
	expect((await pollOnce(service, state, only)).events).toEqual([]);
});

describe('what is emitted', () => {
	it('is what the settings ask for', async () => {
		const service = accountOf(150);
		const { state } = await pollOnce(service, undefined);
		service.change(service.leads[3], { status: 'lost' });
		service.create(service.now, 'open');
		const all = (await pollOnce(service, state)).events;
		expect(all.map(({ event, status }) => `${event} ${status}`).sort()).toEqual([
			'lead.created open',
			'lead.statusChanged lost',
		]);
		const emitted = async (changed: Partial<Settings>) =>
			(await pollOnce(service, state, changed)).events.map(({ event }) => event).sort();
		expect(await emitted({ toStatus: ['lost'] })).toEqual(['lead.created', 'lead.statusChanged']);
		expect(await emitted({ toStatus: ['open'] })).toEqual(['lead.created']);
		expect(await emitted({ fromStatus: ['lost'] })).toEqual(['lead.created']);
		expect(await emitted({ triggerOn: ['lead.statusChanged'] })).toEqual(['lead.statusChanged']);
	});

	it('is a lead that was won while no poll was stored, where creations are not watched', async () => {
		const service = accountOf(20);
		const only: Partial<Settings> = { triggerOn: ['lead.statusChanged'], toStatus: ['won'] };
		const stored = (await pollOnce(service, undefined, only)).state;
		const lead = service.create(service.now + 1000, 'open');
		for (const status of ['open', 'Open', '']) service.create(service.now + 2000, status);
		service.now += 3_600_000;
		const { state, events } = await pollOnce(service, stored, { ...only, toStatus: [] });
		expect(events).toEqual([]);
		service.change(lead, { status: 'won' });
		service.now += 60_000;
		const changed = { event: 'lead.statusChanged', status: 'won' };
		const ofKnown = { ...changed, previousStatus: 'open' };
		expect((await pollOnce(service, state, only)).events).toMatchObject([ofKnown]);
		const ofUnknown = { ...changed, previousStatus: null };
		const restarted = await pollOnce(service, stored, only);
		expect(restarted.events).toMatchObject([ofUnknown]);
		expect((await pollOnce(service, restarted.state, only)).events).toEqual([]);
		const from = { ...only, fromStatus: ['open'] };
		expect((await pollOnce(service, stored, from)).events).toEqual([]);
		expect((await pollOnce(service, stored, { ...only, toStatus: [] })).events).toHaveLength(1);
	});

	it('is only what is new, for few requests a poll, when changes are not watched', async () => {
		const service = accountOf(3000);
		const only: Partial<Settings> = { triggerOn: ['lead.created'] };
		let { state, requests } = await pollOnce(service, undefined, only);
		expect(requests).toBeLessThan(5);
		service.now += 3_600_000;
		({ state } = await pollOnce(service, state, only));
		service.requests = 0;
		for (let polls = 0; polls < 50; polls += 1) {
			for (let left = 20; left > 0; left -= 1) service.create(service.now - left * 2000, 'open');
			const polled = await pollOnce(service, state, only);
			expect(polled.events.map(({ event }) => event)).toEqual(Array(20).fill('lead.created'));
			({ state } = polled);
		}
		// The open interval is cut before one answer cannot hold it.
		expect(service.requests / 50).toBeLessThan(5);
		expect(JSON.stringify(state).length).toBeLessThan(3000);
	});

	it('costs fewer requests as leads leave, though their neighbours changed', async () => {
		const service = accountOf(1000);
		let { state, requests } = await pollOnce(service, undefined);
		for (let left = 900; left > 0; left -= 30) {
			for (let at = 0; at < left; at += 40)
				service.change(service.leads[at], { status: `${left}` });
			for (let each = 0; each < 30; each += 1) {
				service.delete(service.leads[Math.floor((each * service.leads.length) / 30)]);
			}
			({ state, requests } = await pollOnce(service, state));
		}
		expect(service.leads).toHaveLength(100);
		expect(requests).toBeLessThan(5);
		// Leads that are gone are forgotten in the end.
		expect(JSON.stringify(state).length).toBeLessThan(1500);
	});

	it('is the full lead, as far as the requests go, and the rest in the next poll', async () => {
		const service = accountOf(150);
		const full = { includeFullLead: true, maxRequestsPerPoll: 20 };
		let { state } = await pollOnce(service, undefined, full);
		for (const lead of service.leads.slice(0, 30)) service.change(lead, { status: 'lost' });
		const ids: string[] = [];
		for (let left = 6; left > 0; left -= 1) {
			const result = await pollOnce(service, state, full);
			({ state } = result);
			expect(result.requests).toBeLessThanOrEqual(20);
			for (const { lead } of result.events) {
				expect(lead.notes).toBe('full');
				ids.push(String(lead.id));
			}
		}
		expect([ids.length, new Set(ids).size]).toEqual([30, 30]);
	});
});
