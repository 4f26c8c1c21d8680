/** How headings of a spreadsheet are compared, and what becomes of their columns; test/corpus has what people call them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { deburr, mapValues, times } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../nodes/IntegrationLeads/values/json';
import type { ConvertContext } from '../../nodes/IntegrationLeads/values/context';
import { labelOf, meaningOf } from '../../nodes/IntegrationLeads/columns/headings';
import { HEADINGS } from '../../nodes/IntegrationLeads/lexicon/headings';
import type { InputError } from '../../nodes/IntegrationLeads/userError';
import { toMappedLead } from '../../nodes/IntegrationLeads/columns/columns';
import { mapperFields } from '../../nodes/IntegrationLeads/columns/mapping';

const fieldOf = (heading: string) => meaningOf([heading])?.field;
const headings = Object.entries(HEADINGS).flatMap(([field, list]) =>
	list.split(', ').map((heading) => [heading, field]),
);

it('every field that a column is read as has a label, also the parts of a name and of a phone', () => {
	const labels = ['externalId', 'saleDate', 'firstName', 'areaCode', 'leadId'].map(labelOf);
	expect(labels).toEqual(['External ID', 'Sale Date', 'First name', 'Area code', 'Lead ID']);
});

// Orders have a status, a source and a priority too.
it('every column of the manual mapping is understood, by its name and label or as that of the lead', () => {
	for (const { id, displayName } of mapperFields) {
		const isShared = ['status', 'source', 'priority'].includes(id);
		const names = [id, displayName].map((name) => (isShared ? `Lead ${name}` : name));
		expect(names.map(fieldOf)).toEqual([id, id]);
	}
	expect(Object.keys(HEADINGS).sort()).toEqual(mapperFields.map(({ id }) => id).sort());
});

it('no heading is in the table twice', () => {
	const keys = headings.map(([heading]) => deburr(heading.toLowerCase()).replace(/[^a-z]/g, ''));
	expect(keys.filter((key, position) => keys.indexOf(key) !== position)).toEqual([]);
});

it('case, accents in either form of Unicode, spaces and punctuation do not matter', () => {
	const entry = fc.constantFrom(...headings);
	const accents = fc.constantFrom(
		(text: string) => text,
		(text: string) => text.normalize('NFD'),
		deburr,
	);
	const separator = fc.constantFrom('', ' ', '_', '-', '. ', ' / ');
	fc.assert(
		fc.property(entry, fc.boolean(), accents, separator, (...drawn) => {
			const [[heading, field], upper, spell, between] = drawn;
			const cased = upper ? spell(heading).toUpperCase() : spell(heading).toLowerCase();
			expect(fieldOf(cased.split(/[ -]/).join(between))).toBe(field);
		}),
	);
});

/** The lead of a row, or what is wrong with it; the headings of what is not sent, and why values are left out. */
function leadOf(
	row: object,
	options?: IDataObject,
	mapping?: unknown,
	onAnswers?: ConvertContext['onAnswers'],
) {
	const unsent: string[] = [];
	const leftOut: Record<string, string> = {};
	const context: ConvertContext = {
		label: 'Fields',
		timezone: 'UTC',
		countryCode: '55',
		input: row as IDataObject,
		options,
		onAnswers,
		onUnsent: (unknown) => unsent.push(...unknown),
		onLeftOut: (heading, reason) => void (leftOut[heading] = reason),
	};
	try {
		const lead = toMappedLead(mapping ?? { mappingMode: 'autoMapInputData' }, context);
		return { lead, unsent, leftOut };
	} catch (error) {
		const { message, description } = error as InputError;
		return { lead: message, remedy: description, unsent, leftOut };
	}
}

const phone = '+5511987654321';
const saying = (text: string) => expect.stringContaining(text) as string;

const lines = readFileSync(join(__dirname, '../corpus/rows.txt'), 'utf8').split('\n').slice(2);
it.each(lines.filter((line) => line.startsWith('{')).map((line) => line.split(/ => | \/\/ /)))(
	'%s => %s, left out %s',
	(row, expected, reasons = '{}') => {
		const { lead, leftOut } = leadOf(JSON.parse(row) as object);
		const wanted = JSON.parse(expected) as unknown;
		expect(lead).toEqual(typeof wanted === 'string' ? saying(wanted) : wanted);
		expect(leftOut).toEqual(mapValues(JSON.parse(reasons) as Record<string, string>, saying));
	},
);

// A column that the user named is a choice.
it('of two people, the one whose column is the external ID is taken', () => {
	const row = {
		cus_email: 'ana@firma.com',
		cus_name: 'Ana',
		student_email: 'eva@firma.com',
		Email: 'EVA@firma.com',
		Telefone: phone,
	};
	expect(leadOf(row, { externalIdColumn: 'student_email' }).lead).toEqual({
		externalId: 'eva@firma.com',
		contact: { email: 'eva@firma.com', phone },
	});
});

