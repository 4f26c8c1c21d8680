/**
 * Reads the values of an item by their shape: the columns of a row, and what objects, lists and texts of a webhook hold. It knows
 * no service and no field of one; {@link ./lexicon} has the keys. Pure.
 */
import {
	attempt,
	castArray,
	deburr,
	difference,
	dropRightWhile,
	get,
	isObject,
	isPlainObject,
	omit,
	partition,
	setWith,
	toPath,
	toString,
	uniq,
} from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isBlank } from '../values/convert';
import { cleanCell } from '../values/clean';
import { isRecord } from '../values/json';
import {
	FIELD_WORDS,
	isAddressField,
	isCalled,
	isHead,
	isIndex,
	isOfOther,
	isOfPerson,
	isValueKey,
	keyOf,
	meaningOf,
	mentions,
} from './headings';
import { askedIn, type Asked, MAX_DEPTH, type Titles, titlesIn } from './asked';
import * as lexicon from '../lexicon/headings';
import { NO_CALLS } from '../lexicon/values';

/** A value of an item that is not blank: a text, a number, a boolean, a date, or a list of these. */
export interface Column {
	/** Its name in messages, from its path: `data.buyer.email`, `answers.Your email?`. */
	heading: string;
	value: unknown;
	/** The keys that lead to it in the item, and the same where a key may itself be a path, or a question instead. */
	keys: string[];
	path: string[];
	/** The question of which it is the answer, if it means no field: `{label: 'Message', value: 'Hello'}`. */
	question?: string;
	/** Whether an entry with a name and a value holds it: what a form asks is about the person who answers. */
	isAnswer?: boolean;
}

/** The key of a value, or the question of which it is the answer. */
export const columnName = ({ path }: Column) => dropRightWhile(path, isValueKey).at(-1) ?? '';

/** Added by n8n's Google Sheets node; no column of the spreadsheet. */
export const ROW_NUMBER = 'row_number';
/** Keys as they are written when a form is sent or an object is flattened: `fields[name][value]`, `data.buyer.email`. */
const FLATTENED = /^[\p{L}_$][\p{L}\p{N}_$-]*(?:\.[\p{L}\p{N}_$-]+|\[[^[\]]*\])+$/u;
/** A heading as people write it: `Dt.Nasc`, `Nº.Pedido`. It has no field, as `Cust.Email` of a program has. */
const isAbbreviated = (key: string) => {
	const parts = key.split('.');
	const areCapital = parts.length > 1 && parts.every((part) => /^\p{Lu}/u.test(part));
	return areCapital && !meaningOf(parts.slice(-1));
};
const isFlattened = (key: string) => FLATTENED.test(key) && !isAbbreviated(key);

/** @param isEntry whether the value is an entry of a list of answers */
export function columnsOf(
	root: unknown,
	keys: string[] = [],
	path = keys,
	isEntry = false,
	titles = titlesIn(isRecord(root) ? unflatten(root) : root),
): Column[] {
	if (path[0] === ROW_NUMBER) return [];
	const value = wholeOf(root, keys.at(-1) ?? '');
	// `[{id: 1, name: 'vip'}]`
	if (Array.isArray(value) && meaningOf(path)?.field === 'tags')
		return columnsOf(value.map((tag) => (isRecord(tag) ? tag.name : tag)).join('\n'), keys, path);
	const isList = Array.isArray(value) && value.some((entry) => isPlainObject(entry));
	if ((!isList && !isPlainObject(value)) || keys.length > MAX_DEPTH) {
		const leaf = isList || isPlainObject(value) ? JSON.stringify(value) : value;
		return isBlank(leaf) ? [] : [{ heading: path.join('.'), value: leaf, keys, path }];
	}
	const chosen = withChosenWords(unflatten(value as IDataObject));
	const address = addressIn(chosen, path);
	if (address) {
		const { label, type } = chosen;
		const kind = toString(label ?? type);
		// The path of a fax means no field, so it is named as a column that is not sent.
		const inner = mentions(kind, NO_CALLS) ? [...path, kind] : path;
		const columns = columnsOf(chosen[address], [...keys, address], inner, false, titles);
		const heading = [...path, address].join('.');
		return columns.map((column) => ({
			...column,
			heading: kind === '' ? heading : `${heading} (${kind})`,
		}));
	}
	const asked = keys.length === 0 ? undefined : askedIn(chosen, titles);
	const named = asked && namedPath(asked, path);
	if (asked && (named || isEntry || (asked.isQuestion && !meaningOf(path)))) {
		const [key, answer] = asked.answer;
		const [question] = asked.names;
		const askedPath = named ?? [...path.slice(0, -1), question];
		const columns = columnsOf(answer, [...keys, key], askedPath, false, titles);
		return columns.map((column) =>
			named ? { ...column, isAnswer: true } : { question, ...column },
		);
	}
	const hasAnswers = isCollection(value) && !meaningOf(path) && areAnswers(chosen, titles);
	// A list whose entries are answers stands for nothing itself, whatever it is called.
	const last = path.at(-1) ?? '';
	const standsForMore = !hasAnswers || isHead(last) || isOfOther(last);
	const ownPath = standsForMore ? path : [...path.slice(0, -1), 'answers'];
	const isWebhook = path.length === 0 && isOfWebhook(chosen);
	return Object.entries(chosen).flatMap(([key, member]) => {
		if (isWebhook && OF_REQUEST.has(key)) return [];
		const isBody = isWebhook && key === 'body';
		const inner = isBody ? [] : [...ownPath, key];
		const columns = columnsOf(member, [...keys, key], inner, hasAnswers, titles);
		return path.every(isWrapper) && isOnlyObject(chosen, key)
			? columns.map((column) => asOfItem(column, inner))
			: columns;
	});
}

