/** Lead > Record Sale: one lead, found by all that is given, and one sale in it. */
import type { IDataObject } from 'n8n-workflow';

import type { FaultRule } from '../../sandbox/faults.mts';
import { called, fastClock, realClock, useLab, writes } from '../helpers/lab.mts';

const lab = useLab({ seed: 5 });
const ANA = { email: 'ana@firma.com', phone: '+5511987654321' };
const SALE = { soldOn: '2026-01-31', saleValue: 'R$ 1.500,50' };
const ZONE = { timezone: 'America/Sao_Paulo' };
const SENT = { status: 'closed_won', saleDate: '2026-01-31T03:00:00.000Z', estimatedValue: 1500.5 };
let ana: string;

const sale = (parameters: IDataObject) => called('lead.recordSale', { ...SALE, ...parameters });
const record = async (parameters: IDataObject, how: object = {}) =>
	await lab.engine.run(sale(parameters), { ...ZONE, ...how });
const lead = (id = ana) => lab.sandbox.store.leads.get(id);
const sent = () => writes(lab.sandbox).map(({ method, path, body }) => [method, path, body]);
const paths = () => lab.sandbox.controls.requests().map(({ method, path }) => `${method} ${path}`);

async function create(contact: IDataObject, fields: IDataObject = {}): Promise<string> {
	const { items } = await lab.engine.run(called('contact.create', contact));
	const { id } = lab.sandbox.controls.createLead({
		contactId: items[0].json.id as string,
		...fields,
	});
	lab.sandbox.controls.clearRequests();
	return id;
}

beforeEach(async () => {
	ana = await create(ANA, { externalId: 'crm-1' });
});

test.each<[IDataObject]>([
	[{ externalId: 'crm-1' }],
	[{ email: 'ANA@firma.com' }],
	[{ phone: '+55 11 8765-4321' }],
	[{ externalId: 'crm-1', email: ANA.email, phone: ANA.phone }],
	[{ externalId: 'crm-1', email: 'new@firma.com' }],
])('status, date and value go to the one lead of %j in one request', async (whose) => {
	const { items, error } = await record(whose);
	expect(error).toBeUndefined();
	expect(sent()).toEqual([['POST', '/leads', { externalId: 'crm-1', ...SENT }]]);
	const saleDate = '2026-01-31T00:00:00.000-03:00';
	const recorded = { ...SENT, saleDate };
	expect(items).toMatchObject([{ json: { id: ana, alreadyRecorded: false, ...recorded } }]);
	expect(items[0].json).not.toHaveProperty('linked');
});

test('a lead is found by its ID; one without an external ID is updated by it', async () => {
	const other = await create({ email: 'eva@firma.com' });
	await record({ saleLeadId: other });
	expect(sent()).toEqual([['PUT', `/leads/${other}`, SENT]]);
});

test('of two leads with the email, the external ID says which', async () => {
	const { contactId } = lead()!;
	lab.sandbox.controls.createLead({ contactId, externalId: 'crm-2' });
	expect((await record({ externalId: 'crm-1', email: ANA.email })).error).toBeUndefined();
	expect((await record({ email: ANA.email })).error?.message).toContain('leads to 2 leads');
	expect(sent()).toHaveLength(1);
});

test.each<[string, IDataObject, RegExp]>([
	['no lead', { email: 'no@x.co' }, /^No lead has the email "no@x.co"$/],
	['no such ID', { saleLeadId: 'crm-1' }, /^No lead has the ID "crm-1"$/],
	[
		'another lead',
		{ externalId: 'crm-9', email: ANA.email },
		/unclear which lead is meant: the external ID "crm-9" leads to .*crm-9.*; the email .*crm-1/,
	],
	['nothing to find it by', {}, /"Email" and "Phone" are empty/],
	['no value', { externalId: 'crm-1', saleValue: '={{ "" }}' }, /^"Value" is empty/],
	['no date', { externalId: 'crm-1', soldOn: '={{ "" }}' }, /^"Sale Date" is empty/],
	[
		'an amount that was given back',
		{ externalId: 'crm-1', saleValue: '-100' },
		/^"Value" must be a/,
	],
	[
		'what was free',
		{ externalId: 'crm-1', saleValue: '={{ 0 }}' },
		/^"Value" must be above zero: 0/,
	],
	['no amount', { externalId: 'crm-1', saleValue: 'a lot' }, /^"Value" must be/],
])('fails, and sends nothing: %s', async (_, parameters, message) => {
	await create({ email: 'eva@firma.com' }, { externalId: 'crm-9' });
	const { error } = await record(parameters);
	expect(error?.message).toMatch(message);
	expect(sent()).toEqual([]);
});

