/** Lead operations in the real engine against the sandbox: requests, output, and the order and pairing of items. */
import { pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Variant } from '../../sandbox/variant.mts';
import { by, useLab, writes } from '../helpers/lab.mts';

const lab = useLab({ seed: 300 });
let leadId: string;

beforeEach(() => {
	leadId = lab.sandbox.controls.createLead({ externalId: 'known', status: 'open' }).id;
});

test('everything given is sent and comes back', async () => {
	const contact = { name: 'Contact A', email: 'a@example.com', phone: '+5511900000001' };
	const { items } = await lab.engine.run(
		{
			operation: 'upsert',
			externalId: 'new-1',
			...contact,
			additionalFields: {
				createContactIfNotFound: true,
				estimatedValue: 'R$ 1.500,50',
				saleDate: '2026-01-31 10:00',
				tags: 'a, b',
			},
			options: { simplify: false, additionalBody: '{"notes": "from the form"}' },
		},
		{ timezone: 'America/Sao_Paulo' },
	);
	const recorded = {
		externalId: 'new-1',
		estimatedValue: 1500.5,
		saleDate: '2026-01-31T13:00:00.000Z',
		tags: ['a', 'b'],
		notes: 'from the form',
	};
	expect(writes(lab.sandbox)).toMatchObject([
		{ body: { ...recorded, contact, createContactIfNotFound: true } },
	]);
	expect(items).toMatchObject([{ json: recorded, pairedItem: { item: 0 } }]);
});

describe('a value in words, which the account may spell in another way', () => {
	const status = 'Em Negociação';
	const upsert = (externalId: string, given = status) => ({
		operation: 'upsert',
		externalId,
		additionalFields: { status: given },
	});
	const sentStatuses = () => writes(lab.sandbox).map(({ body }) => (body as IDataObject).status);
	const reads = () => lab.sandbox.controls.requests().filter(({ method }) => method === 'GET');

	test('is sent as the account has it, for one more request in a run', async () => {
		lab.sandbox.controls.createLead({ externalId: 'other', status: 'em_negociacao' });
		const parameters = {
			...upsert('={{ $json.id }}'),
			additionalFields: { status: '={{ $json.status }}' },
		};
		const rows = [
			{ id: 'a', status },
			{ id: 'b', status: 'EM NEGOCIACAO' },
			{ id: 'c', status: 'Closed Won' },
		];
		const { items } = await lab.engine.run(parameters, { input: rows });
		expect(sentStatuses().sort()).toEqual(['closed_won', 'em_negociacao', 'em_negociacao']);
		expect(items).toHaveLength(3);
		expect(reads()).toHaveLength(1);
	});

	test('is sent as it is where no lead has it, or leads cannot be read', async () => {
		await lab.engine.run(upsert('a', 'Em Análise'));
		const { key } = lab.sandbox.controls.addKey({ scopes: ['leads:write'] });
		await lab.withKey(key).run(upsert('b', 'em análise '));
		expect(sentStatuses()).toEqual(['Em Análise', 'em análise']);
	});

	test('is not looked for if it may be a value of the service', async () => {
		await lab.engine.run(upsert('a', 'em_espera'));
		expect(sentStatuses()).toEqual(['em_espera']);
		// Only for whether any lead has it.
		expect(reads()).toMatchObject([{ query: { status: 'em_espera', limit: '1' } }]);
	});

	test.each(['proposta', 'Visita Marcada'])(
		'%s costs no request once leads were seen to have it',
		async (given) => {
			lab.sandbox.controls.createLead({ externalId: 'other', status: given.toLowerCase() });
			const perExecution: number[] = [];
			for (const id of ['a', 'b', 'c']) {
				lab.sandbox.controls.clearRequests();
				await lab.engine.run(upsert(id, given));
				expect(sentStatuses()).toEqual([given.toLowerCase()]);
				perExecution.push(reads().length);
			}
			expect(perExecution).toEqual([1, 0, 0]);
		},
	);

	test.each(['ganho', 'Ganho'])('%s is named where no lead of many has it', async (given) => {
		for (let n = 0; n < 101; n += 1) lab.sandbox.controls.createLead({});
		const input = Array.from({ length: 20 }, (_, n) => ({ n }));
		const { items } = await lab.engine.run(upsert('=e-{{ $json.n }}', given), { input });
		const newValue = `No lead had the status "${given}" so far. Check how it is spelled. Documented are open, in_progress, closed_won.`;
		expect(items.map(({ json }) => json.newValue)).toEqual(input.map(() => newValue));
		expect(reads().length).toBeLessThanOrEqual(2);
	});
});

