/** What is blank in a contact is filled; what is there stays, and the output says what differs. */
import type { IDataObject } from 'n8n-workflow';

import { called, fastClock, useLab, writes } from '../helpers/lab.mts';

const lab = useLab({ seed: 5 }, () => fastClock(200));
const PHONE = '+5511987654321';
const EMAIL = 'ana@firma.com';
const NAME = 'Ana Silva';
const WHOLE = { name: NAME, email: EMAIL, phone: PHONE };

let contactId: string;
/** A contact with these fields, and a lead of it. */
async function known(fields: IDataObject, lead: object = { externalId: 'crm-1' }) {
	const { items } = await lab.engine.run(called('contact.create', fields));
	contactId = String(items[0].json.id);
	lab.sandbox.controls.createLead({ contactId, ...lead });
	lab.sandbox.controls.clearRequests();
}
const held = () => lab.sandbox.store.contact(contactId);
const sent = () => lab.sandbox.controls.requests().map(({ method, route }) => `${method} ${route}`);
const fills = () => writes(lab.sandbox).filter(({ method }) => method === 'PUT');

const upsert = (fields: IDataObject) => ({ operation: 'upsert', ...fields });
const sale = (fields: IDataObject) =>
	called('lead.recordSale', { soldOn: '2026-01-31', saleValue: '10', ...fields });

test.each<[what: string, has: IDataObject, parameters: IDataObject, filled: IDataObject]>([
	['by external ID', { phone: PHONE }, upsert({ externalId: 'crm-1', ...WHOLE }), WHOLE],
	[
		'by a tracking link',
		{ phone: PHONE },
		upsert({ protocol: 'ML-AB12-CD34', externalId: 'x-1', email: EMAIL }),
		{ email: EMAIL },
	],
	['a number that appears later', { email: EMAIL }, upsert(WHOLE), WHOLE],
	['Find or Create', { email: EMAIL }, called('contact.findOrCreate', WHOLE), WHOLE],
	[
		'Record Sale',
		{ phone: PHONE, name: 'A' },
		sale({ phone: PHONE, email: EMAIL }),
		{ email: EMAIL, name: 'A' },
	],
])('%s', async (_, has, parameters, filled) => {
	await known(has, { externalId: 'crm-1', protocol: 'ML-AB12-CD34' });
	const { items, hints, error } = await lab.engine.run(parameters);
	expect([error, hints]).toEqual([undefined, []]);
	expect(held()).toMatchObject({ ...has, ...filled });
	expect(fills()).toHaveLength(1);
	expect(Object.keys(fills()[0].body as object)).not.toContain(Object.keys(has)[0]);
	expect(items[0].json).toMatchObject(filled);
	expect(items[0].json).not.toHaveProperty('differences');
	// The same once more changes nothing.
	await lab.engine.run(parameters);
	expect(fills()).toHaveLength(1);
});

test.each<[requests: number, parameters: IDataObject]>([
	[1, upsert({ externalId: 'crm-1', email: EMAIL, name: NAME })],
	// The contact is read for its phone, which leads do not show.
	[2, upsert({ externalId: 'crm-1', ...WHOLE })],
	[2, upsert({ externalId: 'new', ...WHOLE })],
	[2, upsert({ email: EMAIL, name: NAME })],
	// The email and the name say whose lead it is.
	[3, upsert(WHOLE)],
	// The search for the phone, and the contact that it leads to, show whether both are one person's.
	[4, upsert({ email: EMAIL, phone: PHONE })],
	[4, upsert({ ...WHOLE, name: 'Ana S.' })],
	[2, called('contact.findOrCreate', WHOLE)],
	[3, sale({ email: EMAIL })],
])('where nothing is blank, nothing is read for it: %d requests', async (requests, parameters) => {
	await known(WHOLE);
	await lab.engine.run(parameters);
	expect(sent()).toHaveLength(requests);
});

