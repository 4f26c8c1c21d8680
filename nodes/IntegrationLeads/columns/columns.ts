/**
 * The lead of an item, from its columns or from columns that were mapped by hand. A heading is a guess: a value counts if it fits,
 * else it is named and the rest of the row is sent. Pure.
 */
import {
	attempt,
	compact,
	deburr,
	difference,
	dropRightWhile,
	filter,
	groupBy,
	isEqual,
	isError,
	isPlainObject,
	map,
	mapValues,
	partition,
	reject,
	sortBy,
	toPath,
	toString,
	uniq,
} from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { contactHas } from '../contract/contactMatch';
import { isRecord } from '../values/json';
import { documentedValues } from '../contract/records';
import type { Parameter } from '../operation';
import type { Convert, ConvertContext } from '../values/context';
import { convertOrNote, InputError } from '../userError';
import { isBlank, show, toIdentifier, toProtocol } from '../values/convert';
import { splitAnswers, type Column } from './answers';
import { converterOf } from '../fields/converter';
import { toAddress } from '../values/identity';
import { MOBILE_OF_BRAZIL, toInternational } from '../values/phone';
import { isMissing, isSameWord } from '../values/words';
import { contactFields } from '../fields/contactFields';
import {
	isOfPerson,
	isValueKey,
	labelOf,
	meaningOf,
	normalizeHeading,
	saleFieldOf,
	type Meaning,
} from './headings';
import {
	createContactIfNotFound,
	details,
	externalId,
	leadIdText,
	ofContact,
	protocol,
} from '../fields/leadFields';
import { MAP_BY_HAND } from '../fields/options';

/** What a column seems to be. Of a column with several emails, each is one. */
type Guess = Column & Meaning & { column: Column };

/** The fields of a lead that can be mapped, one column each. `within` is their parent in the body. */
export const columns: Array<{ field: Parameter; within?: 'contact' }> = [
	{ field: externalId },
	{ field: protocol },
	...contactFields.map((field) => ({ field, within: 'contact' as const })),
	...details.map((field) => ({ field })),
	{ field: { ...ofContact, displayName: 'Contact ID', type: 'string', convert: toIdentifier } },
	{ field: createContactIfNotFound },
];

/** The fields of a sale, and what tells whose it is. */
const saleColumns = [...columns, { field: leadIdText }].filter(({ field: { name } }) =>
	['externalId', 'leadId', 'email', 'phone', 'estimatedValue', 'saleDate'].includes(name),
);

/** Two of them in a row are two leads, and without one another lead is meant. */
const IDENTIFIERS = ['externalId', 'leadId', 'protocol', 'contactId'];

/** Converts mapped values, or an input item with headings of these fields, to a lead as in 4.3. */
export const toMappedLead: Convert = (mapping, context) => {
	if (!isRecord(mapping)) return undefined;
	if (mapping.mappingMode !== 'autoMapInputData') {
		if (!isRecord(mapping.value)) return undefined;
		const given = mapValues(mapping.value, (value, name) => {
			const label = columns.find(({ field }) => field.name === name)?.field.displayName;
			return [{ heading: label ?? name, value }];
		});
		return leadFrom(given, context);
	}
	const { onAnswers, options, input = {} } = context;
	const all = columnsOf(input);
	const guesses = all.flatMap((column) => guessesOf(column, meaningOf(column.path)));
	const ids = idColumnsOf(all, context);
	const rest = difference(all, map(guesses, 'column'), ids);
	// A row of a spreadsheet is no submission: it is sent again and again.
	const isNoted = !!onAnswers && options?.noteAnswers !== false && !(ROW_NUMBER in input);
	const [answers, others] = splitAnswers(rest, isNoted);
	if (answers !== '') onAnswers?.(answers);
	const unsent = outermost(others, all);
	if (unsent.length > 0) context.onUnsent?.(unsent);
	return leadFrom(cellsOf(all, guesses, context), context);
};

