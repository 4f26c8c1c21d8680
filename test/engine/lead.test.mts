/** Lead operations in the real engine against the sandbox: requests, output, and the order and pairing of items. */
import { map, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Variant } from '../../sandbox/variant.mts';
import { by, called, useLab, writes } from '../helpers/lab.mts';

const lab = useLab({ seed: 300 });
let leadId: string;

beforeEach(() => {
	leadId = lab.sandbox.controls.createLead({ externalId: 'known', status: 'open' }).id;
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

	test('a tracking code that no lead has, without an external ID, is named', async () => {
		const { error } = await lab.engine.run({
			operation: 'upsert',
			protocol: 'ML-ZZ99-ZZ99',
		});
		expect(error?.message).toBe(
			'Item 1 (ML-ZZ99-ZZ99): No lead has this tracking code, and "External ID" is empty',
		);
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

	test.each<[given: IDataObject, variant: Partial<Variant>, is: boolean[]]>([
		[{ externalId: 'new' }, { status: 204 }, [true, false]],
		[{ externalId: 'known' }, {}, [false, false]],
		[{ protocol: CODE, externalId: 'new' }, {}, [false, true]],
	])('Look First says what happened: %j, in the form %j: %j', async (given, variant, is) => {
		lab.sandbox.controls.createLead({ protocol: CODE, createdAt: Date.now() - 3_600_000 });
		lab.sandbox.controls.variant(variant);
		const options = { lookFirst: true };
		const { items } = await lab.engine.run({ operation: 'upsert', ...given, options });
		expect([items[0].json.created, items[0].json.linked]).toEqual(is);
		const methods = ['GET', 'POST', ...(variant.status === 204 ? ['GET'] : [])];
		expect(lab.sandbox.controls.requests().map(({ method }) => method)).toEqual(methods);
	});

	test.each(['before', 'after'] as const)(
		'an answer without the lead is no proof that it was recorded: the fault comes %s that',
		async (when) => {
			const match = { method: 'POST', path: '/leads' };
			lab.sandbox.controls.fault({ kind: 'empty', match, times: 1, when });
			const parameters = { operation: 'upsert', email: 'new@example.com' };
			const { items, error } = await lab.engine.run(parameters);
			const id = lab.sandbox.store.leadByExternalId('new@example.com')?.id;
			if (when === 'after') {
				expect(items[0].json).toMatchObject({ id, created: true });
			} else {
				expect([id, error?.message]).toEqual([
					undefined,
					expect.stringMatching(/answered without the lead, and no lead has the external ID "new@/),
				]);
			}
		},
	);

	const ana = { name: 'Ana Souza', email: 'ana@example.com', phone: '+5511911111111' };
	test.each<[given: IDataObject, isOther: boolean]>([
		[{ email: 'bia@example.com' }, true],
		[{ phone: '+55 11 92222-2222' }, true],
		[{ email: 'bia@example.com', phone: '+55 11 91111-1111' }, false],
		[{ email: 'ana@example.com', name: 'Bia' }, false],
	])('whose lead the code was is said where %j is another person: %s', async (given, isOther) => {
		const { store, controls } = lab.sandbox;
		const { id } = controls.createLead({ protocol: CODE, contactId: store.createContact(ana).id });
		const parameters = { operation: 'upsert', protocol: CODE, externalId: 'new', ...given };
		const [{ json }] = (await lab.engine.run(parameters)).items;
		expect(json).toMatchObject({ id, linked: true });
		expect(/another person: Ana Souza · ana@example\.com/.test(String(json.differences))).toBe(
			isOther,
		);
	});

	test.each<[text: string, code: string | null]>([
		['ml-ab12-cd34', CODE],
		['ml–ab12-cd34', 'ml-ab12-cd34'],
		['Hi, ML-ZZ99-YY88 or ML - AB12 - CD34', CODE],
		['ML-ANUNCIO-2024', 'ML-ANUNCIO-2024'],
		['ML-ANUNCIO-2024', null],
	])('the code in "%s" is sent as a lead has it: %s', async (protocol, code) => {
		lab.sandbox.controls.createLead({ protocol: code });
		lab.sandbox.controls.variant({ record: 'named-with-siblings' });
		const { items, error } = await lab.engine.run({
			operation: 'upsert',
			externalId: 'new',
			protocol,
		});
		expect(error).toBeUndefined();
		expect(items[0].json.linked).toBe(code !== null);
		expect(items[0].json.sentProtocol).toBe(code ?? protocol);
	});

	test('the output has the phone that was sent, also where the answer shows none', async () => {
		const given = { externalId: 'new', phone: '+55 11 98765-4321' };
		const { items } = await lab.engine.run({ operation: 'upsert', ...given });
		expect(items[0].json.phone).toBe('+5511987654321');
	});

	test.each<[IDataObject, string]>([
		[{ contactId: by('id', 'no-such') }, 'Item 1 (e): Existing Contact "no-such" was not found'],
		[{ createContactIfNotFound: false }, 'No existing contact matched what was sent'],
	])('explains a refusal of %j', async (additionalFields, message) => {
		const given = { externalId: 'e', additionalFields };
		const { error } = await lab.engine.run({ operation: 'upsert', ...given });
		expect(error?.message).toBe(message);
	});
});

describe('JSON that users write', () => {
	const body = (fields: IDataObject) => ({ options: { additionalBody: JSON.stringify(fields) } });
	const leads = () => [...lab.sandbox.store.leads.values()];

	test('with a blank external ID is sent by the email, not to one lead of all', async () => {
		const input = ['a@example.com', 'b@example.com'].map((email) => ({ email }));
		const parameters = { email: '={{ $json.email }}', ...body({ externalId: '  ' }) };
		const before = leads().length;
		const { items } = await lab.engine.run({ operation: 'upsert', ...parameters }, { input });
		expect(items.map(({ json }) => json.externalId)).toEqual(input.map(({ email }) => email));
		expect(leads()).toHaveLength(before + 2);
	});

	test('may have a phone without a country code where the credential has one', async () => {
		const engine = lab.withKey(lab.sandbox.keys.full, '55');
		const contact = { name: 'Ana Souza', phone: '(11) 98765-4321' };
		const parameters = { operation: 'upsert', ...body({ contact }) };
		const { items, error } = await engine.run(parameters);
		expect([error, items[0]?.json.externalId]).toEqual([undefined, '+5511987654321']);
	});

	test.each(['email', 'phone'])(
		'names the %s that cannot be read before the lead of an external ID is written',
		async (field) => {
			const contactId = lab.sandbox.store.createContact({ name: 'Ana Souza' }).id;
			lab.sandbox.controls.createLead({ externalId: 'e', contactId, status: 'open' });
			const given = body({ contact: { name: 'Ana Souza', [field]: 'none yet' }, priority: 'high' });
			const { error } = await lab.engine.run({ operation: 'upsert', externalId: 'e', ...given });
			expect(error?.message.toLowerCase()).toContain(`"${field}" `);
			expect(writes(lab.sandbox)).toEqual([]);
		},
	);
});

describe('items', () => {
	test.each([
		['continueRegularOutput', 'items', (input: IDataObject) => ({ input })],
		// n8n recognises a failed item by its fields, and adds those of the input.
		['continueErrorOutput', 'failed', (input: IDataObject) => input],
	] as const)('that fail carry their input with %s', async (onError, place, carried) => {
		const match = { path: '/leads' };
		lab.sandbox.controls.fault({ kind: 'status', status: 422, match });
		const additionalFields = { estimatedValue: '={{ $json.value }}' };
		const input = [{ id: 'a' }, { id: 'b', value: 'much' }];
		const ran = await lab.engine.run(
			{ operation: 'upsert', externalId: '={{ $json.id }}', additionalFields },
			{ input, onError },
		);
		const errors = [/did not accept/, /^"Estimated Value"/].map((each) =>
			expect.stringMatching(each),
		);
		expect(ran[place]).toMatchObject(
			input.map((row, n) => ({ json: { ...carried(row), error: errors[n] as string } })),
		);
	});
});

describe('a status', () => {
	const set: Record<string, (status: string) => IDataObject> = {
		updateStatus: (status) => ({ status }),
		upsert: (status) => ({ externalId: 'e', additionalFields: { status } }),
	};
	const give = async (operation: string, status: string, asTool: boolean) => {
		lab.sandbox.controls.createLead({ status: 'em_negociacao' });
		lab.sandbox.controls.clearRequests();
		const parameters = { operation, leadId: by('id', leadId), ...set[operation](status) };
		const { items, error } = await lab.engine.run(parameters, { asTool });
		const sent = writes(lab.sandbox).map(({ body }) => (body as IDataObject).status);
		return { message: error?.message ?? JSON.stringify(items), sent };
	};

	describe.each(Object.keys(set))('of an agent in %s', (operation) => {
		test.each([
			['in_progress', 'in_progress'],
			['Closed Won', 'closed_won'],
			['Em Negociação', 'em_negociacao'],
		])('%s is one that leads have', async (given, status) => {
			expect((await give(operation, given, true)).sent).toEqual([status]);
		});

		test('is no guess: it reads which there are', async () => {
			const { message, sent } = await give(operation, 'flying', true);
			expect(sent).toEqual([]);
			expect(message).toMatch(/No lead has the status .*flying.*open, in_progress.*em_negociacao/);
		});
	});

	test.each(Object.keys(set))(
		'of a person that is a word for another is that one in %s, unless leads have it',
		async (operation) => {
			expect((await give(operation, 'perdido', false)).sent).toEqual(['closed_lost']);
			lab.sandbox.controls.createLead({ status: 'Perdido' });
			// A filter that compares every letter finds none of them.
			for (const word of ['Perdido', 'perdido', 'PERDIDÓ'])
				expect((await give(operation, word, false)).sent).toEqual(['Perdido']);
			lab.sandbox.controls.createLead({ status: 'PERDIDO' });
			expect((await give(operation, 'PERDIDO', false)).sent).toEqual(['PERDIDO']);
			expect((await give(operation, 'perdido', false)).sent).toEqual(['perdido']);
		},
	);

	test('in words of a column is the one that leads have, or else the documented one', async () => {
		const engine = async (row: IDataObject) => {
			const given = { operation: 'upsert', specifyLead: 'columns', externalId: 'e' };
			await lab.engine.run(given, { input: [{ 'External ID': 'e', ...row }] });
			return writes(lab.sandbox).map(({ body }) => (body as IDataObject).status);
		};
		expect(await engine({ Status: 'Vendido' })).toEqual(['closed_won']);
		lab.sandbox.controls.createLead({ status: 'vendido' });
		lab.sandbox.controls.clearRequests();
		expect(await engine({ Status: 'Vendido' })).toEqual(['vendido']);
	});

	test.each(['perdido', 'closed_lost'])(
		'that a deal is lost, an agent may say: %s',
		async (word) => {
			expect((await give('updateStatus', word, true)).sent).toEqual(['closed_lost']);
		},
	);

	test('of a person is sent as it is where the key may not read leads', async () => {
		const { key } = lab.sandbox.controls.addKey({ scopes: ['leads:write'] });
		const status = { leadId: by('id', leadId), status: 'perdido' };
		const { error } = await lab.withKey(key).run(called('lead.updateStatus', status));
		const sent = writes(lab.sandbox).map(({ body }) => (body as IDataObject).status);
		expect([error, sent.at(-1)]).toEqual([undefined, 'perdido']);
	});

	test('of a person that no lead has is sent, and a hint says so; one that leads have is looked up once', async () => {
		const run = async (status: string) => {
			lab.sandbox.controls.clearRequests();
			const parameters = { operation: 'updateStatus', leadId: by('id', leadId), status };
			const { hints } = await lab.engine.run(parameters);
			const requests = lab.sandbox.controls.requests().map(({ method }) => method);
			return { requests, hints: map(hints, 'message') };
		};
		const news = [expect.stringMatching(/^No lead had the status "flying" before\. .*open/)];
		expect(await run('flying')).toEqual({ requests: ['GET', 'GET', 'PATCH'], hints: news });
		expect(await run('flying')).toEqual({ requests: ['GET', 'PATCH'], hints: [] });
		expect(await run('flying')).toEqual({ requests: ['PATCH'], hints: [] });
	});

	test('a priority is compared as well', async () => {
		const parameters = { operation: 'update', leadId: by('id', leadId) };
		const run = async (priority: string) =>
			await lab.engine.run({ ...parameters, updateFields: { priority } });
		expect((await run('Alta')).hints).toEqual([]);
		expect(lab.sandbox.store.leads.get(leadId)).toMatchObject({ priority: 'high' });
		const hint = expect.stringMatching(/^No lead had the priority "hihg" before/);
		expect(map((await run('hihg')).hints, 'message')).toEqual([hint]);
	});

	test('of rows of a push is looked up once, and they share a request', async () => {
		const value = { externalId: '={{ $json.id }}', status: '={{ $json.stage }}' };
		const input = ['soaring', 'soaring', 'ganho'].map((stage, n) => ({ id: `s-${n}`, stage }));
		lab.sandbox.controls.clearRequests();
		const { hints } = await lab.engine.run(
			called('sync.push', { lead: { mappingMode: 'defineBelow', value } }),
			{ input },
		);
		expect(map(hints, 'message')).toEqual([
			expect.stringMatching(/^No lead had the status "soaring" before/),
		]);
		const requests = lab.sandbox.controls.requests().map(({ method, path }) => `${method} ${path}`);
		expect(requests).toEqual([...Array<string>(4).fill('GET /leads'), 'POST /sync']);
		expect(lab.sandbox.store.leadByExternalId('s-2')).toMatchObject({ status: 'closed_won' });
	});
});

describe('an update that is answered without a body', () => {
	beforeEach(() => lab.sandbox.controls.variant({ status: 204 }));

	test('shows the ID of the lead that was found by email', async () => {
		const email = 'ana@example.com';
		const contactId = lab.sandbox.store.createContact({ email }).id;
		const { id } = lab.sandbox.controls.createLead({ contactId, externalId: null });
		const additionalFields = { priority: 'high' };
		const given = { operation: 'upsert', email, additionalFields };
		expect((await lab.engine.run(given)).items[0].json).toMatchObject({ id, linked: false });
	});

	test('shows the ID of the lead that was chosen', async () => {
		const given = { leadId: by('externalId', 'known'), updateFields: { priority: 'high' } };
		const { items } = await lab.engine.run(called('lead.update', given));
		expect(items[0].json).toMatchObject({ success: true, leadId });
	});
});

describe('Add Tags', () => {
	const add = async (data?: object) => {
		const { controls } = lab.sandbox;
		const match = { method: 'POST', path: 'tags$' };
		const body = { success: true, data };
		if (data) controls.fault({ kind: 'status', status: 200, body, match });
		controls.clearRequests();
		const tagging = { operation: 'addTags', leadId: by('id', leadId), tags: 'vip, new' };
		const { items, error } = await lab.engine.run(tagging);
		const requests = controls.requests().map(({ method }) => method);
		return { tags: items[0]?.json.tags, error, requests: requests.join() };
	};

	test('is one request where the answer shows the tags', async () => {
		expect(await add()).toMatchObject({ tags: ['vip', 'new'], requests: 'POST' });
	});

	test.each([
		['is the tag', { id: 't-1', name: 'new' }],
		['shows the lead without tags', { lead: { id: 'l-1' } }],
		['shows the lead as it was', { lead: { id: 'l-1', tags: [] } }],
	])('reads the lead where the answer %s, and fails if the tag is not there', async (_, data) => {
		const { error, requests } = await add(data);
		expect(requests).toBe('POST,GET');
		expect(error?.message).toContain(
			`confirmed "vip" and "new", but the lead ${leadId} still lacks`,
		);
		lab.sandbox.store.changeLead(lab.sandbox.store.leads.get(leadId)!, { tags: ['New', 'VIP'] });
		expect(await add(data)).toMatchObject({ tags: ['New', 'VIP'], requests: 'POST,GET' });
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
		expect(items[0].json).toMatchObject({ notSent: ['updated_at'], noted: notes()[0] });
		const options = { output: 'inputWithResult' };
		const input = [{ ...form, Mensagem: 'Quero 4' }];
		const rows = await lab.engine.run({ ...upsert, options }, { input });
		expect(rows.items[0].json.result).toMatch(
			/; the other columns or answers are a note in its history/,
		);
		expect(notes()[1]).toBe('Mensagem: Quero 4\nInteresse: a, b');
		expect(writes(lab.sandbox).filter(({ body }) => 'notes' in (body as object))).toEqual([]);
	});

	test('is a note for each submission, by its ID, also of the same answers', async () => {
		const submission = (id: string) => ({ body: { ...form, submissionId: id } });
		const input = ['s-1', 's-2', 's-1'].map(submission);
		const { items } = await lab.engine.run(upsert, { input });
		const answers = 'Mensagem: Quero 3\nInteresse: a, b\nsubmissionId: ';
		expect(notes()).toEqual([`${answers}s-1`, `${answers}s-2`]);
		expect(new Set(items.map(({ json }) => json.externalId))).toEqual(new Set([form.Email]));
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
			['O que procura? Casa'],
		],
		[
			'of a webhook, with the phone that cannot be read',
			{
				headers: {},
				body: { email: 'form@example.com', telefone: '12', message: 'Oi' },
			},
			['message: Oi\ntelefone: 12'],
		],
		[
			'of a webhook of only a phone that cannot be read',
			{ headers: {}, body: { email: 'form@example.com', telefone: '12' } },
			['telefone: 12'],
		],
		[
			'of an ad, with the phone that cannot be read',
			{
				field_data: [
					{ name: 'email', values: ['form@example.com'] },
					{ name: 'phone_number', values: ['12'] },
					{ name: 'qual_curso?', values: ['Inglês'] },
				],
			},
			['qual_curso? Inglês\nfield_data.phone_number: 12'],
		],
		[
			'with the second email',
			{
				headers: {},
				body: { email: 'form@example.com', 'E-mail 2': 'second@example.com', message: 'Oi' },
			},
			['message: Oi\nE-mail 2: second@example.com'],
		],
		[
			'of only a phone that cannot be read',
			{ Email: 'form@example.com', WhatsApp: '12', submittedAt: 'x', formMode: 'production' },
			['WhatsApp: 12'],
		],
		['not of a row of a spreadsheet', { ...form, row_number: 2 }, []],
	])('%s', async (_, input, expected) => {
		const { error } = await lab.engine.run(upsert, { input: [input] });
		expect([error, notes()]).toEqual([undefined, expected]);
	});

	const visitor = { Nome: 'Ana', Mensagem: 'Quero 3', submittedAt: 'x', formMode: 'production' };

	test('is not lost where the email and the phone belong to two people', async () => {
		const [one, other] = [{ Email: 'one@example.com' }, { WhatsApp: '+5511987654321' }];
		for (const own of [one, other]) await lab.engine.run(upsert, { input: [own] });
		lab.sandbox.controls.clearRequests();
		const input = [{ ...visitor, ...one, ...other }];
		const { items, error, hints } = await lab.engine.run(upsert, { input });
		expect([error, notes()]).toEqual([undefined, ['Mensagem: Quero 3\nPhone: +5511987654321']]);
		expect(items[0].json.email).toBe('one@example.com');
		expect(JSON.stringify(hints)).toMatch(/lead to two leads, or the phone to several/);
	});

	test('is not said to be of two people where several leads have the phone, and none the email', async () => {
		const { store, controls } = lab.sandbox;
		const phone = '+5511987654321';
		for (const name of ['Ana', 'Bia'])
			controls.createLead({ contactId: store.createContact({ name, phone }).id });
		const input = [{ ...visitor, Email: 'new@example.com', WhatsApp: phone }];
		const { items, hints } = await lab.engine.run(upsert, { input });
		expect(items[0].json).toMatchObject({ created: true, email: 'new@example.com' });
		expect(items[0].json.differences).toMatch(/was left out of the contact.*leads to 2 leads/);
		expect(JSON.stringify(hints)).not.toMatch(/two people|the lead of the email/);
	});

	test('is not lost where somebody else has the phone, and is not in the lead of that person', async () => {
		const [phone, email] = ['+5511987654321', 'bia@example.com'];
		const ana = { Nome: 'Ana Souza', Email: 'ana@example.com', WhatsApp: phone };
		await lab.engine.run(upsert, { input: [ana] });
		const bia = { ...visitor, Nome: 'Bia Lima', Email: email, WhatsApp: phone };
		const { items } = await lab.engine.run(upsert, { input: [bia] });
		expect(items[0].json).toMatchObject({ created: true, externalId: email, email });
		expect(notes()).toEqual([`Mensagem: Quero 3\nPhone: ${phone}`]);
		const row = { ...bia, submittedAt: undefined, formMode: undefined, row_number: 2 };
		const { error } = await lab.engine.run(upsert, { input: [{ ...row, Email: 'b@example.com' }] });
		expect(error?.message).toMatch(
			/^Row 2: The phone "\+5511987654321" is that of another person: Ana Souza/,
		);
	});

	test('is not lost where the contact keeps another name or email', async () => {
		const [phone, email] = ['+5511987654321', 'lia.work@example.com'];
		const lia = { nome: 'Lia Porto', telefone: phone, email: 'lia@example.com' };
		await lab.engine.run(upsert, { input: [lia] });
		lab.sandbox.controls.clearRequests();
		const again = { headers: {}, body: { ...lia, nome: 'Lia', email, mensagem: '2' } };
		for (const input of [[again], [again]]) {
			const { items } = await lab.engine.run(upsert, { input });
			expect(items[0].json).toMatchObject({ created: false, email: lia.email });
		}
		expect(notes()).toEqual([`mensagem: 2\nName: Lia\nEmail: ${email}`]);
	});

	test('is not lost where the only address cannot be read, and comes once', async () => {
		const input = [{ ...visitor, Email: 'ana@' }];
		const { items, error } = await lab.engine.run(upsert, { input });
		await lab.engine.run(upsert, { input });
		expect([error, notes()]).toEqual([undefined, ['Mensagem: Quero 3\nEmail: ana@']]);
		expect(items[0].json).toMatchObject({ created: true, name: 'Ana' });
		expect(items[0].json.externalId).toMatch(/^form-[\da-f]{16}$/);
	});

	test('a form without an address is refused in the words of a form', async () => {
		const input = [{ ...visitor, 'E-mail': '', Telefone: '' }];
		const { error } = await lab.engine.run(upsert, { input });
		expect(error?.message).toBe('The form was sent without an email and without a phone');
		expect(error?.description).toMatch(/^Make "E-mail" or "Telefone" required in your form/);
		expect(`${error?.message} ${error?.description}`).not.toMatch(/\b(?:row|column)/);
	});

	test('is noted where the service answers without the lead, which the email then finds', async () => {
		lab.sandbox.controls.variant({ status: 204 });
		const { error, items } = await lab.engine.run(upsert, { input: [form] });
		expect([error, notes().length]).toEqual([undefined, 1]);
		expect(items[0].json.noted).toBe(notes()[0]);
	});

	test('is named where it is switched off, where leads are pushed, and where the key lacks the scope', async () => {
		const off = { ...upsert, options: { noteAnswers: false } };
		const push = { ...upsert, ...called('sync.push', {}) };
		for (const parameters of [off, push]) {
			const { items } = await lab.engine.run(parameters, { input: [{ ...form, externalId: 'e' }] });
			expect(items[0].json.notSent).toEqual(expect.arrayContaining(['Mensagem', 'Interesse']));
		}
		const { key } = lab.sandbox.controls.addKey({ scopes: ['leads:read', 'leads:write', 'sync'] });
		const { error, hints, items } = await lab.withKey(key).run(upsert, { input: [form, form] });
		expect([error, notes(), items[0].json.noted]).toEqual([undefined, [], undefined]);
		expect(JSON.stringify(hints)).toMatch(/were not noted: the API key needs/);
	});
});

test('an interaction without a title and a description is refused before anything is sent', async () => {
	const empty = { leadId: by('id', leadId), type: 'NOTE', title: ' ' };
	const { error } = await lab.engine.run(called('interaction.create', empty));
	expect(error?.message).toBe(
		'"Title" and "Description" are empty, and an interaction without them says nothing',
	);
	expect(writes(lab.sandbox)).toEqual([]);
});

test.each(['id', 'body.id'])(
	'an item of the Webhook node is its body, with the ID %s',
	async (id) => {
		const body = {
			id: 'S-77',
			nome: 'Ana Souza',
			email: 'a@example.com',
			Valor: 'R$ 7.000,00',
			tags: 'vip',
		};
		const hook = { headers: { host: 'x' }, params: {}, query: {}, body };
		const options = { externalIdColumn: id };
		const columns = called('lead.upsert', { specifyLead: 'columns', options });
		const { items } = await lab.engine.run(columns, { input: [hook] });
		expect(items[0].json).toMatchObject({
			externalId: 'S-77',
			estimatedValue: 7000,
			tags: ['vip'],
		});
	},
);
