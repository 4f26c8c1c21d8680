/**
 * Converts an input item to a lead, by the headings of its columns or as the user mapped them. A heading is only a guess, so a
 * value must also fit its field: otherwise the output reports it, and the rest of the row is sent. Pure.
 */
import { attempt, difference, groupBy, isError, map, mapValues, minBy, partition } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values/json';
import { zoneOfTimes } from '../dates/date';
import type { Parameter } from '../operation';
import type { Convert, ConvertContext } from '../values/context';
import { convertOrNote, InputError } from '../userError';
import { toIdentifier } from '../values/convert';
import { adIn, refuseTestLead } from './ad';
import { refuseGone } from './gone';
import { noteRest } from './answers';
import { columnsOf, type Column } from './cells';
import { FITS, hasReais, isOfOtherUnit } from './fits';
import { idColumnsOf, refuseDescribing } from './idColumns';
import { leaveOut, type Cell } from './cell';
import { isOfPipeline } from './deal';
import { MOBILE_HEADING } from '../lexicon/headings';
import { readColumns, reportOfFirm } from './evidence';
import { diallingOf } from './country';
import { documentedFrom, isListed } from './documented';
import { converterOf } from '../fields/converter';
import { cleanName, cleanValue, unquote } from '../values/clean';
import { toAddress } from '../values/identity';
import { MOBILE_OF_BRAZIL } from '../values/phone';
import { holdsObject, isErrorValue, isFalseWord } from '../values/words';
import { contactFields } from '../fields/contactFields';
import { isAddressField, isOfPerson, labelOf, meaningOf, normalizeHeading } from './headings';
import {
	createContactIfNotFound,
	leadFields,
	externalId,
	contactReference,
	protocol,
} from '../fields/leadFields';
import { isAddress, isNamePart, isSameValue, type ColumnMatch } from './match';
import { personIn } from './onePerson';
import { hasInColumn, shownIn } from './shown';

/** The fields of a lead that can be mapped, one column each. `within` is their parent in the body. */
export const mappableFields: Array<{ field: Parameter; within?: 'contact' }> = [
	{ field: externalId },
	{ field: protocol },
	...contactFields.map((field) => ({ field, within: 'contact' as const })),
	...leadFields.map((field) => ({ field })),
	{
		field: {
			...contactReference,
			displayName: 'Contact ID',
			type: 'string',
			convert: toIdentifier,
		},
	},
	{ field: createContactIfNotFound },
];

/** Two values for one of these would be two leads, and a row sent without one would reach another lead: such rows fail. */
const IDENTIFIERS = ['externalId', 'leadId', 'protocol', 'contactId'];

/** Converts mapped values, or an input item with headings of these fields, to a lead as in 4.3. */
export const toMappedLead: Convert = (mapping, context) => {
	if (!isRecord(mapping)) return undefined;
	if (mapping.mappingMode === 'autoMapInputData') return leadOfItem(context);
	if (!isRecord(mapping.value)) return undefined;
	const mapped = mapValues(mapping.value, (value, name) => {
		const label = mappableFields.find(({ field }) => field.name === name)?.field.displayName;
		return [{ heading: label ?? name, value }];
	});
	return leadFrom(mapped, context);
};

function leadOfItem(context: ConvertContext): IDataObject {
	const all = columnsOf(context.input ?? {});
	refuseTestLead(all);
	refuseGone(all);
	const ad = adIn(all);
	const read = readColumns(difference(all, ad.columns), context);
	reportOfFirm(read, context);
	const { matches } = read;
	refuseHeadings(matches);
	const leftOut = new Set<string>();
	const reporting: ConvertContext = {
		...context,
		onLeftOut: (heading, reason) => {
			leftOut.add(heading);
			context.onLeftOut?.(heading, reason);
		},
	};
	const lead = leadFrom(cellsOf(all, matches, reporting), reporting);
	const rest = difference(all, map(matches, 'column'), idColumnsOf(all, context));
	const notSent = all.filter(({ heading }) => leftOut.has(heading));
	noteRest({ all, rest, notSent, ad }, context);
	return lead;
}

