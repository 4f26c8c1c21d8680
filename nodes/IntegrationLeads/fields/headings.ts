/** The lead of a row of a spreadsheet, from its headings or from columns that were mapped by hand. Pure. */
import { deburr, difference, isEqual, mapValues, toString, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { contactHas } from '../contract/contactMatch';
import { isRecord } from '../contract/envelope';
import type { Convert, ConvertContext, Parameter } from '../operation';
import { convertOrNote, InputError } from '../userError';
import { isBlank, toIdentifier } from '../values/convert';
import { converterOf } from '../values/converter';
import { toAddress } from '../values/identity';
import { contactFields } from './contactFields';
import {
	createContactIfNotFound,
	details,
	externalId,
	ofContact,
	protocol,
	tagsFromList,
} from './leadFields';

/**
 * The headings of each field of a lead in English, Portuguese and Spanish, its label first; also with {@link FILLERS}.
 * Left out are words that spreadsheets also use for something else: "ID", "Date", "Estado" (a state of the country),
 * "Contato" (a name or a phone).
 */
export const HEADINGS: Record<string, string> = {
	externalId:
		'External ID, External reference, ID externo, Identificador externo, Código externo, Referência externa',
	protocol: 'Protocol, Protocol code, Protocolo, Código do protocolo, Código del protocolo',
	name: 'Name, Full name, Contact name, Nome, Nome completo, Nome e sobrenome, Nombre, Nombre completo, Nombre y apellido, Nombre y apellidos',
	email:
		'Email, Email address, Contact email, Mail, Endereço de e-mail, Correio eletrônico, Correo, Correo electrónico, Dirección de correo, Dirección de correo electrónico',
	phone:
		'Phone, Phone number, Contact phone, Telephone, Mobile, Cell, Cellphone, WhatsApp, Whats, Wpp, Zap, Fone, Tel, Cel, Telefone, Celular, Telemóvel, Contacto telefónico, Teléfono, Móvil',
	estimatedValue:
		'Estimated Value, Value, Deal value, Sale value, Amount, Sale amount, Valor, Valor estimado, Valor da venda, Vlr venda, Valor do negócio, Valor de la venta, Valor de venta, Valor (R$), Valor em R$, Valor estimado (R$), Monto, Monto de la venta, Importe, Importe de la venta',
	saleDate: 'Sale Date, Date of sale, Sold on, Data da venda, Dt venda, Fecha de venta',
	notes:
		'Notes, Note, Comments, Notas, Nota, Anotações, Observações, Observação, Obs, Comentários, Observaciones',
	tags: 'Tags, Tag, Tags by Name, Labels, Etiquetas, Etiqueta, Marcadores',
	status:
		'Status, Lead status, Status do lead, Situação, Situação do lead, Situación, Estado do lead, Estado del lead',
	source: 'Source, Lead source, Origem, Origem do lead, Origen, Origen del lead, Fonte, Fuente',
	priority: 'Priority, Prioridade, Prioridad',
	contactId: 'Contact ID, ID do contato, ID del contacto',
	createContactIfNotFound: 'Create contact if not found, If No Contact Exists',
};

/** Words that leave what a heading means: "Dt. da venda (obrigatório)", "Qual o seu melhor e-mail?". */
const FILLERS =
	'a al as com con da das de del do dos e el es is la las los my o of os para per por the with y your ' +
	'su sua tu tua seu teu meu minha mi best melhor mejor main primary principal qual cual what number numero num n nº no ' +
	'ddd required optional obrigatorio obligatorio opcional informe digite ingrese enter';
/** Of these a name, an email or a phone is that of the lead; a status or a value may be another one. */
const PERSONS =
	'lead cliente client customer contato contacto contact aluno aluna alumno student paciente patient comprador buyer consumidor ' +
	'interessado interesado participante participant inscrito assinante subscriber hospede huesped guest candidato person pessoa persona';

/** Added by n8n's Google Sheets node; no column of the spreadsheet. */
const ROW_NUMBER = 'row_number';

const FIELDS = new Map(
	Object.entries(HEADINGS).flatMap(([field, headings]) =>
		headings
			.split(', ')
			.flatMap((heading) => [normalizeHeading(heading), wordsOf(heading, FILLERS).join('')])
			.map((key) => [key, field] as const),
	),
);

/** Case, accents, spaces and punctuation do not matter. */
function normalizeHeading(heading: string): string {
	return wordsOf(heading, '').join('');
}

/** The words of a heading without those to be ignored. */
function wordsOf(heading: string, ignored: string): string[] {
	const plain = deburr(heading).toLowerCase().replace('e-mail', 'email');
	return difference(plain.match(/[\p{L}\p{N}]+/gu), ignored.split(' '));
}

/** The field that a heading names; undefined where another may be meant. */
export function fieldOf(heading: string): string | undefined {
	const field =
		FIELDS.get(normalizeHeading(heading)) ?? FIELDS.get(wordsOf(heading, FILLERS).join(''));
	if (field !== undefined) return field;
	const words = wordsOf(heading, `${FILLERS} ${PERSONS}`);
	// Together, or each: "Nome completo do cliente", "Celular/WhatsApp".
	const whole = FIELDS.get(words.join(''));
	const named = whole ? [whole] : uniq(words.map((word) => FIELDS.get(word)));
	return named.length === 1
		? ['name', 'email', 'phone'].find((each) => each === named[0])
		: undefined;
}

/** A value of a row, and the heading of its column. */
interface Cell {
	heading: string;
	value: unknown;
	/** It is an email or a phone, also where it is the external ID. */
	isAddress?: boolean;
}

/**
 * Finds the fields of a lead in an input item: the cells that are not blank by the field's name in the API, and headings of
 * values that are no field. Those of a contact inside are found as well, since leads that were read have one.
 *
 * @param externalIdColumn the heading of the external ID, which may be that of another field as well
 */
function parseRow(item: IDataObject, externalIdColumn: unknown) {
	const cells: Record<string, Cell[]> = {};
	const unknown: string[] = [];
	const add = (name: string, cell: Cell) => (cells[name] ??= []).push(cell);
	const idColumn = normalizeHeading(toString(externalIdColumn));
	for (const [heading, value] of Object.entries(item).flatMap(withContactInside)) {
		if (isBlank(value)) continue;
		const field = fieldOf(heading);
		const isId = idColumn !== '' && normalizeHeading(heading) === idColumn;
		const isAddress = field === 'email' || field === 'phone';
		if (isId) add('externalId', { heading, value, isAddress });
		if (field !== undefined) add(field, { heading, value });
		else if (!isId && heading !== ROW_NUMBER) unknown.push(heading);
	}
	return { cells, unknown };
}

/** `contact: { name }` as the column `contact.name`. */
function withContactInside([heading, value]: [string, unknown]): Array<[string, unknown]> {
	if (heading !== 'contact' || !isRecord(value)) return [[heading, value]];
	return Object.entries(value).map(([name, each]) => [`${heading}.${name}`, each]);
}

export function labelOf(field: string): string {
	return HEADINGS[field].split(', ')[0];
}

/** The fields of a lead that can be mapped, one column each. `within` is their parent in the body. */
export const columns: Array<{ field: Parameter; within?: 'contact' }> = [
	{ field: externalId },
	{ field: protocol },
	...contactFields.map((field) => ({ field, within: 'contact' as const })),
	// A cell holds tag names as text, so the picker is left out.
	...details.filter((field) => field !== tagsFromList).map((field) => ({ field })),
	{ field: { ...ofContact, displayName: 'Contact ID', type: 'string', convert: toIdentifier } },
	{ field: createContactIfNotFound },
];

/** Converts mapped values, or an input item with headings of these fields, to a lead as in 4.3. */
export const toMappedLead: Convert = (mapping, context) => {
	if (!isRecord(mapping)) return undefined;
	if (mapping.mappingMode !== 'autoMapInputData') {
		if (!isRecord(mapping.value)) return undefined;
		const given = mapValues(mapping.value, (value, heading): Cell[] => [{ heading, value }]);
		return leadFromCells(given, context);
	}
	const { externalIdColumn, unknownColumns } = context.options ?? {};
	const { cells, unknown } = parseRow(context.input ?? {}, externalIdColumn);
	if (unknown.length > 0) {
		convertOrNote(context.mistakes, () => {
			if (unknownColumns === 'fail') throw unknownColumnsError(unknown);
			context.onUnsent?.(unknown);
		});
	}
	return leadFromCells(cells, context);
};

function unknownColumnsError(headings: string[]): InputError {
	return new InputError(
		`A lead has no field for ${headings.map((heading) => `"${heading}"`).join(', ')}`,
		'Rename the column to a field of a lead (External ID, Name, Email, Phone, …), remove it, map each column by hand, or set Options > Unknown Columns to Ignore.',
	);
}

function leadFromCells(given: Record<string, Cell[]>, context: ConvertContext): IDataObject {
	const lead: IDataObject = {};
	const contact: IDataObject = {};
	for (const { field, within } of columns) {
		const cells = given[field.name] ?? [];
		const value = convertOrNote(context.mistakes, () => valueOf(field, cells, context));
		if (value !== undefined) (within ? contact : lead)[field.name] = value as IDataObject[string];
	}
	return Object.keys(contact).length > 0 ? { ...lead, contact } : lead;
}

/**
 * The value of a field from its cells.
 *
 * @throws InputError if they hold two
 */
function valueOf(field: Parameter, cells: Cell[], context: ConvertContext): unknown {
	const { name, displayName } = field;
	const convert = converterOf(field);
	const converted = cells.map(({ heading, value, isAddress = false }) => {
		const label = heading === name ? displayName : heading;
		const read = isAddress ? toAddress : convert;
		return { heading, value: read ? read(value, { ...context, label }) : value };
	});
	const [first, ...others] = converted.filter(({ value }) => value !== undefined);
	const other = others.find(({ value }) => !isSameValue(name, first.value, value));
	if (!other) return first?.value;
	throw new InputError(
		`"${first.heading}" and "${other.heading}" are two columns for "${labelOf(name)}"`,
		'A lead has one, and the values differ. Remove one of the two columns, or rename it to a heading of your own, and it is not sent.',
	);
}

/** Whether two values of a field mean the same: an email in another case, a phone with or without its ninth digit. */
function isSameValue(name: string, one: unknown, other: unknown): boolean {
	if (isEqual(one, other)) return true;
	const isTrait = name === 'email' || name === 'phone';
	return isTrait && contactHas({ [name]: other }, name, String(one), 'whole') === true;
}
