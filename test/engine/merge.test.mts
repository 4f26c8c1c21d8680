/** Lead > Merge Into: two leads of one person become one, nothing is copied twice, and what is not moved is said. */
import type { IDataObject } from 'n8n-workflow';

import type { FaultRule } from '../../sandbox/faults.mts';
import { by, called, simulatedClock, useLab, writes } from '../helpers/lab.mts';
import { meta, message } from '../helpers/webhooks.mts';

const lab = useLab({ seed: 0, rpm: 0 }, simulatedClock);

const ANA = { name: 'Ana Souza', email: 'ana@example.com', phone: '+5511911111111' };
const BEGUN = Date.parse('2026-01-31T10:00:00Z');
let merged: string;
let kept: string;

function create(contact: Partial<typeof ANA>, fields: IDataObject = {}): string {
	const { store, controls } = lab.sandbox;
	const { id: contactId } = store.createContact(contact);
	return controls.createLead({ contactId, ...fields }).id;
}

/** Adds interactions to a lead, and messages to a conversation with it. */
function addHistory(leadId: string, titles: string[], texts: string[]): void {
	const { store } = lab.sandbox;
	for (const [n, title] of titles.entries()) {
		const times = { ...store.stamp(), createdMs: BEGUN + n * 1000 };
		const more = { type: 'CALL', description: null, metadata: { gclid: `click-${n}` } };
		store.interactions.add({ ...times, leadId, title, ...more });
	}
	if (texts.length === 0) return;
	const { id } = store.conversations.add({
		...store.stamp(),
		leadId,
		contactId: null,
		extra: {},
	});
	for (const [n, content] of texts.entries()) {
		const times = { ...store.stamp(), createdMs: BEGUN + n * 1000 };
		store.messages.add({ ...times, conversationId: id, content, status: 'sent', extra: {} });
	}
}

const lead = (id: string) => lab.sandbox.store.leads.get(id);
const notesOf = (id: string) =>
	[...lab.sandbox.store.interactions.values()].filter(({ leadId }) => leadId === id);
const messagesOf = (id: string) => {
	const { store } = lab.sandbox;
	const own = [...store.conversations.values()].filter(({ leadId }) => leadId === id);
	return [...store.messages.values()]
		.filter(({ conversationId }) => own.some((each) => each.id === conversationId))
		.map(({ content }) => content);
};

const close = { afterwards: 'close', status: 'closed_lost' };
const merge = (more: IDataObject = close) =>
	called('lead.mergeInto', { leadId: by('id', merged), intoLeadId: by('id', kept), ...more });
const run = async (more?: IDataObject, how: object = {}) => await lab.engine.run(merge(more), how);

function prepare(): void {
	lab.sandbox.controls.reset();
	merged = create(
		{ name: 'Ana', phone: ANA.phone },
		{
			externalId: 'whatsapp-5511911111111',
			source: 'whatsapp',
			tags: ['vip', 'with a person'],
			estimatedValue: 500,
			notes: 'wants two',
		},
	);
	addHistory(merged, ['first call', 'second call', 'second call'], ['hello', 'hello', 'price?']);
	kept = create({ name: ANA.name, email: ANA.email }, { externalId: 'crm-1', tags: ['vip'] });
	addHistory(kept, ['own call'], []);
	lab.sandbox.controls.clearRequests();
}

beforeEach(prepare);

const COPIED_NOTES = [
	['own call', null],
	[`Merged from lead MERGED`, expect.stringContaining('notes: wants two')],
	['first call', '[2026-01-31 10:00:00, merged lead]'],
	['second call', '[2026-01-31 10:00:01, merged lead]'],
	['second call', '[2026-01-31 10:00:02, merged lead]'],
];
const COPIED_MESSAGES = [
	'[2026-01-31 10:00:00] hello',
	'[2026-01-31 10:00:01] hello',
	'[2026-01-31 10:00:02] price?',
];

