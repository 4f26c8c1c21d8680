/** What goes wrong is said in plain words, and never with the key. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { command, useSandbox } from './bench.mts';

const bench = useSandbox();

/** Runs the probe against a host that answers like this. */
async function against(answer: RequestListener, apiKey: string, ...flags: string[]) {
	const server = createServer(answer);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	try {
		return await command(['--base-url', `http://127.0.0.1:${port}`, '--api-key', apiKey, ...flags]);
	} finally {
		server.close();
		server.closeAllConnections();
	}
}

const KEY = 'sk_live_0123456789abcdef';
const stack = /^\s+at /m;

test.each<[string, number, string, string]>([
	['a page', 200, '<html><h1>Welcome</h1></html>', 'did not come from the leads service.'],
	['a page not found', 404, '<html>Not found</html>', 'but not as the leads service'],
	['nothing', 200, '', 'did not come from the leads service'],
	['a server that is down', 503, 'down', 'not available right now (HTTP 503)'],
	['a refusal', 401, '{"success":false,"error":{"code":"UNAUTHORIZED"}}', 'was not accepted'],
])('%s', async (_, status, body, message) => {
	const { code, text } = await against((__, reply) => reply.writeHead(status).end(body), KEY);
	expect([code, text]).toEqual([1, expect.stringContaining(message)]);
	expect(text).not.toMatch(stack);
	expect(text).not.toContain(KEY);
});

test.each([
	['revoked', () => bench.sandbox.keys.revoked, 'has been revoked. Create a new key'],
	['wrong', () => KEY, 'was not accepted. Use a key that is valid'],
])('a %s key', async (_, key, message) => {
	const args = ['--base-url', bench.sandbox.url, '--api-key', key()];
	const { code, text } = await command(args);
	expect([code, text]).toEqual([1, expect.stringContaining(message)]);
	expect(text).not.toContain(key());
	expect(bench.sandbox.controls.requests()).toHaveLength(1);
});

test('a redirect is not followed', async () => {
	bench.sandbox.controls.fault({ kind: 'redirect', url: `${bench.sandbox.url}/elsewhere` });
	const { url, keys } = bench.sandbox;
	const { code, text } = await command(['--base-url', url, '--api-key', keys.full]);
	expect([code, text]).toEqual([1, expect.stringContaining('The key does not follow')]);
	expect(bench.sandbox.controls.requests()).toHaveLength(1);
});

describe('a host that says the key', () => {
	/** In the body and the headers, in success and in failure, alone and within other words. */
	const echo: RequestListener = ({ headers: { authorization = '' }, method }, reply) => {
		const id = `${'-'.repeat(70)}${authorization}${authorization}`;
		const contact = { id, email: id };
		const record = { id, externalId: id, status: authorization, contact, tags: [id] };
		const body = { success: true, data: { leads: [record], [authorization]: id }, [id]: id };
		reply.setHeader('X-RateLimit-Reset', id.trim());
		reply.setHeader('X-RateLimit-Limit', encodeURIComponent(authorization));
		const failure = { success: false, error: { code: id, message: id, authorization } };
		const [status, answer] = method === 'GET' ? [200, body] : [400, failure];
		reply.writeHead(status).end(JSON.stringify(answer));
	};

	test.each(['sk_live_0123456789abcdef', 'acme_test_0123456789abcdef', 'no"usual/key\\0123456789'])(
		'%s',
		async (key) => {
			const { code, text } = await against(echo, key, '--write');
			expect(code).toBe(1);
			expect(text).toContain('[key]');
			for (let from = 0; from + 6 <= key.length; from++) {
				expect(text).not.toContain(key.slice(from, from + 6));
			}
		},
	);

	test('in a refusal, and in where it redirects to', async () => {
		for (const status of [302, 404]) {
			const { text } = await against(({ headers: { authorization = '' } }, reply) => {
				const error = { code: authorization, message: authorization };
				reply.writeHead(status, { Location: `/${authorization}` });
				reply.end(JSON.stringify({ success: false, error }));
			}, KEY);
			expect(text).toContain('[key]');
			expect(text).not.toContain('0123456789');
		}
	});
});
