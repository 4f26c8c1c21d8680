/** Finds the fields that the headings of a spreadsheet, a form or a webhook mean; {@link ./lexicon} has the words. Pure. */
import {
	compact,
	deburr,
	dropRightWhile,
	findLast,
	findLastIndex,
	get,
	partition,
	range,
	uniq,
} from 'lodash';

import { withZoneAsWord } from '../dates/date';
import * as lexicon from '../lexicon/headings';
import { DEAL, NUMBERS, type Phrase, type Table } from '../lexicon/sales';
import { rememberByPath, rememberByTable } from './remember';

const { FILLERS, HEADINGS, PARTS, PARTS_OF, SALE_HEADINGS } = lexicon;

/** The fields that belong to a person. */
const OF_PERSON = ['name', 'email', 'phone', ...Object.keys(PARTS)];
export const isOfPerson = (field = '') => OF_PERSON.includes(field);

/** Whether a table has a word, or the word of which it is the plural. */
export const has = (table: Set<string>, word: string) =>
	table.has(word) || (word.endsWith('s') && table.has(word.slice(0, -1)));
/** The same in any gender: `pagas` is `pago`, `vendedora` is `vendedor`. */
export const hasAny = (table: Set<string>, word: string) =>
	has(table, word) ||
	table.has(word.replace(/[oa]s?$/, 'o')) ||
	table.has(word.replace(/as?$/, ''));
const without = (words: string[], ...tables: Array<Set<string>>) =>
	words.filter((word) => !tables.some((table) => table.has(word)));

const ROLES = new Set([...lexicon.BUYER, ...lexicon.OTHER_ROLES]);
export const PEOPLE = new Set([...ROLES, ...lexicon.PERSON]);
export const FIELD_WORDS = new Set([...lexicon.EMAIL_WORDS, ...lexicon.PHONE_WORDS]);
/** The words by which keys name a field: `first` and `name` of `respondent_first_name`. */
export const FIELD_NAMES = new Set([
	...FIELD_WORDS,
	...lexicon.NAME_WORDS,
	...Object.values(PARTS_OF).flatMap((parts) => Object.keys(parts)),
]);
const JOINED = new Set([...FIELD_NAMES, ...PEOPLE, ...lexicon.SHARED, ...lexicon.NUMBER_WORDS]);
const LONGEST_JOINED = 2 * Math.max(...[...JOINED].map(({ length }) => length));

/** Whose a field is and the field, written as one: `customername`, `phonenumber`. Any other word stays as it is. */
function splitJoined(word: string): string[] {
	if (FIELD_NAMES.has(word) || word.length > LONGEST_JOINED) return [word];
	const at = range(1, word.length).find(
		(length) => JOINED.has(word.slice(0, length)) && JOINED.has(word.slice(length)),
	);
	return at === undefined ? [word] : [word.slice(0, at), word.slice(at)];
}

export const HEADS = new Set([...PEOPLE, ...lexicon.CONTAINERS]);

/** A longer text is not a heading, and counts as one unknown word. */
const MAX_HEADING_LENGTH = 1000;

function fieldsBy(headingsOf: Record<string, string>): Map<string, string> {
	const entries = Object.entries(headingsOf).flatMap(([field, headings]) =>
		headings.split(', ').flatMap((heading) => {
			const words = wordsOf(heading);
			return [words, without(words, FILLERS)].map((form) => [form.join(''), field] as const);
		}),
	);
	return new Map(entries.filter(([key]) => key !== ''));
}

/**
 * Case, accents, spaces and punctuation do not matter. The sign of a currency is a word, and so is %: `Valor €` is another value
 * than one in reais. The dollar is also how Brazil's currency is shortened.
 */
