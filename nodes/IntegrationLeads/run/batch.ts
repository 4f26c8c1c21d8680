/** Items that are sent together: which of them, in what request, and what the answer means for each. */
import { isEmpty, isNil } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../contract/envelope';
import { readPushResults, tellsOfLeads } from '../contract/sync';
import type { SentLead } from '../contract/verdicts';
import { UserError } from '../userError';
import type { Batch } from '../operation';
import type { Answer, ServiceRequest } from '../transport/send';
import type { Hints } from './hints';
import type { Job, Outcome, PlannedItem } from './items';
import type { Plan, RunServices } from './plan';
import { requestInfo } from './plan';

/**
 * Cuts a list into batches. Each entry goes into the first batch that has room and comes after all batches that hold
 * one of its keys: records that come up twice keep their order, and all batches but the last are full otherwise.
 *
 * @param keys for each entry what it shares with others of the same record
 * @returns positions in `keys`, ascending in each batch
 */
export function cutBatches(keys: string[][], size: number): number[][] {
	const batches: number[][] = [];
	const lastOf = new Map<string, number>();
	let firstWithRoom = 0;
	keys.forEach((own, position) => {
		const after = own.map((key) => (lastOf.get(key) ?? -1) + 1);
		let batch = Math.max(firstWithRoom, ...after);
		while ((batches[batch]?.length ?? 0) >= size) batch += 1;
		while (batches.length <= batch) batches.push([]);
		batches[batch].push(position);
		for (const key of own) lastOf.set(key, batch);
		while ((batches[firstWithRoom]?.length ?? 0) >= size) firstWithRoom += 1;
	});
	return batches;
}

/** One job for each batch of items. */
export function batchJobs(planned: Array<PlannedItem<Plan>>, services: RunServices): Job[] {
	const [first] = planned;
	const { batch } = first?.plan.operation ?? {};
	if (!batch) return [];
	const options = first.plan.read('options') as Partial<Batch> | undefined;
	const size = options?.batchSize ?? batch.batchSize;
	const listName = options?.listName || batch.listName;
	const keys = planned.map(({ plan }) => plan.recordKeys);
	return cutBatches(keys, size).map((positions) => {
		const members = positions.map((position) => planned[position]);
		return {
			items: members.map(({ itemIndex }) => itemIndex),
			recordKeys: positions.flatMap((position) => keys[position]),
			run: async () =>
				await sendBatch(
					members.map(({ plan }) => plan),
					listName,
					services,
				),
		};
	});
}

async function sendBatch(
	plans: Plan[],
	listName: string,
	{ client, hints }: RunServices,
): Promise<Outcome[]> {
	const requests = plans.map(({ request }) => request);
	const leads = requests.map(({ body }) => body);
	const repeatable = requests.every((request) => request.repeatable);
	const sent = leads.map(toSent);
	const request: ServiceRequest = {
		...requests[0],
		body: { [listName]: leads },
		repeatable,
		isAnswer: (body) => tellsOfLeads(body, sent),
	};
	const answer = await client.send(request, requestInfo(plans[0]));
	return outcomesOf(answer, sent, hints).map((outcome) =>
		outcome instanceof UserError
			? new UserError(client.scrub(outcome.message), client.scrub(outcome.description ?? ''))
			: outcome,
	);
}

function toSent(lead: unknown): SentLead {
	const { externalId, status } = isRecord(lead) ? lead : {};
	return isNil(externalId) || externalId === ''
		? { status }
		: { externalId: String(externalId), status };
}

function outcomesOf({ data, siblings, failed }: Answer, sent: SentLead[], hints: Hints): Outcome[] {
	const results = readPushResults(isEmpty(siblings) ? data : siblings, sent, failed);
	const refused = results.filter((result) => result?.kind === 'refused').length;
	const lost = results.filter((result) => result?.kind === 'unclear').length;
	const untold = results.filter((result) => result?.kind === 'failed').length;
	const spared = results.length - refused - lost - untold;
	// Totals, for example: they are of the whole batch, and say nothing of a lead.
	const said = isRecord(data) ? { answer: data as IDataObject } : {};
	return results.map((result, position): Outcome => {
		const { externalId } = sent[position];
		const named = externalId === undefined ? {} : { externalId };
		const which = externalId === undefined ? 'this lead' : `the lead "${externalId}"`;
		switch (result?.kind) {
			case 'done':
				return [{ ...named, ...result.record } as IDataObject];
			case 'refused':
				return new UserError(
					`The leads service did not accept ${which}${asReason(result.message)}`,
					`${spared} of the ${results.length} leads sent in the same request were not refused. Correct this one and run it again.${asCode(result.code)}`,
				);
			case 'failed':
				return new UserError(
					`The leads service did not accept the request with ${which}${asReason(result.message)}`,
					`It names a reason for ${refused} of the ${results.length} leads sent together, and says nothing of this one. Correct those that have a reason, and run this one again.${asCode(result.code)}`,
				);
			case 'unclear':
				return new UserError(
					`The service refused some leads of this batch and does not say ${refused > 0 ? 'whether this is one of them' : 'which'}${asReason(result.message)}`,
					`This holds for ${lost} of the ${results.length} leads sent in the same request. Look at this one with Sync > Get, and run it again where it is missing. With the option "Batch Size" at 1, each lead is told its own reason.`,
				);
			default:
				hints.add(
					'The service accepted a batch without telling what became of each lead. Read a lead with Sync > Get to make sure.',
				);
				return [{ ...named, batchAccepted: true, ...said }];
		}
	});
}

function asReason(message: string | undefined): string {
	return message ? `: ${message}` : '';
}

function asCode(code: string | undefined): string {
	return code ? ` (${code})` : '';
}
