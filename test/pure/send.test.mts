/** The client against a scripted HTTP helper and a simulated clock. */
import type { IHttpRequestOptions } from 'n8n-workflow';

import type { ServiceRequest } from '../../nodes/IntegrationLeads/transport/request';
import { createClient } from '../../nodes/IntegrationLeads/transport/send';
import { mayHaveArrived } from '../../nodes/IntegrationLeads/userError';
import { node } from '../helpers/node.mts';
import { START, virtualClock } from './virtualClock.mts';

let time: ReturnType<typeof virtualClock>;
let sent: IHttpRequestOptions[];
beforeEach(() => {
	time = virtualClock();
	sent = [];
});
afterEach(() => time.restore());

type Reply = { statusCode: number; body?: object; headers?: object } | Error;

const read: ServiceRequest = { method: 'GET', path: '/x', query: {}, repeatable: true };
const write: ServiceRequest = { ...read, method: 'POST', body: {}, repeatable: false };
const about = { action: 'Get lead', targets: [] };
const accepted: Reply = { statusCode: 200, body: { success: true, data: { id: '1' } } };
const refused = (statusCode: number, code?: string): Reply => ({
	statusCode,
	body: { success: false, error: { code, rows: [1] } },
});
const repeated = (count: number, reply: Reply) => Array.from({ length: count }, () => reply);
const revoked = refused(403, 'API_KEY_REVOKED');
let keys = 0;
const nextKey = () => `sk_test_${(keys += 1)}`;

async function client(replies: Reply[], options: object = {}, name = 'Leads', apiKey = nextKey()) {
	const context = {
		getNode: () => ({ ...node, name }),
		getCredentials: async () => ({ baseUrl: 'https://leads.example.com', apiKey }),
		helpers: {
			httpRequestWithAuthentication: async (_: string, request: IHttpRequestOptions) => {
				sent.push(request);
				await time.sleep(10);
				const reply = replies.shift() ?? accepted;
				if (reply instanceof Error) throw reply;
				return { headers: {}, ...reply, body: JSON.stringify(reply.body) };
			},
		},
	};
	return await createClient(context as never, options);
}

/** What a promise comes to within an hour of simulated time. */
async function outcome<T>(promise: Promise<T>) {
	const [settled] = await Promise.all([
		promise.then(
			(value) => value,
			(error: Error) => error,
		),
		time.runUntil(time.now() + 3_600_000),
	]);
	return settled as T & Error;
}

type Row = [string, Partial<ServiceRequest>, Reply[], expected: object, requests: number];
const one = { status: 200, data: { id: '1' } };
const isAnswer = () => true;
test.each<Row>([
	['a record', read, [accepted], one, 1],
	['a 404 where that is an answer', { mayBeMissing: true }, [refused(404)], { status: 404 }, 1],
	['a 404', read, [refused(404)], Error, 1],
	['a lost DELETE', { method: 'DELETE' }, [new Error(), refused(404)], { status: 404 }, 2],
	['a DELETE of nothing', { method: 'DELETE' }, [refused(404)], Error, 1],
	['a lost answer', read, [new Error()], { status: 200 }, 2],
	['a lost answer to a write', write, [new Error()], Error, 1],
	['a 429 to a write', write, [refused(429)], { status: 200 }, 2],
	['an outage', read, repeated(3, refused(503)), Error, 3],
	// Five seconds each, for a quarter of an hour.
	['a limit that is always used up', read, repeated(200, refused(429)), Error, 20],
	...[200, 400, 409, 422].map((status): Row => {
		const results = { status, failed: true, data: { error: { rows: [1] } } };
		return [`results in a ${status}`, { isAnswer }, [refused(status, 'INVALID')], results, 1];
	}),
	['a refusal without results', { isAnswer: () => false }, [refused(422)], Error, 1],
	['results in a 404', { isAnswer }, [refused(404)], Error, 1],
	['results in a 401', { isAnswer }, [refused(401)], Error, 1],
	['results in a 403 by its code', { isAnswer }, [refused(200, 'FORBIDDEN')], Error, 1],
	['results in a 429 by its code', { isAnswer }, [refused(400, 'RATE_LIMIT_EXCEEDED')], one, 2],
])('%s', async (_, request, replies, expected, requests) => {
	const made = await client(replies);
	const result = await outcome(made.send({ ...read, ...request }, about));
	if (expected === Error) expect(result).toBeInstanceOf(Error);
	else expect(result).toMatchObject(expected);
	expect(sent).toHaveLength(requests);
});

const lost = Object.assign(new Error(), { code: 'ECONNRESET' });
const closed = Object.assign(new Error(), { code: 'ECONNREFUSED' });
test.each<[string, Partial<ServiceRequest>, Reply[], boolean]>([
	['lost', write, [lost], true],
	['repeated, and lost before the last attempt', read, [lost, closed, closed], true],
	['lost, then refused by the rate limit', read, [lost, ...repeated(200, refused(429))], true],
	['refused by the rate limit', read, repeated(200, refused(429)), false],
	['never connected', write, repeated(3, closed), false],
	['not in the list', { ...write, findCreated: async () => null }, repeated(3, lost), false],
])(
	'a request may have arrived if one of its attempts was lost: %s',
	async (_, request, replies, is) => {
		const made = await client(replies);
		expect(mayHaveArrived(await outcome(made.send({ ...read, ...request }, about)))).toBe(is);
	},
);