const readWords = rememberByPath(([heading]): string[] => {
	if (heading.length > MAX_HEADING_LENGTH) return [heading];
	const plain = deburr(heading)
		// The mark of UTF-8, also as it looks where it was read as letters.
		.replace(/^(?:\uFEFF|i»¿)/i, '')
		// The number of the field in the form, as Jotform sends it: `q3_email`.
		.replace(/^(?:q\d+_)+/i, '')
		// How Elementor names a field without a label.
		.replace(/^no label /i, '')
		// A property of a Notion database; "Property name" is that of a building.
		.replace(/^property_(?!(?:name|value|id)$)/i, '')
		.replace(/e-mail/gi, 'email')
		// In reais, as all amounts of the service are: `Valor em R$`.
		.replace(/(\b[a-z]{2}\s+)?(?<![^\W_])(?:R\$|BRL(?![^\W_]))/gi, ' ')
		.replace(/whats\s?app/gi, 'whatsapp')
		// The ID of a person in WhatsApp is their phone.
		.replace(/\bwa[ _]?id\b/gi, 'jid')
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase();
	const [first = '', ...others] = plain.match(/\p{L}+|\p{N}+|[%‰]|(?!\$)\p{Sc}/gu) ?? [];
	const isPrefix = others.length > 0 && Object.hasOwn(lexicon.PREFIXES, first);
	return compact([isPrefix ? lexicon.PREFIXES[first] : first, ...others]).flatMap(splitJoined);
});
export const wordsOf = (heading: string): string[] => readWords([heading]);

export const normalizeHeading = (heading: string): string => wordsOf(heading).join('');

/** "Valor da venda", "Deal - Won time". */
const ofDeals = (headings: Iterable<string>) =>
	[...headings].flatMap((heading) =>
		[...lexicon.DEALS].flatMap((deal) => [`${heading} ${deal}`, `${deal} ${heading}`]),
	);
const FIELDS = fieldsBy({
	...HEADINGS,
	...PARTS,
	estimatedValue: [HEADINGS.estimatedValue, ...ofDeals(lexicon.MONEY)].join(', '),
	saleDate: [HEADINGS.saleDate, ...ofDeals(HEADINGS.saleDate.split(', '))].join(', '),
});
const SALE_FIELDS = fieldsBy(SALE_HEADINGS);

function findField(fields: Map<string, string>, words: string[]): string | undefined {
	return fields.get(words.join('')) ?? fields.get(without(words, FILLERS).join(''));
}

/** The meaning of a heading. */
export interface Meaning {
	/** A field of a lead, or a part of one. */
	field: string;
	/** Whose name, email or phone it is; empty for the person of the row. */
	person: string;
	/** The object that holds it: `data.buyer` of `data.buyer.emails.0.value`; empty for a column. */
	group: string;
	/** The entry of a list that it is in: `contacts.1` of `contacts.1.email`, `contact 1` of `Contact 1 email`; empty for none. */
	entry: string;
	/** Which of several of its kind it is: 2 for `Telefone 2`, `Telefone_2` and `Telefone.2`. */
	number?: number;
}

/**
 * Finds the meaning of a heading, or of the keys that lead to a value inside an object: `data`, `buyer`, `email`. The last keys
 * name the field, and all others must be known: the email under `producer` is another person's.
 */
export const meaningOf = rememberByPath(readMeaning);

function readMeaning(path: string[]): Meaning | undefined {
	const [first, ...inner] = path;
	const parts = [first, ...dropRightWhile(inner, isValueKey)];
	for (const [depth] of parts.entries()) {
		// `fullName: { firstName, lastName }`
		const [heads, names] = partition(parts.slice(0, depth), isHead);
		if (!names.every((name) => fieldOf(name) === 'name')) return undefined;
		const tail = parts.slice(depth).filter((part) => !isIndex(part));
		// The last key is a part of what the one before it names: `nome: {sobrenome}` is no "Nome e sobrenome".
		const field = fieldOf(tail.join('.'));
		// The tags of a contact are not those of the lead.
		const isOfPath =
			depth === 0 || isOfPerson(field) || (field === 'tags' && !heads.some(isCalledPerson));
		if (field === undefined || !isOfPath) continue;
		const { person, entry } = identityIn(parts);
		const behind = path.slice(parts.length);
		const number = entry === '' ? numberOf(parts[parts.length - 1], behind) : undefined;
		return { field, person, group: heads.join('.'), entry, number };
	}
	return undefined;
}

/** Whether a field reaches a person. */
export const isAddressField = (field = '') => field === 'email' || field === 'phone';

/** Whether a field is a name, or a part of one. */
export const isNameField = (field = '') => /name$/i.test(field);