/** What the kept lead has after all, whatever happened on the way. */
function expectMerged(externalId = 'crm-1'): void {
	expect(notesOf(kept).map(({ title, description }) => [title, description])).toEqual(
		COPIED_NOTES.map(([title, text]) => [String(title).replace('MERGED', merged), text]),
	);
	expect(messagesOf(kept)).toEqual(COPIED_MESSAGES);
	expect(lead(kept)).toMatchObject({
		externalId,
		tags: ['vip', 'with a person'],
		source: 'whatsapp',
		estimatedValue: 500,
		notes: 'wants two',
	});
	expect(lab.sandbox.store.contact(lead(kept)!.contactId)).toMatchObject(ANA);
}

test('all that can be copied is, and the output says what is not', async () => {
	const { items, error } = await run();
	expect(error).toBeUndefined();
	expectMerged();
	expect(notesOf(kept)[2]).toMatchObject({ type: 'CALL', metadata: { gclid: 'click-0' } });
	expect(lead(merged)).toMatchObject({
		status: 'closed_lost',
		tags: ['vip', 'with a person', `merged into ${kept}`],
		externalId: `merged-${merged}-whatsapp-5511911111111`,
	});
	expect(items[0].json).toMatchObject({
		id: kept,
		merged: { id: merged, externalId: 'whatsapp-5511911111111', name: 'Ana' },
		copied: { tags: 2, interactions: 3, messages: 3 },
		notMoved: [
			'The service shows no way to move a conversation: its messages were copied as text, without their status and who wrote them.',
			'The name was not moved: "Ana" is in the history, and this lead has "Ana Souza".',
			'The external ID "whatsapp-5511911111111" was taken off the merged lead, and this lead keeps "crm-1": the phone finds it.',
		],
	});
	expect(items[0].json).not.toHaveProperty('differences');
});

test("the person's next message goes to the kept lead", async () => {
	await run();
	const payload = JSON.stringify(meta(message('again', { from: '5511911111111' })));
	const { items, error } = await lab.engine.run(called('message.logFromWhatsApp', { payload }));
	expect([error, items[0]?.json.leadId]).toEqual([undefined, kept]);
	expect(messagesOf(kept)).toEqual([...COPIED_MESSAGES, 'again']);
});

test('merged again, by another execution, nothing is copied a second time', async () => {
	await run();
	const { error } = await run();
	expect(error).toBeUndefined();
	expectMerged();
});

/** The writes of a merge, by method and path. */
const WRITES = [
	['POST', 'interactions$', 4],
	['POST', 'conversations$', 1],
	['POST', 'messages$', 3],
	['POST', 'tags$', 2],
	['PUT', '/leads/', 2],
	['PUT', '/contacts/', 1],
	['PATCH', 'status$', 1],
] as const;
const places = WRITES.flatMap(([method, path, count]) =>
	Array.from({ length: count }, (_, n) => [method, path, n + 1] as const),
);

describe.each<[string, Partial<FaultRule> & Pick<FaultRule, 'kind'>, number]>([
	['is carried out and its answer lost', { kind: 'reset', when: 'after' }, 1],
	['is refused', { kind: 'status', status: 422 }, 1],
	['meets an outage', { kind: 'status', status: 503 }, 6],
])('a write %s, and n8n repeats the node', (_, fault, times) => {
	test.each(places)('%s %s, number %i: nothing twice, nothing lost', async (method, path, nth) => {
		lab.sandbox.controls.fault({ ...fault, times, match: { method, path, nth } });
		const { error } = await run(close, { retry: true });
		expect(error).toBeUndefined();
		// What the service refuses of a contact or an ID is said, and not tried again.
		const isOptional = fault.status === 422 && path.startsWith('/contacts');
		if (isOptional) return;
		expectMerged();
		expect(lead(merged)).toMatchObject({ status: 'closed_lost' });
		expect(lead(merged)!.tags).toContain(`merged into ${kept}`);
	});
});