/** Converts the columns of an input item to a sale. Its other columns are no concern of the sale. */
export const toSaleOfRow: Convert = (specified, context) => {
	if (specified !== 'columns') return undefined;
	const all = columnsOf(context.input ?? {});
	const hasDate = all.some(({ path }) => meaningOf(path)?.field === 'saleDate');
	const guesses = all.flatMap((column) => {
		const own = meaningOf(column.path);
		const field = own?.field ?? saleFieldOf(column.heading);
		// Beside the date of the sale, "Date" is another one. Two values are for the user to choose from.
		if (field === undefined || (field === 'saleDate' && hasDate && !own)) return [];
		const isOfSale = isOfPerson(field) || saleColumns.some((each) => each.field.name === field);
		return isOfSale ? guessesOf(column, own ?? { field, person: '', group: '' }) : [];
	});
	return leadFrom(cellsOf(all, guesses, context), context, saleColumns);
};

// Columns

/** Added by n8n's Google Sheets node; no column of the spreadsheet. */
const ROW_NUMBER = 'row_number';
/** Keys as they are written when a form is sent or an object is flattened: `fields[name][value]`, `data.buyer.email`. */
const FLATTENED = /^[\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+|\[[^[\]]*\])+$/u;
const DEEPEST = 10;
/** Keys whose text names the value beside them: `{label: 'Email', value: 'ana@example.com'}`. */
const LABEL_KEYS = 'label title question name columnname columnid key'.split(' ');

function columnsOf(value: unknown, keys: string[] = [], path = keys, heading = ''): Column[] {
	if (isBlank(value) || path[0] === ROW_NUMBER) return [];
	const isList = Array.isArray(value) && value.some((each) => isPlainObject(each));
	if ((!isList && !isPlainObject(value)) || keys.length > DEEPEST) {
		return [{ heading: heading || keys.join('.'), value, keys, path }];
	}
	const entries = Object.entries(value as object);
	const { label, title, question: asked } = value as Record<string, unknown>;
	const [question] = compact([label, title, asked]).map(String);
	const labels = entries.filter(([key]) => LABEL_KEYS.includes(normalizeHeading(key)));
	const [named] = labels
		.map(([, text]) => [...path.slice(0, -1), String(text)])
		.filter((each) => keys.length > 0 && meaningOf(each));
	const values = named && entries.filter(([key]) => isValueKey(key));
	if (values && values.length > 0) {
		return values.flatMap(([key, each]) => {
			return columnsOf(each, [...keys, key], named, named.join('.'));
		});
	}
	return entries.flatMap(([key, each]) => {
		const inner = FLATTENED.test(key) ? toPath(key) : [key];
		const columns = columnsOf(each, [...keys, key], [...path, ...inner], heading);
		return question && isValueKey(key)
			? columns.map((column) => ({ question, ...column }))
			: columns;
	});
}

function guessesOf(column: Column, meaning: Meaning | undefined): Guess[] {
	if (!meaning) return [];
	const isPersons = isOfPerson(meaning.field);
	// That an address is the primary one, or may be used, is no address.
	if (isPersons && typeof column.value === 'boolean') return [];
	const values = isPersons ? [column.value].flat() : [column.value];
	return values.map((value) => ({ ...column, ...meaning, value, column }));
}

/** What is not sent, by the outermost object of which nothing is. */
function outermost(unsent: Column[], all: Column[]): string[] {
	const headsOf = ({ keys }: Column) => keys.map((_, last) => keys.slice(0, last + 1).join('.'));
	const sent = new Set(difference(all, unsent).flatMap(headsOf));
	return uniq(
		unsent.map((column) => headsOf(column).find((head) => !sent.has(head)) ?? column.heading),
	);
}

// What fits

/** The number of an order: `#1001`, `EN1001`. */
const ORDER_NUMBER = /^#|^(?=\S*$).*?\d{3}/;
/** The sign or the name of a currency other than the real, or of a share. */
const OTHER_UNIT =
	/[%‰]|(?!\$)\p{Sc}|\p{L}\$(?<!R\$)|\b(?:USD|EUR|GBP|ARS|MXN|CLP|COP|PEN|UYU|euros?|d[oóô]lar(?:es)?|dollars?|pesos?)\b/iu;
