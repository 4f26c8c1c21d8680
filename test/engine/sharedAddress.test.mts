/** An email or a phone that another lead has: it is not filled into a second contact, and the output of the item says so. */
import { setTimeout } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { by, called, useLab, writes } from '../helpers/lab.mts';
import { evolution } from '../helpers/webhooks.mts';

const lab = useLab({ seed: 0, rpm: 0 });

const ANA = { name: 'Ana Souza', email: 'ana@example.com', phone: '+5511911111111' };
const BIA = { name: 'Bia Lima', email: 'bia@example.com' };
const COLUMNS = { mappingMode: 'autoMapInputData', value: null };
const upsert = called('lead.upsert', { specifyLead: 'columns', lead: COLUMNS });
const push = called('sync.push', { lead: COLUMNS });
const VISIT = { submittedAt: 'x', formMode: 'production' };

const run = async (parameters: IDataObject, ...input: IDataObject[]) =>
	await lab.engine.run(parameters, { input });
function create(contact: object, externalId: string) {
	const { store, controls } = lab.sandbox;
	const { id: contactId } = store.createContact(contact);
	controls.createLead({ externalId, contactId, createdAt: '2026-01-01' });
	return contactId;
}
const phoneOf = (contactId: string) => lab.sandbox.store.contact(contactId)?.phone;
const notes = () =>
	writes(lab.sandbox).flatMap(({ route, body }) =>
		route?.endsWith('/interactions') ? [(body as IDataObject).description] : [],
	);
const LEFT_OUT = new RegExp(
	`The phone "\\${ANA.phone}" was left out of the contact, because another lead has it: Ana Souza`,
);

test('of a form is left out each time, noted once, and said each time', async () => {
	create(ANA, 'crm-1');
	const visit = { ...VISIT, ...BIA, Phone: ANA.phone, Mensagem: 'Oi' };
	for (const isFirst of [true, false, false]) {
		const { items, error } = await run(upsert, visit);
		expect([error, items[0].json.created]).toEqual([undefined, isFirst]);
		expect(items[0].json.differences).toMatch(LEFT_OUT);
		expect(phoneOf(String(items[0].json.contactId))).toBeFalsy();
	}
	expect(notes()).toEqual([`Mensagem: Oi\nPhone: ${ANA.phone}`]);
});

test.each<[string, IDataObject, IDataObject]>([
	['by email', upsert, { ...BIA, Phone: ANA.phone }],
	['by external ID', upsert, { 'External ID': 'crm-2', ...BIA, Phone: ANA.phone }],
	['in a push', push, { ...BIA, Phone: ANA.phone }],
	[
		'with a sale',
		called('lead.recordSale', { specifySale: 'columns' }),
		{ Date: '2026-01-31', Value: '10', ...BIA, Phone: ANA.phone },
	],
])('of a row of a known person is not filled: %s', async (_, parameters, row) => {
	create(ANA, 'crm-1');
	const bia = create(BIA, 'crm-2');
	const { items, error } = await run(parameters, row);
	expect([error, phoneOf(bia)]).toEqual([undefined, null]);
	expect(items[0].json.differences).toMatch(LEFT_OUT);
	const options = { output: 'inputWithResult' };
	const { items: rows } = await run({ ...parameters, options }, row);
	expect(rows[0].json.result).toMatch(LEFT_OUT);
});

test('that several leads have is left out as well', async () => {
	create(ANA, 'crm-1');
	create(ANA, 'crm-2');
	const bia = create(BIA, 'crm-3');
	const { items } = await run(upsert, { ...BIA, Phone: ANA.phone });
	expect(items[0].json.differences).toMatch(/was left out of the contact\. .* leads to 2 leads: /);
	expect(phoneOf(bia)).toBeNull();
});

test('that no other lead has is filled', async () => {
	const bia = create(BIA, 'crm-2');
	const { items } = await run(upsert, { ...BIA, Phone: ANA.phone });
	expect([items[0].json.differences, phoneOf(bia)]).toEqual([undefined, ANA.phone]);
});

