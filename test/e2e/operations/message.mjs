import { byId, nodesOf, recordsAt } from '../flow.mjs';

const message = nodesOf('message');

/** A conversation of the seed, and its first message. */
export async function prepare(world) {
	const { id } = (await recordsAt(world, '/conversations')).at(-1);
	const messages = await recordsAt(world, `/conversations/${id}/messages`);
	return { conversation: id, first: messages.at(-1) };
}

export function steps({ conversation, first }) {
	const conversationId = byId(conversation);
	const among = `/conversations/${conversation}/messages`;
	return [
		{
			node: message('Create', 'create', { conversationId, content: 'Good afternoon' }),
			sends: ['POST /conversations/{conversationId}/messages'],
			gives: { conversationId: conversation, content: 'Good afternoon' },
			among,
		},
		{
			node: message('Update status', 'updateStatus', { messageId: first.id, status: 'answered' }),
			sends: ['PATCH /messages/{messageId}/status'],
			gives: { ...first, status: 'answered' },
			among,
		},
		{ node: message('Some', 'getAll', { conversationId, limit: 2 }), count: 2, among },
		{
			node: message('All', 'getAll', { conversationId, returnAll: true }),
			listed: among,
		},
	];
}
