/** The words of a batch entry, for a message. */
import { isRecord, parseError } from './envelope';

const REASONS = 'message reason detail description error_description errorMessage title'.split(' ');
const MOST_PARTS = 50;
const LONGEST = 2000;

/** The first reason in an entry, nested ones last; undefined where there is none. */
export function reasonOf(entry: unknown): string | undefined {
	const records = [isRecord(entry) ? entry : { errors: entry }];
	for (const record of records) {
		const texts = REASONS.map((name) => record[name]).filter((value) => typeof value === 'string');
		const reason = texts.find((text) => text !== '') ?? parseError(record).message;
		if (reason) return reason.slice(0, LONGEST);
		if (records.length < MOST_PARTS) {
			records.push(...Object.values(record).slice(0, MOST_PARTS).filter(isRecord));
		}
	}
	return undefined;
}

/** An entry as JSON, cut in width and depth: it may be as large as the whole answer. */
export function excerptOf(entry: unknown): string {
	let left = MOST_PARTS;
	const json = JSON.stringify(entry, (_, value: unknown) => {
		if (typeof value === 'string') return value.slice(0, LONGEST);
		if (typeof value !== 'object' || value === null) return value;
		left -= 1;
		if (left < 0) return '…';
		return Array.isArray(value) ? value.slice(0, MOST_PARTS) : value;
	});
	return (json ?? 'nothing').slice(0, LONGEST);
}
