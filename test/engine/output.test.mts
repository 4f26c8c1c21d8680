/** Which fields of a record are returned, and what happens when the service answers unexpectedly. */
import { range } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { by, useLab } from '../helpers/lab.mts';

const lab = useLab({ seed: 5 });
let leadId: string;

beforeEach(() => {
	leadId = lab.sandbox.controls.createLead({ externalId: 'known', notes: 'long' }).id;
});

const get = (parameters: IDataObject = {}) => ({
	operation: 'get',
	leadId: by('id', leadId),
	...parameters,
});
// How records are simplified: test/pure/simplify.test.mts.
test.each(['get', 'getAll'])(
	'%s: a lead is simplified, unless that is switched off',
	async (operation) => {
		const person = { name: 'Contact A', email: 'a@example.com' };
		await lab.engine.run({ operation: 'upsert', externalId: 'known', ...person });
		const read = { operation, leadId: by('id', leadId), filters: { search: person.email } };
		const [simple, whole] = await Promise.all(
			[read, { ...read, simplify: false }].map(async (each) => await lab.engine.run(each)),
		);
		const { contact, ...lead } = whole.items[0].json as { contact: IDataObject; id: string };
		expect(contact).toMatchObject(person);
		expect(simple.items[0].json).toMatchObject({ ...person, contactId: contact.id, id: lead.id });
		expect(simple.items[0].json).not.toHaveProperty('contact');
	},
);

test('a tool returns simplified records by default', async () => {
	const ran = await lab.engine.run(get(), { asTool: true });
	expect(ran.items[0].json).not.toHaveProperty('notes');
	lab.sandbox.controls.variant({ record: 'named-with-siblings' });
	const { items } = await lab.engine.run(get({ output: 'raw' }), { asTool: true });
	expect(items[0].json).toMatchObject({ lead: { id: leadId, notes: 'long' } });
});

describe('when the service answers unexpectedly', () => {
	const answer = (data: unknown) =>
		lab.sandbox.controls.fault({ kind: 'status', status: 200, body: { success: true, data } });
	test('a record without an id is returned whole', async () => {
		answer({ uuid: leadId, extra: { deep: [1] } });
		const ran = await lab.engine.run(get());
		expect(ran.items[0].json).toEqual({ uuid: leadId, extra: { deep: [1] } });
	});

	test.each([
		['no record', null, get, 'The service answered without a record'],
		['a text', 'ok', get, 'The service answered with something that is not a record'],
		[
			'no list',
			{ count: 3 },
			() => ({ resource: 'tag', operation: 'getAll' }),
			'The service answered without a list',
		],
	])('%s has a clear message', async (_, data, parameters, message) => {
		answer(data);
		const { error } = await lab.engine.run(parameters());
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(/^Get (many tags|lead): the answer has another shape/);
	});

	test('the answer to a write is returned as it is', async () => {
		answer('queued');
		const { items, error } = await lab.engine.run({ operation: 'upsert', externalId: 'a' });
		expect([items[0]?.json, error]).toEqual([{ data: 'queued', linked: false }, undefined]);
	});
});

test.each<[string, records: object[] | string[], count: number, hint: RegExp]>([
	['have no ID', range(150).map((n) => `tag-${n}`), 150, /^The entries of this list have no ID/],
	// The second page repeats the first.
	['repeat', range(150).map((n) => ({ id: n % 100 })), 100, /^The list changed while it was read/],
])('entries that %s are returned once, with a hint that some may be missing', async (_, ...row) => {
	const [all, count, hint] = row;
	for (let left = 3; left > 0; left -= 1) {
		for (const tags of [all.slice(0, 100), all.slice(100)]) {
			const data = { tags, pagination: { limit: 100, total: 150 } };
			lab.sandbox.controls.fault({ kind: 'status', status: 200, body: { success: true, data } });
		}
	}
	const { items, hints } = await lab.engine.run({
		resource: 'tag',
		operation: 'getAll',
		returnAll: true,
	});
	lab.sandbox.controls.clearFaults();
	expect(items).toHaveLength(count);
	expect(hints.map(({ message }) => message)).toContainEqual(expect.stringMatching(hint));
});