const CURRENCY_HEADING = /^(?:currency|currencycode|moeda|moneda)$/i;
const REAIS = /^(?:BRL|R\$|reais|real)$/i;

const isName = (text: string) => /\p{L}/u.test(text) && !ORDER_NUMBER.test(text);
const isCode = (text: string) => /^\D{0,2}\d{1,4}\D?$/.test(text);
const isDocumented = (field: keyof typeof documentedValues) => (text: string) =>
	documentedValues[field].some((each) => isSameWord(each, text));

/** Whether a value is one of the field that its heading names, beyond that it can be read. */
const FITS: Record<string, [fits: (text: string, all: Column[]) => boolean, reason: string]> = {
	name: [isName, 'is no name of a person'],
	firstName: [isName, 'is no name of a person'],
	lastName: [isName, 'is no name of a person'],
	areaCode: [isCode, 'is no code that is dialled'],
	countryCode: [isCode, 'is no code that is dialled'],
	protocol: [
		(text) => /^ml/i.test(toString(toProtocol(text, { label: 'Protocol', timezone: 'UTC' }))),
		'contains no code of a tracking link, such as ML-AB12-CD34',
	],
	estimatedValue: [
		(text, all) => {
			const currency = all.find((each) => CURRENCY_HEADING.test(each.heading.trim()));
			return !OTHER_UNIT.test(text) && (!currency || REAIS.test(String(currency.value).trim()));
		},
		'is no amount in reais',
	],
	status: [isDocumented('status'), 'is not documented'],
	priority: [isDocumented('priority'), 'is not documented'],
	source: [isDocumented('source'), 'is not documented'],
};

/** A value of a row, and the heading of its column. */
interface Cell {
	heading: string;
	value: unknown;
	/** It is an email or a phone, also where it is the external ID. */
	isAddress?: boolean;
}

const leaveOut = ({ onLeftOut }: ConvertContext, { heading, value }: Cell, reason: string) =>
	onLeftOut?.(heading, `${show(value)} ${reason}.${MAP_BY_HAND}`);

/** The columns that the user named: by all of their keys, or by the last of them, or by the question. */
function idColumnsOf(all: Column[], { options }: ConvertContext): Column[] {
	const chosen = normalizeHeading(toString(options?.externalIdColumn));
	if (chosen === '') return [];
	const isChosen = (name: string) => normalizeHeading(name) === chosen;
	const whole = all.filter(({ heading }) => isChosen(heading));
	if (whole.length > 0) return whole;
	return all.filter(({ path, question = '' }) =>
		[question, ...path.flatMap((_, start) => namesFrom(path.slice(start)))].some(isChosen),
	);
}

/** `fields.email.value` is also called `fields.email`. */
const namesFrom = (path: string[]) => [path.join(' '), dropRightWhile(path, isValueKey).join(' ')];

/** The cells of each field that the columns of an item fit. */
function cellsOf(all: Column[], guesses: Guess[], context: ConvertContext): Record<string, Cell[]> {
	const ids = idColumnsOf(all, context);
	const fitting = guesses.filter((guess) => {
		const { field, column } = guess;
		if (ids.includes(column) && !isOfPerson(field)) return false;
		const text = String(guess.value).trim();
		const [fits, reason] = FITS[field] ?? [];
		const isEmpty = !IDENTIFIERS.includes(field) && isMissing(text);
		const fitsField = !isEmpty && fits?.(text, all) !== false;
		if (!fitsField) leaveOut(context, guess, isEmpty ? 'stands for no value' : String(reason));
		return fitsField;
	});
	const [ofPeople, others] = partition(fitting, ({ field }) => isOfPerson(field));
	const chosen = guesses.find(({ column }) => ids.includes(column))?.person;
	const cells: Record<string, Cell[]> = groupBy(
		[...personIn(ofPeople, chosen, context), ...others],
		'field',
	);
	for (const id of ids) {
		const isAddress = ['email', 'phone'].includes(meaningOf(id.path)?.field ?? '');
		(cells.externalId ??= []).push({ ...id, isAddress });
	}
	return cells;
}

