/**
 * Creating exactly once: after a lost answer, and with Skip If Recorded, the list of the service shows whether an item is
 * recorded. Whatever the service shows of its records, none is created twice; at worst the item fails and says so.
 */
import type { IDataObject } from 'n8n-workflow';

import type { FaultRule } from '../../sandbox/faults.mts';
import type { Variant } from '../../sandbox/variant.mts';
import { clock } from '#built/nodes/IntegrationLeads/transport/clock';
import { by, called, simulatedClock, useLab, writes } from '../helpers/lab.mts';
import { seeded } from '../pure/virtualClock.mts';

const HOUR_MS = 3_600_000;
const MAY_BE_RECORDED =
	'It may have been recorded all the same, and was not sent a second time. Run this item again with Options > Skip If Recorded, which reads the list of the service first.';

let now: () => number;
const lab = useLab({ seed: 5, rpm: 0 }, () => (now = simulatedClock()));
let leadId: string;
let conversationId: string;
let leadInConversation: string;

beforeEach(() => {
	const { controls, store } = lab.sandbox;
	leadId = controls.createLead({ externalId: 'known' }).id;
	const stamp = store.stamp(now() - HOUR_MS);
	conversationId = stamp.id;
	store.conversations.add({ ...stamp, leadId: null, contactId: null, extra: {} });
	leadInConversation = controls.createLead({}).id;
	const fields = { leadId: leadInConversation, contactId: null, extra: {} };
	store.conversations.add({ ...store.stamp(now() - HOUR_MS), ...fields });
});

const create = (resource: string, parameters: IDataObject): IDataObject => {
	return { resource, operation: 'create', ...parameters };
};
const note = (title: string, options: IDataObject = {}) =>
	create('interaction', { leadId: by('id', leadId), type: 'NOTE', title, options });
const addNote = (title: string, ageMs: number, type = 'NOTE') => {
	const { store } = lab.sandbox;
	const fields = { leadId, type, title, description: null, metadata: null };
	return store.interactions.add({ ...store.stamp(Math.floor(now() - ageMs)), ...fields }).id;
};
const addOthers = () => {
	for (let n = 0; n < 30; n += 1) addNote(`Another ${n}`, HOUR_MS);
};
const notes = () =>
	[...lab.sandbox.store.interactions.values()].filter((each) => each.leadId === leadId);
const reads = () => lab.sandbox.controls.requests().filter(({ method }) => method === 'GET');
const onError = 'continueRegularOutput' as const;
const inputs = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const lose = (fault: FaultRule) =>
	lab.sandbox.controls.fault({ ...fault, match: { method: 'POST', ...fault.match } });

type List = 'interactions' | 'messages' | 'conversations' | 'contacts' | 'tags';
/** What is created, and in which list it is. */
const creations: Record<string, [list: List, parameters: IDataObject]> = {
	'interaction.create': [
		'interactions',
		{ type: 'NOTE', title: 'A', options: { metadata: '{"duration": 120, "tags": ["a"]}' } },
	],
	'message.create': ['messages', { content: 'Hello' }],
	'conversation.create': ['conversations', { options: { additionalBody: '{"channel": "web"}' } }],
	'conversation.createForLead': ['conversations', {}],
	'conversation.findOrCreateForLead': ['conversations', {}],
	'message.logForLead': ['messages', { content: 'Hello' }],
	'contact.create': ['contacts', { name: 'Contact A', email: 'contact-a@example.com' }],
	'contact.findOrCreate': ['contacts', { email: 'contact-a@example.com' }],
	'tag.create': ['tags', { name: 'spring' }],
};
const creation = (name: string, more: IDataObject = {}) => {
	const lead = name === 'message.logForLead' ? leadInConversation : leadId;
	const ids = { leadId: by('id', lead), conversationId: by('id', conversationId) };
	const [, { options = {}, ...parameters }] = creations[name];
	return called(name, { ...ids, ...parameters, options: { ...(options as object), ...more } });
};
const sizeOf = (name: string) => lab.sandbox.store[creations[name][0]].size;

