import { isNil } from 'lodash';

import { movedLead } from '../contract/records';
import { options } from '../fields/options';
import { leadId, MANY_LEADS, status } from '../fields/leadFields';
import type { Operation, RequestDeclaration } from '../operation';
import { compose } from '../operation';
import { ownerSteps, personOfLead, refuseAgent, refuseOtherOwner } from './compareLead';

export const updateStatus = {
	name: 'Update Status',
	action: 'Update lead status',
	description: 'Change the status of a lead',
	when: 'Use it when the ID of the lead is known and only its status changes. Give the name or email of the person as well.',
	scope: 'leads:write',
	route: 'PATCH /leads/{leadId}/status',
	repeatable: true,
	parameters: [
		leadId,
		{
			...status,
			displayName: 'New Status',
			hint: MANY_LEADS,
			required: true,
			// Nothing is preselected: a status that nobody chose would be written unseen.
			default: '',
		},
		personOfLead,
		options(),
	],
	output: { kind: 'one', record: movedLead },
} satisfies RequestDeclaration;

/** Makes an operation that changes a lead say which status it had, and refuse the email or phone of another lead. */
export function withPreviousStatus(request: RequestDeclaration): Operation {
	return compose({
		...request,
		otherScopes: {
			'check a status in words, whose an email or a phone is, and what an agent gives': [
				'leads:read',
				'contacts:read',
			],
		},
		steps: { request, ...ownerSteps },
		run: async ({ path, body, settings }, steps, context) => {
			await refuseAgent({ path, body, settings }, steps, context);
			await refuseOtherOwner({ path, body }, steps, context);
			const sent = await steps.request({ path, body });
			const { status: previousStatus } = context.found ?? {};
			const isKnown = !isNil(body.status) && !isNil(previousStatus);
			return { ...sent, extra: { ...sent.extra, ...(isKnown && { previousStatus }) } };
		},
	});
}
