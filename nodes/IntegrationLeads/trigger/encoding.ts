/**
 * A bucket as text: `<start>.<readAt>.<turn>.<revision>.<entries>`. Numbers are base 36, times in seconds. `readAt` is
 * `?` for a bucket that was never read, and empty for one in which no lead can appear any more.
 *
 * An entry is a lead: three characters for 18 bits of a hash of its id, one for its status, and one to nine for the
 * seconds since the entry before it. About six bytes in all, which matters because n8n stores the whole state each time.
 */
import { createHash } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VALUES = new Int8Array(128).fill(-1);
for (let index = 0; index < 64; index += 1) VALUES[ALPHABET.charCodeAt(index)] = index;

/** The status of a lead that no longer exists. It is kept for as long as the lead would be new if it came back. */
export const GONE = 63;
const BUCKET = /^(-?[0-9a-z]*)\.(\?|-?[0-9a-z]*)\.([0-9a-z]*)\.([0-9a-z]*)\.([\w-]*)$/;
/** A character of a time difference with this bit is not its last one. */
const MORE = 32;
const SECOND_MS = 1000;
/** Earlier, in seconds, than any date. */
const EARLIEST = -(2 ** 43);

/** A lead as the state knows it. */
export interface Entry {
	/** 18 bits. */
	fingerprint: number;
	/** Index of the status, or `GONE`. */
	status: number;
	/** Milliseconds, in whole seconds. Together with the fingerprint it identifies the lead. */
	createdAt: number;
}

/** A half-open interval of creation times, which ends where the next one starts. */
export interface StoredBucket {
	/** Milliseconds, or -Infinity. */
	start: number;
	/**
	 * The service's clock (ms) when the bucket was last read whole and all its events were emitted. An unknown lead is
	 * new if it was created after this, less the look-back. Null: never; Infinity: long after the end of the bucket.
	 */
	readAt: number | null;
	/** The poll that read it last. The bucket read longest ago is the next one. */
	turn: number;
	/** Grows when events of this bucket are emitted, so that the same change later has another event id. */
	revision: number;
	entries: string;
}

/** 18 bits of a hash. */
export function fingerprintOf(id: string): number {
	return createHash('sha256').update(id).digest().readUIntBE(0, 3) >> 6;
}

/** @param entries in the order of creation, none before `start` */
export function encodeEntries(entries: Iterable<Entry>, start: number): string {
	let text = '';
	let before = baseOf(start);
	for (const { fingerprint, status, createdAt } of entries) {
		const seconds = Math.floor(createdAt / SECOND_MS);
		text += toDigits(fingerprint, 3) + ALPHABET[status] + encodeGap(seconds - before);
		before = seconds;
	}
	return text;
}

export function decodeEntries(text: string, start: number): Entry[] {
	const entries: Entry[] = [];
	let seconds = baseOf(start);
	for (let place = 0, end = 0; place < text.length; place = end) {
		end = endOfEntry(text, place);
		seconds += decodeGap(text, place + 4, end);
		const fingerprint = toNumber(text, place, 3);
		const status = VALUES[text.charCodeAt(place + 3)];
		entries.push({ fingerprint, status, createdAt: seconds * SECOND_MS });
	}
	return entries;
}

/**
 * Calls `count` with the status of each lead. Faster than decoding: a large account is counted in every poll.
 *
 * @throws Error when the text was cut
 */
export function countStatuses(text: string, count: (status: number) => void): void {
	let place = 0;
	for (; place < text.length; place = endOfEntry(text, place)) {
		const status = VALUES[text.charCodeAt(place + 3)];
		if (status !== GONE) count(status);
	}
	if (place !== text.length) throw new Error('incomplete entries');
}

export function encodeBucket({ start, readAt, turn, revision, entries }: StoredBucket): string {
	const seconds = (time: number) =>
		Number.isFinite(time) ? Math.floor(time / SECOND_MS).toString(36) : '';
	const numbers = [turn, revision].map((each) => (each === 0 ? '' : each.toString(36)));
	return [seconds(start), readAt === null ? '?' : seconds(readAt), ...numbers, entries].join('.');
}

/** @throws Error when the text is not a bucket */
export function decodeBucket(text: string): StoredBucket {
	const parts = BUCKET.exec(text);
	if (!parts) throw new Error('not a bucket');
	const [, start, readAt, turn, revision, entries] = parts;
	const number = (digits: string, empty: number) => (digits === '' ? empty : parseInt(digits, 36));
	return {
		start: number(start, -Infinity) * SECOND_MS,
		readAt: readAt === '?' ? null : number(readAt, Infinity) * SECOND_MS,
		turn: number(turn, 0),
		revision: number(revision, 0),
		entries,
	};
}

function baseOf(start: number): number {
	return start === -Infinity ? EARLIEST : Math.floor(start / SECOND_MS);
}

function endOfEntry(text: string, place: number): number {
	let end = place + 4;
	while (VALUES[text.charCodeAt(end)] >= MORE) end += 1;
	return end + 1;
}

/** A variable-length quantity, its lowest five bits first. */
function encodeGap(seconds: number): string {
	let text = '';
	let rest = seconds;
	// Times have more than the 32 bits that shifting could handle.
	for (; rest >= MORE; rest = Math.floor(rest / MORE)) text += ALPHABET[MORE + (rest % MORE)];
	return text + ALPHABET[rest];
}

function decodeGap(text: string, start: number, end: number): number {
	let seconds = 0;
	for (let place = end - 1; place >= start; place -= 1) {
		seconds = seconds * MORE + (VALUES[text.charCodeAt(place)] % MORE);
	}
	return seconds;
}

function toDigits(value: number, count: number): string {
	let text = '';
	for (let rest = value; text.length < count; rest >>= 6) text = ALPHABET[rest % 64] + text;
	return text;
}

function toNumber(text: string, place: number, count: number): number {
	let value = 0;
	for (let index = place; index < place + count; index += 1) {
		value = value * 64 + VALUES[text.charCodeAt(index)];
	}
	return value;
}
