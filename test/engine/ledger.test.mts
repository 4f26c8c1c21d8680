/** n8n repeats the node, or the whole execution from the node on: what was recorded is not recorded again. */
import type { IDataObject } from 'n8n-workflow';

import type { RunOptions } from '../helpers/engine.mts';
import { by, called, simulatedClock, startLab, useLab, writes, type Lab } from '../helpers/lab.mts';

const EIGHT = Array.from({ length: 8 }, (_, n) => ({ n }));

const lab = useLab({ seed: 5, rpm: 0 }, simulatedClock);
let leadId: string;

beforeEach(() => {
	const { controls, store } = lab.sandbox;
	leadId = controls.createLead({}).id;
	for (const { n } of EIGHT) store.tags.add({ ...store.stamp(), id: `t${n}`, name: `t${n}` });
});

/** Of the same value in each try, and of another. */
const text = 'Item {{ $json.n }} at {{ $now.toMillis() }}';
const note = (more: IDataObject = {}): IDataObject => ({
	resource: 'interaction',
	operation: 'create',
	leadId: by('id', leadId),
	type: 'NOTE',
	title: `=${text}`,
	...more,
});

/** Requests that create: one, a step after others, after a search, one that may be repeated or not. And their parameters. */
const creations: Record<string, [path: string, parameters: IDataObject]> = {
	'interaction.create': ['interactions$', { type: 'NOTE', title: `=${text}` }],
	'message.logForLead': ['messages$', { content: `=${text}` }],
	'contact.findOrCreate': ['contacts$', { email: '={{ $json.n }}@example.com' }],
	'tag.create': ['tags$', { name: `=${text}` }],
	'lead.upsert': ['leads$', { protocol: 'ML-AA11-BB22', externalId: '=e{{ $json.n }}' }],
	'apiRequest.request': [
		'contacts$',
		{ method: 'POST', path: '/contacts', body: '={{ { name: "A" + $json.n } }}' },
	],
	// What was deleted would be missing.
	'lead.removeTag': ['tags/[^/]+$', { tagId: '=t{{ $json.n }}' }],
};
const creation = (name: string) =>
	called(name, { leadId: by('id', leadId), ...creations[name][1] });

const sent = (path: string) => writes(lab.sandbox).filter((each) => RegExp(path).test(each.path));
const refuse = (path: string, nth = 1) => {
	for (const method of ['POST', 'DELETE']) {
		lab.sandbox.controls.fault({ kind: 'status', status: 422, match: { method, path, nth } });
	}
};
const kept = ({ stored }: Awaited<ReturnType<Lab['engine']['run']>>) =>
	stored.data.executionData!.contextData['node:Leads'];

const onError = 'continueRegularOutput';
test.each<[what: string, name: string, nth: number, more: RunOptions]>([
	...Object.keys(creations).map((name) => ['n8n repeats the node', name, 3, {}] as never),
	['the first is refused, and the node continues', 'interaction.create', 1, { onError }],
	['errors have an output', 'interaction.create', 1, { onError: 'continueErrorOutput' }],
])('one of eight items is refused, and %s: %s', async (_, name, nth, more) => {
	const [path] = creations[name];
	refuse(path, nth);
	const ran = await lab.engine.run(creation(name), { input: EIGHT, retry: true, ...more });
	expect(ran.error).toBeUndefined();
	expect(ran.items.filter(({ json }) => json.error)).toEqual([]);
	expect(ran.items.map(({ pairedItem }) => pairedItem)).toEqual(
		EIGHT.map(({ n }) => ({ item: n })),
	);
	expect(sent(path)).toHaveLength(9);
	expect(kept(ran)).toEqual({});
});

test('the execution is retried from the list of executions', async () => {
	refuse('interactions$', 3);
	const failed = await lab.engine.run(note(), { input: EIGHT });
	expect(failed.error).toBeDefined();
	const retried = await lab.engine.run(note(), { input: EIGHT, retryOf: failed.stored });
	expect([retried.items.length, sent('interactions$').length]).toEqual([8, 9]);
	expect(kept(retried)).toEqual({});
	expect(retried.hints.map(({ message }) => message)).toContain(
		'2 of 8 items were done by an earlier try of this execution, before it failed or was stopped. They were not sent again.',
	);
});

