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
		['a refusal of another kind', { kind: 'status', status: 422, body: quoting }],
		['a web page that quotes it', { kind: 'status', status: 200, body: `<p>${canary}</p>` }],
		['a reset', { kind: 'reset', times: 9 }],
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

describe('a value in a path', () => {
	const long = 'x'.repeat(10_000);
	test.each([
		['id', '..', '"Lead" is not an ID: ".."'],
		['id', '.', '"Lead" is not an ID: "."'],
		['id', '={{ "" }}', '"Lead" is empty'],
		['id', '   ', '"Lead" is empty'],
		['id', '%2e%2e', '"Lead" is not an ID: "%2e%2e"'],
		['id', 'a/../b', '"Lead" is not an ID: "a/../b"'],
		['id', 'a\\b', '"Lead" is not an ID: "a\\b"'],
		['id', 'a?b=c', '"Lead" is not an ID: "a?b=c"'],
		['id', 'a#b', '"Lead" is not an ID: "a#b"'],
		['id', 'a\u0000b', '"Lead" contains a line break or another character that cannot be sent'],
		['id', long, '"Lead" is too long: 10000 characters'],
		['externalId', '..', '"Lead" is not an ID: ".."'],
		[
			'externalId',
			'a\r\nb',
			'"Lead" contains a line break or another character that cannot be sent',
		],
		['externalId', long, '"Lead" is too long: 10000 characters'],
		[
			'externalId',
			'\ud800',
			'"Lead" contains a line break or another character that cannot be sent',
		],
		['externalId', '../leads', '"Lead" is not an ID: "../leads"'],
	] as const)('%s %j is refused before anything is sent', async (mode, value, message) => {
		const { error } = await lab.engine.run({ operation: 'get', leadId: by(mode, value) });
		expect(error?.message).toBe(message);
		expect(lab.sandbox.controls.requests()).toEqual([]);
	});

	test.each(['a/b', 'a%2Fb', '50 %', 'ä ö & = + ,', 'a?b#c', "o'k(1)!*", '...', '名前'])(
		'external ID %j arrives as it is',
		async (externalId) => {
			lab.sandbox.controls.createLead({ externalId });
			const { items, error } = await lab.engine.run({
				operation: 'get',
				leadId: by('externalId', externalId),
			});
			expect([error, items[0]?.json.externalId]).toEqual([undefined, externalId]);
		},
	);
});

describe('what an expression gives for a setting', () => {
	const getAll = { operation: 'getAll', limit: 3 };
	test.each<[IDataObject, requests: number]>([
		[{ options: { concurrency: '={{ -1 }}' } }, 1],
		[{ options: { concurrency: '={{ 0 }}', timeout: '={{ -5 }}' } }, 1],
		[{ returnAll: '={{ "true" }}' }, 1],
		[{ filters: { status: '', search: '={{ "" }}' } }, 1],
	])('%j is taken as what it can mean', async (parameters, requests) => {
		const { error, items } = await lab.engine.run({ ...getAll, ...parameters });
		expect(error).toBeUndefined();
		expect(items).toHaveLength('returnAll' in parameters ? 20 : 3);
		const sent = lab.sandbox.controls.requests();
		expect(sent).toHaveLength(requests);
		expect(sent[0].query).not.toHaveProperty('status');
	});

	test.each<[IDataObject, string]>([
		[{ options: { concurrency: '={{ "abc" }}' } }, '"Items at Once" must be a number: "abc"'],
		[{ options: { timeout: '={{ [1] }}' } }, '"Timeout (Seconds)" must be a number: [1]'],
		[{ limit: '={{ NaN }}' }, '"Limit" must be a number: null'],
		[{ returnAll: '={{ "all" }}' }, '"Return All" must be true or false: "all"'],
		[{ filters: { status: '={{ ["open"] }}' } }, '"Status" must be text: ["open"]'],
	])('%j is refused before anything is sent', async (parameters, message) => {
		const { error } = await lab.engine.run({ ...getAll, ...parameters });
		expect(error?.message).toBe(message);
		expect(lab.sandbox.controls.requests()).toEqual([]);
	});
});

describe('the path of an API request', () => {
	test.each([
		'https://example.com/leads',
		'//example.com/leads',
		'/leads/../../../admin',
		'/leads/%2e%2e/x',
		'/leads/a%2f..',
		'/leads?status=open',
		'/leads#x',
		'\\leads',
		'={{ "" }}',
	])('%j is refused', async (path) => {
		const { error } = await lab.engine.run(request(path));
		expect(error?.message).toMatch(/^"Path" /);
		expect(lab.sandbox.controls.requests()).toEqual([]);
	});

	test.each(['leads', '/leads', ' /api/v1/integration/leads '])(
		'%j is understood',
		async (path) => {
			const { error } = await lab.engine.run(request(path));
			expect(error).toBeUndefined();
			expect(lab.sandbox.controls.requests()).toMatchObject([{ path: '/leads' }]);
		},
	);

	const request = (path: string): IDataObject => ({
		resource: 'apiRequest',
		operation: 'request',
		method: 'GET',
		path,
	});
});

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
