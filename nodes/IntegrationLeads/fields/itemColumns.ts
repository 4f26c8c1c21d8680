/** The columns of an input item: its fields, and those inside objects and lists. Pure. */
import { dropRightWhile, groupBy, isPlainObject, some, toPath } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isBlank } from '../values/convert';
import type { Meaning } from './headings';
import { isIndex, isOfPerson, isValueKey, meaningOf, normalizeHeading } from './headings';

/** A value of an item that is not blank. */
export interface Column {
	/** As messages call it: `data.buyer.email`, or the label under which a form lists the value. */
	heading: string;
	value: unknown;
	/** The keys that lead to it in the item. */
	keys: string[];
	/** The object that it is in. */
	parent: string;
	/** Undefined where it is no field of a lead. */
	meaning?: Meaning;
}

interface Leaf {
	heading: string;
	/** The keys that lead to it in the item. */
	keys: string[];
	/** The same, where a key may itself be a path, or a label instead. */
	path: string[];
	value: unknown;
}

/** Added by n8n's Google Sheets node; no column of the spreadsheet. */
const ROW_NUMBER = 'row_number';
/** Keys as they are written when a form is sent or an object is flattened: `fields[name][value]`, `data.buyer.email`. */
const FLATTENED = /^[\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+|\[[^[\]]*\])+$/u;
/** How deep an item is read. */
const DEEPEST = 10;
/** Keys whose text names the value beside them: `{label: 'Email', value: 'ana@example.com'}`. */
const LABEL_KEYS = new Set('label title question name columnname columnid key'.split(' '));

export function columnsOf(item: IDataObject): Column[] {
	const leaves = leavesOf(item, [], []).filter(({ path }) => path[0] !== ROW_NUMBER);
	const columns = nameByLabels(leaves).flatMap(({ path, ...leaf }) =>
		valuesOf({ ...leaf, parent: parentOf(path), meaning: meaningOf(path) }),
	);
	return columns.map((column) => {
		const isNobodys = column.meaning && isOfNobody(column.meaning, columns);
		return isNobodys ? { ...column, meaning: undefined } : column;
	});
}

function leavesOf(value: unknown, keys: string[], path: string[]): Leaf[] {
	if (isBlank(value)) return [];
	const isList = Array.isArray(value) && value.some((each) => isPlainObject(each));
	if ((!isList && !isPlainObject(value)) || keys.length > DEEPEST) {
		return [{ heading: keys.join('.'), keys, path, value }];
	}
	return Object.entries(value as object).flatMap(([key, each]) =>
		leavesOf(each, [...keys, key], [...path, ...(FLATTENED.test(key) ? toPath(key) : [key])]),
	);
}

/** `fields.0.value` becomes `fields.Email` by the label beside it; what else describes that value is no column. */
function nameByLabels(leaves: Leaf[]): Leaf[] {
	const texts = leaves.filter(({ path }) => isLabelKey(path));
	if (texts.length === 0) return leaves;
	const labels = groupBy(texts, ({ path }) => parentOf(path));
	const named = leaves.flatMap((leaf) => {
		const element = elementOf(leaf.path);
		const heads = element.slice(0, -1);
		const paths = (labels[element.join('.')] ?? []).map(({ value }) => [...heads, String(value)]);
		const path = paths.find((each) => meaningOf(each));
		return path ? [{ ...leaf, element, path, heading: path.join('.') }] : [];
	});
	if (named.length === 0) return leaves;
	const elements = new Set(named.map(({ element }) => element.join('.')));
	const isInside = ({ path }: Leaf) =>
		path.some((_, end) => elements.has(path.slice(0, end).join('.')));
	return [...leaves.filter((leaf) => !isInside(leaf)), ...named];
}

/** The object of which a leaf is the value: `fields.0` of `fields.0.value` and of `fields.0.values.0`. */
function elementOf(path: string[]): string[] {
	const own = dropRightWhile(path, isIndex);
	const key = own.pop() ?? '';
	return isValueKey(key) ? own : [];
}

/** Of several emails, each. That an address is the primary one, or may be used, is no address. */
function valuesOf(column: Column): Column[] {
	const { meaning, value } = column;
	if (!meaning || !isOfPerson(meaning.field)) return [column];
	if (typeof value === 'boolean') return [{ ...column, meaning: undefined }];
	return Array.isArray(value)
		? value.map((each: unknown) => ({ ...column, value: each }))
		: [column];
}

const parentOf = (path: string[]) => path.slice(0, -1).join('.');

function isLabelKey(path: string[]): boolean {
	return path.length > 1 && LABEL_KEYS.has(normalizeHeading(path[path.length - 1]));
}

/** Under `payload`, a name is a person's if an email or a phone stands beside it; else it may be that of a form. */
function isOfNobody({ field, isAnyones, group }: Meaning, columns: Column[]): boolean {
	return isAnyones && /name$/i.test(field) && !hasAddressIn(group, columns);
}

/** Whether an email or a phone is in the same object. */
export function hasAddressIn(group: string, columns: Column[]): boolean {
	return some(columns, ({ meaning }) => {
		return meaning?.group === group && ['email', 'phone'].includes(meaning.field);
	});
}