const MIN_HEADINGS = 2;

/** @throws InputError for a row that repeats the headings, as where one sheet was appended to another */
export function refuseHeadings(matches: ColumnMatch[]): void {
	const repeated = matches.filter(
		({ value, keys }) => typeof value === 'string' && isHeading(value, keys.at(-1) ?? ''),
	);
	if (repeated.length < MIN_HEADINGS) return;
	throw new InputError(
		`The row repeats the headings of its columns: ${map(repeated, ({ heading }) => `"${heading}"`).join(', ')}`,
		'It is not a lead. Remove this row.',
	);
}

/** Compares the first letters before the words, which takes longer and is rarely needed. */
const isHeading = (value: string, heading: string) =>
	value.trim().charAt(0).toLowerCase() === heading.trim().charAt(0).toLowerCase() &&
	normalizeHeading(value) === normalizeHeading(heading);

const isChoice = (field: string) => field === createContactIfNotFound.name;

/** Why a value is left out, by its form and what is beside it; undefined if it fits its field. */
function whyUnfit(
	match: ColumnMatch,
	matches: ColumnMatch[],
	all: Column[],
	context: ConvertContext,
): string | undefined {
	const { field } = match;
	const text = String(match.value).trim();
	const isNone = isErrorValue(text) || (isFalseWord(text) && !isChoice(field));
	if (isNone && !IDENTIFIERS.includes(field)) return 'stands for no value';
	if (holdsObject(text) && !IDENTIFIERS.includes(field)) return 'holds the word for an object';
	if (field === 'contactId' && (matches.some(isAddress) || isOfPipeline(context)))
		return 'may be the ID of another program';
	const [fits, reason] = FITS[field] ?? [];
	if (fits?.(text, all) === false) return reason;
	const isInOtherUnit =
		field === 'estimatedValue' &&
		hasInColumn('other unit', isOfOtherUnit, match, context) &&
		!hasInColumn('reais', hasReais, match, context);
	return isInOtherUnit ? 'stands in a column of amounts in another currency' : undefined;
}

/** The cells of each field that the columns of an item fit. `all`: its columns. */
export function cellsOf(
	all: Column[],
	matches: ColumnMatch[],
	context: ConvertContext,
): Record<string, Cell[]> {
	const ids = idColumnsOf(all, context);
	const fitting = matches
		.filter((match) => {
			const { field, column, value } = match;
			if (ids.includes(column) && !isOfPerson(field)) return false;
			if (value === false && !isChoice(field)) return false;
			const reason = whyUnfit(match, matches, all, context);
			if (reason === undefined) context.onRead?.(match.heading, field, match.isGuess === true);
			else leaveOut(context, match, reason);
			return reason === undefined;
		})
		.map((match) => {
			const { field, value } = match;
			if (field === 'phone') return { ...match, dialling: diallingOf(match, all) };
			if (isNamePart(match) && typeof value === 'string')
				return { ...match, value: cleanName(value) };
			if (!isListed(field)) return match;
			const word = String(value).trim();
			const documented = documentedFrom(field, word);
			if (documented !== undefined && documented !== word) context.onTranslated?.(documented, word);
			return { ...match, value: documented };
		});
	const [ofPeople, others] = partition(fitting, ({ field }) => isOfPerson(field));
	const chosen = matches.find(({ column }) => ids.includes(column));
	const cells: Record<string, Cell[]> = groupBy(
		[...personIn(ofPeople, all, chosen, context), ...others],
		'field',
	);
	for (const id of ids) {
		context.onRead?.(id.heading, externalId.name, false);
		const isAddress = isAddressField(meaningOf(id.path)?.field);
		const dialling = isAddress ? diallingOf(id, all) : undefined;
		(cells.externalId ??= []).push({ ...id, isAddress, dialling });
	}
	return cells;
}

