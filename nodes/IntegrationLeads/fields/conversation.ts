import type { Parameter } from '../operation';
import { toId } from '../values/convert';
import { locator } from './locator';

/** The conversation in the path. */
export const conversationId: Parameter = {
	...locator({
		displayName: 'Conversation',
		name: 'conversationId',
		description: 'The conversation to work on',
		searchListMethod: 'searchConversations',
		searchFor: 'an ID, or the day it began',
		example: '5e2a7c90-1b4f-4d86-9c3e-8a6f0b7d2e14',
	}),
	in: 'path',
	convert: toId,
	required: true,
};
