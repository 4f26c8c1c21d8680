import { loggedMessage, message, whatsAppMessage } from '../contract/records';
import { additionalBody, listParameters } from '../fields/common';
import { options } from '../fields/options';
import { leadId } from '../fields/leadFields';
import type { Parameter, RequestOperation, Resource } from '../operation';
import { compose } from '../operation';
import { conversationId, conversationIdFor, conversationSteps } from './conversation';
import {
	externalIdsOf,
	logWhatsApp,
	messageOf,
	splitWebhook,
	whatsAppOptions,
	whatsAppSteps,
	whatsAppWebhook,
} from './logFromWhatsApp';

const content: Parameter = {
	displayName: 'Content',
	name: 'content',
	type: 'string',
	in: 'body',
	freeText: true,
	typeOptions: { rows: 4 },
	required: true,
	default: '',
	description: 'Text of the message',
};

const getAll = {
	name: 'Get Many',
	action: 'Get many messages',
	description: 'Get the messages of a conversation',
	when: 'Use it to read what was said. It needs the ID of the conversation.',
	scope: { assumed: 'conversations:read' },
	route: 'GET /conversations/{conversationId}/messages',
	parameters: [conversationId, ...listParameters, options()],
	output: { kind: 'many', record: message },
} satisfies RequestOperation;

const create = {
	name: 'Create',
	action: 'Create message',
	description: 'Add a message to a conversation',
	when: 'Use it to record what was said. It needs the ID of the conversation.',
	scope: 'conversations:write',
	route: 'POST /conversations/{conversationId}/messages',
	parameters: [conversationId, content, options([additionalBody])],
	listedBy: getAll,
	output: { kind: 'one', record: message },
} satisfies RequestOperation;

export const messages: Resource = {
	name: 'Message',
	description: 'One message of a conversation',
	defaultOperation: 'logFromWhatsApp',
	operations: {
		create,
		getAll,
		logForLead: {
			name: 'Log for Lead',
			action: 'Log message for lead',
			description:
				'Add a message to the open conversation with a lead, or to a new one. Each call adds one, also of the same text.',
			when: 'Use it once for what was said, when the ID of the lead is known, but not that of a conversation.',
			scope: 'conversations:write',
			parameters: [leadId, content, options([additionalBody])],
			output: { kind: 'one', record: loggedMessage },
			compose: compose({
				steps: { ...conversationSteps, create },
				run: async ({ path, body }, steps) => {
					const { conversationId, created } = await conversationIdFor(path.leadId, steps);
					const logged = await steps.create({
						path: { conversationId },
						body,
					});
					return {
						...logged,
						adds: { conversationId, conversationCreated: created, ...logged.adds },
					};
				},
			}),
		},
		logFromWhatsApp: {
			name: 'Log From WhatsApp',
			action: 'Log WhatsApp message',
			description:
				'Put each message of a WhatsApp webhook into the conversation with its lead; finds or creates both',
			when: 'Use it only with the whole body of a webhook. It sends nothing to WhatsApp.',
			scope: 'conversations:write',
			parameters: [whatsAppWebhook, options([additionalBody, ...whatsAppOptions])],
			output: { kind: 'many', record: whatsAppMessage },
			compose: compose({
				steps: { ...whatsAppSteps, create },
				keys: (values) => externalIdsOf(messageOf(values).person),
				split: splitWebhook,
				// The sender has the answer to its webhook, and will not deliver it again.
				keepsTrying: true,
				run: logWhatsApp,
			}),
		},
		updateStatus: {
			name: 'Update Status',
			action: 'Update message status',
			description: 'Set the status of one message',
			when: 'Use it when the ID of the message is known. Give a status that other messages of the account have.',
			scope: { assumed: 'conversations:write' },
			route: 'PATCH /messages/{messageId}/status',
			repeatable: true,
			parameters: [
				{
					displayName: 'Message ID',
					name: 'messageId',
					type: 'string',
					in: 'path',
					required: true,
					default: '',
					placeholder: 'e.g. 91d3b6e8-7a25-4c0f-b1d4-2e5f8c9a6037',
					description: 'ID of the message',
					wayToFind: 'Find the ID with Message > Get Many.',
				},
				{
					displayName: 'New Status',
					name: 'status',
					type: 'string',
					in: 'body',
					required: true,
					default: '',
					placeholder: 'e.g. read',
					description: 'The values that the service accepts are not documented',
				},
				options(),
			],
			output: { kind: 'one', record: message },
		},
	},
};
