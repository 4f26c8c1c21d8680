/** What a batch entry says in words, for a message. All texts are cut before anything searches them. */
import { isRecord, readError } from './envelope';

const REASONS = [
	'message',
	'reason',
	'detail',
	'details',
	'description',
	'error_description',
	'errorMessage',
	'title',
];
const ERRORS = ['errors', 'error', 'failed', 'rejected', 'issues'];
const MOST_RECORDS = 50;
const MOST_FIELDS = 50;
const LONGEST = 2000;

/** The first reason in an entry, nested ones last; undefined where there is none. */
export function reasonOf(entry: unknown): string | undefined {
	if (!isRecord(entry)) return cut(readError({ errors: entry }).message);
	const records = [entry];
	for (let next = 0; next < records.length && next < MOST_RECORDS; next += 1) {
		const record = records[next];
		const texts = REASONS.map((name) => record[name]).filter((value) => !isRecord(value));
		const errors = ERRORS.map((name) => record[name]).filter((value) => value !== true);
		for (const value of [...texts, ...errors]) {
			const { message } = readError({ errors: value });
			if (message) return cut(message);
		}
		records.push(...Object.values(record).slice(0, MOST_FIELDS).filter(isRecord));
	}
	return undefined;
}

/** An entry as JSON, cut in width and depth: it may be as large as the whole answer. */
export function excerptOf(entry: unknown): string {
	let left = MOST_RECORDS;
	const json = JSON.stringify(entry, (_, value: unknown) => {
		if (typeof value === 'string') return cut(value);
		if (typeof value !== 'object' || value === null) return value;
		left -= 1;
		if (left < 0) return '…';
		return Array.isArray(value) ? value.slice(0, MOST_FIELDS) : value;
	});
	return (json ?? 'nothing').slice(0, LONGEST);
}

function cut(text: string | undefined): string | undefined {
	return text?.slice(0, LONGEST);
}