test('Get Many returns as many leads as asked for, in as many requests as that takes', async () => {
	const { items } = await lab.engine.run({ operation: 'getAll', limit: 150 });
	expect([items.length, new Set(items.map(({ json }) => json.id)).size]).toEqual([150, 150]);
	expect(lab.sandbox.controls.requests()).toHaveLength(2);
});

describe('upsert follows the rules of spec 4.3', () => {
	const CODE = 'ML-AB12-CD34';
	const byCode = { identifyBy: 'protocol', protocol: `Hello, I come from *${CODE}*` };

	test('what the panel hides is not sent', async () => {
		const parameters = { ...byCode, identifyBy: 'externalId', externalId: 'e' };
		await lab.engine.run({ operation: 'upsert', ...parameters });
		expect(writes(lab.sandbox).map((write) => write.body)).toEqual([{ externalId: 'e' }]);
	});

	// What the panel of each way to identify a lead has, and nothing else.
	test.each<[string, IDataObject, string, RegExp]>([
		[
			'an expression that finds no external ID',
			{ externalId: '={{ undefined }}' },
			'"External ID" is empty',
			/form submission.* Not the row number.* "Identify Lead By"/,
		],
		[
			'a message without a code',
			{ identifyBy: 'protocol', protocol: 'Hello' },
			'"Protocol" contains no code, and "External ID" is empty',
			/^A code looks like ML-AB12-CD34.* give the External ID/,
		],
		[
			'a form without an ID',
			{ identifyBy: 'columns', lead: { mappingMode: 'autoMapInputData', value: null } },
			'"External ID" is missing: no column of the row is the ID of the lead',
			/^Switch on "Options > Find by Email or Phone", or name the column/,
		],
	])('asks for an external ID after %s, and names what to take', async (_, ...row) => {
		const [parameters, message, wayOut] = row;
		const { error } = await lab.engine.run({ operation: 'upsert', ...parameters });
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(wayOut);
		expect(lab.sandbox.controls.requests()).toEqual([]);
	});

	test('a tracking code that no lead has, without an external ID, is named', async () => {
		const { error } = await lab.engine.run({
			operation: 'upsert',
			identifyBy: 'protocol',
			protocol: 'ML-ZZ99-ZZ99',
		});
		expect(error?.message).toBe('No lead has this tracking code, and "External ID" is empty');
	});

	test.each<[parameters: IDataObject, variant: Partial<Variant>, is: IDataObject]>([
		[{ externalId: 'new' }, {}, { created: true, linked: false }],
		// The lead of the code, not that of the external ID.
		[
			{ protocol: CODE, externalId: 'known' },
			{ record: 'named-with-siblings' },
			{ created: false, linked: true, sentProtocol: CODE },
		],
	])('the output says what happened: %j, in the form %j: %j', async (parameters, variant, is) => {
		lab.sandbox.controls.createLead({ protocol: CODE, externalId: 'tracked' });
		lab.sandbox.controls.createLead({ externalId: 'known' });
		lab.sandbox.controls.variant(variant);
		const identifyBy = parameters.protocol ? 'protocol' : 'externalId';
		const { items, hints } = await lab.engine.run({
			operation: 'upsert',
			identifyBy,
			...parameters,
		});
		const outcome = pick(items[0].json, ['created', 'linked', 'sentProtocol']);
		expect([outcome, hints]).toEqual([is, []]);
	});

	test.each<[parameters: IDataObject, variant: Partial<Variant>, is: boolean[]]>([
		[{ externalId: 'new' }, { status: 204 }, [true, false]],
		[{ externalId: 'known' }, {}, [false, false]],
		[{ protocol: CODE, externalId: 'new' }, {}, [false, true]],
	])(
		'Look First says whether it was created or linked: %j, in the form %j: %j',
		async (given, variant, is) => {
			const createdAt = Date.now() - 3_600_000;
			lab.sandbox.controls.createLead({ protocol: CODE, createdAt });
			lab.sandbox.controls.variant(variant);
			const { items } = await lab.engine.run({
				operation: 'upsert',
				identifyBy: given.protocol ? 'protocol' : 'externalId',
				...given,
				options: { lookFirst: true },
			});
			expect([items[0].json.created, items[0].json.linked]).toEqual(is);
			expect(lab.sandbox.controls.requests().map(({ method, path }) => [method, path])).toEqual([
				['GET', `/leads/${String(given.externalId)}`],
				['POST', '/leads'],
			]);
		},
	);

	test('Look First reads for each item as it comes to its turn', async () => {
		const { items } = await lab.engine.run(
			{ operation: 'upsert', externalId: 'new', options: { lookFirst: true } },
			{ input: [{}, {}] },
		);
		expect(items.map(({ json }) => json.created)).toEqual([true, false]);
	});

	test('names the contact that was not found', async () => {
		const { error } = await lab.engine.run({
			operation: 'upsert',
			externalId: 'e',
			additionalFields: { contactId: by('id', 'no-such-contact') },
		});
		expect(error?.message).toBe('Existing Contact "no-such-contact" was not found');
	});

	test('explains a refusal when no contact is found', async () => {
		const { error } = await lab.engine.run({
			operation: 'upsert',
			externalId: 'nobody-knows',
			email: 'nobody@example.com',
			additionalFields: { createContactIfNotFound: false },
		});
		expect(error?.message).toBe('No existing contact matched what was sent');
	});
});

