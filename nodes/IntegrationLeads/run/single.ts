/** Items that are sent individually. */
import type { IDataObject } from 'n8n-workflow';

import { UnexpectedAnswerError } from '../transport/read';
import { runComposed } from './compose';
import type { PlannedItem } from './items';
import { listItems } from './listItems';
import { idsLast, toItems } from './output';
import { isComposed } from './plan';
import { runOnce } from './once';
import type { RunServices } from './services';
import { turnsOfProcess } from './turns';
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
		const { account } = services.client;
		// What is looked for and created when it is not there must not be looked for by two at once.
		const keys = plan.recordKeys.map((key) => `${account} ${key}`);
		const run = async (key: string) =>
			isComposed(plan) ? await runComposed(plan, key, services) : await sendStep(plan, services);
		const items =
			isList && !isComposed(plan)
				? await listItems(plan, services)
				: await turnsOfProcess.take(
						keys,
						async () => await toItems(plan, await runOnce(item, run, services)),
					);
		return 'record' in output && !output.record.simplified ? items.map(idsLast) : items;
	} catch (reason) {
		throw reason instanceof UnexpectedAnswerError ? reason.during(action) : reason;
	}
}
