import type { Evidence } from './evidence.mts';
import {
	answerOf,
	isSuccess,
	listOf,
	nameOf,
	outcomeOf,
	recordOf,
	type Json,
	type Reply,
} from './reply.mts';

/** What an assumption turned out to be, and what was seen of it. */
export interface Verdict {
	outcome: 'holds' | 'differs' | 'could not tell';
	seen: string;
}

export type Check = (evidence: Evidence) => Verdict;

/** One thing that is believed of the service. */
export interface Assumption {
	/** Stands for it in tests. */
	id: string;
	/** The belief, as a sentence. */
	says: string;
	/** The part of the specification that states it; without one, we assume it. */
	stated?: string;
	/** The node works either way: this is the plain reading, or the example shown. */
	notReliedOn?: true;
	/** It can only be judged by writing. */
	writes?: true;
	check: Check;
}

export const holds = (seen: string): Verdict => ({ outcome: 'holds', seen });
export const differs = (seen: string): Verdict => ({ outcome: 'differs', seen });
export const couldNotTell = (seen: string): Verdict => ({ outcome: 'could not tell', seen });
export const verdict = (ok: boolean, seen: string) => (ok ? holds(seen) : differs(seen));

/** Whether an answer says nothing about the operation: no scope, too many requests, or out of order. */
export const saysNothing = ({ status }: Reply) => status === 403 || status === 429 || status >= 500;

/** Judges the answer to one request, if it was sent and answered. */
export function answered(
	name: string,
	judge: (reply: Reply, evidence: Evidence) => Verdict,
): Check {
	return (evidence) => {
		const reply = evidence.named(name);
		if (!reply) return couldNotTell(evidence.whyNot(name));
		return saysNothing(reply) ? couldNotTell(outcomeOf(reply)) : judge(reply, evidence);
	};
}

/** Judges the record that one request was answered with. */
export function record(
	name: string,
	judge: (record: Json, reply: Reply, evidence: Evidence) => Verdict,
): Check {
	return answered(name, (reply, evidence) => {
		const found = recordOf(reply);
		return found ? judge(found, reply, evidence) : withoutResult(reply);
	});
}

/** Judges the list that one request was answered with. */
export function list(
	name: string,
	judge: (items: Json[], reply: Reply, evidence: Evidence) => Verdict,
): Check {
	return answered(name, (reply, evidence) => {
		const found = listOf(reply);
		return found ? judge(found, reply, evidence) : withoutResult(reply);
	});
}

/** Holds when the request was refused with this status, or with any of 400 to 499. */
export function refused(name: string, status?: number): Check {
	return answered(name, (reply) => {
		const fits = status ? reply.status === status : reply.status >= 400;
		return verdict(fits, outcomeOf(reply));
	});
}

/** Judges only when all these requests succeeded: otherwise there is nothing to be seen of them. */
export function after(names: string[], check: Check): Check {
	return (evidence) => {
		const undone = names.find((name) => {
			const reply = evidence.named(name);
			return !reply || !isSuccess(reply);
		});
		if (!undone) return check(evidence);
		const reply = evidence.named(undone);
		return couldNotTell(reply ? answerOf(reply) : evidence.whyNot(undone));
	};
}

/** Judges all of several things by whether each fits; the first that does not is the evidence. */
export function every<T>(
	things: readonly T[],
	fits: (thing: T) => boolean,
	words: { all: string; none: string; but: (thing: T) => string },
): Verdict {
	if (!things.length) return couldNotTell(words.none);
	const odd = things.filter((thing) => !fits(thing));
	if (!odd.length) return holds(`${words.all} (${things.length})`);
	return differs(`${words.but(odd[0])} (${odd.length} of ${things.length})`);
}

function withoutResult(reply: Reply): Verdict {
	if (!isSuccess(reply)) return differs(answerOf(reply));
	// That there is none, or that it is not found, is an assumption of its own.
	return couldNotTell(`${nameOf(reply)} answered ${reply.status} without a result`);
}