test('an item that was recorded before an earlier one of its lead is named', async () => {
	lab.sandbox.controls.createLead({ protocol: 'ML-AA11-BB22' });
	refuse('leads$');
	const options = { input: EIGHT.slice(0, 2), retry: true, onError } as const;
	const { items, hints } = await lab.engine.run(creation('lead.upsert'), options);
	expect(items.map(({ json }) => json.error)).toEqual([undefined, undefined]);
	expect(hints.map(({ message }) => message)).toContainEqual(
		expect.stringMatching(/^Item 2: Recorded before an earlier item .* check which it has\.$/),
	);
});

test('Push Leads with protocols: only the batch that was refused is sent again', async () => {
	const input = EIGHT.map(({ n }) => ({ externalId: `e${n}`, protocol: `ML-AA11-BB2${n}` }));
	const push = {
		resource: 'sync',
		operation: 'push',
		lead: { mappingMode: 'autoMapInputData', value: null },
		options: { batchSize: 2 },
	};
	refuse('sync$', 2);
	const { items, error } = await lab.engine.run(push, { input, retry: true });
	expect([items.length, error, sent('sync$').length]).toEqual([8, undefined, 5]);
	refuse('sync$');
	await lab.engine.run(push, { input, retry: true, onError });
	expect(sent('sync$')).toHaveLength(10);
});

const mapped = {
	lead: { mappingMode: 'autoMapInputData', value: null },
	options: { batchSize: 1 },
};
test.each<[string, string, IDataObject]>([
	['lead.upsert', 'leads$', { externalId: '={{ $json.externalId }}' }],
	['lead.upsert', 'leads$', { email: '={{ $json.externalId }}@example.com' }],
	['sync.push', 'sync$', mapped],
])(
	'%s: a lead that the first try created is sent again, and counts as new',
	async (name, path, given) => {
		const input = EIGHT.map(({ n }) => ({ externalId: `e${n}` }));
		for (const id of ['e1', 'e1@example.com']) lab.sandbox.controls.createLead({ externalId: id });
		lab.sandbox.controls.variant({ record: 'named-with-siblings' });
		refuse(path, 8);
		const ran = await lab.engine.run(called(name, given), { input, retry: true });
		const isNew = ran.items.map(({ json }) => json.created);
		expect(isNew).toEqual([true, false, true, true, true, true, true, true]);
		expect(kept(ran)).toEqual({});
	},
);

/** Whether all answers to a first try are lost: what it recorded is not said to have been there before. */
test.each<[string, IDataObject, IDataObject]>([
	['lead.upsert', { externalId: 'new' }, { created: true }],
	['lead.upsert', { externalId: 'known' }, { created: false }],
	['lead.upsert', { externalId: 'new', email: 'a@example.com' }, { created: true }],
	['lead.upsert', { externalId: 'known', email: 'a@example.com' }, { created: false }],
	['lead.upsert', { email: 'a@example.com' }, { created: true }],
	[
		'sync.push',
		{ ...mapped, lead: { mappingMode: 'defineBelow', value: { externalId: 'new' } } },
		{ created: true },
	],
	[
		'lead.recordSale',
		{ externalId: 'known', soldOn: '2026-01-31', saleValue: '10' },
		{ alreadyRecorded: undefined },
	],
])('%s %j after a try without an answer', async (name, parameters, expected) => {
	const { controls } = lab.sandbox;
	controls.createLead({ externalId: 'known', createdAt: '2026-01-01T00:00:00.000Z' });
	controls.variant({ record: 'named-with-siblings' });
	controls.fault({ kind: 'reset', when: 'after', times: 5, match: { method: 'POST' } });
	const { items, error } = await lab.engine.run(called(name, parameters), { retry: true });
	expect(error).toBeUndefined();
	const [{ json }] = items;
	expect({ ...expected, ...json }).toEqual({ ...json, ...expected });
});