describe('a lead that has a sale', () => {
	const has = (fields: object) => {
		lab.sandbox.controls.changeLead({ id: ana, status: 'closed_won', ...fields });
		lab.sandbox.controls.clearRequests();
	};

	test.each<[string, IDataObject]>([
		['the same', SENT],
		['later that day, where the workflow is', { ...SENT, saleDate: '2026-02-01T01:30:00.000Z' }],
	])('%s: nothing is sent', async (_, fields) => {
		has(fields);
		const { items } = await record({ externalId: 'crm-1' });
		expect(items).toMatchObject([{ json: { id: ana, alreadyRecorded: true } }]);
		expect(sent()).toEqual([]);
	});

	test('the same with another status is said, not changed', async () => {
		has({ ...SENT, status: 'open' });
		const { items } = await record({ externalId: 'crm-1' });
		const differences = 'Status is "open", not "closed_won".';
		expect(items).toMatchObject([{ json: { alreadyRecorded: true, differences } }]);
	});

	test.each<[IDataObject, string]>([
		[{ ...SENT, estimatedValue: 20 }, '20 on 2026-01-31'],
		[{ ...SENT, saleDate: '2026-02-01T03:00:00.000Z' }, '1500.5 on 2026-02-01'],
		[
			{ ...SENT, saleDate: '2026-02-01T03:00:00.000Z', estimatedValue: null },
			'no value on 2026-02-01',
		],
	])(
		'another: the item fails with both, unless it may be overwritten: %j',
		async (fields, known) => {
			has(fields);
			const { error } = await record({ externalId: 'crm-1' });
			expect(error?.message).toBe(
				`The lead crm-1 has another sale: ${known}, not 1500.5 on 2026-01-31`,
			);
			expect(error?.description).toContain('Options > Overwrite');
			expect(sent()).toEqual([]);
			const { items } = await record({ externalId: 'crm-1', options: { overwrite: true } });
			expect(items).toMatchObject([{ json: { alreadyRecorded: false, replaced: known } }]);
			expect(lead()).toMatchObject({ estimatedValue: 1500.5 });
		},
	);

	test.each<[string, IDataObject]>([
		['an estimate', { saleDate: null, estimatedValue: 900, status: 'open' }],
		['a status', { saleDate: null, estimatedValue: null }],
		['half of this sale', { saleDate: SENT.saleDate, estimatedValue: null }],
	])('%s is no other sale', async (_, fields) => {
		has(fields);
		expect((await record({ externalId: 'crm-1' })).error).toBeUndefined();
		expect(lead()).toMatchObject({ estimatedValue: 1500.5, status: 'closed_won' });
	});
});

describe('a sale that the service may hide', () => {
	const answers = (fields: object) => {
		const body = {
			success: true,
			data: { id: ana, externalId: 'crm-1', status: 'open', ...fields },
		};
		const match = { method: 'GET', path: ana };
		lab.sandbox.controls.fault({ kind: 'status', status: 200, body, times: 9, match });
	};

	test.each<[object, boolean]>([
		[{}, false],
		[{ estimatedValue: 7777 }, false],
		[{ estimatedValue: SENT.estimatedValue }, false],
		[{ estimatedValue: null }, true],
		[{ saleDate: null }, true],
	])('a lead that shows %j is written: %s', async (fields, isSent) => {
		answers(fields);
		const { error } = await record({ externalId: 'crm-1' });
		expect(sent()).toHaveLength(isSent ? 1 : 0);
		if (isSent) return;
		expect(error?.message).toMatch(
			/^The service does not show whether the lead crm-1 has another sale$/,
		);
		expect(error?.description).toMatch(/^Nothing was sent, .* switch on Options > Overwrite/);
		await record({ externalId: 'crm-1', options: { overwrite: true } });
		expect(sent()).toHaveLength(1);
	});
});

const soon = new Date(Date.now() + 40 * 24 * 3_600_000).toISOString().slice(0, 10);