const status = (code: number): FaultRule => ({ kind: 'status', status: code });
const BROKEN = ['reset', 'reset-after-headers', 'truncated', 'truncated-quiet'] as const;
const transient = [...BROKEN.map((kind): FaultRule => ({ kind })), ...[408, 500, 503].map(status)];
/** After these, the request may still be at work, or nothing would be gained by sending it again. */
const final: FaultRule[] = [status(504), { kind: 'html' }];
const FOUND =
	'The answer was lost for at least one item. What was recorded was found in the list of the service and is in the output.';

/** How many records and requests a run with this fault makes, and what it says. */
async function runAfter(fault: FaultRule, name: string) {
	const { controls } = lab.sandbox;
	const before = sizeOf(name);
	controls.clearRequests();
	lose(fault);
	const { items, error, hints } = await lab.engine.run(creation(name));
	const counts = { recorded: sizeOf(name) - before, sent: writes(lab.sandbox).length };
	return { ...counts, json: items[0]?.json, error, hints: hints.map(({ message }) => message) };
}
const record = { id: expect.any(String), createdAt: expect.any(String) };
const found = { recorded: 1, sent: 1, json: record, error: undefined, hints: [FOUND] };

describe.each(Object.keys(creations))('%s', (name) => {
	test('is found after a lost answer, and by Skip If Recorded', async () => {
		const { json, ...lost } = await runAfter({ kind: 'reset', when: 'after' }, name);
		expect({ json, ...lost }).toMatchObject(found);
		const size = sizeOf(name);
		const { items } = await lab.engine.run(creation(name, { skipIfRecorded: true }));
		expect(items).toMatchObject([{ json: { id: json.id, created: false } }]);
		expect(sizeOf(name)).toBe(size);
	});

	test('is sent again where nothing was recorded', async () => {
		const sentAgain = { ...found, sent: 2, hints: [] };
		expect(await runAfter({ kind: 'reset' }, name)).toMatchObject(sentAgain);
	});
});

test.each(final)('%j: is looked for, and not sent again', async (fault) => {
	expect(await runAfter({ ...fault, when: 'after' }, 'tag.create')).toMatchObject(found);
	const unsent = { recorded: 0, sent: 1, error: { message: expect.any(String) }, hints: [] };
	expect(await runAfter(fault, 'message.create')).toMatchObject(unsent);
});

