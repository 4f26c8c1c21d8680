import { message } from '../contract/records';
import { additionalBody, listParameters, options, skipIfRecorded } from '../fields/common';
import type { Operation, Resource } from '../operation';
import { conversationId } from './conversation';

const getAll: Operation = {
	name: 'Get Many',
	action: 'Get many messages',
	description: 'Get the messages of a conversation',
	when: 'Use it to read what was said. It needs the ID of the conversation.',
	scope: { assumed: 'conversations:read' },
	route: 'GET /conversations/{conversationId}/messages',
	parameters: [conversationId, ...listParameters, options()],
	output: { kind: 'many', record: message },
};

export const messages: Resource = {
	name: 'Message',
	description: 'One message of a conversation',
	defaultOperation: 'create',
	operations: {
		create: {
			name: 'Create',
			action: 'Create message',
			description: 'Add a message to a conversation',
			when: 'Use it to record what was said. It needs the ID of the conversation.',
			scope: { assumed: 'conversations:write' },
			route: 'POST /conversations/{conversationId}/messages',
			parameters: [
				conversationId,
				{
					displayName: 'Content',
					name: 'content',
					type: 'string',
					in: 'body',
					freeText: true,
					typeOptions: { rows: 4 },
					required: true,
					default: '',
					description: 'Text of the message',
				},
				options([additionalBody, skipIfRecorded]),
			],
			listedBy: getAll,
			output: { kind: 'one', record: message },
		},
		getAll,
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
