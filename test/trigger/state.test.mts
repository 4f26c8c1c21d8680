/** The state: how large it is, that it comes back as it was, and what is done with one that cannot be read. */
import fc from 'fast-check';

import { align } from '../../nodes/IntegrationLeads/trigger/align';
import {
	countStatuses,
	decodeBucket,
	decodeEntries,
	encodeBucket,
	encodeEntries,
	GONE,
	LAST_STATUS,
} from '../../nodes/IntegrationLeads/trigger/codes';
import { eventId } from '../../nodes/IntegrationLeads/trigger/events';
import type { Lead } from '../../nodes/IntegrationLeads/trigger/lead';
import { StatusTable, toLead } from '../../nodes/IntegrationLeads/trigger/lead';
import { poll } from '../../nodes/IntegrationLeads/trigger/poll';
import type { Settings } from '../../nodes/IntegrationLeads/trigger/types';
import { ModelService, plainManner } from './service.mts';

const NOW = Date.parse('2026-03-02T12:00:17.250Z');
const settings: Settings = {
	triggerOn: ['lead.created', 'lead.statusChanged'],
	fromStatus: [],
	toStatus: [],
	filters: {},
	watchWithinDays: 0,
	emitExisting: false,
	maxRequestsPerPoll: 60,
	includeFullLead: false,
	account: 'test',
};

/** One poll of a service that answers everything. */
function pollOnce(service: ModelService, state: unknown, changed: Partial<Settings> = {}) {
	const steps = poll(state, { ...settings, ...changed }, service.now);
	let step = steps.next();
	while (!step.done) {
		step = steps.next({ answers: step.value.map((request) => service.answer(request)) });
	}
	service.now += 60_000;
	return step.value;
}

function accountOf(count: number): ModelService {
	const service = new ModelService(plainManner, () => 0.5, NOW);
	service.fill(
		count,
		(index) => NOW - 3_600_000 - index * 250_000,
		(index) => (index % 3 ? 'open' : 'closed_won'),
	);
	return service;
}

describe('codes', () => {
	const entry = fc.record({
		print: fc.integer({ min: 0, max: 2 ** 18 - 1 }),
		status: fc.oneof(
			fc.integer({ min: 0, max: 70 }),
			fc.constantFrom(GONE, 61, 62, 63, LAST_STATUS),
		),
		at: fc.integer({ min: 0, max: 2 ** 42 - 1 }),
	});

	it('come back as they were, and are counted without being decoded', () => {
		fc.assert(
			fc.property(fc.array(entry), fc.boolean(), (entries, timed) => {
				const codes = encodeEntries(entries, timed);
				const expected = timed ? entries : entries.map((each) => ({ ...each, at: NaN }));
				expect(decodeEntries(codes, timed)).toEqual(expected);
				const counted: number[] = [];
				countStatuses(codes, timed, (status) => counted.push(status));
				expect(counted).toEqual(
					entries.map(({ status }) => status).filter((status) => status !== GONE),
				);
			}),
		);
	});

	it('stand in a bucket that comes back as it was', () => {
		const start = fc.oneof(fc.constant(-Infinity), fc.integer({ min: -1e12, max: 4e12 }));
		fc.assert(
			fc.property(start, fc.nat(), fc.boolean(), (from, revision, unread) => {
				const bucket = { start: from, revision, unread, codes: 'AAAB' };
				expect(decodeBucket(encodeBucket(bucket))).toEqual(bucket);
			}),
		);
	});

	it('give further statuses the last index once the table is full', () => {
		const table = new StatusTable([]);
		for (let index = 0; index < LAST_STATUS + 10; index += 1) table.indexOf(`status-${index}`);
		expect(table.names).toHaveLength(LAST_STATUS + 1);
		expect(table.indexOf('status-62')).toBe(62);
		expect(table.indexOf('one more')).toBe(LAST_STATUS);
	});
});

