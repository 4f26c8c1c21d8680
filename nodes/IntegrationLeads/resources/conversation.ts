import { conversation } from '../contract/records';
import { assumed } from '../contract/shape';
import { additionalBody, listParameters, options } from '../fields/common';
import { conversationId } from '../fields/conversation';
import { leadId, ofContact, ofLead } from '../fields/lead';
import type { Resource } from '../operation';

export const conversations: Resource = {
	name: 'Conversation',
	description: 'An exchange of messages with a lead or a contact',
	defaultOperation: 'createForLead',
	operations: {
		create: {
			name: 'Create',
			action: 'Create conversation',
			description: 'Create a conversation, given whom it is with',
			scope: { assumed: 'conversations:write' },
			route: 'POST /conversations',
			sends: assumed('leadId and contactId, and free fields'),
			repeatable: false,
			parameters: [
				ofLead,
				{ ...ofContact, description: 'The contact it is with' },
				additionalBody,
				options(),
			],
			output: { kind: 'one', record: conversation },
		},
		createForLead: {
			name: 'Create for Lead',
			action: 'Create conversation for lead',
			description: 'Create a conversation with a lead',
			scope: 'conversations:write',
			route: 'POST /leads/{leadId}/conversations',
			sends: assumed('free fields; the path says whom it is with'),
			repeatable: false,
			parameters: [leadId, additionalBody, options()],
			output: { kind: 'one', record: conversation },
		},
		get: {
			name: 'Get',
			action: 'Get conversation',
			description: 'Get one conversation',
			scope: { assumed: 'conversations:read' },
			route: 'GET /conversations/{conversationId}',
			sends: assumed('nothing but the path'),
			repeatable: true,
			parameters: [conversationId, options()],
			output: { kind: 'one', record: conversation },
		},
		getAll: {
			name: 'Get Many',
			action: 'Get many conversations',
			description: 'Get a list of conversations',
			scope: { assumed: 'conversations:read' },
			route: 'GET /conversations',
			sends: assumed('page and limit, as in 4.1'),
			repeatable: true,
			parameters: [...listParameters, options()],
			output: { kind: 'many', record: conversation },
		},
		getAllForLead: {
			name: 'Get Many for Lead',
			action: 'Get many conversations for lead',
			description: 'Get the conversations with a lead',
			scope: 'conversations:read',
			route: 'GET /leads/{leadId}/conversations',
			sends: assumed('page and limit, as in 4.1'),
			repeatable: true,
			parameters: [leadId, ...listParameters, options()],
			output: { kind: 'many', record: conversation },
		},
	},
};