/** Whose value stands under these keys, by their roles and the entry of a list. */
export function identityIn(parts: string[]): Pick<Meaning, 'person' | 'entry'> {
	const roles = parts.flatMap(rolesIn).map((role) => (lexicon.BUYER.has(role) ? 'buyer' : role));
	return {
		person: uniq(roles).join(' '),
		entry: entryOf(parts.slice(0, -1), parts.at(-1) ?? ''),
	};
}

/** Whether a word is one of a table, or begins as it says. */
export function isOfTable(table: Table, word: string): boolean {
	if (Array.isArray(table)) return table.some((one) => isOfTable(one, word));
	return table instanceof RegExp ? table.test(word) : hasAny(table, word);
}

/** Whether a text, or any of several, has a word of a table. */
export const mentions = rememberByTable((texts, table) =>
	texts.some((text) => wordsOf(text).some((word) => isOfTable(table, word))),
);

/**
 * Whether words are a phrase, or one of several: they have one of each table that it needs, and no others than those and the ones
 * beside them.
 */
export const isPhrase = (words: string[], phrases: Phrase | Phrase[]): boolean =>
	[phrases].flat().some(({ needs, beside }) => {
		const known = beside && [...needs, ...beside];
		const hasAll = needs.every((table) => mentions(words, table));
		return hasAll && (!known || words.every((word) => isOfTable(known, word)));
	});
/** Whether words are those of a table, also with small words between. */
export const namesOnly = rememberByTable((words, table) =>
	isPhrase(words, { needs: [table], beside: [FILLERS, NUMBERS] }),
);
/** Whether a key or a heading has words of a table, and no others than numbers. */
export const isCalled = rememberByTable(([part], table) =>
	isPhrase(wordsOf(part), { needs: [table], beside: [NUMBERS] }),
);
export const isCalledPerson = (part: string) => isCalled(part, PEOPLE);

const rolesIn = (part: string) =>
	wordsOf(part)
		.filter((word) => has(ROLES, word))
		.map((word) => (ROLES.has(word) ? word : word.slice(0, -1)));

/**
 * The path up to the last index or number of a list: its entries are people, unless the list is that of a field, such as
 * `emails` or `phones.items`.
 */
function entryOf(heads: string[], heading: string): string {
	const last = findLastIndex(heads, (head, at) => {
		const isNumbered = wordsOf(head).some(isIndex);
		const isOfField = heads.slice(0, at).some((above) => fieldOf(above));
		return isNumbered && !isOfField;
	});
	if (last >= 0) return heads.slice(0, last + 1).join('.');
	const words = wordsOf(heading);
	const at = words.findIndex((word, position) => {
		return isIndex(word) && has(PEOPLE, words[position - 1] ?? '');
	});
	return at < 0 ? '' : words.slice(at - 1, at + 1).join(' ');
}

/** @param behind the keys behind the heading, such as the `1` of `Nome.1` */
function numberOf(heading: string, behind: string[]): number | undefined {
	const number = findLast([...wordsOf(heading), ...behind], isIndex);
	return number === undefined ? undefined : Number(number);
}

export const isIndex = (part: string) => /^\d+$/.test(part);
/** Letters and digits of a key, in lower case. */
export const keyOf = (key: string) => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
/** Whether a key holds the value of what its parent names. */
export const isValueKey = (part: string) => isIndex(part) || lexicon.VALUE_KEYS.has(keyOf(part));
/** Whether a key stands for a person or for nothing. */
export const isHead = (part: string) =>
	isPhrase(wordsOf(part), { needs: [], beside: [HEADS, FILLERS, NUMBERS] });
/** Whether a key or a heading has a word about other people than the lead, or about the request. */
export const isOfOther = (part: string) => mentions(part, lexicon.OTHER_PEOPLE);

const isPart = (word: string) =>
	Object.values(PARTS_OF).some((parts) => Object.hasOwn(parts, word));
/** "Nome (Sobrenome)" and `phone_ddd` are parts, "Nome e sobrenome" and "Telefone com DDD" are none. */
const isSetApart = (heading: string, words: string[]) => {
	const at = Math.max(heading.lastIndexOf('('), heading.lastIndexOf('['));
	const isOfProgram = !/\s/.test(heading) && !FILLERS.has(words.at(-2) ?? '');
	return isOfProgram || (at > 0 && wordsOf(heading.slice(at)).length === 1);
};

