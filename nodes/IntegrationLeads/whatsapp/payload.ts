/** How parts of a payload are read, of which nothing is known. Pure. */
import { get } from 'lodash';

import type { ServiceRecord } from '../values/json';
import { isRecord } from '../values/json';

export const at = (value: unknown, path: string): unknown => get(value, path) as unknown;

export const toRecord = (value: unknown): ServiceRecord => (isRecord(value) ? value : {});

export const toRecords = (value: unknown): ServiceRecord[] =>
	Array.isArray(value) ? value.map(toRecord) : [];

/** Texts and numbers; anything else is empty, so that no text ever contains `[object Object]`. */
export function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** The first that is not empty. */
export const firstText = (...values: unknown[]): string => values.map(textOf).find(Boolean) ?? '';
