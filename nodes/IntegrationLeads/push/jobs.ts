/** Makes the jobs of a push: rows share requests where they can, and those about one lead keep their order. */
import { chunk, difference, groupBy, isEmpty, isError, partition, reject, union } from 'lodash';

import { differencesIn, hiddenIn } from '../contract/differences';
import { contactLookups, hasLeadKey, leadIdsOf } from '../contract/leadKey';
import type { PriorState } from '../contract/outcome';
import type { Operation, RequestStep } from '../operation';
import {
	bodyOf,
	planRequest,
	recordKeysOf,
	type BatchedItem,
	type PlannedItem,
} from '../prepare/plan';
import type { ItemResult, Job } from '../run/itemLoop';
import { jobOf, runItem } from '../run/runItem';
import { stateOfItem, type RunState } from '../run/runState';
import { inParallel } from '../transport/parallel';
import { isForbidden, UserError } from '../userError';
import { isBlank } from '../values/convert';
import { entriesOf, isRecord, toRecord, type ServiceRecord } from '../values/json';
import { addressesOf } from '../values/identity';
import { BatchPush, resultOrError } from './batch';
import { LeadOutcomes } from './leadOutcome';

/**
 * How a row is pushed.
 *
 * - batch: with others, by its external ID or a tracking code
 * - lookUp: its lead is looked up by its email or phone, and then it is pushed with others
 * - alone: as *Create or Update* sends it, or it was sent by an earlier try
 */
type Way = 'batch' | 'lookUp' | 'alone';

type PushBatch = (items: BatchedItem[]) => Promise<ItemResult[]>;

function wayOf(
	item: PlannedItem,
	{ goesAlone }: NonNullable<Operation['batch']>,
	{ ledger }: RunState,
): Way {
	const { values, context } = item.plan;
	if (ledger.entryOf(item).result || item.sharesAddress || goesAlone(values, context))
		return 'alone';
	return hasLeadKey(values.body) ? 'batch' : 'lookUp';
}

/**
 * Makes the jobs of a push. The rows are cut into rounds, and each round into jobs by the way in which its rows are sent. A job
 * waits for an earlier one only if they share an ID, an email or a phone.
 *
 * @returns first the jobs of rows with an ID, which all come before the others: a row without one may be about their leads
 */
export function jobsOfPush(
	items: PlannedItem[],
	batch: NonNullable<Operation['batch']>,
	runState: RunState,
): Job[][] {
	const outcomes = new LeadOutcomes();
	const pushBatch: PushBatch = async (batched) =>
		runState.onlyChecks
			? await Promise.all(batched.map(async (item) => await resultOrError(runItem(item, runState))))
			: await new BatchPush(stateOfItem(runState, false), outcomes).push(batched);
	const toJob = (rows: PlannedItem[], run: Job['run']): Job => {
		return { items: rows, recordKeys: rows.flatMap(({ plan }) => recordKeysOf(plan)), run };
	};
	const { request } = batch;
	const jobsOf: Record<Way, (rows: PlannedItem[]) => Job[]> = {
		batch: (rows) => {
			// After a lost answer, a request is sent again only if that is safe for all of its rows.
			const batched = rows.map((item) => toBatched(item, request));
			const groups = Object.values(groupBy(batched, 'requestPlan.request.repeatable'));
			return groups
				.flatMap(chunksOf)
				.map((group) => toJob(group, async () => await pushBatch(group)));
		},
		lookUp: (rows) =>
			chunksOf(rows).map((group) =>
				toJob(group, async () => await pushLookedUp(group, request, runState, pushBatch)),
			),
		alone: (rows) => rows.map((item) => jobOf(item, runState)),
	};
	const [withKey, others] = partition(items, ({ plan }) => hasLeadKey(plan.values.body));
	return [withKey, others].map((all) =>
		cutRounds(all.map(keysOf)).flatMap((round) => {
			const rows = round.map((position) => all[position]);
			const byWay = entriesOf(groupBy(rows, (item) => wayOf(item, batch, runState)));
			return byWay.flatMap(([way, ofWay]) => jobsOf[way as Way](ofWay));
		}),
	);
}

/**
 * The item with the request that would send it alone.
 *
 * @param externalId that of the lead which was found, if the item has none
 * @param prior what is known of the lead
 */
function toBatched(
	item: PlannedItem,
	step: RequestStep,
	externalId?: string,
	prior: PriorState = {},
): BatchedItem {
	const { values } = item.plan;
	const body = externalId === undefined ? values.body : { ...values.body, externalId };
	return { ...item, requestPlan: planRequest(step, { ...values, body }, item.plan, prior) };
}

/** Divides rows into those of one request: not more than *Batch Size* of each. */
const chunksOf = <Row extends PlannedItem>(rows: Row[]): Row[][] =>
	Object.values(groupBy(rows, batchSizeOf)).flatMap((same) => chunk(same, batchSizeOf(same[0])));

const batchSizeOf = ({ plan: { values } }: PlannedItem) => Number(values.options.batchSize ?? 100);

/**
 * Cuts a list into rounds, of which each may be sent when the one before has been. Entries of the same record keep their order,
 * each in a later round. Of entries that share only an address, the first is sent in an earlier round, so that the others find
 * the contact that it creates: what the service does with two new leads of one address in a request is not documented.
 *
 * @param keys of each entry: the IDs of its record (external ID, protocol), and the addresses of its contact
 * @returns positions in `keys`, ascending in each round
 */
