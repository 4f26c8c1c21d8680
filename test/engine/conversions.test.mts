/** Runs exports of conversions: which leads are read, which are exported, and hints about the others. */
import type { IDataObject } from 'n8n-workflow';
import { map, partition, sortBy } from 'lodash';
import { DateTime } from 'luxon';
import { createHash } from 'node:crypto';

import type { FaultRule } from '../../sandbox/faults.mts';
import type { RunOptions } from '../helpers/engine.mts';
import { clock } from '#built/nodes/IntegrationLeads/transport/clock';
import { by, useLab } from '../helpers/lab.mts';

const zone = 'America/Sao_Paulo';
const lab = useLab({ seed: 260 });

/** All of 2026-03-08 in the workflow's zone. */
const thatDay = {
	operation: 'getConversions',
	status: 'won',
	saleDate: 'between',
	saleDateFrom: '2026-03-08',
	saleDateTo: '2026-03-09T00:00:00',
};
const SUMMARY = /^\d+ of \d+ won leads? |^No lead /;
const run = async (parameters: IDataObject = {}, options: RunOptions = {}) => {
	lab.sandbox.controls.clearRequests();
	const how = { timezone: zone, ...options };
	const ran = await lab.engine.run({ ...thatDay, ...parameters }, how);
	const [summaries, notes] = partition(map(ran.hints, 'message'), (text) => SUMMARY.test(text));
	return { ...ran, json: map(ran.items, 'json'), summaries, notes };
};
const sent = (route: string) =>
	lab.sandbox.controls.requests().filter((request) => request.route === route).length;
const LEAD = 'GET /leads/{leadId}';
const CONTACT = 'GET /contacts/{contactId}';
const CLICKS = 'GET /leads/{leadId}/interactions';

/** A won lead; with a contact of the e-mail and phone given. */
function won(fields: IDataObject = {}, contact?: { email?: string; phone?: string }) {
	const { store, controls } = lab.sandbox;
	const contactId = contact ? store.createContact(contact).id : null;
	const createdAt = '2026-03-01T12:00:00Z';
	return controls.createLead({ status: 'won', ...SALE, createdAt, contactId, ...fields });
}
const SALE = { saleDate: '2026-03-08T15:00:00.000Z', estimatedValue: 100 };
const hash = (text: string) => createHash('sha256').update(text).digest('hex');
/** Sets the answer to the next request for a path. */
const answerOnce = (data: IDataObject, path: string) =>
	fault({ kind: 'status', status: 200, body: { success: true, data }, match: { path } });
const listOnce = (lead: IDataObject) =>
	answerOnce({ leads: [lead], pagination: { page: 1, limit: 100, total: 1 } }, '^/leads$');
const fault = (rule: FaultRule) => lab.sandbox.controls.fault(rule);

test('exports the won leads of the period, each once, with one request for each', async () => {
	const to = DateTime.fromMillis(clock.now(), { zone }).startOf('day');
	const from = to.minus({ days: 30 }).startOf('day');
	const all = [...lab.sandbox.store.leads.values()].filter(({ status }) => status === 'closed_won');
	const wanted = all.filter(({ saleDate }) => {
		const at = Date.parse(String(saleDate));
		return from.toMillis() <= at && at < to.toMillis();
	});
	expect(wanted.length).toBeGreaterThan(0);
	expect(wanted.length).toBeLessThan(all.length);
	const { json, error, notes } = await run({ status: 'closed_won', saleDate: 'last30Days' });
	expect([error, notes]).toEqual([undefined, []]);
	// By date, whatever the list's order.
	expect(map(json, 'leadId')).toEqual(map(sortBy(wanted, 'saleDate', 'id'), 'id'));
	expect([sent('GET /leads'), sent(LEAD)]).toEqual([1, all.length]);
	expect(lab.sandbox.controls.requests()[0].query).toMatchObject({ status: 'closed_won' });
});

