import assert from 'node:assert/strict';

import { apiRequest, byExternalId, byId, execute, flow, itemsOf, jsonOf, leads } from './flow.mjs';

const EXTERNAL_ID = 'e2e-lead-1';
const created = '={{ $("Create").first().json.id }}';
/** One item each from here on, however many come in. */
const once = { executeOnce: true };

/** A workflow over everything the node can do with leads, every step using what came before. */
function everyOperation(tag) {
	return flow(
		'Every operation',
		leads('Create', 'upsert', {
			externalId: EXTERNAL_ID,
			contact: { name: 'Contact A', email: 'contact.a@example.com', phone: '+5511988887777' },
			additionalFields: {
				estimatedValue: 1500.5,
				notes: 'first',
				priority: 'high',
				saleDate: '2026-03-01T10:00:00',
				source: 'api',
				tags: `e2e, ${tag.name}`,
			},
		}),
		leads('Update by upsert', 'upsert', {
			externalId: EXTERNAL_ID,
			additionalFields: { estimatedValue: 2000 },
		}),
		leads('Get by ID', 'get', { leadId: byId(created) }),
		leads('Get by external ID', 'get', { leadId: byExternalId(EXTERNAL_ID) }),
		leads('Update', 'update', {
			leadId: byId(created),
			updateFields: { notes: '', priority: 'low' },
			additionalBody: '{"source": "whatsapp"}',
		}),
		leads('Update status', 'updateStatus', { leadId: byId(created), status: 'closed_won' }),
		leads('Add tags', 'addTags', { leadId: byId(created), tags: 'second, third' }),
		leads('Remove tag', 'removeTag', { leadId: byId(created), tagId: byId(tag.id) }),
		leads('Some', 'getAll', { returnAll: false, limit: 7 }),
		leads('All open', 'getAll', { returnAll: true, filters: { status: 'open' } }, once),
		apiRequest('Get contact', { method: 'GET', path: '/contacts', query: '{"limit": 3}' }, once),
		apiRequest(
			'List tags',
			{ method: 'GET', path: '/tags', paginate: true, returnAll: true },
			once,
		),
		apiRequest('Make tag', { method: 'POST', path: '/tags', body: '{"name": "made"}' }, once),
	);
}

/** The workflow runs once, for whichever case asks first. */
let execution;
const executed = (world) => (execution ??= runEveryOperation(world));

async function runEveryOperation(world) {
	const [tag] = (await world.sandbox.get('/tags')).tags;
	await world.sandbox.control('clearRequests', {});
	const result = await execute(world, everyOperation(tag));
	const requests = await world.sandbox.control('requests');
	return Object.assign(result, { tag, requests });
}

/** The only item a step gave. */
async function only(world, step) {
	const records = jsonOf(await executed(world), step);
	assert.equal(records.length, 1, `"${step}" should give one item`);
	return records[0];
}

function includes(actual, expected) {
	assert.deepEqual({ ...actual, ...expected }, actual);
}

export const cases = [
	{
		name: 'a workflow over every operation succeeds',
		async run(world) {
			const { status, data } = await executed(world);
			assert.equal(status, 'success', data.resultData.error?.message);
		},
	},
	{
		name: 'create gives the whole new lead, as the service holds it',
		async run(world) {
			const lead = await only(world, 'Create');
			includes(lead, {
				externalId: EXTERNAL_ID,
				status: 'open',
				priority: 'high',
				source: 'api',
				estimatedValue: 1500.5,
				notes: 'first',
			});
			assert.equal(Date.parse(lead.saleDate), Date.UTC(2026, 2, 1, 10));
			includes(lead.contact, { name: 'Contact A', email: 'contact.a@example.com' });
			assert.ok(lead.tags.includes('e2e'));
		},
	},
	{
		name: 'the same external ID updates the same lead',
		async run(world) {
			const { id } = await only(world, 'Create');
			includes(await only(world, 'Update by upsert'), { id, estimatedValue: 2000 });
			const found = await world.sandbox.get(`/leads?search=contact.a@example.com`);
			assert.equal(found.pagination.total, 1);
		},
	},
	{
		name: 'get by ID and by external ID give the same lead',
		async run(world) {
			const lead = await only(world, 'Get by ID');
			includes(lead, { externalId: EXTERNAL_ID, estimatedValue: 2000 });
			assert.deepEqual(await only(world, 'Get by external ID'), lead);
		},
	},
	{
		name: 'update changes what is given, empties what is given empty, and leaves the rest',
		async run(world) {
			const before = await only(world, 'Get by ID');
			const after = await only(world, 'Update');
			assert.deepEqual(after, {
				...before,
				notes: '',
				priority: 'low',
				source: 'whatsapp',
			});
		},
	},
	{
		name: 'update status changes the status alone',
		async run(world) {
			const before = await only(world, 'Update');
			assert.deepEqual(await only(world, 'Update status'), { ...before, status: 'closed_won' });
		},
	},
	{
		name: 'add tags keeps the tags there are',
		async run(world) {
			const { tag } = await executed(world);
			const { tags } = await only(world, 'Add tags');
			assert.deepEqual([...tags].sort(), ['e2e', tag.name, 'second', 'third'].sort());
		},
	},
	{
		name: 'remove tag says so, and the service no longer has it on the lead',
		async run(world) {
			const { id } = await only(world, 'Create');
			assert.deepEqual(await only(world, 'Remove tag'), { deleted: true });
			const { tags } = await world.sandbox.get(`/leads/${id}`);
			assert.deepEqual([...tags].sort(), ['e2e', 'second', 'third']);
		},
	},
	{
		name: 'get many gives as many leads as asked for, each once and paired with its input',
		async run(world) {
			const items = itemsOf(await executed(world), 'Some');
			assert.equal(new Set(items.map(({ json }) => json.id)).size, 7);
			for (const { pairedItem } of items) assert.deepEqual(pairedItem, { item: 0 });
		},
	},
	{
		name: 'get many with Return All gives every lead that matches, across pages, each once',
		async run(world) {
			const ids = jsonOf(await executed(world), 'All open').map(({ id }) => id);
			const { total } = (await world.sandbox.get('/leads?status=open&limit=1')).pagination;
			assert.equal(new Set(ids).size, ids.length);
			assert.equal(ids.length, total);
		},
	},
	{
		name: 'API Request reads, lists and writes',
		async run(world) {
			const run = await executed(world);
			assert.equal(jsonOf(run, 'Get contact').length > 0, true);
			const names = jsonOf(run, 'List tags').map(({ name }) => name);
			assert.ok(names.includes('second') && names.includes(run.tag.name), names.join());
			includes(await only(world, 'Make tag'), { name: 'made' });
			const { tags } = await world.sandbox.get('/tags?limit=100');
			assert.ok(tags.some(({ name }) => name === 'made'));
		},
	},
	{
		name: 'every write was sent exactly once',
		async run(world) {
			const { requests } = await executed(world);
			const writes = requests.filter(({ method }) => method !== 'GET').map(({ route }) => route);
			assert.deepEqual(writes, [
				'POST /leads',
				'POST /leads',
				'PUT /leads/:id',
				'PATCH /leads/:uuid/status',
				'POST /leads/:uuid/tags',
				'DELETE /leads/:uuid/tags/:tagId',
				'POST /tags',
			]);
		},
	},
	{
		name: 'what n8n keeps of an execution never holds the API key',
		async run(world) {
			assert.ok(!JSON.stringify(await executed(world)).includes(world.keys.full));
		},
	},
];
