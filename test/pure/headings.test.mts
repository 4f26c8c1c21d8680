/** How headings of a spreadsheet are compared, and what becomes of their columns; test/corpus has what people call them. */
import fc from 'fast-check';
import { deburr, mapValues, times } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../nodes/IntegrationLeads/values/json';
import type { ConvertContext } from '../../nodes/IntegrationLeads/values/context';
import { HEADINGS, meaningOf } from '../../nodes/IntegrationLeads/columns/headings';
import { toMappedLead } from '../../nodes/IntegrationLeads/columns/columns';
import { leadColumns } from '../../nodes/IntegrationLeads/columns/mapping';

const fieldOf = (heading: string) => meaningOf([heading])?.field;
const headings = Object.entries(HEADINGS).flatMap(([field, list]) =>
	list.split(', ').map((heading) => [heading, field]),
);

// Composed and decomposed accents look the same.
it('accents may be written in either form of Unicode', () => {
	const fields = ['NFC', 'NFD'].map((form) => fieldOf('Situação do lead'.normalize(form)));
	expect(fields).toEqual(['status', 'status']);
});

// Orders have a status, a source and a priority too.
it('every column of the manual mapping is understood, by its name and label or as that of the lead', () => {
	for (const { id, displayName } of leadColumns) {
		const isShared = ['status', 'source', 'priority'].includes(id);
		const names = [id, displayName].map((name) => (isShared ? `Lead ${name}` : name));
		expect(names.map(fieldOf)).toEqual([id, id]);
	}
	expect(Object.keys(HEADINGS).sort()).toEqual(leadColumns.map(({ id }) => id).sort());
});

it('no heading is in the table twice', () => {
	const keys = headings.map(([heading]) => deburr(heading.toLowerCase()).replace(/[^a-z]/g, ''));
	expect(keys.filter((key, position) => keys.indexOf(key) !== position)).toEqual([]);
	expect(keys).not.toContain('');
});

it('case, accents, spaces and punctuation do not matter', () => {
	const entry = fc.constantFrom(...headings);
	const separator = fc.constantFrom('', ' ', '_', '-', '. ', ' / ');
	fc.assert(
		fc.property(entry, fc.boolean(), fc.boolean(), separator, (...drawn) => {
			const [[heading, field], upper, accents, between] = drawn;
			const plain = accents ? heading : heading.normalize('NFD').replace(/\p{M}/gu, '');
			const cased = upper ? plain.toUpperCase() : plain.toLowerCase();
			expect(fieldOf(cased.split(/[ -]/).join(between))).toBe(field);
		}),
	);
});

/** The lead of a row, or what is wrong with it. `unsent` receives the headings of what is not sent. */
function leadOf(
	row: object,
	options?: IDataObject,
	unsent: string[] = [],
	mapping?: unknown,
	more: Partial<ConvertContext> = {},
) {
	const onUnsent = (unknown: string[]) => unsent.push(...unknown);
	const input = row as IDataObject;
	const own = { label: 'Fields', timezone: 'UTC', countryCode: '55', input, options, onUnsent };
	const context: ConvertContext = { ...own, ...more };
	try {
		return toMappedLead(mapping ?? { mappingMode: 'autoMapInputData' }, context);
	} catch (error) {
		const { message, description } = error as { message: string; description: string };
		return `${message}. ${description}`;
	}
}

const phone = '+5511987654321';
const saying = (text: string) => expect.stringContaining(text) as string;

it.each<[object, unknown]>([
	[{ Telefone: '', WhatsApp: phone }, { contact: { phone } }],
	[{ Telefone: '(11) 98765-4321', WhatsApp: '5511987654321@c.us' }, { contact: { phone } }],
	[{ Telefone: phone, WhatsApp: '551187654321@c.us' }, { contact: { phone } }],
	[
		{ Email: 'ana@firma.com', Mail: 'Ana <ANA@firma.com>' },
		{ contact: { email: 'ana@firma.com' } },
	],
	[{ Valor: '1.500,00', Value: 1500 }, { estimatedValue: 1500 }],
	[
		{ name: 'A', contact: { id: 'c' } },
		{ contactId: 'c', contact: { name: 'A' } },
	],
	[{ name: 'A', contact: { name: 'A' } }, { contact: { name: 'A' } }],
	[{ Telefone: '', Celular: null }, {}],
	[{ Tags: ' , ', Etiquetas: 'a' }, { tags: ['a'] }],
	// An ID of another case is another one.
	[{ 'External ID': 'a', 'ID externo': 'A' }, saying('two columns for "External ID"')],
	[{ 'External ID': 'a', 'ID externo': 'crm-' }, saying('"ID externo" lacks a part')],
])('the row %j is %j', (row, lead) => {
	expect(leadOf(row)).toEqual(lead);
});