test.each<[string, (id: string) => unknown]>([
	['was deleted', (id) => fault({ kind: 'status', status: 404, match: { path: `/leads/${id}` } })],
	['is no longer won', (id) => answerOnce({ id, status: 'open' }, `/leads/${id}`)],
])(
	'a lead that %s meanwhile is left out; if all of several are, the export fails',
	async (_, change) => {
		won({ externalId: 'stays' });
		const { id } = won();
		change(id);
		const one = await run();
		expect([one.error, one.json]).toMatchObject([undefined, [{ externalId: 'stays' }]]);
		expect(one.notes).toEqual([
			'Left out, because they were deleted or moved to another status before they could be read: 1 of the list.',
		]);
		for (const lead of lab.sandbox.store.leads.values()) change(lead.id);
		const { items, error } = await run();
		expect(items).toEqual([]);
		expect(error?.message).toBe(
			'None of the 2 leads in the list is there with the same status when read individually',
		);
	},
);

test('of a single lead that changed meanwhile, the export is empty, and says so', async () => {
	const { id } = won();
	answerOnce({ id, status: 'open' }, `/leads/${id}`);
	const { error, json, notes } = await run();
	expect([error, json]).toEqual([undefined, []]);
	expect(notes).toEqual([expect.stringContaining('before they could be read: 1 of the list.')]);
});

test.each(['website', 'app', 'business_messaging', 'crm'])(
	'the Action Source %s, with which Meta would refuse all, is refused before anything is read',
	async (actionSource) => {
		won({}, { email: 'ana@example.com' });
		const { error } = await run({ format: 'meta', eventName: 'Purchase', actionSource });
		expect(error?.message).toBe(`"Action Source" has no value "${actionSource}"`);
		expect(lab.sandbox.controls.requests()).toEqual([]);
	},
);

test.each([{}, { asTool: true }])('without a Format, sales are rows (%j)', async (options) => {
	const { id } = won();
	const { json, error } = await run({ format: '' }, options);
	expect([error, json[0]]).toMatchObject([undefined, { leadId: id, estimatedValue: 100 }]);
});

describe('contacts', () => {
	const google = { format: 'googleAds', conversionName: 'Sale' };

	test('are read once each, only of exported leads, and only where the lead lacks something', async () => {
		const { contactId } = won({}, { phone: '+5511900000001' });
		won({ contactId });
		won({ saleDate: '2026-03-10T15:00:00Z' }, { phone: '+5511900000002' });
		won({ estimatedValue: null }, { phone: '+5511900000003' });
		won();
		const { id } = won();
		const contact = { id: 'known', name: 'Contact', email: 'a@b.com', phone: '+5511900000004' };
		answerOnce({ id, ...SALE, contact }, `/leads/${id}`);
		const { json } = await run(google);
		expect(sent(CONTACT)).toBe(1);
		const hashes = [1, 1, 4].map((n) => hash(`+551190000000${n}`));
		expect(json.map((row) => row['Phone Number']).sort()).toEqual(hashes.sort());
	});

	test.each([
		['no contact', null, 'a@example.com'],
		['an empty email of the contact', { id: '7', email: '' }, 'a@example.com'],
		['another email', { id: '7', email: 'b@example.com' }, 'b@example.com'],
		['another contact', { id: 'd' }, null],
	])('a list with an email, and a lead with %s', async (_, contact, email) => {
		const { id } = won();
		listOnce({ id, status: 'won', contact: { id: 7, email: 'a@example.com' } });
		answerOnce({ id, ...SALE, contact }, `/leads/${id}`);
		expect((await run()).json).toMatchObject([{ email }]);
	});
});

test.each([
	['contacts:read', { format: 'googleAds', conversionName: 'Sale' }, ['leads:read']],
	['contacts:read', { format: 'googleDataManager' }, ['leads:read']],
	['interactions:read', { options: { readClickIds: true } }, ['leads:read', 'contacts:read']],
])('a message names the scope %s where %j needs it', async (scope, fields, scopes) => {
	won({}, { phone: '+5511900000001' });
	const { key } = lab.sandbox.controls.addKey({ scopes });
	const { error } = await lab.withKey(key).run({ ...thatDay, ...fields });
	expect(error?.description).toContain(`"${scope}"`);
});

test('a key that may not read contacts gets rows without phones, with one hint', async () => {
	for (let n = 0; n < 2; n += 1) won({}, { email: 'ana@example.com', phone: '+5511900000001' });
	const { key } = lab.sandbox.controls.addKey({ scopes: ['leads:read'] });
	const { items, error, hints } = await lab.withKey(key).run(thatDay);
	expect([error, items.length]).toEqual([undefined, 2]);
	expect(items[0].json).toMatchObject({
		email: 'ana@example.com',
		phone: null,
		estimatedValue: 100,
	});
	const unread = hints.filter(({ message }) => message.startsWith('Phones were not read'));
	expect(unread).toHaveLength(1);
});

