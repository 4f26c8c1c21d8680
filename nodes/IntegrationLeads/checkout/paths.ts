/** Reads the paths and words of the table in a body. Pure. */
import { compact, filter, findKey, some, sumBy, uniq } from 'lodash';

import { isBlank } from '../values/convert';
import { isRecord } from '../values/json';
import type { StateWord, Tests, StateWords } from './types';

/**
 * One step of a path. `one` is the only element of a list: where there are several, none of them stands for the rest. `key=a` is the
 * element whose key is `a`.
 */
function stepInto(value: unknown, name: string): unknown {
	if (Array.isArray(value)) {
		if (name === 'one') return value.length === 1 ? value[0] : undefined;
		if (name.startsWith('key='))
			return value.find((element) => isRecord(element) && element.key === name.slice(4));
		return name === 'length' ? value.length : value[Number(name)];
	}
	return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

const follow = (body: unknown, path: string): unknown => path.split('.').reduce(stepInto, body);

const alternatives = (body: unknown, paths = ''): unknown[] =>
	paths === '' ? [] : paths.split(' ').map((path) => follow(body, path));

/** The first value that is not blank. */
export const valueAt = (body: unknown, paths?: string): unknown =>
	alternatives(body, paths).find((value) => !isBlank(value));

/** The first value that is there, if only as null. */
export const presentAt = (body: unknown, paths: string): unknown =>
	alternatives(body, paths).find((value) => value !== undefined);

/** Each text or number, or several that `+` joins; none of them is blank. */
export function allWrittenAt(body: unknown, paths = '', between = ' '): string[] {
	const texts = paths.split(' ').map((path) => {
		const parts = path.split('+').map((part) => follow(body, part));
		const plain = parts.filter((part) => typeof part === 'string' || typeof part === 'number');
		return plain
			.filter((part) => !isBlank(part))
			.join(between)
			.trim();
	});
	return uniq(compact(texts));
}

/** The first of them; undefined if all are blank. */
export const writtenAt = (body: unknown, paths?: string, between?: string): string | undefined =>
	allWrittenAt(body, paths, between).at(0);

/** Whether all of the tests are passed. Null and objects without entries are blank. */
export const passes = (body: unknown, tests: Tests): boolean =>
	Object.entries(tests).every(([paths, test]) => {
		const value = valueAt(body, paths);
		return value !== undefined && test.test(String(value));
	});

/** Whether one of the tests is passed. */
export const passesOne = (body: unknown, tests: Tests = {}): boolean =>
	some(tests, (test, paths) => passes(body, { [paths]: test }));

/** A number, or one in digits as programs write it; undefined for anything else. */
export function plainNumber(value: unknown): number | undefined {
	const isWritten = typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value.trim());
	const number = isWritten ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * The amount at a path, or the sum of those of a list, or of lists in a list, whatever their sign; NaN if one of them is not
 * plainly an amount.
 */
export function sumAt(body: unknown, path: string): number {
	const [list, below] = path.split(/\.\*(.*)/);
	if (below !== undefined) {
		const [test, ...rest] = below.split('.');
		const [key, word] = test.split('=');
		const found = follow(body, list);
		const counted = filter(
			Array.isArray(found) ? found : [],
			(one: unknown) => word === undefined || (isRecord(one) && one[key] === word),
		);
		return sumBy(counted, (one) => sumAt(one, rest.join('.')));
	}
	const value = valueAt(body, list);
	return isBlank(value) ? 0 : Math.abs(plainNumber(value) ?? NaN);
}

/** The state that a word stands for. The word itself counts before one that ends in `*`. */
export function stateOf(words: StateWords, word: string): StateWord | undefined {
	const find = (fits: (listed: string) => boolean) =>
		findKey(words, (listed = '') => listed.split(' ').some(fits)) as StateWord | undefined;
	const begins = (listed: string) => listed.endsWith('*') && word.startsWith(listed.slice(0, -1));
	return find((listed) => listed === word) ?? find(begins);
}
