/** Sends one request of an item, except those that read lists, and decides what came of it. */
import { noteDifferences } from '../contract/differences';
import { parseRecord } from '../contract/envelope';
import { outcomeOf, type Evidence } from '../contract/outcome';
import type { Result } from '../operation';
import { bodyOf, type RequestPlan } from '../prepare/request';
import { unexpectedAnswer } from '../transport/read';
import { isTemporary, mayBeRecorded } from '../userError';
import { isRecord } from '../values/json';
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
	const { step, request, errorContext, attempt } = plan;
	const { output, listStep } = step;
	const { client, createdRecords, hints, ledger } = runScope;
	const sent = bodyOf(plan);
	const lookUp = async (firstSentAt: number) =>
		await createdRecords.find(plan, firstSentAt, client);
	// An earlier try may have deleted the record, so that it is no longer found.
	const isGone = request.method === 'DELETE' && attempt.firstSentAt !== undefined;
	const mayBeMissing = request.mayBeMissing || isGone;
	const answer = await client.send(
		{ ...request, lookUp: listStep && lookUp, mayBeMissing },
		errorContext,
	);
	const record =
		output.kind === 'one' ? parseRecord(answer.data, output.record.singular) : undefined;
	// The write succeeded regardless of the response body; an error would make users repeat it.
	if (request.method === 'GET' && output.kind === 'one' && !record && answer.status !== 404) {
		throw unexpectedAnswer(
			answer.data === undefined
				? 'The service answered without a record'
				: 'The service answered with something that is not a record',
			errorContext.action,
		);
	}
	const { contact, ...others } = sent;
	const compared = comparesContact && contact && isRecord(record?.contact) ? others : sent;
	const differences =
		answer.status === HTTP_ACCEPTED || !record
			? undefined
			: noteDifferences(compared, record, hints, true);
	const result = {
		data: answer.data,
		record,
		extra: differences === undefined ? {} : { differences },
	};
	if (output.kind !== 'one') return result;
	if (output.upserts) return withOutcome(result, plan, runScope, { ...answer, by: 'upsert' });
	if (!listStep) return result;
	ledger.claim(record?.id);
	return { ...result, ...outcomeOf({ ...answer, by: 'create', sent, record }) };
}

/**
 * The result with whether the lead was created or linked, as far as the evidence shows.
 *
 * @param plan.attempt what was known before this request was sent
 */
export function withOutcome(
	result: Result,
	plan: Pick<RequestPlan, 'request' | 'attempt'>,
	{ client }: RunScope,
	evidence: Evidence,
): Result {
	const { firstSentAt, found } = plan.attempt;
	const sent = bodyOf(plan);
	// A record that was looked up after the first try may be the one that it created.
	const known: Partial<Evidence> =
		firstSentAt === undefined
			? { found }
			: { isRepeated: true, serverSentAt: client.toServerTime(firstSentAt) };
	const { record } = result;
	const { created, linked } = outcomeOf({ ...evidence, ...known, sent, record });
	const { protocol } = sent;
	const outcome = {
		...(linked !== undefined && { linked }),
		...(protocol && { sentProtocol: protocol }),
	};
	return { ...result, created, extra: { ...outcome, ...result.extra } };
}

/** Whether the service may have carried out what failed. A repeatable request may have arrived in an outage, which its error does not say. */
export function mayHaveArrived(reason: Error, { request }: RequestPlan): boolean {
	return mayBeRecorded(reason) || (isTemporary(reason) && request.repeatable);
}
