/** Narrows and shortens JSON values. Pure. */
import type { IDataObject } from 'n8n-workflow';

/** A record as the service sent it: unknown fields pass through. */
export type ServiceRecord = IDataObject;

/** An object that is neither null nor an array. */
export function isRecord(value: unknown): value is ServiceRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, or an empty one for anything else. */
export const toRecord = (value: unknown): ServiceRecord => (isRecord(value) ? value : {});

/** The entries of an object with known keys. */
export const entriesOf = <K extends string, V>(record: Partial<Record<K, V>>) =>
	Object.entries(record) as Array<[K, V]>;

/** Records with an ID can be distinguished. */
export function hasId({ id }: ServiceRecord): boolean {
	return id !== undefined && id !== null;
}

/** Cuts a text to the length that fits a message. */
export function shorten(text: string, longest = 300): string {
	return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
