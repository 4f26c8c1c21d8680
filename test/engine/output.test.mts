/** Which fields of a record are returned, and what happens when the service answers unexpectedly. */
import { range } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { resources } from '#built/nodes/IntegrationLeads/resources/index';
import { outputSchema, recordSchema } from '../../openapi.mts';
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
const fieldsOf = async (parameters: IDataObject, asTool = false) => {
	const { items } = await lab.engine.run(get(parameters), { asTool });
	return Object.keys(items[0].json);
};

test.each([
	['get', {}],
	['getAll', { filters: { search: 'a@example.com' } }],
])('%s: a lead is simplified, unless that is switched off', async (operation, more) => {
	const email = 'a@example.com';
	const { items: made } = await lab.engine.run({
		operation: 'upsert',
		externalId: 'with-contact',
		name: 'Contact A',
		email,
	});
	const { id, contactId } = made[0].json;
	const read = { operation, leadId: by('id', id), ...more };
	const [simple, whole] = await Promise.all(
		[read, { ...read, simplify: false }].map(async (each) => await lab.engine.run(each)),
	);
	expect(Object.entries(simple.items[0].json).slice(0, 3)).toEqual([
		['name', 'Contact A'],
		['email', email],
		['status', 'open'],
	]);
	const ids = { externalId: 'with-contact', contactId, id };
	expect(simple.items[0].json).toMatchObject(ids);
	expect(simple.items[0].json).not.toHaveProperty('contact');
	expect(whole.items[0].json).toMatchObject({ id, contact: { name: 'Contact A', email } });
});

test('a tool returns simplified records by default', async () => {
	expect(await fieldsOf({}, true)).not.toContain('notes');
	lab.sandbox.controls.variant({ record: 'named-with-siblings' });
	const { items } = await lab.engine.run(get({ output: 'raw' }), { asTool: true });
	expect(items[0].json).toMatchObject({ lead: { id: leadId, notes: 'long' } });
});

test('a simplified record as documented has a dozen columns, the ID last, and what the node adds', () => {
	const records = Object.values(resources)
		.flatMap(({ operations }) => Object.values(operations))
		.flatMap(({ output }) => ('record' in output ? [output.record] : []));
	for (const record of records) {
		const added = Object.keys(record.added ?? {});
		const columns = Object.keys(outputSchema(record).properties ?? {});
		const isLarge =
			Object.keys(recordSchema({ ...record, added: {} }).properties ?? {}).length > 10;
		expect(record.simplified !== undefined || !isLarge).toBe(true);
		expect(columns).toEqual(expect.arrayContaining(added));
		if (!record.simplified) continue;
		expect(columns.length - added.length).toBeLessThanOrEqual(12);
		expect([columns[0], columns.at(-1)]).toEqual(['name', 'id']);
	}
});

describe('when the service answers unexpectedly', () => {
	const answer = (data: unknown) =>
		lab.sandbox.controls.fault({ kind: 'status', status: 200, body: { success: true, data } });
	const messages = ({ hints }: { hints: Array<{ message: string }> }) =>
		hints.map(({ message }) => message);

	test('a record without an id is returned whole', async () => {
		answer({ uuid: leadId, extra: { deep: [1] } });
		const ran = await lab.engine.run(get());
		expect(ran.items[0].json).toEqual({ uuid: leadId, extra: { deep: [1] } });
	});

	test('a list of names is returned whole', async () => {
		answer({ tags: ['vip', 'new'] });
		// The length is not stated, so the next page is requested.
		answer({ tags: [] });
		const ran = await lab.engine.run({ resource: 'tag', operation: 'getAll', limit: 5 });
		expect(ran.items.map(({ json }) => json)).toEqual([{ data: 'vip' }, { data: 'new' }]);
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

	test('a write that is answered without a body was accepted, and needs no hint', async () => {
		lab.sandbox.controls.variant({ status: 204 });
		const ran = await lab.engine.run({ operation: 'upsert', externalId: 'a' });
		expect(ran.items.map(({ json }) => json)).toEqual([{ success: true, linked: false }]);
		expect(messages(ran)).toEqual([]);
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