test.each(['reset', 'status'] as const)(
	'the answer to the deletion is lost (%s), and n8n repeats the node: the merge is done',
	async (kind) => {
		const match = { method: 'DELETE', path: '/sync' };
		lab.sandbox.controls.fault({ kind: 'reset', when: 'after', match });
		if (kind === 'status') lab.sandbox.controls.fault({ kind, status: 503, match, times: 4 });
		const { items, error } = await run({ afterwards: 'delete' }, { retry: true });
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ id: kept });
		expectMerged();
		expect(lead(merged)).toBeUndefined();
	},
);

describe('an execution that is killed after a write, and another one later', () => {
	const FREED = 'merged-MERGED-whatsapp-5511911111111';
	const OWN = 'whatsapp-5511911111111';
	test.each<[what: string, IDataObject, own: string | null, kept: string]>([
		['close, where both leads have an external ID', close, 'crm-1', 'crm-1'],
		['close, where the external ID moves', close, null, OWN],
		['delete, where both leads have an external ID', { afterwards: 'delete' }, 'crm-1', 'crm-1'],
		['delete, where the external ID moves', { afterwards: 'delete' }, null, OWN],
	])('%s: nothing twice, nothing lost', async (_, parameters, own, expected) => {
		const { controls } = lab.sandbox;
		const prepareAll = () => {
			prepare();
			controls.changeLead({ id: kept, externalId: own });
			controls.clearRequests();
		};
		prepareAll();
		await run(parameters);
		const writing = controls
			.requests()
			.flatMap(({ method }, n) => (method === 'GET' ? [] : [n + 1]));
		expect(writing.length).toBeGreaterThan(12);
		for (const nth of writing) {
			prepareAll();
			// The killed process hears nothing of this write, and sends no other.
			controls.fault({ kind: 'reset', when: 'after', match: { nth } });
			controls.fault({ kind: 'status', status: 503, match: { nth }, times: 1000 });
			expect((await run(parameters)).error).toBeDefined();
			controls.clearFaults();
			const { items, error } = await run(parameters);
			expect([nth, error, items[0]?.json.id]).toEqual([nth, undefined, kept]);
			expectMerged(expected);
			if (parameters.afterwards === 'delete') {
				expect(lead(merged)).toBeUndefined();
				continue;
			}
			const tags = ['vip', 'with a person', `merged into ${kept}`];
			const externalId = FREED.replace('MERGED', merged);
			expect(lead(merged)).toMatchObject({ status: 'closed_lost', tags, externalId });
		}
	});
});

const refused = async (more?: IDataObject, how?: object) => {
	lab.sandbox.controls.clearRequests();
	const { error } = await run(more, how);
	expect(writes(lab.sandbox)).toEqual([]);
	return `${error?.message} ${error?.description ?? ''}`;
};

