/** Makes the jobs of a push: rows share requests where they can, and those about one lead keep their order. */
import { chunk, difference, groupBy, isError, partition, reject, union } from 'lodash';

import { hasLeadKey } from '../contract/leadKey';
import type { Operation, RequestStep } from '../operation';
import { bodyOf, type PlannedItem, recordKeysOf } from '../prepare/plan';
import type { ItemResult, Job } from '../run/itemLoop';
import { jobOf, runAlone } from '../run/runItem';
import { scopeOfItem, type RunScope } from '../run/runScope';
import { inParallel } from '../transport/parallel';
import { isBlank } from '../values/convert';
import { entriesOf, isRecord, toRecord } from '../values/json';
import { addressesOf } from '../values/identity';
import {
	BatchSender,
	resultOrError,
	toBatched,
	type BatchedItem,
	type SharedFindings,
} from './batch';
import { identify } from './identify';

/**
 * How a row is sent.
 *
 * - batch: with others, by its external ID or a tracking code
 * - identify: its lead is looked up by its email or phone, and then it is sent with others
 * - alone: as *Create or Update* sends it, or it was sent by an earlier try
 */
type Way = 'batch' | 'identify' | 'alone';

type SendBatch = (items: BatchedItem[]) => Promise<ItemResult[]>;

function wayOf(
	item: PlannedItem,
	{ goesAlone }: NonNullable<Operation['batch']>,
	{ ledger }: RunScope,
): Way {
	const { values, context } = item.plan;
	if (ledger.entryOf(item).result || goesAlone(values, context)) return 'alone';
	return hasLeadKey(values.body) ? 'batch' : 'identify';
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
	runScope: RunScope,
): Job[][] {
	if (items.length === 0) return [];
	const { batchSize = 100, readUnconfirmed = true } = items[0].plan.values.options;
	const reads = readUnconfirmed === true;
	const shared: SharedFindings = { reads, idsOf: new Map() };
	const sendBatch: SendBatch = async (batched) =>
		runScope.onlyChecks
			? await Promise.all(
					batched.map(async (item) => await resultOrError(runAlone(item, runScope))),
				)
			: await new BatchSender(scopeOfItem(runScope, false), shared).send(batched);
	const toJob = (rows: PlannedItem[], run: Job['run']): Job => {
		return { items: rows, recordKeys: rows.flatMap(({ plan }) => recordKeysOf(plan)), run };
	};
	const { request } = batch;
	const jobsOf: Record<Way, (rows: PlannedItem[]) => Job[]> = {
		batch: (rows) => {
			// After a lost answer, a request is sent again only if that is safe for all of its rows.
			const batched = rows.map((item) => toBatched(item, request));
			const groups = Object.values(groupBy(batched, 'request.request.repeatable'));
			return groups
				.flatMap((group) => chunk(group, Number(batchSize)))
				.map((group) => toJob(group, async () => await sendBatch(group)));
		},
		identify: (rows) =>
			chunk(rows, Number(batchSize)).map((group) =>
				toJob(group, async () => await sendIdentified(group, request, runScope, sendBatch)),
			),
		alone: (rows) => rows.map((item) => jobOf(item, runScope)),
	};
	const [withKey, others] = partition(items, ({ plan }) => hasLeadKey(plan.values.body));
	return [withKey, others].map((all) =>
		cutRounds(all.map(keysOf)).flatMap((round) => {
			const rows = round.map((position) => all[position]);
			const byWay = entriesOf(groupBy(rows, (item) => wayOf(item, batch, runScope)));
			return byWay.flatMap(([way, ofWay]) => jobsOf[way as Way](ofWay));
		}),
	);
}

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
 * Finds the leads of rows, sends those that need nothing else in a batch, and carries out the others individually. Two addresses
 * may lead to one lead: its first row is sent first, and the others follow one after another.
 */
async function sendIdentified(
	items: PlannedItem[],
	step: RequestStep,
	runScope: RunScope,
	sendBatch: SendBatch,
): Promise<ItemResult[]> {
	for (const { itemIndex } of items) runScope.hintsOf(itemIndex).add(FOUND_BY_ADDRESS);
	const identified = await Promise.all(
		items.map(async (item) => {
			const find = async () => await identify(item, step, runScope);
			return await resultOrError(runScope.outage.outlast(find));
		}),
	);
	const results = new Map<PlannedItem | Error, ItemResult>();
	for (const reason of identified.filter(isError)) results.set(reason, reason);
	const found = identified.filter((item): item is PlannedItem => !isError(item));
	const byLead = Object.values(groupBy(found, leadKeyOf));
	const batched = byLead.map(([first]) => first).filter(isBatched);
	const sent = batched.length > 0 ? await sendBatch(batched) : [];
	for (const [position, item] of batched.entries()) results.set(item, sent[position]);
	await inParallel(byLead, async (ofLead) => {
		for (const item of ofLead.filter((row) => !results.has(row)))
			results.set(item, await resultOrError(runAlone(item, runScope)));
	});
	return identified.map((item) => results.get(item)!);
}

const isBatched = (item: PlannedItem): item is BatchedItem => item.request !== undefined;

/** Identifies the lead of a row that was looked up; or the row, if *Create or Update* has to decide. */
function leadKeyOf(item: PlannedItem): string {
	const { externalId, id } = isBatched(item) ? bodyOf(item.request) : toRecord(item.existing);
	if (!isBlank(externalId)) return `external ID ${String(externalId)}`;
	return isBlank(id) ? `item ${item.itemIndex} ${item.part}` : `ID ${String(id)}`;
}

const FOUND_BY_ADDRESS =
	'Leads without an External ID were found by their email or phone, which takes a few requests for each.';
