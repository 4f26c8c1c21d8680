import { byId, nodesOf, recordsAt } from '../flow.mjs';

const message = nodesOf('message');

/** A conversation of the seed, and its first message. */
export async function prepare(world) {
	const { id } = (await recordsAt(world, '/conversations')).at(-1);
	const messages = await recordsAt(world, `/conversations/${id}/messages`);
	const lead = await world.sandbox.control('createLead', {});
	return { conversation: id, first: messages.at(-1), lead };
}

export function steps({ conversation, first, lead }) {
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
			node: message('Log for lead', 'logForLead', {
				leadId: byId(lead.id),
				content: 'Good evening',
				messageId: 'message-1',
			}),
			sends: [
				'POST /leads/{leadId}/conversations',
				'POST /conversations/{conversationId}/messages',
			],
			gives: { content: 'Good evening', created: true, conversationCreated: true },
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
