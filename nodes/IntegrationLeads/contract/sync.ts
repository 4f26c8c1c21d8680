/** POST /sync is only named (4.6): how it answers is assumed, and read in every way that is likely. */
import { z } from 'zod';

import type { ServiceRecord } from './envelope';
import { isRecord, readError, readRecord } from './envelope';
import type { RecordShape } from './shape';
import { assumed } from './shape';

/** What became of one lead of a batch. */
export const pushed: RecordShape = {
	singular: 'lead',
	plural: 'results',
	certainty: assumed(
		'the answer to a batch is not shown; expected is one entry for each lead, with its external ID, in the order sent',
	),
	schema: z.object({
		externalId: z.string(),
		id: z.string().nullish(),
		success: z.boolean().nullish(),
		result: z.string().nullish(),
	}),
};

/** What the service told of one lead, or undefined where it told nothing of it. */
export type PushResult =
	| { kind: 'done'; record: ServiceRecord }
	| { kind: 'refused'; code?: string; message?: string }
	| undefined;

/** Lists with these names hold leads that were not taken. */
const REFUSED_LISTS = ['errors', 'failed', 'failures', 'rejected'];

/** What an entry may call it when its lead was not taken. */
const REFUSED = /^(error|errored|fail|failed|failure|invalid|refused|rejected)$/i;

interface Entry {
	record: ServiceRecord;
	refused: boolean;
}

/**
 * Finds what the answer tells of each lead: by external ID, else by position where there is an entry for every lead.
 *
 * @param data the opened answer
 * @param sent the external IDs in the order sent, each once; undefined for a lead without one
 * @returns one result for each of `sent`
 */
export function readPushResults(data: unknown, sent: Array<string | undefined>): PushResult[] {
	const lists = listsIn(data);
	const entries = lists.flat();
	const byExternalId = new Map(entries.map((entry) => [externalIdOf(entry), entry]));
	const known = new Set(sent);
	// Beside a list of what was refused, positions mean nothing.
	const inOrder = lists.length === 1 && entries.length === sent.length ? entries : [];
	return sent.map((externalId, position) => {
		const named = externalId === undefined ? undefined : byExternalId.get(externalId);
		const placed = inOrder.at(position);
		// An entry that names another lead of the batch is that lead's.
		const others = placed && externalIdOf(placed);
		const free = others === undefined || !known.has(others);
		return toResult(named ?? (free ? placed : undefined));
	});
}

function listsIn(data: unknown): Entry[][] {
	const named = isRecord(data) ? Object.entries(data) : [['', data] as const];
	return named.flatMap(([name, list]) =>
		Array.isArray(list) && list.some(isRecord)
			? [list.filter(isRecord).map((each) => toEntry(each, REFUSED_LISTS.includes(name)))]
			: [],
	);
}

function toEntry(each: ServiceRecord, refused: boolean): Entry {
	const record = readRecord(each, pushed.singular) ?? each;
	return { record, refused: refused || saysRefused(each) };
}

/** A lead that was lost must not pass for one that was taken, so every way of saying so counts. */
function saysRefused({ success, ok, error, errors, status, result, statusCode }: ServiceRecord) {
	if (success === false || ok === false) return true;
	if ([status, result].some((word) => typeof word === 'string' && REFUSED.test(word))) return true;
	if ([status, statusCode].some((code) => typeof code === 'number' && code >= 400)) return true;
	return success !== true && (Boolean(error) || (Array.isArray(errors) && errors.length > 0));
}

function externalIdOf({ record: { externalId } }: Entry): string | undefined {
	return typeof externalId === 'string' || typeof externalId === 'number'
		? String(externalId)
		: undefined;
}

function toResult(entry: Entry | undefined): PushResult {
	if (!entry) return undefined;
	const { record, refused } = entry;
	if (!refused) return { kind: 'done', record };
	const { error, errors } = record;
	const { code, message } = readError(error ?? (Array.isArray(errors) ? errors[0] : record));
	return { kind: 'refused', code, message };
}
