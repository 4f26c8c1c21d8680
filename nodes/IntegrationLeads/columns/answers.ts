/** Finds the answers of a form that are not fields of a lead, such as a message, and says what becomes of them. Pure. */
import {
	difference,
	dropRightWhile,
	groupBy,
	intersection,
	isEmpty,
	map,
	partition,
	reject,
	sortBy,
	uniq,
} from 'lodash';

import { FORM_TRIGGER_FIELDS, isOfForm } from '../fields/check';
import { cleanText } from '../values/clean';
import type { ConvertContext } from '../values/context';
import { isLikeAddress } from '../values/identity';
import { shorten } from '../values/json';
import { hasRandomWord, isSecret, isSecretName } from '../values/secrets';
import type { AdOfForm } from './ad';
import { columnName, isOfWebhook, outermost, ROW_NUMBER, type Column } from './cells';
import { isIndex, isValueKey, keyOf, mentions, wordsOf } from './headings';
import { rememberByPath } from './remember';
import {
	DATE_WORDS,
	MONEY,
	OF_FORM,
	OF_QUESTION,
	SUBMISSION_IDS,
	TECHNICAL,
} from '../lexicon/headings';
import { STAGE, STATE } from '../lexicon/sales';

const MAX_ANSWERS = 50;

/** Whether n8n's Form Trigger adds it. */
const isOfTrigger = ({ heading }: Column) => FORM_TRIGGER_FIELDS.includes(heading);

const hasSecretName = rememberByPath((path) => path.some(isSecretName));

/** Whether a column can be noted: plain values, and no secrets. */
const isNotable = ({ value, path }: Column): boolean => {
	const isHidden =
		hasSecretName(path) || [value].flat().some((entry) => isSecret(entry) || hasRandomWord(entry));
	return !isHidden && [value].flat().every((entry) => typeof entry !== 'object');
};

const isAnswer = (column: Column): boolean => {
	const { question, path } = column;
	const parts = dropRightWhile(path, isValueKey);
	const heads = parts.slice(0, -1).filter((part) => !isValueKey(part));
	// `lead.fields.city`, `human_fields.city` and `campos_personalizados.city`, but no `customer.city`.
	const head = keyOf(heads.at(-1) ?? '');
	const isOfForm = head === '' || OF_FORM.has(head) || /fields$|^campos/.test(head);
	const name = parts.at(-1) ?? '';
	const isQuestion = question === undefined && path.some(isIndex) && OF_QUESTION.has(keyOf(name));
	const isTechnical =
		isQuestion ||
		TECHNICAL.has(keyOf(name)) ||
		name.startsWith('_') ||
		wordsOf(name).at(-1) === 'id';
	return isNotable(column) && !isTechnical && (isOfForm || !!question);
};

/**
 * How much a column looks like a field of the lead, which is missed if it is in a note: one with an email or a phone most, then
 * one whose heading has a word for a state, an amount or a date.
 */
function rankOf(column: Column): number {
	if ([column.value].flat().some(isLikeAddress)) return 0;
	return mentions(columnName(column), [STATE, STAGE, MONEY, DATE_WORDS]) ? 1 : 2;
}

/**
 * Separates the answers of a form from the other columns that are not fields of a lead.
 *
 * @param isNoted whether answers are wanted
 * @param hasAll whether all columns are, such as those of an import
 */
function splitAnswers(
	all: Column[],
	isNoted: boolean,
	hasAll = false,
): { answers: string; noted: Column[]; others: Column[] } {
	const columns = reject(all, isOfTrigger);
	const nothing = { answers: '', noted: [], others: columns };
	if (!isNoted) return nothing;
	const [answers, rest] = partition(columns, hasAll ? isNotable : isAnswer);
	if (answers.length === 0) return nothing;
	const inOrder = partition(answers, ({ question }) => question !== undefined).flat();
	const byLine = Object.entries(groupBy(inOrder, formatAnswer));
	const [kept, tooMany] = [byLine.slice(0, MAX_ANSWERS), byLine.slice(MAX_ANSWERS)];
	// Beside answers, the ID makes one note of a submission that comes twice, and two of equal submissions.
	const [ids, others] = partition(rest, (column) => SUBMISSION_IDS.has(keyOf(columnName(column))));
	return {
		answers: [...map(kept, 0), ...ids.map(formatAnswer)].join('\n'),
		noted: sortBy(kept.flatMap(columnsOfLine), rankOf),
		others: [...others, ...tooMany.flatMap(columnsOfLine)],
	};
}

const columnsOfLine = ([, columns]: [string, Column[]]) => columns;
const formatAnswer = (column: Column): string => {
	const asked = `${column.question ?? (columnName(column) || column.heading)}:`;
	return `${asked.replace('?:', '?')} ${shorten([column.value].flat().join(', '), 2000)}`;
};

interface Rest {
	/** The columns of the item, those that are no fields of the lead, and those of which the value is left out. */
	all: Column[];
	rest: Column[];
	notSent: Column[];
	ad: AdOfForm;
}

/** Gives what is not a field of the lead to the note in its history, and names it, and what is in neither. */
export function noteRest({ all, rest, notSent, ad }: Rest, context: ConvertContext): void {
	const { onAnswers, options, input = {} } = context;
	// A row of a spreadsheet is sent many times, and each time would add the note of a form again.
	const notesAnswers = options?.noteAnswers !== false && !(ROW_NUMBER in input);
	const notesAll = !!onAnswers && options?.noteColumns === true;
	const isNoted = !!onAnswers && (notesAll || notesAnswers);
	const isFromAd = isNoted && !isEmpty(ad.ad);
	const beside = intersection(ad.beside, rest);
	const unread = difference(rest, ad.columns, beside);
	// The same as without the option to note all columns.
	const isSubmission = isOfForm(input) || isOfWebhook(input);
	const hasAnswers = () => reject(unread, isOfTrigger).some(isAnswer);
	const isForm = notesAnswers && (isFromAd || isSubmission || hasAnswers());
	const other = notesAll || isForm ? uniq([...unread, ...notSent]) : unread;
	const { answers, noted, others } = splitAnswers(other, isNoted, notesAll);
	if (isFromAd) context.onAd?.(ad.ad);
	const adInWords = map(ad.ad, (value, name) => `${name}: ${String(value)}`).join('\n');
	const text = isFromAd && answers === '' ? adInWords : answers;
	if (isForm || text !== '') onAnswers?.(cleanText(text), isForm);
	if (noted.length > 0)
		context.onNoted?.(noted.map(({ question, heading }) => question ?? heading));
	const unsent = outermost([...others, ...beside, ...(isFromAd ? [] : ad.columns)], all);
	if (unsent.length > 0) context.onUnsent?.(unsent);
}
