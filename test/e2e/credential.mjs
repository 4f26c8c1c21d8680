/** What the test of the credential dialog says, which only n8n carries out. */
import assert from 'node:assert/strict';

import { freePort } from '../../scripts/lib/ports.mjs';
import { credentialType } from '../../scripts/lib/repository.mjs';

/** The API key and the base URL, if they are not the right ones, and what n8n says; nothing if it connects. */
const ROWS = {
	'a good key': [{}],
	'a base URL with a slash at its end': [({ url }) => ({ baseUrl: `${url}/` })],
	'a base URL with the prefix': [({ url }) => ({ baseUrl: ` ${url}/api/v1/integration/` })],
	'a key without leads:read': [
		async (sandbox) => {
			const { key } = await sandbox.control('addKey', { scopes: ['tags:read'], name: 'tagsOnly' });
			return { apiKey: key };
		},
	],
	'an unknown key': [{ apiKey: 'sk_test_unknown_key' }, /was not accepted/],
	'a revoked key': [(_, keys) => ({ apiKey: keys.revoked }), /has been revoked/],
	'a base URL without https': [{ baseUrl: 'http://leads.example.com' }, /must start with https/],
	'an unreachable host': [
		async () => ({ baseUrl: `http://127.0.0.1:${await freePort()}` }),
		/nothing accepts connections at its address \(ECONNREFUSED\)/,
	],
	'a host without TLS': [
		({ url }) => ({ baseUrl: url.replace('http:', 'https:') }),
		/does not use HTTPS at this address/,
	],
	'a host that answers with a page': [
		async (sandbox) => void (await sandbox.control('fault', { kind: 'html' })),
		/did not come from the leads service/,
	],
	'a host without the service': [
		(_, __, n8n) => ({ baseUrl: n8n.url }),
		/did not come from the leads service/,
	],
	'a service that is not available': [
		async (sandbox) => void (await sandbox.control('fault', { kind: 'status', status: 503 })),
		/not available right now/,
	],
};

export const cases = Object.entries(ROWS).map(([name, [given, words]]) => ({
	name: `${name} ${words ? 'has a message of its own' : 'connects'}`,
	async run({ client, credential, sandbox, keys, n8n }) {
		const other = typeof given === 'function' ? await given(sandbox, keys, n8n) : given;
		const data = { baseUrl: sandbox.url, apiKey: keys.full, ...other };
		const tested = await client.testCredential({ ...credential, type: credentialType }, data);
		await sandbox.control('clearFaults', {});
		assert.equal(tested.status, words ? 'Error' : 'OK', tested.message);
		if (words) assert.match(tested.message, words);
		assert.ok(!tested.message.includes(data.apiKey), 'the key must not be shown');
	},
}));
