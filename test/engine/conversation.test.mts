/** Conversation > Find or Create for Lead and Message > Log for Lead: one open conversation, and each message once. */
import type { IDataObject } from 'n8n-workflow';

import { by, called, fastClock, useLab, writes } from '../helpers/lab.mts';

const lab = useLab({ seed: 5, rpm: 0 }, () => fastClock(500));
let leadId: string;

beforeEach(() => {
	leadId = lab.sandbox.controls.createLead({}).id;
});

const findOrCreate = (parameters: IDataObject = {}) =>
	called('conversation.findOrCreateForLead', { leadId: by('id', leadId), ...parameters });
const log = (parameters: IDataObject = {}) =>
	called('message.logForLead', { leadId: by('id', leadId), content: 'Hello', ...parameters });
const conversations = () =>
	[...lab.sandbox.store.conversations.values()].filter((each) => each.leadId === leadId);
const messages = () => {
	const ids = conversations().map(({ id }) => id);
	return [...lab.sandbox.store.messages.values()].filter((each) =>
		ids.includes(each.conversationId),
	);
};
/** A conversation of the lead. */
function addConversation(ageMs: number, extra: Record<string, unknown> = {}): string {
	const { store } = lab.sandbox;
	const stamp = store.stamp(1_770_000_000_000 - ageMs);
	return store.conversations.add({ ...stamp, leadId, contactId: null, extra }).id;
}
const answerList = (total: number, conversations: IDataObject[], times = 1) => {
	const body = { success: true, data: { conversations, pagination: { total } } };
	lab.sandbox.controls.fault({
		kind: 'status',
		status: 200,
		body,
		match: { method: 'GET' },
		times,
	});
};
const createdOf = ({ items }: { items: Array<{ json: IDataObject }> }) =>
	items.map(({ json }) => json.created);
/** Refuses a request about messages. */
const refuse = (status: number, more: object = {}) =>
	lab.sandbox.controls.fault({ kind: 'status', status, match: { path: 'messages$', ...more } });

describe('Find or Create for Lead', () => {
	test('creates a conversation, and finds it the next time', async () => {
		const body = { options: { additionalBody: '{"channel": "whatsapp"}' } };
		const first = await lab.engine.run(findOrCreate(body));
		const second = await lab.engine.run(findOrCreate(body));
		expect(first.items[0].json).toMatchObject({ leadId, channel: 'whatsapp', created: true });
		const { id } = first.items[0].json;
		expect(second.items[0].json).toMatchObject({ id, created: false, openConversations: 1 });
		expect(conversations()).toHaveLength(1);
	});

	test('creates one for several items of one run', async () => {
		lab.sandbox.controls.latency({ ms: 5 });
		const { items } = await lab.engine.run(findOrCreate(), { input: [{}, {}, {}] });
		expect(createdOf({ items })).toEqual([true, false, false]);
		expect(conversations()).toHaveLength(1);
	});

	test('creates a new one when the others are closed', async () => {
		addConversation(0, { status: 'closed' });
		const { items } = await lab.engine.run(findOrCreate());
		expect(items[0].json.created).toBe(true);
		expect(conversations()).toHaveLength(2);
	});

	test('takes the newest that is open, and says how many are', async () => {
		addConversation(2);
		const id = addConversation(1);
		addConversation(3);
		addConversation(0, { closedAt: '2026-03-01T10:00:00Z' });
		const { items } = await lab.engine.run(findOrCreate());
		expect(items[0].json).toMatchObject({ id, created: false, openConversations: 3 });
	});

	test('takes the newest on any page', async () => {
		const id = addConversation(0);
		for (let n = 1; n <= 250; n += 1) addConversation(n, { status: n > 5 ? 'closed' : 'open' });
		for (const order of ['asc', 'desc'] as const) {
			lab.sandbox.controls.variant({ order });
			const { items } = await lab.engine.run(findOrCreate());
			expect(items[0].json).toMatchObject({ id, openConversations: 6 });
		}
	});

	test('fails when nothing shows which one is the newest', async () => {
		answerList(2, [{ id: 'a' }, { id: 'b' }]);
		const { error } = await lab.engine.run(findOrCreate());
		expect(error?.message).toBe(
			'The lead has 2 open conversations, and their creation times do not show which is the newest',
		);
		expect(error?.description).toMatch(/^Close all but one .* Nothing was sent for this item\.$/);
		expect(writes(lab.sandbox)).toEqual([]);
	});
});

