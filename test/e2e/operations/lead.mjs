import assert from 'node:assert/strict';

import { byExternalId, byId, includes, itemsOf, jsonOf, nodesOf } from '../flow.mjs';

/** Leads as the service returns them, which they are compared with. */
const leads = (name, operation, parameters) =>
	nodesOf('lead')(name, operation, { simplify: false, ...parameters });
const EXTERNAL_ID = 'e2e-lead-1';
const created = '={{ $("Create").first().json.id }}';

export const prepare = async ({ sandbox }) => ({ tag: (await sandbox.get('/tags')).tags[0] });

export const steps = ({ tag }) => [
	{
		node: leads('Create', 'upsert', {
			externalId: EXTERNAL_ID,
			name: 'Contact A',
			email: 'contact.a@example.com',
			phone: '+5511988887777',
			additionalFields: {
				estimatedValue: 1500.5,
				notes: 'first',
				priority: 'high',
				saleDate: '2026-03-01T10:00:00',
				source: 'api',
				tags: `e2e, ${tag.name}`,
			},
		}),
		sends: ['POST /leads'],
		gives: {
			externalId: EXTERNAL_ID,
			status: 'open',
			priority: 'high',
			source: 'api',
			estimatedValue: 1500.5,
			saleDate: '2026-03-01T10:00:00.000Z',
			notes: 'first',
			tags: ['e2e', tag.name],
		},
	},
	{
		node: leads('Update by upsert', 'upsert', {
			externalId: EXTERNAL_ID,
			additionalFields: { estimatedValue: 2000 },
		}),
		sends: ['POST /leads'],
		gives: { externalId: EXTERNAL_ID, estimatedValue: 2000, notes: 'first' },
	},
	{
		node: leads('Get by ID', 'get', { leadId: byId(created) }),
		gives: { externalId: EXTERNAL_ID, estimatedValue: 2000 },
	},
	{
		node: leads('Get by external ID', 'get', { leadId: byExternalId(EXTERNAL_ID) }),
		gives: { externalId: EXTERNAL_ID, estimatedValue: 2000 },
	},
	{
		node: leads('Update', 'update', {
			leadId: byId(created),
			updateFields: { notes: '', priority: 'low' },
			options: { additionalBody: '{"source": "whatsapp"}' },
		}),
		sends: ['PUT /leads/{leadId}'],
	},
	{
		node: leads('Update status', 'updateStatus', { leadId: byId(created), status: 'closed_won' }),
		sends: ['PATCH /leads/{leadId}/status'],
	},
	{
		node: leads('Add tags', 'addTags', { leadId: byId(created), tags: 'second, third' }),
		sends: ['POST /leads/{leadId}/tags'],
		gives: { tags: ['e2e', tag.name, 'second', 'third'] },
	},
	{
		node: leads('Remove tag', 'removeTag', { leadId: byId(created), tagId: byId(tag.id) }),
		sends: ['DELETE /leads/{leadId}/tags/{tagId}'],
		gives: { deleted: true },
	},
	{
		node: leads('Get at the end', 'get', { leadId: byId(created) }),
		gives: { status: 'closed_won', tags: ['e2e', 'second', 'third'] },
		held: ({ id }) => `/leads/${id}`,
	},
	{
		node: leads('Conversions', 'getConversions', {
			saleDate: 'between',
			// No other lead was sold at this time.
			saleDateFrom: '2026-03-01T10:00:00Z',
			saleDateTo: '2026-03-01T10:00:00.001Z',
		}),
		gives: { externalId: EXTERNAL_ID, estimatedValue: 2000, currency: 'BRL' },
	},
	{ node: leads('Some', 'getAll', { limit: 7 }), count: 7, among: '/leads' },
	{
		node: leads('All open', 'getAll', { returnAll: true, filters: { status: 'open' } }),
		listed: '/leads?status=open',
	},
];

const only = ({ execution }, step) => jsonOf(execution, step)[0];

export const cases = [
	{
		name: 'create outputs the whole new lead with its contact',
		async run(run) {
			const { contact } = only(run, 'Create');
			includes(contact, { name: 'Contact A', email: 'contact.a@example.com' });
		},
	},
	{
		name: 'the same external ID updates the same lead',
		async run(run, world) {
			assert.equal(only(run, 'Update by upsert').id, only(run, 'Create').id);
			const found = await world.sandbox.get('/leads?search=contact.a@example.com');
			assert.equal(found.pagination.total, 1);
		},
	},
	{
		name: 'get by ID and by external ID output the same lead',
		run: async (run) => assert.deepEqual(only(run, 'Get by external ID'), only(run, 'Get by ID')),
	},
	{
		name: 'update changes given fields, clears empty ones, and keeps the rest',
		async run(run) {
			const changes = { notes: '', priority: 'low', source: 'whatsapp' };
			assert.deepEqual(only(run, 'Update'), { ...only(run, 'Get by ID'), ...changes });
		},
	},
	{
		name: 'update status changes only the status',
		async run(run) {
			const changes = { status: 'closed_won' };
			assert.deepEqual(only(run, 'Update status'), { ...only(run, 'Update'), ...changes });
		},
	},
	{
		name: 'get many outputs each lead once, paired with its input',
		async run({ execution }) {
			const items = itemsOf(execution, 'Some');
			assert.equal(new Set(items.map(({ json }) => json.id)).size, 7);
			for (const { pairedItem } of items) assert.deepEqual(pairedItem, { item: 0 });
		},
	},
];