test.each([
	[
		{ contacts: [{ email: 'a@b.co' }, { phone: '11987654321' }] },
		/^Put a Split Out node with "contacts"/,
	],
	[{ contact_1_email: 'a@b.co', contact_2_phone: '11987654321' }, /^Make an item of each/],
])('two people in %j: %s', (row, remedy) => {
	expect(leadOf(row).remedy).toMatch(remedy);
});

// Where the work grows with the square of the length, this takes minutes and times out.
it('a list of thousands of people is refused', () => {
	const contacts = times(8000, (n) => ({ name: `Ana ${n}`, email: `a${n}@firma.com` }));
	expect(leadOf({ contacts }).lead).toEqual(saying('"contacts" has several people'));
});

const buyer = { email: 'a@b.co', city: 'X' };
const labelled = [
	{ label: 'Email', type: 'x', value: 'a@b.co' },
	{ label: 'City', value: 'X' },
];
it.each<[object, IDataObject, string[]]>([
	[{ Nome: 'A', Loja: 'x', Cor: ' ', Tamanho: null, row_number: 2 }, {}, ['Loja']],
	[{ Pedido: 1, Loja: 'x' }, { externalIdColumn: 'pedido' }, ['Loja']],
	[{ contact: 'Ana', outros: { nome: 'A', x: { y: 1 } } }, {}, ['outros']],
	[{ Nome: 'A', Situação: 'Aberto', Source: 'x' }, {}, ['Situação', 'Source']],
	[{ data: { buyer, sale: { id: 1, by: 2 } } }, {}, ['data.buyer.city', 'data.sale']],
	[{ fields: labelled }, {}, ['fields.City']],
	[times(12).reduce((inner: object) => ({ data: inner }), buyer), {}, ['data']],
	[{ payload: { name: 'Form' }, producer: buyer }, {}, ['producer']],
	[{ '': 1, '*': 1, 日本: 1, 'Email 日本': 1 }, {}, ['', '*', '日本', 'Email 日本']],
	[{ toString: 1, ['__proto__']: 1, ID: 1 }, {}, ['toString', '__proto__', 'ID']],
])('of the row %j with %j, %j are not sent', (row, options, unsent) => {
	expect(leadOf(row, options).unsent).toEqual(unsent);
});

it.each<[object, string, string[]]>([
	[{ Email: 'a@b.co', Mensagem: 'Olá', token: 'x', submittedAt: 1 }, 'Mensagem: Olá', ['token']],
	[{ fields: labelled, headers: { host: 'x' } }, 'City: X', ['headers']],
	// Secrets are no answers, by their names or by their forms: Google Ads' lead form webhook, agentphone-mcp 64 (26 Nov 2026).
	[
		{ body: { Email: 'a@b.co', Mensagem: 'Olá', google_key: 'x1', Senha: 'x2', hottok: 'x3' } },
		'Mensagem: Olá',
		['body.google_key', 'body.Senha', 'body.hottok'],
	],
	[
		{ Mensagem: 'Olá', 'mot de passe': 'x', contraseña: 'x', Kennwort: 'x', CVV: '123' },
		'Mensagem: Olá',
		['mot de passe', 'contraseña', 'Kennwort', 'CVV'],
	],
	[
		{
			a: 'sk_live_0123456789',
			b: 'eyJhbGciOiJI.x',
			c: '4111 1111 1111 1111',
			e: '378282246310005',
			d: 'ab12'.repeat(8),
		},
		'',
		['a', 'b', 'c', 'e', 'd'],
	],
	[
		// A phone and an order number with the check digit of a card.
		{ Chaveiro: 'sim', Passeio: 'Centro', Pedido: '12345678901237', Recado: '5511900000010' },
		'Chaveiro: sim\nPasseio: Centro\nPedido: 12345678901237\nRecado: 5511900000010',
		[],
	],
	// Tally's options have IDs (https://tally.so/help/webhooks, pipedream 9129, 26 Nov 2026).
	[
		{
			fields: [
				{
					label: 'Cidade',
					value: ['o1', 'o2'],
					options: [
						{ id: 'o1', text: 'A' },
						{ id: 'o2', text: 'B' },
					],
				},
			],
			eventType: 'FORM_RESPONSE',
		},
		'Cidade: A, B',
		['eventType'],
	],
	[{ nodeId: '7', 'id do nó': '8', Covid: 'não' }, 'id do nó: 8\nCovid: não', ['nodeId']],
	// Two questions of one label have two answers.
	[
		{ Filho: 'A', data: { fields: [{ label: 'Filho', value: 'B' }], Filho: 'A' } },
		'Filho: B\nFilho: A',
		[],
	],
	// A row of a spreadsheet is sent again and again.
	[{ Email: 'a@b.co', Mensagem: 'Olá', row_number: 2 }, '', ['Mensagem']],
])('of the form %j, the answers are %j, and %j are not sent', (row, expected, unsent) => {
	let answers = '';
	const lead = leadOf(row, {}, undefined, (words) => (answers = words));
	expect([answers, lead.unsent]).toEqual([expected, unsent]);
});

