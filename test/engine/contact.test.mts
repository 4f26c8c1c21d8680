/** Contacts are found by what is known of them, and made once. */
import type { IDataObject } from 'n8n-workflow';

import type { Lab } from '../helpers/lab.mts';
import { startLab, writes } from '../helpers/lab.mts';

let lab: Lab;

beforeAll(async () => {
	lab = await startLab({ seed: 5 });
});
beforeEach(() => lab.sandbox.controls.reset());
afterAll(async () => await lab.sandbox.close());

const contact = (operation: string, parameters: IDataObject) => ({
	resource: 'contact',
	operation,
	...parameters,
});
const asked = () =>
	lab.sandbox.controls
		.requests()
		.map(({ method, query, body }) => [method, method === 'GET' ? query : body]);
const phone = '+5511987654321';
const ninth = { tryNinthDigit: true };

async function made(fields: IDataObject): Promise<unknown> {
	const { items } = await lab.engine.run(contact('create', fields));
	lab.sandbox.controls.clearRequests();
	return items[0].json.id;
}

describe('Find or Create', () => {
	const findOrCreate = (fields: IDataObject) => contact('findOrCreate', fields);

	test('finds by phone, and asks no further', async () => {
		const id = await made({ phone, email: 'a@example.com' });
		const { items } = await lab.engine.run(
			findOrCreate({
				name: 'Contact A',
				phone: '55 11 98765-4321',
				email: 'b@example.com',
				options: { defaultCountryCode: '55' },
			}),
		);
		expect(items[0].json).toMatchObject({
			id,
			created: false,
			matchedBy: 'phone',
			matchedValue: phone,
		});
		expect(asked()).toEqual([['GET', { phone }]]);
	});

	test('finds by email when nobody has the phone', async () => {
		const id = await made({ email: 'a@example.com' });
		const { items } = await lab.engine.run(findOrCreate({ phone, email: 'a@example.com' }));
		expect(items[0].json).toMatchObject({ id, created: false, matchedBy: 'email' });
	});

	test('creates when nobody has either', async () => {
		const fields = { name: 'Contact A', phone, email: 'a@example.com' };
		const { items } = await lab.engine.run(findOrCreate(fields));
		expect(items[0].json).toMatchObject({ ...fields, created: true });
		expect(asked()).toEqual([
			['GET', { phone }],
			['GET', { email: 'a@example.com' }],
			['POST', fields],
		]);
	});

	test('creates once, however many items are the same person', async () => {
		lab.sandbox.controls.latency({ ms: 5 });
		const input = Array.from({ length: 12 }, (_, n) => ({
			phone: n % 2 ? '5511987654321@c.us' : '551187654321@c.us',
		}));
		const parameters = findOrCreate({ phone: '={{ $json.phone }}', options: ninth });
		const { items } = await lab.engine.run(parameters, { input });
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(1);
		expect(items.map(({ json }) => json.created)).toEqual(input.map((_, n) => n === 0));
		expect(writes(lab.sandbox)).toHaveLength(1);
	});

	test('creates nothing when it could not look', async () => {
		lab.sandbox.controls.fault({ kind: 'status', status: 403, match: { method: 'GET' } });
		const { error } = await lab.engine.run(findOrCreate({ phone }));
		expect(error?.description).toMatch(/probably needs the scope "contacts:read"/);
		expect(writes(lab.sandbox)).toEqual([]);
	});

	test('needs something to look for', async () => {
		const { error } = await lab.engine.run(findOrCreate({ name: 'Contact A' }));
		expect(error?.message).toBe(
			'A contact is looked for by "Phone" and by "Email", and both are empty',
		);
		expect(asked()).toEqual([]);
	});

	test('does not send a contact twice when nobody knows what became of it', async () => {
		lab.sandbox.controls.fault({ kind: 'reset', when: 'after', match: { method: 'POST' } });
		const { error } = await lab.engine.run(findOrCreate({ phone }));
		expect(error?.description).toMatch(/^It may have been recorded all the same/);
		// The next run finds it.
		const { items } = await lab.engine.run(findOrCreate({ phone }));
		expect(items[0].json).toMatchObject({ created: false, phone });
	});
});

describe('Lookup', () => {
	test.each([
		['stored without the 9', '+551187654321', phone],
		['stored with the 9', phone, '+551187654321'],
	])('finds a number %s, on request', async (_, stored, given) => {
		const id = await made({ phone: stored });
		const plain = await lab.engine.run(contact('lookup', { phone: given }));
		expect(plain.error?.message).toBe(`No contact has the phone ${given}`);
		lab.sandbox.controls.clearRequests();
		const { items } = await lab.engine.run(contact('lookup', { phone: given, options: ninth }));
		expect(items[0].json).toMatchObject({ id, matchedBy: 'phone', matchedValue: stored });
		expect(asked()).toEqual([
			['GET', { phone: given }],
			['GET', { phone: stored }],
		]);
	});

	test('asks once when the number is found, or has no other form', async () => {
		await made({ phone });
		await lab.engine.run(contact('lookup', { phone, options: ninth }));
		await lab.engine.run(contact('lookup', { phone: '+14155550100', options: ninth }));
		expect(asked()).toHaveLength(2);
	});

	test.each([
		['null', null],
		['an empty list', []],
		['an empty list by name', { contacts: [], pagination: { total: 0 } }],
		['nothing under its name', { contact: null }],
		['an empty object', {}],
	])('takes %s for nobody', async (_, data) => {
		lab.sandbox.controls.fault({ kind: 'status', status: 200, body: { success: true, data } });
		const { error } = await lab.engine.run(contact('lookup', { email: 'a@example.com' }));
		expect(error?.message).toBe('No contact has the email a@example.com');
	});

	test('takes the first of several, and says so', async () => {
		const data = { contacts: [{ id: '1' }, { id: '2' }] };
		lab.sandbox.controls.fault({ kind: 'status', status: 200, body: { success: true, data } });
		const { items, hints } = await lab.engine.run(contact('lookup', { email: 'a@example.com' }));
		expect(items[0].json).toMatchObject({ id: '1' });
		expect(hints.map(({ message }) => message)).toEqual([
			'2 records matched, and the first was taken.',
		]);
	});
});