test('after a time-out the service may still be at work, so nothing is sent again', async () => {
	lose({ kind: 'slow', ms: 4000, when: 'later' });
	const { error } = await lab.engine.run(note('A', { timeout: 1 }));
	expect(error?.message).toBe(
		'The leads service could not be reached: it did not answer in time (ECONNABORTED)',
	);
	expect(error?.description).toBe(MAY_BE_RECORDED);
	while (notes().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
	expect([notes().length, writes(lab.sandbox).length]).toEqual([1, 1]);
});

test('a request that is carried out shortly after the connection was lost is found', async () => {
	lose({ kind: 'reset', when: 'later', ms: 300 });
	const { sleep } = clock;
	clock.sleep = async (ms, signal) => {
		await sleep(ms, signal);
		if (ms < 5000) return;
		while (notes().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
	};
	const { items, error } = await lab.engine.run(note('A'));
	clock.sleep = sleep;
	expect([error, items[0]?.json.id]).toEqual([undefined, notes()[0].id]);
	expect(writes(lab.sandbox)).toHaveLength(1);
});

describe('forms of the service', () => {
	/** What comes of an item whose answer is lost, if it was recorded and if it was not. */
	type Row = [Partial<Variant>, 'returned' | 'fails', 'sent again' | 'fails'];
	const rows: Row[] = [
		[{ status: 204 }, 'returned', 'sent again'],
		// Nothing in the list is like it, whatever else is not shown.
		[{ dateHeader: false }, 'fails', 'sent again'],
		// The list cannot be read to its end.
		[{ ignorePage: true, maxPage: 7 }, 'returned', 'fails'],
	];

	test.each(rows)('%j', async (variant, ifRecorded, ifNot) => {
		addOthers();
		for (const when of ['after', 'before'] as const) {
			lab.sandbox.controls.variant({ ...variant });
			const title = `The Title ${when}`;
			lose({ kind: 'reset', when });
			const { items, error } = await lab.engine.run(note(title));
			const expected = when === 'after' ? ifRecorded : ifNot;
			if (expected === 'fails') expect(error?.description).toBe(MAY_BE_RECORDED);
			else expect([error, items]).toEqual([undefined, [expect.anything()]]);
			const count = when === 'before' && expected === 'fails' ? 0 : 1;
			expect(notes().filter((each) => each.title === title)).toHaveLength(count);
			// Such as one that was just created: it would make the next one unclear.
			for (const each of notes().slice(30)) lab.sandbox.store.interactions.remove(each);
		}
	});
});

test('a list that is too long to be read is not begun', async () => {
	addOthers();
	lab.sandbox.controls.variant({ maxPage: 1 });
	lose({ kind: 'reset' });
	const { error } = await lab.engine.run(note('A'));
	expect([error?.description, reads().length]).toEqual([MAY_BE_RECORDED, 1]);
});

describe('equal records', () => {
	test('of items of the same run are each returned once', async () => {
		for (const nth of [2, 3, 5]) {
			lose({ kind: 'reset', when: nth === 3 ? 'before' : 'after', match: { method: 'POST', nth } });
		}
		const person = {
			name: 'Contact A',
			email: 'contact-a@example.com',
			options: { concurrency: 6 },
		};
		const { items, error } = await lab.engine.run(create('contact', person), { input: inputs(6) });
		expect(error).toBeUndefined();
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(6);
	});

	test('of an item whose record is not known make the next one unclear', async () => {
		lab.sandbox.controls.variant({ status: 204 });
		lose({ kind: 'reset', when: 'before', match: { nth: 2 } });
		const { items } = await lab.engine.run(note('A'), { input: inputs(2), onError });
		expect(items.map(({ json }) => json.message)).toEqual([undefined, MAY_BE_RECORDED]);
		expect(notes()).toHaveLength(1);
	});
});

test('without the scope to read the list, it stays unclear', async () => {
	const { key } = lab.sandbox.controls.addKey({ scopes: ['interactions:write'] });
	lose({ kind: 'reset', when: 'after', times: 2 });
	const run = { input: inputs(2), onError };
	const { items } = await lab.withKey(key).run(note('={{ $json.n }}'), run);
	expect(items.map(({ json }) => json.message)).toEqual([MAY_BE_RECORDED, MAY_BE_RECORDED]);
	// The second item does not try again.
	expect(reads()).toHaveLength(1);
});

test('an outage is not made longer by reading lists', async () => {
	const scopes = ['interactions:write', 'interactions:read'];
	// A key of its own, whose budget of retries no other test has used.
	const { key } = lab.sandbox.controls.addKey({ scopes });
	lab.sandbox.controls.fault({ ...status(503), times: 10_000 });
	await lab.withKey(key).run(note('={{ $json.n }}'), { input: inputs(50), onError });
	expect(writes(lab.sandbox)).toHaveLength(50);
	expect(reads().length).toBeLessThan(20);
});

// The answer is lost, and so is the list that would show the contact; n8n tries again, and finds it.
test.each<[string, Partial<Variant>, boolean | undefined]>([
	['created since', {}, true],
	['of which no time is shown', { createdAt: 'none' }, undefined],
])(
	'Find or Create finds what an earlier try may have created: one %s',
	async (_, variant, created) => {
		const { controls, store } = lab.sandbox;
		const before = store.contacts.size;
		controls.variant(variant);
		lose({ kind: 'reset', when: 'after' });
		controls.fault({ ...status(403), match: { method: 'GET', path: 'contacts$' } });
		const { items } = await lab.engine.run(creation('contact.findOrCreate'), { retry: true });
		expect(items).toMatchObject([{ json: { email: 'contact-a@example.com' } }]);
		expect(items[0].json.created).toBe(created);
		expect([store.contacts.size - before, writes(lab.sandbox).length]).toEqual([1, 1]);
	},
);

describe('Skip If Recorded', () => {
	const skip = { skipIfRecorded: true };

	test('each record counts for one item, and the list is read once', async () => {
		const recorded = [addNote('A', HOUR_MS), addNote('A', HOUR_MS)];
		addNote('A', HOUR_MS, 'CALL');
		const { items, hints } = await lab.engine.run(note('A', skip), { input: inputs(3) });
		const [one, two, three] = items.map(({ json }) => json);
		expect([one.created, two.created, three.created]).toEqual([false, false, true]);
		expect([one.id, two.id].sort()).toEqual(recorded.sort());
		expect([reads().length, writes(lab.sandbox).length]).toEqual([1, 1]);
		expect(hints.map(({ message }) => message)).toEqual([
			'Not sent, because an equal record was in the list of the service: items with "created": false in the output. An equal record that was created on purpose earlier counts too.',
		]);
	});

	test('a lost answer needs neither times nor the clock of the service', async () => {
		lab.sandbox.controls.variant({ createdAt: 'none', dateHeader: false });
		addNote('A', HOUR_MS);
		lose({ kind: 'reset', when: 'after' });
		const { items, error } = await lab.engine.run(note('A', skip), { input: inputs(2) });
		expect(error).toBeUndefined();
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(2);
		expect(notes()).toHaveLength(2);
	});

	test.each<[string, () => void, string, RegExp]>([
		[
			'a similar record',
			() => addNote('the title', HOUR_MS),
			'The list of interactions has a record that may be this item (ID ID), so nothing was sent',
			/^It is neither equal to what this item sends nor plainly another record\. Compare/,
		],
		[
			'a similar record without an ID',
			() => {
				addNote('The Title', HOUR_MS);
				lab.sandbox.controls.variant({ listIds: false });
			},
			'The list of interactions has a record that may be this item, so nothing was sent',
			/without Options > Skip If Recorded\.$/,
		],
		[
			'a list that cannot be read',
			() => {
				addOthers();
				lab.sandbox.controls.variant({ ignorePage: true, maxPage: 7 });
			},
			'The list of interactions could not be read completely, so nothing was sent',
			/^It is not known whether this item is recorded already\. Run it again when/,
		],
	])('%s fails the item', async (_, prepare, message, description) => {
		prepare();
		const { error } = await lab.engine.run(note('The Title', skip));
		expect(error?.message.replace(/ID [\w-]{36}/, 'ID ID')).toBe(message);
		expect(error?.description).toMatch(description);
		expect(writes(lab.sandbox)).toEqual([]);
	});
});

test.each([1, 2, 3, 4])('whatever is lost, nothing is recorded twice (%i)', async (seed) => {
	const random = seeded(seed);
	const kinds = [...transient, status(504)];
	for (let nth = 1; nth <= 120; nth += 1) {
		if (random() > 0.3) continue;
		const fault = kinds[Math.floor(random() * kinds.length)];
		const when = random() < 0.5 ? 'after' : 'before';
		lose({ ...fault, when, match: { nth: 1 + Math.floor(random() * 3) } });
	}
	// Many of them equal.
	const input = Array.from({ length: 60 }, () => ({ n: Math.floor(random() * 30) }));
	const contact = { name: '={{ "Contact " + $json.n }}', options: { concurrency: 8 } };
	const { items } = await lab.engine.run(create('contact', contact), { input, onError });
	const stored = [...lab.sandbox.store.contacts.values()];
	for (let n = 0; n < 30; n += 1) {
		const results = items.filter((_, index) => input[index].n === n).map(({ json }) => json);
		const ids = results.map(({ id }) => id).filter(Boolean);
		const records = stored.filter(({ name }) => name === `Contact ${n}`);
		expect(new Set(ids).size).toBe(ids.length);
		expect(records.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
		expect(records.length).toBeLessThanOrEqual(results.length);
	}
});