/** Recorded, with the answer lost, in a list that cannot be read. */
const loseNote = () => {
	const match = { path: 'interactions$' };
	lab.sandbox.controls.fault({ kind: 'reset', when: 'after', match: { ...match, method: 'POST' } });
	const unread = { ...match, method: 'GET' };
	lab.sandbox.controls.fault({ kind: 'status', status: 403, match: unread, times: 5 });
};

test('an item that may have been recorded is not sent again', async () => {
	loseNote();
	const { error } = await lab.engine.run(note(), { retry: true });
	expect(error).toMatchObject({
		message: expect.stringMatching(
			/^Item 1 \(\S+\): This item was sent earlier in this execution and may have been recorded$/,
		),
		description: expect.stringContaining('It was not sent again.'),
	});
	expect(sent('interactions$')).toHaveLength(1);
});

test.each(['request', 'invoke'] as const)(
	'n8n repeats a tool that an agent calls by %s: the same',
	async (way) => {
		loseNote();
		const { answer } = await lab.engine.askTool(note({ title: 'A' }), {}, { way, retry: true });
		expect(answer).toMatch(/may (?:still )?have (?:been )?recorded/);
		expect(sent('interactions$')).toHaveLength(1);
	},
);

test.each(['request', 'invoke'] as const)(
	'n8n repeats a tool, called by %s, whose answer left open what became of the lead: it is not sent again',
	async (way) => {
		const body = { success: true, data: { jobs: 1 } };
		const match = { method: 'POST', path: '/sync' };
		lab.sandbox.controls.fault({ kind: 'status', status: 200, body, match, times: 2 });
		const json = { specifyLeads: 'json', leadJson: '{"protocol": "ML-AA11-BB22", "notes": "n"}' };
		await lab.engine.askTool(called('sync.push', json), {}, { way, retry: true });
		expect(sent('/sync')).toHaveLength(1);
	},
);

/** The first attempt is carried out, and none of the five is answered. */
const loseAnswers = (method: string, path: string) => {
	const match = { method, path };
	lab.sandbox.controls.fault({ kind: 'reset', when: 'after', match });
	lab.sandbox.controls.fault({ kind: 'status', status: 503, match, times: 4 });
};

test('what an earlier try deleted is deleted', async () => {
	lab.sandbox.controls.createLead({ externalId: 'gone' });
	loseAnswers('DELETE', '/sync');
	const gone = called('sync.delete', { externalId: 'gone' });
	const { items } = await lab.engine.run(gone, { retry: true });
	expect(items).toMatchObject([{ json: { deleted: true } }]);
});

test('what an earlier try of a batch created was created', async () => {
	loseAnswers('POST', '/sync');
	const body = { success: true, data: { jobs: 1 } };
	lab.sandbox.controls.fault({ kind: 'status', status: 200, body, match: { path: '/sync' } });
	const lead = { mappingMode: 'autoMapInputData', value: null };
	const input = [{ externalId: 'new' }];
	const { items } = await lab.engine.run(called('sync.push', { lead }), { input, retry: true });
	expect(items).toMatchObject([{ json: { created: true, confirmedBy: 'reading' } }]);
});

test.each(['lead.upsert', 'sync.push'])(
	'%s: a row is not overwritten by an earlier one of its lead, which only the repetition records',
	async (name) => {
		const lead = { mappingMode: 'autoMapInputData', value: null };
		const push = called(name, { specifyLead: 'columns', lead, options: { batchSize: 1 } });
		refuse('(leads|sync)$');
		const notes = ['first', 'second', 'third'];
		const input = notes.map((each) => ({ 'External ID': 'crm-1', Notas: each }));
		const { items } = await lab.engine.run(push, { input, retry: true, onError });
		expect(lab.sandbox.store.leadByExternalId('crm-1')).toMatchObject({ notes: 'third' });
		expect(items.map(({ json }) => json.created === true)).toEqual([false, true, false]);
	},
);