describe('a lead that cannot be followed', () => {
	it.each([
		[{ id: 'a', status: 'open' }],
		[{ id: 'a', status: 'open', createdAt: 'yesterday' }],
		[{ id: '', status: 'open', createdAt: '2026-03-02T12:00:00.000Z' }],
		[{ status: 'open', createdAt: '2026-03-02T12:00:00.000Z' }],
	])('is left out: %j', (record) => {
		expect(toLead(record, new StatusTable([]))).toBeUndefined();
		const service = accountOf(3);
		const steps = poll(undefined, settings, service.now);
		steps.next();
		const step = steps.next({ answers: [{ records: [record], total: 1 }] });
		expect(step.done && step.value.notices.map(({ kind }) => kind)).toEqual(['noCreationTime']);
	});
});

describe('align', () => {
	const leadOf = (at: number, print: number, status = 0): Lead => {
		return { id: `lead-${at}`, at, print, status, record: {} };
	};

	it('tells leads of the same print apart by their neighbours', () => {
		const entries = [7, 1, 7, 2].map((print) => ({ print, status: 0, at: NaN }));
		const leads = [leadOf(1, 1), leadOf(2, 7), leadOf(3, 2), leadOf(4, 7)];
		expect(align(entries, leads)).toEqual([1, 2, 3, 0]);
		expect(align(entries, [leadOf(1, 7), leadOf(2, 1), leadOf(4, 2)])).toEqual([0, 1, 3]);
	});

	it('is exact as long as nothing but the order tells which is which', () => {
		const lives = fc.array(
			fc.record({ print: fc.nat(5), was: fc.boolean(), is: fc.boolean(), status: fc.nat(3) }),
			{ maxLength: 30 },
		);
		fc.assert(
			fc.property(lives, (all) => {
				// Whoever is there is there with a print of its own beside it, so nothing is ambiguous.
				const row = all.flatMap((each, index) => [
					{ ...each, at: 2 * index },
					{ print: 100 + index, was: true, is: true, status: 0, at: 2 * index + 1 },
				]);
				const entries = row.filter(({ was }) => was);
				const leads = row.filter(({ is }) => is);
				const found = align(
					entries,
					leads.map(({ at, print, status }) => leadOf(at, print, status)),
				);
				leads.forEach((lead, index) => {
					if (lead.was) expect(entries[found[index]].at).toBe(lead.at);
				});
			}),
		);
	});
});

describe('event ids', () => {
	it('are stable, and differ where the event does', () => {
		const ids = [
			eventId('a', null, 'open', 0),
			eventId('a', 'open', 'lost', 0),
			eventId('a', 'open', 'lost', 1),
			eventId('a', 'lost', 'open', 1),
			eventId('b', 'open', 'lost', 1),
		];
		expect(new Set(ids).size).toBe(ids.length);
		// A lead is created once, whatever has become of it when it is first seen.
		expect(eventId('a', null, 'lost', 5)).toBe(ids[0]);
		expect(ids[1]).toBe('5da0202661da77dc309cfe6d406277f8');
	});
});

