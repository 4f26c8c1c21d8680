/** An item is carried out once, although n8n may run the node again on the same input. */
import type { Result } from '../operation';
import { onlyReads } from '../operation';
import type { UserError } from '../userError';
import { UnconfirmedError } from '../userError';
import type { PlannedItem } from './items';
import type { Plan } from './plan';
import { isComposed } from './plan';
import type { RunServices } from './services';

/**
 * Carries an item out, unless that was done before.
 *
 * @param run gets the key of the item in the ledger
 * @throws UserError when it is not known whether it was, or what `run` throws
 */
export async function runOnce(
	item: PlannedItem,
	run: (key: string) => Promise<Result>,
	{ ledger }: RunServices,
): Promise<Result> {
	const { plan } = item;
	const key = itemKey(item);
	const isRead = isComposed(plan) ? onlyReads(plan.operation) : plan.request.method === 'GET';
	return isRead
		? await run(key)
		: await ledger.once(key, async () => await run(key), ifUnclear(plan));
}

/** By position and by what is addressed, not by values: an expression with $now has another value in the next try. */
export function itemKey({ itemIndex, part, plan }: PlannedItem): string {
	const address = isComposed(plan)
		? plan.targets.map(({ value }) => value).join(' ')
		: plan.request.path;
	return [itemIndex, part, plan.operation.action, address].join(' ');
}

/** Why an item is not sent again; undefined if it may be, or if its steps say so themselves. */
export function ifUnclear(plan: Plan): (() => UserError) | undefined {
	return isComposed(plan) || plan.request.repeatable ? undefined : unclearError;
}

export const unclearError = () =>
	new UnconfirmedError(
		'This item was sent earlier in this execution and may have been recorded',
		'It was not sent again. Look in the leads service before you run the workflow again.',
	);