test('what the rate limit refused was not recorded, and is sent again', async () => {
	const match = { method: 'POST', path: 'interactions$' };
	lab.sandbox.controls.fault({ kind: 'status', status: 429, match, times: 1000 });
	const { error } = await lab.engine.run(note(), { retry: true });
	expect(error?.message).toContain('rate limit');
});

test('a turn of a loop is a run of its own', async () => {
	const turns = await lab.engine.run(note(), { input: EIGHT, turns: 2 });
	expect([turns.error, sent('interactions$').length]).toEqual([undefined, 16]);
	expect(kept(turns)).toEqual({});
	// A run whose first item failed is kept, in case that n8n repeats it.
	lab.sandbox.controls.clearRequests();
	refuse('interactions$');
	const { error } = await lab.engine.run(note(), { input: EIGHT, turns: 2, onError });
	expect([error, sent('interactions$').length]).toEqual([undefined, 16]);
});

test('a second turn fails and is repeated: the first is not', async () => {
	refuse('interactions$', 12);
	const ran = await lab.engine.run(note(), { input: EIGHT, turns: 2, retry: true });
	expect([ran.error, sent('interactions$').length]).toEqual([undefined, 17]);
	expect(kept(ran)).toEqual({});
});

test('a record whose first field is an error does not make n8n create it again', async () => {
	const body = { success: true, data: { id: 'i', error: '' } };
	lab.sandbox.controls.fault({ kind: 'status', status: 201, body });
	const { items } = await lab.engine.run(creation('apiRequest.request'), { retry: true });
	expect(items).toMatchObject([{ json: { id: 'i', error: '' } }]);
	expect(sent('contacts$')).toHaveLength(1);
});

test('a key that was revoked is replaced before the execution is retried', async () => {
	const { key } = lab.sandbox.controls.addKey({ scopes: ['interactions:write'] });
	lab.sandbox.controls.fault({
		kind: 'status',
		status: 403,
		body: { success: false, error: { code: 'API_KEY_REVOKED', message: 'revoked' } },
		match: { method: 'POST', nth: 4 },
	});
	const { stored } = await lab.withKey(key).run(note(), { input: EIGHT });
	const { items } = await lab.engine.run(note(), { input: EIGHT, retryOf: stored });
	expect([items.length, sent('interactions$').length]).toEqual([8, 9]);
	expect(JSON.stringify(stored)).not.toContain(key);
});

test('another service is another account', async () => {
	const other = await startLab({ seed: 5, rpm: 0 });
	other.sandbox.controls.fault({ kind: 'status', status: 422, match: { nth: 4 } });
	const { stored } = await other.engine.run(creation('tag.create'), { input: EIGHT });
	await other.sandbox.close();
	await lab.engine.run(creation('tag.create'), { input: EIGHT, retryOf: stored });
	expect(sent('tags$')).toHaveLength(8);
});

test('what an item only reads is not kept, since it may change until n8n repeats the node', async () => {
	const read = called('apiRequest.request', { method: 'GET', path: '={{ $json.path }}' });
	const input = ['/leads', '/nowhere'].map((path) => ({ path }));
	const failed = await lab.engine.run(read, { input });
	expect(failed.error).toBeDefined();
	expect(JSON.stringify(kept(failed) ?? {})).not.toContain('leads');
});

test('a try that ends before its first request does not deny what an earlier one may have sent', async () => {
	const { controls, store } = lab.sandbox;
	controls.fault({ kind: 'reset', when: 'after', times: 5, match: { method: 'POST' } });
	const upsert = called('lead.upsert', { email: 'a@example.com' });
	const failed = await lab.engine.run(upsert);
	const lead = [...store.leads.values()].find(({ externalId }) => externalId === 'a@example.com')!;
	store.changeLead(lead, { externalId: 'changed' });
	controls.createLead({ contactId: lead.contactId, externalId: 'other' });
	const { error } = await lab.engine.run(upsert, { retryOf: failed.stored });
	expect(error?.message).toMatch(/a@example\.com/);
	expect(error?.description).not.toContain('Nothing was sent');
});