describe('before anything is sent, it is refused', () => {
	test('the same lead twice', async () => {
		expect(await refused({ ...close, intoLeadId: by('id', merged) })).toContain(
			'are the same lead',
		);
		const intoLeadId = by('externalId', 'whatsapp-5511911111111');
		expect(await refused({ ...close, intoLeadId })).toContain('are the same lead');
	});

	test('two people', async () => {
		kept = create({ name: 'Bia Lima', email: 'bia@example.com', phone: '+5511922222222' });
		const text = await refused();
		expect(text).toContain('two people: Ana · +5511911111111, and Bia Lima · bia@example.com');
	});

	test('two leads that may be of one person: closed, but neither deleted nor merged by an agent', async () => {
		kept = create({ email: ANA.email });
		const text = 'The contacts do not show whether the leads are of one person';
		expect(await refused({ afterwards: 'delete' })).toContain(text);
		expect(await refused(close, { asTool: true })).toContain(text);
		const { items } = await run();
		expect(items[0].json.differences).toContain(text);
	});

	test('a merged lead that is chosen by what leads to the kept one by now', async () => {
		await run();
		expect(await refused({ ...close, leadId: by('emailOrPhone', ANA.phone) })).toContain(
			'Choose two leads of one person by their IDs',
		);
	});

	test('a lead that was merged into another one, or that was merged itself', async () => {
		await run();
		const other = kept;
		kept = create(ANA);
		expect(await refused()).toContain(`it has the tag "merged into ${other}"`);
		[merged, kept] = [kept, merged];
		expect(await refused()).toContain(`it has the tag "merged into ${other}"`);
	});

	test.each<[what: string, text: string, spoil: () => void]>([
		['a second conversation', '1 conversations besides', () => addHistory(merged, [], ['old'])],
		['a message without text', '1 messages without text', () => addHistory(merged, [], [''])],
	])(
		'to delete a lead with %s, which would be lost; closed, that is said',
		async (_, text, add) => {
			const { store } = lab.sandbox;
			for (const { id } of store.conversations.values())
				store.conversations.add({ ...store.conversations.get(id)!, createdMs: BEGUN - 1000 });
			if (text.includes('text'))
				for (const each of store.conversations.values()) store.conversations.remove(each);
			add();
			expect(await refused({ afterwards: 'delete' })).toContain(text);
			const { items } = await run();
			expect((items[0].json.notMoved as string[])[0]).toContain(text);
		},
	);

	test('a history that cannot be read', async () => {
		const match = { method: 'GET', path: `/leads/${merged}/interactions` };
		lab.sandbox.controls.fault({ kind: 'status', status: 403, match, times: 3 });
		expect(await refused()).toContain('interactions:read');
	});
});

test('Only Check shows the lead that would be merged, and the note with its fields and what would be copied', async () => {
	const { items } = await run({ ...close, options: { onlyCheck: true } });
	expect(writes(lab.sandbox)).toEqual([]);
	expect(items[0].json).toMatchObject({
		would: 'merge',
		result: 'would merge: Ana · open · whatsapp-5511911111111',
		found: { id: merged },
		wouldSend: {
			title: `Merged from lead ${merged}`,
			description: expect.stringMatching(
				/estimatedValue: 500\n.*contact: Ana · \+5511911111111.*\n\nCopied: 2 tags, 3 interactions, 3 messages\.\nThe service shows no way/s,
			),
		},
	});
});

describe('the external ID', () => {
	/** `undefined` for a lead that is deleted. */
	const ids = () =>
		[merged, kept].map(
			(id) => lead(id) && (lead(id)?.externalId?.replace(`merged-${id}-`, 'FREED-') ?? null),
		);
	const notMoved = (items: Array<{ json: IDataObject }>) =>
		(items[0].json.notMoved as string[]).filter((each) => each.includes('external ID'));
	const set = (own: string | null, other: string | null) => {
		lab.sandbox.controls.changeLead({ id: merged, externalId: own });
		lab.sandbox.controls.changeLead({ id: kept, externalId: other });
	};
	const moves = 'PUT';

	test.each<[string | null, string | null, IDataObject, Array<unknown>, string[]]>([
		['crm-2', null, close, ['FREED-crm-2', 'crm-2'], []],
		['crm-2', null, { afterwards: 'delete' }, [undefined, 'crm-2'], []],
		[null, 'crm-1', close, [null, 'crm-1'], []],
		[null, 'crm-1', { afterwards: 'delete' }, [undefined, 'crm-1'], []],
		[null, null, { afterwards: 'delete' }, [undefined, null], []],
		['crm-2', 'crm-1', close, ['crm-2', 'crm-1'], ['still goes to the merged lead']],
		['crm-2', 'crm-1', { afterwards: 'delete' }, [undefined, 'crm-1'], ['makes a new lead']],
		// The service deletes by external ID: one that both have would delete either.
		['crm-1', 'crm-1', { afterwards: 'delete' }, [undefined, 'crm-1'], []],
	])('%s into %s, %j: %j', async (own, other, how, expected, said) => {
		set(own, other);
		const { items, error } = await run(how);
		expect(error).toBeUndefined();
		expect(ids()).toEqual(expected);
		expect(notMoved(items)).toEqual(said.map((text) => expect.stringContaining(text)));
	});

	test.each([
		['is not taken off', 2],
		['is not given', 3],
	])(
		'that the service refuses, since it %s, stays where it is, and that is said',
		async (_, nth) => {
			set('crm-2', null);
			const match = { method: moves, path: '/leads/', nth };
			lab.sandbox.controls.fault({ kind: 'status', status: 409, match });
			const { items, error } = await run();
			expect(error).toBeUndefined();
			expect(ids()).toEqual(['crm-2', null]);
			expect(notMoved(items)).toHaveLength(1);
		},
	);

	test('whose last answer is lost is moved once', async () => {
		set('crm-2', null);
		const match = { method: moves, path: '/leads/', nth: 3 };
		lab.sandbox.controls.fault({ kind: 'reset', when: 'after', match });
		lab.sandbox.controls.fault({
			kind: 'status',
			status: 503,
			match: { ...match, nth: 1 },
			times: 1,
		});
		const { error } = await run(close, { retry: true });
		expect([error, ids()]).toEqual([undefined, ['FREED-crm-2', 'crm-2']]);
	});
});