const other = '+5511987654322';
const ana = { name: 'Ana Silva', email: 'ana@firma.com' };
// [the row, the lead, the columns that are left out]
it.each<[object, unknown, Record<string, string>, Partial<ConvertContext>?]>([
	// Of two phones the mobile, and then the one that says so.
	[
		{ Telefone: '(11) 3333-4444', Celular: phone },
		{ contact: { phone } },
		{ Telefone: 'another phone' },
	],
	[{ Celular: '(11) 3333-4444', Tel: phone }, { contact: { phone } }, { Celular: 'another phone' }],
	[
		{ Telefone: other, Celular: '', WhatsApp: phone },
		{ contact: { phone } },
		{ Telefone: '"WhatsApp"' },
	],
	[{ Telefone: phone, WhatsApp: 'ask' }, { contact: { phone } }, { WhatsApp: 'cannot be read' }],
	// Of other values that differ, none.
	[{ Email: 'a@firma.com', Mail: 'b@firma.com' }, {}, { Email: 'several', Mail: 'several' }],
	[{ Valor: 1, Value: 2 }, {}, { Valor: 'several', Value: 'several' }],
	[{ name: 'A', contact: { name: 'B' } }, {}, { name: 'several', 'contact.name': 'several' }],
	// First and last name, whose words the full name may have.
	[{ Nome: 'Ana', Sobrenome: ' Silva ' }, { contact: { name: 'Ana Silva' } }, {}],
	[
		{ Name: 'Ana B. Silva', 'First Name': 'ANA', 'Last Name': 'Silva' },
		{ contact: { name: 'Ana B. Silva' } },
		{},
	],
	[
		{ Name: 'Deal', 'First Name': 'Ana', 'Last Name': 'Silva' },
		{ contact: { name: 'Ana Silva' } },
		{ Name: 'another name' },
	],
	// Whose row it is.
	[
		{ cus_name: 'Ana', student_name: 'Eva', Tags: 'a' },
		{ contact: { name: 'Ana' }, tags: ['a'] },
		{ student_name: 'another person' },
	],
	[{ Nome: 'Ana', 'Nome do aluno': 'Eva' }, {}, { Nome: 'several', 'Nome do aluno': 'several' }],
	[
		{ cus_name: 'Ana', student_email: 'a@firma.com' },
		{ contact: { email: 'a@firma.com' } },
		{ cus_name: 'another person' },
	],
	// Who gets the parcel: the email is not theirs.
	[
		{ Email: ana.email, 'Billing Name': ana.name, 'Shipping Name': 'Eva', 'Shipping Phone': phone },
		{ contact: ana },
		{ 'Shipping Name': 'another person', 'Shipping Phone': 'another person' },
	],
	[
		{ email: ana.email, shipping_address: { name: 'Eva', phone } },
		{ contact: { email: ana.email } },
		{ 'shipping_address.name': 'another person', 'shipping_address.phone': 'another person' },
	],
	[{ shipping: { name: 'Eva', phone } }, { contact: { name: 'Eva', phone } }, {}],
	[
		{ email: 'ANA@firma.com', customer: ana, Name: '#1' },
		{ contact: { name: ana.name, email: 'ANA@firma.com' } },
		{ Name: 'no name' },
	],
	[{ name: 'Form', data: { customer: ana } }, { contact: ana }, { name: 'something else' }],
	[
		{ attendees: [ana, { name: 'Eva' }] },
		{ contact: ana },
		{ 'attendees.1.name': 'another person' },
	],
	[
		{ Email: 'a@firma.com', Telefone: phone, cus_email: 'b@firma.com' },
		{ contact: { phone } },
		{ Email: 'several', cus_email: 'several' },
	],
	// That an address is the primary one is no address.
	[
		{ emails: [{ value: 'a@firma.com', primary: true }] },
		{ contact: { email: 'a@firma.com' } },
		{},
	],
	// An area code that the phone has already, two of them, and one of somebody else.
	[{ 'Area code': '11', Phone: '11 98765-4321' }, { contact: { phone } }, {}],
	[{ DDD: '11', 'Area code': '21', Celular: '98888-7777' }, saying('"Celular" cannot be read'), {}],
	[
		{ area_code: '21', customer: { phone: '98888-7777' } },
		saying('"customer.phone" cannot be read'),
		{ area_code: 'without a phone' },
	],
	// What does not fit.
	[{ Nome: '#A1' }, {}, { Nome: 'no name of a person' }],
	[{ Nome: '#1001' }, {}, { Nome: 'no name of a person' }],
	[{ Nome: 'EN1001' }, {}, { Nome: 'no name of a person' }],
	[{ Nome: '5511987654321' }, {}, { Nome: 'no name of a person' }],
	[{ Valor: '10 %' }, {}, { Valor: 'no amount in reais' }],
	[{ Valor: 'US$ 10' }, {}, { Valor: 'no amount in reais' }],
	[{ Valor: '10 euros' }, {}, { Valor: 'no amount in reais' }],
	[{ Valor: 10, Moeda: 'USD' }, {}, { Valor: 'no amount in reais' }],
	[{ Valor: 'R$ 10', Moeda: 'BRL' }, { estimatedValue: 10 }, {}],
	[{ 'ID externo': 'a', Protocolo: '2026-0042' }, { externalId: 'a' }, { Protocolo: 'no code' }],
	[{ Protocolo: 'XY-99-12' }, {}, { Protocolo: 'no code' }],
	[
		{ 'Lead Status': 'Closed Won', 'Prioridade do lead': 'A' },
		{ status: 'closed_won' },
		{ 'Prioridade do lead': 'not documented' },
	],
	[
		{ DDD: '11', DDI: 'BR', Nome: 'Ana' },
		{ contact: { name: 'Ana' } },
		{ DDD: 'without a phone', DDI: 'dialled' },
	],
])('the row %j is %j, and left out are %j', (row, lead, leftOut, more = {}) => {
	const reasons: Record<string, unknown> = {};
	const onLeftOut = (heading: string, reason: unknown) => (reasons[heading] = reason);
	expect(leadOf(row, {}, [], undefined, { onLeftOut, ...more })).toEqual(lead);
	expect(reasons).toEqual(mapValues(leftOut, saying));
});

