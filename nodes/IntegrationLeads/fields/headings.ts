/** Reads a row of a spreadsheet by its headings. Pure. */
import { deburr, difference, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../contract/envelope';
import { isBlank } from '../values/convert';

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
export function normalizeHeading(heading: string): string {
	return deburr(heading)
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');
}

/** The words of a heading without those to be ignored. */
function wordsOf(heading: string, ignored: string): string[] {
	const plain = deburr(heading).toLowerCase().replace('e-mail', 'email');
	return difference(plain.match(/[\p{L}\p{N}]+/gu), ignored.split(' '));
}

/** The field that a heading names; undefined where another may be meant. */
function fieldOf(heading: string): string | undefined {
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
export interface Cell {
	heading: string;
	value: unknown;
	/** It is an email or a phone, also where it is the external ID. */
	isAddress?: boolean;
}

interface LeadRow {
	/** By the field's name in the API, those that are not blank. */
	cells: Record<string, Cell[]>;
	/** Headings of values that are no field. */
	unknown: string[];
}

/**
 * Finds the fields of a lead in an input item. Those of a contact inside are found as well, since leads that were read
 * have one.
 *
 * @param externalIdColumn the heading of the external ID, which may be that of another field as well
 */
export function parseRow(item: IDataObject, externalIdColumn?: unknown): LeadRow {
	const row: LeadRow = { cells: {}, unknown: [] };
	const idColumn = normalizeHeading(String(externalIdColumn ?? ''));
	for (const [heading, value] of Object.entries(item).flatMap(withContactInside)) {
		const field = fieldOf(heading);
		const isId = idColumn !== '' && normalizeHeading(heading) === idColumn;
		const isAddress = field === 'email' || field === 'phone';
		if (isId) addCell(row, 'externalId', { heading, value, isAddress });
		if (field !== undefined) addCell(row, field, { heading, value });
		else if (!isId && heading !== ROW_NUMBER && !isBlank(value)) row.unknown.push(heading);
	}
	return row;
}

function addCell({ cells }: LeadRow, field: string, cell: Cell): void {
	if (!isBlank(cell.value)) (cells[field] ??= []).push(cell);
}

/** `contact: { name }` as the column `contact.name`. */
function withContactInside([heading, value]: [string, unknown]): Array<[string, unknown]> {
	if (heading !== 'contact' || !isRecord(value)) return [[heading, value]];
	return Object.entries(value).map(([name, each]) => [`${heading}.${name}`, each]);
}

export function labelOf(field: string): string {
	return HEADINGS[field].split(', ')[0];
}
