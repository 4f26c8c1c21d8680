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

	test('takes the newest that is open on any page, and says how many are', async () => {
		for (const name of ['closedAt', 'endedAt', 'finishedAt', 'archivedAt', 'resolvedAt']) {
			addConversation(-1, { [name]: '2026-03-01T10:00:00Z' });
		}
		const flags = [{ isClosed: true }, { closed: true }, { isOpen: false }, { open: false }];
		const others = [{ is_closed: true }, { archived: 'true' }, { state: 'Archived' }];
		for (const closed of [...flags, ...others]) addConversation(-1, closed);
		const id = addConversation(0, { isClosed: false, isOpen: true, closedAt: null });
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
		expect(error?.message).toMatch(/^Item 1 \(\S+\): The lead has 2 open conversations/);
		expect(error?.description).toMatch(/^Close all but one .* Nothing was sent for this item\.$/);
		expect(writes(lab.sandbox)).toEqual([]);
	});
});

describe('Log for Lead', () => {
	test('adds the messages of one run to one conversation, in their order', async () => {
		lab.sandbox.controls.latency({ ms: 5 });
		const input = ['1', '2', '3'].map((content) => ({ content }));
		const content = '={{ $json.content }}';
		const { items } = await lab.engine.run(log({ content }), { input });
		expect(items.map(({ json }) => json.conversationCreated)).toEqual([true, false, false]);
		const conversationId = conversations()[0].id;
		expect(items[1].json).toMatchObject({ created: true, conversationId, content: '2' });
		expect(messages().map(({ content }) => content)).toEqual(['1', '2', '3']);
		expect(conversations()).toHaveLength(1);
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

	test('creates once more what an earlier try created and is gone', async () => {
		refuse(422);
		const { stored } = await lab.engine.run(log());
		lab.sandbox.store.conversations.remove(conversations()[0]);
		const { items } = await lab.engine.run(log(), { retryOf: stored });
		expect(items).toMatchObject([{ json: { conversationId: conversations()[0].id } }]);
	});

	test('sends nothing if the conversations cannot be read to their end', async () => {
		lab.sandbox.controls.variant({ ignorePage: true, maxPage: 1 });
		for (const n of [0, 1]) addConversation(n);
		const { error } = await lab.engine.run(log());
		expect(error?.message).toMatch(
			/^Item 1 \(\S+\): The list of conversations could not be read completely$/,
		);
		expect(error?.description).toContain('Nothing was sent for this item.');
		expect(writes(lab.sandbox)).toEqual([]);
	});

	test('fails when the conversation has no ID', async () => {
		answerList(1, [{ status: 'open' }], 2);
		const { error } = await lab.engine.run(log());
		expect(error?.message).toMatch(
			/^Item 1 \(\S+\): The conversation has no "id", so nothing was added to it$/,
		);
		expect(writes(lab.sandbox)).toEqual([]);
	});
});
