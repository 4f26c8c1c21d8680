import type { Operation } from '../../nodes/IntegrationLeads/operation';
import type { Plan, ReadParameter, RequestPlan } from '../../nodes/IntegrationLeads/prepare/plan';
import type { DraftContext } from '../../nodes/IntegrationLeads/prepare/draft';
import { draftItem } from '../../nodes/IntegrationLeads/prepare/draft';

/** The plan of an item for which nothing has to be asked. */
export function planItem(operation: Operation, read: ReadParameter, context: DraftContext): Plan {
	const [draft] = draftItem(operation, read, context);
	return draft.plan();
}

/** The same for an operation of one request. */
export function planRequest(...given: Parameters<typeof planItem>): RequestPlan {
	return planItem(...given) as RequestPlan;
}
