/**
 * The fault matrix: each way an answer can go wrong, against each kind of safety. A request that may have been carried
 * out is sent again only when that does no harm; what can be survived is survived.
 */
import type { IDataObject } from 'n8n-workflow';

import type { FaultRule } from '../../sandbox/faults.mts';
import { by, called, fastClock, simulatedClock, useLab } from '../helpers/lab.mts';

const lab = useLab({ seed: 30 }, () => fastClock(2000));
let leadId: string;

beforeEach(() => {
	leadId = lab.sandbox.controls.createLead({ externalId: 'known' }).id;
});

test('under the rate limit, the first item is done before the last one begins, also beside a list that began first', async () => {
	const { controls } = lab.sandbox;
	for (let n = 0; n < 2000; n += 1) controls.createLead({});
	simulatedClock();
	controls.limit({ rpm: 60 });
	controls.clearRequests();
	const list = lab.engine.run(called('lead.getAll', { returnAll: true }));
	const people = Array.from({ length: 20 }, (_, n) => ({ email: `new-${n}@example.com` }));
	await Promise.all(
		people.map(async (each) => await lab.engine.run(called('contact.findOrCreate', each))),
	);
	const requests = controls.requests().map(({ method, path }) => `${method} ${path}`);
	const first = requests.indexOf('POST /contacts');
	const isSearch = (each: string) => each.startsWith('GET /contacts');
	expect(requests.slice(first).filter(isSearch).length).toBeGreaterThan(5);
	// What is left of the list comes later.
	expect(requests.slice(first)).toContain('GET /leads');
	expect((await list).items.length).toBeGreaterThanOrEqual(2000);
	fastClock(2000);
});

/** Operations by what repeating them would do. */
const operations: Record<string, [repeatable: boolean, name: string, parameters: IDataObject]> = {
	read: [true, 'lead.get', {}],
	'upsert by external ID': [true, 'lead.upsert', { externalId: 'e' }],
	'upsert by protocol': [false, 'lead.upsert', { externalId: 'e', protocol: 'ML-AA11-BB22' }],
	'any other POST': [
		false,
		'apiRequest.request',
		{ method: 'POST', path: '/contacts', body: '{"name": "A"}' },
	],
};
const parametersOf = (operation: string) => {
	const [, name, parameters] = operations[operation];
	return called(name, { leadId: by('id', leadId), ...parameters });
};

type Expected = 'survived' | 'if repeatable' | 'told';
const status = (code: number, headers = {}): FaultRule => ({
	kind: 'status',
	status: code,
	headers,
});
const NOT_AVAILABLE = (code: number) =>
	`The leads service is not available right now (HTTP ${code})`;

/** `survived`: always; `if repeatable`: else told at once; `told`: no repetition helps. */
const faults: Array<[name: string, FaultRule, Expected, says?: string]> = [
	['429', status(429, { 'Retry-After': '2' }), 'survived'],
	[
		'429 with an absurd time',
		status(429, { 'Retry-After': '99999999' }),
		'told',
		'The rate limit of this API key is used up',
	],
	['408', status(408), 'if repeatable', NOT_AVAILABLE(408)],
	['503', status(503), 'if repeatable', NOT_AVAILABLE(503)],
	['reset', { kind: 'reset' }, 'if repeatable'],
	['reset after headers', { kind: 'reset-after-headers' }, 'if repeatable'],
	['truncated', { kind: 'truncated' }, 'if repeatable'],
	['truncated, quiet', { kind: 'truncated-quiet' }, 'if repeatable'],
	[
		'slow beyond the time-out',
		{ kind: 'slow', ms: 3000 },
		'if repeatable',
		'The leads service could not be reached: it did not answer in time (ECONNABORTED)',
	],
	['slow, byte by byte', { kind: 'drip', ms: 100 }, 'if repeatable'],
	['a web page', { kind: 'html' }, 'told', 'The answer did not come from the leads service'],
	[
		'success: false',
		{ kind: 'success-false' },
		'told',
		'The leads service did not accept the request: A fault of the sandbox',
	],
	['401', status(401), 'told'],
	['422', status(422), 'told'],
];

/** Every fault with a read and a write that may not be repeated; an outage with every operation, done or not. */
const SOME = ['read', 'any other POST'];
const matrix = faults.flatMap(([name, fault, expected, says]) =>
	(['before', 'after'] as const).flatMap((when) =>
		Object.entries(operations)
			.filter(([each]) => name === '503' || (when === 'after' && SOME.includes(each)))
			// What takes seconds, once.
			.filter(([each]) => fault.kind !== 'drip' || each === 'read')
			.map(([operation, [repeatable]]) => {
				return { name, fault, expected, says, when, operation, repeatable };
			}),
	),
);

