/** Records below one that another operation finds or creates first: see `parent` of an operation. */
import { defaults } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Parent } from '../operation';
import { hasId } from '../transport/paginate';
import { encodeSegment } from '../transport/path';
import { UserError } from '../userError';
import type { Plan } from './plan';

type Send = (plan: Plan) => Promise<IDataObject[]>;

/**
 * Finds or creates the parent's record.
 *
 * @throws UserError when the record has no ID
 */
export async function findParent(
	{ operation }: Parent,
	plan: Plan,
	send: Send,
): Promise<IDataObject> {
	const [record] = await send(plan);
	if (hasId(record)) return record;
	// A service may create a record and answer without it.
	const alternatives = plan.alternatives?.filter(({ request }) => request.method === 'GET');
	const [found] = await send({ ...plan, alternatives });
	if (hasId(found)) return { ...found, created: record.created };
	throw new UserError(
		`The ${operation.output.record.singular} has no "id", so nothing was added to it`,
		'Use the resource "API Request" to see the answer as it is, and tell the authors of this node.',
	);
}

/** Sends a plan with the ID of the parent's record in its path. */
export async function sendBelow(
	{ operation, pathName, adds }: Parent,
	record: IDataObject,
	plan: Plan,
	send: Send,
): Promise<IDataObject[]> {
	const { singular } = operation.output.record;
	const target = { label: `ID of the ${singular}`, value: String(record.id) };
	const items = await send(below(plan, pathName, target)).catch((reason: unknown) => {
		// Otherwise nobody would know of the new record.
		if (record.created === true && reason instanceof NodeApiError) {
			reason.description = `${reason.description} The ${singular} "${target.value}" was created for this item; running it again finds it.`;
		}
		throw reason;
	});
	return items.map((item) => defaults({}, item, adds(record)));
}

function below(plan: Plan, pathName: string, target: Plan['targets'][number]): Plan {
	const { request, listing } = plan;
	const segment = encodeSegment(target.value, target.label, false);
	const withId = <T extends { path: string }>(each: T): T => ({
		...each,
		path: each.path.replace(`{${pathName}}`, segment),
	});
	return {
		...plan,
		targets: [target],
		request: withId(request),
		listing: listing && { ...listing, request: withId(listing.request) },
	};
}