describe('a sale', () => {
	const sale = { status: 'closed_won', saleDate: '2026-01-31T03:00:00.000Z', estimatedValue: 900 };
	const moved = { ...sale, saleDate: expect.stringContaining('2026-01-31') as string };
	const own = { estimatedValue: 300, saleDate: '2025-12-01T03:00:00.000Z', status: 'closed_won' };
	const undated = { estimatedValue: 300, saleDate: null, status: 'closed_won' };
	const stays = 'The sale was not moved: a value of 900, sold on 2026-01-31';
	const replaced =
		'The sale of the merged lead, a value of 900, sold on 2026-01-31T03:00:00.000Z, replaced the estimate of this lead: a value of 300, with the status "open".';
	test.each<[string, IDataObject, IDataObject, string[]]>([
		['moves whole to a lead without one', {}, moved, []],
		['replaces an estimate, which is named', { estimatedValue: 300 }, moved, [replaced]],
		['stays where the other has one', own, { estimatedValue: 300 }, [stays]],
		['stays where the other is won without a date', undated, undated, [stays]],
	])('%s', async (_, has, expected, said) => {
		lab.sandbox.controls.changeLead({ id: merged, ...sale });
		lab.sandbox.controls.changeLead({ id: kept, ...has });
		const { items, hints } = await run();
		expect(lead(kept)).toMatchObject(expected);
		const sold = (items[0].json.notMoved as string[]).filter((each) => /sale /i.test(each));
		expect(sold).toEqual(said.map((text) => expect.stringContaining(text)));
		const left = said.filter((text) => text === stays);
		expect(hints.map(({ message }) => message)).toEqual(
			left.map((text) => expect.stringMatching(`^${text}.*no report or export of won leads`)),
		);
	});

	test.each<[what: string, IDataObject]>([
		['without a value', { estimatedValue: null }],
		['that was lost', { status: 'closed_lost' }],
	])('%s does not replace an estimate', async (_, fields) => {
		lab.sandbox.controls.changeLead({ id: merged, ...sale, ...fields });
		lab.sandbox.controls.changeLead({ id: kept, estimatedValue: 300 });
		const { hints } = await run();
		expect(lead(kept)).toMatchObject({ estimatedValue: 300, saleDate: null, status: 'open' });
		expect(hints).toHaveLength(1);
	});
});

test('an email or a phone that both had leads to the kept lead alone', async () => {
	const contactId = lead(kept)!.contactId!;
	lab.sandbox.controls.changeLead({ id: merged, contactId });
	const update = called('lead.upsert', { email: ANA.email, name: ANA.name });
	expect((await lab.engine.run(update)).error?.message).toContain('leads to 2 leads');
	await run();
	const { items, error } = await lab.engine.run(update);
	expect([error, items[0]?.json.id]).toEqual([undefined, kept]);
});
