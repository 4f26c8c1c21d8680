/** Runs nights of an export with what is done after it: notes and tags of what a platform took, and changes since then. */
import type { IDataObject } from 'n8n-workflow';
import { map } from 'lodash';
import { DateTime } from 'luxon';

import { DATASET, Meta, type MetaEvent } from '../e2e/advertisers.mts';
import { by, useLab, writes } from '../helpers/lab.mts';

const timezone = 'America/Sao_Paulo';
const lab = useLab({ seed: 261 });
const soldAt = DateTime.now().setZone(timezone).minus({ days: 2 }).set({ hour: 12 });
const day = soldAt.toISODate();
const inWords = soldAt.toFormat('d LLL yyyy', { locale: 'en-US' });
const THIS_MONTH = 'sent: 2026-11';

const formats = {
	meta: {
		format: 'meta',
		eventName: 'Purchase',
		actionSource: 'system_generated',
	},
	googleDataManager: { format: 'googleDataManager' },
};
type Format = keyof typeof formats;

/** A won lead. */
function won(fields: IDataObject = {}) {
	const { store, controls } = lab.sandbox;
	const contactId = store.createContact({ name: 'Ana Souza', email: 'ana@example.com' }).id;
	const sale = { status: 'won', saleDate: soldAt.toISO()!, estimatedValue: 1000 };
	const createdAt = soldAt.minus({ days: 30 }).toISO()!;
	return controls.createLead({ ...sale, createdAt, contactId, ...fields });
}

interface Summary extends IDataObject {
	text: string;
	lines: string;
	changed: IDataObject[];
}

/** Gets what is to be sent. */
async function exportSales(format: Format, engine = lab.engine) {
	lab.sandbox.controls.clearRequests();
	const options = { skipTag: 'sent', compareTag: THIS_MONTH, summaryItem: true };
	const parameters = { operation: 'getConversions', status: 'won', options };
	const { items, error, hints } = await engine.run(
		{ ...parameters, saleDate: 'last30Days', ...formats[format] },
		{ timezone },
	);
	if (error) throw error;
	const events = map(items, 'json');
	const summary = events.pop()?.summary as Summary;
	return { events, summary, hints: map(hints, 'message') };
}

/** Notes and tags what a platform took. */
async function tagged(events: IDataObject[], engine = lab.engine) {
	const leadId = by('id', '={{ $json.transactionId ?? $json.custom_data.order_id }}');
	const options = { reportedEvent: '={{ $json }}' };
	const tags = `sent, ${THIS_MONTH}`;
	const ran = await engine.run(
		{ operation: 'addTags', leadId, tags, options },
		{ input: events, timezone },
	);
	return { ...ran, hints: map(ran.hints, 'message') };
}

async function night(format: Format) {
	const ran = await exportSales(format);
	expect((await tagged(ran.events)).error).toBeUndefined();
	return ran;
}

const metadataOf = (id: string) =>
	[...lab.sandbox.store.interactions.values()]
		.filter(({ leadId }) => leadId === id)
		.map(({ metadata }) => metadata);

const change = (id: string, fields: IDataObject) =>
	lab.sandbox.controls.changeLead({ id, ...fields });

describe.each<[Format, string, (id: string) => string]>([
	['meta', 'Meta', (id) => `${id}:Purchase`],
	['googleDataManager', 'Google', (id) => id],
])('a sale sent as %s', (format, platform, eventIdOf) => {
	it('is noted in its lead and then tagged', async () => {
		const { id } = won();
		await night(format);
		expect(metadataOf(id)).toEqual([{ platform, eventId: eventIdOf(id), amount: 1000, day }]);
		const sent = writes(lab.sandbox).map(({ route }) => route);
		expect(sent).toEqual(['POST /leads/{leadId}/interactions', 'POST /leads/{leadId}/tags']);
		const { events, summary } = await night(format);
		expect([events, summary.changed, summary.lines]).toEqual([[], [], '']);
	});

	it.each<[IDataObject, string, string]>([
		[{ estimatedValue: 2500 }, '2500.00', ''],
		[{ status: 'lost' }, '1000.00', 'its status is lost, and '],
		[
			{ tags: ['sent', THIS_MONTH, 'Sale taken back'] },
			'1000.00',
			'it has the tag "Sale taken back", and ',
		],
		[
			{ tags: ['sent', THIS_MONTH, 'Refund to check'] },
			'1000.00',
			'it has the tag "Refund to check", and ',
		],
	])('and then changed by %j is named', async (fields, amount, why) => {
		const { id } = won();
		await night(format);
		change(id, fields);
		const { summary, hints } = await exportSales(format);
		const line = `Ana Souza, ${amount} BRL, sold on ${inWords}: ${why}${platform} has 1000.00 BRL on ${inWords}. `;
		expect(summary.lines.startsWith(`- ${line}`)).toBe(true);
		expect(summary.text).toMatch(/; changed after they were reported: 1\.$/);
		expect(summary.changed).toMatchObject([
			{ leadId: id, reported: { platform, amount: 1000, day, eventId: eventIdOf(id) } },
		]);
		expect(hints).toContain(`Changed after they were reported:\n${summary.lines}`);
	});

	it('is not named any more once the tag is removed, as the line says', async () => {
		const { id } = won();
		await night(format);
		change(id, { status: 'lost' });
		expect((await exportSales(format)).summary.lines).toContain(`remove the tag "${THIS_MONTH}".`);
		change(id, { tags: ['sent'] });
		expect((await exportSales(format)).summary.changed).toEqual([]);
	});
});