describe('Note Other Columns decides nothing', () => {
	const row = { Name: BIA.name, Email: BIA.email, Phone: ANA.phone, Responsável: 'Eva' };
	const decide = async (parameters: IDataObject, noteColumns: boolean, input: IDataObject[]) => {
		lab.sandbox.controls.reset();
		create(ANA, 'crm-1');
		const options = { noteColumns, output: 'inputWithResult' };
		const { items, error } = await run({ ...parameters, options }, ...input);
		return [error?.message, items.map(({ json }) => json.result)];
	};

	test.each<[string, IDataObject, IDataObject[]]>([
		['a row that shares a phone', upsert, [{ row_number: 2, ...row }]],
		['a row that shares a phone, in a push', push, [{ row_number: 2, ...row }]],
		['a webhook that shares a phone, in a push', push, [row]],
		[
			'a row that shares an email',
			upsert,
			[{ row_number: 2, ...row, Email: ANA.email, Phone: '' }],
		],
		[
			'two rows that share a phone',
			push,
			[
				{ ...row, Name: 'Eva Reis', Email: 'eva@example.com', Phone: '+5511933333333' },
				{ ...row, Phone: '+5511933333333' },
			],
		],
	])('%s', async (_, parameters, input) => {
		const without = await decide(parameters, false, input);
		const noted = await decide(parameters, true, input);
		const said = (outcome: unknown) =>
			JSON.stringify(outcome).replaceAll(
				/; (?:the other columns or answers are a note in its history|not (?:sent|read as fields): \\"Responsável\\")/g,
				'',
			);
		expect(said(noted)).toBe(said(without));
	});

	test.each([false, true])('of a form, whose visitor is not refused: %s', async (noteColumns) => {
		const [message, results] = await decide(upsert, noteColumns, [
			{ ...VISIT, ...row, Mensagem: 'Oi' },
		]);
		expect([message, results]).toEqual([undefined, [expect.stringMatching(LEFT_OUT)]]);
	});
});

test('an email that is the external ID of a lead with another contact is said', async () => {
	create(ANA, BIA.email);
	const { items, error } = await run(upsert, { ...BIA });
	expect([error, items[0].json.created]).toEqual([undefined, false]);
	expect(items[0].json.differences).toMatch(
		/but one has the external ID "bia@example\.com" and was updated: Ana Souza · ana@example\.com/,
	);
	const { items: other } = await run(upsert, { email: 'eva@example.com' });
	expect(other[0].json.differences).toBeUndefined();
});

test.each<[string, object, object, differences: string]>([
	[
		'another name',
		{ name: 'Fabio Reis', phone: ANA.phone },
		{ Name: BIA.name, Email: BIA.email, Phone: ANA.phone },
		`Contact Name is "Fabio Reis", not "${BIA.name}". Contact Email is empty, not "${BIA.email}".`,
	],
	[
		'another email and no name',
		{ email: ANA.email, phone: ANA.phone },
		{ Name: BIA.name, Email: BIA.email, Phone: ANA.phone },
		`Contact Name is empty, not "${BIA.name}". Contact Email is "${ANA.email}", not "${BIA.email}".`,
	],
])('a contact with the phone and %s gets nothing of the person', async (_, has, row, said) => {
	const id = create(has, 'crm-1');
	const { items } = await run(upsert, row as IDataObject);
	expect(items[0].json).toMatchObject({ externalId: 'crm-1', differences: said });
	expect(writes(lab.sandbox).filter(({ method }) => method === 'PUT')).toEqual([]);
	expect(lab.sandbox.store.contact(id)).toMatchObject(has);
});

test('of two leads, in a push, changes no lead of the row before', async () => {
	create({ email: ANA.email }, 'crm-1');
	const bruno = { name: 'Bruno Lima', email: 'bruno@example.com' };
	const contactId = create(bruno, bruno.email);
	lab.sandbox.controls.createLead({ externalId: 'crm-2', contactId, createdAt: '2026-01-02' });
	const rows = [ANA, bruno, { ...bruno, phone: '+5511987650002', notes: 'Of Bruno' }];
	const { items } = await run(push, ...rows);
	const ids = ['crm-1', bruno.email, bruno.email];
	expect(items.map(({ json }) => json.externalId)).toEqual(ids);
	expect(lab.sandbox.store.leadByExternalId('crm-1')?.notes).toBeNull();
});

