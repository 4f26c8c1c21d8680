/** Declares the operations of conversations, and finds the open one of a lead. */
import { isNil } from 'lodash';

import { conversation, openedConversation } from '../contract/records';
import { additionalBody, listParameters, locator } from '../fields/common';
import { options } from '../fields/options';
import { leadId, contactReference, leadReference } from '../fields/leadFields';
import type {
	Parameter,
	RequestDeclaration,
	Resource,
	Result,
	StepFunctions,
	Values,
} from '../operation';
import { compose, list, single } from '../operation';
import { InputError, UserError } from '../userError';
import { isBlank } from '../values/convert';
import type { ServiceRecord } from '../values/json';

/** The conversation in the path. */
export const conversationId: Parameter = {
	...locator({
		displayName: 'Conversation',
		name: 'conversationId',
		description: 'The conversation to work on',
		searchListMethod: 'searchConversations',
		searchFor: 'a name, or the day it began',
		example: '5e2a7c90-1b4f-4d86-9c3e-8a6f0b7d2e14',
		findHint: 'Conversation > Get Many for Lead finds its ID.',
	}),
	in: 'path',
	required: true,
};

const getConversations = {
	name: 'Get Many',
	action: 'Get many conversations',
	description: 'Get a list of conversations',
	when: 'Use it to browse conversations, or to find the ID of one.',
	scope: 'conversations:read',
	route: 'GET /conversations',
	parameters: [...listParameters, options()],
	output: { kind: 'many', record: conversation },
} satisfies RequestDeclaration;

const getAllForLead = {
	name: 'Get Many for Lead',
	action: 'Get many conversations for lead',
	description: 'Get the conversations with one lead',
	when: 'Use it to find the conversation of a lead whose ID is known.',
	scope: 'conversations:read',
	route: 'GET /leads/{leadId}/conversations',
	parameters: [leadId, ...listParameters, options()],
	output: { kind: 'many', record: conversation },
} satisfies RequestDeclaration;

const createForLead = {
	name: 'Create for Lead',
	action: 'Create conversation for lead',
	description: 'Create a conversation with a lead',
	when: 'Use it only for a lead whose ID is known and that has no conversation yet; Find or Create for Lead avoids a second one.',
	scope: 'conversations:write',
	route: 'POST /leads/{leadId}/conversations',
	parameters: [leadId, options([additionalBody])],
	listStep: getAllForLead,
	output: { kind: 'one', record: conversation },
} satisfies RequestDeclaration;

/** Steps of operations that need a conversation with a lead. */
export const conversationSteps = {
	listConversations: getAllForLead,
	startConversation: createForLead,
};

/**
 * Finds the open conversation with a lead, or creates one.
 *
 * @param hasNone whether it is known that the lead has none
 */
export async function findOrCreateConversation(
	{ path: { leadId }, body }: Pick<Values, 'path' | 'body'>,
	steps: StepFunctions<typeof conversationSteps>,
	hasNone = false,
): Promise<Result> {
	const path = { leadId };
	const found = hasNone ? undefined : await openConversation(path, steps);
	if (found) return found;
	const created = await steps.startConversation({ path, body }, { existing: null });
	if (!isNil(created.record?.id)) return created;
	// The service may have created it and answered without it.
	const record = (await openConversation(path, steps))?.record;
	return record ? { ...created, record } : created;
}

const openConversation = async (
	path: Values['path'],
	{ listConversations }: StepFunctions<typeof conversationSteps>,
) => newestOpen(await listConversations({ path }));

/**
 * Returns the open conversation that was created last. The spec shows no field of a conversation (part 2, "Other resources"), so
 * one counts as closed only if it plainly says so. Pure.
 *
 * @param all those of one lead
 * @throws UserError if several are open and do not show which is the newest
 */
export function newestOpen(all: Result[]): Result | undefined {
	const open = all.filter(({ record = {} }) => isOpen(record));
	const latest = Math.max(...open.map(createdAt));
	const newest =
		open.length < 2 ? open : open.filter((conversation) => createdAt(conversation) === latest);
	if (open.length === 0) return undefined;
	if (newest.length === 1) return { ...newest[0], extra: { openConversations: open.length } };
	throw new UserError(
		`The lead has ${open.length} open conversations, and their creation times do not show which is the newest`,
		'Close all but one in the leads service, or use Message > Create with the ID of the conversation.',
	);
}

const createdAt = ({ record = {} }: Result) => Date.parse(String(record.createdAt));

const CLOSED = /^(?:archived|closed|completed|ended|finished|resolved)$/i;
const CLOSING_TIMES = ['closedAt', 'endedAt', 'finishedAt', 'archivedAt', 'resolvedAt'];

const isOpen = (conversation: ServiceRecord): boolean =>
	![conversation.status, conversation.state].some((state) => CLOSED.test(String(state ?? ''))) &&
	CLOSING_TIMES.every((name) => isBlank(conversation[name])) &&
	!Object.entries(conversation).some(([name, flag]) => saysClosed(name, String(flag)));

/** Reads a flag such as `isClosed`, `archived` or `is_open`. */
function saysClosed(name: string, flag: string): boolean {
	const word = name.replace(/^is_?/i, '');
	return (CLOSED.test(word) && flag === 'true') || (/^open$/i.test(word) && flag === 'false');
}

export const conversations: Resource = {
	name: 'Conversation',
	description: 'An exchange of messages with a lead or a contact',
	defaultOperation: 'findOrCreateForLead',
	operations: {
		create: single({
			name: 'Create',
			action: 'Create conversation',
			description: 'Create a conversation with a lead, a contact or both',
			when: 'Use it before adding messages, when no conversation with them exists yet.',
			scope: 'conversations:write',
			route: 'POST /conversations',
			parameters: [
				leadReference,
				{ ...contactReference, description: 'The contact it is with' },
				options([additionalBody]),
			],
			listStep: getConversations,
			output: { kind: 'one', record: conversation },
			check: ({ body }) => {
				if (body.leadId || body.contactId) return;
				throw new InputError(
					'"Lead" and "Contact" are empty, and a conversation is with one of them',
					{ all: 'Give the lead or the contact.', panel: 'Check the values of their expressions.' },
				);
			},
		}),
		createForLead: single(createForLead),
		findOrCreateForLead: compose({
			name: 'Find or Create for Lead',
			action: 'Find or create conversation for lead',
			description: 'Get the open conversation with a lead, and create one if there is none',
			when: 'Use it before adding messages, when the ID of the lead is known.',
			scope: 'conversations:write',
			otherScopes: { 'find the open one': ['conversations:read'] },
			parameters: [leadId, options([additionalBody])],
			output: { kind: 'one', record: openedConversation },
			steps: conversationSteps,
			run: async (values, steps) => await findOrCreateConversation(values, steps),
		}),
		get: single({
			name: 'Get',
			action: 'Get conversation',
			description: 'Get one conversation by its ID',
			when: 'Use it when the ID of the conversation is known.',
			scope: 'conversations:read',
			route: 'GET /conversations/{conversationId}',
			parameters: [conversationId, options()],
			output: { kind: 'one', record: conversation },
		}),
		getAll: list(getConversations),
		getAllForLead: list(getAllForLead),
	},
};
