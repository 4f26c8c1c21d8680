/** Items that are sent individually. */
import type { IDataObject } from 'n8n-workflow';

import type { Result } from '../operation';
import { UnexpectedAnswerError } from '../transport/read';
import { runComposed } from './compose';
import type { PlannedItem } from './items';
import { VALUES } from './ledger';
import { listItems } from './listItems';
import { idsLast, toItems } from './output';
import type { Plan } from './plan';
import { isComposed } from './plan';
import { isRepeatable, itemKey, onceOf, unclearError } from './repeat';
import type { RunServices } from './services';
import { sendStep } from './step';

/**
 * Carries an item out, unless that was done in an earlier try.
 *
 * @returns the records for the output
 * @throws NodeApiError or UserError
 */
export async function runSingle(item: PlannedItem, services: RunServices): Promise<IDataObject[]> {
	const { plan } = item;
	const { output, action } = plan.operation;
	try {
		const isList = output.kind === 'many' || plan.values.settings.paginate === true;
		const items =
			isList && !isComposed(plan)
				? await listItems(plan, services)
				: await toItems(plan, await runOnce(item, services));
		return 'record' in output && !output.record.simplified ? items.map(idsLast) : items;
	} catch (reason) {
		throw reason instanceof UnexpectedAnswerError ? reason.during(action) : reason;
	}
}

async function runOnce(item: PlannedItem, services: RunServices): Promise<Result> {
	const { plan } = item;
	const { ledger } = services;
	const key = itemKey(item);
	const run = async () => await runPlan(plan, key, services);
	if (isRepeatable(plan)) return await run();
	const once = onceOf(plan);
	return await ledger.note(
		key,
		async () => (once ? await runOnceBy(once, run, plan, services) : await run()),
		unclearError(plan),
	);
}

/** Carries out what a value stands for, unless another item of the execution did. */
async function runOnceBy(
	{ key, label }: { key: string; label: string },
	run: () => Promise<Result>,
	plan: Plan,
	{ ledger, hints }: RunServices,
): Promise<Result> {
	let isKnown = true;
	const runNow = async () => {
		isKnown = false;
		return await run();
	};
	const result = await ledger.note(key, runNow, unclearError(plan), VALUES);
	if (!isKnown) return result;
	hints.add(
		`Items whose "${label}" was recorded earlier in this execution were not sent again. They have "created": false in the output.`,
	);
	return { ...result, created: false };
}

async function runPlan(plan: Plan, key: string, services: RunServices): Promise<Result> {
	return isComposed(plan)
		? await runComposed(plan, key, services)
		: await sendStep(plan, key, services);
}