describe('of another lead, in an update', () => {
	const update = (contact: IDataObject) =>
		called('lead.update', { leadId: by('externalId', 'crm-2'), updateFields: { contact } });

	test.each<[string, IDataObject]>([
		['email', { email: ANA.email }],
		['phone', { phone: ANA.phone }],
	])('an %s is refused with the other lead', async (address, contact) => {
		create(ANA, 'crm-1');
		create(BIA, 'crm-2');
		const { error } = await run(update(contact), {});
		expect(error?.message).toMatch(
			RegExp(`^The ${address} ".*" is that of another lead: Ana Souza`),
		);
		expect(writes(lab.sandbox)).toEqual([]);
	});

	test.each<[string, IDataObject]>([
		['its own', { email: BIA.email }],
		['one that nobody has', { email: 'bia@example.org', phone: '+5511933333333' }],
	])('%s is sent', async (_, contact) => {
		create(ANA, 'crm-1');
		create(BIA, 'crm-2');
		const { error } = await run(update(contact), {});
		expect(error).toBeUndefined();
		expect(writes(lab.sandbox)).toMatchObject([{ method: 'PUT', body: { contact } }]);
	});

	test('that has the same contact is sent', async () => {
		const contactId = create(BIA, 'crm-2');
		lab.sandbox.controls.createLead({ externalId: 'crm-3', contactId });
		const { error } = await run(update({ email: BIA.email, name: 'Bia' }), {});
		expect(error).toBeUndefined();
	});
});

describe('two executions at the same time make one lead of one person', () => {
	const message = called('message.logFromWhatsApp', {
		payload: JSON.stringify(evolution(ANA.phone.slice(1), 'Oi')),
	});
	const saleOf = (buyer: object) =>
		called('lead.recordSale', {
			specifySale: 'webhook',
			ifNoLead: 'create',
			checkoutBody: JSON.stringify({
				event: 'PURCHASE_APPROVED',
				version: '2.0.0',
				data: {
					product: { id: 1 },
					buyer: { name: ANA.name, ...buyer },
					purchase: {
						approved_date: 1755543671489,
						price: { value: 287, currency_value: 'BRL' },
						status: 'APPROVED',
						transaction: 'HP1',
					},
				},
			}),
		});

	test.each<[string, IDataObject, IDataObject]>([
		['a form and a message of WhatsApp', ANA, message],
		[
			'a form and a sale, with the phone in another spelling',
			{ 'External ID': 'form-1', Name: ANA.name, Phone: '+5511987654321' },
			saleOf({ checkout_phone: '+551187654321' }),
		],
	])('%s', async (_, form, other) => {
		const match = { method: 'POST', path: 'leads$' };
		lab.sandbox.controls.fault({ kind: 'slow', when: 'later', ms: 900, match });
		const sent = run(upsert, form);
		await setTimeout(400);
		const ran = [await lab.engine.run(other), await sent];
		expect(ran.map(({ error }) => error)).toEqual([undefined, undefined]);
		expect(lab.sandbox.store.leads.size).toBe(1);
	});
});

test('of rows with IDs of two people in one push is said in the row of the second', async () => {
	const rows = [
		{ 'External ID': 'a', ...ANA },
		{ 'External ID': 'b', Nome: BIA.name, Telefone: ANA.phone },
		{ 'External ID': 'c', Nome: 'Ana S.', Telefone: ANA.phone },
		{ 'External ID': 'd', ...BIA },
	];
	const options = { output: 'inputWithResult' };
	const { items, error } = await run({ ...push, options }, ...rows);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.result)).toEqual([
		'created',
		'created; Contact Name is "Ana Souza", not "Bia Lima"',
		'created',
		'created',
	]);
	// The second row goes individually.
	expect(writes(lab.sandbox).some(({ path }) => path.endsWith('/sync'))).toBe(true);
});

test('a push that leads to an earlier lead by its external ID says so', async () => {
	create({ name: 'Ana Souza', email: 'new@example.com' }, 'ana@example.com');
	const { items, error } = await run(push, { Nome: 'Ana Souza', 'E-mail': 'ana@example.com' });
	expect(error).toBeUndefined();
	expect(items[0].json).toMatchObject({ created: false });
	expect(items[0].json.differences).toContain('one has the external ID "ana@example.com"');
});
