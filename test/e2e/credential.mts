/** The test of the credential dialog in n8n. What it says of each mistake: test/pure/testCredential.test.mts. */
import assert from 'node:assert/strict';

import type { Case } from '../../scripts/lib/cases.mts';
import { freePort } from '../../scripts/lib/ports.mts';
import { credentialType } from '../../scripts/lib/repository.mts';
import type { CaseWorld } from './world.mts';

/** What is not right, and what n8n says of it; nothing if it connects. */
const ROWS: Record<string, [given: object, words?: RegExp]> = {
	'a good key': [{}],
	'an unknown key': [{ apiKey: 'sk_test_unknown_key' }, /was not accepted/],
	'an unreachable host': [
		{ baseUrl: `http://127.0.0.1:${await freePort()}` },
		/nothing accepts connections at its address \(ECONNREFUSED\)/,
	],
};

export const cases: Array<Case<CaseWorld>> = Object.entries(ROWS).map(([name, [given, words]]) => ({
	name: `${name} ${words ? 'has a message of its own' : 'connects'}`,
	async run({ client, credential, sandbox, keys }) {
		const data = { baseUrl: sandbox.url, apiKey: keys.full, ...given };
		const tested = await client.testCredential({ ...credential, type: credentialType }, data);
		assert.equal(tested.status, words ? 'Error' : 'OK', tested.message);
		if (words) assert.match(tested.message, words);
		assert.ok(!tested.message.includes(data.apiKey), 'the key must not be shown');
	},
}));