// Whose it is

const isAddress = ({ field }: Guess) => field === 'email' || field === 'phone';
const isNamePart = ({ field }: Guess) => /name$/i.test(field);
const isCodePart = ({ field }: Guess) => /Code$/.test(field);

/** Who gets a parcel need not be who ordered it. */
const isShipping = ({ person }: Guess) => person.startsWith('shipping');

/**
 * One person: the columns that say nothing of whose they are, and those of one role, such as `buyer`: that of the external ID,
 * else the first with an address. First and last name are joined, and an area code with the phone.
 */
function personIn(guesses: Guess[], chosen: string | undefined, context: ConvertContext): Guess[] {
	const [ofRoles, ofRow] = partition(guesses, ({ person }) => person !== '');
	const candidates = ofRow.some(isAddress) ? reject(ofRoles, isShipping) : ofRoles;
	const [first] = sortBy(candidates, isShipping, (guess) => !isAddress(guess));
	const role = chosen || first?.person;
	// Under `payload`, a name is a person's if an email or a phone stands beside it; else it may be that of a form.
	const hasAddress = ({ group }: Guess) =>
		guesses.some((each) => isAddress(each) && each.group === group);
	const hasOwner = guesses.some((guess) => isNamePart(guess) && hasAddress(guess));
	const isNobodys = (guess: Guess) =>
		isNamePart(guess) && !hasAddress(guess) && (guess.group !== '' || hasOwner);
	const own = guesses.filter((guess) => ['', role].includes(guess.person) && !isNobodys(guess));
	const [names, rest] = partition(own, isNamePart);
	const [codes, addresses] = partition(rest, isCodePart);
	for (const code of codes) {
		const isUsed = addresses.some((each) => each.field === 'phone' && areBeside(each, code));
		if (!isUsed) leaveOut(context, code, 'is a code without a phone');
	}
	const people = Object.values(groupBy(names, ({ person, group }) => [person, group]));
	const sent = [
		...people.flatMap((each) => joinName(each, context)),
		...addresses.map((each) => withCodes(each, codes, context)),
	];
	// A parcel mostly goes to the buyer: what is sent anyway is not left out.
	const isSent = ({ value }: Guess) =>
		sent.some((each) => isSameValue(each.field, each.value, value));
	for (const guess of reject(difference(guesses, own), isSent)) {
		const reason = isNobodys(guess)
			? 'may be the name of something else'
			: 'is of another person in the row. To choose one, name the column of their email under Options > External ID Column';
		leaveOut(context, guess, reason);
	}
	return sent;
}

/** In Spain, "Nombre" is a first name beside "Apellidos"; there and in Mexico there are two of them. */
function joinName(parts: Guess[], context: ConvertContext): Guess[] {
	const [[whole], [first], lasts] = ['name', 'firstName', 'lastName'].map((field) =>
		parts.filter((part) => part.field === field),
	);
	const rest = compact([first, ...lasts]);
	if (rest.length === 0) return parts;
	const nameOf = (joined: Guess[]) => joined.map(({ value }) => String(value).trim()).join(' ');
	const isWhole = whole && rest.every((part) => contains(whole.value, part.value));
	const joined = lasts.reduce(
		(before, last) => (contains(nameOf(before), last.value) ? before : [...before, last]),
		compact([isWhole ? whole : (first ?? whole)]),
	);
	const value = nameOf(joined);
	for (const part of parts) {
		if (!contains(value, part.value))
			leaveOut(context, part, 'is another name than the one that is sent');
	}
	return [{ ...joined[0], heading: map(joined, 'heading').join(' + '), value, field: 'name' }];
}

/** Whether a name has each word of another. */
const contains = (name: unknown, other: unknown) =>
	difference(wordsIn(other), wordsIn(name)).length === 0;
const wordsIn = (text: unknown) =>
	deburr(String(text))
		.toLowerCase()
		.match(/[\p{L}\p{N}]+/gu) ?? [];

