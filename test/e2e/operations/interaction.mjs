import { byId, nodesOf } from '../flow.mjs';

const interaction = nodesOf('interaction');

export const prepare = async ({ sandbox }) => ({ lead: await sandbox.control('createLead', {}) });

export function steps({ lead: { id } }) {
	const leadId = byId(id);
	const among = `/leads/${id}/interactions`;
	return [
		{
			node: interaction('Create with JSON', 'create', {
				leadId,
				type: 'CALL',
				title: 'First call',
				description: 'Asked for an offer',
				metadata: '{"duration": 120, "result": "reached"}',
			}),
			sends: ['POST /leads/{leadId}/interactions'],
			gives: {
				leadId: id,
				type: 'CALL',
				title: 'First call',
				description: 'Asked for an offer',
				metadata: { duration: 120, result: 'reached' },
			},
			among,
		},
		{
			node: interaction('Create with fields', 'create', {
				leadId,
				type: 'CUSTOM',
				specifyMetadata: 'fields',
				metadataFields: {
					field: [
						{ name: 'messageId', value: 'message-1' },
						{ name: 'minutes', value: '={{ 1 + 2 }}' },
					],
				},
			}),
			sends: ['POST /leads/{leadId}/interactions'],
			gives: { leadId: id, type: 'CUSTOM', metadata: { messageId: 'message-1', minutes: 3 } },
			among,
		},
		{ node: interaction('Some', 'getAll', { leadId, limit: 1 }), among },
		{
			node: interaction('All', 'getAll', { leadId, returnAll: true }),
			listed: among,
		},
	];
}
