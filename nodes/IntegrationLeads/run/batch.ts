/** Sends items in batches, and turns each answer into one outcome per item. */
import { isEmpty, isNil, omit, pick, pickBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { excerptOf, parseBatchAnswer } from '../contract/batchAnswer';
import type { ServiceRecord } from '../contract/envelope';
import { isRecord, parseError, parseRecord, shorten } from '../contract/envelope';
import { pushed } from '../contract/records';
import type { Batch } from '../operation';
import type { Answer, ServiceRequest } from '../transport/send';
import { UnconfirmedError, UserError } from '../userError';
import { noteDifferences } from './compare';
import type { ItemResult, Job, PlannedItem } from './items';
import { idsLast } from './output';
import type { Plan } from './plan';
import type { RunServices } from './services';

/**
 * Cuts a list into batches. Each entry goes into the first batch with room after all batches that hold one of its keys,
 * so that entries of the same record are sent in order.
 *
 * @param keys for each entry, the keys of its record
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
export function batchJobs(planned: Array<PlannedItem>, services: RunServices): Job[] {
	const [first] = planned;
	const { batch } = first?.plan.operation ?? {};
	if (!batch) return [];
	const options = (first.plan.read('options') ?? {}) as Partial<Batch>;
	const settings: Batch = {
		batchSize: options.batchSize ?? batch.batchSize,
		listName: options.listName || batch.listName,
		unconfirmedLeads: options.unconfirmedLeads ?? batch.unconfirmedLeads,
	};
	const keys = planned.map(({ plan }) => plan.recordKeys);
	return cutBatches(keys, settings.batchSize).map((positions) => {
		const members = positions.map((position) => planned[position]);
		const plans = members.map(({ plan }) => plan);
		return {
			items: members.map(({ itemIndex }) => itemIndex),
			recordKeys: positions.flatMap((position) => keys[position]),
			run: async () => {
				const outcomes = await sendBatch(plans, settings, services).catch((reason: Error) =>
					plans.map(() => reason),
				);
				return members.map((member, index) => services.ledger.note(member, outcomes[index]));
			},
		};
	});
}

async function sendBatch(
	plans: Plan[],
	settings: Batch,
	services: RunServices,
): Promise<ItemResult[]> {
	const requests = plans.map(({ request }) => request);
	const leads = requests.map(({ body }) => (isRecord(body) ? body : {}));
	const request: ServiceRequest = {
		...requests[0],
		body: { [settings.listName]: leads },
		repeatable: requests.every(({ repeatable }) => repeatable),
		isAnswer: (body) =>
			parseBatchAnswer(body, leads, true).some(({ kind }) => kind !== 'unconfirmed'),
	};
	const newValues = await Promise.all(
		leads.map(async (lead) => await services.values.noteNew(plans[0].operation.output, lead)),
	);
	const answer = await services.client.send(request, plans[0].about);
	return toResults(plans, answer, leads, newValues, settings, services);
}

function toResults(
	plans: Plan[],
	{ data, siblings, failed = false }: Answer,
	leads: ServiceRecord[],
	newValues: IDataObject[],
	{ unconfirmedLeads }: Batch,
	{ client, hints }: RunServices,
): ItemResult[] {
	const { operation } = plans[0];
	const outcome = operation.output.kind === 'one' ? operation.output.outcome : undefined;
	const answer = isEmpty(siblings) ? data : siblings;
	const results = parseBatchAnswer(answer, leads, failed);
	const refused = results.filter(({ kind }) => kind === 'refused').length;
	const show = (words: string) => shorten(client.scrub(words));
	const why = (entry: unknown) => show(parseError(entry).message ?? excerptOf(entry));
	const ofAnswer = why(answer);
	// Those are reasons for other leads.
	const ofRequest = why(isRecord(answer) ? omit(answer, 'errors') : answer);
	return results.map(({ kind, entries }, position): ItemResult => {
		const named = pickBy(pick(leads[position], 'externalId'), (id) => !isNil(id) && id !== '');
		const which = isEmpty(named) ? 'this lead' : `the lead "${shorten(String(named.externalId))}"`;
		const merged = mergeEntries(entries);
		const entry = merged ?? entries[0] ?? answer;
		if (kind === 'recorded') {
			const adds = {
				...outcome?.(leads[position], merged),
				...newValues[position],
				...noteDifferences(operation, plans[position].request, merged, hints),
			};
			return [idsLast({ ...named, ...adds, ...merged } as IDataObject)];
		}
		if (kind === 'batchAccepted') {
			hints.add(BATCH_ACCEPTED);
			const shown = isRecord(data) && { answer: data };
			return [{ ...named, batchAccepted: true, ...shown } as IDataObject];
		}
		if (kind === 'refused') {
			return new UserError(
				`The leads service did not accept ${which}: ${why(entry)}`,
				`It refused ${refused} of the ${results.length} leads in this request. Correct what it refused and run it again.`,
			);
		}
		if (failed) {
			const own = parseError(merged).message;
			return new UserError(
				`The leads service did not accept the request with ${which}: ${own ? show(own) : ofRequest}`,
				`It gave a reason for ${refused} of the ${results.length} leads in this request, and none for this one. Correct those that have a reason, and run this one again.`,
			);
		}
		if (unconfirmedLeads === 'passThrough') {
			hints.add(UNCONFIRMED);
			return [{ ...named, unconfirmed: true, answer: entry } as IDataObject];
		}
		const shown = entries.length > 0 ? show(excerptOf(entry)) : ofAnswer;
		return new UnconfirmedError(
			`The answer does not confirm ${which}: ${shown}`,
			'The lead may have been recorded. Check it with Sync > Get before you run it again. Set Options > Batch Size to 1 to see the answer for each lead. If this is how the service confirms a lead, set Options > Unconfirmed Leads to Pass Through.',
		);
	});
}

const BATCH_ACCEPTED =
	'The service accepted a batch without reporting on each lead. Check a lead with Sync > Get.';
const UNCONFIRMED =
	'Some leads are unconfirmed: the answer does not plainly say that they were recorded. They have "unconfirmed": true in the output. Check one with Sync > Get.';

/** All entries about one lead as one record. */
function mergeEntries(entries: unknown[]): ServiceRecord | undefined {
	const records = entries.filter(isRecord).map((record) => parseRecord(record, pushed.singular));
	return records.length > 0 ? (Object.assign({}, ...records) as ServiceRecord) : undefined;
}
