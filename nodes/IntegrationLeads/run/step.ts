/** One request that is not a list: of an item, or a step of one. */
import type { IDataObject } from 'n8n-workflow';
import { isNil, omitBy } from 'lodash';

import { outcomeOf, type Evidence } from '../contract/outcome';
import type { ServiceRecord } from '../contract/envelope';
import { isRecord, parseRecord } from '../contract/envelope';
import type { Result } from '../operation';
import { beforeSending } from '../userError';
import { noteDifferences } from './compare';
import type { RequestPlan } from './plan';
import type { RunServices } from './services';

/** Nothing is written yet, so the answer may show the record as it was. */
export const ACCEPTED_ONLY = 202;

/**
 * Sends one request.
 *
 * @param item the key of the item in the ledger
 * @throws NodeApiError or UserError
 */
export async function sendStep(
	plan: RequestPlan,
	item: string,
	services: RunServices,
): Promise<Result> {
	const {
		operation: { output, listedBy },
		request,
		listing,
	} = plan;
	const existing = await readExisting(plan, services);
	const newValue = await services.account.askIfNew(output, request.body ?? request.query);
	const { isListed, ...answer } = await services.created.send(plan);
	const record =
		output.kind === 'one' ? parseRecord(answer.data, output.record.singular) : undefined;
	const written = answer.status === ACCEPTED_ONLY ? undefined : record;
	const differences = noteDifferences(plan.operation, request, written, services.hints);
	const result = {
		data: answer.data,
		record,
		adds: { ...newValue, ...differences.adds },
		inWords: [...Object.values(newValue), ...differences.inWords],
	};
	if (output.kind !== 'one') return result;
	if (output.upserts) {
		return withOutcome(result, plan, item, services, { ...answer, by: 'upsert', existing });
	}
	if (!listedBy) return result;
	const sent = isRecord(request.body) ? request.body : {};
	const { created } = outcomeOf({ ...answer, by: isListed ? 'found' : 'create', sent, record });
	return { ...result, created, list: listing?.path };
}

/** What became of a lead that was sent. */
export function withOutcome(
	result: Result,
	{ request: { body }, recordKeys: [key] }: RequestPlan,
	item: string,
	{ ledger, written }: RunServices,
	evidence: Evidence,
): Result {
	const sent = isRecord(body) ? body : {};
	// An item before this one may have created the record.
	const isRepeated = evidence.isRepeated && !written.has(key);
	written.add(key);
	const wasCreated = ledger.hasCreated(item, key);
	const { record } = result;
	const { created, linked } = outcomeOf({ ...evidence, sent, record, isRepeated, wasCreated });
	// When n8n repeats the item, the service says that the lead was there before.
	if (created) ledger.noteCreated(item, key);
	const outcome = omitBy({ linked, sentProtocol: sent.protocol }, isNil) as IDataObject;
	const word = linked ? 'linked' : created ? 'created' : created === false ? 'updated' : 'recorded';
	return {
		...result,
		created,
		adds: { ...outcome, ...result.adds },
		inWords: [word, ...(result.inWords ?? [])],
	};
}

/** With Look First, the record with the external ID as it is before anything is written; null if there is none. */
async function readExisting(
	{ operation: { output }, request: { body }, existing, values }: RequestPlan,
	{ lookups }: RunServices,
): Promise<ServiceRecord | null | undefined> {
	const { externalId } = isRecord(body) ? body : {};
	const { lookFirst } = values.options;
	if (existing || lookFirst !== true || isNil(externalId) || output.kind !== 'one') return existing;
	const lookup = { record: output.record, label: 'External ID', optional: true };
	const value = String(externalId);
	const reading = lookups.lookUpNow({ ...lookup, by: 'externalId', value });
	return (await beforeSending(reading)) ?? null;
}