test.each([
	['Create or Update', upsert({ ...WHOLE, phone: '+5511900000000' }), 'Phone', PHONE],
	['Find or Create', called('contact.findOrCreate', { ...WHOLE, name: 'Bea' }), 'Name', NAME],
])('%s: what differs stays, and is said once', async (_, parameters, field, value) => {
	await known(WHOLE);
	const { items, hints } = await lab.engine.run(parameters, { input: [{}, {}] });
	expect(held()).toMatchObject(WHOLE);
	expect(fills()).toEqual([]);
	const said = expect.stringMatching(
		new RegExp(`^Contact ${field} is "${value.replace('+', '\\+')}", not "[^"]+"\\.$`),
	) as string;
	expect(items).toMatchObject([{ json: { differences: said } }, { json: { differences: said } }]);
	expect(hints).toHaveLength(1);
});

test.each(['items', 'executions'])(
	'of two %s that fill one contact, the first does',
	async (what) => {
		await known({ phone: PHONE });
		lab.sandbox.controls.createLead({ contactId, externalId: 'crm-2' });
		lab.sandbox.controls.latency({ ms: 5, jitterMs: 10 });
		const parameters = upsert({ externalId: '={{ $json.id }}', name: '={{ $json.id }}' });
		const input = [{ id: 'crm-1' }, { id: 'crm-2' }];
		const inputs = what === 'items' ? [input] : input.map((each) => [each]);
		const runs = await Promise.all(
			inputs.map((each) => lab.engine.run(parameters, { input: each })),
		);
		const differences = runs.flatMap(({ items }) => items.map(({ json }) => json.differences));
		expect(differences.filter(Boolean)).toHaveLength(1);
		expect(fills()).toHaveLength(1);
	},
);

test('a phone that an item has filled finds the lead for the next one', async () => {
	// The search for the end of the number finds it before it has the number.
	const email = 'ana87654321@firma.com';
	await known({ email });
	const parameters = upsert({ email: '={{ $json.email }}', phone: '={{ $json.phone }}' });
	const input = [{ email, phone: PHONE }, { phone: PHONE }];
	const { items } = await lab.engine.run(parameters, { input });
	expect(items.map(({ json }) => json.externalId)).toEqual(['crm-1', 'crm-1']);
});

