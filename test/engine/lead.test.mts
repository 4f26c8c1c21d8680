/** Lead operations in the real engine against the sandbox: requests, output, and the order and pairing of items. */
import { pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Variant } from '../../sandbox/variant.mts';
import { by, called, useLab, writes } from '../helpers/lab.mts';

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

test('Get Many returns as many leads as asked for, in as many requests as that takes', async () => {
	const { items } = await lab.engine.run({ operation: 'getAll', limit: 150 });
	expect([items.length, new Set(items.map(({ json }) => json.id)).size]).toEqual([150, 150]);
	expect(lab.sandbox.controls.requests()).toHaveLength(2);
});

describe('upsert follows the rules of spec 4.3', () => {
	const CODE = 'ML-AB12-CD34';
	const byCode = { protocol: `Hello, I come from *${CODE}*` };

	const byName = { mappingMode: 'autoMapInputData', value: null };

	test('what the panel hides is not sent', async () => {
		const parameters = { specifyLead: 'columns', lead: byName, ...byCode, externalId: 'e' };
		const input = [{ 'External ID': 'row' }];
		await lab.engine.run({ operation: 'upsert', ...parameters }, { input });
		expect(writes(lab.sandbox).map((write) => write.body)).toEqual([{ externalId: 'row' }]);
	});

	test.each<[string, IDataObject, RegExp, RegExp]>([
		[
			'expressions that find nothing',
			{ externalId: '={{ undefined }}', email: '={{ "" }}', protocol: 'Hello' },
			/^"Email", "Phone" and "External ID" are empty/,
			/^Give at least one of the three, or "Protocol".* not the row number/,
		],
		[
			'a form without a person',
			{ specifyLead: 'columns', lead: byName },
			/^No column of the row is the email, the phone or the ID of the lead/,
			/^Name the column/,
		],
		[
			'a form of which nothing is mapped',
			{ specifyLead: 'columns', lead: { mappingMode: 'defineBelow', value: {} } },
			/^"Email", "Phone" and "External ID" are empty/,
			/^Give at least one of the three/,
		],
	])('asks for what identifies the lead after %s', async (_, ...row) => {
		const [parameters, message, wayOut] = row;
		const { error } = await lab.engine.run({ operation: 'upsert', ...parameters });
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(wayOut);
		expect(lab.sandbox.controls.requests()).toEqual([]);
	});

	test('a tracking code that no lead has, without an external ID, is named', async () => {
		const { error } = await lab.engine.run({
			operation: 'upsert',
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
		const { items, hints } = await lab.engine.run({ operation: 'upsert', ...parameters });
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

test('an email that cannot be read is not left out where it identifies the lead', async () => {
	const { error } = await lab.engine.run(
		{
			operation: 'upsert',
			specifyLead: 'columns',
			lead: { mappingMode: 'autoMapInputData', value: null },
		},
		{ input: [{ Email: 'none today', Phone: '' }] },
	);
	expect(error?.message).toMatch(/^"Email" must be one email address/);
	expect(lab.sandbox.controls.requests()).toEqual([]);
});

describe('what came back is compared with what was sent', () => {
	const email = 'a@example.com';
	const kept = 'Contact Name is "Contact A", not "Contact B".';
	const hint = expect.stringMatching(/"differences".* Contact > Update/) as string;
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
			'Status is "open", not "closed_won".',
			undefined,
		]);
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

describe('Update Status', () => {
	const move = async (status: string, how: object) => {
		lab.sandbox.controls.createLead({ status: 'em_negociacao' });
		lab.sandbox.controls.clearRequests();
		const parameters = { operation: 'updateStatus', leadId: by('id', leadId), status };
		const { items, error } = await lab.engine.run(parameters, how);
		const { message } = error ?? { message: JSON.stringify(items) };
		return { message, sent: writes(lab.sandbox).map(({ body }) => (body as IDataObject).status) };
	};

	test.each([
		['in_progress', 'in_progress'],
		['Closed Won', 'closed_won'],
		['Em Negociação', 'em_negociacao'],
	])('an agent gives %s', async (given, status) => {
		expect((await move(given, { asTool: true })).sent).toEqual([status]);
	});

	test.each(['won', 'flying'])('an agent that gives %s reads which there are', async (given) => {
		const { message, sent } = await move(given, { asTool: true });
		expect(sent).toEqual([]);
		expect(message).toMatch(
			new RegExp(`No lead has the status .*${given}.*open, in_progress, closed_won.*em_negociacao`),
		);
	});

	test.each<[string, IDataObject]>([
		['upsert', { externalId: 'e', additionalFields: { status: 'flying' } }],
		['update', { updateFields: { status: 'flying' } }],
	])('nor does it guess in %s', async (operation, fields) => {
		const how = { asTool: true };
		const parameters = { operation, leadId: by('id', leadId), ...fields };
		const { items, error } = await lab.engine.run(parameters, how);
		expect(JSON.stringify([items, error?.message])).toMatch(/No lead has the status .*flying/);
		expect(writes(lab.sandbox)).toEqual([]);
	});

	test('what a person gives is sent as it is', async () => {
		expect((await move('flying', {})).sent).toEqual(['flying']);
		expect(lab.sandbox.controls.requests()).toHaveLength(1);
	});
});

test('an agent reads no words of the panel, a person does', async () => {
	const parameters = { operation: 'updateStatus', leadId: by('id', 'crm-1'), status: 'open' };
	const { error } = await lab.engine.run(parameters);
	expect(error?.description).toContain('By External ID');
	const { items, error: ofTool } = await lab.engine.run(parameters, { asTool: true });
	const text = JSON.stringify([items, ofTool?.message]);
	expect(text).toMatch(/\"crm-1.* was not found.*Lead > Get Many finds its ID/);
	expect(text).not.toMatch(/From List|By /);
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
		const ran = await lab.engine.run(tagging);
		return {
			...ran,
			requests: controls
				.requests()
				.map(({ method }) => method)
				.join(),
		};
	};

	test('is one request where the answer shows the tags', async () => {
		const { items, requests } = await add('vip, new', undefined);
		expect(requests).toBe('POST');
		expect(items).toMatchObject([{ json: { id: leadId, tags: ['vip', 'new'] } }]);
	});

	test.each<[string, unknown, number?]>([
		['says nothing', ''],
		['is the tag', { success: true, data: { id: 't-1', name: 'new' } }],
		['shows the lead without tags', { success: true, data: { lead: { id: 'l-1' } } }],
		['shows the lead as it was', { success: true, data: { lead: { id: 'l-1', tags: [] } } }],
	])('reads the lead where the answer %s, and fails if the tag is not there', async (_, body) => {
		const { items, error, requests } = await add('vip, new', body);
		expect([items, requests]).toEqual([[], 'POST,GET']);
		expect(error?.message).toBe(
			`The service answered as if "vip" and "new" had been added, but the lead ${leadId} does not have it`,
		);
		lab.sandbox.store.changeLead(lab.sandbox.store.leads.get(leadId)!, { tags: ['New', 'VIP'] });
		const again = await add('vip, new', body);
		expect([again.error, again.requests]).toEqual([undefined, 'POST,GET']);
		expect(again.items).toMatchObject([{ json: { id: leadId, tags: ['New', 'VIP'] } }]);
	});
});

describe('what a form asks beside the fields of a lead', () => {
	const upsert = {
		...called('lead.upsert', { specifyLead: 'columns' }),
		lead: { mappingMode: 'autoMapInputData', value: null },
	};
	const sent = { submittedAt: '2026-01-31T14:30:00Z', updated_at: '2026-01-31' };
	const form = { Email: 'form@example.com', Mensagem: 'Quero 3', Interesse: ['a', 'b'], ...sent };
	const notes = () =>
		writes(lab.sandbox).flatMap(({ route, body }) =>
			route?.endsWith('/interactions') ? [(body as IDataObject).description] : [],
		);

	test('is a note in the history of the lead, once for each submission', async () => {
		const { items } = await lab.engine.run(upsert, { input: [form] });
		await lab.engine.run(upsert, { input: [{ ...form, submittedAt: 'again' }] });
		expect(notes()).toEqual(['Mensagem: Quero 3\nInteresse: a, b']);
		expect(items[0].json.notSent).toEqual(['submittedAt', 'updated_at']);
		await lab.engine.run(upsert, { input: [{ ...form, Mensagem: 'Quero 4' }] });
		expect(notes()[1]).toBe('Mensagem: Quero 4\nInteresse: a, b');
		expect(writes(lab.sandbox).filter(({ body }) => 'notes' in (body as object))).toEqual([]);
	});

	test.each<[string, IDataObject, string[]]>([
		[
			'of a webhook, without what is about the request',
			{
				headers: { authorization: 'Bearer x', host: 'h' },
				webhookUrl: 'https://example.com',
				body: { email: 'form@example.com', message: 'Oi', token: 't', form_id: 7 },
			},
			['message: Oi'],
		],
		[
			'under its label',
			{
				data: {
					fields: [
						{ key: 'q1', label: 'Email', type: 'INPUT_EMAIL', value: 'form@example.com' },
						{ key: 'q2', label: 'O que procura?', type: 'TEXTAREA', value: 'Casa' },
					],
				},
			},
			['O que procura?: Casa'],
		],
		['not of a row of a spreadsheet', { ...form, row_number: 2 }, []],
	])('%s', async (_, input, expected) => {
		const { error } = await lab.engine.run(upsert, { input: [input] });
		expect([error, notes()]).toEqual([undefined, expected]);
	});

	test('is named where it is switched off, where leads are pushed, and where the key lacks the scope', async () => {
		const off = await lab.engine.run(
			{ ...upsert, options: { noteAnswers: false } },
			{ input: [form] },
		);
		const push = { ...upsert, ...called('sync.push', {}) };
		const pushed = await lab.engine.run(push, {
			input: [{ ...form, Email: 'push@example.com', externalId: 'e' }],
		});
		for (const { items } of [off, pushed]) {
			expect(items[0].json.notSent).toEqual(expect.arrayContaining(['Mensagem', 'Interesse']));
		}
		const { key } = lab.sandbox.controls.addKey({ scopes: ['leads:read', 'leads:write', 'sync'] });
		const { error, hints } = await lab.withKey(key).run(upsert, { input: [form, form] });
		expect([error, notes()]).toEqual([undefined, []]);
		expect(JSON.stringify(hints)).toMatch(/was not noted: the API key needs/);
	});
});
