import type { Operation, RequestStep } from '../../nodes/IntegrationLeads/operation';
import {
	completePlan,
	draftItem,
	type ReadParameter,
} from '../../nodes/IntegrationLeads/prepare/draft';
import {
	planRequest as planStep,
	type Plan,
	type RequestPlan,
} from '../../nodes/IntegrationLeads/prepare/plan';

/** The plan of an item for which nothing has to be asked. */
export function planItem(
	operation: Operation,
	read: ReadParameter,
	context: Parameters<typeof draftItem>[2],
): Plan {
	const [draft] = draftItem(operation, read, context);
	// The service has each status as it is given.
	return completePlan(
		draft,
		draft.lookups.map(({ lookup }) => lookup.value),
	);
}

/** The same, with the request that sends it: of *Create or Update* and the like, the step that sends the lead. */
export function planRequest(...given: Parameters<typeof planItem>): Plan & RequestPlan {
	const plan = planItem(...given);
	const { batch, steps } = plan.operation;
	const { request, upsertLead, addTags, create, find } = steps;
	const step = batch?.request ?? request ?? upsertLead ?? addTags ?? create ?? find;
	return { ...plan, ...planStep({ parameters: [], ...step } as RequestStep, plan.values, plan) };
}
