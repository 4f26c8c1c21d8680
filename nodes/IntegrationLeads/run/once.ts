/**
 * An item is carried out once, although n8n may run the node again on the same input, and a value of `onceBy` once in an
 * execution, although several items may have it.
 */
import type { Result } from '../operation';
import { onlyReads } from '../operation';
import type { UserError } from '../userError';
import { UnconfirmedError } from '../userError';
import type { PlannedItem } from './items';
import { VALUES } from './ledger';
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
	{ client, ledger, hints, processed }: RunServices,
): Promise<Result> {
	const { plan } = item;
	const key = itemKey(item);
	if (isRepeatable(plan)) return await run(key);
	const once = onceOf(plan);
	const runForValue = async () => {
		if (!once) return await run(key);
		let isKnown = true;
		const runNow = async () => {
			isKnown = false;
			if (!once.acrossExecutions) return await run(key);
			const entry = `${client.account} ${once.key}`;
			const result = await processed.unlessProcessed(entry, async () => await run(key));
			if (!result)
				hints.add(`Left out, because an earlier execution recorded the "${once.label}".`);
			return result ?? NOTHING;
		};
		const result = await ledger.once(once.key, runNow, unclearError(plan), VALUES);
		if (!isKnown) return result;
		// Of a list, what is in it was output with the item before.
		if (plan.operation.output.kind === 'many') return NOTHING;
		hints.add(
			`Items whose "${once.label}" was recorded earlier in this execution were not sent again. They have "created": false in the output.`,
		);
		return { ...result, created: false };
	};
	return await ledger.once(key, runForValue, unclearError(plan));
}

/** No item of the output. */
const NOTHING: Result = { adds: {}, data: [] };

/** Repeating it does the same; only DELETE would find nothing. */
export function isRepeatable(plan: Plan): boolean {
	if (isComposed(plan)) return onlyReads(plan.operation);
	return plan.request.repeatable && plan.request.method !== 'DELETE';
}

/** By position and by what is addressed, not by values: an expression with $now has another value in the next try. */
export function itemKey({ itemIndex, part, plan }: PlannedItem): string {
	const { action } = plan.operation;
	return [itemIndex, part, action, isComposed(plan) ? addressOf(plan) : plan.request.path].join(
		' ',
	);
}

/** The value that is carried out once in an execution. */
function onceOf(plan: Plan) {
	const { onceBy } = plan.operation;
	const value = String(onceBy?.value(plan.values) ?? '').trim();
	if (!onceBy || value === '') return undefined;
	return { ...onceBy, key: `${addressOf(plan)} ${value}`, value };
}

function addressOf({ targets }: Plan): string {
	return targets.map(({ value }) => value).join(' ');
}

/** Why an item is not sent again. */
export function unclearError(plan: Plan): () => UserError {
	const once = onceOf(plan);
	const what = once ? `"${once.label}" "${once.value}"` : 'This item';
	return () =>
		new UnconfirmedError(
			`${what} was sent earlier in this execution and may have been recorded`,
			'It was not sent again. Look in the leads service before you run the workflow again.',
		);
}
