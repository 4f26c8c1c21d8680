/** Decides what of a lead is copied to another one of the same person, and puts what cannot be into sentences. Pure. */
import { compact, countBy, isEqual, isNil, lowerCase, omit, pick, pickBy } from 'lodash';

import { documentedFrom } from '../columns/documented';
import { contactHas } from '../contract/samePerson';
import { type ContactKey, interactionTypes, isWon, MERGED_INTO, tagsOf } from '../contract/records';
import { contactLabel } from '../contract/shown';
import { parseDate } from '../dates/date';
import type { Result } from '../operation';
import { isBlank } from '../values/convert';
import { isRecord, shorten, toRecord, type ServiceRecord } from '../values/json';

/** A lead with what belongs to it. */
export interface WholeLead {
	lead: ServiceRecord;
	path: { leadId: string };
	/** With its phone, if the key may read it. */
	contact: ServiceRecord;
	/** From the oldest to the newest. */
	interactions: ServiceRecord[];
	conversations: number;
	openConversation?: Result;
	/** Those of the open conversation, from the oldest to the newest. */
	messages: ServiceRecord[];
}

/** What is written to the kept lead. */
export interface MergePlan {
	/** The note about the merge. */
	note: ServiceRecord;
	tags: string[];
	interactions: ServiceRecord[];
	messages: ServiceRecord[];
	/** The fields that the kept lead lacks. */
	fields: ServiceRecord;
	/** The fields that its contact lacks. */
	contact: ServiceRecord;
	/** Sentences about what would be lost with the merged lead. */
	lost: string[];
	/** Sentences about all that is not moved as it is. */
	notMoved: string[];
	/** The one about a sale, which no report of won leads has after the merge. */
	saleLeft?: string;
}

const MESSAGES_AS_TEXT =
	'The service shows no way to move a conversation: its messages were copied as text, without their status and who wrote them.';

/** @param isDeleted whether the merged lead is deleted afterwards */
export function planMerge(
	from: WholeLead,
	to: WholeLead,
	isDeleted: boolean,
	timezone: string,
): MergePlan {
	const shown = from.interactions.filter(showsContent);
	const written = from.messages.filter(({ content }) => !isBlank(content));
	const lost = lostWith(from, shown.length, written.length);
	const { body: fields, left, saleLeft } = fieldsToMove(from.lead, to.lead);
	const { contact, left: leftOfContact } = contactFieldsToMove(from.contact, to.contact, isDeleted);
	const asText = written.length > 0 ? [MESSAGES_AS_TEXT] : [];
	const notMoved = [...lost, ...asText, ...left, ...leftOfContact];
	const tags = tagsToCopy(from.lead);
	const counts = `Copied: ${tags.length} tags, ${shown.length} interactions, ${written.length} messages.`;
	return {
		note: noteOfMerge(from.lead, from.contact, [counts, ...notMoved]),
		tags,
		interactions: shown.map((record) => copyOfInteraction(record, timezone)),
		messages: written.map((record) => copyOfMessage(record, timezone)),
		fields,
		contact,
		lost,
		notMoved,
		saleLeft,
	};
}

/** Whether a list shows what an interaction is about. */
const showsContent = (interaction: ServiceRecord): boolean =>
	['title', 'description', 'metadata'].some((name) => name in interaction);

function lostWith(from: WholeLead, shown: number, written: number): string[] {
	const counts = {
		'interactions whose content the service does not show': from.interactions.length - shown,
		'messages without text, such as files': from.messages.length - written,
		'conversations besides the open one': from.conversations - (from.openConversation ? 1 : 0),
	};
	return Object.entries(counts).flatMap(([what, count]) =>
		count > 0 ? `Not copied: ${count} ${what}.` : [],
	);
}

/** When a record was created, as text, in the time zone of the workflow. */
const timeOf = ({ createdAt }: ServiceRecord, timezone: string) =>
	parseDate(String(createdAt), timezone)?.toFormat('yyyy-MM-dd HH:mm:ss') ?? 'time unknown';

