/** Sends one request of an item or of a step, except those that read lists. */
import { noteDifferences } from '../contract/differences';
import { outcomeOf, type Evidence } from '../contract/outcome';
import { parseRecord } from '../contract/envelope';
import { isRecord } from '../values/json';
import type { Result } from '../operation';
import { unexpectedAnswer } from '../transport/read';
import { bodyOf, type RequestPlan } from '../prepare/plan';
import type { RunScope } from './runScope';

/** 202: accepted, but not yet written. The answer may show the record as it was. */
export const HTTP_ACCEPTED = 202;

/**
 * Sends one request.
 *
 * @param comparesContact whether the operation compares the contact itself, because it may yet fill blank fields of it
 * @throws ServiceError if the service refuses; UserError if it answers with something else
 */
export async function sendStep(
	plan: RequestPlan,
	runScope: RunScope,
	comparesContact = false,
): Promise<Result> {
	const {
		operation: { output, listOperation },
		request,
	} = plan;
	const sent = bodyOf(plan);
	const isAbsent = runScope.absenceOf(plan, runScope.client);
	// An earlier try may have deleted the record, so that it is no longer found.
	const isGone = request.method === 'DELETE' && plan.triedAt !== undefined;
	const mayBeMissing = request.mayBeMissing || isGone;
	const answer = await runScope.client.send({ ...request, isAbsent, mayBeMissing }, plan.about);
	const record =
		output.kind === 'one' ? parseRecord(answer.data, output.record.singular) : undefined;
	// A write has been carried out whatever the answer looks like, and an error would have users repeat it.
	if (request.method === 'GET' && output.kind === 'one' && !record && answer.status !== 404) {
		throw unexpectedAnswer(
			answer.data === undefined
				? 'The service answered without a record'
				: 'The service answered with something that is not a record',
			plan.about.action,
		);
	}
	const { contact, ...others } = sent;
	const compared = comparesContact && contact && isRecord(record?.contact) ? others : sent;
	const differences =
		answer.status === HTTP_ACCEPTED || !record
			? undefined
			: noteDifferences(compared, record, runScope.hints, true);
	const result = {
		data: answer.data,
		record,
		extra: differences === undefined ? {} : { differences },
	};
	if (output.kind !== 'one') return result;
	if (output.upserts) {
		const evidence = { ...answer, by: 'upsert', existing: plan.existing } as const;
		return withOutcome(result, plan, runScope, evidence);
	}
	if (!listOperation) return result;
	return { ...result, ...outcomeOf({ ...answer, by: 'create', sent, record }) };
}

/** The result with whether the lead was created or linked, as far as the evidence shows. */
export function withOutcome(
	result: Result,
	plan: RequestPlan,
	{ client }: RunScope,
	evidence: Evidence,
): Result {
	const { triedAt } = plan;
	const sent = bodyOf(plan);
	// The record that was looked up since may be the one that the earlier try created.
	const tried = triedAt !== undefined && {
		isRepeated: true,
		serverSentAt: client.toServerTime(triedAt),
		existing: undefined,
	};
	const { record } = result;
	const { created, linked } = outcomeOf({ ...evidence, ...tried, sent, record });
	const { protocol } = sent;
	const outcome = {
		...(linked !== undefined && { linked }),
		...(protocol && { sentProtocol: protocol }),
	};
	return { ...result, created, extra: { ...outcome, ...result.extra } };
}