test('clicks are found in interactions, which are read of exported leads only', async () => {
	const { id } = won();
	won({ estimatedValue: null });
	const { interactions, stamp } = lab.sandbox.store;
	const at = stamp.call(lab.sandbox.store, Date.parse('2026-03-08T12:00:00Z'));
	const fields = { leadId: id, type: 'CUSTOM', title: null, description: null };
	interactions.add({ ...at, ...fields, metadata: { gclid: 'click', campaign_name: 'Spring' } });
	const [plain] = (await run()).json;
	expect(plain).not.toHaveProperty('gclid');
	expect(plain).not.toHaveProperty('campaign');
	const { json } = await run({ options: { readClickIds: true } });
	expect(json).toMatchObject([{ leadId: id, gclid: 'click', campaign: 'Spring' }]);
	expect(sent(CLICKS)).toBe(1);
});

test.each<[IDataObject[], string | null]>([
	[[{ campaign_id: 777 }], '777'],
	[[{ utm_campaign: 'BF 26' }], 'BF 26'],
	[[{ campaign_id: 777, utm_campaign: 'BF 26', campaign_name: 'Spring' }], 'Spring'],
	[[{ campaign_name: 'Spring' }, { campaign_id: 777 }, { gclid: 'click' }], '777'],
	[[{ form_id: 9 }], null],
])('of the notes %j, rows have the campaign %s', async (notes, expected) => {
	const { id } = won();
	const { interactions, stamp } = lab.sandbox.store;
	for (const [n, metadata] of notes.entries()) {
		const at = stamp.call(lab.sandbox.store, Date.parse('2026-03-08T12:00:00Z') + n * 1000);
		const fields = { leadId: id, type: 'NOTE', title: null, description: null };
		interactions.add({ ...at, ...fields, metadata });
	}
	const { json } = await run({ options: { readClickIds: true } });
	expect(json[0].campaign).toBe(expected);
});

describe('leads that have a tag', () => {
	const options = { skipTag: 'sent' };

	test('are not read, and what is tagged between two runs is not exported again', async () => {
		won({ tags: ['sent'] });
		const { id } = won({ externalId: 'new' });
		const first = await run({ options });
		expect([first.json.map(({ leadId }) => leadId), sent(LEAD)]).toEqual([[id], 1]);
		expect(first.summaries).toEqual([
			expect.stringMatching(/^1 of 1 won lead was sold .*; skipped for their tag: 1\.$/),
		]);
		const tagging = { operation: 'addTags', leadId: by('id', id), tags: 'sent' };
		expect((await lab.engine.run(tagging)).error).toBeUndefined();
		const second = await run({ options });
		expect([second.json, sent(LEAD)]).toEqual([[], 0]);
	});

	test('are skipped as well if only the lead itself shows the tag', async () => {
		const { id } = won({ tags: ['sent'] });
		listOnce({ id, status: 'won', tags: [] });
		expect((await run({ options })).json).toEqual([]);
	});

	test('fail the export if the service shows no tags', async () => {
		const { id } = won();
		listOnce({ id });
		answerOnce({ id, ...SALE }, `/leads/${id}`);
		const { items, error } = await run({ options });
		expect(items).toEqual([]);
		expect(error?.message).toBe(
			`The service does not show the tags of ${id}, so "Skip Leads With Tag" cannot tell which leads were exported before`,
		);
	});

	test.each(['', ' , '])('%p is refused, since without it all would be exported', async (tag) => {
		won();
		const { error } = await run({ options: { skipTag: tag } });
		expect(error?.message).toMatch(/"Skip Leads With Tag" is empty/);
	});
});