test.each(matrix)(
	'$name ($when it was done), $operation',
	async ({ name, fault, when, expected, says, operation, repeatable }) => {
		lab.sandbox.controls.fault({ ...fault, when });
		const options = name.startsWith('slow') ? { options: { timeout: 1 } } : {};
		const { error } = await lab.engine.run({ ...parametersOf(operation), ...options });
		const sent = lab.sandbox.controls.requests().length;
		const survives = expected === 'survived' || (expected === 'if repeatable' && repeatable);
		expect([error?.message, sent]).toEqual(survives ? [undefined, 2] : [expect.any(String), 1]);
		if (says && error) expect(error.message).toBe(says);
		if (!survives && expected === 'if repeatable') {
			expect(error?.description).toContain('may still have recorded it');
		}
	},
);

test('a lead is new if the attempt whose answer was lost created it', async () => {
	const old = { externalId: 'old', createdAt: new Date(Date.now() - 3_600_000).toISOString() };
	lab.sandbox.controls.createLead(old);
	const created: unknown[] = [];
	for (const externalId of ['new', 'old']) {
		lab.sandbox.controls.fault({ kind: 'reset', when: 'after' });
		const { items } = await lab.engine.run(called('lead.upsert', { externalId }));
		created.push(items[0].json.created);
	}
	expect(lab.sandbox.controls.requests()).toHaveLength(4);
	expect(created).toEqual([true, false]);
	// Not if an item before did.
	lab.sandbox.controls.fault({ kind: 'reset', when: 'after', match: { nth: 2 } });
	const twice = called('lead.upsert', { externalId: 'twice' });
	const { items } = await lab.engine.run(twice, { input: [{}, {}] });
	const [first, second] = items.map(({ json }) => json.created);
	expect(first).toBe(true);
	// False if enough time has passed for the lead to be plainly older.
	expect(second).not.toBe(true);
});

test('a hint counts the wait after a refusal for the rate limit', async () => {
	lab.sandbox.controls.fault(status(429, { 'Retry-After': '8' }));
	const { items, hints } = await lab.engine.run(parametersOf('read'));
	expect(items).toHaveLength(1);
	expect(hints[0]?.message).toMatch(/^Waited up to (8|9|1\d) seconds for the rate limit/);
});

test('an outage is not multiplied by many items', async () => {
	const now = simulatedClock();
	const begun = now();
	// A key of its own, whose budget no other test has used.
	const { key } = lab.sandbox.controls.addKey({ scopes: ['leads:write'] });
	lab.sandbox.controls.fault({ ...status(503), times: 10_000 });
	const input = Array.from({ length: 50 }, (_, n) => ({ n }));
	const parameters = called('lead.upsert', { externalId: '={{ "e" + $json.n }}' });
	const onError = 'continueRegularOutput';
	const { items } = await lab.withKey(key).run(parameters, { input, onError });
	expect(items).toHaveLength(50);
	// Each once, and as many again as the budget holds: sixty, and one more for each second that went by.
	const budget = 60 + (now() - begun) / 1000;
	expect(lab.sandbox.controls.requests().length).toBeLessThanOrEqual(input.length + budget);
	fastClock(2000);
});

