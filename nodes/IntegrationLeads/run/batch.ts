/** Sends items in batches, and turns each answer into one outcome per item. */
import { isEmpty, isNil, omit, pick, pickBy } from 'lodash';

import type { LeadResult } from '../contract/batchAnswer';
import { excerptOf, parseBatchAnswer } from '../contract/batchAnswer';
import type { ServiceRecord } from '../contract/envelope';
import { isRecord, parseError, parseRecord, shorten } from '../contract/envelope';
import { pushed } from '../contract/records';
import type { Batch, Result } from '../operation';
import type { Client, ServiceRequest } from '../transport/send';
import { UnconfirmedError, UserError } from '../userError';
import { noteDifferences } from './compare';
import type { ReadHeld } from './confirm';
import { heldReader } from './confirm';
import type { ItemResult, Job, PlannedItem } from './items';
import { idsLast, toItems } from './output';
import type { RequestPlan } from './plan';
import { isRepeatable, itemKey } from './once';
import type { RunServices } from './services';
import { ACCEPTED_ONLY, withOutcome } from './step';

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

/** An item of an operation with `batch`. */
export type BatchedItem = PlannedItem & { plan: RequestPlan };

/** One job for each batch of items. */
export function batchJobs(planned: BatchedItem[], services: RunServices): Job[] {
	const [first] = planned;
	const { batch } = first?.plan.operation ?? {};
	if (!batch) return [];
	const options = first.plan.values.options as Partial<Batch>;
	const settings: Batch = {
		batchSize: options.batchSize ?? batch.batchSize,
		listName: options.listName || batch.listName,
		unconfirmedLeads: options.unconfirmedLeads ?? batch.unconfirmedLeads,
	};
	const readHeld = heldReader(services);
	const keys = planned.map(({ plan }) => plan.recordKeys);
	return cutBatches(keys, settings.batchSize).map((positions) => {
		const members = positions.map((position) => planned[position]);
		return {
			items: members,
			recordKeys: positions.flatMap((position) => keys[position]),
			run: async () => {
				const outcomes = await sendBatch(members, settings, services, readHeld).catch(
					(reason: Error) => members.map(() => reason),
				);
				const settled = members.map(
					async (member, index) => await settleMember(member, outcomes[index]),
				);
				return await Promise.all(settled);
			},
		};
	});

	async function settleMember(member: BatchedItem, outcome: Result | Error): Promise<ItemResult> {
		const { plan } = member;
		const settle = async () => (outcome instanceof Error ? await Promise.reject(outcome) : outcome);
		const { ledger } = services;
		const settling = isRepeatable(plan) ? settle() : ledger.once(itemKey(member), settle);
		return await settling.then(
			async (result) => (await toItems(plan, result)).map(idsLast),
			(reason: Error) => reason,
		);
	}
}

