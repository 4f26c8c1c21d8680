/** Finds what an object asks and answers: the question of a form, or the name and the value of a field of a program. Pure. */
import { compact, isPlainObject, sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isBlank } from '../values/convert';
import { toRecord } from '../values/json';
import { has, isCalledPerson, keyOf, meaningOf } from './headings';
import * as lexicon from '../lexicon/headings';

/** How deep an item is read. */
export const MAX_DEPTH = 10;

/** A question and its answer, or a name and its value. */
export interface Asked {
	/** What names the value: the words of a question, a name, a code. */
	names: string[];
	/** Whether the first of them is a question, which no person has. */
	isQuestion: boolean;
	answer: [key: string, value: unknown];
}

const TABLES = [lexicon.QUESTION_KEYS, lexicon.NAME_KEYS, lexicon.CODE_KEYS];

/**
 * What an object asks and answers: `{label, value}`, `{name, values}`, `{column_id, string_value}`; undefined if it does not, or
 * is a person.
 */
export function askedIn(entry: unknown, titles: Titles): Asked | undefined {
	const object = toRecord(entry);
	if (isPerson(object)) return undefined;
	const members = Object.entries(object).map(([key, value]) => [keyOf(key), value, key] as const);
	const texts = members.filter(([, value]) => !isBlank(value));
	const ranks = [...lexicon.VALUE_KEYS];
	// A question without an answer is one.
	const answers = sortBy(
		members.filter(([key]) => lexicon.VALUE_KEYS.has(key)),
		[([, value]) => isBlank(value), ([key]) => ranks.indexOf(key)],
	);
	const words = texts.find(([key, value]) => key === lexicon.TEXT_KEY && typeof value === 'string');
	const [ofQuestion, ofName, ofCode] = TABLES.map((table) =>
		compact(texts.filter(([key]) => has(table, key)).map(([, value]) => nameIn(value, titles))),
	);
	const titlesOfCodes = compact(ofCode.map((code) => titles.get(code)));
	const names = [...ofQuestion, ...ofName, ...titlesOfCodes, ...ofCode];
	const typed = texts.find(
		([key]) => key === typeOf(object) && !TABLES.some((table) => table.has(key)),
	);
	const first = answers[0] ?? typed;
	const isForPrograms = first && /^\s*[[{]/.test(String(first[1]));
	// `{text: 'Your name?', answer: 'Ana'}`, but `{title: 'Name', text: 'Ana', value: '{…}'}`.
	const answer = (!first || (isForPrograms && names.length > 0) ? words : undefined) ?? first;
	if (words && answer !== words && names.length === 0) names.push(String(words[1]));
	if (typed && names.length === 0) names.push(typed[2]);
	if (!answer || names.length === 0) return undefined;
	const value = answer[0] === lexicon.DETAILS_KEY ? innermost(answer[1]) : answer[1];
	return { names, isQuestion: ofQuestion.length > 0, answer: [answer[2], value] };
}

/** What objects with one member each hold: the answer in `{textQuestionAnswer: {answer: 'Ana'}}`. */
function innermost(value: unknown): unknown {
	const members = isPlainObject(value) ? Object.values(value as IDataObject) : [];
	return members.length === 1 ? innermost(members[0]) : value;
}

/** What an entry says of its value, which may stand under a key of that name: `{type: 'email', email: 'ana@example.com'}`. */
const typeOf = ({ type }: IDataObject) => (typeof type === 'string' ? keyOf(type) : undefined);

/** The questions that an item defines apart from their answers, by their IDs: `{id: 'b', title: 'Your name?'}`. */
export type Titles = Map<unknown, string>;
export function titlesIn(item: unknown, titles: Titles = new Map(), depth = 0): Titles {
	if (typeof item !== 'object' || item === null || depth > MAX_DEPTH) return titles;
	const { id, ref, questionId, title, label, question, name } = toRecord(item);
	const text = title ?? label ?? (isPlainObject(question) ? name : question);
	for (const key of [id, ref, questionId]) {
		if (typeof text !== 'string' || key === undefined) continue;
		titles.set(key, text);
		titles.set(String(key), text);
	}
	for (const member of Object.values(item)) titlesIn(member, titles, depth + 1);
	return titles;
}

/** The text of a name, which may be an object: `{question_title: 'Your name?'}`. */
function nameIn(value: unknown, titles: Titles): string | undefined {
	if (typeof value === 'string' || typeof value === 'number') return String(value);
	const { id, ref, ...others } = toRecord(value);
	const title = titles.get(id) ?? titles.get(ref);
	if (title !== undefined) return title;
	const inner = Object.entries(others).find(
		([key, member]) =>
			(TABLES[0].has(keyOf(key)) || key === lexicon.TEXT_KEY) && typeof member === 'string',
	);
	return inner?.[1] as string | undefined;
}

/** Whether an object has an address, or a person, beside its name and its value: `{name: 'Ana', value: 10, email}`. */
const isPerson = (object: IDataObject) =>
	Object.keys(object).some((key) => {
		if (keyOf(key) === typeOf(object)) return false;
		return /^(?:email|phone)$/.test(meaningOf([key])?.field ?? '') || isCalledPerson(key);
	});
