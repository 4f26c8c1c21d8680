/** Reads the columns of an item: those of a row, and the values inside the objects and lists of a webhook. Pure. */
import { castArray, compact, difference, isPlainObject, omit, toPath, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isBlank } from '../values/convert';
import { isRecord, toRecord } from '../values/json';
import { isValueKey, MAX_HEADING_LENGTH, meaningOf, normalizeHeading } from './headings';

/** A value of an item that is not blank. */
export interface Column {
	/** Its name in messages: `data.buyer.email`, or the label under which a form lists the value. */
	heading: string;
	value: unknown;
	/** The keys that lead to it in the item, and the same where a key may itself be a path, or a label instead. */
	keys: string[];
	path: string[];
	/** The label under which a form lists the value, if it means no field: `{label: 'Message', value: 'Hello'}`. */
	question?: string;
}

/** Added by n8n's Google Sheets node; no column of the spreadsheet. */
export const ROW_NUMBER = 'row_number';
/** Keys as they are written when a form is sent or an object is flattened: `fields[name][value]`, `data.buyer.email`. */
const FLATTENED = /^[\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+|\[[^[\]]*\])+$/u;
const MAX_DEPTH = 10;
/** Keys whose text names the value beside them: `{label: 'Email', value: 'ana@example.com'}`. */
const LABEL_KEYS = 'label title question name columnname columnid key'.split(' ');

export function columnsOf(
	value: unknown,
	keys: string[] = [],
	path = keys,
	heading = '',
): Column[] {
	if (isBlank(value) || path[0] === ROW_NUMBER) return [];
	const isList = Array.isArray(value) && value.some((each) => isPlainObject(each));
	if ((!isList && !isPlainObject(value)) || keys.length > MAX_DEPTH) {
		return [{ heading: heading || keys.join('.'), value, keys, path }];
	}
	const entries = Object.entries(withChosenWords(value as IDataObject));
	const { label, title, question: asked } = toRecord(value);
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
		const isPath = key.length <= MAX_HEADING_LENGTH && FLATTENED.test(key);
		const inner = isPath ? toPath(key) : [key];
		const columns = columnsOf(each, [...keys, key], [...path, ...inner], heading);
		return question && isValueKey(key)
			? columns.map((column) => ({ question, ...column }))
			: columns;
	});
}

/** Replaces the IDs of chosen options, which Tally sends as the value of a question, by their labels. */
function withChosenWords(question: IDataObject): IDataObject {
	const { value, options } = question;
	if (isBlank(value) || !Array.isArray(options)) return question;
	const named = new Map(
		options.filter(isRecord).map(({ id, text, label, name }) => [id, text ?? label ?? name]),
	);
	const words = castArray(value).map((each) => named.get(each) ?? each);
	return {
		...omit(question, 'options'),
		value: Array.isArray(value) ? words : words[0],
	};
}

/** Names the values that are not sent, each by the outermost object of which nothing is sent. */
export function outermost(unsent: Column[], all: Column[]): string[] {
	const headsOf = ({ keys }: Column) => keys.map((_, last) => keys.slice(0, last + 1).join('.'));
	const sent = new Set(difference(all, unsent).flatMap(headsOf));
	return uniq(
		unsent.map((column) => headsOf(column).find((head) => !sent.has(head)) ?? column.heading),
	);
}