/** Makes a lead from the cells of its fields. `wanted`: the fields that are read. Mistakes are collected in the context. */
export function leadFrom(
	cellsByField: Record<string, Cell[]>,
	context: ConvertContext,
	wanted = mappableFields,
): IDataObject {
	const lead: IDataObject = {};
	const contact: IDataObject = {};
	for (const { field, within } of wanted) {
		const cells = cellsByField[field.name];
		if (!cells) continue;
		const value = convertOrNote(context.mistakes, () => fieldValue(field, cells, context));
		if (value !== undefined) (within ? contact : lead)[field.name] = value;
	}
	return Object.keys(contact).length > 0 ? { ...lead, contact } : lead;
}

/**
 * The value of a field from its cells. Of several phones it is the mobile, of numbered emails the first. Of other values that differ
 * none is: which one is right is not known.
 *
 * @throws InputError for two values that identify the lead, and for one that cannot be read
 */
function fieldValue(field: Parameter, cells: Cell[], context: ConvertContext): unknown {
	const { name } = field;
	const isId = IDENTIFIERS.includes(name);
	const results = cells.map((cell) => {
		const convert = cell.isAddress ? toAddress : converterOf(field);
		const shown = shownIn(name, cell, context);
		const zone = name === 'saleDate' ? zoneOfTimes(cell.heading, cell.value) : undefined;
		const timezone = zone ?? context.timezone;
		const cellContext = { ...context, ...cell.dialling, label: cell.heading, shown, timezone };
		const raw = isId && typeof cell.value === 'string' ? unquote(cell.value) : cell.value;
		const value: unknown = attempt(() => {
			const converted = cleanValue(convert ? convert(raw, cellContext) : raw);
			if (name === externalId.name) refuseDescribing(cell, context);
			return converted;
		});
		return { cell, value };
	});
	const [failed, others] = partition(results, ({ value }) => isError(value));
	const read = others.filter(({ value }) => value !== undefined);
	if (failed.length > 0 && (read.length === 0 || isId)) throw failed[0].value;
	for (const { cell } of failed) leaveOut(context, cell, 'cannot be read');
	const first = minBy(read, (value) => FIRST[name]?.(value) ?? 0);
	if (!first) return undefined;
	const different = read.filter(({ value }) => !isSameValue(name, first.value, value));
	if (different.length === 0) return first.value;
	const { heading } = first.cell;
	const isNumbered = different.every(({ cell }) => cell.number !== undefined);
	const another = name === 'email' && !isNumbered ? undefined : ANOTHER[name];
	if (isId) {
		throw new InputError(
			`"${heading}" and "${different[0].cell.heading}" are two columns for "${labelOf(name)}"`,
			'A lead has one, and the values differ. Remove one of the two columns, or rename it to a heading of your own, and it is not sent.',
		);
	}
	const reason = another
		? `${another} "${heading}", which is sent`
		: `is one of several values for "${labelOf(name)}". Rename the column that is something else`;
	for (const { cell } of another ? different : read) leaveOut(context, cell, reason);
	return another ? first.value : undefined;
}

/** The fields of which the first value is sent. */
const ANOTHER: Partial<Record<string, string>> = {
	phone: 'is another phone than',
	email: 'is another email than',
};
/** Which value comes first: the mobile phone, the email without a number, and the longest of names with the same words. */
const FIRST: Record<string, (read: { value: unknown; cell: Cell }) => number> = {
	phone: ({ value, cell }) =>
		(MOBILE_OF_BRAZIL.test(String(value)) ? 0 : 2) + (MOBILE_HEADING.test(cell.heading) ? 0 : 1),
	email: ({ cell: { number = -1 } }) => number,
	name: ({ value }) => -String(value).length,
};
