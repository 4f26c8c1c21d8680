/** What a lead was before it was changed, so that a mistake can be undone. */
import type { IDataObject } from 'n8n-workflow';

import { by, called, simulatedClock, useLab, writes } from '../helpers/lab.mts';

const lab = useLab({ seed: 5, rpm: 0 }, simulatedClock);
let id: string;

beforeEach(() => {
	id = lab.sandbox.controls.createLead({ externalId: 'crm-1', status: 'open', tags: ['vip'] }).id;
	lab.sandbox.controls.clearRequests();
});

const move = (leadId: unknown, status = 'in_progress') =>
	called('lead.updateStatus', { leadId, status } as IDataObject);
const tag = (leadId: unknown) =>
	called('lead.addTags', { leadId, tags: 'VIP, new' } as IDataObject);
const update = (leadId: unknown, updateFields: IDataObject) =>
	called('lead.update', { leadId, updateFields } as IDataObject);

const KEY = by('externalId', 'crm-1');
const ID = () => by('id', id);

test.each<[what: string, call: () => IDataObject, before: IDataObject]>([
	['a status', () => move(KEY), { previousStatus: 'open' }],
	['tags: those it had are not named', () => tag(KEY), { addedTags: ['new'] }],
	['a status among other fields', () => update(KEY, { status: 'won' }), { previousStatus: 'open' }],
	['other fields', () => update(KEY, { priority: 'high' }), {}],
	// The service answers with the lead as it is then, and nothing else was read.
	['the status of a lead that is given by its ID', () => move(ID()), {}],
	['the tags of a lead that is given by its ID', () => tag(ID()), {}],
])('%s', async (_, call, before) => {
	const { items, error } = await lab.engine.run(call());
	expect(error).toBeUndefined();
	const { previousStatus, addedTags } = items[0].json;
	expect({ previousStatus, addedTags }).toEqual(before);
});

test('what the lead was takes no request more', async () => {
	await lab.engine.run(move(KEY));
	const requests = lab.sandbox.controls.requests().map(({ method, path }) => [method, path]);
	expect(requests).toEqual([
		['GET', '/leads/crm-1'],
		['PATCH', `/leads/${id}/status`],
	]);
});

test('of two items about one lead, the second has what the first has written', async () => {
	const input = [{ to: 'in_progress' }, { to: 'won' }];
	const { items } = await lab.engine.run(move(KEY, '={{ $json.to }}'), { input });
	expect(items.map(({ json }) => [json.status, json.previousStatus])).toEqual([
		['in_progress', 'open'],
		['won', 'in_progress'],
	]);
});

test('of two items that tag one lead, each names what it added', async () => {
	const tagging = called('lead.addTags', { leadId: KEY, tags: '={{ $json.tags }}' });
	const input = [{ tags: 'new' }, { tags: 'new, late' }];
	const { items } = await lab.engine.run(tagging, { input });
	expect(items.map(({ json }) => json.addedTags)).toEqual([['new'], ['late']]);
});

test('after an item that failed, it is not known what the lead was', async () => {
	const match = { method: 'PATCH' };
	lab.sandbox.controls.fault({ kind: 'status', status: 422, match, times: 1 });
	const input = [{ to: 'in_progress' }, { to: 'won' }];
	const onError = 'continueRegularOutput';
	const { items } = await lab.engine.run(move(KEY, '={{ $json.to }}'), { input, onError });
	expect(items[1].json).toMatchObject({ status: 'won' });
	expect(items[1].json).not.toHaveProperty('previousStatus');
});

describe('a tag in another spelling', () => {
	const spell = async (leadId: unknown, tags: string) => {
		const { items, hints } = await lab.engine.run(
			called('lead.addTags', { leadId, tags } as IDataObject),
		);
		const { addedTags } = items[0].json;
		return {
			addedTags,
			tags: lab.sandbox.store.leads.get(id)?.tags,
			hints: hints.map(({ message }) => message),
		};
	};

	test.each(['VIP', 'V-I P'])('that the lead has is not added: %s', async (tag) => {
		expect(await spell(KEY, `${tag}, new`)).toEqual({
			addedTags: ['new'],
			tags: ['vip', 'new'],
			hints: [`The lead has the tag "vip", so "${tag}" was not added.`],
		});
	});

	test('is named where the lead was given by its ID, and so not read first', async () => {
		const { tags, hints } = await spell(ID(), 'VIP');
		expect(tags).toEqual(['vip', 'VIP']);
		expect(hints).toEqual([
			expect.stringMatching(/^The lead has the tags "VIP" and "vip", which differ only in/),
		]);
	});

	test.each<[string, IDataObject]>([
		['crm-1', { externalId: 'crm-1' }],
		['no external ID', {}],
	])('is not added by Create or Update: %s', async (_, fields) => {
		const { store, controls } = lab.sandbox;
		const { id: contactId } = store.createContact({ email: 'ana@example.com' });
		const lead = controls.createLead({ contactId, tags: ['vip'], ...fields });
		const upsert = { email: 'ana@example.com', additionalFields: { tags: 'VIP, new' } };
		await lab.engine.run(called('lead.upsert', upsert));
		expect(store.leads.get(lead.id)?.tags).toEqual(['vip', 'new']);
	});
});

test('an item that may have been carried out by an earlier try does not guess', async () => {
	const match = { method: 'PATCH' };
	lab.sandbox.controls.fault({ kind: 'reset-after-headers', when: 'after', match, times: 9 });
	const failed = await lab.engine.run(move(KEY));
	expect(failed.error).toBeDefined();
	lab.sandbox.controls.clearFaults();
	expect(lab.sandbox.store.leads.get(id)).toMatchObject({ status: 'in_progress' });
	const { items, error } = await lab.engine.run(move(KEY), { retryOf: failed.stored });
	expect(error).toBeUndefined();
	expect(items[0].json).not.toHaveProperty('previousStatus');
});

test('a lead that shows no tags', async () => {
	const body = { success: true, data: { id, externalId: 'crm-1' } };
	lab.sandbox.controls.fault({ kind: 'status', status: 200, body, match: { method: 'GET' } });
	const { items } = await lab.engine.run(tag(KEY));
	expect(items[0].json).not.toHaveProperty('addedTags');
	expect(writes(lab.sandbox)).toHaveLength(1);
});
