/** The key stays where it belongs, and a value never leads to another path than the one meant. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';

import { by, fastClock, useLab } from '../helpers/lab.mts';

const lab = useLab({ seed: 20 }, () => fastClock(2000));

describe('a canary key is in nothing that n8n keeps or shows', () => {
	const canary = 'canary_live_Zx81qP77mQ';
	const quoting = {
		success: false,
		error: { code: canary, message: `Bearer ${canary} is no good` },
	};

	test.each([
		['a success', undefined],
		['a refusal that quotes it', { kind: 'status', status: 401, body: quoting }],
		[
			'a refusal whose reasons quote it',
			{ kind: 'status', status: 400, body: { errors: [{ field: canary, message: canary }] } },
		],
		['a web page that quotes it', { kind: 'status', status: 200, body: `<p>${canary}</p>` }],
		['a server failure', { kind: 'status', status: 500, times: 9, body: quoting }],
		['a redirect', { kind: 'redirect', url: `https://example.com/?key=${canary}` }],
	] as const)('after %s', async (_, fault) => {
		const { controls } = lab.sandbox;
		const { key } = controls.addKey({ scopes: ['leads:read', 'leads:write'], name: 'canary' });
		// The sandbox makes its own keys; the canary stands in for it on its way.
		const apiKey = fault ? canary : key;
		const logged: string[] = [];
		const spies = (['log', 'warn', 'error', 'info', 'debug'] as const).map((level) =>
			jest.spyOn(console, level).mockImplementation((...args) => logged.push(args.join(' '))),
		);
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			controls.clearFaults();
			if (fault) controls.fault(fault as never);
			const ran = await lab.withKey(apiKey).run({ operation: 'getAll', limit: 1 }, { onError });
			const seen = JSON.stringify([deep(ran), logged]);
			// Compared as a truth, so that a leak does not print the key either.
			expect([seen.includes('executionIndex'), seen.includes(apiKey)]).toEqual([true, false]);
		}
		for (const spy of spies) spy.mockRestore();
	});
});

test.each([
	['refuses', { success: false, error: 'Bearer KEY is no good' }],
	['leaves open', { note: 'Bearer KEY', errors: { KEY: 'KEY' } }],
])('the key is in no message about a lead of a batch that the service %s', async (_, entry) => {
	const canary = 'canary_live_Zx81qP77mQ';
	const data = JSON.parse(
		JSON.stringify([{ externalId: 'a', ...entry }]).replaceAll('KEY', canary),
	);
	for (const output of ['inputWithResult', 'ofItem']) {
		lab.sandbox.controls.fault({ kind: 'status', status: 200, body: { success: true, data } });
		const { items, ...ran } = await lab.withKey(canary).run(
			{
				resource: 'sync',
				operation: 'push',
				lead: { mappingMode: 'autoMapInputData', value: null },
				options: { output, readUnconfirmed: false },
			},
			{ input: [{ 'External ID': 'a' }], onError: 'continueRegularOutput' },
		);
		expect(items).toHaveLength(1);
		expect(JSON.stringify(deep([items, ran.hints, ran.error])).includes(canary)).toBe(false);
	}
});

// Which characters: test/pure/clean.test.mts.
test.each<[string, IDataObject]>([
	[
		'a lead',
		{ operation: 'upsert', name: 'Ana\u0000 \ud83d', notes: 'a\u0007b', tags: ['x\u0000'] },
	],
	[
		'an interaction',
		{
			resource: 'interaction',
			operation: 'create',
			leadId: by('id', 'x'),
			title: 'a\u0000b',
			options: { metadata: { deep: [{ text: 'a\ud83db' }] } },
		},
	],
	[
		'a message',
		{ resource: 'message', operation: 'create', conversationId: 'x', content: 'Oi\u0000' },
	],
	['a search', { operation: 'getAll', limit: 1, filters: { search: 'Ana\u0000' } }],
])('%s is sent without characters that a database refuses', async (_, parameters) => {
	lab.sandbox.controls.clearRequests();
	await lab.engine.run({ externalId: 'clean', ...parameters });
	const requests = lab.sandbox.controls.requests();
	expect(requests.length).toBeGreaterThan(0);
	const sent = JSON.stringify(requests) + decodeURIComponent(JSON.stringify(requests));
	expect(sent).not.toMatch(/\\u00|%00|\\ud8/i);
});

// Which values are refused: test/pure/path.test.mts and request.test.mts.
test.each<[string, IDataObject, string]>([
	['an ID', { operation: 'get', leadId: by('id', 'a/../b') }, '"Lead" is not an ID: "a/../b"'],
	[
		'what an expression gives for a setting',
		{ operation: 'getAll', options: { timeout: '={{ [1] }}' } },
		'"Timeout (Seconds)" must be a number: [1]',
	],
	[
		'the path of an API request',
		{ resource: 'apiRequest', operation: 'request', method: 'GET', path: '/leads/%2e%2e/x' },
		'"Path" is not a path below the base URL: "/leads/%2e%2e/x"',
	],
])('%s is refused before anything is sent: %j', async (_, parameters, message) => {
	const { error } = await lab.engine.run(parameters);
	expect(error?.message).toBe(message);
	expect(lab.sandbox.controls.requests()).toEqual([]);
});

test.each(['a/b', 'a%2F?b#c', "ä & = + ,'(1)!* 名", '...'])(
	'the external ID %j arrives as it is',
	async (externalId) => {
		lab.sandbox.controls.createLead({ externalId });
		const leadId = by('externalId', externalId);
		const { items, error } = await lab.engine.run({ operation: 'get', leadId });
		expect([error, items[0]?.json.externalId]).toEqual([undefined, externalId]);
	},
);

test('a redirect to a second host gets no key, nor a request', async () => {
	let asked = 0;
	const second = createServer((_, response) => {
		asked += 1;
		response.end('{}');
	});
	await new Promise<void>((resolve) => second.listen(0, '127.0.0.1', resolve));
	const { port } = second.address() as AddressInfo;
	for (const status of [301, 302, 303, 307, 308]) {
		lab.sandbox.controls.fault({ kind: 'redirect', status, url: `http://127.0.0.1:${port}/` });
		const { error } = await lab.engine.run({ operation: 'upsert', externalId: 'e' });
		expect(error?.message).toBe('The answer did not come from the leads service');
	}
	await new Promise((resolve) => second.close(resolve));
	expect(asked).toBe(0);
});

/** Everything of a value, also what JSON leaves out of errors. */
function deep(value: unknown, seen = new Set<unknown>()): unknown {
	if (typeof value !== 'object' || value === null || seen.has(value)) return value;
	seen.add(value);
	if (Array.isArray(value)) return value.map((each) => deep(each, seen));
	const names = Object.getOwnPropertyNames(value);
	return Object.fromEntries(names.map((name) => [name, deep((value as IDataObject)[name], seen)]));
}
