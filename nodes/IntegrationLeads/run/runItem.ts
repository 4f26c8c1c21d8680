/** Carries out one item once, although n8n may run the node again on the same input. */
import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ComposeContext, Result } from '../operation';
import { idsLast, toOutputItems } from '../output/output';
import { isComposed, isRead, type ComposedPlan, type PlannedItem } from '../prepare/plan';
import { unclearErrorFor, itemKey } from '../requests/ledger';
import type { RunScope } from '../requests/runScope';
import { sendStep } from '../requests/sendStep';
import { clock } from '../transport/clock';
import { inParallel, recordLocks } from '../transport/parallel';
import { isForbidden, isOutage } from '../userError';
import { listItems } from './listItems';
import { StepRunner } from './stepRunner';

/**
 * Carries out an item, unless an earlier try did.
 *
 * @returns the records for the output
 * @throws ServiceError, or UserError, also when it is unknown whether the item was carried out
 */
export async function runItem(item: PlannedItem, runScope: RunScope): Promise<IDataObject[]> {
	const { plan } = item;
	const { output } = plan.operation;
	const isList = output.kind === 'many' || (plan.values.settings.paginate === true && isRead(plan));
	const items =
		isList && !isComposed(plan)
			? await listItems(plan, runScope)
			: toOutputItems(plan, await onceByLedger(item, runScope));
	return 'record' in output && !output.record.simplified ? items.map(idsLast) : items;
}

async function onceByLedger(item: PlannedItem, runScope: RunScope): Promise<Result> {
	const { plan } = item;
	const key = itemKey(item);
	const run = async () =>
		isComposed(plan) ? await keepTrying(plan, key, runScope) : await sendStep(plan, runScope);
	if (isRead(plan)) return await run();
	return await runScope.ledger.once(key, run, { unclear: unclearErrorFor(plan) });
}

/** How long an operation with `keepsTrying` tries, from the start of the run, and the wait between two tries. */
const KEEP_TRYING_MS = 110_000;
const RETRY_AFTER_MS = 10_000;

/** Runs a composed operation. In an outage, tries again if it has `keepsTrying`. */
async function keepTrying(plan: ComposedPlan, key: string, runScope: RunScope): Promise<Result> {
	const keepsTrying = plan.operation.compose.keepsTrying && !runScope.isManual;
	for (;;) {
		const begunAt = clock.now();
		const result = await runComposition(plan, key, runScope).catch((reason: unknown) => {
			const isLate = clock.now() + RETRY_AFTER_MS > runScope.begunAt + KEEP_TRYING_MS;
			if (!keepsTrying || isLate || !isOutage(reason)) throw reason;
		});
		if (result) return result;
		plan.triedAt ??= begunAt;
		await runScope.client.sleep(RETRY_AFTER_MS);
	}
}

/** Runs the function of a composed operation. */
async function runComposition(
	plan: ComposedPlan,
	key: string,
	runScope: RunScope,
): Promise<Result> {
	const begunAt = clock.now();
	const { steps, run } = plan.operation.compose;
	const runner = new StepRunner(plan, key, runScope);
	const functions = mapValues(steps, (step, name) => runner.functionOf(step, name));
	try {
		return await run(plan.values, functions, composeContextOf(plan, runScope));
	} catch (reason) {
		if (runner.created.length > 0) runScope.ledger.note(key, begunAt);
		throw runner.explain(reason);
	}
}

function composeContextOf(
	plan: ComposedPlan,
	{ client, hints, processed, forbidden }: RunScope,
): ComposeContext {
	const { account } = client;
	return {
		...plan.context,
		account,
		hints,
		isRetried: plan.triedAt !== undefined,
		inParallel: async (things, work) => void (await inParallel(things, work)),
		inTurn: async (id, work) => await recordLocks.take([`found ${account} ${id}`], work),
		ifPermitted: async (hint, work) => {
			if (forbidden.has(hint)) return undefined;
			return await work().catch((reason: unknown) => {
				if (!isForbidden(reason)) throw reason;
				forbidden.add(hint);
				hints.add(hint);
				return undefined;
			});
		},
		unlessProcessed: async (key, work) =>
			await processed.unlessProcessed(`${account} ${key}`, work),
	};
}
