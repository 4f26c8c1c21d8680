/** Remembers what headings mean, and what holds of the items of a run: rows share both, and words take long to compare. Pure. */
import { castArray } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Table } from '../lexicon/sales';

const MAX_REMEMBERED = 5000;
/** Of each of the tables, which are many. */
const MAX_OF_TABLE = 1000;
const MAX_REMEMBERED_LENGTH = 200;

/** Remembers what is read of a path: the keys that lead to a value, or words. */
export function rememberByPath<T>(
	read: (path: string[]) => T,
	most = MAX_REMEMBERED,
): (path: string[]) => T {
	const remembered = new Map<string, T>();
	return (path) => {
		const key = path.length === 1 ? path[0] : path.join('\0');
		const known = remembered.get(key);
		if (known !== undefined || remembered.has(key)) return known as T;
		const result = read(path);
		// Bounded, since objects that label their values use data as headings.
		if (remembered.size >= most) remembered.clear();
		if (key.length <= MAX_REMEMBERED_LENGTH) remembered.set(key, result);
		return result;
	};
}

/** Remembers what a path is by a table, unless that is a list: those are made for a single use. */
export function rememberByTable(read: (path: string[], table: Table) => boolean) {
	const readers = new WeakMap<object, (path: string[]) => boolean>();
	return (texts: string | string[], table: Table): boolean => {
		const path = castArray(texts);
		if (Array.isArray(table)) return read(path, table);
		const reader = readers.get(table) ?? rememberByPath((keys) => read(keys, table), MAX_OF_TABLE);
		readers.set(table, reader);
		return reader(path);
	};
}

const ofRuns = new WeakMap<IDataObject[], Map<string, unknown>>();

/**
 * Finds something in the items of a run, once.
 *
 * @param name of what is found, by which it is remembered
 */
export function findInRun<T>(inputs: IDataObject[], name: string, find: () => T): T {
	const ofRun = ofRuns.get(inputs) ?? new Map<string, unknown>();
	ofRuns.set(inputs, ofRun);
	if (!ofRun.has(name)) ofRun.set(name, find());
	return ofRun.get(name) as T;
}
