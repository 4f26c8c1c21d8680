import { isRecord } from '../contract/envelope';
import { lead, listedLead } from '../contract/lead';
import { additionalBody, listParameters, options } from '../fields/common';
import {
	additionalFields,
	contact,
	createContactIfNotFound,
	externalId,
	filters,
	leadId,
	leadIdOrExternalId,
	newStatus,
	ofContact,
	protocol,
	startPage,
	tagId,
	tags,
	updateFields,
} from '../fields/lead';
import { somethingToUpdate } from '../fields/check';
import type { Resource } from '../operation';
import { InputProblem } from '../problem';

export const leads: Resource = {
	name: 'Lead',
	description: 'A person or company that showed interest',
	defaultOperation: 'upsert',
	operations: {
		addTags: {
			name: 'Add Tags',
			action: 'Add tags to lead',
			description: 'Add tags to a lead, keeping those it has',
			scope: { assumed: 'leads:write' },
			route: 'POST /leads/{leadId}/tags',
			repeatable: false,
			parameters: [leadId, tags, additionalBody, options()],
			output: { kind: 'one', record: lead },
		},
		upsert: {
			name: 'Create or Update',
			action: 'Create or update lead',
			// These words are n8n's, and its linter insists on them.
			description: 'Create a new record, or update the current one if it already exists (upsert)',
			scope: 'leads:write',
			route: 'POST /leads',
			// Only an external ID makes a second sending an update of the first; a protocol links anew (4.3).
			repeatable: ({ body }) => isRecord(body) && Boolean(body.externalId) && !body.protocol,
			parameters: [
				protocol,
				externalId,
				ofContact,
				contact,
				createContactIfNotFound,
				additionalFields,
				additionalBody,
				options(),
			],
			output: { kind: 'one', record: lead },
			check: ({ body }) => {
				// Rule 1 of 4.3.
				if (isRecord(body) && (body.protocol || body.externalId)) return;
				throw new InputProblem(
					'"External ID" is required when there is no "Protocol"',
					'Give your own unique ID of the lead, for example the ID of the conversation or of the row. The service needs one of the two to tell leads apart. A message in "Protocol" counts only when it holds a code such as ML-AB12-CD34.',
				);
			},
			notFound: ({ body }) =>
				isRecord(body) && body.createContactIfNotFound === false
					? {
							message: 'No existing contact matched what was sent',
							description:
								'The service looked by protocol, external ID, email and phone. Because "If No Contact Exists" is set to Refuse, no lead was created or updated. Choose "Create the Contact" to create one.',
						}
					: undefined,
		},
		get: {
			name: 'Get',
			action: 'Get lead',
			description: 'Get one lead',
			scope: 'leads:read',
			route: 'GET /leads/{leadId}',
			repeatable: true,
			parameters: [leadIdOrExternalId, options()],
			output: { kind: 'one', record: lead },
		},
		getAll: {
			name: 'Get Many',
			action: 'Get many leads',
			description: 'Get a list of leads',
			scope: 'leads:read',
			route: 'GET /leads',
			repeatable: true,
			parameters: [...listParameters, filters, options([startPage])],
			output: { kind: 'many', record: listedLead, timeWindows: true },
		},
		removeTag: {
			name: 'Remove Tag',
			action: 'Remove tag from lead',
			description: 'Take a tag off a lead. The tag itself stays.',
			scope: { assumed: 'leads:write' },
			route: 'DELETE /leads/{leadId}/tags/{tagId}',
			repeatable: true,
			parameters: [leadId, tagId, options()],
			output: { kind: 'deleted' },
		},
		update: {
			name: 'Update',
			action: 'Update lead',
			description: 'Change fields of a lead',
			scope: 'leads:write',
			route: 'PUT /leads/{leadId}',
			repeatable: true,
			parameters: [leadId, updateFields, additionalBody, options()],
			output: { kind: 'one', record: lead },
			check: somethingToUpdate,
		},
		updateStatus: {
			name: 'Update Status',
			action: 'Update lead status',
			description: 'Move a lead to another status',
			scope: 'leads:write',
			route: 'PATCH /leads/{leadId}/status',
			repeatable: true,
			parameters: [leadId, newStatus, options()],
			output: { kind: 'one', record: lead },
		},
	},
};
