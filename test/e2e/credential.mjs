import assert from 'node:assert/strict';
import { createServer } from 'node:http';

import { freePort } from '../../scripts/lib/ports.mjs';
import { credentialType } from '../../scripts/lib/repository.mjs';

/** The result of the credential test with these values. */
async function test({ client, credential }, data) {
	return await client.testCredential({ ...credential, type: credentialType }, data);
}

/** A web server that answers every request with a page, like most wrong base URLs. */
async function withWebPage(use) {
	const server = createServer((_, response) => {
		response.writeHead(200, { 'content-type': 'text/html' });
		response.end('<!doctype html><title>A page</title>');
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	try {
		return await use(`http://127.0.0.1:${server.address().port}`);
	} finally {
		await new Promise((resolve) => server.close(resolve));
	}
}

async function addKey({ sandbox }, scopes, name) {
	return (await sandbox.control('addKey', { scopes, name })).key;
}

async function passes(world, data) {
	const result = await test(world, data);
	assert.deepEqual(result.status, 'OK', `it said: ${result.message}`);
}

async function fails(world, data, words) {
	const result = await test(world, data);
	assert.equal(result.status, 'Error', 'the test should have failed');
	assert.match(result.message, words);
	assert.ok(!result.message.includes(data.apiKey), 'the key must not be shown');
}

export const cases = [
	{
		name: 'a good key connects',
		run: async (world) =>
			await passes(world, { baseUrl: world.sandbox.url, apiKey: world.keys.full }),
	},
	{
		name: 'a base URL with a slash at its end, or with the prefix, connects too',
		async run(world) {
			const { url } = world.sandbox;
			for (const baseUrl of [
				`${url}/`,
				`${url}/api/v1/integration`,
				` ${url}/api/v1/integration/`,
			]) {
				await passes(world, { baseUrl, apiKey: world.keys.full });
			}
		},
	},
	{
		name: 'a key without leads:read connects',
		async run(world) {
			const apiKey = await addKey(world, ['tags:read'], 'tagsOnly');
			await passes(world, { baseUrl: world.sandbox.url, apiKey });
		},
	},
	{
		name: 'an unknown key has a message of its own',
		run: async (world) =>
			await fails(
				world,
				{ baseUrl: world.sandbox.url, apiKey: 'sk_test_unknown_key' },
				/not accepted/i,
			),
	},
	{
		name: 'a revoked key has a message of its own',
		run: async (world) =>
			await fails(world, { baseUrl: world.sandbox.url, apiKey: world.keys.revoked }, /revoked/i),
	},
	{
		name: 'an unreachable host has a message of its own',
		async run(world) {
			const baseUrl = `http://127.0.0.1:${await freePort()}`;
			await fails(world, { baseUrl, apiKey: world.keys.full }, /ECONNREFUSED|reach|refused/i);
		},
	},
	{
		name: 'a host that is not the service has a message of its own',
		run: async (world) =>
			await withWebPage(
				async (baseUrl) =>
					await fails(
						world,
						{ baseUrl, apiKey: world.keys.full },
						/did not come from the leads service|not as the leads service/i,
					),
			),
	},
	{
		name: 'an unavailable service has a message of its own',
		async run(world) {
			await world.sandbox.control('fault', {
				match: { path: '/leads' },
				kind: 'status',
				status: 503,
				times: 1,
			});
			try {
				await fails(
					world,
					{ baseUrl: world.sandbox.url, apiKey: world.keys.full },
					/not available right now/i,
				);
			} finally {
				await world.sandbox.control('clearFaults', {});
			}
		},
	},
];
