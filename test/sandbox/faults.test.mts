import axios from 'axios';
import type { FaultRule } from '../../sandbox/faults.mts';
import { useSandbox } from './client.mts';

const bench = useSandbox({ seed: 3 });

/** One write, as a client sees it that neither parses nor follows nor repeats. */
async function write(externalId = 'x'): Promise<unknown> {
	const { url, keys } = bench.sandbox;
	try {
		const reply = await axios.post<string>(
			`${url}/api/v1/integration/leads`,
			{ externalId },
			{
				headers: { Authorization: `Bearer ${keys.full}` },
				maxRedirects: 0,
				proxy: false,
				responseType: 'text',
				transformResponse: (text: string) => text,
				validateStatus: () => true,
				timeout: 500,
			},
		);
		return [reply.status, reply.headers.location ?? reply.data];
	} catch (error) {
		return (error as { code: string }).code;
	}
}

const cases: Array<[Omit<FaultRule, 'match' | 'times' | 'when'>, unknown]> = [
	[{ kind: 'status', status: 503 }, [503, expect.stringContaining('"success":false')]],
	[{ kind: 'status', status: 422, body: { error: 'no' } }, [422, '{"error":"no"}']],
	[{ kind: 'status', status: 502, body: 'Bad gateway' }, [502, 'Bad gateway']],
	[{ kind: 'reset' }, 'ECONNRESET'],
	[{ kind: 'reset-after-headers' }, expect.stringMatching(/ECONNRESET|ERR_BAD_RESPONSE|ABORTED/)],
	[{ kind: 'truncated' }, expect.stringMatching(/ECONNRESET|ERR_BAD_RESPONSE|ABORTED/)],
	[{ kind: 'truncated-quiet' }, [expect.any(Number), expect.stringMatching(/^\{"succ.*[^}]$/)]],
	[{ kind: 'slow', ms: 900 }, 'ECONNABORTED'],
	[{ kind: 'html' }, [200, expect.stringContaining('<html>')]],
	[{ kind: 'empty' }, [200, '']],
	[{ kind: 'success-false' }, [200, expect.stringContaining('"success":false')]],
	[{ kind: 'redirect', url: 'http://example.com/' }, [302, 'http://example.com/']],
];

test.each(cases)('%j, before and after the operation', async (fault, expected) => {
	const { controls, store } = bench.sandbox;
	controls.fault({ ...fault, when: 'before' });
	expect(await write()).toEqual(expected);
	expect(store.leads.size).toBe(3);
	controls.fault({ ...fault, when: 'after' });
	expect(await write()).toEqual(expected);
	expect(store.leads.size).toBe(4);
	expect(await write()).toEqual([200, expect.stringContaining('"externalId":"x"')]);
	expect(controls.requests().map((request) => request.fault)).toEqual([
		fault.kind,
		fault.kind,
		undefined,
	]);
});

test('what is carried out later is carried out, whatever the caller has got', async () => {
	const { controls, store } = bench.sandbox;
	controls.fault({ kind: 'status', when: 'later', ms: 50 });
	expect(await write()).toEqual([500, expect.any(String)]);
	expect(store.leads.size).toBe(3);
	while (store.leads.size === 3) await new Promise((resolve) => setTimeout(resolve, 10));
	controls.fault({ kind: 'slow', when: 'later', ms: 900 });
	expect(await write('y')).toBe('ECONNABORTED');
	while (store.leads.size === 4) await new Promise((resolve) => setTimeout(resolve, 10));
	expect(store.leads.size).toBe(5);
});

test.each<[FaultRule['match'], string[], number[]]>([
	[{}, ['GET /leads', 'GET /tags', 'GET /tags'], [500, 500, 200]],
	[{ path: '/tags' }, ['GET /leads', 'GET /tags', 'GET /tags', 'GET /tags'], [200, 500, 500, 200]],
	[{ path: '^/leads/[^/]+$' }, ['GET /leads', 'GET /leads/lead-000001'], [200, 500]],
	[{ method: 'post' }, ['GET /tags', 'POST /contacts'], [200, 500]],
	[{ nth: 2 }, ['GET /tags', 'GET /tags', 'GET /tags', 'GET /tags'], [200, 500, 500, 200]],
])('two requests that match %j are hit', async (match, routes, statuses) => {
	bench.sandbox.controls.fault({ match, times: 2, kind: 'status' });
	const seen: number[] = [];
	for (const route of routes) {
		const body = route.startsWith('POST') ? { name: 'Contact A' } : undefined;
		seen.push((await bench.call(route, body)).status);
	}
	expect(seen).toEqual(statuses);
});

test('faulty answers still count and carry the rate-limit headers', async () => {
	bench.sandbox.controls.fault({ kind: 'html' });
	const { headers } = await bench.call('GET /leads');
	expect(headers.get('x-ratelimit-remaining')).toBe('999');
});