/** The field that a heading names, or the part of one; undefined where another may be meant. */
function fieldOf(heading: string): string | undefined {
	const whole = fieldOfWords(heading);
	if (whole !== undefined) return whole;
	// "Nombre / First Name": in two languages, of which one may be more exact.
	const languages = heading.split(' / ').map(fieldOfWords);
	const exact = uniq(languages.filter((field) => field !== 'name'));
	return exact.length === 1 ? exact[0] : undefined;
}

function fieldOfWords(heading: string): string | undefined {
	const words = wordsOf(heading);
	const last = words.at(-1) ?? '';
	const whole = findField(FIELDS, words);
	if (whole !== undefined && !isSetApart(heading, words)) return whole;
	// "WhatsApp do cliente (com DDD)" is the whole phone.
	const wordBefore = words.at(-2) ?? '';
	const isAlone =
		isPart(last) && (!FILLERS.has(wordBefore) || lexicon.NUMBER_WORDS.has(wordBefore));
	const parent = isAlone ? fieldOfWords(words.slice(0, -1).join(' ')) : undefined;
	const part = PARTS_OF[parent ?? '']?.[last];
	if (part !== undefined || whole !== undefined) return part ?? whole;
	const ofPerson = words.filter((word) => !has(PEOPLE, word));
	const left = ofPerson.filter((word) => !FILLERS.has(word));
	// Together, or each: "Nome completo do cliente", "Celular/WhatsApp".
	const named = left.filter((word) => !isIndex(word));
	const fields = uniq(named.map((word) => FIELDS.get(word)));
	const field =
		FIELDS.get(named.join('')) ?? (fields.length === 1 ? fields[0] : FIELDS.get(ofPerson.join('')));
	return isOfPerson(field) ? field : undefined;
}

/** The field of a sale that a heading, or the keys that lead to a value, mean in a list of sales. */
export const saleFieldOf = (path: string[]): string | undefined =>
	meaningOf(path)?.field ??
	findField(SALE_FIELDS, path.flatMap(wordsOf)) ??
	(saleDateRank(path) === undefined ? undefined : 'saleDate');

/** Which of several dates is the sale date: that of the lowest number. Undefined where a heading is that of no such date. */
export const saleDateRank = (path: string[]): number | undefined => {
	const heads = path.slice(0, -1).filter((head) => !isCalled(head, lexicon.CONTAINERS));
	const words = wordsOf(withZoneAsWord(path.at(-1) ?? ''));
	const [days, others] = partition(words, (word) => lexicon.WHEN.has(word));
	const events = without([...heads.flatMap(wordsOf), ...others], FILLERS);
	if (events.length === 0)
		return mentions(days, lexicon.DATE_WORDS) ? lexicon.SALE_DAYS.length : undefined;
	const rank = lexicon.SALE_DAYS.findIndex((table) =>
		isPhrase(events, { needs: [table], beside: [DEAL] }),
	);
	return days.length > 0 && rank >= 0 ? rank : undefined;
};

/** The heading under which a row has a field of a sale, its label where it has none. */
export const headingIn = (row: object, field: string): string =>
	Object.keys(row).find((key) => saleFieldOf([key]) === field) ?? labelOf(field);

/** The words of headings that may have a field of a sale: "Valor bruto", "Data do pagamento". */
const LIKE_FIELD: Record<string, Set<string>> = {
	estimatedValue: new Set([...lexicon.MONEY, ...lexicon.TOTALS]),
	saleDate: lexicon.DATE_WORDS,
};

/** The form of their values: a whole date, an amount with cents. */
const FORM_OF_FIELD: Record<string, RegExp> = {
	estimatedValue: /R\$|\d[.,]\d{2}\s*$/i,
	saleDate: /\d[-/.]\d{1,2}[-/.]\d/,
};

/** The headings of a row that are not read, and of which one may be a field of a sale that the row lacks. */
export const unreadLike = (row: object, field: string): string[] =>
	Object.keys(row).filter(
		(key) =>
			saleFieldOf([key]) === undefined &&
			(mentions(key, LIKE_FIELD[field]) || FORM_OF_FIELD[field].test(String(get(row, [key])))),
	);

/** The label of a field of a lead or of a sale, or of a part of one. */
export function labelOf(field: string): string {
	return (HEADINGS[field] ?? SALE_HEADINGS[field] ?? PARTS[field]).split(', ')[0];
}