/**
 * The key of the email or the phone in an entry of a list of these, `emails: [{value, label: 'work'}]`: the label is neither a question
 * nor a person. Undefined where the entry has more of a person.
 */
function addressIn(entry: IDataObject, path: string[]): string | undefined {
	const field = isIndex(path.at(-1) ?? '') ? meaningOf(path)?.field : undefined;
	if (!isAddressField(field)) return undefined;
	const fieldOf = (key: string) => (meaningOf([...path, key]) ?? meaningOf([key]))?.field;
	const [addresses, others] = partition(
		Object.keys(entry).filter((key) => isOfPerson(fieldOf(key))),
		(key) => fieldOf(key) === field,
	);
	return others.length === 0 && addresses.length === 1 ? addresses[0] : undefined;
}

/**
 * Whether the entries of a list or an object are answers, each with its question: one is named as an email or a phone is, or all of
 * several are a name and its value.
 */
function areAnswers(entries: IDataObject, titles: Titles): boolean {
	const asked = Object.values(entries).map((entry) => askedIn(entry, titles));
	const names = asked.flatMap((entry) => entry?.names ?? []);
	const areNamed = asked.length > 1 && asked.every((entry) => entry && isFlat(entry.answer[1]));
	return areNamed || mentions(names, FIELD_WORDS);
}

/** What n8n's Webhook node says of the request. */
const OF_REQUEST = new Set(['headers', 'webhookUrl', 'executionMode']);
/** An item of n8n's Webhook node is its body. */
export const isOfWebhook = ({ body, headers }: IDataObject) => isRecord(body) && isRecord(headers);
const isWrapper = (key: string) => isCalled(key, lexicon.WRAPPERS);
/** Whether a key holds all that an item is about, apart from its event or its ID: `data`, `fields`, `lead`. */
const isOnlyObject = (item: IDataObject, key: string) =>
	isWrapper(key) &&
	isPlainObject(item[key]) &&
	!Object.keys(item[key] as IDataObject).every(isIndex) &&
	Object.values(item).filter(isObject).length === 1;

/** A field of the deal in the only object of an item is one of the item. A name there may be that of something else. */
function asOfItem(column: Column, wrapper: string[]): Column {
	const path = column.path.slice(wrapper.length);
	const field = meaningOf(path)?.field;
	return field === undefined || isOfPerson(field) ? column : { ...column, path };
}

// Values

/** The text of a cell that a program read from a spreadsheet, the object in a text that is a payload, and plain text without marks. */
function wholeOf(value: unknown, key: string): unknown {
	if (isPlainObject(value)) return textOfCell(value as IDataObject);
	// Lists in a list are one list.
	if (Array.isArray(value)) return value.flat(Infinity);
	if (typeof value !== 'string') return value;
	if (lexicon.ENVELOPES.has(keyOf(key))) {
		const parsed: unknown = attempt(JSON.parse, value);
		if (isPlainObject(parsed)) return parsed;
	}
	return cleanCell(value);
}

