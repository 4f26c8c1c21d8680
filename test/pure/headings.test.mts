/** Which headings of a spreadsheet name which field of a lead. */
import fc from 'fast-check';

import { HEADINGS, normalizeHeading, readRow } from '../../nodes/IntegrationLeads/fields/headings';
import { leadColumns } from '../../nodes/IntegrationLeads/fields/mapping';

const headings = Object.entries(HEADINGS).flatMap(([field, list]) =>
	list.split(', ').map((heading) => [heading, field]),
);
/** The field that a column is read as; undefined if none. */
const fieldOf = (heading: string) => Object.keys(readRow({ [heading]: 'x' }).cells).at(0);

it.each([
	['externalId', 'External ID', 'external_id', 'externalId', 'EXTERNAL-ID ', 'ID externo'],
	['protocol', 'Protocolo', 'protocol'],
	['name', 'Nome', 'NAME', 'Nombre', 'Nome completo', 'full_name', 'Contact Name', 'contact.name'],
	['email', 'E-mail', 'Email', 'e_mail', 'Correo', 'Correo electronico', 'Endereço de E-mail'],
	['phone', 'Telefone', 'Celular', 'WhatsApp', 'whatsapp', 'Phone', 'Teléfono', 'Movil', 'Móvil*'],
	['estimatedValue', 'Valor', 'Value', 'Valor estimado', 'Valor (R$)', 'estimated_value'],
	['saleDate', 'Data da venda', 'Sale date', 'Fecha de venta', 'DATA DA VENDA:', 'saleDate'],
	['tags', 'Etiquetas', 'Tags', 'tag'],
	['notes', 'Notas', 'Observações', 'OBSERVACOES', 'Obs.', 'Observaciones', 'Notes'],
	['status', 'Status', 'Situação', 'situacao', 'Situación', 'Estado do lead'],
	['source', 'Origem', 'Source', 'Origen'],
	['priority', 'Prioridade', 'Priority', 'Prioridad'],
	['contactId', 'Contact ID', 'contact_id', 'contact.id'],
])('%s is understood', (field, ...spellings) => {
	expect(spellings.map(fieldOf)).toEqual(spellings.map(() => field));
});

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

it.each([
	// Whose ID, which date, and whether a state of the country, nobody can know.
	...['ID', 'id', 'Código', 'Date', 'Data', 'Fecha', 'Estado', 'State', 'Contato', 'Contact'],
	...[
		'Telefone fixo',
		'Email 2',
		'Email 日本',
		'Sobrenome',
		'',
		'*',
		'日本',
		'toString',
		'__proto__',
	],
])('%p is no field of a lead', (heading) => {
	const row = readRow({ [heading]: 'x' });
	expect([row.cells, row.unknown]).toEqual([{}, [heading]]);
});

it('a field has one column, unless both hold the same', () => {
	const message = '"Telefone" and "Celular" are two columns for "Phone"';
	expect(() => readRow({ Telefone: '1', Celular: '2' })).toThrow(message);
	expect(() => readRow({ Telefone: '', Celular: '2' })).toThrow(message);
	expect(() => readRow({ name: 'A', contact: { name: 'B' } })).toThrow('"contact.name"');
	expect(readRow({ name: 'A', contact: { id: 'c', name: 'A' } }).cells).toEqual({
		name: 'A',
		contactId: 'c',
	});
});
