/** Checks that a lead which gets a watched tag is emitted, and what is known about its tags. */
import { changesBetween, withoutChanges } from '../../nodes/IntegrationLeads/watch/changes';
import {
	decodeEntries,
	encodeEntries,
	UNKNOWN_STATUS,
} from '../../nodes/IntegrationLeads/watch/timeline';
import type { Ask, Settings } from '../../nodes/IntegrationLeads/watch/types';
import { seeded } from '../pure/virtualClock.mts';
import { ModelService, plainBehaviour, type ServiceBehaviour } from './service.mts';
import { pollService, settings, type Polled } from './polling.mts';

const NOW = Date.parse('2026-03-02T12:00:17.250Z');

describe('what happened to a lead', () => {
	const known = (status: number, ...tags: number[]) => ({ status, tags });
	type Row = [string, ...Parameters<typeof changesBetween>, ReturnType<typeof changesBetween>];
	it.each<Row>([
		['created', undefined, known(1, 2), [], true, [{ to: 1 }, { to: 1, tag: 2 }]],
		['came under the filters', undefined, known(1, 2), [2], false, []],
		['the same', known(1, 2), known(1, 2), [2], false, []],
		['got a tag', known(1), known(1, 2), [2], false, [{ to: 1, tag: 2 }]],
		['had a tag that was not watched', known(1), known(1, 2), [3], false, []],
		['lost a tag', known(1, 2), known(1), [2], false, []],
		['got a status', known(0), known(1), [], false, [{ from: 0, to: 1 }]],
		['had a status that was not watched', known(UNKNOWN_STATUS), known(1), [], false, []],
		[
			'both',
			known(0, 2),
			known(1, 2, 3),
			[2, 3],
			false,
			[
				{ from: 0, to: 1 },
				{ to: 1, tag: 3 },
			],
		],
	])('%s', (_, before, now, knownTags, isNew, expected) => {
		expect(changesBetween(before, now, knownTags, isNew)).toEqual(expected);
	});

	it('is found again where it had to wait, but not the tags of which nothing was known', () => {
		const [before, now] = [known(0, 2), known(1, 2, 3, 4)];
		const waiting = withoutChanges(before, now, [2, 3]);
		expect(changesBetween(waiting, now, [2, 3, 4], false)).toEqual([
			{ from: 0, to: 1 },
			{ to: 1, tag: 3 },
		]);
	});
});

test('tags are read as they were written, and take no room where none is watched', () => {
	const tags = [7, 0, 3, 4, 5, 6, 1, 9];
	const leads = new Map([
		['aaaaa', { status: 0, tags: [7, 9] }],
		['bbbbb', { status: 63, tags: [] }],
		['ccccc', { status: UNKNOWN_STATUS, tags: [0, 3, 4, 5, 6, 1] }],
	]);
	const entries = encodeEntries(leads, tags);
	expect(decodeEntries({ entries, tags })).toEqual(leads);
	expect([entries.length, encodeEntries(leads, []).length]).toEqual([24, 18]);
});

const tagged: Partial<Settings> = { triggerOn: ['lead.tagged'], tags: ['vip', 'hot'] };

/** An account of leads without tags, and the polls of a trigger. */
function account(leads: number, behaviour: Partial<ServiceBehaviour> = {}) {
	const service = new ModelService({ ...plainBehaviour, ...behaviour }, seeded(leads), NOW);
	service.fill(
		leads,
		(index) => NOW - 3_600_000 - index * 20_000,
		() => 'open',
	);
	let state: unknown;
	return {
		service,
		tag: (index: number, ...tags: string[]) => service.change(service.leads[index], { tags }),
		async poll(changed: Partial<Settings> = tagged, ask?: Ask): Promise<Polled> {
			const polled = await pollService(service, structuredClone(state), changed, ask);
			({ state } = polled);
			return polled;
		},
	};
}

const brief = ({ events }: Polled) =>
	events.map(({ event, lead, status, tag, redelivered }) =>
		[event, lead.id, status, tag, redelivered && 'again'].filter(Boolean).join(' '),
	);

