/** One item: it is carried out once, although n8n may run the node again on the same input. */
import type { IDataObject } from 'n8n-workflow';

import type { Result } from '../operation';
import { onlyReads } from '../operation';
import { runComposed } from './compose';
import type { PlannedItem, Plan } from '../prepare/plan';
import { ifUnclear, itemKey } from '../requests/ledger';
import { listItems } from './listItems';
import { idsLast, toItems } from '../output/output';
import { isComposed } from '../prepare/plan';
import type { RunServices } from '../requests/services';
import { sendStep } from '../requests/step';

/**
 * Carries an item out, unless that was done in an earlier try.
 *
 * @returns the records for the output
 * @throws NodeApiError, or UserError also when it is not known whether it was carried out
 */
export async function runItem(item: PlannedItem, services: RunServices): Promise<IDataObject[]> {
	const { plan } = item;
	const { output } = plan.operation;
	const isList = output.kind === 'many' || plan.values.settings.paginate === true;
	const key = itemKey(item);
	const run = async (): Promise<Result> =>
		isComposed(plan) ? await runComposed(plan, key, services) : await sendStep(plan, services);
	const items =
		isList && !isComposed(plan)
			? await listItems(plan, services)
			: toItems(
					plan,
					isRead(plan) ? await run() : await services.ledger.once(key, run, ifUnclear(plan)),
				);
	return 'record' in output && !output.record.simplified ? items.map(idsLast) : items;
}

const isRead = (plan: Plan) =>
	isComposed(plan) ? onlyReads(plan.operation) : plan.request.method === 'GET';