describe('Get Conversion of Lead', () => {
	const stage = {
		operation: 'getConversion',
		leadId: '={{ $json.leadId ?? $json.id }}',
		format: 'meta',
		event: 'stage',
		eventName: 'QualifiedLead',
		actionSource: 'system_generated',
		eventTime: '={{ $json.detectedAt }}',
	};
	const detectedAt = new Date().toISOString();
	const createdAt = new Date(Date.now() - 1000).toISOString();

	test('reads the lead with its contact, as the trigger emits it or as a lead', async () => {
		const { id } = won({ status: 'open', createdAt }, { phone: '+5521900000001' });
		const input = [
			{ leadId: id, lead: { id }, detectedAt },
			{ id, detectedAt },
		];
		// An account needs the clicks, and implies that they are read.
		const options = { whatsappAccountId: '102290129340398' };
		const { json, error } = await run({ ...stage, options }, { input });
		const user_data = { ph: [hash('5521900000001')] };
		const event = { event_id: `${id}:QualifiedLead`, user_data };
		expect([error, json]).toMatchObject([undefined, [event, event]]);
		// Both items are of one person, whose contact is read once in a run.
		expect([sent('GET /leads'), sent(LEAD), sent(CONTACT), sent(CLICKS)]).toEqual([0, 2, 1, 2]);
	});

	test('is the sale that Get Conversions exports, whatever its status and date', async () => {
		const format = { format: 'googleAds', conversionName: 'Sale' };
		const { id } = won({}, { email: 'a@example.com' });
		const [sale] = (await run(format)).json;
		lab.sandbox.controls.changeLead({ id, status: 'open' });
		const { json } = await run({ ...stage, ...format, event: 'sale' }, { input: [{ id }] });
		expect(json).toEqual([sale]);
	});

	test('fails its item alone if no event can be made of it', async () => {
		const { id } = won({ status: 'open', createdAt }, { email: 'a@example.com' });
		const input = ['gone', id].map((leadId) => ({ leadId, detectedAt }));
		const { json } = await run(stage, { input, onError: 'continueRegularOutput' });
		expect(json).toMatchObject([
			{ error: expect.stringContaining('gone') as string },
			{ event_name: 'QualifiedLead' },
		]);
		const { error } = await run({ ...stage, event: 'sale' }, { input: [{ leadId: id }] });
		expect([error?.message, error?.description]).toEqual([
			'No event was made of a@example.com, because Sale Date is more than 7 days ago, which Meta does not take',
			expect.stringContaining('choose Physical Store'),
		]);
	});

	test('skips a lead with the tag, and says so', async () => {
		const { id } = won({ status: 'open', createdAt, tags: ['sent'] }, { email: 'a@example.com' });
		const options = { skipTag: 'sent' };
		const { json, notes } = await run({ ...stage, options }, { input: [{ id, detectedAt }] });
		const why = 'Skipped, because of a tag under "Skip Leads With Tag": a@example.com.';
		expect([json, notes]).toEqual([[], [why]]);
	});
});

test('every run says what it did, also one without a sale, to an AI agent in place of results', async () => {
	won({ saleDate: '2026-02-01T15:00:00Z' });
	won({ saleDate: null, externalId: 'undated' });
	const summary =
		'0 of 2 won leads were sold on 8 Mar 2026 (America/Sao_Paulo); without a sale date: 1.';
	const { json, summaries, notes } = await run();
	expect([json, summaries, notes.length]).toEqual([[], [summary], 1]);
	expect(notes[0]).toMatch(/^Not exported:\n- undated, .*: Sale Date is missing/);
	const { items } = await run({ options: { summaryItem: true } });
	const counts = { wonLeads: 2, inPeriod: 0, exported: 0, incomplete: [{ externalId: 'undated' }] };
	expect(items).toMatchObject([
		{ json: { summary: { text: summary, ...counts } }, pairedItem: { item: 0 } },
	]);
	const forAgent = await run({}, { asTool: true });
	expect(forAgent.items).toMatchObject([{ json: { summary: { text: summary } } }]);
	expect(forAgent.items[0].json.summary).not.toHaveProperty('lines');
});

test.each([
	['2062-03-08T12:00:00Z', 'Sale Date is in the future. Correct Sale Date, or wait until then.'],
	['1926-03-08T12:00:00Z', 'Sale Date is before 1990. Correct Sale Date in the lead.'],
])('a sale on %s, which no night would export, is named', async (saleDate, why) => {
	won({ saleDate }, { email: 'ana@example.com' });
	const { json, notes } = await run();
	expect(json).toEqual([]);
	expect(notes.at(-1)).toMatch(/^Not exported:\n- ana@example\.com, .*, sold on 8 Mar \d+: /);
	expect(notes.at(-1)?.endsWith(why)).toBe(true);
});