test('a lead that gets a watched tag is emitted, once for each tag and each time', async () => {
	const { poll, tag } = account(150);
	tag(1, 'vip');
	expect(brief(await poll())).toEqual([]);
	tag(1, 'vip', 'cold');
	tag(2, 'vip', 'hot');
	const first = await poll();
	expect(brief(first)).toEqual(['lead.tagged lead-148 open vip', 'lead.tagged lead-148 open hot']);
	expect(first.events[0]).toMatchObject({ tag: 'vip', previousStatus: null });
	tag(2);
	expect(brief(await poll())).toEqual([]);
	tag(2, 'vip');
	const again = await poll();
	expect(brief(again)).toEqual(['lead.tagged lead-148 open vip']);
	expect(again.events[0].eventId).not.toBe(first.events[0].eventId);
});

test('a lead that is created with a watched tag was created, and got the tag', async () => {
	const { poll, service } = account(20);
	const all = {
		...settings,
		...tagged,
		triggerOn: [...settings.triggerOn, 'lead.tagged' as const],
	};
	await poll(all);
	const lead = service.create(service.now - 1000, 'open');
	service.change(lead, { tags: ['hot', 'cold'] });
	expect(brief(await poll(all))).toEqual([
		`lead.created ${lead.id} open`,
		`lead.tagged ${lead.id} open hot`,
	]);
	expect(brief(await poll(all))).toEqual([]);
});

test.each(['VIP', 'v i p', 'víp'])('names are compared as elsewhere: %s', async (shown) => {
	const { poll, tag } = account(20);
	await poll();
	tag(2, shown);
	expect((await poll()).events.map((event) => event.tag)).toEqual(['vip']);
});

test('another process emits the last tags again, with the same ids', async () => {
	const { poll, tag } = account(20);
	await poll();
	tag(2, 'vip');
	const { events } = await poll();
	tag(2);
	const again = await poll({ ...tagged, process: 'another' });
	expect(again.events).toMatchObject([
		{ eventId: events[0].eventId, tag: 'vip', redelivered: true },
	]);
});

test('a tag that is watched from now on was known, as was one that was not watched for a time', async () => {
	const { poll, tag } = account(150);
	tag(1, 'vip');
	await poll({ triggerOn: ['lead.statusChanged'] });
	tag(2, 'vip');
	expect(brief(await poll())).toEqual([]);
	tag(3, 'vip');
	expect(brief(await poll({ ...tagged, tags: ['hot', 'VIP'] }))).toEqual([
		'lead.tagged lead-147 open VIP',
	]);
	await poll({ ...tagged, tags: ['hot'] });
	tag(4, 'vip');
	await poll({ ...tagged, tags: ['hot'] });
	expect(brief(await poll())).toEqual([]);
});

test.each<[string, Partial<Settings>, Partial<Settings>]>([
	['from now on', { triggerOn: ['lead.statusChanged'] }, tagged],
	['again', tagged, { ...tagged, tags: ['hot'] }],
])(
	'of leads of which not all could be read, tags that are watched %s are not taken for new',
	async (_, before, then) => {
		const { poll, tag, service } = account(150, { ignoresBounds: true });
		tag(1, 'vip');
		tag(149, 'vip');
		await poll(before);
		// Of two pages, only the first is answered.
		for (let polls = 0; polls < 2; polls += 1) {
			await poll(then, async (request) =>
				request.kind === 'list' && request.query.page === 1 ? service.answer(request) : undefined,
			);
		}
		expect(brief(await poll())).toEqual([]);
		tag(148, 'vip');
		expect(brief(await poll())).toHaveLength(1);
	},
);

test('a new lead of which not all neighbours could be read yet is emitted when it gets a tag', async () => {
	const { poll, tag, service } = account(0, { ignoresBounds: true });
	const onlyFirst: Ask = async (request) =>
		request.kind === 'list' && request.query.page === 1 ? service.answer(request) : undefined;
	await poll(tagged, onlyFirst);
	for (let count = 0; count < 150; count += 1) service.create(service.now - count, 'open');
	await poll(tagged, onlyFirst);
	tag(149, 'vip');
	expect(brief(await poll())).toEqual(['lead.tagged lead-1 open vip']);
});

test('the full lead is read once for all that happened to it', async () => {
	const { poll, tag } = account(20);
	const full = { ...tagged, includeFullLead: true };
	await poll(full);
	const { requests } = await poll(full);
	tag(2, 'vip', 'hot');
	const polled = await poll(full);
	expect(polled.events.map(({ lead }) => lead.notes)).toEqual(['full', 'full']);
	expect(polled.requests).toBe(requests + 1);
});