/** An interaction as it is added to another lead: its time becomes text. */
function copyOfInteraction(record: ServiceRecord, timezone: string): ServiceRecord {
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
const copyOfMessage = (record: ServiceRecord, timezone: string): ServiceRecord => ({
	content: `[${timeOf(record, timezone)}] ${String(record.content)}`,
});

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

/** All tags but the one that the merge adds. */
const tagsToCopy = (lead: ServiceRecord): string[] =>
	(tagsOf(lead) ?? []).map(String).filter((tag) => !tag.startsWith(MERGED_INTO));

const SALE_VALUE_FIELDS = ['estimatedValue', 'saleDate'];
const SINGLE_FIELDS = ['status', 'priority', 'source', 'notes'];
const CONTACT_FIELDS = ['name', 'email', 'phone'];

/** Formats the value and date of a sale, such as `a value of 500, sold on 2026-01-31T03:00:00.000Z`. */
const formatSaleValue = ({ estimatedValue, saleDate }: ServiceRecord) =>
	compact([
		!isBlank(estimatedValue) && `a value of ${String(estimatedValue)}`,
		!isBlank(saleDate) && `sold on ${String(saleDate)}`,
	]).join(', ');

/** Whether a lead shows that it lacks a field. */
const lacks = (lead: ServiceRecord, field: string) => field in lead && isBlank(lead[field]);

/** Whether a lead may have been won: an account may have a word of its own for it. */
const mayBeWon = ({ status }: ServiceRecord) =>
	isWon(status) || documentedFrom('status', String(status)) === undefined;

/** Whether a sale replaces what the other lead has: a value that nobody has paid yet. */
const replacesEstimate = (from: ServiceRecord, to: ServiceRecord) =>
	SALE_VALUE_FIELDS.every((field) => !isBlank(from[field])) &&
	mayBeWon(from) &&
	lacks(to, 'saleDate') &&
	!isBlank(to.status) &&
	!mayBeWon(to);

/**
 * The fields that the kept lead lacks and the other one has. Value and date of a sale go together, with its status, since the
 * value of one lead with the date of the other would be a sale that never was.
 *
 * @returns `left`: sentences about what stays where it is, or is replaced; `saleLeft`: the one about a sale that stays
 */
function fieldsToMove(
	from: ServiceRecord,
	to: ServiceRecord,
): { body: ServiceRecord; left: string[]; saleLeft?: string } {
	const replaces = replacesEstimate(from, to);
	const isMoved = replaces || SALE_VALUE_FIELDS.every((field) => lacks(to, field));
	const sale = isMoved ? pickBy(pick(from, SALE_VALUE_FIELDS), (value) => !isBlank(value)) : {};
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
	const estimate = formatSaleValue(to);
	if (replaces && estimate !== '') {
		left.push(
			`The sale of the merged lead, ${formatSaleValue(from)}, replaced the estimate of this lead: ${estimate}, with the status ${quote(to.status)}.`,
		);
	}
	const isOther = !isEqual(pick(from, SALE_VALUE_FIELDS), pick(to, SALE_VALUE_FIELDS));
	if (isMoved || !isOther || formatSaleValue(from) === '') return { body, left };
	const saleStays = stays('sale', formatSaleValue(from), estimate);
	return {
		body,
		left: [...left, saleStays],
		...(!isBlank(from.saleDate) && { saleLeft: saleStays }),
	};
}

/**
 * The fields that the contact of the kept lead lacks and the other one has.
 *
 * @returns `left`: sentences about what differs
 */
function contactFieldsToMove(
	from: ServiceRecord,
	to: ServiceRecord,
	isDeleted: boolean,
): { contact: ServiceRecord; left: string[] } {
	const has = pickBy(pick(from, CONTACT_FIELDS), (value) => !isBlank(value));
	const contact = pickBy(has, (_, field) => isBlank(to[field]));
	const left = Object.entries(omit(has, Object.keys(contact))).flatMap(([field, value]) => {
		if (field === 'name')
			return value === to.name ? [] : stays(field, quote(value), quote(to.name));
		const isShared = contactHas(to, field as ContactKey, String(value));
		return isShared ? [] : staysWithMerged(field, String(value), isDeleted);
	});
	return { contact, left };
}

const MAX_QUOTED = 60;

const quote = (value: unknown) => (isNil(value) ? '' : `"${shorten(String(value), MAX_QUOTED)}"`);

const stays = (what: string, value: string, other: string) =>
	`The ${what} was not moved: ${value} is in the history, and this lead has ${other || 'what the service does not show'}.`;

/** Says what comes of a value by which people are found, if the kept lead does not get it. */
export const staysWithMerged = (what: string, value: string, isDeleted: boolean): string =>
	`The ${what} "${value}" was not moved: what comes with it ${isDeleted ? 'later makes a new lead' : 'still goes to the merged lead'}.`;

/**
 * The note that keeps all fields of a lead that was merged.
 *
 * @param report what was copied and what was not moved, in sentences
 */
function noteOfMerge(lead: ServiceRecord, contact: ServiceRecord, report: string[]): ServiceRecord {
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
	const description = [...lines, '', ...report].join('\n');
	return { type: 'NOTE', title: titleOfMerge(id), description };
}

const titleOfMerge = (id: unknown) => `Merged from lead ${String(id)}`;

/** Whether the history of a lead has the note about another one. */
export const hasNoteOfMerge = (interactions: ServiceRecord[], leadId: string): boolean =>
	interactions.some(({ title }) => title === titleOfMerge(leadId));
