/** Checks that events of a process that died are emitted again by the next one, once, with their ids. */
import type { IPollFunctions } from 'n8n-workflow';

import { RecentEvents, storeOf } from '../../nodes/IntegrationLeads/trigger/store';
import type { PollResult } from '../../nodes/IntegrationLeads/watch/state';
import type { Ask, Settings } from '../../nodes/IntegrationLeads/watch/types';
import { seeded } from '../pure/virtualClock.mts';
import { ModelService, plainBehaviour } from './service.mts';
import { pollService, type Polled } from './polling.mts';

const NOW = Date.parse('2026-03-02T12:00:17.250Z');
const HOUR = 3_600_000;

/** An account in which nothing happens unless the test says so. */
function account(leads: number, changed: Partial<Settings> = {}) {
	const service = new ModelService(plainBehaviour, seeded(7), NOW);
	service.fill(
		leads,
		(index) => NOW - HOUR - index * 60_000,
		() => 'open',
	);
	let state: PollResult['state'] | undefined;
	return {
		service,
		create: () => service.create(service.now - 1000, 'open', 'low'),
		state: () => structuredClone(state!),
		/** One poll of a process, in which so many requests are answered. */
		async poll(process: string, answered = Infinity): Promise<Polled> {
			let left = answered;
			const ask: Ask = async (request) => {
				left -= 1;
				return left >= 0 ? service.answer(request) : undefined;
			};
			const how = { ...changed, process };
			const result = await pollService(service, structuredClone(state), how, ask);
			({ state } = result);
			return result;
		},
	};
}

const brief = ({ events }: PollResult) =>
	events.map(({ lead, previousStatus, status, redelivered }) =>
		[lead.id, previousStatus, status, ...(redelivered ? ['again'] : [])].join(' '),
	);

test('another process emits the last events again, with the same ids and times', async () => {
	const { service, create, poll } = account(20);
	await poll('a');
	const created = create();
	service.change(service.leads[3], { status: 'lost' });
	const first = await poll('a');
	expect(first.events.map(({ redelivered }) => redelivered)).toEqual([false, false]);
	const again = await poll('b');
	// Each lead is read individually.
	expect(again.events).toMatchObject(
		first.events.map((event) => ({ ...event, redelivered: true })),
	);
	expect(brief(again)).toContain(`${created.id}  open again`);
	expect(brief(await poll('b'))).toEqual([]);
});

test('the process that emitted them does not, and then nobody does', async () => {
	const { create, poll } = account(20);
	await poll('a');
	create();
	expect((await poll('a')).events).toHaveLength(1);
	expect((await poll('a')).events).toHaveLength(0);
	expect((await poll('b')).events).toHaveLength(0);
});

test('they come again if the process that emitted them polled only in the next half minute', async () => {
	const { service, create, poll } = account(20);
	const soon = () => (service.now -= 50_000);
	await poll('a');
	const { id } = create();
	await poll('a');
	soon();
	expect((await poll('a')).events).toHaveLength(0);
	soon();
	expect(brief(await poll('b'))).toEqual([`${id}  open again`]);
	soon();
	expect((await poll('b')).events).toHaveLength(0);
	soon();
	expect(brief(await poll('c'))).toEqual([`${id}  open again`]);
	await poll('c');
	expect((await poll('d')).events).toHaveLength(0);
});

test.each([
	['has gone on', 'in_progress', 'lost'],
	['was undone', 'lost', 'open'],
])('a change that %s since comes as it was, then the new one', async (_, first, second) => {
	const { service, poll } = account(20, { includeFullLead: true });
	await poll('a');
	const lead = service.leads[3];
	service.change(lead, { status: first });
	await poll('a');
	service.change(lead, { status: second });
	const result = await poll('b');
	expect(brief(result)).toEqual([
		`${lead.id} open ${first} again`,
		`${lead.id} ${first} ${second}`,
	]);
});

test('several changes of a lead come again in the order in which they happened', async () => {
	const { service, poll } = account(20);
	await poll('a');
	const [earlier, lead] = service.leads;
	service.change(lead, { status: 'in_progress' });
	await poll('a');
	service.change(lead, { status: 'lost' });
	service.change(earlier, { status: 'lost' });
	// So soon after the poll before that neither may have arrived.
	service.now -= 50_000;
	expect((await poll('a')).events).toHaveLength(2);
	// What another process cannot repeat is left to the next one.
	expect((await poll('b', 1)).events).toHaveLength(1);
	service.change(lead, { status: 'open' });
	expect(brief(await poll('c'))).toEqual([
		`${lead.id} open in_progress again`,
		`${lead.id} in_progress lost again`,
		`${earlier.id} open lost again`,
		`${lead.id} lost open`,
	]);
});

test('a lead is read once for all its events, which keep their order', async () => {
	const tagged = { triggerOn: ['lead.created' as const, 'lead.tagged' as const], tags: ['vip'] };
	const { service, create, poll } = account(20, tagged);
	await poll('a');
	const { requests } = await poll('a');
	service.change(create(), { tags: ['vip'] });
	const { events } = await poll('a');
	const again = await poll('b');
	expect(again.events.map(({ event }) => event)).toEqual(['lead.created', 'lead.tagged']);
	expect(again.events).toMatchObject(events.map(({ eventId }) => ({ eventId })));
	expect(again.requests).toBe(requests + 1);
});

