import { locator } from '../fields/common';
import { options } from '../fields/options';
import { leadId } from '../fields/leadFields';
import { single, type Resource } from '../operation';
import { upsert } from './upsertLead';
import { deleteLeadOperation } from './leadDelete';
import { addTags } from './leadTags';
import { mergeInto } from './mergeLeads';
import { withPreviousStatus, updateStatus } from './leadStatus';
import { listLeads } from './leadList';
import { getLead, updateLead } from './leadRequests';

export const leads: Resource = {
	name: 'Lead',
	description: 'A person or company that showed interest',
	defaultOperation: 'upsert',
	operations: {
		addTags,
		delete: deleteLeadOperation,
		upsert,
		get: single(getLead),
		getAll: listLeads,
		mergeInto,
		removeTag: single({
			name: 'Remove Tag',
			action: 'Remove tag from lead',
			description: 'Remove a tag from a lead without deleting the tag',
			when: 'Use it only when told to, with the exact IDs of the lead and the tag; a name is not an ID.',
			scope: { assumed: 'leads:write' },
			route: 'DELETE /leads/{leadId}/tags/{tagId}',
			parameters: [
				leadId,
				{
					...locator({
						displayName: 'Tag',
						name: 'tagId',
						description: 'The tag to remove',
						searchListMethod: 'searchTags',
						searchFor: 'spring campaign',
						example: '4b1d9c52-8e07-4f6d-b2a3-5c7e9f10a8d4',
						findHint: 'Tag > Get Many finds its ID.',
					}),
					in: 'path',
					required: true,
				},
				options(),
			],
			output: { kind: 'deleted' },
			// The lead stays, and so does the tag.
			would: 'update',
		}),
		update: withPreviousStatus(updateLead),
		updateStatus: withPreviousStatus(updateStatus),
	},
};
