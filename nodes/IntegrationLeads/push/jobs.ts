/** Makes the jobs of a run: one for each item, or for each batch of a push. */
import { difference, partition, uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isNamed } from '../fields/check';
import { type PlannedItem, planRequest, readsList, recordKeysOf } from '../prepare/plan';
import type { ItemResult, Job } from '../run/itemLoop';
import { runItem } from '../run/runItem';
import { scopeOfItem, type RunScope } from '../run/runScope';
import { isBlank } from '../values/convert';
import { isRecord } from '../values/json';
import { addressesOf } from '../values/identity';
import {
	BatchSender,
	externalIdOf,
	resultOrError,
	type BatchedItem,
	type SharedFindings,
} from './batch';
import { cutBatches } from './cutBatches';
import { identify, needsUpsert, withSharedIds } from './identify';

/**
 * Whether the service itself finds the lead of an item. What an earlier run did not send completely is compared first, and so is the
 * person of an ID where a model gives it or the user wants it.
 */
function isReady(item: PlannedItem): boolean {
	const { context, values } = item.plan;
	const comparesPerson = context.tool === true || values.options.lookFirst === true;
	const isCompared = comparesPerson && !isBlank(values.body.contact);
	return isNamed(values.body) && !needsUpsert(item) && !isCompared;
}

/** Makes the jobs of a run: one for each item, except for those of a push that share a request. */
export function jobsOf(items: PlannedItem[], runScope: RunScope): Job[] {
	// What an earlier try has carried out returns its result, without a request.
	const [batched, others] = partition(
		items,
		({ plan, ...item }) =>
			plan.operation.batch !== undefined &&
			// A note is a request of its own.
			plan.values.extracted.answers === undefined &&
			!runScope.onlyChecks &&
			!runScope.ledger.entryOf({ plan, ...item }).result,
	);
	const jobs = others.map((item) => ({
		items: [item],
		recordKeys: recordKeysOf(item.plan),
		always: item.plan.operation.split !== undefined,
		run: async () => [await runAlone(item, runScope)],
	}));
	return [...pushJobs(batched, runScope), ...jobs];
}

async function runAlone(item: PlannedItem, runScope: RunScope): Promise<IDataObject[]> {
	const hints = runScope.hintsOf(item.itemIndex);
	return await runItem(item, { ...scopeOfItem(runScope, readsList(item.plan)), hints });
}

/**
 * Makes the jobs of items that share requests: those with an ID first, since the others may be about their leads. A job
 * waits for an earlier one only if they share an ID, an email or a phone.
 */
function pushJobs(items: PlannedItem[], runScope: RunScope): Job[] {
	if (items.length === 0) return [];
	const { batchSize = 100, readUnconfirmed = true } = items[0].plan.values.options;
	const reads = readUnconfirmed === true;
	const shared: SharedFindings = { reads, mayRead: reads, idsOf: new Map() };
	const [ready, unnamed] = partition(withSharedIds(items), isReady);
	const named = ready.flatMap((item): BatchedItem[] => {
		const { operation, values } = item.plan;
		const { firstSentAt } = runScope.ledger.entryOf(item);
		if (!operation.batch) return [];
		const request = planRequest(operation.batch, values, item.plan, { firstSentAt });
		return [{ ...item, request }];
	});
	const toJobs = <T extends PlannedItem>(
		all: T[],
		keys: Parameters<typeof cutBatches>[0],
		send: (members: T[]) => Promise<ItemResult[]>,
	): Job[] =>
		cutBatches(keys, Number(batchSize)).map((positions) => {
			const members = positions.map((position) => all[position]);
			const recordKeys = members.flatMap(({ plan }) => recordKeysOf(plan));
			return { items: members, recordKeys, run: async () => await send(members) };
		});
	const batches = toJobs(
		named,
		named.map(keysOf),
		async (members) => await new BatchSender(scopeOfItem(runScope, false), shared).send(members),
	);
	// An address occurs once in a batch, so that an item finds the lead that an earlier one has created.
	const addressKeys = unnamed.map(({ plan }) => ({ ids: recordKeysOf(plan), addresses: [] }));
	const lookUps = toJobs(
		unnamed,
		addressKeys,
		async (members) => await sendUnnamed(members, runScope, shared),
	);
	return [...batches, ...lookUps];
}

function keysOf({ plan }: PlannedItem) {
	const { contact = {} } = plan.values.body;
	const addresses = isRecord(contact) ? addressesOf(contact) : [];
	return { ids: difference(recordKeysOf(plan), addresses), addresses };
}

/** Finds the external IDs of items, sends those that have one in a batch, and carries out the others individually. */
async function sendUnnamed(
	items: PlannedItem[],
	runScope: RunScope,
	shared: SharedFindings,
): Promise<ItemResult[]> {
	for (const { itemIndex, plan } of items) {
		if (!isNamed(plan.values.body)) runScope.hintsOf(itemIndex).add(FOUND_BY_ADDRESS);
	}
	const identified = await Promise.all(
		items.map(async (item) => await resultOrError(identify(item, runScope))),
	);
	const batched = identified.filter(
		(item): item is BatchedItem => !(item instanceof Error) && 'request' in item,
	);
	// Two addresses may lead to one lead, and a batch has each lead once.
	const members = uniqBy(batched, externalIdOf);
	const sender = new BatchSender(scopeOfItem(runScope, false), shared);
	const results = members.length > 0 ? await sender.send(members) : [];
	return await Promise.all(
		identified.map(async (item) => {
			if (item instanceof Error) return item;
			const position = members.findIndex((member) => member === item);
			return position < 0 ? await resultOrError(runAlone(item, runScope)) : results[position];
		}),
	);
}

const FOUND_BY_ADDRESS =
	'Leads without an External ID were found by their email or phone, which takes a few requests for each.';
