/** Carries out one item once, although n8n may run the node again on the same input. */
import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { remarkReplaced } from '../contract/differences';
import { onlyReads, type ComposeContext, type Result } from '../operation';
import { toOutputItems } from '../output/output';
import { bodyOf, type Plan, type PlannedItem, readsList, recordKeysOf } from '../prepare/plan';
import { clock } from '../transport/clock';
import { inParallel, recordLocks } from '../transport/parallel';
import type { ServiceRecord } from '../values/json';
import { checkedItem, PendingWrite } from './onlyCheck';
import type { Job } from './itemLoop';
import { type RunState, stateOfItem } from './runState';
import { StepRunner } from './stepRunner';

/** The job of one item. */
export const jobOf = (item: PlannedItem, runState: RunState): Job => ({
	items: [item],
	recordKeys: recordKeysOf(item.plan),
	always: item.plan.operation.split !== undefined,
	run: async () => [await runItem(item, runState)],
});

/**
 * Carries out an item with a place of its own in the queue, unless an earlier try did.
 *
 * @returns the records for the output
 * @throws ServiceError, or UserError, also when it is unknown whether the item was carried out
 */
export async function runItem(planned: PlannedItem, stateOfRun: RunState): Promise<IDataObject[]> {
	const { plan, itemIndex } = planned;
	const runState = stateOfItem(stateOfRun, readsList(plan), stateOfRun.hintsOf(itemIndex));
	const { finder, ledger, onlyChecks, outage } = runState;
	const { lookedUp } = finder;
	const key = lookedUpKeyOf(plan);
	const known = key === undefined ? undefined : lookedUp.get(key);
	const item = { ...planned, found: planned.found ?? known };
	if (onlyChecks) return [await outage.retry(async () => await checkItem(item, runState))];
	// If the item fails, it is not known what the record is for the next one.
	if (key) lookedUp.delete(key);
	const earlier = ledger.entryOf(item).result;
	const done = earlier ?? (await outage.retry(async () => await tryOnce(item, runState)));
	// What was only read may change until n8n repeats the node.
	const result = ledger.entryOf(item).writes ? ledger.keepResult(item, done) : done;
	const current = earlier ? item.found : recordAfter(item.found, result);
	if (current && key) lookedUp.set(key, current);
	return toOutputItems(plan, result);
}

/** Carries out an item up to its first write. In a push, what would be sent is its part of the request that it shares. */
async function checkItem(item: PlannedItem, runState: RunState): Promise<IDataObject> {
	const runner = new StepRunner(item, runState);
	const { requestPlan: batched } = item;
	// A push has looked it up to give it an ID.
	if (batched && batched.prior.existing !== undefined) {
		const { existing } = batched.prior;
		const differences = remarkReplaced(bodyOf(batched), existing, runState.hints);
		return checkedItem(item, runState, { write: new PendingWrite(batched, { differences }) });
	}
	let write: PendingWrite | undefined;
	const result = await callOperation(item, runner, runState).catch((reason: unknown) => {
		if (!(reason instanceof PendingWrite)) throw reason;
		const { requestPlan, check } = reason;
		const request = batched?.request ?? requestPlan.request;
		write = new PendingWrite({ ...requestPlan, request }, check);
		return undefined;
	});
	return checkedItem(item, runState, { write, result, found: runner.lastFound ?? item.found });
}

/**
 * The key in `lookedUp` of the finder for the record in the path, which is there unless it was given by its ID; undefined without
 * a record in the path, since what such an item writes is not known before.
 */
function lookedUpKeyOf({ values: { path } }: Plan): string | undefined {
	const [entry] = Object.entries(path);
	return entry && `${entry[0].replace(/Id$/, '')} ${entry[1]}`;
}

/** A record that was looked up, as an item has left it for the next one; undefined if the answer does not show it. */
function recordAfter(
	found: ServiceRecord | undefined,
	{ record }: Result,
): ServiceRecord | undefined {
	return found && record && String(record.id) === String(found.id)
		? { ...found, ...record }
		: undefined;
}

async function tryOnce(item: PlannedItem, runState: RunState): Promise<Result> {
	const begunAt = clock.now();
	const runner = new StepRunner(item, runState);
	const noteMayHaveArrived = () => runner.noteMayHaveArrived(begunAt);
	const work = async () => await callOperation(item, runner, runState);
	return await runState.ledger.ifStopped(noteMayHaveArrived, work).catch((reason: unknown) => {
		noteMayHaveArrived();
		throw runner.explain(reason);
	});
}

async function callOperation(
	item: PlannedItem,
	runner: StepRunner,
	runState: RunState,
): Promise<Result> {
	const { operation, values } = item.plan;
	const functions = mapValues(operation.steps, (step, name) => runner.functionOf(step, name));
	const run = async () => await operation.run(values, functions, composeContextOf(item, runState));
	const ids = Object.values(values.path);
	if (onlyReads(operation) || ids.length === 0) return await run();
	// Others may have been led to the same record by something else.
	const { account, signal } = runState.client;
	const locks = ids.map((id) => lockOf(account, id));
	return await recordLocks.take(locks, run, signal);
}

/** The lock of a record that is known by its ID. A job holds those of what its items were given before. */
const lockOf = (account: string, id: string) => `found ${account} ${id}`;

function composeContextOf(
	item: PlannedItem,
	{ client, hints, ledger, processed, permissions, onlyChecks, turns }: RunState,
): ComposeContext {
	const { account, writes } = client;
	const mayHaveArrived = ledger.entryOf(item).firstSentAt !== undefined;
	return {
		...item.plan.context,
		account,
		hints,
		// What an earlier try may have written is no longer as it was found.
		found: mayHaveArrived ? undefined : item.found,
		mayHaveArrived,
		inParallel: async (things, work) => void (await inParallel(things, work)),
		inTurn: async (id, work) => {
			const takeTurn = async (hasWaited = false) => {
				const isLater = hasWaited || (turns.get(id) ?? 0) > writes;
				return await work(isLater).finally(() => turns.set(id, client.writes));
			};
			return Object.values(item.plan.values.path).includes(id)
				? await takeTurn()
				: await recordLocks.take([lockOf(account, id)], takeTurn, client.signal);
		},
		ifPermitted: async (hint, work) => await permissions.ifPermitted(hint, work),
		unlessProcessed: async (key, work) =>
			onlyChecks ? await work() : await processed.unlessProcessed(`${account} ${key}`, work),
	};
}