test('Google gets a new amount once, with the same ID', async () => {
	const { id } = won();
	await night('googleDataManager');
	change(id, { estimatedValue: 600 });
	const { events, summary } = await night('googleDataManager');
	expect(events).toMatchObject([{ transactionId: id, conversionValue: 600 }]);
	expect(summary.lines).toMatch(/\. It is sent again with the new amount\.$/);
	expect(summary.sales).toHaveProperty(id);
	const next = await night('googleDataManager');
	expect([next.events, next.summary.changed]).toEqual([[], []]);
});

test('of a sale with a refund to check, Google gets what is left once the tag is removed', async () => {
	const { id } = won();
	await night('googleDataManager');
	const tags = ['sent', THIS_MONTH];
	change(id, { tags: [...tags, 'Refund to check'] });
	const open = await night('googleDataManager');
	expect(open.events).toEqual([]);
	expect(open.summary.lines).toContain(
		'It cannot be sent again, because it has the tag "Refund to check".',
	);
	change(id, { tags, estimatedValue: 700 });
	const { events } = await night('googleDataManager');
	expect(events).toMatchObject([{ transactionId: id, conversionValue: 700 }]);
});

test('a new amount that Google would refuse is not sent, and the line says why', async () => {
	const { id } = won();
	await night('googleDataManager');
	change(id, { estimatedValue: -5 });
	const { events, summary } = await exportSales('googleDataManager');
	expect(events).toEqual([]);
	expect(summary.lines).toContain(
		'It cannot be sent again, because Estimated Value is negative. Correct Estimated Value in the lead.',
	);
});

test('Meta, which takes no correction, gets nothing more', async () => {
	const { id } = won();
	await night('meta');
	change(id, { estimatedValue: 600 });
	const { events, summary } = await exportSales('meta');
	expect(events).toEqual([]);
	expect(summary.lines).toContain('Meta takes no correction.');
});

// n8n may be killed between any two requests: the next night goes on from there.
test.each(['nothing', 'the note'])(
	'after a kill that left %s, a sale is sent, noted and tagged',
	async (left) => {
		const { id } = won();
		const first = await exportSales('meta');
		if (left === 'the note') {
			await tagged(first.events);
			change(id, { tags: [] });
		}
		const second = await night('meta');
		expect(map(second.events, 'event_id')).toEqual(map(first.events, 'event_id'));
		const { events, summary } = await night('meta');
		expect([events, summary.changed]).toEqual([[], []]);
	},
);

// The note follows the answer, so a process that is killed in between has sent what the next night sends again.
test.each([
	[1, 1],
	[2, 2],
])(
	'of a sale whose note was lost and that is sent again after %i days, Meta counts %i',
	async (days, times) => {
		const meta = new Meta();
		const began = Date.now();
		const take = async (data: IDataObject[]) =>
			await meta.answer({
				host: 'graph.facebook.com',
				method: 'POST',
				path: `/v26.0/${DATASET}/events`,
				query: { access_token: 'meta-token' },
				headers: {},
				body: '',
				json: { data: JSON.parse(JSON.stringify(data)) as MetaEvent[] },
			});
		won();
		meta.now = () => began;
		expect(await take((await exportSales('meta')).events)).toMatchObject({
			body: { events_received: 1 },
		});
		meta.now = () => began + days * 24 * 3_600_000;
		const { events } = await exportSales('meta');
		await take(events);
		expect(meta.counted).toHaveLength(times);
		await tagged(events);
		expect((await exportSales('meta')).events).toEqual([]);
	},
);

test('a night without changes takes two requests for each sale of the tag, however many were sent before', async () => {
	for (let n = 0; n < 30; n++) won({ tags: ['sent', 'sent: 2026-09'] });
	const sales = [1, 2, 3].map(() => won().id);
	await night('meta');
	const { summary } = await exportSales('meta');
	expect(summary.skipped).toBe(33);
	// Two lists, and of each sale the lead and its notes.
	expect(lab.sandbox.controls.requests()).toHaveLength(2 + 2 * sales.length);
});

describe('a key that lacks a scope', () => {
	const lacking = (scope: string) => {
		const all = 'leads:read leads:write contacts:read interactions:read interactions:write';
		const scopes = all.split(' ').filter((each) => each !== scope);
		return lab.withKey(lab.sandbox.controls.addKey({ scopes }).key);
	};

	it('for the note tags the lead, says so, and the next night counts it', async () => {
		won();
		const { events } = await exportSales('meta');
		const { error, hints } = await tagged(events, lacking('interactions:write'));
		expect([error, hints]).toEqual([undefined, [expect.stringContaining('interactions:write')]]);
		const { summary } = await exportSales('meta');
		expect(summary.text).toMatch(/; not compared with what was reported: 1\.$/);
	});

	it('for reading the notes exports all the same', async () => {
		const { id } = won();
		await night('meta');
		won();
		change(id, { estimatedValue: 1 });
		const { events, summary, hints } = await exportSales('meta', lacking('interactions:read'));
		expect([events.length, summary.notCompared]).toEqual([1, 1]);
		expect(hints.join()).toContain('"interactions:read"');
	});
});

test('what is no event of an export is refused before anything is sent', async () => {
	const { id } = won();
	lab.sandbox.controls.clearRequests();
	const { error } = await tagged([{ custom_data: { order_id: id } }]);
	expect(error?.message).toMatch(/^"Reported Event" is not an event/);
	expect(lab.sandbox.controls.requests()).toEqual([]);
});
