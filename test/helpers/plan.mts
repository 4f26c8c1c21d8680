import type { Operation, RequestOperation } from '../../nodes/IntegrationLeads/operation';
import type {
	ComposedPlan,
	Plan,
	ReadParameter,
	RequestPlan,
} from '../../nodes/IntegrationLeads/prepare/plan';
import { draftItem } from '../../nodes/IntegrationLeads/prepare/draft';
import { planStep, isComposed } from '../../nodes/IntegrationLeads/prepare/plan';

/** The plan of an item for which nothing has to be asked. */
export function planItem(
	operation: Operation,
	read: ReadParameter,
	context: Parameters<typeof draftItem>[2],
): Plan {
	const [draft] = draftItem(operation, read, context);
	return draft.plan();
}

/** The same for an operation of one request, or for the step of *Create or Update* or *Update* that sends the lead. */
export function planRequest(...given: Parameters<typeof planItem>): RequestPlan {
	const plan = planItem(...given);
	const { sendLead, send } = isComposed(plan) ? plan.operation.compose.steps : {};
	const step = sendLead ?? send;
	return step
		? planStep(step as RequestOperation, plan.values, plan as ComposedPlan)
		: (plan as RequestPlan);
}