async function sendBatch(
	members: BatchedItem[],
	settings: Batch,
	services: RunServices,
	readHeld: ReadHeld,
): Promise<Array<Result | Error>> {
	const { client, account } = services;
	const [{ operation, about }] = members.map(({ plan }) => plan);
	const requests = members.map(({ plan }) => plan.request);
	const leads = requests.map(({ body }) => (isRecord(body) ? body : {}));
	const request: ServiceRequest = {
		...requests[0],
		body: { [settings.listName]: leads },
		repeatable: requests.every(({ repeatable }) => repeatable),
		isAnswer: (body) =>
			parseBatchAnswer(body, leads, true).some(({ kind }) => kind !== 'unconfirmed'),
	};
	const newValues = await Promise.all(
		leads.map(async (lead) => await account.askIfNew(operation.output, lead)),
	);
	const answer = await client.send(request, about);
	const { failed = false, siblings } = answer;
	const body = isEmpty(siblings) ? answer.data : siblings;
	const results = parseBatchAnswer(body, leads, failed);
	const reads = settings.unconfirmedLeads === 'read' && !failed;
	const isOpen = (_: unknown, position: number) =>
		reads && !['recorded', 'refused'].includes(results[position].kind);
	const open = members.map(({ plan }) => plan).filter(isOpen);
	const held = await readHeld(open, answer.sentAt);
	const explain = unconfirmedExplainer(results, body, failed, client);
	return results.map(({ kind, entries }, position) => {
		const named = idOf(leads[position]);
		const merged = mergeEntries(entries);
		if (kind === 'recorded') return recordedResult(position, merged);
		const found = held.get(members[position].plan);
		if (found?.isRecorded) return recordedResult(position, found.record, true);
		// What is only accepted may be recorded later.
		if (kind === 'batchAccepted' && (!found || answer.status === ACCEPTED_ONLY)) {
			services.hints.add(BATCH_ACCEPTED);
			const shown = isRecord(answer.data) && { answer: answer.data };
			const inWords = ['accepted, but not confirmed'];
			return { data: { ...named, batchAccepted: true, ...shown }, adds: {}, inWords };
		}
		if (kind === 'unconfirmed' && !failed && settings.unconfirmedLeads === 'passThrough') {
			services.hints.add(UNCONFIRMED);
			const entry = merged ?? entries[0] ?? body;
			const inWords = ['sent, but not confirmed'];
			return { data: { ...named, unconfirmed: true, answer: entry }, adds: {}, inWords };
		}
		const which = isEmpty(named) ? 'this lead' : `the lead "${shorten(String(named.externalId))}"`;
		return explain({ kind, entries }, which, found?.finding);
	});

	function recordedResult(position: number, record: ServiceRecord = {}, isRead = false): Result {
		const { plan } = members[position];
		const differences = noteDifferences(operation, plan.request, record, services.hints, !isRead);
		const confirmed = isRead && { confirmedBy: 'reading' };
		const result = {
			record,
			adds: { ...confirmed, ...newValues[position], ...differences.adds },
			inWords: [...Object.values(newValues[position]), ...differences.inWords],
		};
		// The age of a record that was read shows whether the request created it.
		const age = isRead && { sentAt: answer.sentAt, isRepeated: true };
		const evidence = { by: 'upsert', ...age } as const;
		const key = itemKey(members[position]);
		const { created, adds, inWords } = withOutcome(result, plan, key, services, evidence);
		// The outcome comes before the record's fields.
		const happened = { ...(created !== undefined && { created }), ...adds };
		return {
			record: { ...idOf(leads[position]), ...happened, ...record },
			created,
			adds: {},
			inWords,
		};
	}
}

/** The external ID of a lead, for its output. */
function idOf(lead: ServiceRecord): { externalId?: unknown } {
	return pickBy(pick(lead, 'externalId'), (id) => !isNil(id) && id !== '');
}

/** Returns a function that says why a lead does not count as recorded. */
function unconfirmedExplainer(
	results: LeadResult[],
	answer: unknown,
	failed: boolean,
	{ scrub }: Pick<Client, 'scrub'>,
) {
	const show = (words: string) => shorten(scrub(words));
	const why = (entry: unknown) => show(parseError(entry).message ?? excerptOf(entry));
	const ofAnswer = why(answer);
	// Those are reasons for other leads.
	const ofRequest = why(isRecord(answer) ? omit(answer, 'errors') : answer);
	const refused = results.filter(({ kind }) => kind === 'refused').length;
	const counted = `${refused} of the ${results.length} leads in this request`;
	return ({ kind, entries }: LeadResult, which: string, finding?: string): UserError => {
		const merged = mergeEntries(entries);
		const entry = merged ?? entries[0] ?? answer;
		if (kind === 'refused') {
			return new UserError(
				`The leads service did not accept ${which}: ${why(entry)}`,
				`It refused ${counted}. Correct what it refused and run it again.`,
			);
		}
		if (failed) {
			const own = parseError(merged).message;
			return new UserError(
				`The leads service did not accept the request with ${which}: ${own ? show(own) : ofRequest}`,
				`It gave a reason for ${counted}, and none for this one. Correct those that have a reason, and run this one again.`,
			);
		}
		const shown = entries.length > 0 ? show(excerptOf(entry)) : ofAnswer;
		if (finding !== undefined) {
			return new UnconfirmedError(
				`The answer does not confirm ${which}, and the service does not hold it as it was sent: ${shown}`,
				`${scrub(finding)} Correct the lead and run it again. Set Options > Batch Size to 1 to see the answer for each lead. If the service records leads some time after it has answered, set Options > Unconfirmed Leads to Pass Through.`,
			);
		}
		return new UnconfirmedError(
			`The answer does not confirm ${which}: ${shown}`,
			'The lead may have been recorded. Check it with Sync > Get before you run it again. Set Options > Batch Size to 1 to see the answer for each lead. If this is how the service confirms a lead, set Options > Unconfirmed Leads to Pass Through.',
		);
	};
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