test('an email that cannot be read is not left out where it identifies the lead, however that was chosen', async () => {
	const { error } = await lab.engine.run(
		{
			operation: 'upsert',
			identifyBy: 'columns',
			lead: { mappingMode: 'autoMapInputData', value: null },
			options: { findByAddress: '={{ "true" }}' },
		},
		{ input: [{ Email: 'none today', Phone: '' }] },
	);
	expect(error?.message).toMatch(/^"Email" must be one email address/);
	expect(lab.sandbox.controls.requests()).toEqual([]);
});

describe('what came back is compared with what was sent', () => {
	const email = 'a@example.com';
	const kept = 'Contact Name is "Contact A", not "Contact B". Change it with Contact > Update.';
	const hint =
		'The service returned another "Contact Name" than the one sent, which its output shows. Change it with Contact > Update.';
	const person = (name: string) => ({ operation: 'upsert', externalId: 'known', name, email });
	const columns = async (parameters: IDataObject) => {
		const { items, hints } = await lab.engine.run(parameters);
		return [items[0].json, hints.map(({ message }) => message)] as const;
	};

	test('the service keeps the name of a known contact', async () => {
		const [first, none] = await columns(person('Contact A'));
		expect([first.differences, none]).toEqual([undefined, []]);
		const [second, hints] = await columns(person('Contact B'));
		expect([second.differences, hints]).toEqual([kept, [hint]]);
		// After who it is and what happened.
		expect(Object.keys(second).slice(0, 4)).toEqual(['name', 'email', 'linked', 'differences']);
		const { items } = await lab.engine.run(person('Contact B'), { asTool: true });
		expect(items[0].json.differences).toBe(kept);
	});

	test('a hint is given once however many items it concerns', async () => {
		await columns(person('Contact A'));
		const input = Array.from({ length: 20 }, () => ({}));
		const { items, hints } = await lab.engine.run(person('Contact B'), { input });
		expect([items.length, hints.length]).toEqual([20, 1]);
	});

	test('an answer of 202 may come before anything is written', async () => {
		const body = { success: true, data: { id: leadId, status: 'open' } };
		lab.sandbox.controls.fault({ kind: 'status', status: 202, body });
		const lead = { leadId: by('id', leadId), status: 'closed_won' };
		const [item, hints] = await columns({ operation: 'updateStatus', ...lead });
		expect([item.differences, hints]).toEqual([undefined, []]);
	});

	test('the leads of a batch', async () => {
		const results = ['open', 'closed_won'].map((status, n) => ({
			...{ externalId: `e-${n}`, id: `l-${n}`, success: true, status },
		}));
		const body = { success: true, data: { results } };
		lab.sandbox.controls.fault({ kind: 'status', status: 200, body });
		const { items } = await lab.engine.run(
			{ resource: 'sync', operation: 'push', lead: { mappingMode: 'autoMapInputData' } },
			{ input: results.map(({ externalId }) => ({ externalId, leadStatus: 'closed_won' })) },
		);
		expect(items.map(({ json }) => json.differences)).toEqual([
			'Status is "open", not "closed_won". Change it with Lead > Update Status.',
			undefined,
		]);
	});
});