describe('the stored state', () => {
	it.each([1000, 4000])('takes less than five bytes a lead: %d leads', (count) => {
		const service = accountOf(count);
		let state: unknown;
		for (let left = 4; left > 0; left -= 1) ({ state } = pollOnce(service, state));
		expect(JSON.stringify(state).length / count).toBeLessThan(5);
	});

	it('is not changed by a poll, and a poll that achieved nothing gives it back', () => {
		const service = accountOf(150);
		const { state } = pollOnce(service, undefined);
		const before = JSON.stringify(state);
		service.change(service.leads[3], { status: 'lost' });
		expect(pollOnce(service, state).events).toHaveLength(1);
		expect(JSON.stringify(state)).toBe(before);
		const steps = poll(state, settings, NOW);
		steps.next();
		const step = steps.next({ answers: [undefined], stop: true });
		expect(step.done && step.value.state).toBe(state);
		expect(step.done && step.value.progressed).toBe(false);
	});

	const { state: good } = pollOnce(accountOf(150), undefined);
	const unreadable: Array<[string, unknown]> = [
		['of a later version', { ...good, version: 99 }],
		['without a version', { ...good, version: undefined }],
		['of somebody else', { lastPoll: 5 }],
		['cut short', { ...good, buckets: good.buckets.map((bucket) => bucket.slice(0, -2)) }],
		['with foreign text', { ...good, buckets: ['x'] }],
		['without buckets', { ...good, buckets: [] }],
		['with an unknown status', { ...good, statuses: ['open'] }],
		['with buckets out of order', { ...good, buckets: [...good.buckets, '0..'] }],
		['with a time that is text', { ...good, newSince: '5' }],
	];
	it.each(unreadable)('begins anew and says so: %s', (_, state) => {
		const service = accountOf(150);
		const { notices, events, state: next } = pollOnce(service, state, { emitExisting: true });
		expect(notices.map(({ kind }) => kind)).toEqual(['stateUnreadable']);
		expect(events).toEqual([]);
		service.change(service.leads[3], { status: 'lost' });
		expect(pollOnce(service, next).events).toHaveLength(1);
	});

	it.each<[string, Partial<Settings>]>([
		['filters', { filters: { priority: 'medium' } }],
		['the time watched', { watchWithinDays: 30 }],
		['the credential', { account: 'other' }],
	])('begins anew and says so when it is about others: %s', (_, changed) => {
		const { notices, events } = pollOnce(accountOf(150), good, changed);
		expect(notices.map(({ kind }) => kind)).toEqual(['scopeChanged']);
		expect(events).toEqual([]);
	});

	it('is kept when only what is emitted changes', () => {
		const service = accountOf(150);
		const { state } = pollOnce(service, undefined);
		service.change(service.leads[3], { status: 'lost' });
		const changed = { toStatus: ['open'], maxRequestsPerPoll: 30, includeFullLead: true };
		const { notices, events } = pollOnce(service, state, changed);
		expect([notices, events]).toEqual([[], []]);
	});
});

describe('what is emitted', () => {
	it('is what was asked for', () => {
		const service = accountOf(150);
		const { state } = pollOnce(service, undefined);
		service.change(service.leads[3], { status: 'lost' });
		service.create(service.now, 'open');
		const all = pollOnce(service, state).events;
		expect(all.map(({ event, status }) => `${event} ${status}`)).toEqual([
			'lead.created open',
			'lead.statusChanged lost',
		]);
		const told = (changed: Partial<Settings>) =>
			pollOnce(service, state, changed).events.map(({ event }) => event);
		expect(told({ toStatus: ['lost'] })).toEqual(['lead.created', 'lead.statusChanged']);
		expect(told({ toStatus: ['open'] })).toEqual(['lead.created']);
		expect(told({ fromStatus: ['lost'] })).toEqual(['lead.created']);
		expect(told({ triggerOn: ['lead.statusChanged'] })).toEqual(['lead.statusChanged']);
	});

	it('is only what is new, for a single request a poll, when changes are not asked for', () => {
		const service = accountOf(3000);
		const only: Partial<Settings> = { triggerOn: ['lead.created'] };
		let { state } = pollOnce(service, undefined, only);
		service.now += 3_600_000;
		({ state } = pollOnce(service, state, only));
		service.create(service.now, 'open');
		const { events, requests, state: next } = pollOnce(service, state, only);
		expect(events.map(({ event }) => event)).toEqual(['lead.created']);
		expect(requests).toBeLessThan(4);
		expect(JSON.stringify(next).length).toBeLessThan(3000);
	});

	it('is every lead there was, once, when that is asked for', () => {
		const service = accountOf(2500);
		const existing = { emitExisting: true };
		const ids = new Set<string>();
		let [state, count]: [unknown, number] = [undefined, 0];
		for (let left = 6; left > 0; left -= 1) {
			const result = pollOnce(service, state, existing);
			({ state } = result);
			count += result.events.length;
			expect(result.events.length).toBeLessThanOrEqual(1000);
			for (const { lead } of result.events) ids.add(String(lead.id));
		}
		expect([count, ids.size]).toEqual([2500, 2500]);
	});

	it('is the whole lead, as far as the requests go, and the rest in the next poll', () => {
		const service = accountOf(150);
		const full = { includeFullLead: true, maxRequestsPerPoll: 20 };
		let { state } = pollOnce(service, undefined, full);
		for (const lead of service.leads.slice(0, 30)) service.change(lead, { status: 'lost' });
		const ids: string[] = [];
		for (let left = 6; left > 0; left -= 1) {
			const result = pollOnce(service, state, full);
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
