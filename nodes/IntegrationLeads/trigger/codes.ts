/**
 * A bucket as text: `<start>.<revision>.<codes>`, with `?` after the start where nothing has been read yet.
 *
 * A lead is four characters, 18 bits of a hash of its id and the index of its status. Statuses from the 63rd on take
 * two characters more. In the last bucket, and in those not read yet, seven more hold the time of creation: only there
 * must known leads be told apart by time.
 */
import { createHash } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VALUES = new Int8Array(128).fill(-1);
for (let index = 0; index < 64; index += 1) VALUES[ALPHABET.charCodeAt(index)] = index;

/** The index that stands for a lead that is gone; it is kept for as long as it would be new if it came back. */
export const GONE = -1;
const GONE_CODE = 63;
/** Announces two more characters. */
const MORE_CODE = 62;
/** Further statuses share this index, and changes among them are not seen. */
export const LAST_STATUS = MORE_CODE + 4095;

/** A lead as the state knows it. */
export interface Entry {
	/** 18 bits. */
	print: number;
	/** Index of the status, or `GONE`. */
	status: number;
	/** Time of creation in ms; NaN where it is not kept. */
	at: number;
}

/** A closed interval of creation times; it ends where the next one starts. */
export interface Bucket {
	/** Milliseconds, or -Infinity. */
	start: number;
	/** Grows when events of this bucket get out, so that the same change later is another event. */
	revision: number;
	/** Nothing has been read yet. Codes may stand for leads that were announced already. */
	unread: boolean;
	codes: string;
}

/** 18 bits that stand for an id. */
export function printOf(id: string): number {
	return createHash('sha256').update(id).digest().readUIntBE(0, 3) >> 6;
}

/** @param timed whether times of creation are kept */
export function encodeEntries(entries: Iterable<Entry>, timed: boolean): string {
	let codes = '';
	for (const { print, status, at } of entries) {
		codes += digits(print, 3);
		if (status === GONE) codes += ALPHABET[GONE_CODE];
		else if (status < MORE_CODE) codes += ALPHABET[status];
		else codes += ALPHABET[MORE_CODE] + digits(status - MORE_CODE, 2);
		if (timed) codes += digits(Math.max(0, at), 7);
	}
	return codes;
}

/** @throws Error when the text was not written by `encodeEntries` */
export function decodeEntries(codes: string, timed: boolean): Entry[] {
	const entries: Entry[] = [];
	for (let place = 0; place < codes.length; ) {
		const print = number(codes, place, 3);
		let status = number(codes, place + 3, 1);
		place += 4;
		if (status === GONE_CODE) status = GONE;
		else if (status === MORE_CODE) {
			status += number(codes, place, 2);
			place += 2;
		}
		entries.push({ print, status, at: timed ? number(codes, place, 7) : NaN });
		if (timed) place += 7;
	}
	return entries;
}

/** Calls `count` with the status of each lead that is there. Faster than decoding: a large account is counted in every poll. */
export function countStatuses(
	codes: string,
	timed: boolean,
	count: (status: number) => void,
): void {
	const step = timed ? 11 : 4;
	for (let place = 3; place < codes.length; place += step) {
		const status = VALUES[codes.charCodeAt(place)];
		if (status === GONE_CODE) continue;
		count(status === MORE_CODE ? status + number(codes, place + 1, 2) : status);
		if (status === MORE_CODE) place += 2;
	}
}

/** A bucket as it is stored. */
export function encodeBucket({ start, revision, unread, codes }: Bucket): string {
	const from = start === -Infinity ? '' : start.toString(36);
	return `${from}${unread ? '?' : ''}.${revision === 0 ? '' : revision.toString(36)}.${codes}`;
}

/** @throws Error when the text is not a bucket */
export function decodeBucket(text: string): Bucket {
	const parts = /^(-?[0-9a-z]{0,9})(\??)\.([0-9a-z]{0,8})\.([\w-]*)$/.exec(text);
	if (!parts) throw new Error('not a bucket');
	const [, start, unread, revision, codes] = parts;
	return {
		start: start === '' ? -Infinity : parseInt(start, 36),
		revision: revision === '' ? 0 : parseInt(revision, 36),
		unread: unread === '?',
		codes,
	};
}

function digits(value: number, count: number): string {
	let text = '';
	// Times have more than the 32 bits that shifting could handle.
	for (let rest = value; text.length < count; rest = Math.floor(rest / 64)) {
		text = ALPHABET[rest % 64] + text;
	}
	return text;
}

function number(codes: string, place: number, count: number): number {
	let value = 0;
	for (let index = place; index < place + count; index += 1) {
		const digit = index < codes.length ? VALUES[codes.charCodeAt(index) & 127] : -1;
		if (digit < 0) throw new Error('not a code');
		value = value * 64 + digit;
	}
	return value;
}