test('while other requests pass, one that is safe to repeat is sent up to five times', async () => {
	const leads = Array.from({ length: 20 }, () => lab.sandbox.controls.createLead({}));
	const match = { path: `/leads/${leads[0].id}` };
	lab.sandbox.controls.fault({ ...status(503), match, times: 4 });
	const parameters = called('lead.updateStatus', {
		leadId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		status: 'won',
	});
	const { items, error } = await lab.engine.run(parameters, {
		input: leads.map(({ id }) => ({ id })),
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(20);
	// Two look up whether a lead has the status, and one is sent five times.
	expect(lab.sandbox.controls.requests()).toHaveLength(26);
});

test('nothing is lost when a host cannot be reached', async () => {
	const { engineWith } = await import('../helpers/engine.mts');
	const nowhere = engineWith({ baseUrl: 'http://127.0.0.1:9', apiKey: 'sk_test_nowhere' });
	const { error } = await nowhere.run(parametersOf('upsert by external ID'));
	expect(error?.message).toBe(
		'The leads service could not be reached: nothing accepts connections at its address (ECONNREFUSED)',
	);
	expect(error?.description).toContain('Tried 3 times. Nothing was sent.');
});

describe('an outage of more than one try', () => {
	// Two minutes take longer than what a busy machine does with requests.
	beforeAll(() => fastClock(50));
	afterAll(() => fastClock(2000));

	const lead = () => by('id', leadId);
	test.each<[string, () => IDataObject]>([
		['lead.upsert', () => ({ email: 'ana@example.com' })],
		['lead.upsert', () => ({ externalId: 'crm-1' })],
		['lead.updateStatus', () => ({ leadId: lead(), status: 'won' })],
		['lead.updateStatus', () => ({ leadId: by('externalId', 'known'), status: 'won' })],
		['lead.getAll', () => ({})],
		['sync.push', () => ({ specifyLeads: 'json', leadJson: '{"externalId": "crm-1"}' })],
		[
			'sync.push',
			() => ({ specifyLeads: 'json', leadJson: '{"contact": {"email": "ana@example.com"}}' }),
		],
	])('fails %s only where somebody waits', async (name, parameters) => {
		const outcomes: Record<string, boolean> = {};
		for (const mode of ['manual', 'webhook', 'trigger'] as const) {
			lab.sandbox.controls.clearFaults();
			// All attempts of one try.
			lab.sandbox.controls.fault({ ...status(503), times: 3 });
			outcomes[mode] =
				(await lab.engine.run(called(name, parameters()), { mode })).error === undefined;
		}
		expect(outcomes).toEqual({ manual: false, webhook: true, trigger: true });
	});

	test('adds a phone to the answers of a form once', async () => {
		const upsert = { resource: 'lead', operation: 'upsert', specifyLead: 'columns' };
		const [one, other] = [{ Email: 'one@example.com' }, { WhatsApp: '+5511987654321' }];
		const form = { submittedAt: 'x', formMode: 'production', Mensagem: 'Quero 3' };
		for (const row of [one, other]) await lab.engine.run(upsert, { input: [row] });
		const { fault, requests } = lab.sandbox.controls;
		fault({ ...status(503), times: 3, match: { method: 'POST' } });
		const input = [{ ...form, ...one, ...other }];
		const { error } = await lab.engine.run(upsert, { input, mode: 'webhook' });
		const notes = requests().flatMap(({ body }) => (body as IDataObject)?.description ?? []);
		expect([error, notes]).toEqual([undefined, ['Mensagem: Quero 3\nPhone: +5511987654321']]);
	});

	test('sends a batch once that must not be sent again, and looks for what it may have recorded', async () => {
		const leadJson = '{"externalId": "crm-1", "protocol": "ML-AA11-BB22"}';
		const push = called('sync.push', { specifyLeads: 'json', leadJson });
		lab.sandbox.controls.fault({ kind: 'reset', when: 'after' });
		const { error } = await lab.engine.run(push, { mode: 'webhook' });
		expect(error?.description).toContain('may still have recorded it');
		expect(lab.sandbox.controls.requests()).toHaveLength(1);
	});

	test('reads the list that shows a record again when the service is there again', async () => {
		const body = { leadId: lead(), type: 'NOTE', title: 'A' };
		lab.sandbox.controls.fault({ kind: 'reset', when: 'after', match: { method: 'POST' } });
		// All attempts of two tries.
		lab.sandbox.controls.fault({ ...status(503), times: 6, match: { method: 'GET' } });
		const note = called('interaction.create', body);
		const { items, error } = await lab.engine.run(note, { mode: 'webhook' });
		expect([error, items.length]).toEqual([undefined, 1]);
		const { interactions } = lab.sandbox.store;
		expect([...interactions.values()].filter(({ title }) => title === 'A')).toHaveLength(1);
	});

	test('sends nothing again that may be recorded, and the message is that of the first try', async () => {
		const run = async (mode: 'manual' | 'webhook') => {
			lab.sandbox.controls.clearRequests();
			lab.sandbox.controls.fault({ kind: 'reset', when: 'after' });
			const { error } = await lab.engine.run(parametersOf('any other POST'), { mode });
			expect(lab.sandbox.controls.requests()).toHaveLength(1);
			return error?.message;
		};
		const byHand = await run('manual');
		expect(byHand).toEqual(expect.any(String));
		expect(await run('webhook')).toBe(byHand);
	});
});