test.each([
	['recordSale', sale({ externalId: 'crm-1', soldOn: soon })],
	['upsert', { operation: 'upsert', externalId: 'x-1', additionalFields: { saleDate: soon } }],
])('a sale in the future is recorded, and said: %s', async (_, parameters) => {
	const { items, hints } = await lab.engine.run(parameters, ZONE);
	expect(items[0].json.differences).toBe(`The sale date ${soon} is in the future.`);
	expect(hints.map(({ message }) => message)).toEqual([expect.stringMatching(/in the future/)]);
	expect(sent()).toHaveLength(1);
});

test.each([
	'30/12/1899',
	'1899-12-30T00:00:00.000Z',
	'0001-01-01T00:00:00',
	'1970-01-01',
	1,
	'31/12/9999',
])('a row whose date stands for none records no sale: %j', async (date) => {
	const input = [{ 'External ID': 'crm-1', Date: date, Value: 100 }];
	const { error } = await record({ specifySale: 'columns' }, { input });
	expect(error?.message).toContain(JSON.stringify(date));
	expect(sent()).toEqual([]);
});

describe('the answer', () => {
	const answer = (data: object, more: Partial<FaultRule> = {}) => {
		const body = { success: true, data: { id: ana, externalId: 'crm-1', ...data } };
		const match = { method: 'POST' };
		lab.sandbox.controls.fault({
			kind: 'status',
			status: 200,
			body,
			match,
			when: 'after',
			...more,
		});
	};

	test('without the sale: the lead is read', async () => {
		answer({});
		const { items } = await record({ externalId: 'crm-1' });
		expect(paths()).toEqual([
			'GET /leads/crm-1',
			`GET /leads/${ana}`,
			'POST /leads',
			`GET /leads/${ana}`,
		]);
		expect(items).toMatchObject([
			{ json: { id: ana, alreadyRecorded: false, estimatedValue: 1500.5 } },
		]);
	});

	test.each<[string, object, RegExp]>([
		['another sale', { ...SENT, estimatedValue: 1500 }, /has 1500 on 2026-01-31 and the status/],
		['another status', { ...SENT, status: 'open' }, /1500.5 on 2026-01-31 and the status "open"$/],
	])('with %s: the item fails', async (_, shown, message) => {
		answer(shown);
		const { error } = await record({ externalId: 'crm-1' });
		expect(error?.message).toMatch(message);
		expect(error?.description).not.toContain('Nothing was sent');
	});

	test('of a service that never shows sales: the item says that it is not known', async () => {
		answer({});
		answer({ status: 'closed_won' }, { times: 9, match: { method: 'GET' }, when: 'before' });
		const options = { output: 'inputWithResult', overwrite: true };
		const { items } = await record({ externalId: 'crm-1', options });
		expect(items[0].json.result).toMatch(/^unclear: .*does not show whether the lead has it/);
	});

	// The request is repeated, then n8n repeats the node: at last the lead has the sale, which is its own.
	test.each([1, 3])(
		'lost %i times: the sale is recorded, and not called an earlier one',
		async (times) => {
			fastClock(200);
			const match = { method: 'POST' };
			lab.sandbox.controls.fault({ kind: 'status', status: 503, when: 'after', times, match });
			const { items, error } = await record({ externalId: 'crm-1' }, { retry: true });
			realClock();
			expect([error, lead()?.estimatedValue]).toEqual([undefined, 1500.5]);
			expect(items[0].json.alreadyRecorded).not.toBe(true);
		},
	);
});

test('a row that is not plainly a sale is not recorded, says why, and fails nothing', async () => {
	const row = { 'External ID': 'crm-1', Data: '2026-01-31', Valor: '10,00' };
	const input = [
		{ ...row, Status: 'Cancelado' },
		{ ...row, Status: 'Pago' },
	];
	const parameters = called('lead.recordSale', { specifySale: 'columns' });
	const { items, error } = await lab.engine.run(parameters, { input });
	expect(error).toBeUndefined();
	expect(items[0].json).toEqual({
		externalId: 'crm-1',
		result: expect.stringMatching(/^not recorded: "Status" is "Cancelado"/),
	});
	expect(items[1].json).toMatchObject({ alreadyRecorded: false, estimatedValue: 10 });
	expect(sent()).toHaveLength(1);
	// What is mapped by hand is sent.
	const byHand = await record(
		{ externalId: 'crm-1', saleValue: '20', options: { overwrite: true } },
		{ input: [{ Status: 'Cancelado' }] },
	);
	expect(byHand.items).toMatchObject([{ json: { estimatedValue: 20 } }]);
});