test('an answer that is lost leaves nothing half done', async () => {
	await known({ phone: PHONE });
	const match = { method: 'PUT' };
	const fault = { kind: 'status', status: 503, when: 'after', times: 5, match } as const;
	lab.sandbox.controls.fault(fault);
	const parameters = upsert({ externalId: 'crm-1', email: EMAIL });
	const { items, error } = await lab.engine.run(parameters, { retry: true });
	expect(error).toBeUndefined();
	expect(items).toMatchObject([{ json: { email: EMAIL } }]);
	expect(writes(lab.sandbox).filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test.each(['contacts:write', 'contacts:read'])(
	'without %s leads are recorded, and a hint says so',
	async (lacks) => {
		await known({ phone: PHONE });
		const all = ['leads:read', 'leads:write', 'contacts:read', 'contacts:write'];
		const { key } = lab.sandbox.controls.addKey({ scopes: all.filter((each) => each !== lacks) });
		const parameters = upsert({ externalId: 'crm-1', email: EMAIL });
		const { items, hints } = await lab.withKey(key).run(parameters, { input: [{}, {}, {}] });
		expect(items).toMatchObject(Array(3).fill({ json: { externalId: 'crm-1' } }));
		expect(items[0].json.differences).toBe(`Contact Email is empty, not "${EMAIL}".`);
		const about = hints.filter(({ message }) => message.includes('"contacts:write"'));
		// All items lack it, so that none is named.
		expect(about).toMatchObject([{ message: expect.stringMatching(/^Contacts may lack a name/) }]);
		expect(held()).toMatchObject({ email: null });
		const tries = lab.sandbox.controls.requests().filter(({ path }) => /^.contacts/.test(path));
		expect(tries).toHaveLength(lacks === 'contacts:read' ? 1 : 2);
	},
);

test('a refusal of the service is said, and the lead is recorded', async () => {
	await known({ phone: PHONE });
	const body = { success: false, error: { code: 'CONFLICT', message: 'email is taken' } };
	lab.sandbox.controls.fault({ kind: 'status', status: 409, body, match: { method: 'PUT' } });
	const { items, error } = await lab.engine.run(upsert({ externalId: 'crm-1', email: EMAIL }));
	expect(error).toBeUndefined();
	expect(items[0].json.differences).toMatch(/email is taken.* Contact Email is empty/);
});

// The service keeps the contact of a lead that is pushed again as it is (assumed, as the sandbox does).
test.each([
	['by its ID', { 'External ID': 'crm-1', Nome: NAME, 'E-mail': EMAIL }],
	['by its phone', { WhatsApp: PHONE, 'E-mail': EMAIL }],
])('Push Leads: what was left out of a row and is corrected in it arrives, %s', async (_, row) => {
	await known({ phone: PHONE, name: NAME }, { externalId: 'crm-1' });
	const left = 'created; "E-mail" was left out: "ana@" cannot be read. Give one address';
	const lead = { mappingMode: 'autoMapInputData', value: null };
	const push = called('sync.push', { lead, options: { output: 'inputWithResult' } });
	const { items, error } = await lab.engine.run(push, { input: [{ ...row, result: left }] });
	expect(error).toBeUndefined();
	expect(items).toMatchObject([{ json: { ...row, result: 'updated' } }]);
	expect(held()).toMatchObject({ email: EMAIL, phone: PHONE, name: NAME });
	// Any other row is sent in its batch alone.
	lab.sandbox.controls.clearRequests();
	await lab.engine.run(push, { input: [{ 'External ID': 'crm-1', result: 'created' }] });
	expect(sent()).toEqual(['POST POST /sync']);
});

test('Push Leads: a correction that fails leaves the row recorded, and is made again', async () => {
	await known({ phone: PHONE, name: NAME }, { externalId: 'crm-1', notes: 'old' });
	const row = { 'External ID': 'crm-1', 'E-mail': EMAIL };
	const result = 'created; "E-mail" was left out: "ana@" cannot be read. Give one address';
	const lead = { mappingMode: 'autoMapInputData', value: null };
	const push = called('sync.push', { lead, options: { output: 'inputWithResult' } });
	lab.sandbox.controls.fault({
		kind: 'status',
		status: 422,
		match: { method: 'PUT', path: '/contacts/' },
	});
	const first = await lab.engine.run(push, { input: [{ ...row, result }] });
	expect(first.items[0].json.result).toMatch(/^updated; "Contact" was left out: /);
	const { items } = await lab.engine.run(push, { input: [first.items[0].json] });
	expect(items[0].json.result).toBe('updated');
	expect(held()).toMatchObject({ email: EMAIL });
});

describe('without leads:read, whose an email or a phone is cannot be seen', () => {
	const owners = () => {
		const scopes = ['leads:write', 'contacts:read', 'contacts:write'];
		return lab.withKey(lab.sandbox.controls.addKey({ scopes }).key);
	};

	test('it is left out, and the hint names this scope', async () => {
		await known({ email: EMAIL, name: NAME });
		const { hints } = await owners().run(upsert({ externalId: 'crm-1', ...WHOLE }));
		const messages = hints.map(({ message }) => message);
		expect(messages).toContainEqual(
			expect.stringMatching(/^Emails and phones were left out of contacts.* scope "leads:read"/),
		);
		expect(messages.join()).not.toContain('contacts:write');
		expect(held()).toMatchObject({ phone: null });
	});

	test('names are filled all the same', async () => {
		await known({ email: 'bia@firma.com' }, { externalId: 'crm-2' });
		const withoutName = contactId;
		await known({ email: EMAIL, name: NAME });
		const bia = { externalId: 'crm-2', email: 'bia@firma.com', name: 'Bia Lima' };
		const input = [...Array<IDataObject>(12).fill({ externalId: 'crm-1', ...WHOLE }), bia];
		await owners().run(called('lead.upsert', { specifyLead: 'columns' }), { input });
		expect(lab.sandbox.store.contact(withoutName)).toMatchObject({ name: 'Bia Lima' });
	});
});
