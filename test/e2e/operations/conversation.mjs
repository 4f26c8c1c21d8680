import { byId, nodesOf } from '../flow.mjs';

const conversation = nodesOf('conversation');
const held = ({ id }) => `/conversations/${id}`;

export const prepare = async ({ sandbox }) => ({
	lead: await sandbox.control('createLead', {}),
	contact: (await sandbox.get('/contacts')).contacts[0],
});

export function steps({ lead, contact }) {
	const leadId = byId(lead.id);
	return [
		{
			node: conversation('Create', 'create', {
				leadId,
				contactId: byId(contact.id),
				options: { additionalBody: '{"channel": "whatsapp"}' },
			}),
			sends: ['POST /conversations'],
			gives: { leadId: lead.id, contactId: contact.id, channel: 'whatsapp' },
			held,
		},
		{
			node: conversation('Create for lead', 'createForLead', { leadId }),
			sends: ['POST /leads/{leadId}/conversations'],
			gives: { leadId: lead.id, contactId: null },
			held,
		},
		{
			node: conversation('Find or create for lead', 'findOrCreateForLead', { leadId }),
			gives: { leadId: lead.id, contactId: null, created: false, openConversations: 2 },
			held,
		},
		{
			node: conversation('Get', 'get', {
				conversationId: byId('={{ $("Create").first().json.id }}'),
			}),
			gives: { channel: 'whatsapp' },
			held,
		},
		{ node: conversation('Some', 'getAll', { limit: 5 }), count: 5, held },
		{ node: conversation('All', 'getAll', { returnAll: true }), listed: '/conversations' },
		{
			node: conversation('All with the lead', 'getAllForLead', { leadId, returnAll: true }),
			listed: `/leads/${lead.id}/conversations`,
		},
	];
}
