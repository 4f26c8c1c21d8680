/** Carries out one item once, although n8n may run the node again on the same input. */
import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ComposeContext, Result } from '../operation';
import { idsLast, toOutputItems } from '../output/output';
import { type Plan, type PlannedItem, readsList, recordKeysOf } from '../prepare/plan';
import { clock } from '../transport/clock';
import { inParallel, recordLocks } from '../transport/parallel';
import type { ServiceRecord } from '../values/json';
import { checkedItem, PendingWrite } from './onlyCheck';
import type { Job } from './itemLoop';
import { type RunScope, scopeOfItem } from './runScope';
import { StepRunner } from './stepRunner';

/** The job of one item. */
export const jobOf = (item: PlannedItem, runScope: RunScope): Job => ({
	items: [item],
	recordKeys: recordKeysOf(item.plan),
	always: item.plan.operation.split !== undefined,
	run: async () => [await runAlone(item, runScope)],
});

/**
 * Carries out an item with a place of its own in the queue, unless an earlier try did.
 *
 * @returns the records for the output
 * @throws ServiceError, or UserError, also when it is unknown whether the item was carried out
 */
export async function runAlone(planned: PlannedItem, scopeOfRun: RunScope): Promise<IDataObject[]> {
	const { plan, itemIndex } = planned;
	const runScope = scopeOfItem(scopeOfRun, readsList(plan), scopeOfRun.hintsOf(itemIndex));
	const { finder, ledger, onlyChecks, outage } = runScope;
	const { lookedUp } = finder;
	const recordInPath = recordInPathOf(plan);
	const known = recordInPath === undefined ? undefined : lookedUp.get(recordInPath);
	const item = { ...planned, existing: planned.existing ?? known };
	if (onlyChecks) return [await outage.outlast(async () => await checkItem(item, runScope))];
	// If the item fails, it is not known what the record is for the next one.
	if (recordInPath) lookedUp.delete(recordInPath);
	const earlier = ledger.entryOf(item).result;
	const done = earlier ?? (await outage.outlast(async () => await tryOnce(item, runScope)));
	// What was only read may change until n8n repeats the node.
	const result = ledger.entryOf(item).writes ? ledger.keepResult(item, done) : done;
	const current = earlier ? item.existing : recordAfter(item.existing, result);
	if (current && recordInPath) lookedUp.set(recordInPath, current);
	const { output } = plan.operation;
	const items = toOutputItems(plan, result);
	return 'record' in output && !output.record.simplified ? items.map(idsLast) : items;
}

/** Carries out an item up to its first write. In a push, what would be sent is its part of the request that it shares. */
async function checkItem(item: PlannedItem, runScope: RunScope): Promise<IDataObject> {
	const runner = new StepRunner(item, runScope);
	const { request: shared } = item;
	// A push has looked it up to give it an ID.
	if (shared && shared.attempt.existing !== undefined) {
		return checkedItem(item, runScope, { write: new PendingWrite(shared, {}) });
	}
	let write: PendingWrite | undefined;
	const result = await callOperation(item, runner, runScope).catch((reason: unknown) => {
		if (!(reason instanceof PendingWrite)) throw reason;
		const { request, check } = reason;
		write = new PendingWrite({ ...request, request: shared?.request ?? request.request }, check);
		return undefined;
	});
	return checkedItem(item, runScope, { write, result, found: runner.lastFound ?? item.existing });
}

/**
 * The key of the record in the path in `lookedUp` of the finder, which has it unless it was given by its ID; undefined without a
 * record in the path, since what such an item writes is not known before.
 */
function recordInPathOf({ values: { path } }: Plan): string | undefined {
	const [entry] = Object.entries(path);
	return entry && `${entry[0].replace(/Id$/, '')} ${entry[1]}`;
}

/** A record that was looked up, as an item has left it for the next one; undefined if the answer does not show it. */
function recordAfter(
	existing: ServiceRecord | undefined,
	{ record }: Result,
): ServiceRecord | undefined {
	return existing && record && String(record.id) === String(existing.id)
		? { ...existing, ...record }
		: undefined;
}

async function tryOnce(item: PlannedItem, runScope: RunScope): Promise<Result> {
	const begunAt = clock.now();
	const runner = new StepRunner(item, runScope);
	const suspect = () => runner.suspect(begunAt);
	const work = async () => await callOperation(item, runner, runScope);
	return await runScope.ledger.ifStopped(suspect, work).catch((reason: unknown) => {
		suspect();
		throw runner.explain(reason);
	});
}

async function callOperation(
	item: PlannedItem,
	runner: StepRunner,
	runScope: RunScope,
): Promise<Result> {
	const { operation, values } = item.plan;
	const functions = mapValues(operation.steps, (step, name) => runner.functionOf(step, name));
	return await operation.run(values, functions, composeContextOf(item, runScope));
}

function composeContextOf(
	item: PlannedItem,
	{ client, hints, ledger, processed, permissions, onlyChecks }: RunScope,
): ComposeContext {
	const { account } = client;
	const { firstSentAt } = ledger.entryOf(item);
	// What an earlier try may have written is no longer as it was found.
	const existing = firstSentAt === undefined ? item.existing : undefined;
	return {
		...item.plan.context,
		account,
		hints,
		attempt: { firstSentAt, existing },
		inParallel: async (things, work) => void (await inParallel(things, work)),
		inTurn: async (id, work) =>
			await recordLocks.take([`found ${account} ${id}`], work, client.signal),
		ifPermitted: async (hint, work) => await permissions.ifPermitted(hint, work),
		unlessProcessed: async (key, work) =>
			onlyChecks ? await work() : await processed.unlessProcessed(`${account} ${key}`, work),
	};
}
