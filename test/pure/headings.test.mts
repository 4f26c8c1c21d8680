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
function leadOf(row: object, options?: IDataObject, mapping?: unknown) {
	const unsent: string[] = [];
	const leftOut: Record<string, string> = {};
	const context: ConvertContext = {
		label: 'Fields',
		timezone: 'UTC',
		countryCode: '55',
		input: row as IDataObject,
		options,
		onUnsent: (unknown) => unsent.push(...unknown),
		onLeftOut: (heading, reason) => void (leftOut[heading] = reason),
	};
	try {
		const lead = toMappedLead(mapping ?? { mappingMode: 'autoMapInputData' }, context);
		return { lead, unsent, leftOut };
	} catch (error) {
		return { lead: (error as Error).message, unsent, leftOut };
	}
}

const phone = '+5511987654321';
const saying = (text: string) => expect.stringContaining(text) as string;

/** Lines of `row => lead`, or what is wrong with it, then ` // ` and the columns that are left out, with the reason. */
const rows = (table: string) =>
	table
		.trim()
		.split('\n')
		.filter((line) => !line.startsWith('#'))
		.map((line) => line.split(/ => | \/\/ /));

it.each(
	rows(`
{"Telefone": "", "WhatsApp": "${phone}"} => {"contact": {"phone": "${phone}"}}
{"Telefone": "(11) 98765-4321", "WhatsApp": "5511987654321@c.us"} => {"contact": {"phone": "${phone}"}}
{"Telefone": "${phone}", "WhatsApp": "551187654321@c.us"} => {"contact": {"phone": "${phone}"}}
{"Email": "ana@firma.com", "Mail": "Ana <ANA@firma.com>"} => {"contact": {"email": "ana@firma.com"}}
{"Valor": "1.500,00", "Value": 1500} => {"estimatedValue": 1500}
{"name": "A", "contact": {"id": "c"}} => {"contactId": "c", "contact": {"name": "A"}}
{"name": "A", "contact": {"name": "A"}} => {"contact": {"name": "A"}}
{"Telefone": "", "Celular": null} => {}
{"Tags": " , ", "Etiquetas": "a"} => {"tags": ["a"]}
# An ID of another case is another one.
{"External ID": "a", "ID externo": "A"} => "two columns for \\"External ID\\""
{"External ID": "a", "ID externo": "crm-"} => "\\"ID externo\\" lacks a part"
# Of two phones, in two columns or in one cell, the mobile, and then the one that says so.
{"Telefone": "(11) 3333-4444", "Celular": "${phone}"} => {"contact": {"phone": "${phone}"}} // {"Telefone": "another phone"}
{"Celular": "(11) 3333-4444", "Tel": "${phone}"} => {"contact": {"phone": "${phone}"}} // {"Celular": "another phone"}
{"Telefone": "+5511987654322", "Celular": "", "WhatsApp": "${phone}"} => {"contact": {"phone": "${phone}"}} // {"Telefone": "\\"WhatsApp\\""}
{"Telefone": "(11) 3333-4444 / (11) 98765-4321"} => {"contact": {"phone": "${phone}"}} // {"Telefone": "+551133334444 is another phone"}
{"Telefone": "${phone}", "WhatsApp": "ask"} => {"contact": {"phone": "${phone}"}} // {"WhatsApp": "cannot be read"}
# Of other values that differ, none.
{"Email": "a@firma.com", "Mail": "b@firma.com"} => {} // {"Email": "several", "Mail": "several"}
{"Valor": 1, "Value": 2} => {} // {"Valor": "several", "Value": "several"}
{"name": "A", "contact": {"name": "B"}} => {} // {"name": "several", "contact.name": "several"}
# First and last names, whose words the full name may have. A nickname is none of them.
{"Nome": "Ana", "Sobrenome": " Silva ", "Segundo sobrenome": "Lima", "Apelido": "Aninha"} => {"contact": {"name": "Ana Silva Lima"}}
{"Nome": "Ana", "Sobrenome": "Silva", "Sobrenome 2": "Lima"} => {"contact": {"name": "Ana Silva Lima"}}
{"Nome completo": "Ana Silva", "Sobrenome": "Silva", "Segundo sobrenome": "Lima"} => {"contact": {"name": "Ana Silva Lima"}}
{"Name": "Ana B. Silva", "First Name": "ANA", "Last Name": "Silva"} => {"contact": {"name": "Ana B. Silva"}}
{"Name": "Deal", "First Name": "Ana", "Last Name": "Silva"} => {"contact": {"name": "Ana Silva"}} // {"Name": "another name"}
# Whose row it is.
{"cus_name": "Ana", "student_name": "Eva", "Tags": "a"} => {"contact": {"name": "Ana"}, "tags": ["a"]} // {"student_name": "another person"}
{"Nome": "Ana", "Nome do aluno": "Eva"} => {} // {"Nome": "several", "Nome do aluno": "several"}
{"cus_name": "Ana", "student_email": "a@firma.com"} => {"contact": {"email": "a@firma.com"}} // {"cus_name": "another person"}
# Who gets the parcel: the email is not theirs.
{"Email": "a@b.co", "Billing Name": "Ana", "Shipping Name": "Eva", "Shipping Phone": "${phone}"} => {"contact": {"name": "Ana", "email": "a@b.co"}} // {"Shipping Name": "another person", "Shipping Phone": "another person"}
{"email": "a@b.co", "shipping_address": {"name": "Eva", "phone": "${phone}"}} => {"contact": {"email": "a@b.co"}} // {"shipping_address.name": "another person", "shipping_address.phone": "another person"}
{"shipping": {"name": "Eva", "phone": "${phone}"}} => {"contact": {"name": "Eva", "phone": "${phone}"}}
{"email": "A@b.co", "customer": {"name": "Ana", "email": "a@b.co"}, "Name": "#1"} => {"contact": {"name": "Ana", "email": "A@b.co"}} // {"Name": "no name"}
{"name": "Form", "data": {"customer": {"name": "Ana", "email": "a@b.co"}}} => {"contact": {"name": "Ana", "email": "a@b.co"}} // {"name": "something else"}
{"attendees": [{"name": "Ana", "email": "a@b.co"}, {"name": "Eva"}]} => {"contact": {"name": "Ana", "email": "a@b.co"}} // {"attendees.1.name": "another person"}
{"Email": "a@b.co", "Telefone": "${phone}", "cus_email": "b@b.co"} => {"contact": {"phone": "${phone}"}} // {"Email": "several", "cus_email": "several"}
# That an address is the primary one is no address.
{"emails": [{"value": "a@b.co", "primary": true}]} => {"contact": {"email": "a@b.co"}}
# An area code that the phone has already, two of them, and one of somebody else.
{"Area code": "11", "Phone": "11 98765-4321"} => {"contact": {"phone": "${phone}"}}
{"DDD": "11", "Area code": "21", "Celular": "98888-7777"} => "\\"Celular\\" cannot be read"
{"area_code": "21", "customer": {"phone": "98888-7777"}} => "\\"customer.phone\\" cannot be read" // {"area_code": "without a phone"}
{"DDD": "11", "DDI": "BR", "Nome": "Ana"} => {"contact": {"name": "Ana"}} // {"DDD": "without a phone", "DDI": "dialled"}
# What does not fit.
{"Nome": "#A1"} => {} // {"Nome": "no name of a person"}
{"Nome": "EN1001"} => {} // {"Nome": "no name of a person"}
{"Nome": "5511987654321"} => {} // {"Nome": "no name of a person"}
{"Valor": "10 %"} => {} // {"Valor": "no amount in reais"}
{"Valor": "US$ 10"} => {} // {"Valor": "no amount in reais"}
{"Valor": "10 euros"} => {} // {"Valor": "no amount in reais"}
{"Valor": 10, "Moeda": "USD"} => {} // {"Valor": "no amount in reais"}
{"Valor": "R$ 10", "Moeda": "BRL"} => {"estimatedValue": 10}
{"Ticket": "R$ 1.500,50", "Valor da proposta": "1500,50"} => {"estimatedValue": 1500.5}
{"ID externo": "a", "Protocolo": "2026-0042"} => {"externalId": "a"} // {"Protocolo": "no code"}
{"Lead Status": "Closed Won", "Prioridade do lead": "A"} => {"status": "closed_won"} // {"Prioridade do lead": "not documented"}`),
)('%s => %s, left out %s', (row, expected, reasons = '{}') => {
	const { lead, leftOut } = leadOf(JSON.parse(row) as object);
	const wanted = JSON.parse(expected) as unknown;
	expect(lead).toEqual(typeof wanted === 'string' ? saying(wanted) : wanted);
	expect(leftOut).toEqual(mapValues(JSON.parse(reasons) as Record<string, string>, saying));
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
	expect(leadOf(row, { externalIdColumn: 'student_email' }).lead).toEqual({
		externalId: 'eva@firma.com',
		contact: { email: 'eva@firma.com', phone },
	});
});

