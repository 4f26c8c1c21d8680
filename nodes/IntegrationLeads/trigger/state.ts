/** The state as it is stored: opened with suspicion, closed with care. */
import { createHash } from 'node:crypto';

import { isRecord } from '../contract/envelope';
import type { Bucket } from './codes';
import { countStatuses, decodeBucket, decodeEntries, encodeBucket } from './codes';
import type { Notice, Settings, StoredState } from './types';

export const STATE_VERSION = 1;

/** What earlier versions are turned into, each by the next one's shape. There are none yet. */
const MIGRATIONS: Record<number, (state: Record<string, unknown>) => Record<string, unknown>> = {};

/** A state that can be worked with. */
export interface Opened extends Omit<StoredState, 'buckets'> {
	buckets: Bucket[];
}

/** Changes of status are watched, not only creation. */
export function follows({ triggerOn }: Settings): boolean {
	return triggerOn.includes('lead.statusChanged');
}

/** Stands for what is watched. With another scope, what is known says nothing about what is listed. */
export function scopeOf(settings: Settings): string {
	const { priority = '', source = '', tag = '', search = '' } = settings.filters;
	const parts = [priority, source, tag, search, settings.watchWithinDays, settings.account];
	const text = JSON.stringify([...parts, follows(settings)]);
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/**
 * @param stored what n8n gives back: anything
 * @returns the state, or why there is none; neither for a trigger that starts for the first time
 */
export function openState(
	stored: unknown,
	scope: string,
): { state?: Opened; notice?: Notice; first?: boolean } {
	if (!isRecord(stored) || Object.keys(stored).length === 0) return { first: true };
	const restart = 'All leads are read anew; what changed since the last poll is not reported.';
	try {
		const state = check(migrate(stored));
		if (state.scope === scope) return { state };
		const message = `The filters, the time watched or the credential changed. ${restart}`;
		return { notice: { kind: 'scopeChanged', message } };
	} catch {
		const message = `What was remembered of the last poll cannot be read. ${restart}`;
		return { notice: { kind: 'stateUnreadable', message } };
	}
}

export function closeState(state: Opened): StoredState {
	return { ...state, buckets: state.buckets.map(encodeBucket) };
}

function migrate(stored: Record<string, unknown>): Record<string, unknown> {
	let state = stored;
	for (let left = 100; state.version !== STATE_VERSION; left -= 1) {
		const step = MIGRATIONS[Number(state.version)] as (typeof MIGRATIONS)[number] | undefined;
		if (!step || left === 0) throw new Error('of an unknown version');
		state = step(state);
	}
	return state;
}

/** @throws Error when anything is not as it was written */
function check(stored: Record<string, unknown>): Opened {
	const { scope, statuses, unit, newSince, newest, activated, existing, position } = stored;
	const { waiting, offsets, buckets, inclusive, hotPosition, roundNewest } = stored;
	const fine =
		typeof scope === 'string' &&
		isListOf(statuses, isText) &&
		isTimeOrNull(unit) &&
		isTime(inclusive) &&
		isTimeOrNull(hotPosition) &&
		isTime(roundNewest) &&
		isTime(newSince) &&
		isTime(newest) &&
		isTimeOrNull(activated) &&
		typeof existing === 'boolean' &&
		isTimeOrNull(position) &&
		isListOf(waiting, isTimeOrNull) &&
		isListOf(offsets, isTime) &&
		isListOf(buckets, isText);
	if (!fine) throw new Error('not a state');
	const opened = buckets.map(decodeBucket);
	if (opened.length === 0) throw new Error('without buckets');
	opened.forEach(({ start, unread, codes }, index) => {
		if (index > 0 && !(start > opened[index - 1].start)) throw new Error('out of order');
		const timed = unread || index === opened.length - 1;
		// Only what is short is decoded in full: this is done in every poll.
		if (timed) decodeEntries(codes, true);
		let length = 0;
		countStatuses(codes, timed, (status) => {
			length += 1;
			if (!(status >= 0 && status < statuses.length)) throw new Error('not a status');
		});
		if (length > codes.length / 4) throw new Error('cut short');
	});
	const version = STATE_VERSION;
	const plain = { version, scope, statuses: [...statuses], unit, newSince, newest, activated };
	return {
		...plain,
		inclusive,
		existing,
		hotPosition,
		roundNewest,
		position,
		waiting,
		offsets,
		buckets: opened,
	};
}

function isListOf<T>(value: unknown, is: (entry: unknown) => entry is T): value is T[] {
	return Array.isArray(value) && value.every((entry) => is(entry));
}

function isText(value: unknown): value is string {
	return typeof value === 'string';
}

function isTime(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value);
}

function isTimeOrNull(value: unknown): value is number | null {
	return value === null || isTime(value);
}