describe('a value that no lead has is sent, and named', () => {
	const text = (field: string, known = '', value = 'newone') =>
		`No lead had the ${field} "${value}" so far. Check how it is spelled.${known}`;
	const STATUSES = ' Documented are open, in_progress, closed_won.';
	const upsert = { operation: 'upsert', externalId: '={{ "item-" + $json.n }}' };
	const columns = (input: IDataObject[], parameters: IDataObject) =>
		lab.engine.run({ ...upsert, ...parameters }, { input });
	const asked = () =>
		lab.sandbox.controls.requests().filter(({ route }) => route === 'GET /leads').length;

	test('in each item that has it, for one request', async () => {
		const input = ['newone', 'open', 'newone', 'other'].map((status, n) => ({ n, status }));
		const additionalFields = { status: '={{ $json.status }}' };
		const { items, hints } = await columns(input, { additionalFields });
		const shown = text('status', STATUSES);
		// The other one was not asked for.
		const [first, none] = [shown, undefined];
		expect(items.map(({ json }) => json.newValue)).toEqual([first, none, first, none]);
		expect([hints.map(({ message }) => message), asked()]).toEqual([[shown], 1]);
		expect(items.map(({ json }) => json.status)).toEqual(input.map(({ status }) => status));
		const { items: again } = await columns(input, { additionalFields });
		expect(again.map(({ json }) => json.newValue)).toEqual([none, none, none, none]);
	});

	test.each(['status', 'tag'])('as a filter: %s', async (field) => {
		// Leads of this account were seen to have the one before.
		const filters = { [field]: field === 'tag' ? by('id', 'newtwo') : 'newtwo' };
		const { items, hints } = await lab.engine.run({ operation: 'getAll', filters });
		const known = field === 'tag' ? '' : STATUSES;
		expect([items, hints.map(({ message }) => message)]).toEqual([
			[],
			[text(field, known, 'newtwo')],
		]);
	});

	test('nothing is said or asked where it is not a lead, is documented, or cannot be read', async () => {
		await columns([{ n: 0 }], { additionalFields: { status: 'Closed Won', priority: 'high' } });
		expect(asked()).toBe(0);
		const body = { success: false, error: { code: 'FORBIDDEN', message: 'no' } };
		lab.sandbox.controls.fault({ kind: 'status', status: 403, body });
		const { items, hints } = await columns([{ n: 0 }], {
			additionalFields: { status: 'newthree' },
		});
		expect([items[0].json.newValue, hints, asked()]).toEqual([undefined, [], 1]);
	});
});

