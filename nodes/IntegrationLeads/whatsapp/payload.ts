/** How parts of a payload are read, of which nothing is known. Pure. */
import { get, has } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';

export const at = (value: unknown, path: string): unknown => get(value, path) as unknown;

export const toRecord = (value: unknown): ServiceRecord => (isRecord(value) ? value : {});

export const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Texts and numbers; anything else is empty, so that no text ever contains `[object Object]`. */
export function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** The first that is not empty. */
export const firstText = (...values: unknown[]): string => values.map(textOf).find(Boolean) ?? '';

/** The line of a table, whose name comes from a payload and may be `constructor`. */
export const lineOf = <T>(table: Record<string, T>, name: string): T | undefined =>
	has(table, [name]) ? table[name] : undefined;
