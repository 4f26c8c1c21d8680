/** The state as it is stored: validated when it is read, compressed when it is written. */
import { createHash } from 'node:crypto';
import { z } from 'zod';

import { isRecord } from '../contract/envelope';
import type { StoredBucket } from './encoding';
import { countStatuses, decodeBucket, encodeBucket } from './encoding';
import type { Notice, Settings, StoredState } from './types';

const STATE_VERSION = 1;

/** The state with its buckets decoded. */
export interface State extends Omit<StoredState, 'version' | 'buckets'> {
	buckets: StoredBucket[];
}

const emittedEvent = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()]);

const storedState = z
	.object({
		version: z.literal(STATE_VERSION),
		watched: z.string(),
		statuses: z.array(z.string()),
		unit: z.number().nullable(),
		activated: z.number().nullable(),
		turn: z.number(),
		buckets: z.array(z.string().transform(decodeBucket)).nonempty(),
		lastEvents: z.array(
			z.object({
				process: z.string(),
				detectedAt: z.number(),
				emittedAt: z.number(),
				events: z.array(emittedEvent),
			}),
		),
	})
	.refine(({ buckets, statuses }) =>
		buckets.every(({ start, entries }, index) => {
			let known = true;
			countStatuses(entries, (status) => (known &&= status >= 0 && status < statuses.length));
			return known && (index === 0 || start > buckets[index - 1].start);
		}),
	);

/** Changes of status are watched, not only creation. */
export function watchesStatus({ triggerOn }: Settings): boolean {
	return triggerOn.includes('lead.statusChanged');
}

/** Identifies what is watched. What is known says nothing about leads of another account or under other filters. */
export function watchedOf(settings: Settings): string {
	const { filters, watchWithinDays, account } = settings;
	const names = Object.keys(filters).sort();
	const parts = [names.map((name) => [name, filters[name]]), watchWithinDays, account];
	const text = JSON.stringify([...parts, watchesStatus(settings)]);
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/**
 * @param stored what n8n gives back: anything
 * @returns the state, or why there is none; neither for a trigger that starts for the first time
 */
export function parseState(
	stored: unknown,
	watched: string,
): { state?: State; notice?: Notice; first?: boolean } {
	if (!isRecord(stored) || Object.keys(stored).length === 0) return { first: true };
	const restart = 'All leads are read again; changes since the last poll are not reported.';
	const state = parse(stored);
	if (!state) {
		const message = `The stored state of the trigger cannot be read. ${restart}`;
		return { notice: { kind: 'stateUnreadable', message } };
	}
	if (state.watched === watched) return { state };
	const message = `The filters, the number of days watched, the events or the credential changed. ${restart}`;
	return { notice: { kind: 'watchedChanged', message } };
}

export function writeState(state: State): StoredState {
	return { version: STATE_VERSION, ...state, buckets: state.buckets.map(encodeBucket) };
}

function parse(stored: unknown): State | undefined {
	try {
		return storedState.parse(stored);
	} catch {
		return undefined;
	}
}