function textOfCell(cell: IDataObject): unknown {
	const runs = Object.entries(cell).find(isRichText)?.[1] as unknown[] | undefined;
	if (runs) return runs.map(textOfRun).join('');
	if (!Object.keys(cell).some((key) => lexicon.CELL_KEYS.has(keyOf(key))))
		return dateIn(cell) ?? cell;
	const { result, text, value } = cell;
	const inner = result ?? text ?? value;
	return isPlainObject(inner) ? textOfCell(inner as IDataObject) : inner;
}

/** The text of a date in parts, as JotForm sends it: `{day: '31', month: '01', year: '2026'}`. */
function dateIn(cell: IDataObject): string | undefined {
	const { time, ...tables } = lexicon.DATE_PARTS;
	const members = Object.entries(cell).map(([key, value]) => ({ key: deburr(keyOf(key)), value }));
	const [day, month, year] = Object.values(tables).map((table) =>
		toString(members.find(({ key }) => table.has(key))?.value).trim(),
	);
	const isDate = members.every(({ key }) =>
		[time, ...Object.values(tables)].some((table) => table.has(key)),
	);
	if (!isDate || !/^\d{1,2}$/.test(day) || month === '' || !/^\d{4}$/.test(year)) return undefined;
	return /^\d+$/.test(month)
		? [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-')
		: `${day} ${month} ${year}`;
}

/** Whether a list is a text in parts, each with its form, as Excel and Notion have it. */
const isRichText = ([key, list]: [string, unknown]) =>
	Array.isArray(list) &&
	(keyOf(key) === 'richtext' ||
		(list.length > 0 && list.every((run) => isRecord(run) && 'plain_text' in run)));
const textOfRun = (run: unknown) => (isRecord(run) ? (run.plain_text ?? run.text) : run);

/** Puts values under keys such as `fields[name][value]` into the objects that the keys describe, unless something else is there. */
function unflatten(object: IDataObject): IDataObject {
	const keys = Object.keys(object);
	if (!keys.some(isFlattened)) return object;
	const nested: IDataObject = {};
	for (const key of keys) {
		const path = isFlattened(key) ? toPath(key) : [key];
		const isTaken = path.some((_, at) => {
			const there: unknown = get(nested, path.slice(0, at + 1));
			return there !== undefined && (at === path.length - 1 || !isPlainObject(there));
		});
		const isPlain = path.length === 1 || isTaken || Object.hasOwn(object, path[0]);
		setWith(nested, isPlain ? [key] : path, object[key], Object);
	}
	return nested;
}

/** Replaces the IDs of chosen options, which Tally sends as the value of a question, by their labels. */
function withChosenWords(question: IDataObject): IDataObject {
	const { value, options } = question;
	if (isBlank(value) || !Array.isArray(options)) return question;
	const named = new Map(
		options.filter(isRecord).map(({ id, text, label, name }) => [id, text ?? label ?? name]),
	);
	const words = castArray(value).map((choice) => named.get(choice) ?? choice);
	return { ...omit(question, 'options'), value: Array.isArray(value) ? words : words[0] };
}

/** The path of an answer by the first of its names that means a field. */
function namedPath({ names }: Asked, path: string[]): string[] | undefined {
	return names
		.map((name) => [...path.slice(0, -1), name])
		.find((candidate) => meaningOf(candidate));
}

/** A value, or a list of values, in which `{0: …}` is one too. */
const isFlat = (value: unknown) =>
	isBlank(value) ||
	typeof value !== 'object' ||
	Object.entries(value!).every(([key, member]) => isIndex(key) && typeof member !== 'object');

/** A list, or an object that is one: `{0: …, 1: …}`, `{name: {…}, email: {…}}`. */
const isCollection = (value: unknown) =>
	Array.isArray(value) || Object.values(value as object).every((entry) => isPlainObject(entry));

/** Names the values that are not sent, each by the outermost object of which nothing is sent. */
export function outermost(unsent: Column[], all: Column[]): string[] {
	const headsOf = ({ keys }: Column) => keys.map((_, last) => keys.slice(0, last + 1).join('.'));
	const sent = new Set(difference(all, unsent).flatMap(headsOf));
	// A place in a list says nothing: the question does.
	const nameOf = (column: Column) =>
		column.question === undefined && !column.isAnswer
			? headsOf(column).find((head) => !sent.has(head))
			: undefined;
	return uniq(unsent.map((column) => nameOf(column) ?? column.heading));
}