test('a column that may be the one that is missing is named', async () => {
	const input = [
		{
			'E-mail': ANA.email,
			'Valor bruto': '300',
			Bruto: '27,00',
			Pago: 'sim',
			Liquidado: '01/11/2026',
		},
	];
	const { error } = await record({ specifySale: 'columns' }, { input });
	expect(error?.message).toContain('"Value" is empty');
	expect(error?.description).toContain('Not read: "Liquidado".');
	expect(error?.description).toContain('Not read: "Valor bruto", "Bruto".');
	expect(error?.description).not.toContain('Pago');
});

describe('many', () => {
	const rows = (input: IDataObject[]) =>
		record({ specifySale: 'columns', options: { output: 'inputWithResult' } }, { input });
	const results = ({ items }: { items: Array<{ json: IDataObject }> }) =>
		items.map(({ json }) => json.result);

	test('rows of two leads that share an email name no other where Lead ID decides', async () => {
		const { store, controls } = lab.sandbox;
		const { id: contactId } = store.createContact({ email: 'office@firma.com' });
		const ids = ['a', 'b'].map((externalId) => controls.createLead({ externalId, contactId }).id);
		const sale = { 'E-mail': 'office@firma.com', Data: '2026-02-01', Valor: 10 };
		const ran = await rows(ids.map((id) => ({ 'Lead ID': id, ...sale })));
		expect(results(ran)).toEqual(['recorded', 'recorded']);
	});

	test('rows of a sheet come back with what became of each', async () => {
		const eva = await create({ email: 'eva@firma.com' });
		const own = { 'ID externo': 'crm-1', Data: '31/01/2026', Valor: 'R$ 1.500,50' };
		const ran = await rows([
			{ row_number: 2, Pedido: '1', ...own, Nome: 'Ana', Status: 'Pago' },
			{ row_number: 3, 'E-mail': 'eva@firma.com', 'Data da venda': '2026-02-01', Total: 900 },
			{ row_number: 4, 'E-mail': 'nobody@firma.com', Data: '2026-02-01', Valor: 10 },
			{ row_number: 5, 'ID externo': 'crm-1', Data: '2026-02-01', Valor: 20 },
			{ row_number: 6, ...own, Valor: '1500,5' },
			{ row_number: 7, ...own, Total: 20 },
			{ row_number: 8, 'Lead ID': 'x', ...own, Data: 'sexta', Valor: '1 €' },
		]);
		expect(results(ran)).toEqual([
			'recorded; the same lead as rows 5, 6',
			'recorded',
			'refused: No lead has the email "nobody@firma.com"',
			'not recorded: the lead crm-1 has another sale: 1500.5 on 2026-01-31, not 20 on 2026-02-01. A second sale needs a lead of its own: create it with the number of the order as External ID, and give that ID with the sale; the same lead as rows 2, 6',
			'already recorded; the same lead as rows 2, 5',
			expect.stringMatching(
				/^refused: "Valor" is empty.*; "Valor" was left out: .*several values.*"Total" was left out/,
			),
			expect.stringMatching(
				/^refused: .*"Data" must be a date.*"Valor" was left out: "1 €" is not an amount in reais/,
			),
		]);
		expect(ran.hints.map(({ message }) => message).join()).toContain(
			'says why. Row 4: No lead has the email "nobody@firma.com". Row 7: "Valor" is empty. Row 8: ',
		);
		expect(ran.items[0].json).toMatchObject({ Pedido: '1', row_number: 2 });
		expect(ran.items[0].json).not.toHaveProperty('leftOut');
		expect(lead(eva)).toMatchObject({ estimatedValue: 900, saleDate: '2026-02-01T03:00:00.000Z' });
		// Two sales, the note of an order, and the name that the contact of crm-1 lacked.
		expect(sent()).toHaveLength(4);
	});

	test('rows of one lead are never sent at once, whatever leads to it, also by two executions', async () => {
		lab.sandbox.controls.latency({ ms: 5, jitterMs: 10 });
		const whose = [{ 'External ID': 'crm-1' }, { Email: ANA.email }, { 'Lead ID': ana }];
		const input = whose.map((each) => ({ ...each, Date: '2026-01-31', Value: '10,50' }));
		const both = await Promise.all([rows(input), rows(input)]);
		const words = both.flatMap(results).map((each) => String(each).split(';')[0]);
		expect(words.sort()).toEqual([...Array<string>(5).fill('already recorded'), 'recorded']);
		expect(sent()).toHaveLength(1);
	});
});
