import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';

/** JSON whose members a test knows: reading one that is missing gives undefined. */
export interface Json {
	[member: string]: Json;
}

/** An answer as it came, with its JSON body (undefined without one). */
export interface Reply {
	status: number;
	headers: Headers;
	body: Json;
	text: string;
}

/** `call(sandbox, 'POST /leads', { externalId: 'a' })`, with the full key by default. */
export async function call(
	{ url, keys }: Sandbox,
	route: string,
	body?: unknown,
	key = keys.full,
): Promise<Reply> {
	const [method, path] = route.split(' ');
	const response = await fetch(`${url}/api/v1/integration${path}`, {
		method,
		redirect: 'manual',
		headers: {
			...(key && { Authorization: `Bearer ${key}` }),
			...(body !== undefined && { 'Content-Type': 'application/json' }),
		},
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	const text = await response.text();
	const isJson = text && response.headers.get('content-type')?.includes('json');
	const { status, headers } = response;
	return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** A sandbox and a plain client for it. */
export interface Bench {
	sandbox: Sandbox;
	call(route: string, body?: unknown, key?: string): Promise<Reply>;
}

/** Starts a sandbox for the tests of the surrounding block and stops it after them. */
export function useSandbox(options: SandboxOptions = {}): Bench {
	const bench = {
		call: async (...given) => await call(bench.sandbox, ...given),
	} as Bench;
	beforeAll(async () => {
		bench.sandbox = await startSandbox({ seed: 60, ...options });
	});
	beforeEach(() => bench.sandbox.controls.reset());
	afterAll(() => bench.sandbox.close());
	return bench;
}