test('an outage that comes after other answers ends as early as any', async () => {
	const made = await client([accepted, ...repeated(5, refused(503))]);
	await outcome(made.send(read, about));
	expect(await outcome(made.send(read, about))).toBeInstanceOf(Error);
	expect(sent).toHaveLength(4);
});

test('what the list shows since the first of several lost answers counts', async () => {
	const asked: number[] = [];
	const findCreated = async (sentAt: number) => {
		asked.push(sentAt - START);
		await time.sleep(5000);
		return asked.length < 3 ? null : undefined;
	};
	const made = await client(repeated(3, refused(503)));
	await outcome(made.send({ ...write, findCreated }, about));
	expect(asked).toEqual([0, 0, 0]);
	expect(sent).toHaveLength(3);
});

test.each([
	['a read', read, [], 0],
	['a write', write, [], 1],
	['a write that was lost', write, [refused(503)], 1],
])(
	'counts writes, after which contacts are read again: %s',
	async (_, request, answers, writes) => {
		const made = await client(answers);
		await outcome(made.send(request, about));
		expect(made.forItem(false).writes).toBe(writes);
	},
);

test('no request waits for its answer beyond the deadline', async () => {
	const made = await client([], { deadline: START + 900 });
	await outcome(made.send(read, about));
	await outcome(made.send(read, about));
	expect(sent.map(({ timeout }) => timeout)).toEqual([900, 1]);
});

test('a revoked key stops every execution that waits with it', async () => {
	const key = nextKey();
	const first = await client([revoked], {}, 'First', key);
	const second = await client([], {}, 'Second', key);
	const requests = [first.send(read, about), second.send(read, about), first.send(read, about)];
	const settled = await outcome(Promise.allSettled(requests));
	expect(settled).toMatchObject(
		requests.map(() => ({ reason: { message: 'The API key has been revoked', kind: 'key' } })),
	);
	expect(await outcome(first.send(read, about))).toBeInstanceOf(Error);
	expect(sent).toHaveLength(1);
});

test('requests leave in their order, without those of an execution that was cancelled', async () => {
	const controller = new AbortController();
	const key = nextKey();
	const cancelled = await client([], { signal: controller.signal }, 'A', key);
	const other = await client([], {}, 'B', key);
	// More than may be in flight at first: none keeps its place.
	const many = Array.from({ length: 10 }, () => cancelled);
	const requests = [other, other, ...many, other, other].map(
		async (by, n) => await by.send({ ...read, path: `/${n}` }, about),
	);
	const settled = Promise.allSettled(requests);
	// The first is sent, the rest wait for its answer.
	await time.runUntil(START + 1);
	controller.abort(new Error('cancelled'));
	const reasons = (await outcome(settled)).flatMap((each) =>
		each.status === 'rejected' ? [each.reason as Error] : [],
	);
	expect(reasons).toEqual(many.map(() => new Error('cancelled')));
	expect(sent.map(({ url }) => url?.split('/').pop())).toEqual(['0', '1', '12', '13']);
});

test('a page of a list goes behind what began before it was asked for', async () => {
	const key = nextKey();
	const list = await client([], { isList: true }, 'List', key);
	const items = [await client([], {}, 'a', key), await client([], {}, 'b', key)];
	const page = async (name: string) => await list.send({ ...read, path: `/${name}` }, about);
	const first = items[0].send({ ...read, path: '/first' }, about);
	// The first request goes alone, and all others wait for its answer.
	const others = [
		page('page1'),
		...items.map(
			async (made, n) => await made.forItem(false).send({ ...read, path: `/${n}` }, about),
		),
		page('page2'),
	];
	await outcome(Promise.all([first, ...others]));
	const paths = sent.map(({ url }) => url.split('/').at(-1));
	expect(paths).toEqual(['first', 'page1', '0', '1', 'page2']);
});

test('while the limit is used up, requests wait until its window ends, and say how long', async () => {
	const reset = String(Math.ceil(START / 1000) + 30);
	const limits = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0' };
	const made = await client([{ ...accepted, headers: { ...limits, 'x-ratelimit-reset': reset } }]);
	await outcome(Promise.all([made.send(read, about), made.send(read, about)]));
	expect(sent).toHaveLength(2);
	expect(Math.round(made.rateLimitDelayMs / 1000)).toBe(32);
});

test('a credential that cannot be used is refused by its field', async () => {
	const credential = { baseUrl: 'https://x.example', apiKey: '' };
	const context = { getNode: () => node, getCredentials: async () => credential, helpers: {} };
	await expect(createClient(context as never)).rejects.toMatchObject({
		message: 'API Key is empty. Enter a key of the leads service.',
		description: 'Open the credential and correct it.',
	});
});

test('a key says whether it is for tests', async () => {
	expect((await client([], {}, 'A', 'sk_live_1')).isTestKey).toBe(false);
	expect((await client([], {}, 'A', 'sk_test_1')).isTestKey).toBe(true);
});
