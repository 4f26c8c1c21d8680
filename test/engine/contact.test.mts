/** Finding contacts by phone or email, and creating each once. */
import type { IDataObject } from 'n8n-workflow';

import { called, useLab, writes } from '../helpers/lab.mts';

const lab = useLab({ seed: 5 });

const contact = (operation: string, parameters: IDataObject) =>
	called(`contact.${operation}`, parameters);
/** What the service answers to the next request. */
const answer = (data: unknown) =>
	lab.sandbox.controls.fault({ kind: 'status', status: 200, body: { success: true, data } });
const sent = () =>
	lab.sandbox.controls
		.requests()
		.map(({ method, query, body }) => [method, method === 'GET' ? query : body]);
const phone = '+5511987654321';
const email = 'a@example.com';

async function create(fields: IDataObject): Promise<unknown> {
	const { items } = await lab.engine.run(contact('create', fields));
	lab.sandbox.controls.clearRequests();
	return items[0].json.id;
}

describe('Find or Create', () => {
	const findOrCreate = (fields: IDataObject) => contact('findOrCreate', fields);

	test('searches by phone and by email, which must be one contact', async () => {
		const id = await create({ phone, email });
		const { items } = await lab.engine.run(findOrCreate({ phone, email }));
		expect(items).toMatchObject([{ json: { id, created: false } }]);
		const another = await create({ email: 'b@example.com' });
		const { error } = await lab.engine.run(findOrCreate({ phone, email: 'b@example.com' }));
		expect(error?.message).toMatch(
			new RegExp(`which contact is meant: .*${String(id)}.*${String(another)}`),
		);
		expect(writes(lab.sandbox)).toEqual([]);
	});

	test('creates when nobody has either', async () => {
		const fields = { name: 'Contact A', phone, email };
		const { items } = await lab.engine.run(findOrCreate(fields));
		expect(items[0].json).toMatchObject({ ...fields, created: true });
		expect(sent()).toEqual([
			['GET', { phone }],
			['GET', { email }],
			['GET', { phone: '+551187654321' }],
			['POST', fields],
		]);
	});

	test('creates once, however many items are the same person', async () => {
		lab.sandbox.controls.latency({ ms: 5 });
		const input = Array.from({ length: 12 }, (_, n) => ({
			phone: n % 2 ? '5511987654321@c.us' : '551187654321@c.us',
		}));
		const parameters = findOrCreate({ phone: '={{ $json.phone }}' });
		const { items } = await lab.engine.run(parameters, { input });
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(1);
		expect(items.map(({ json }) => json.created)).toEqual(input.map((_, n) => n === 0));
		expect(writes(lab.sandbox)).toHaveLength(1);
	});

	test.each([
		['found: false with suggestions', { found: false, suggestions: [{ id: 'x' }] }],
		['null with suggestions', { contact: null, suggestions: [{ id: 'x' }] }],
		['a bare list', []],
		['another contact', { id: 'x', phone: '+351912345678' }],
		['other contacts', { contacts: [{ id: 'x', phone: '+351912345678' }, { id: 'y' }] }],
	])('creates when the search answers %s', async (_, data) => {
		answer(data);
		const { items } = await lab.engine.run(findOrCreate({ phone }));
		expect(items[0].json).toMatchObject({ phone, created: true });
	});
});

describe('Lookup', () => {
	test.each([
		['stored without the 9', '+551187654321', phone],
		['stored with the 9', phone, '+551187654321'],
	])('finds a number %s', async (_, stored, given) => {
		const id = await create({ phone: stored });
		const { items } = await lab.engine.run(contact('lookup', { phone: given }));
		expect(items[0].json).toMatchObject({ id, phone: stored });
		expect(sent()).toEqual([given, stored].map((each) => ['GET', { phone: each }]));
	});

	// Which contact matches is shown in test/pure/address.test.mts.
	const other = { id: 'x', phone: '+5511987654322' };
	test.each<[what: string, data: unknown, id?: string]>([
		['in its list, where the search has an ID', { id: 's', contacts: [{ id: 'c' }] }, 'c'],
		['with lists of its own', { id: 'c', tags: [{ id: 't' }] }, 'c'],
		['among others', [other, { id: 'c', phone }], 'c'],
		['beside another', [other, { id: 'y' }], undefined],
	])('takes a contact %s only if it matches', async (_, data, id) => {
		answer(data);
		const { items, error } = await lab.engine.run(contact('lookup', { phone }));
		expect(items[0]?.json.id).toEqual(id);
		if (id === undefined) expect(error?.message).toBe(`No contact has the phone "${phone}"`);
	});

	const bo = { id: '2', name: 'Bo', email: 'A@example.com' };
	test.each<[string, object, RegExp]>([
		[
			'lookup',
			{ contacts: [{ contact: { id: '1', email } }, { contact: bo }] },
			/2 contacts: .*; Bo /,
		],
		[
			'findOrCreate',
			{ contacts: [{ id: '1', email }, bo] },
			/2 contacts: .*Bo · A@example.com \(ID 2\)$/,
		],
		['findOrCreate', { contacts: [{ id: '1' }, { id: '2' }] }, /^It is unclear which contact/],
		['lookup', { match: { id: 'c', email } }, /with no contact that can be read$/],
		['findOrCreate', { exists: true, contactId: 'c' }, /with no contact that can be read$/],
	])('takes none of several, or in an unknown form: %s %j', async (operation, data, message) => {
		answer(data);
		const { error } = await lab.engine.run(contact(operation, { email }));
		expect(error?.message).toMatch(message);
		expect(sent()).toEqual([['GET', { email }]]);
	});
});

test('an address that cannot be read never costs a lead that something else identifies, and is named', async () => {
	const engine = lab.withKey(lab.sandbox.keys.full, '55');
	const given = { name: 'A', phone: '98765-4321', email: 'fulano@' };
	const { items, hints } = await engine.run({ operation: 'upsert', externalId: 'e', ...given });
	expect(writes(lab.sandbox)).toMatchObject([
		{ body: { externalId: 'e', contact: { name: 'A' } } },
	]);
	expect(items[0].json.leftOut).toEqual({
		Email:
			'"fulano@" cannot be read. Give one address, e.g. name@example.com. Leave the field blank for people without one.',
		Phone: expect.stringMatching(/^"98765-4321" cannot be read. Write it with its area code/),
	});
	expect(JSON.stringify(hints)).toMatch(
		/\\"Email\\" was left out: \\"fulano@\\" cannot be read\. Give one/,
	);
	// A contact is nobody without them.
	const { error } = await engine.run(contact('create', { name: 'A', phone: '98765-4321' }));
	expect(error?.message).toMatch(/^"Phone" cannot be read as one phone number/);
});

describe('Update', () => {
	const update = async (contactId: unknown, fields: IDataObject) => {
		const parameters = contact('update', {
			contactId: `${String(contactId)}`,
			updateFields: fields,
		});
		return await lab.engine.run(parameters);
	};

	test('takes no email or phone of another contact', async () => {
		await create({ name: 'Ana Souza', phone, email });
		const id = await create({ name: 'Eva', email: 'b@example.com' });
		for (const fields of [{ email: 'A@example.com' }, { phone: '+55 11 98765-4321', name: 'E' }]) {
			const { error } = await update(id, fields);
			expect(error?.message).toMatch(/is that of another contact: Ana Souza · a@example.com/);
			expect(writes(lab.sandbox)).toEqual([]);
		}
	});

	test('takes its own, and new ones', async () => {
		const id = await create({ name: 'Eva', email });
		const { error, items } = await update(id, { email: 'A@example.com', phone });
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ id, phone });
	});
});
