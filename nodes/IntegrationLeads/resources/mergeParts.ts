/** Decides what of a lead is copied to another one of the same person, and puts what cannot be into sentences. Pure. */
import { compact, countBy, isEqual, isNil, lowerCase, omit, pick, pickBy } from 'lodash';

import { hasTag, interactionTypes, MERGED_INTO, tagsOf } from '../contract/records';
import { contactLabel } from '../contract/shown';
import { parseDate } from '../dates/date';
import { isBlank } from '../values/convert';
import { isRecord, shorten, toRecord, type ServiceRecord } from '../values/json';

const MAX_QUOTED = 60;

/** When a record was created, as text, in the time zone of the workflow. */
const timeOf = ({ createdAt }: ServiceRecord, timezone: string) =>
	parseDate(String(createdAt), timezone)?.toFormat('yyyy-MM-dd HH:mm:ss') ?? 'time unknown';

/** An interaction as it is added to another lead: its time becomes text. */
export function copyOfInteraction(record: ServiceRecord, timezone: string): ServiceRecord {
	const { type, title, description, metadata } = record;
	const text = isBlank(description) ? '' : `${String(description)}\n\n`;
	const copy = {
		title,
		metadata,
		description: `${text}[${timeOf(record, timezone)}, merged lead]`,
	};
	const known = interactionTypes.find((name) => name === type) ?? 'CUSTOM';
	return { type: known, ...pickBy(copy, (value) => !isBlank(value)) };
}

/** A message as it is added to another conversation. */
export const copyOfMessage = (record: ServiceRecord, timezone: string): ServiceRecord => ({
	content: `[${timeOf(record, timezone)}] ${String(record.content)}`,
});

/** Whether a list shows what an interaction is about. */
export const showsContent = (interaction: ServiceRecord): boolean =>
	['title', 'description', 'metadata'].some((name) => name in interaction);

/** The words of a record, which identify a copy. Services may store spaces differently. */
const copyKeyOf = ({ title, description, content }: ServiceRecord) =>
	compact([title, description, content]).join('\n').replace(/\s+/g, ' ').trim();

/**
 * The copies that are not there yet. Of equal ones, as many count as there are.
 *
 * @param wanted all copies
 * @param present the records of the lead that is kept, some of which may be copies
 */
export function missingCopies(wanted: ServiceRecord[], present: ServiceRecord[]): ServiceRecord[] {
	const left = countBy(present, copyKeyOf);
	return wanted.filter((copy) => {
		const words = copyKeyOf(copy);
		left[words] = (left[words] ?? 0) - 1;
		return left[words] < 0;
	});
}

/** The tags that a lead lacks. */
export const missingTags = (from: ServiceRecord, to: ServiceRecord): string[] =>
	(tagsOf(from) ?? [])
		.map(String)
		.filter((tag) => !tag.startsWith(MERGED_INTO) && !hasTag(to, tag));

const SALE_VALUE_FIELDS = ['estimatedValue', 'saleDate'];
const SINGLE_FIELDS = ['status', 'priority', 'source', 'notes'];

/** Formats the value and date of a sale, such as `a value of 500, sold on 2026-01-31T03:00:00.000Z`. */
const formatSaleValue = ({ estimatedValue, saleDate }: ServiceRecord) =>
	compact([
		!isBlank(estimatedValue) && `a value of ${String(estimatedValue)}`,
		!isBlank(saleDate) && `sold on ${String(saleDate)}`,
	]).join(', ');

/** Whether a lead shows that it lacks a field. */
const lacks = (lead: ServiceRecord, field: string) => field in lead && isBlank(lead[field]);

/**
 * The fields that the kept lead lacks and the other one has. Value and date of a sale go together, with its status, since the
 * value of one lead with the date of the other would be a sale that never was.
 *
 * @returns `left`: sentences about what stays where it is
 */
export function fieldsToMove(
	from: ServiceRecord,
	to: ServiceRecord,
): { body: ServiceRecord; left: string[] } {
	const isSale = SALE_VALUE_FIELDS.every((field) => lacks(to, field));
	const sale = isSale ? pickBy(pick(from, SALE_VALUE_FIELDS), (value) => !isBlank(value)) : {};
	const sold = isNil(sale.saleDate) ? sale : { ...sale, status: from.status };
	const blank = SINGLE_FIELDS.filter((field) => lacks(to, field) && !isBlank(from[field]));
	const contactId = isNil(toRecord(to.contact).id) ? toRecord(from.contact).id : undefined;
	const body = { ...sold, ...pick(from, blank), ...(!isNil(contactId) && { contactId }) };
	const different = SINGLE_FIELDS.filter(
		(field) => !(field in body) && !isBlank(from[field]) && !isEqual(from[field], to[field]),
	);
	const left = different.map((field) =>
		stays(lowerCase(field), quote(from[field]), quote(to[field])),
	);
	const isOther = !isEqual(pick(from, SALE_VALUE_FIELDS), pick(to, SALE_VALUE_FIELDS));
	if (!isSale && isOther && formatSaleValue(from) !== '')
		left.push(stays('sale', formatSaleValue(from), formatSaleValue(to)));
	return { body, left };
}

const quote = (value: unknown) => (isNil(value) ? '' : `"${shorten(String(value), MAX_QUOTED)}"`);

const stays = (what: string, value: string, other: string) =>
	`The ${what} was not moved: ${value} is in the history, and this lead has ${other || 'what the service does not show'}.`;

/** The note that keeps all fields of a lead that was merged. */
export function noteOfMerge(lead: ServiceRecord, contact: ServiceRecord): ServiceRecord {
	const { id, notes } = lead;
	const fields = omit(lead, 'id', 'notes', 'tags', 'contact');
	const shown = {
		...fields,
		tags: tagsOf(lead)?.join(', '),
		contact: contactLabel(contact),
		notes,
	};
	const lines = Object.entries(shown)
		.filter(([, value]) => !isBlank(value))
		.map(([name, value]) => `${name}: ${isRecord(value) ? JSON.stringify(value) : String(value)}`);
	return { type: 'NOTE', title: titleOfMerge(id), description: lines.join('\n') };
}

const titleOfMerge = (id: unknown) => `Merged from lead ${String(id)}`;

/** Whether a lead has the note about another one. */
export const hasNoteOfMerge = (interactions: ServiceRecord[], { id }: ServiceRecord): boolean =>
	interactions.some(({ title }) => title === titleOfMerge(id));
