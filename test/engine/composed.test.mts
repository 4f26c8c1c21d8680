/** What a rewrite of the core got wrong once: repeated tries, times of records, fields without a value. */
import { ExecuteContext } from 'n8n-core';

import { by, called, simulatedClock, useLab, writes } from '../helpers/lab.mts';

const lab = useLab({ seed: 5, rpm: 0 }, () => simulatedClock());
let leadId: string;
beforeEach(() => {
	leadId = lab.sandbox.controls.createLead({}).id;
});

test('a later turn of a loop finds what an earlier one created, also where that one is kept', async () => {
	lab.sandbox.controls.fault({ kind: 'status', status: 422, match: { method: 'POST', nth: 1 } });
	const parameters = called('interaction.create', {
		leadId: by('id', leadId),
		type: 'NOTE',
		title: '={{ $json.t }}',
		options: { skipIfRecorded: true, concurrency: 1 },
	});
	const onError = 'continueRegularOutput' as const;
	await lab.engine.run(parameters, { input: [{ t: 'a' }, { t: 'b' }], turns: 2, onError });
	const titles = [...lab.sandbox.store.interactions.values()]
		.filter((each) => each.leadId === leadId)
		.map(({ title }) => title);
	expect(titles).toEqual(['b', 'a']);
});

test('n8n does not repeat a tool whose contact may still be created', async () => {
	lab.sandbox.controls.fault({
		kind: 'status',
		status: 504,
		when: 'later',
		ms: 3000,
		match: { method: 'POST' },
	});
	const contact = called('contact.findOrCreate', { email: 'r@example.com' });
	const { answer } = await lab.engine.askTool(contact, {}, { way: 'invoke', retry: true });
	expect(answer).toContain('may have been recorded');
	expect(writes(lab.sandbox)).toHaveLength(1);
});

test.each([
	['message.logForLead', {}],
	['message.create', { skipIfRecorded: true }],
])('%s: a message that is logged with its own time was created', async (name, options) => {
	const createdAt = '2024-01-01T10:00:00Z';
	const stamp = lab.sandbox.store.stamp();
	lab.sandbox.store.conversations.add({ ...stamp, leadId: null, contactId: null, extra: {} });
	const body = { success: true, data: { id: 'm', content: 'Hi', createdAt } };
	const match = { method: 'POST', path: 'messages$' };
	lab.sandbox.controls.fault({ kind: 'status', status: 201, body, match });
	const { items } = await lab.engine.run(
		called(name, {
			leadId: by('id', leadId),
			conversationId: by('id', stamp.id),
			content: 'Hi',
			options: { ...options, additionalBody: JSON.stringify({ createdAt }) },
		}),
	);
	expect(items[0].json).toMatchObject({ id: 'm', created: true });
});

test.each([
	['lead.upsert', { externalId: 'n1' }],
	['lead.upsert', { externalId: 'n1', options: { simplify: false } }],
	['sync.push', { lead: { mappingMode: 'autoMapInputData', value: null } }],
])('%s has no field without a value', async (name, parameters) => {
	const { items } = await lab.engine.run(called(name, parameters), {
		input: [{ externalId: 'n1' }],
	});
	expect(Object.values(items[0].json)).not.toContain(undefined);
});

test('API Request: output beyond what is kept has its ID when n8n repeats the node', async () => {
	lab.sandbox.controls.fault({ kind: 'status', status: 422, match: { method: 'POST', nth: 4 } });
	const parameters = called('apiRequest.request', {
		method: 'POST',
		path: '/contacts',
		body: '={{ { name: "y".repeat(400000) + $json.n } }}',
		options: { concurrency: 1 },
	});
	const input = [0, 1, 2, 3].map((n) => ({ n }));
	const { items } = await lab.engine.run(parameters, { input, retry: true });
	expect(items.map(({ json }) => json.id)).toEqual(Array(4).fill(expect.any(String)));
});

test('each expression is evaluated once for an item', async () => {
	const base = Object.getPrototypeOf(Object.getPrototypeOf(ExecuteContext.prototype)) as object;
	const spy = jest.spyOn(base as never, '_getNodeParameter');
	const input = [0, 1, 2, 3, 4].map((n) => ({ externalId: `e${n}`, n }));
	await lab.engine.run(
		called('lead.upsert', {
			externalId: '={{ $json.externalId }}',
			options: { additionalBody: '={{ { n: $json.n + 1 } }}' },
		}),
		{ input },
	);
	const calls = (spy.mock.calls as unknown[][]).filter(([name]) => name === 'options');
	spy.mockRestore();
	expect(calls.map(([, index]) => index)).toEqual([0, 1, 2, 3, 4]);
});

test('a search that was answered with another contact is mentioned although the create is refused', async () => {
	const body = { success: true, data: { id: '1', email: 'z@example.com' } };
	lab.sandbox.controls.fault({ kind: 'status', status: 200, match: { method: 'GET' }, body });
	lab.sandbox.controls.fault({ kind: 'status', status: 422, match: { method: 'POST' } });
	const { hints } = await lab.engine.run(
		called('contact.findOrCreate', { email: 'q@example.com' }),
		{
			onError: 'continueRegularOutput',
		},
	);
	const said = hints.map(({ message }) => message);
	expect(said).toContainEqual(expect.stringContaining('It may ignore the email'));
});

test('a column named Status counts if every value of the run is one of leads', async () => {
	const byColumns = { lead: { mappingMode: 'autoMapInputData', value: null } };
	const push = async (...statuses: string[]) => {
		const input = statuses.map((Status, n) => ({
			'External ID': `s-${n}-${statuses.join()}`,
			Status,
		}));
		const { items } = await lab.engine.run(called('sync.push', byColumns), { input });
		const { store } = lab.sandbox;
		const sent = input.map((row) =>
			[...store.leads.values()].find(({ externalId }) => externalId === row['External ID']),
		);
		return [sent.map((lead) => lead?.status), items.map(({ json }) => 'leftOut' in json)];
	};
	expect(await push('in_progress', 'Closed Won')).toEqual([
		['in_progress', 'closed_won'],
		[false, false],
	]);
	expect(await push('in_progress', 'paid')).toEqual([
		['open', 'open'],
		[true, true],
	]);
	expect(await push('in_progress')).toEqual([['open'], [true]]);
});