it.each<[unknown, unknown]>([
	[
		{ externalId: ' e ', phone: '(11) 98765-4321' },
		{ externalId: 'e', contact: { phone } },
	],
	[{ phone: 'ask' }, saying('"Phone" cannot be read')],
	[{}, {}],
	[null, undefined],
])('%j, mapped by hand, is %j', (value, lead) => {
	expect(leadOf({ Nome: 'x' }, {}, { mappingMode: 'defineBelow', value }).lead).toEqual(lead);
});

it('without a mapping there is no lead', () => {
	expect(toMappedLead(null, { label: 'Fields', timezone: 'UTC' })).toBeUndefined();
});

// The same lead, however its address is written.
it.each<[object, unknown, string?]>([
	[{ 'E-mail': 'Ana <Ana@Firma.com>' }, 'ana@firma.com'],
	[{ WhatsApp: '(11) 8765-4321' }, phone],
	[{ Pedido: ' A-1 ' }, 'A-1'],
	[{ body: { fields: { email: { value: 'A@b.co', raw: 1 } } } }, 'a@b.co', 'fields[email][value]'],
	[{ 'fields[email][value]': 'A@b.co' }, 'a@b.co'],
	[{ body: { email: 'A@b.co', nr: 7 }, nr: 8 }, 'a@b.co', 'email'],
	[{ body: { nr: 7 }, nr: 8 }, '8', 'nr'],
	[{ body: { nr: 7 }, data: { nr: 8 } }, saying('two columns'), 'nr'],
	[{ fields: [{ label: 'CPF', value: '7' }] }, '7', 'cpf'],
	[{ 'E-mail': 'não tem' }, saying('"E-mail" must be an email')],
])(
	'the external ID of %j, named by its column, is %j (%s)',
	(row, externalId, name = undefined) => {
		const options = { externalIdColumn: name ?? Object.keys(row)[0].toUpperCase() };
		const { lead } = leadOf(row, options);
		expect(isRecord(lead) ? lead.externalId : lead).toEqual(externalId);
	},
);

// The heading of Typeform, and a misspelt one.
describe('External ID Column', () => {
	const row = { '#': 'x7f', Email: 'ana@example.com' };
	it('may be a sign', () => {
		expect(leadOf(row, { externalIdColumn: '#' })).toMatchObject({ lead: { externalId: 'x7f' } });
	});

	it('is refused if no item of the run has it, and not if only this one lacks it', () => {
		const read = (inputs: IDataObject[]) =>
			toMappedLead(
				{ mappingMode: 'autoMapInputData', value: null },
				{
					label: 'Fields',
					timezone: 'UTC',
					input: row,
					inputs,
					options: { externalIdColumn: 'Order' },
				},
			);
		expect(() => read([row, row])).toThrow('No item has the column "Order"');
		expect(read([row, { Order: '7' }])).toEqual({ contact: { email: 'ana@example.com' } });
	});
});