test('a lead that was deleted since is forgotten', async () => {
	const { service, create, poll, state } = account(20);
	await poll('a');
	const lead = create();
	await poll('a');
	service.delete(lead);
	expect(brief(await poll('b'))).toEqual([]);
	expect(state().lastEvents).toEqual([]);
});

test.each([
	['younger than a day', 23 * HOUR, Infinity, 1],
	['a day old', 24 * HOUR, Infinity, 0],
	['from before this process began', 0, NOW + HOUR, 1],
	['from another process that still runs', 0, NOW, 0],
])('events that are %s', async (_, wait, repeatOthersBefore, count) => {
	const { service, create, poll } = account(20, { repeatOthersBefore });
	await poll('a');
	create();
	await poll('a');
	service.now += wait;
	expect((await poll('b')).events).toHaveLength(count);
});

test('what one poll cannot emit comes in the next, before what is newer', async () => {
	const { create, poll } = account(20);
	await poll('a');
	for (let count = 0; count < 12; count += 1) create();
	const ids = (result: PollResult) => result.events.map(({ eventId }) => eventId);
	const first = ids(await poll('a'));
	const { id } = create();
	// Each lead is read individually.
	const again = [await poll('b', 7), await poll('b')];
	expect(again.map(({ events }) => events.length)).toEqual([7, 6]);
	expect(again.flatMap(ids).slice(0, 12).sort()).toEqual([...first].sort());
	expect(brief(again[1]).at(-1)).toBe(`${id}  open`);
});

test('leads that are old by then are still known where only creation is watched', async () => {
	const { create, poll, service } = account(20, { triggerOn: ['lead.created'], pageSize: 5 });
	await poll('a');
	for (let count = 0; count < 20; count += 1) {
		create();
		service.now += 600_000;
	}
	const first = brief(await poll('a'));
	expect(first).toHaveLength(20);
	service.now += 2 * HOUR;
	// Of the first poll, only the first request is answered.
	const again = [...brief(await poll('b', 1)), ...brief(await poll('b'))];
	expect(again.sort()).toEqual(first.map((event) => `${event} again`).sort());
});

describe('within a process', () => {
	const result = (pollNumber: number, ...ids: string[]) =>
		({
			events: ids.map((eventId) => ({ eventId, redelivered: false })),
			state: { pollNumber, account: 's', activated: 1 },
		}) as PollResult;

	test.each([
		['an older state, a moment later', 4, 29_000, true],
		['an older state, half a minute later', 4, 30_000, false],
		['the state with which they were emitted', 5, 0, false],
	])('events were emitted, and a poll starts from %s', (_, pollNumber, wait, expected) => {
		const emitted = new RecentEvents();
		emitted.mark(result(5, 'x'), 1_000_000);
		const state = { pollNumber, account: 's', activated: 1 };
		expect(emitted.isStale(state, 1_000_000 + wait)).toBe(expected);
		// The account has changed, or there is no state any more.
		expect(emitted.isStale({ ...state, account: 't' }, 1_000_000)).toBe(false);
		expect(emitted.isStale({ ...state, activated: 2 }, 1_000_000)).toBe(false);
		expect(emitted.isStale(undefined, 1_000_000)).toBe(false);
	});

	test('what was emitted and not stored is marked when it comes again, unless it is long forgotten', () => {
		const emitted = new RecentEvents();
		emitted.mark(result(5), 1_000_000);
		// A poll without events has gone further, too.
		expect(emitted.isStale({ pollNumber: 4, account: 's', activated: 1 }, 1_000_000)).toBe(true);
		const marked = (time: number, ...ids: string[]) =>
			emitted.mark(result(5, ...ids), time).map(({ redelivered }) => redelivered);
		expect(marked(1_000_000, 'x')).toEqual([false]);
		expect(marked(1_000_000 + 2 * HOUR, 'x', 'y')).toEqual([true, false]);
		expect(marked(1_000_000 + 2.5 * HOUR, 'z')).toEqual([false]);
		expect(marked(1_000_000 + 2.6 * HOUR, 'y')).toEqual([true]);
		expect(marked(1_000_000 + 4 * HOUR, 'w')).toEqual([false]);
		expect(marked(1_000_000 + 4 * HOUR, 'y', 'w')).toEqual([false, true]);
	});
});

test.each([
	['in static data that n8n watches', { __dataChanged: false }, { __dataChanged: false }, true],
	['in a copy, beside static data that n8n watches', {}, { __dataChanged: false }, false],
	['with a host that watches none', {}, {}, true],
])('a state %s', (_, own, shared, expected) => {
	const context = {
		getWorkflowStaticData: (type: string) => (type === 'node' ? own : shared),
		getNode: () => ({ id: 'n' }),
		getActivationMode: () => 'update',
	} as unknown as IPollFunctions;
	expect(storeOf(context, 'key').repeatOthersBefore === Infinity).toBe(expected);
});
