/** Carries out one item once, although n8n may run the node again on the same input. */
import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ComposeContext, Result } from '../operation';
import { idsLast, toOutputItems } from '../output/output';
import type { Finder } from '../find/find';
import type { Plan, PlannedItem } from '../prepare/plan';
import { clock } from '../transport/clock';
import { inParallel, recordLocks } from '../transport/parallel';
import { isForbidden, isOutage, mayBeRecorded, UnconfirmedError } from '../userError';
import { checkedItem, PendingWrite } from './onlyCheck';
import type { RunScope } from './runScope';
import { StepRunner } from './stepRunner';

/**
 * Carries out an item, unless an earlier try did.
 *
 * @returns the records for the output
 * @throws ServiceError, or UserError, also when it is unknown whether the item was carried out
 */
export async function runItem(item: PlannedItem, runScope: RunScope): Promise<IDataObject[]> {
	const { ledger } = runScope;
	const { plan } = item;
	const { output } = plan.operation;
	if (runScope.onlyChecks) return [await checkItem(item, runScope)];
	const result = ledger.entryOf(item).result ?? (await keepTrying(item, runScope));
	// What was only read may change until n8n repeats the node.
	if (ledger.entryOf(item).writes) ledger.keepResult(item, result);
	const items = toOutputItems(plan, result);
	return 'record' in output && !output.record.simplified ? items.map(idsLast) : items;
}

/** Carries out an item up to its first write. */
async function checkItem(item: PlannedItem, runScope: RunScope): Promise<IDataObject> {
	const runner = new StepRunner(item, runScope);
	const inPath = runScope.finder.lookedUp.get(keyInPath(item.plan));
	let write: PendingWrite | undefined;
	const result = await callOperation(item, runner, runScope).catch((reason: unknown) => {
		if (!(reason instanceof PendingWrite)) throw reason;
		write = reason;
		return undefined;
	});
	return checkedItem(item.plan, write, result, runner.lastFound ?? inPath);
}

/** Identifies the record in the path, as {@link Finder.lookedUp} does. */
function keyInPath({ values: { path } }: Plan): string {
	const [[name, id] = ['', '']] = Object.entries(path);
	return `${name.replace(/Id$/, '')} ${id}`;
}

/**
 * The record in the path as it was looked up, undefined if it was given by its ID. It is taken once, and not after a try: later, it
 * may have been written.
 */
function takeLookedUp(plan: Plan, { lookedUp }: Finder, isRepeated: boolean) {
	const key = keyInPath(plan);
	const found = lookedUp.get(key);
	lookedUp.delete(key);
	return isRepeated ? undefined : found;
}

/** How long an item is tried in an outage if nobody waits, from the start of the run, and the wait between two tries. */
const KEEP_TRYING_MS = 110_000;
const RETRY_AFTER_MS = 10_000;

/**
 * Carries out an item. In an outage, tries again unless a person runs the workflow by hand or an agent waits for its tool: what
 * a webhook brings comes once, and a restart of the service takes a minute.
 */
async function keepTrying(item: PlannedItem, runScope: RunScope): Promise<Result> {
	const keepsTrying = !runScope.isManual && !item.plan.context.tool;
	let unconfirmed: unknown;
	for (;;) {
		const result = await tryOnce(item, runScope).catch((reason: unknown) => {
			if (!isOutage(reason)) throw reason;
			// The first error of what may be recorded tells more than that of a later try, which does not send it again.
			if (mayBeRecorded(reason)) unconfirmed ??= reason;
			const isLate = clock.now() + RETRY_AFTER_MS > runScope.begunAt + KEEP_TRYING_MS;
			const isOver = isLate || reason instanceof UnconfirmedError;
			if (!keepsTrying || isOver) throw unconfirmed ?? reason;
		});
		if (result) return result;
		await runScope.client.sleep(RETRY_AFTER_MS);
	}
}

async function tryOnce(item: PlannedItem, runScope: RunScope): Promise<Result> {
	const begunAt = clock.now();
	const runner = new StepRunner(item, runScope);
	try {
		return await callOperation(item, runner, runScope);
	} catch (reason) {
		if (runner.mayHaveWritten) runScope.ledger.suspect(item, begunAt);
		throw runner.explain(reason);
	}
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
	{ client, finder, hints, ledger, processed, forbidden, onlyChecks }: RunScope,
): ComposeContext {
	const { account } = client;
	const { firstSentAt } = ledger.entryOf(item);
	const found = item.found ?? takeLookedUp(item.plan, finder, firstSentAt !== undefined);
	return {
		...item.plan.context,
		account,
		hints,
		attempt: { firstSentAt, found },
		inParallel: async (things, work) => void (await inParallel(things, work)),
		inTurn: async (id, work) => await recordLocks.take([`found ${account} ${id}`], work),
		ifPermitted: async (hint, work) => {
			if (forbidden.has(hint)) return void hints.add(hint);
			return await work().catch((reason: unknown) => {
				if (!isForbidden(reason)) throw reason;
				forbidden.add(hint);
				return void hints.add(hint);
			});
		},
		unlessProcessed: async (key, work) =>
			onlyChecks ? await work() : await processed.unlessProcessed(`${account} ${key}`, work),
	};
}
