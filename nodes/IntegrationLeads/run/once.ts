/** Items that are sent once in an execution of the workflow: see `onceBy` of an operation. */
import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { UserError } from '../userError';
import type { Plan } from './plan';
import type { RunServices } from './services';

/**
 * What was created for an earlier item with the same value.
 *
 * @throws UserError when it is not known whether anything was
 */
export function createdBefore(
	plan: Plan,
	{ recorded, created, hints }: RunServices,
): IDataObject | undefined {
	const { once, read } = plan;
	const record = once && recorded[once.key];
	if (record) {
		created.claim(plan, record);
		hints.add(
			`Items whose "${once.label}" was recorded earlier in this execution were not sent again. They have "created": false in the output.`,
		);
		return { ...record, created: false };
	}
	if (record === undefined || (read('options') as IDataObject).skipIfRecorded) return undefined;
	throw new UserError(
		`"${once?.label}" "${once?.value}" was sent earlier in this execution and may have been recorded`,
		'It was not sent again. Run the workflow again with Options > Skip If Recorded, which reads the list of the service first.',
	);
}

/** Keeps what becomes of an item for those that follow. */
export async function remember(
	{ once }: Plan,
	{ recorded }: RunServices,
	send: () => Promise<IDataObject[]>,
): Promise<IDataObject[]> {
	if (!once) return await send();
	const items = await send().catch((reason: unknown) => {
		const isUnclear = reason instanceof NodeApiError && reason.context.mayBeRecorded === true;
		if (isUnclear) recorded[once.key] = null;
		throw reason;
	});
	[recorded[once.key]] = items;
	return items;
}
