import { allScopes } from '../../openapi.mts';
import { routes } from '../../sandbox/routes.mts';
import { useSandbox } from './client.mts';

test('each operation of openapi.yaml is carried out', () => {
	expect(routes.filter(({ run }) => typeof run !== 'function')).toEqual([]);
});

describe('access', () => {
	const bench = useSandbox();
	const path = (template: string) => template.replace(/\{\w+\}/g, 'nobody');

	test.each(routes)('$method $path names the scope $scope that a key lacks', async (route) => {
		const others = allScopes.filter((scope) => scope !== route.scope);
		const { key } = bench.sandbox.controls.addKey({ scopes: others });
		const denied = await bench.call(`${route.method} ${path(route.path)}`, undefined, key);
		const message = expect.stringContaining(route.scope) as string;
		expect(denied).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN', message } } });
	});

	test.each([
		['no key', '', 401, 'UNAUTHORIZED'],
		['an unknown key', 'sk_live_unknown', 401, 'UNAUTHORIZED'],
		['the revoked key', 'sk_test_revoked_0123456789abcdef', 403, 'API_KEY_REVOKED'],
	])('%s', async (_, key, status, code) => {
		const denied = await bench.call('GET /leads', undefined, key);
		expect(denied.status).toBe(status);
		expect(denied.body).toMatchObject({ success: false, error: { code } });
	});

	test('the read-only key reads and does not write', async () => {
		const { readOnly } = bench.sandbox.keys;
		expect((await bench.call('GET /leads', undefined, readOnly)).status).toBe(200);
		expect((await bench.call('POST /leads', {}, readOnly)).status).toBe(403);
	});

	test('unknown operations and paths are 404, and logged without the key', async () => {
		expect((await bench.call('GET /webhooks?a=1')).body.error.code).toBe('NOT_FOUND');
		expect((await bench.call('GET /leads/%zz')).status).toBe(404);
		expect((await fetch(`${bench.sandbox.url}/leads`)).status).toBe(404);
		const log = bench.sandbox.controls.requests();
		const unknown = { route: null, key: 'full', status: 404 };
		expect(log).toMatchObject([
			{ method: 'GET', path: '/webhooks', query: { a: '1' }, ...unknown },
			{ path: '/leads/%zz', status: 404 },
			{ path: '/leads', route: null, key: 'none' },
		]);
		expect(JSON.stringify(log)).not.toContain(bench.sandbox.keys.full);
	});

	test('the page escapes what leads hold', async () => {
		bench.sandbox.controls.createLead({ externalId: '<script>alert(1)</script>' });
		const page = await (await fetch(bench.sandbox.url)).text();
		expect(page).toContain('&lt;script&gt;alert(1)');
		expect(page).not.toContain('<script>alert');
	});
});
