/** Makes the jobs of a push: rows share requests where they can, and those about one lead keep their order. */
import { chunk, difference, groupBy, isError, partition, reject, union } from 'lodash';

import { translatedFrom } from '../columns/documented';
import { comparesFirst } from '../contract/samePerson';
import { contactLookups, hasLeadKey, isSafeToRepeat } from '../fields/check';
import type { RequestStep } from '../operation';
import { bodyOf, type PlannedItem, planRequest, recordKeysOf } from '../prepare/plan';
import type { ItemResult, Job } from '../run/itemLoop';
import { jobOf, runAlone } from '../run/runItem';
import { scopeOfItem, type RunScope } from '../run/runScope';
import { inParallel } from '../transport/parallel';
import { isBlank } from '../values/convert';
import { isRecord, toRecord } from '../values/json';
import { addressesOf } from '../values/identity';
import { BatchSender, resultOrError, type BatchedItem, type SharedFindings } from './batch';
import { cutRounds } from './cutRounds';
import { identify } from './identify';

/**
 * How a row is sent.
 *
 * - batch: with others, by its external ID. After a lost answer, the request is sent again
 * - batchOnce: with others, by a tracking code, whose request is not sent again
 * - identify: its lead is looked up by its email or phone, and then it is sent with others
 * - alone: as *Create or Update* sends it
 */
type Route = 'batch' | 'batchOnce' | 'identify' | 'alone';

/** Decides how a row is sent. What only *Create or Update* does, such as a note, is a request of its own. */
function routeOf(item: PlannedItem, runScope: RunScope): Route {
	const { values, context } = item.plan;
	const { body, extracted, options } = values;
	// One in another language, or that a model may have made up.
	const isStatusCompared =
		!isBlank(body.status) &&
		(context.tool === true || translatedFrom('status', String(body.status)) !== undefined);
	const isAlone =
		runScope.ledger.entryOf(item).result !== undefined ||
		extracted.answers !== undefined ||
		context.isCorrection === true ||
		// Without a person, there is nothing to compare.
		(comparesFirst(body, context, options.lookFirst) && !isBlank(body.contact)) ||
		isStatusCompared;
	if (isAlone) return 'alone';
	if (!hasLeadKey(body))
		return contactLookups(body.contact, context).length > 0 ? 'identify' : 'alone';
	return isSafeToRepeat({ body }) ? 'batch' : 'batchOnce';
}

/**
 * Makes the jobs of a push. The rows are cut into rounds, and each round into jobs by the way in which its rows are sent. A job
 * waits for an earlier one only if they share an ID, an email or a phone.
 *
 * @returns first the jobs of rows with an ID, which all come before the others: a row without one may be about their leads
 */
export function jobsOfPush(items: PlannedItem[], batch: RequestStep, runScope: RunScope): Job[][] {
	if (items.length === 0) return [];
	const { batchSize = 100, readUnconfirmed = true } = items[0].plan.values.options;
	const reads = readUnconfirmed === true;
	const shared: SharedFindings = { reads, mayRead: reads, idsOf: new Map() };
	const sendBatch = async (members: BatchedItem[]) =>
		runScope.onlyChecks
			? await Promise.all(
					members.map(async (item) => await resultOrError(runAlone(item, runScope))),
				)
			: await new BatchSender(scopeOfItem(runScope, false), shared).send(members);
	const toJob = (members: PlannedItem[], run: Job['run']): Job => {
		return { items: members, recordKeys: members.flatMap(({ plan }) => recordKeysOf(plan)), run };
	};
	const jobsOf: Record<Route, (members: PlannedItem[]) => Job> = {
		batch: (members) => toJob(members, async () => await sendBatch(members.map(toBatched))),
		batchOnce: (members) => jobsOf.batch(members),
		identify: (members) =>
			toJob(members, async () => await sendIdentified(members, batch, runScope, sendBatch)),
		alone: ([item]) => jobOf(item, runScope),
	};
	const toBatched = (item: PlannedItem): BatchedItem => {
		return { ...item, request: planRequest(batch, item.plan.values, item.plan) };
	};
	const phases = partition(items, ({ plan }) => hasLeadKey(plan.values.body));
	return phases.map((phase) =>
		cutRounds(phase.map(keysOf)).flatMap((round) => {
			const members = round.map((position) => phase[position]);
			const byRoute = groupBy(members, (item) => routeOf(item, runScope));
			return Object.entries(byRoute).flatMap(([route, all]) =>
				chunk(all, route === 'alone' ? 1 : Number(batchSize)).map(jobsOf[route as Route]),
			);
		}),
	);
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
	batch: RequestStep,
	runScope: RunScope,
	sendBatch: (members: BatchedItem[]) => Promise<ItemResult[]>,
): Promise<ItemResult[]> {
	for (const { itemIndex } of items) runScope.hintsOf(itemIndex).add(FOUND_BY_ADDRESS);
	const identified = await Promise.all(
		items.map(async (item) => {
			const find = async () => await identify(item, batch, runScope);
			return await resultOrError(runScope.outage.outlast(find));
		}),
	);
	const results = new Map<PlannedItem | Error, ItemResult>();
	for (const reason of identified.filter(isError)) results.set(reason, reason);
	const found = identified.filter((item): item is PlannedItem => !isError(item));
	const byLead = Object.values(groupBy(found, leadKeyOf));
	const members = byLead.map(([first]) => first).filter(isBatched);
	const sent = members.length > 0 ? await sendBatch(members) : [];
	for (const [position, member] of members.entries()) results.set(member, sent[position]);
	await inParallel(byLead, async (ofLead) => {
		for (const item of ofLead.filter((row) => !results.has(row)))
			results.set(item, await resultOrError(runAlone(item, runScope)));
	});
	return identified.map((item) => results.get(item)!);
}

const isBatched = (item: PlannedItem): item is BatchedItem => item.request !== undefined;

/** Identifies the lead of a row that was looked up; or the row, if *Create or Update* has to decide. */
function leadKeyOf(item: PlannedItem): string {
	const { externalId, id } = isBatched(item) ? bodyOf(item.request) : toRecord(item.found);
	if (!isBlank(externalId)) return `external ID ${String(externalId)}`;
	return isBlank(id) ? `item ${item.itemIndex} ${item.part}` : `ID ${String(id)}`;
}

const FOUND_BY_ADDRESS =
	'Leads without an External ID were found by their email or phone, which takes a few requests for each.';