describe('Log for Lead', () => {
	test('adds a second message to the conversation of the first', async () => {
		const first = (await lab.engine.run(log())).items[0].json;
		const second = (await lab.engine.run(log({ content: 'Is anybody there?' }))).items[0].json;
		const conversationId = conversations()[0].id;
		const logged = { created: true, conversationId };
		expect(first).toMatchObject({ ...logged, content: 'Hello', conversationCreated: true });
		expect(second).toMatchObject({ ...logged, content: 'Is anybody there?' });
		expect(second.conversationCreated).toBe(false);
		// n8n's table begins with what people read.
		const names = Object.keys(first);
		expect([names[0], ...names.slice(-2)]).toEqual(['content', 'id', 'conversationId']);
		expect([conversations().length, messages().length]).toEqual([1, 2]);
	});

	test('sends each body where it belongs, and the message ID nowhere', async () => {
		// A field of a body with the name of an option is none.
		const conversation = { channel: 'web', skipIfRecorded: true };
		const options = {
			additionalBody: '{"from": "lead"}',
			conversationBody: JSON.stringify(conversation),
		};
		await lab.engine.run(log({ messageId: 'm1', options }));
		const reads = lab.sandbox.controls.requests().filter(({ method }) => method === 'GET');
		expect(reads.filter(({ path }) => path.endsWith('/messages'))).toEqual([]);
		expect(writes(lab.sandbox).map(({ body }) => body)).toEqual([
			conversation,
			{ content: 'Hello', from: 'lead' },
		]);
	});

	test('adds the messages of one run to one conversation, in their order', async () => {
		lab.sandbox.controls.latency({ ms: 5 });
		const input = ['1', '2', '3'].map((content) => ({ content }));
		const content = '={{ $json.content }}';
		const options = { conversationBody: '={ "topic": "{{ $json.content }}" }' };
		const { items } = await lab.engine.run(log({ content, options }), { input });
		expect(items.map(({ json }) => json.conversationCreated)).toEqual([true, false, false]);
		expect(messages().map(({ content }) => content)).toEqual(['1', '2', '3']);
		expect(conversations()).toHaveLength(1);
	});

	test('checks the message before it creates a conversation', async () => {
		const { error } = await lab.engine.run(log({ content: '={{ "" }}' }));
		expect(error?.message).toBe('"Content" is empty');
		expect(lab.sandbox.controls.requests()).toEqual([]);
	});

	test('says that the conversation exists when the message was refused', async () => {
		refuse(422);
		const { error } = await lab.engine.run(log());
		const [{ id }] = conversations();
		expect(error?.description).toContain(
			`The conversation "${id}" was created for this item; running it again finds it.`,
		);
		refuse(422);
		const again = await lab.engine.run(log());
		expect(again.error?.description).not.toContain('was created');
		expect(conversations()).toHaveLength(1);
	});

	test('finds the conversation that was created with an answer without a body', async () => {
		lab.sandbox.controls.variant({ status: 204 });
		const { items } = await lab.engine.run(log());
		const [{ id }] = conversations();
		expect(items[0].json).toMatchObject({ conversationId: id, conversationCreated: true });
		expect(messages()).toMatchObject([{ conversationId: id }]);
	});

	test('fails when the conversation has no ID', async () => {
		answerList(1, [{ status: 'open' }], 2);
		const { error } = await lab.engine.run(log());
		expect(error?.message).toBe('The conversation has no "id", so nothing was added to it');
		expect(writes(lab.sandbox)).toEqual([]);
	});

	test('looks for the messages of each lead in its own conversation', async () => {
		const other = lab.sandbox.controls.createLead({}).id;
		const options = { skipIfRecorded: true };
		const parameters = log({ leadId: by('id', '={{ $json.lead }}'), options });
		const input = [{ lead: leadId }, { lead: other }];
		await lab.engine.run(parameters, { input });
		expect(createdOf(await lab.engine.run(parameters, { input }))).toEqual([false, false]);
	});

	test('names the conversation when it is gone, and what the key may not do', async () => {
		refuse(404);
		const { error } = await lab.engine.run(log());
		const [{ id }] = conversations();
		expect(error?.message).toBe(`ID of the conversation "${id}" was not found`);
		refuse(403);
		const again = await lab.engine.run(log());
		expect(again.error?.message).toBe('The API key does not permit: Log message for lead');
	});
});