// Keys of lead ads: developers.facebook.com/docs/marketing-api/guides/lead-ads/retrieving and Google's webhook (28 Nov 2026).
describe('the ad of a lead form', () => {
	const read = (input: IDataObject) => {
		const said: IDataObject = {};
		toMappedLead(
			{ mappingMode: 'autoMapInputData', value: null },
			{
				label: 'Fields',
				timezone: 'UTC',
				input,
				onAd: (ad) => void (said.ad = ad),
				onAnswers: (answers) => void (said.answers = answers),
				onUnsent: (unsent) => void (said.unsent = unsent),
			},
		);
		return said;
	};
	it.each([
		[
			{
				gcl_id: 'Cj0',
				campaign_id: 7,
				form_id: 9,
				api_version: '1.0',
				is_test: false,
				cidade: 'X',
			},
			{ answers: 'cidade: X', ad: { gclid: 'Cj0', campaign_id: 7, form_id: 9 } },
		],
		[
			{ leadgen_id: '123', ad_id: '4', form_name: 'Casa', locale: 'pt_BR', platform: 'ig' },
			{ ad: { lead_id: '123', ad_id: '4', form_name: 'Casa' } },
		],
		[
			{ email: 'ana@example.com', gclid: 'Cj0' },
			{ ad: { gclid: 'Cj0' }, answers: 'gclid: Cj0' },
		],
		[{ form_id: '1', form_name: 'Contato', status: 'novo' }, { answers: 'status: novo' }],
		[
			{ utm_campaign: 'BF 26', status: 'novo' },
			{ answers: 'utm_campaign: BF 26\nstatus: novo', ad: { utm_campaign: 'BF 26' } },
		],
		[
			{ utm_campaign: 'BF 26', gclid: 'Cj0' },
			{ answers: 'utm_campaign: BF 26', ad: { utm_campaign: 'BF 26', gclid: 'Cj0' } },
		],
	])('%j', (input, expected) => {
		expect(read(input as IDataObject)).toMatchObject(expected);
	});

	// github.com/n8n-io/n8n packages/nodes-base/nodes/FacebookLeadAds/FacebookLeadAdsTrigger.node.ts (29 Nov 2026), simplified or not.
	const id = '1234567890123456';
	const answers = 'qual_o_seu_interesse? Compra';
	const form = { id: '223456789012345', name: 'Casa', locale: 'pt_BR', status: 'ACTIVE' };
	const beside = {
		ad: { id: '1', name: 'Anúncio' },
		adset: { id: '2', name: 'Conjunto' },
		page: { id: '323456789012345', name: 'Loja Sul' },
		created_time: '2026-01-31T14:30:00+0000',
	};
	const ad = {
		lead_id: id,
		ad_id: '1',
		ad_name: 'Anúncio',
		adset_id: '2',
		adset_name: 'Conjunto',
		form_id: form.id,
		form_name: 'Casa',
	};
	const data = { email: 'ana@example.com', 'qual_o_seu_interesse?': 'Compra' };
	const field_data = Object.entries(data).map(([name, value]) => ({ name, values: [value] }));
	const questions = [
		{ id: '1', key: 'email', label: 'E-mail', type: 'EMAIL' },
		{ id: '2', key: 'i', label: 'I', type: 'CUSTOM', options: [{ key: 'c', value: 'Compra' }] },
	];
	const event = { ad_id: '1', form_id: form.id, leadgen_id: id, page_id: '323456789012345' };
	it.each<[string, object, object]>([
		['simplified', { id, data, form, ...beside }, ad],
		// Its export as a file has prefixes.
		[
			'exported',
			{ id: `l:${id}`, ...data, ad_id: 'ag:1', form_id: 'f:9' },
			{ lead_id: `l:${id}`, ad_id: 'ag:1', form_id: 'f:9' },
		],
		['whole', { id, field_data, form: { ...form, questions }, ...beside, event }, ad],
		[
			'of the Graph API',
			{ id, created_time: '2026-01-31', field_data, form_id: '9', campaign: { id: '7' } },
			{ lead_id: id, form_id: '9', campaign_id: '7' },
		],
		[
			'of the Graph API without an ad',
			{ id, field_data, form_id: '9' },
			{ lead_id: id, form_id: '9' },
		],
	])('of a lead of Meta, %s', (_, input, expected) => {
		const { unsent, ...said } = read(input as IDataObject);
		expect(said).toEqual({ answers, ad: expected });
		expect(unsent ?? []).not.toContain('id');
	});

	it.each<object>([
		{ id, email: 'ana@example.com', form },
		{ id, email: 'ana@example.com', cidade: 'X' },
		{ id: '42', email: 'ana@example.com', ad: { id: '1' } },
	])('%j has no ID of a lead', (input) => {
		expect(read(input as IDataObject).ad ?? {}).not.toHaveProperty('lead_id');
	});

	it.each<IDataObject>([
		{ email: 'ana@example.com', is_test: true },
		{ full_name: '<test lead: dummy data for full_name>' },
		{ lead: { testLead: true } },
	])('%j is a test', (input) => {
		expect(() => read(input)).toThrow('test lead');
	});
});

it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
	'a key may be called %s, as properties of every object are',
	(key) => {
		const input = JSON.parse(`{"${key}": {"phone": "1", "x": "2"}, "Nome": "Ana"}`) as object;
		expect(leadOf(input).lead).toEqual({ contact: { name: 'Ana' } });
		const list = JSON.parse(
			`{"x": [["y"], {"${key}": "1"}, [{"${key}": "1"}]], "Nome": "Ana"}`,
		) as object;
		expect(leadOf(list).lead).toEqual({ contact: { name: 'Ana' } });
		const names = JSON.parse(`{"lastName": [null, [{"${key}": "1"}], "Ana"]}`) as object;
		expect(leadOf(names).lead).toEqual({ contact: { name: 'Ana' } });
	},
);