describe('items', () => {
	const input = Array.from({ length: 40 }, (_, n) => ({ n }));

	test('run at the same time', async () => {
		lab.sandbox.controls.latency({ ms: 20 });
		const run = async (parameters: IDataObject) => {
			lab.sandbox.controls.clearRequests();
			await lab.engine.run(parameters, { input });
			return lab.sandbox.controls.traffic().maxConcurrent;
		};
		const get = { operation: 'get', leadId: by('externalId', 'known') };
		expect(await run(get)).toBeGreaterThanOrEqual(8);
	});

	const mixed = { operation: 'get', leadId: by('externalId', '={{ $json.id }}') };
	const wanted = [{ id: 'known' }, { id: 'unknown' }, { id: '..' }, { id: 'known' }];

	test('fail individually when the node is set to continue', async () => {
		const { items, error } = await lab.engine.run(mixed, {
			input: wanted,
			onError: 'continueRegularOutput',
		});
		expect(error).toBeUndefined();
		expect(
			items.map(({ json, pairedItem }) => [json.externalId ?? json.error, pairedItem]),
		).toEqual([
			['known', { item: 0 }],
			['Lead "unknown" was not found', { item: 1 }],
			['"Lead" is not an ID: ".."', { item: 2 }],
			['known', { item: 3 }],
		]);
	});

	test.each([
		['continueRegularOutput', 'items', (input: IDataObject) => ({ input })],
		// n8n recognises a failed item by its fields, and adds those of the input.
		['continueErrorOutput', 'failed', (input: IDataObject) => input],
	] as const)('that fail carry their input with %s', async (onError, place, carried) => {
		lab.sandbox.controls.fault({
			kind: 'status',
			status: 422,
			times: 2,
			match: { path: '/leads' },
		});
		const ran = await lab.engine.run(
			{
				operation: 'upsert',
				externalId: '={{ $json.externalId ?? $json.row }}',
				additionalFields: { estimatedValue: '={{ $json.value }}' },
			},
			{ input: [{ externalId: 'a' }, { externalId: 'b', value: 'much' }, { row: 'c' }], onError },
		);
		expect(ran[place]).toMatchObject([
			{ json: { ...carried({ externalId: 'a' }), error: expect.stringMatching(/did not accept/) } },
			{
				json: {
					...carried({ externalId: 'b', value: 'much' }),
					error: expect.stringMatching(/^"Estimated Value"/),
				},
			},
			{ json: { ...carried({ row: 'c' }), error: expect.stringMatching(/did not accept/) } },
		]);
	});

	test('of a cancelled execution are no longer sent', async () => {
		lab.sandbox.controls.latency({ ms: 30 });
		const upsert = { operation: 'upsert', externalId: '={{ "item-" + $json.n }}' };
		await lab.engine.run(upsert, { input, onStart: (cancel) => setTimeout(cancel, 60) });
		// What is on its way when the execution ends still arrives.
		const afterAWhile = async () => {
			do await new Promise((resolve) => setTimeout(resolve, 200));
			while (lab.sandbox.controls.traffic().inFlight > 0);
			return lab.sandbox.controls.requests().length;
		};
		const sent = await afterAWhile();
		expect(sent).toBeLessThan(input.length);
		expect(await afterAWhile()).toBe(sent);
	});
});

describe('Add Tags', () => {
	const TAGS = 'tags$';
	const add = async (tags: string, body: unknown, status = 200) => {
		const { controls } = lab.sandbox;
		if (body !== undefined) {
			controls.fault({ kind: 'status', status, body, match: { method: 'POST', path: TAGS } });
		}
		controls.clearRequests();
		const tagging = { operation: 'addTags', leadId: by('id', leadId), tags };
		const ran = await lab.engine.run({ ...tagging, tagsFromList: ['vip'] });
		return {
			...ran,
			requests: controls
				.requests()
				.map(({ method }) => method)
				.join(),
		};
	};

	test('is one request where the answer shows the tags', async () => {
		const { items, requests } = await add('new, vip', undefined);
		expect(requests).toBe('POST');
		expect(items).toMatchObject([{ json: { id: leadId, tags: ['vip', 'new'] } }]);
	});

	test.each<[string, unknown, number?]>([
		['says nothing', ''],
		['is the tag', { success: true, data: { id: 't-1', name: 'new' } }],
		['shows the lead without tags', { success: true, data: { lead: { id: 'l-1' } } }],
		['shows the lead as it was', { success: true, data: { lead: { id: 'l-1', tags: [] } } }],
	])('reads the lead where the answer %s, and fails if the tag is not there', async (_, body) => {
		const { items, error, requests } = await add('new', body);
		expect([items, requests]).toEqual([[], 'POST,GET']);
		expect(error?.message).toBe(
			`The service answered as if "vip" and "new" had been added, but the lead ${leadId} does not have it`,
		);
		lab.sandbox.store.changeLead(lab.sandbox.store.leads.get(leadId)!, { tags: ['New', 'VIP'] });
		const again = await add('new', body);
		expect([again.error, again.requests]).toEqual([undefined, 'POST,GET']);
		expect(again.items).toMatchObject([{ json: { id: leadId, tags: ['New', 'VIP'] } }]);
	});
});
