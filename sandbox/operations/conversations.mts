import { invalid } from '../failure.mts';
import { found, leadInPath, listed, type Call, type Result } from '../operation.mts';
import type { Conversation, Message } from '../records.mts';
import { showWithExtra } from '../show.mts';

// The shapes of all these operations are assumed: spec 4.6 only names them.

function conversationResult(conversation: Conversation, created = false): Result {
	const record = showWithExtra(conversation);
	return { kind: 'record', name: 'conversation', record, created };
}

function messageResult(message: Message, created = false): Result {
	return { kind: 'record', name: 'message', record: showWithExtra(message), created };
}

function startConversation(call: Call, leadOfPath?: string): Result {
	const { store } = call;
	const { leadId: leadOfBody, contactId, ...extra } = call.body as Record<string, string>;
	const leadId = leadOfPath ?? leadOfBody;
	if (!leadId && !contactId) throw invalid('"leadId" or "contactId" is required');
	const lead = leadId ? found(store.leads, leadId, 'Lead') : undefined;
	const contact = contactId ? found(store.contacts, contactId, 'Contact') : undefined;
	const conversation = store.conversations.add({
		...store.stamp(),
		leadId: lead?.id ?? null,
		contactId: contact?.id ?? lead?.contactId ?? null,
		extra,
	});
	return conversationResult(conversation, true);
}

export function createConversation(call: Call): Result {
	return startConversation(call);
}

export function createLeadConversation(call: Call): Result {
	return startConversation(call, leadInPath(call).id);
}

export function listConversations(call: Call): Result {
	return listed(call, 'conversations', showWithExtra, call.store.conversations);
}

export function listLeadConversations(call: Call): Result {
	const { id } = leadInPath(call);
	const match = ({ leadId }: Conversation) => leadId === id;
	return listed(call, 'conversations', showWithExtra, call.store.conversations, match);
}

export function getConversation(call: Call): Result {
	return conversationResult(
		found(call.store.conversations, call.params.conversationId, 'Conversation'),
	);
}

export function createMessage(call: Call): Result {
	const { store, params } = call;
	const conversation = found(store.conversations, params.conversationId, 'Conversation');
	const { content, ...extra } = call.body as { content: string };
	const own = { conversationId: conversation.id, content, status: 'sent', extra };
	return messageResult(store.messages.add({ ...store.stamp(), ...own }), true);
}

export function listMessages(call: Call): Result {
	const { store, params } = call;
	const { id } = found(store.conversations, params.conversationId, 'Conversation');
	const match = ({ conversationId }: Message) => conversationId === id;
	return listed(call, 'messages', showWithExtra, store.messages, match);
}

export function updateMessageStatus(call: Call): Result {
	const message = found(call.store.messages, call.params.messageId, 'Message');
	const { status } = call.body as { status: string };
	return messageResult(call.store.messages.add({ ...message, status }));
}
