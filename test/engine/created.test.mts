/**
 * Creating exactly once: after a lost answer, the list of the service shows whether the record was created. Whatever the
 * service shows of its records, none is created twice; at worst the item fails and says so.
 */
import type { IDataObject } from 'n8n-workflow';

import type { FaultRule } from '../../sandbox/faults.mts';
import type { Variant } from '../../sandbox/variant.mts';
import { by, called, simulatedClock, useLab, writes } from '../helpers/lab.mts';
import { seeded } from '../pure/virtualClock.mts';

const HOUR_MS = 3_600_000;
const MAY_BE_RECORDED =
	'The service may still have recorded it. Check there before you send it again.';

let now: () => number;
const lab = useLab({ seed: 5, rpm: 0 }, () => (now = simulatedClock()));
let leadId: string;
let conversationId: string;

beforeEach(() => {
	const { controls, store } = lab.sandbox;
	leadId = controls.createLead({ externalId: 'known' }).id;
	const stamp = store.stamp(now() - HOUR_MS);
	conversationId = stamp.id;
	store.conversations.add({ ...stamp, leadId: null, contactId: null, extra: {} });
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
const reads = () => lab.sandbox.controls.requests().filter(({ method }) => method === 'GET');
const onError = 'continueRegularOutput' as const;
const inputs = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const lose = (fault: FaultRule) =>
	lab.sandbox.controls.fault({ ...fault, match: { method: 'POST', ...fault.match } });

type List = 'messages' | 'conversations' | 'contacts' | 'tags';
/** What is created, and in which list it is. */
const creations: Record<string, [list: List, parameters: IDataObject]> = {
	'message.create': ['messages', { content: 'Hello' }],
	'conversation.findOrCreateForLead': ['conversations', {}],
	'contact.findOrCreate': ['contacts', { email: 'contact-a@example.com' }],
	'tag.create': ['tags', { name: 'spring' }],
};
const creation = (name: string) => {
	const ids = { leadId: by('id', leadId), conversationId: by('id', conversationId) };
	return called(name, { ...ids, ...creations[name][1] });
};
const sizeOf = (name: string) => lab.sandbox.store[creations[name][0]].size;

const status = (code: number): FaultRule => ({ kind: 'status', status: code });
const BROKEN = ['reset', 'reset-after-headers', 'truncated', 'truncated-quiet'] as const;
const transient = [...BROKEN.map((kind): FaultRule => ({ kind })), ...[408, 500, 503].map(status)];
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
describe.each(Object.keys(creations))('%s', (name) => {
	test('is found after a lost answer, and not sent again', async () => {
		const { json, ...ran } = await runAfter({ kind: 'reset', when: 'after' }, name);
		expect(json).toMatchObject({ id: expect.any(String), createdAt: expect.any(String) });
		expect(ran).toEqual({ recorded: 1, sent: 1, error: undefined, hints: [] });
	});

	test('is sent again where nothing was recorded', async () => {
		const { json, ...ran } = await runAfter({ kind: 'reset' }, name);
		expect(json).toMatchObject({ id: expect.any(String), createdAt: expect.any(String) });
		expect(ran).toEqual({ recorded: 1, sent: 2, error: undefined, hints: [] });
	});
});

// The request may still be at work, or nothing would be gained by sending it again.
test.each<[FaultRule, number, string]>([
	[{ ...status(504), when: 'after' }, 1, 'tag.create'],
	[{ kind: 'html' }, 0, 'message.create'],
])('%j: is not sent again', async (fault, recorded, name) => {
	const { error, ...ran } = await runAfter(fault, name);
	expect(error).toBeDefined();
	expect(ran).toMatchObject({ sent: 1, recorded, hints: [] });
});

test('after a time-out the service may still be at work, so nothing is sent again', async () => {
	lose({ kind: 'slow', ms: 4000, when: 'later' });
	const { error } = await lab.engine.run(note('A', { timeout: 1 }));
	expect(error?.message).toContain('it did not answer in time');
	expect(error?.message).toContain(`Item 1 (${leadId}): `);
	expect(error?.description).toBe(MAY_BE_RECORDED);
	expect(writes(lab.sandbox)).toHaveLength(1);
});

test('an equal record from before is not taken for the item', async () => {
	addNote('A', 3000);
	lose({ kind: 'reset', when: 'before' });
	const { items, error } = await lab.engine.run(note('A'));
	expect([error, writes(lab.sandbox).length, items.length]).toEqual([undefined, 2, 1]);
});

test('a record that an earlier try has created for one item is not taken for another', async () => {
	const { controls, store } = lab.sandbox;
	lose({ kind: 'reset', match: { nth: 2 } });
	controls.fault({ ...status(403), match: { method: 'GET', path: 'interactions$' } });
	const failed = await lab.engine.run(note('A'), { input: inputs(2) });
	expect(failed.error?.description).toContain(MAY_BE_RECORDED);
	const { items, error } = await lab.engine.run(note('A'), {
		input: inputs(2),
		retryOf: failed.stored,
	});
	const recorded = [...store.interactions.values()].filter(({ title }) => title === 'A');
	expect([error, recorded.length]).toEqual([undefined, 2]);
	expect(new Set(items.map(({ json }) => json.id)).size).toBe(2);
});

// On the simulated clock.
test('the service gets five seconds to finish the request before its list is read', async () => {
	lose({ kind: 'reset', when: 'after' });
	const begunAt = now();
	await lab.engine.run(note('A'));
	expect(now() - begunAt).toBeGreaterThanOrEqual(5000);
});

// What comes of an item whose answer is lost and that was not recorded.
test.each<[Partial<Variant>, 'sent again' | 'fails']>([
	[{ status: 204 }, 'sent again'],
	// The others have other titles.
	[{ createdAt: 'none' }, 'sent again'],
	// The list cannot be read to its end, or is too long.
	[{ ignorePage: true, maxPage: 7 }, 'fails'],
	[{ maxPage: 1 }, 'fails'],
])('a service of the form %j: %s', async (variant, expected) => {
	addOthers();
	lab.sandbox.controls.variant({ ...variant });
	lose({ kind: 'reset' });
	const { items, error } = await lab.engine.run(note('A'));
	if (expected === 'fails') {
		expect(error?.message).toContain(`Item 1 (${leadId}): `);
		expect(error?.description).toBe(MAY_BE_RECORDED);
	} else expect([error, items]).toEqual([undefined, [expect.anything()]]);
});

test('an equal record without a time may be the one that was sent', async () => {
	addNote('A', HOUR_MS);
	lab.sandbox.controls.variant({ createdAt: 'none' });
	lose({ kind: 'reset' });
	const { error } = await lab.engine.run(note('A'));
	expect(error?.message).toContain(`Item 1 (${leadId}): `);
	expect(error?.description).toBe(MAY_BE_RECORDED);
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

test('whatever is lost, nothing is recorded twice', async () => {
	const random = seeded(1);
	const kinds = [...transient, status(504)];
	for (let nth = 1; nth <= 120; nth += 1) {
		if (random() > 0.3) continue;
		const fault = kinds[Math.floor(random() * kinds.length)];
		const when = random() < 0.5 ? 'after' : 'before';
		lose({ ...fault, when, match: { nth: 1 + Math.floor(random() * 3) } });
	}
	// Many of them equal.
	const input = Array.from({ length: 60 }, () => ({ n: Math.floor(random() * 30) }));
	const contact = { name: '={{ "Contact " + $json.n }}' };
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
