import assert from 'node:assert/strict';

import {
	byId,
	credentialWith,
	errorOf,
	execute,
	flow,
	includes,
	itemsOf,
	jsonOf,
	leads,
} from './flow.mjs';

/** Three leads, the second of which is then requested by an unknown ID. */
const MISSING_ID = '00000000-0000-4000-8000-000000000000';
const second = (value) => `={{ $itemIndex === 1 ? '${MISSING_ID}' : ${value} }}`;

const moveThree = (more) =>
	flow(
		'Three leads, one missing',
		leads('Read', 'getAll', { returnAll: false, limit: 3, filters: { status: 'open' } }),
		leads('Move', 'updateStatus', { leadId: byId(second('$json.id')), status: 'on_hold' }, more),
	);

const createOne = (externalId) => flow('Create one', leads('Create', 'upsert', { externalId }));

/** The current statuses, in the sandbox, of the leads that a step read. */
async function statusesNow(world, execution) {
	const ids = jsonOf(execution, 'Read').map(({ id }) => id);
	const found = await Promise.all(ids.map(async (id) => await world.sandbox.get(`/leads/${id}`)));
	return found.map(({ status }) => status);
}

/** Runs a create with another key and returns the error and the requests sent. */
async function createWithKey(world, name, apiKey) {
	const credential = await credentialWith(world, name, apiKey);
	await world.sandbox.control('clearRequests', {});
	const execution = await execute(world, createOne(`e2e-${name}`), credential);
	assert.equal(execution.status, 'error');
	assert.ok(!JSON.stringify(execution).includes(apiKey), 'the key must not be kept');
	return { error: errorOf(execution), requests: await world.sandbox.control('requests') };
}

export const cases = [
	{
		name: 'a failed item stops the workflow, and the message names the lead',
		async run(world) {
			const execution = await execute(world, moveThree());
			assert.equal(execution.status, 'error');
			assert.match(errorOf(execution).message, new RegExp(`${MISSING_ID}.* was not found`));
		},
	},
	{
		name: 'continue: a failed item fails alone and keeps its place',
		async run(world) {
			const execution = await execute(world, moveThree({ onError: 'continueRegularOutput' }));
			assert.equal(execution.status, 'success');
			const items = itemsOf(execution, 'Move');
			assert.deepEqual(
				items.map(({ pairedItem }) => pairedItem),
				[{ item: 0 }, { item: 1 }, { item: 2 }],
			);
			assert.match(items[1].json.error, /was not found/);
			assert.deepEqual(await statusesNow(world, execution), ['on_hold', 'open', 'on_hold']);
		},
	},
	{
		name: 'error output: the failed item goes there, the others continue',
		async run(world) {
			const execution = await execute(world, moveThree({ onError: 'continueErrorOutput' }));
			assert.equal(execution.status, 'success');
			const done = jsonOf(execution, 'Move', 0);
			const failed = jsonOf(execution, 'Move', 1);
			assert.deepEqual(
				done.map(({ status }) => status),
				['on_hold', 'on_hold'],
			);
			assert.equal(failed.length, 1);
			assert.match(failed[0].error, /was not found/);
		},
	},
	...[
		// n8n 1.123 refuses by itself to run a node with a required field that was left empty.
		{
			given: '',
			how: 'left empty',
			needs: { n8n: '2.41.1', for: 'run with an empty required field' },
		},
		{ given: '={{ "" }}', how: 'computed as empty' },
	].map(({ given, how, needs }) => ({
		name: `a missing external ID is refused before anything is sent: ${how}`,
		needs,
		async run(world) {
			await world.sandbox.control('clearRequests', {});
			const execution = await execute(world, createOne(given));
			assert.match(errorOf(execution).message, /External ID.* is required/);
			assert.deepEqual(await world.sandbox.control('requests'), []);
		},
	})),
	{
		name: 'a name that the service did not take is stated in the output and in a hint',
		async run(world) {
			const externalId = 'e2e-differences';
			const write = (step, name) =>
				leads(step, 'upsert', { externalId, name, email: 'e2e-differences@example.com' });
			const steps = [write('First', 'Contact A'), write('Second', 'Contact B')];
			const execution = await execute(world, flow('Differences', ...steps));
			const [first, second] = ['First', 'Second'].map((step) => jsonOf(execution, step)[0]);
			assert.equal(first.differences, undefined);
			assert.match(second.differences, /^Contact Name is "Contact A", not "Contact B"/);
			const [{ hints }] = execution.data.resultData.runData.Second;
			assert.match(hints[0].message, /another "Contact Name"/);
		},
	},
	{
		name: 'a lead is created and then updated by the phone of its person, however it is written',
		async run(world) {
			const write = (step, phone, status) =>
				leads(step, 'upsert', {
					...{ identifyBy: 'emailOrPhone', phone, additionalFields: { status } },
					options: { defaultCountryCode: '55', lookFirst: true },
				});
			const steps = [
				write('First', '(21) 8765-4321', 'open'),
				write('Second', '5521987654321@s.whatsapp.net', 'closed_won'),
			];
			const execution = await execute(world, flow('By phone', ...steps));
			const [first, second] = ['First', 'Second'].map((step) => jsonOf(execution, step)[0]);
			includes(first, { externalId: '+5521987654321', created: true, linked: false });
			includes(second, { id: first.id, status: 'closed_won', created: false, linked: false });
		},
	},
	{
		name: 'a wrong key: one request, and a message that says what to do',
		async run(world) {
			const { error, requests } = await createWithKey(world, 'wrongKey', 'sk_test_not_a_known_key');
			assert.match(error.message, /API key was not accepted/);
			assert.match(error.description, /credential/);
			assert.deepEqual(
				requests.map(({ status }) => status),
				[401],
			);
		},
	},
	{
		name: 'a revoked key: one request, and a message that says so',
		async run(world) {
			const { error, requests } = await createWithKey(world, 'revokedKey', world.keys.revoked);
			assert.match(error.message, /has been revoked/);
			assert.equal(requests.length, 1);
		},
	},
	{
		name: 'a key without the scope: the message names the scope',
		async run(world) {
			const { error } = await createWithKey(world, 'readOnlyKey', world.keys.readOnly);
			assert.match(error.message, /does not permit/);
			assert.match(error.description, /leads:write/);
		},
	},
	{
		name: 'a request to a service that fails briefly is repeated',
		async run(world) {
			await world.sandbox.control('clearRequests', {});
			const match = { method: 'GET', path: '/leads' };
			await world.sandbox.control('fault', { match, kind: 'status', status: 503 });
			const execution = await execute(
				world,
				flow('Read', leads('Read', 'getAll', { returnAll: false, limit: 2 })),
			);
			assert.equal(execution.status, 'success', errorOf(execution)?.message);
			const statuses = (await world.sandbox.control('requests')).map(({ status }) => status);
			assert.deepEqual(statuses, [503, 200]);
		},
	},
];
