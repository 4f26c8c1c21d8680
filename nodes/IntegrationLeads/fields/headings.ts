/** Reads a row of a spreadsheet by its headings. Pure. */
import { deburr } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../contract/envelope';
import { isBlank } from '../values/convert';

/**
 * The headings of each field of a lead in English, Portuguese and Spanish, its label first. Left out are words that
 * spreadsheets also use for something else: "ID", "Date", "Estado" (a state of the country), "Contato" (a name or a phone).
 */
export const HEADINGS: Record<string, string> = {
	externalId:
		'External ID, External reference, ID externo, Identificador externo, Código externo, Referência externa',
	protocol: 'Protocol, Protocol code, Protocolo, Código do protocolo, Código del protocolo',
	name: 'Name, Full name, Contact name, Customer name, Client name, Lead name, Nome, Nome completo, Nome do contato, Nome do cliente, Nome do lead, Nombre, Nombre completo, Nombre del contacto, Nombre del cliente, Nombre del lead',
	email:
		'Email, Email address, Contact email, Mail, Endereço de e-mail, E-mail do contato, E-mail do cliente, Correo, Correo electrónico, Dirección de correo, Correo del contacto, Email del contacto',
	phone:
		'Phone, Phone number, Contact phone, Telephone, Telephone number, Mobile, Mobile number, Mobile phone, Cell, Cell phone, WhatsApp, WhatsApp number, Fone, Telefone, Telefone celular, Telefone do contato, Número de telefone, Número do telefone, Celular, Número do celular, Número de WhatsApp, Número do WhatsApp, Teléfono, Teléfono móvil, Teléfono celular, Teléfono del contacto, Número de teléfono, Móvil',
	estimatedValue:
		'Estimated Value, Value, Deal value, Sale value, Amount, Valor, Valor estimado, Valor da venda, Valor do negócio, Valor de la venta, Valor de venta, Valor (R$), Valor em R$, Valor estimado (R$), Monto, Importe',
	saleDate:
		'Sale Date, Date of sale, Sold on, Data da venda, Data de venda, Fecha de venta, Fecha de la venta',
	notes:
		'Notes, Comments, Notas, Anotações, Observações, Observação, Obs, Comentários, Observaciones',
	tags: 'Tags, Tag, Tags by Name, Labels, Etiquetas, Etiqueta, Marcadores',
	status:
		'Status, Lead status, Status do lead, Situação, Situação do lead, Situación, Estado do lead, Estado del lead',
	source: 'Source, Lead source, Origem, Origem do lead, Origen, Origen del lead, Fonte, Fuente',
	priority: 'Priority, Prioridade, Prioridad',
	contactId: 'Contact ID, ID do contato, ID del contacto',
	createContactIfNotFound: 'Create contact if not found, If No Contact Exists',
};

/** Added by n8n's Google Sheets node; no column of the spreadsheet. */
const ROW_NUMBER = 'row_number';

const FIELDS = new Map(
	Object.entries(HEADINGS).flatMap(([field, headings]) =>
		headings.split(', ').map((heading) => [normalizeHeading(heading), field] as const),
	),
);

/** Case, accents, spaces and punctuation do not matter. */
export function normalizeHeading(heading: string): string {
	return deburr(heading)
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');
}

/** A value of a row, and the heading of its column. */
export interface Cell {
	heading: string;
	value: unknown;
}

interface LeadRow {
	/** By the field's name in the API, those that are not blank. */
	cells: Record<string, Cell[]>;
	/** Headings that name no field. */
	unknown: string[];
}

/**
 * Finds the fields of a lead in an input item. Those of a contact inside are found as well, since leads that were read
 * have one.
 *
 * @param externalIdColumn the heading of the external ID, which may be that of another field as well
 */
export function readRow(item: IDataObject, externalIdColumn?: unknown): LeadRow {
	const row: LeadRow = { cells: {}, unknown: [] };
	const idColumn = normalizeHeading(String(externalIdColumn ?? ''));
	for (const [heading, value] of Object.entries(item).flatMap(withContactInside)) {
		const normalized = normalizeHeading(heading);
		const field = FIELDS.get(normalized);
		const isId = idColumn !== '' && normalized === idColumn;
		if (isId) addCell(row, 'externalId', { heading, value });
		if (field !== undefined) addCell(row, field, { heading, value });
		else if (!isId && heading !== ROW_NUMBER) row.unknown.push(heading);
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