const areBeside = (one: Guess, other: Guess) =>
	isEqual(one.path.slice(0, -1), other.path.slice(0, -1));

/** A phone that is none by itself, with the codes of columns beside it, unless there are two of a kind. */
function withCodes(phone: Guess, codes: Guess[], { countryCode }: ConvertContext): Guess {
	const beside = codes.filter((code) => areBeside(code, phone));
	if (phone.field !== 'phone' || beside.length === 0) return phone;
	const [area, country] = ['areaCode', 'countryCode'].map((field) => {
		const [code, ...others] = uniq(map(filter(beside, { field }), 'value'));
		return others.length === 0 ? toString(code).replace(/\D/g, '') : '';
	});
	const value = [String(phone.value), `${area} ${String(phone.value)}`]
		.map((text) => toInternational(text, country || countryCode))
		.find(Boolean);
	return { ...phone, value: value ?? phone.value };
}

// The lead

function leadFrom(
	given: Record<string, Cell[]>,
	context: ConvertContext,
	wanted = columns,
): IDataObject {
	const lead: IDataObject = {};
	const contact: IDataObject = {};
	for (const { field, within } of wanted) {
		const cells = given[field.name] ?? [];
		const value = convertOrNote(context.mistakes, () => valueOf(field, cells, context));
		if (value !== undefined) (within ? contact : lead)[field.name] = value as IDataObject[string];
	}
	return Object.keys(contact).length > 0 ? { ...lead, contact } : lead;
}

/**
 * The value of a field from its cells. Of several phones it is the mobile. Of other values that differ none is: which one is
 * right is not known.
 *
 * @throws InputError for two values that identify the lead, and for one that cannot be read
 */
function valueOf(field: Parameter, cells: Cell[], context: ConvertContext): unknown {
	const { name } = field;
	const isId = IDENTIFIERS.includes(name);
	const isPhone = name === 'phone';
	const results = cells.map((cell) => {
		const convert = cell.isAddress ? toAddress : converterOf(field);
		const own = { ...context, label: cell.heading };
		const value: unknown = attempt(() => (convert ? convert(cell.value, own) : cell.value));
		return { cell, value };
	});
	const [failed, others] = partition(results, ({ value }) => isError(value));
	const read = others.filter(({ value }) => value !== undefined);
	if (failed.length > 0 && (read.length === 0 || isId)) throw failed[0].value;
	for (const { cell } of failed) leaveOut(context, cell, 'cannot be read');
	const [first] = sortBy(read, (each) => FIRST[name]?.(each) ?? 0);
	const different = read.filter(({ value }) => !isSameValue(name, first.value, value));
	if (different.length === 0) return first?.value;
	const { heading } = first.cell;
	if (isId) {
		throw new InputError(
			`"${heading}" and "${different[0].cell.heading}" are two columns for "${labelOf(name)}"`,
			'A lead has one, and the values differ. Remove one of the two columns, or rename it to a heading of your own, and it is not sent.',
		);
	}
	const reason = isPhone
		? `is another phone than "${heading}", which is sent`
		: `is one of several values for "${labelOf(name)}"`;
	for (const { cell } of isPhone ? different : read) leaveOut(context, cell, reason);
	return isPhone ? first.value : undefined;
}

/** Of phones the mobile, of names with the same words the longest. */
const FIRST: Record<string, (read: { value: unknown; cell: Cell }) => number> = {
	phone: ({ value, cell }) =>
		(MOBILE_OF_BRAZIL.test(String(value)) ? 0 : 2) + (MOBILE.test(cell.heading) ? 0 : 1),
	name: ({ value }) => -String(value).length,
};
const MOBILE = /cel|mobile|whats|wpp|zap|m[oó]vil|telem/i;

/** Whether two values of a field mean the same: an email in another case, a phone with or without its ninth digit. */
function isSameValue(name: string, one: unknown, other: unknown): boolean {
	if (isEqual(one, other)) return true;
	if (name === 'name') return contains(one, other);
	return (
		(name === 'email' || name === 'phone') &&
		contactHas({ [name]: other }, name, String(one)) === true
	);
}