describe('a message ID', () => {
	const withId = () => log({ messageId: '={{ $json.id }}', content: '={{ $json.content }}' });
	const input = ['m1', 'm1', 'm2', '', ' ', ' '].map((id) => ({ id, content: 'Hello' }));

	test('is logged once in a run', async () => {
		lab.sandbox.controls.latency({ ms: 5 });
		const { items, hints } = await lab.engine.run(withId(), { input });
		expect(createdOf({ items })).toEqual([true, false, true, true, true, true]);
		expect(items[1].json).toEqual({ ...items[0].json, created: false });
		expect(messages()).toHaveLength(5);
		expect(hints.map(({ message }) => message)).toEqual([
			'Items whose "Message ID" was recorded earlier in this execution were not sent again. They have "created": false in the output.',
		]);
	});

	test('is logged for each lead', async () => {
		const other = lab.sandbox.controls.createLead({}).id;
		const parameters = { ...withId(), leadId: by('id', '={{ $json.lead }}') };
		const both = [leadId, other].map((lead) => ({ lead, id: '1', content: 'Hello' }));
		expect(createdOf(await lab.engine.run(parameters, { input: both }))).toEqual([true, true]);
	});

	test('is logged in each run: the service is not asked for it', async () => {
		await lab.engine.run(withId(), { input: [input[0]] });
		await lab.engine.run(withId(), { input: [input[0]] });
		expect(messages()).toHaveLength(2);
	});

	test('is not logged again when n8n retries the node', async () => {
		refuse(422, { nth: 2 });
		const retried = [input[0], input[2]];
		const { items, error } = await lab.engine.run(withId(), { input: retried, retry: true });
		expect(error).toBeUndefined();
		expect(createdOf({ items })).toEqual([true, true]);
		expect(messages()).toHaveLength(2);
	});

	/** Recorded, with the answer lost, in a list that cannot be read. */
	const lose = (path: string, unread = 1) => {
		const { controls } = lab.sandbox;
		controls.fault({ kind: 'reset', when: 'after', match: { path, method: 'POST' } });
		controls.fault({ kind: 'status', status: 403, match: { path, method: 'GET', nth: unread } });
	};

	test('is not logged again when it may have been recorded', async () => {
		lose('messages$');
		const { error } = await lab.engine.run(withId(), { input: [input[0]], retry: true });
		expect(error?.message).toBe(
			'"Message ID" "m1" was sent earlier in this execution and may have been recorded',
		);
		expect(messages()).toHaveLength(1);
	});

	test('is looked for with Skip If Recorded, among messages that are not those of other IDs', async () => {
		const match = { path: 'messages$', method: 'POST', nth: 2 };
		lab.sandbox.controls.fault({ kind: 'reset', match });
		refuse(403, { method: 'GET', nth: 2 });
		const parameters = { ...withId(), options: { skipIfRecorded: true } };
		const equal = [input[0], input[2]];
		const { items, error } = await lab.engine.run(parameters, { input: equal, retry: true });
		expect(error).toBeUndefined();
		expect(createdOf({ items })).toEqual([true, true]);
		expect(messages()).toHaveLength(2);
	});

	test('is sent again when the conversation may have been created', async () => {
		lose('conversations$', 2);
		const { items } = await lab.engine.run(withId(), { input: [input[0]], retry: true });
		expect(items[0].json).toMatchObject({ created: true, conversationCreated: true });
		expect([conversations().length, messages().length]).toEqual([1, 1]);
	});
});

test('a lead may be named by its external ID or an email: all messages are in one conversation', async () => {
	const email = 'log@example.com';
	const { items } = await lab.engine.run(called('contact.create', { email }));
	const contactId = String(items[0].json.id);
	leadId = lab.sandbox.controls.createLead({ externalId: 'crm-9', contactId }).id;
	const ways = [by('externalId', 'crm-9'), by('emailOrPhone', email), by('id', leadId)];
	const input = ways.map(({ mode, value }, n) => ({ mode, value, content: `message ${n}` }));
	const lead = { __rl: true, mode: '={{ $json.mode }}', value: '={{ $json.value }}' };
	const parameters = log({ leadId: lead, content: '={{ $json.content }}' });
	const { error } = await lab.engine.run(parameters, { input: input as never });
	expect(error).toBeUndefined();
	expect(conversations()).toHaveLength(1);
	expect(messages().map(({ content }) => content)).toEqual(input.map(({ content }) => content));
});