// A column that the user named is a choice.
it('of two people, the one whose column is the external ID is taken', () => {
	const row = {
		cus_email: 'ana@firma.com',
		cus_name: 'Ana',
		student_email: 'eva@firma.com',
		Email: 'EVA@firma.com',
		Telefone: phone,
	};
	expect(leadOf(row, { externalIdColumn: 'student_email' })).toEqual({
		externalId: 'eva@firma.com',
		contact: { email: 'eva@firma.com', phone },
	});
});

it.each<[object, IDataObject, string[]]>([
	[{ Nome: 'A', Loja: 'x', Cor: ' ', Tamanho: null, row_number: 2 }, {}, ['Loja']],
	[{ Pedido: 1, Loja: 'x' }, { externalIdColumn: 'pedido' }, ['Loja']],
	[{ contact: 'Ana', dados: { nome: 'A', x: { y: 1 } } }, {}, ['contact', 'dados']],
	[
		{ data: { buyer: { email: 'a@b.co', city: 'X' }, sale: { id: 1, by: 2 } } },
		{},
		['data.buyer.city', 'data.sale'],
	],
	[
		{
			fields: [
				{ label: 'Email', type: 'x', value: 'a@b.co' },
				{ label: 'City', value: 'X' },
			],
		},
		{},
		['fields.1'],
	],
	[times(12).reduce((inner: object) => ({ data: inner }), { email: 'a@b.co' }), {}, ['data']],
	[{ payload: { name: 'Form' }, producer: { email: 'a@b.co' } }, {}, ['producer']],
	[{ '': 1, '*': 1, 日本: 1, 'Email 日本': 1 }, {}, ['', '*', '日本', 'Email 日本']],
	[{ toString: 1, ['__proto__']: 1, ID: 1 }, {}, ['toString', '__proto__', 'ID']],
])('of the row %j with %j, %j are not sent', (row, options, headings) => {
	const unsent: string[] = [];
	leadOf(row, options, unsent);
	expect(unsent).toEqual(headings);
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
	expect(leadOf({ Nome: 'x' }, {}, [], { mappingMode: 'defineBelow', value })).toEqual(lead);
});

it('without a mapping there is no lead', () => {
	expect(toMappedLead(null, { label: 'Fields', timezone: 'UTC' })).toBeUndefined();
});

// The same lead, however its address is written.
it.each<[object, unknown, string?]>([
	[{ 'E-mail': 'Ana <Ana@Firma.com>' }, 'ana@firma.com'],
	[{ 'E-mail do cliente': ' ANA@firma.com\u200b' }, 'ana@firma.com'],
	[{ WhatsApp: '(11) 98765-4321' }, phone],
	[{ WhatsApp: '(11) 8765-4321' }, phone],
	[{ Pedido: ' A-1 ' }, 'A-1'],
	[{ body: { fields: { email: { value: 'A@b.co', raw: 1 } } } }, 'a@b.co', 'fields[email][value]'],
	[{ body: { email: 'A@b.co', nr: 7 }, nr: 8 }, 'a@b.co', 'email'],
	[{ body: { nr: 7 }, nr: 8 }, '8', 'nr'],
	[{ body: { nr: 7 }, data: { nr: 8 } }, saying('two columns'), 'nr'],
	[{ fields: [{ label: 'CPF', value: '7' }] }, '7', 'cpf'],
	[{ 'E-mail': 'não tem' }, saying('"E-mail" must be an email')],
	[{ WhatsApp: '98765-4321' }, saying('"WhatsApp" must be an email, or')],
])(
	'the external ID of %j, named by its column, is %j (%s)',
	(row, externalId, name = undefined) => {
		const lead = leadOf(row, { externalIdColumn: name ?? Object.keys(row)[0].toUpperCase() });
		expect(isRecord(lead) ? lead.externalId : lead).toEqual(externalId);
	},
);
