import { loggedMessage, message } from '../contract/records';
import { requireId } from '../fields/check';
import { additionalBody } from '../fields/common';
import { options, text } from '../fields/options';
import { leadId } from '../fields/leadFields';
import { compose, type Resource } from '../operation';
import {
	content,
	conversationSteps,
	createMessage,
	findOrCreateConversation,
	getMessages,
} from './conversation';
import { logFromWhatsApp } from './logFromWhatsApp';

export const messages: Resource = {
	name: 'Message',
	description: 'One message of a conversation',
	defaultOperation: 'logFromWhatsApp',
	operations: {
		create: createMessage,
		getAll: getMessages,
		logForLead: {
			name: 'Log for Lead',
			action: 'Log message for lead',
			description:
				'Add a message to the open conversation with a lead, or to a new one. Each call adds one, also of the same text.',
			when: 'Use it only once for what was said, when the ID of the lead is known, but not that of a conversation.',
			scope: 'conversations:write',
			parameters: [leadId, content, options([additionalBody])],
			output: { kind: 'one', record: loggedMessage },
			compose: compose({
				steps: { ...conversationSteps, createMessage },
				run: async ({ path, body }, steps) => {
					const opened = await findOrCreateConversation({ path, body: {} }, steps);
					const conversationId = requireId(opened, 'conversation');
					const logged = await steps.createMessage({ path: { conversationId }, body });
					return {
						...logged,
						adds: { conversationId, conversationCreated: opened.created, ...logged.adds },
					};
				},
			}),
		},
		logFromWhatsApp,
		updateStatus: {
			name: 'Update Status',
			action: 'Update message status',
			description: 'Set the status of one message',
			when: 'Use it when the ID of the message is known. Give a status that other messages of the account have.',
			scope: { assumed: 'conversations:write' },
			route: 'PATCH /messages/{messageId}/status',
			repeatable: true,
			parameters: [
				text('Message ID', 'messageId', {
					in: 'path',
					required: true,
					placeholder: 'e.g. 91d3b6e8-7a25-4c0f-b1d4-2e5f8c9a6037',
					description: 'ID of the message',
					wayToFind: 'Find the ID with Message > Get Many.',
				}),
				text('New Status', 'status', {
					in: 'body',
					required: true,
					placeholder: 'e.g. read',
					description: 'The values that the service accepts are not documented',
				}),
				options(),
			],
			output: { kind: 'one', record: message },
		},
	},
};