export function cutRounds(keys: Array<{ ids: string[]; addresses: string[] }>): number[][] {
	const rounds: number[][] = [];
	const firstOf = new Map<string, number>();
	const lastOf = new Map<string, number>();
	for (const [position, { ids, addresses }] of keys.entries()) {
		const earlier = [
			...ids.map((key) => lastOf.get(key)),
			...addresses.map((key) => firstOf.get(key)),
		];
		const round = Math.max(-1, ...earlier.map((number) => number ?? -1)) + 1;
		(rounds[round] ??= []).push(position);
		for (const key of [...ids, ...addresses]) {
			lastOf.set(key, Math.max(round, lastOf.get(key) ?? 0));
			if (!firstOf.has(key)) firstOf.set(key, round);
		}
	}
	return rounds;
}

/**
 * An external ID may be an email. An address of a row without an ID occurs once in a round, so that a row finds the lead that an
 * earlier one has created.
 */
function keysOf({ plan }: PlannedItem): Parameters<typeof cutRounds>[0][number] {
	const { body } = plan.values;
	const addresses = hasLeadKey(body) && isRecord(body.contact) ? addressesOf(body.contact) : [];
	const leadKeys = reject([body.externalId, body.protocol], isBlank).map(String);
	return { ids: union(leadKeys, difference(recordKeysOf(plan), addresses)), addresses };
}

/**
 * Finds the leads of rows, pushes those that need nothing else in a batch, and carries out the others individually. Two addresses
 * may lead to one lead: its first row is sent first, and the others follow one after another.
 */
async function pushLookedUp(
	items: PlannedItem[],
	step: RequestStep,
	runState: RunState,
	pushBatch: PushBatch,
): Promise<ItemResult[]> {
	for (const { itemIndex } of items) runState.hintsOf(itemIndex).add(FOUND_BY_ADDRESS);
	const lookedUp = await Promise.all(
		items.map(async (item) => {
			const find = async () => await addExternalId(item, step, runState);
			return await resultOrError(runState.outage.retry(find));
		}),
	);
	const results = new Map<PlannedItem | Error, ItemResult>();
	for (const reason of lookedUp.filter(isError)) results.set(reason, reason);
	const found = lookedUp.filter((item): item is PlannedItem => !isError(item));
	const byLead = Object.values(groupBy(found, leadOfRow));
	const batched = byLead.map(([first]) => first).filter(isBatched);
	const sent = batched.length > 0 ? await pushBatch(batched) : [];
	for (const [position, item] of batched.entries()) results.set(item, sent[position]);
	await inParallel(byLead, async (ofLead) => {
		for (const [position, row] of ofLead.entries()) {
			// The row before has changed the lead since it was found.
			const item = position > 0 ? { ...row, found: undefined } : row;
			if (!results.has(row)) results.set(row, await resultOrError(runItem(item, runState)));
		}
	});
	return lookedUp.map((item) => results.get(item)!);
}

/**
 * Finds the external ID of the lead of an item that has an email or a phone; of a new lead, it is the email, or else the phone.
 *
 * @returns the item with its request; without one if *Create or Update* has to decide: the lead has no external ID, may be one
 * of several, or has a contact that lacks or contradicts a value of the row, or that the key may not read
 * @throws ServiceError
 */
async function addExternalId(
	item: PlannedItem,
	step: RequestStep,
	runState: RunState,
): Promise<PlannedItem | BatchedItem> {
	const { context, values } = item.plan;
	const { body } = values;
	const person = toRecord(body.contact);
	const lookups = contactLookups(person, context);
	// Each look-up has a place of its own in the queue.
	const { finder } = stateOfItem(runState, false, runState.hintsOf(item.itemIndex));
	const decideItem = async () => {
		const found = await finder.find(lookups, { person, sent: body });
		if (found && !(await isComplete(found, person, finder))) return { ...item, found };
		const externalId = String(found ? found.externalId : lookups[0].value);
		return toBatched(item, step, externalId, { existing: found ?? null });
	};
	return await decideItem().catch((reason: unknown) => {
		if (!(reason instanceof UserError) && !isForbidden(reason)) throw reason;
		return item;
	});
}

/** Whether a lead has an external ID and a contact with all values of the row, as far as the key may read it. */
async function isComplete(
	lead: ServiceRecord,
	sent: ServiceRecord,
	finder: RunState['finder'],
): Promise<boolean> {
	if (isBlank(lead.externalId)) return false;
	const shown = toRecord(lead.contact);
	const contact = isEmpty(hiddenIn(sent, shown)) ? shown : await finder.contactOf(lead);
	return differencesIn(sent, contact) === undefined && isEmpty(hiddenIn(sent, contact));
}

const isBatched = (item: PlannedItem): item is BatchedItem => item.requestPlan !== undefined;

/** Identifies the lead of a row that was looked up; or the row, if *Create or Update* has to decide. */
function leadOfRow(item: PlannedItem): string {
	const lead = isBatched(item) ? bodyOf(item.requestPlan) : toRecord(item.found);
	return leadIdsOf(lead).at(-1) ?? `item ${item.itemIndex} ${item.part}`;
}

const FOUND_BY_ADDRESS =
	'Leads without an External ID are looked up by their email or phone, which takes a few requests for each.';
