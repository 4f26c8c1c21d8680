/** How headings of a spreadsheet are compared, and what becomes of their columns; test/corpus has what people call them. */
import fc from 'fast-check';
import { deburr } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../nodes/IntegrationLeads/contract/envelope';
import { fieldOf, HEADINGS, toMappedLead } from '../../nodes/IntegrationLeads/fields/headings';
import { leadColumns } from '../../nodes/IntegrationLeads/fields/mapping';

const headings = Object.entries(HEADINGS).flatMap(([field, list]) =>
	list.split(', ').map((heading) => [heading, field]),
);

// Composed and decomposed accents look the same.
it('accents may be written in either form of Unicode', () => {
	const fields = ['NFC', 'NFD'].map((form) => fieldOf('Situação'.normalize(form)));
	expect(fields).toEqual(['status', 'status']);
});

it('every column of the manual mapping is understood by its name and by its label', () => {
	for (const { id, displayName } of leadColumns) {
		expect([fieldOf(id), fieldOf(displayName)]).toEqual([id, id]);
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
function leadOf(row: object, options?: IDataObject, unsent: string[] = [], mapping?: unknown) {
	const onUnsent = (unknown: string[]) => unsent.push(...unknown);
	const input = row as IDataObject;
	const context = { label: 'Fields', timezone: 'UTC', countryCode: '55', input, options, onUnsent };
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
	[{ Status: 'Closed Won', Situação: 'CLOSED_WON' }, { status: 'closed_won' }],
	[
		{ name: 'A', contact: { id: 'c' } },
		{ contactId: 'c', contact: { name: 'A' } },
	],
	[{ name: 'A', contact: { name: 'A' } }, { contact: { name: 'A' } }],
	[{ Telefone: '', Celular: null }, {}],
	[{ Tags: ' , ', Etiquetas: 'a' }, { tags: ['a'] }],
	[
		{ Telefone: phone, Celular: '', WhatsApp: '+5511987654322' },
		'"Telefone" and "WhatsApp" are two columns for "Phone". A lead has one, and the values differ. Remove one of the two columns, or rename it to a heading of your own, and it is not sent.',
	],
	[{ Email: 'ana@firma.com', Mail: 'mariana@firma.com' }, saying('"Email" and "Mail" are two')],
	// An ID of another case is another one.
	[{ 'External ID': 'a', 'ID externo': 'A' }, saying('two columns for "External ID"')],
	[{ name: 'A', contact: { name: 'B' } }, saying('"name" and "contact.name" are two columns')],
	[{ Telefone: phone, WhatsApp: 'ask' }, saying('"WhatsApp" cannot be')],
])('the row %j is %j', (row, lead) => {
	expect(leadOf(row)).toEqual(lead);
});

it.each<[object, IDataObject, string[]]>([
	[{ Nome: 'A', Loja: 'x', Cor: ' ', Tamanho: null, row_number: 2 }, {}, ['Loja']],
	[{ Pedido: 1, Loja: 'x' }, { externalIdColumn: 'pedido' }, ['Loja']],
	[{ contact: 'Ana', dados: { nome: 'A' } }, {}, ['contact', 'dados']],
	[{ '': 1, '*': 1, 日本: 1, 'Email 日本': 1 }, {}, ['', '*', '日本', 'Email 日本']],
	[{ toString: 1, ['__proto__']: 1, ID: 1 }, {}, ['toString', '__proto__', 'ID']],
])('of the row %j with %j, %j are not sent', (row, options, headings) => {
	const unsent: string[] = [];
	leadOf(row, options, unsent);
	expect(unsent).toEqual(headings);
	const refused = leadOf(row, { ...options, unknownColumns: 'fail' });
	const named = headings.map((heading) => `"${heading}"`).join(', ');
	expect(refused).toMatch(`A lead has no field for ${named}. Rename the column`);
});

it('a row of which all is sent is not refused', () => {
	const lead = leadOf({ Nome: 'A', Cor: '' }, { unknownColumns: 'fail' });
	expect(lead).toEqual({ contact: { name: 'A' } });
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
it.each<[object, unknown]>([
	[{ 'E-mail': 'Ana <Ana@Firma.com>' }, 'ana@firma.com'],
	[{ 'E-mail do cliente': ' ANA@firma.com\u200b' }, 'ana@firma.com'],
	[{ WhatsApp: '(11) 98765-4321' }, phone],
	[{ WhatsApp: '(11) 8765-4321' }, phone],
	[{ Pedido: ' A-1 ' }, 'A-1'],
	[{ 'E-mail': 'não tem' }, saying('"E-mail" must be an email')],
	[{ WhatsApp: '98765-4321' }, saying('"WhatsApp" must be an email, or')],
])('the external ID of %j, named by its column, is %j', (row, externalId) => {
	const lead = leadOf(row, { externalIdColumn: Object.keys(row)[0].toUpperCase() });
	expect(isRecord(lead) ? lead.externalId : lead).toEqual(externalId);
});
