/** How headings of a spreadsheet are compared, and what becomes of their columns; test/corpus has what people call them. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../nodes/IntegrationLeads/contract/envelope';
import { HEADINGS, normalizeHeading, parseRow } from '../../nodes/IntegrationLeads/fields/headings';
import { leadColumns, toMappedLead } from '../../nodes/IntegrationLeads/fields/mapping';

const headings = Object.entries(HEADINGS).flatMap(([field, list]) =>
	list.split(', ').map((heading) => [heading, field]),
);
/** The field that a column is read as; undefined if none. */
const fieldOf = (heading: string) => Object.keys(parseRow({ [heading]: 'x' }).cells).at(0);

// Composed and decomposed accents look the same.
it('accents may be written in either form of Unicode', () => {
	expect(['NFC', 'NFD'].map((form) => fieldOf('Situação'.normalize(form)))).toEqual([
		'status',
		'status',
	]);
});

it('every column of the manual mapping is understood by its name and by its label', () => {
	for (const { id, displayName } of leadColumns) {
		expect([fieldOf(id), fieldOf(displayName)]).toEqual([id, id]);
	}
	expect(Object.keys(HEADINGS).sort()).toEqual(leadColumns.map(({ id }) => id).sort());
});

it('no heading is in the table twice', () => {
	const keys = headings.map(([heading]) => normalizeHeading(heading));
	expect(keys.filter((key, position) => keys.indexOf(key) !== position)).toEqual([]);
	expect(keys).not.toContain('');
});

it('case, accents, spaces and punctuation do not matter', () => {
	const separator = fc.constantFrom('', ' ', '_', '-', '. ', ' / ');
	const spelling = fc.record({
		entry: fc.constantFrom(...headings),
		upper: fc.boolean(),
		accents: fc.boolean(),
		separator,
	});
	fc.assert(
		fc.property(spelling, ({ entry: [heading, field], upper, accents, separator: between }) => {
			const plain = accents ? heading : heading.normalize('NFD').replace(/\p{M}/gu, '');
			const cased = upper ? plain.toUpperCase() : plain.toLowerCase();
			expect(fieldOf(cased.split(/[ -]/).join(between))).toBe(field);
		}),
	);
});

it.each(['', '*', '日本', 'Email 日本', 'toString', '__proto__', 'ID'])(
	'%p is no field of a lead',
	(heading) => {
		const row = parseRow({ [heading]: 'x' });
		expect([row.cells, row.unknown]).toEqual([{}, [heading]]);
	},
);

/** The lead of a row, or the message of what is wrong with it. */
function leadOf(row: object, options?: IDataObject): unknown {
	const mapping = { mappingMode: 'autoMapInputData' };
	const input = row as IDataObject;
	try {
		const context = { label: 'Fields', timezone: 'UTC', countryCode: '55', input, options };
		return toMappedLead(mapping, context);
	} catch (error) {
		return (error as Error).message;
	}
}

const phone = '+5511987654321';

it.each<[object, unknown]>([
	[{ Telefone: '', WhatsApp: phone }, { contact: { phone } }],
	[{ Telefone: phone, WhatsApp: ' ' }, { contact: { phone } }],
	[{ Telefone: '(11) 98765-4321', WhatsApp: '5511987654321@c.us' }, { contact: { phone } }],
	[{ Telefone: phone, WhatsApp: '551187654321@c.us' }, { contact: { phone } }],
	[{ Email: 'ana@firma.com', 'E-mail': 'ANA@firma.com' }, { contact: { email: 'ana@firma.com' } }],
	[
		{ Email: 'ana@firma.com', Mail: 'Ana <ana@firma.com>' },
		{ contact: { email: 'ana@firma.com' } },
	],
	[{ Valor: '1.500,00', Value: 1500 }, { estimatedValue: 1500 }],
	[{ Status: 'Closed Won', Situação: 'CLOSED_WON' }, { status: 'closed_won' }],
	[
		{ name: 'A', contact: { id: 'c', name: 'A' } },
		{ contactId: 'c', contact: { name: 'A' } },
	],
	[{ Telefone: '', Celular: null }, {}],
	[
		{ Telefone: phone, Celular: '', WhatsApp: '+5511987654322' },
		'"Telefone" and "WhatsApp" are two columns for "Phone"',
	],
	[
		{ Email: 'ana@firma.com', Mail: 'mariana@firma.com' },
		'"Email" and "Mail" are two columns for "Email"',
	],
	// An ID of another case is another one.
	[{ 'External ID': 'a', 'ID externo': 'A' }, expect.stringContaining('two columns') as string],
	[{ name: 'A', contact: { name: 'B' } }, '"name" and "contact.name" are two columns for "Name"'],
	[{ Telefone: phone, WhatsApp: 'ask' }, expect.stringContaining('"WhatsApp" cannot be') as string],
])('the row %j is %j', (row, lead) => {
	expect(leadOf(row)).toEqual(lead);
});

// The same lead, however its address is written.
it.each<[object, unknown]>([
	[{ 'E-mail': 'Ana <Ana@Firma.com>' }, 'ana@firma.com'],
	[{ 'E-mail do cliente': ' ANA@firma.com\u200b' }, 'ana@firma.com'],
	[{ WhatsApp: '(11) 98765-4321' }, phone],
	[{ WhatsApp: '(11) 8765-4321' }, phone],
	[{ Pedido: ' A-1 ' }, 'A-1'],
	[{ 'E-mail': 'não tem' }, expect.stringContaining('"E-mail" must be an email') as string],
	[
		{ WhatsApp: '98765-4321' },
		expect.stringContaining('"WhatsApp" must be an email, or') as string,
	],
])('the external ID of %j, named by its column, is %j', (row, externalId) => {
	const lead = leadOf(row, { externalIdColumn: Object.keys(row)[0].toUpperCase() });
	expect(isRecord(lead) ? lead.externalId : lead).toEqual(externalId);
});