const buyer = { email: 'a@b.co', city: 'X' };
const labelled = [
	{ label: 'Email', type: 'x', value: 'a@b.co' },
	{ label: 'City', value: 'X' },
];
it.each<[object, IDataObject, string[]]>([
	[{ Nome: 'A', Loja: 'x', Cor: ' ', Tamanho: null, row_number: 2 }, {}, ['Loja']],
	[{ Pedido: 1, Loja: 'x' }, { externalIdColumn: 'pedido' }, ['Loja']],
	[{ contact: 'Ana', dados: { nome: 'A', x: { y: 1 } } }, {}, ['contact', 'dados']],
	[{ data: { buyer, sale: { id: 1, by: 2 } } }, {}, ['data.buyer.city', 'data.sale']],
	[{ fields: labelled }, {}, ['fields.1']],
	[times(12).reduce((inner: object) => ({ data: inner }), buyer), {}, ['data']],
	[{ payload: { name: 'Form' }, producer: buyer }, {}, ['producer']],
	[{ '': 1, '*': 1, 日本: 1, 'Email 日本': 1 }, {}, ['', '*', '日本', 'Email 日本']],
	[{ toString: 1, ['__proto__']: 1, ID: 1 }, {}, ['toString', '__proto__', 'ID']],
])('of the row %j with %j, %j are not sent', (row, options, unsent) => {
	expect(leadOf(row, options).unsent).toEqual(unsent);
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
