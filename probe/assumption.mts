import type { ServiceRecord } from '../nodes/IntegrationLeads/values/json.ts';
import type { Survey } from './survey/survey.mts';
import { answerOf, isSuccess, listOf, outcomeOf, recordOf, type Reply } from './reply.mts';

/** What an assumption turned out to be, and what was seen of it. */
export interface Verdict {
	outcome: 'holds' | 'differs' | 'could not tell';
	seen: string;
}

export type Check = (survey: Survey) => Verdict;

export const holds = (seen: string): Verdict => ({ outcome: 'holds', seen });
export const differs = (seen: string): Verdict => ({ outcome: 'differs', seen });
export const couldNotTell = (seen: string): Verdict => ({ outcome: 'could not tell', seen });
export const verdict = (ok: boolean, seen: string) => (ok ? holds(seen) : differs(seen));

/** Whether an answer shows nothing of the operation: no scope, too many requests, or out of order. */
export const isInconclusive = ({ status }: Reply) =>
	status === 403 || status === 429 || status >= 500;

/** Judges the answer to one request, if it was sent and answered. */
export const answered =
	(
		name: string,
		judge: (reply: Reply, survey: Survey) => Verdict,
		isUseless = isInconclusive,
	): Check =>
	(survey) => {
		const reply = survey.named(name);
		if (!reply) return couldNotTell(survey.whyNot(name));
		return isUseless(reply) ? couldNotTell(outcomeOf(reply)) : judge(reply, survey);
	};

/** Judges what the node reads from the answer to one request. */
const result =
	<T,>(read: (reply: Reply) => T | undefined) =>
	(name: string, judge: (found: T, reply: Reply, survey: Survey) => Verdict): Check =>
		answered(name, (reply, survey) => {
			const found = read(reply);
			if (found) return judge(found, reply, survey);
			// That there is no result, or that it is not found, is an assumption of its own.
			return isSuccess(reply) ? couldNotTell(answerOf(reply)) : differs(answerOf(reply));
		});

export const record = result<ServiceRecord>(recordOf);
export const list = result<ServiceRecord[]>(listOf);

/** Holds when the request was refused with this status, or with any from 400 on. */
export const refused = (name: string, status?: number): Check =>
	answered(name, (reply) =>
		verdict(status ? reply.status === status : reply.status >= 400, outcomeOf(reply)),
	);

/** Judges only when all these requests succeeded: otherwise nothing of them can be seen. */
export const after = (names: string[], check: Check): Check =>
	names.reduceRight<Check>(
		(next, name) =>
			answered(name, (reply, survey) =>
				isSuccess(reply) ? next(survey) : couldNotTell(answerOf(reply)),
			),
		check,
	);

/** Judges several things by whether each fits; the first that does not is the evidence. */
export function every<T>(
	things: readonly T[],
	fits: (thing: T) => boolean,
	describe: (thing: T) => string,
): Verdict {
	if (!things.length) return couldNotTell('nothing of the kind was seen');
	const odd = things.filter((thing) => !fits(thing));
	if (!odd.length) return holds(`all ${things.length}`);
	return differs(`${describe(odd[0])} (${odd.length} of ${things.length})`);
}
