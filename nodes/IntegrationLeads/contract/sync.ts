/** POST /sync is only named (4.6): how it answers is assumed, and read in every way that is likely. */
import { z } from 'zod';

import type { ServiceRecord } from './envelope';
import { isRecord, readFailure, readRecord } from './envelope';
import type { RecordShape } from './shape';
import { assumed } from './shape';
import type { SentLead, Verdict } from './verdicts';
import { readVerdicts } from './verdicts';

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
	/** Something was refused, perhaps this lead: the service does not say what, and tells nothing else of the lead. */
	| { kind: 'unclear'; message?: string }
	/** The batch failed as a whole, for this reason, and nothing says that this lead was taken all the same. */
	| { kind: 'failed'; code?: string; message?: string }
	| undefined;

/**
 * Finds what the answer tells of each lead. A refusal wins over whatever else is said of the lead.
 *
 * @param answer the whole of it, also what stands beside `data`
 * @param sent in the order sent, each external ID once
 * @param failed the answer says that the request failed: only leads of which it says outright that they were taken were
 * @returns one result for each of `sent`
 */
export function readPushResults(answer: unknown, sent: SentLead[], failed = false): PushResult[] {
	const verdicts = readVerdicts(answer, sent);
	const ofLead = sent.map((): Verdict[] => []);
	for (const verdict of verdicts) {
		for (const position of verdict.leads) ofLead[position].push(verdict);
	}
	const ofAny = verdicts.filter(({ refused, leads }) => refused && leads.length === 0);
	const summary = failed ? readSummary(answer) : {};
	return ofLead.map((told): PushResult => {
		// In a batch of one, what is told of any is told of that one.
		const own = told.filter(({ leads }) => leads.length === 1 || sent.length === 1);
		const refusals = [...own, ...(sent.length === 1 ? ofAny : [])].filter(isRefusal);
		if (refusals.length > 0) return refusedBy(refusals, summary);
		if (failed && !own.some(({ taken }) => taken)) {
			const isReasoned = own.some(({ words }) => words.length > 0);
			return isReasoned ? refusedBy(own, summary) : { kind: 'failed', ...summary };
		}
		if (own.length > 0) {
			const records = own.map(({ record }) => readRecord(record, pushed.singular));
			return { kind: 'done', record: Object.assign({}, ...records) as ServiceRecord };
		}
		const perhaps = [...told.filter(isRefusal), ...ofAny];
		return perhaps.length === 0 ? undefined : { kind: 'unclear', message: joinWords(perhaps) };
	});
}

/** Whether an answer that says that the request failed tells more of single leads than that they were sent. */
export function tellsOfLeads(answer: unknown, sent: SentLead[]): boolean {
	return readVerdicts(answer, sent).some(
		({ leads, refused, taken, words }) =>
			leads.length === 1 && (refused || taken || words.length > 0),
	);
}

/** @param summary why the batch failed: where nothing is said of the lead, that is its reason */
function refusedBy(verdicts: Verdict[], summary: Summary): PushResult {
	const code = verdicts.find((each) => each.code !== undefined)?.code ?? summary.code;
	return { kind: 'refused', code, message: joinWords(verdicts) ?? summary.message };
}

interface Summary {
	code?: string;
	message?: string;
}

/** Why the request failed, without the reasons for single leads. */
function readSummary(answer: unknown): Summary {
	if (!isRecord(answer)) return {};
	const { error, message, code } = answer;
	const plain = isRecord(error) ? { code: error.code, message: error.message } : error;
	const told = readFailure({ error: plain, message, code });
	return { code: told.code, message: told.message };
}

function isRefusal({ refused }: Verdict): boolean {
	return refused;
}

/** Many leads may have failed for as many reasons: those of a few are enough to begin with. */
const MOST_REASONS = 5;

function joinWords(verdicts: Verdict[]): string | undefined {
	const words = new Set<string>();
	for (const verdict of verdicts) {
		for (const word of verdict.words) words.add(word);
		if (words.size > MOST_REASONS) break;
	}
	if (words.size === 0) return undefined;
	const shown = [...words].slice(0, MOST_REASONS).join('; ');
	return words.size > MOST_REASONS ? `${shown}; …` : shown;
}
