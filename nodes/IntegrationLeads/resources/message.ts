/** Declares the operations of messages. */
import { loggedMessage, message } from '../contract/records';
import { requireId } from '../fields/check';
import { additionalBody, listParameters } from '../fields/common';
import { options, text } from '../fields/options';
import { leadId } from '../fields/leadFields';
import { compose, list, single, type RequestDeclaration, type Resource } from '../operation';
import { toFreeText } from '../values/convert';
import { conversationId, conversationSteps, findOrCreateConversation } from './conversation';

const content = text('Content', 'content', {
	in: 'body',
	convert: toFreeText,
	typeOptions: { rows: 4 },
	required: true,
	description: 'Text of the message',
});

export const getMessages = {
	name: 'Get Many',
	action: 'Get many messages',
	description: 'Get the messages of a conversation',
	when: 'Use it to read what was said. It needs the ID of the conversation.',
	scope: { assumed: 'conversations:read' },
	route: 'GET /conversations/{conversationId}/messages',
	parameters: [conversationId, ...listParameters, options()],
	output: { kind: 'many', record: message },
} satisfies RequestDeclaration;

export const createMessage = {
	name: 'Create',
	action: 'Create message',
	description: 'Add a message to a conversation',
	when: 'Use it to record what was said. It needs the ID of the conversation.',
	scope: 'conversations:write',
	route: 'POST /conversations/{conversationId}/messages',
	parameters: [conversationId, content, options([additionalBody])],
	listStep: getMessages,
	output: { kind: 'one', record: message },
} satisfies RequestDeclaration;

export const messages: Resource = {
	name: 'Message',
	description: 'One message of a conversation',
	defaultOperation: 'logFromWhatsApp',
	operations: {
		create: single(createMessage),
		getAll: list(getMessages),
		logForLead: compose({
			name: 'Log for Lead',
			action: 'Log message for lead',
			description:
				'Add a message to the open conversation with a lead, or to a new one. Each call adds one, also of the same text.',
			when: 'Use it only once for what was said, when the ID of the lead is known, but not that of a conversation.',
			scope: 'conversations:write',
			otherScopes: { 'find the open conversation': ['conversations:read'] },
			parameters: [leadId, content, options([additionalBody])],
			output: { kind: 'one', record: loggedMessage },
			would: 'log',
			steps: { ...conversationSteps, createMessage },
			run: async ({ path, body }, steps) => {
				const opened = await findOrCreateConversation({ path, body: {} }, steps);
				const conversationId = requireId(opened, 'conversation');
				const logged = await steps.createMessage({ path: { conversationId }, body });
				return {
					...logged,
					extra: { conversationId, conversationCreated: opened.created, ...logged.extra },
				};
			},
		}),
		updateStatus: single({
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
					findHint: 'Find the ID with Message > Get Many.',
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
		}),
	},
};
