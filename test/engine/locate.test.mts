/** Records that are given by an external ID, an email or a phone instead of an ID. */
import type { IDataObject } from 'n8n-workflow';

import { by, called, useLab, writes } from '../helpers/lab.mts';

const lab = useLab({ seed: 20 });
let ids: Record<'ana' | 'mariana', { lead: string; contact: string }>;

const lead = (operation: string, parameters: IDataObject) => ({ operation, ...parameters });
const move = (leadId: unknown) => lead('updateStatus', { leadId, status: 'closed_won' } as never);
const paths = () => writes(lab.sandbox).map(({ path }) => path);
const reads = () =>
	lab.sandbox.controls
		.requests()
		.filter(({ method }) => method === 'GET')
		.map(({ path, query }) => [path, (query as IDataObject).search].filter(Boolean).join(' '));

function answer(data: object, times = 1) {
	const body = { success: true, data };
	lab.sandbox.controls.fault({ kind: 'status', status: 200, times, body });
}

async function create(externalId: string, fields: IDataObject) {
	// As they are, also what no field takes.
	const options = { additionalBody: JSON.stringify(fields) };
	const { items } = await lab.engine.run({ resource: 'contact', operation: 'create', options });
	const contact = String(items[0].json.id);
	const created = lab.sandbox.controls.createLead({ externalId, contactId: contact });
	lab.sandbox.controls.clearRequests();
	return { lead: created.id, contact };
}

const ANA = 'ana@firma.com';
const MARIANA = 'mariana@firma.com';
const PHONE = '+5511987654321';
/** The lead that all operations below are meant for was changed, and no other. */
const changesAna = async (leadId: unknown) => {
	expect((await lab.engine.run(move(leadId))).error).toBeUndefined();
	expect(paths()).toEqual([`/leads/${ids.ana.lead}/status`]);
};

beforeEach(async () => {
	const ana = { name: 'Ana', email: ANA, phone: '+55 11 98765-4321' };
	const mariana = { name: 'Mariana', email: MARIANA, phone: `${PHONE}00` };
	ids = { ana: await create('crm-1', ana), mariana: await create('crm-2', mariana) };
});

test.each([' ANA@firma.com ', '+55 11 8765-4321'])(
	'a lead is found by %j, the phone read from its contact',
	async (value) => {
		await changesAna(by('emailOrPhone', value));
		const read = value.includes('ANA') ? '/leads ANA@firma.com' : `/contacts/${ids.ana.contact}`;
		expect(reads()).toContain(read);
	},
);

test.each<[what: string, prepare: () => void, leadId: () => unknown]>([
	// What is found by a part of the number.
	['finds whole phones only', () => answer({ leads: [] }), () => by('emailOrPhone', PHONE)],
	[
		'does not state how many it found',
		() => lab.sandbox.controls.variant({ pagination: 'none' }),
		() => by('emailOrPhone', ANA),
	],
	[
		'is asked once for an expression that changes',
		() => answer({ id: ids.ana.lead }),
		() => by('externalId', '={{ "x" + Math.random() }}'),
	],
])('a service that %s', async (_, prepare, leadId) => {
	prepare();
	await changesAna(leadId());
});

test('a lead and a contact in a body are found as well', async () => {
	const contactId = by('emailOrPhone', MARIANA) as never;
	const leadId = by('externalId', 'crm-1') as never;
	await lab.engine.run(called('conversation.create', { leadId, contactId }));
	const body = { leadId: ids.ana.lead, contactId: ids.mariana.contact };
	expect(writes(lab.sandbox)).toMatchObject([{ body }]);
	// JSON of the user wins.
	const options = { additionalBody: '{"contactId": "own"}' };
	await lab.engine.run(
		called('lead.upsert', { externalId: 'e', additionalFields: { contactId }, options }),
	);
	expect(writes(lab.sandbox)[1].body).toMatchObject({ contactId: 'own' });
});

test('where the route takes an external ID, it is sent directly', async () => {
	await lab.engine.run(lead('get', { leadId: by('externalId', 'crm-1') }));
	await lab.engine.run(lead('get', { leadId: by('emailOrPhone', ANA) }));
	expect(reads()).toEqual(['/leads/crm-1', '/leads ana@firma.com', `/leads/${ids.ana.lead}`]);
});

describe('what does not name one lead fails, and nothing is sent', () => {
	const failing = async (leadId: unknown) => {
		const { error } = await lab.engine.run(move(leadId));
		expect(paths()).toEqual([]);
		return error;
	};

	test.each([
		['externalId', 'crm-3', 'No lead has the external ID "crm-3"'],
		['emailOrPhone', 'ana@firma.co', 'No lead has the email "ana@firma.co"'],
	] as const)('none: by %s %s', async (mode, value, message) => {
		expect(await failing(by(mode, value))).toMatchObject({
			message,
			description: expect.stringContaining('Lead > Get Many') as string,
		});
	});

	test('several are named with status, external ID and ID', async () => {
		const again = { externalId: 'crm-9', contactId: ids.ana.contact, status: 'on_hold' };
		lab.sandbox.controls.createLead(again);
		const error = await failing(by('emailOrPhone', ANA));
		expect(error?.message).toMatch(/the email "ana@firma\.com" leads to 2 leads: Ana · /);
		expect(error?.message).toContain('on_hold · crm-9 (ID ');
		expect(error?.message).toContain(`open · crm-1 (ID ${ids.ana.lead})`);
		expect(error?.description).toContain('by its ID or external ID');
	});

	test('one whose phone is not written in full is not taken', async () => {
		await create('crm-4', { name: 'Ana Short', phone: '8765-4321' });
		const message = /^It is unclear which lead is meant: the phone .*may lead to .*crm-4.*crm-1/;
		expect((await failing(by('emailOrPhone', PHONE)))?.message).toMatch(message);
	});

	test('the contact cannot be read: the scope is named', async () => {
		const { key } = lab.sandbox.controls.addKey({ scopes: ['leads:read', 'leads:write'] });
		const { error } = await lab.withKey(key).run(move(by('emailOrPhone', PHONE)));
		expect(error?.message).toBe('The API key does not permit: Find contact by ID');
		expect(error?.description).toContain('contacts:read');
	});

	const listOf = (count: number, total: number) => ({
		leads: Array.from({ length: count }, (_, id) => ({ id, contact: null })),
		pagination: { page: 1, limit: 100, total },
	});
	const secret = { name: `sk_live_abcdefgh ${'x'.repeat(500)}`, email: ANA };
	const tooMany = new RegExp(`^Too many leads were found for the email "${ANA}"$`);
	test.each<[string, 'externalId' | 'emailOrPhone', object, RegExp]>([
		['another lead', 'externalId', { id: 'crm-1', externalId: 'other' }, /^No lead has/],
		['the lead with this ID', 'externalId', { id: 'crm-1' }, /^No lead has/],
		['a lead without ID', 'externalId', { externalId: 'crm-1' }, /^It is unclear/],
		['all leads of a large account', 'emailOrPhone', listOf(100, 600), tooMany],
		['a list that changes', 'emailOrPhone', listOf(2, 3), tooMany],
		[
			'a lead whose contact is not shown, and one without a contact',
			'emailOrPhone',
			{ leads: [{ id: 'l-1', contact: null }, { id: 'l-2' }] },
			/^It is unclear which lead is meant: .* may lead to \(ID l-2\)$/,
		],
		[
			'many long names, and a key',
			'emailOrPhone',
			{ leads: Array.from({ length: 7 }, (_, id) => ({ id, contact: secret })) },
			/^.{0,300}: \*\*\* x+… \(ID 0\); .{0,600} and 2 more$/,
		],
	])('the service answers with %s', async (_, mode, data, message) => {
		answer(data, 9);
		const value = mode === 'externalId' ? 'crm-1' : ANA;
		expect((await failing(by(mode, value)))?.message).toMatch(message);
	});
});

describe('many items', () => {
	const input = [{ who: ANA }, { who: 'nobody@firma.com' }, { who: 'ANA@firma.com' }];
	const leadId = by('emailOrPhone', '={{ $json.who }}') as never;
	const parameters = lead('addTags', { leadId, tags: '={{ $json.who }}' });

	test('nothing is sent if one is not found; only that one fails if the run goes on', async () => {
		const none = 'No lead has the email "nobody@firma.com"';
		const { error } = await lab.engine.run(parameters, { input });
		expect([error?.message, paths()]).toEqual([`Item 2: ${none}`, []]);
		const onError = 'continueRegularOutput';
		const { items } = await lab.engine.run(parameters, { input, onError });
		const found = { id: ids.ana.lead };
		expect(items).toMatchObject([{ json: found }, { json: { error: none } }, { json: found }]);
	});

	test('items for one lead keep their order, whatever names it', async () => {
		lab.sandbox.controls.latency({ ms: 5, jitterMs: 10 });
		const names = [by('emailOrPhone', ANA), by('id', ids.ana.lead), by('externalId', 'crm-1')];
		names.push(by('emailOrPhone', PHONE));
		const statuses = names.map((_, index) => `status ${index}`);
		const { error } = await lab.engine.run(
			lead('updateStatus', { leadId: '={{ $json.leadId }}', status: '={{ $json.status }}' }),
			{ input: names.map((leadId, index) => ({ leadId, status: statuses[index] })) as never },
		);
		expect(error).toBeUndefined();
		expect(writes(lab.sandbox).map(({ body }) => (body as IDataObject).status)).toEqual(statuses);
		expect(lab.sandbox.controls.traffic().maxConcurrent).toBeGreaterThan(1);
	});
});

test('contacts are found in the same way', async () => {
	const update = async (value: string) => {
		const contactId = by('emailOrPhone', value);
		const parameters = called('contact.update', { contactId, updateFields: { name: 'B' } });
		return (await lab.engine.run(parameters)).error?.message;
	};
	expect([await update('ANA@firma.com'), await update('+551187654321')]).toEqual([
		undefined,
		undefined,
	]);
	expect(paths()).toEqual(Array(2).fill(`/contacts/${ids.ana.contact}`));
	await create('crm-6', { name: 'Another', email: ANA });
	expect(await update(ANA)).toMatch(/leads to 2 contacts: .*Another · ana@firma.com \(ID /);
	expect(paths()).toEqual([]);
});

describe('Get Many', () => {
	const getMany = async (filters: IDataObject, more: IDataObject = {}) => {
		const { items, hints } = await lab.engine.run(lead('getAll', { filters, ...more }));
		return { found: items.map(({ json }) => json.id), hints };
	};

	beforeEach(async () => {
		for (let index = 0; index < 3; index += 1) {
			await create(`more-${index}`, { name: 'Luana', email: 'luana@firma.com' });
			const again = { externalId: `again-${index}`, contactId: ids.ana.contact, status: 'on_hold' };
			lab.sandbox.controls.createLead(again);
		}
	});

	test.each([
		[{ returnAll: true }, 4],
		[{ limit: 3 }, 3],
	])('with %j the limit counts matches, not what the search found', async (more, count) => {
		const { found, hints } = await getMany({ email: ANA }, more);
		expect(new Set(found).size).toBe(count);
		const hint = `${count} leads have the email ana@firma.com. What follows runs for each of them.`;
		expect(hints.map(({ message }) => message)).toEqual([hint]);
	});

	test.each([
		[{ phone: '+55 11 98765-4321', status: 'on_hold' }, 3],
		[{ phone: PHONE, email: MARIANA }, 0],
		[{ email: ANA, search: 'mariana' }, 0],
	])('%j finds %i', async (filters, count) => {
		expect((await getMany(filters, { returnAll: true })).found).toHaveLength(count);
		expect(reads()).toEqual([...new Set(reads())]);
	});

	test('leads that cannot be compared are left out, and a hint names them', async () => {
		await create('crm-7', { name: 'Ana Short', phone: '987654321' });
		const { found, hints } = await getMany({ phone: PHONE, status: 'open' });
		expect(found).toEqual([ids.ana.lead]);
		expect(hints[0].message).toMatch(
			/^Not returned, .* the phone \+5511987654321: Ana Short · .*crm-7/,
		);
	});
});

describe('Create or Update without an ID', () => {
	const upsert = (parameters: IDataObject) => lead('upsert', { ...parameters });
	const sent = () => writes(lab.sandbox).map(({ method, path, body }) => [method, path, body]);

	test.each<[IDataObject]>([
		[{ email: 'new@firma.com', phone: PHONE }],
		[{ email: ANA, phone: '+5511955554444' }],
	])('the one lead of %j is updated by its external ID', async (person) => {
		const notes = { additionalFields: { notes: 'x' } };
		const { items } = await lab.engine.run(upsert({ ...person, ...notes }));
		expect(items).toMatchObject([{ json: { id: ids.ana.lead, created: false, linked: false } }]);
		expect(sent()).toMatchObject([['POST', '/leads', { externalId: 'crm-1', notes: 'x' }]]);
	});

	test.each<[IDataObject, string]>([
		[{ email: 'Eva@Firma.com', phone: '+5511955554444' }, 'eva@firma.com'],
		[{ phone: '+55 (11) 8888-7777' }, '+5511988887777'],
	])('without a lead of %j, one is created with the external ID %s', async (person, externalId) => {
		const run = async () => (await lab.engine.run(upsert(person))).items[0].json;
		const created = await run();
		expect(created).toMatchObject({ externalId, created: true });
		expect(await run()).toMatchObject({ id: created.id });
	});

	test.each<[IDataObject, boolean, RegExp]>([
		[
			{ email: MARIANA, phone: PHONE },
			false,
			/the email "mariana@firma.com" leads to .*crm-2.*; the phone "\+5511987654321" leads to .*crm-1/,
		],
		[{ email: ANA, phone: '+5511955554444' }, true, /leads to 2 leads: .*crm-9.*crm-1/],
		[{ email: 'new@firma.com', phone: PHONE }, true, /leads to 2 leads: .*crm-9.*crm-1/],
	])('several leads fail the item, whatever else is given: %j', async (person, again, message) => {
		const another = { externalId: 'crm-9', contactId: ids.ana.contact };
		if (again) lab.sandbox.controls.createLead(another);
		const { error } = await lab.engine.run(upsert(person));
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('Nothing was sent');
		expect(sent()).toEqual([]);
	});

	test('one that may have the phone, and is the one with the email', async () => {
		const email = 'bia@firma.com';
		const short = await create('crm-8', { name: 'Bia', email, phone: '97777-6666' });
		const { items } = await lab.engine.run(upsert({ email, phone: '+5511977776666' }));
		expect(items).toMatchObject([{ json: { id: short.lead } }]);
	});

	test.each<[IDataObject, string[]]>([
		[{ email: ANA, phone: PHONE }, ['ana@firma.com', '87654321']],
		[{ phone: '+5511977776666' }, ['77776666', '+5511977776666', '+551177776666']],
	])('the requests of %j, however many items have it', async (person, searches) => {
		const input = [person, person, person];
		const given = { email: '={{ $json.email }}', phone: '={{ $json.phone }}' };
		lab.sandbox.controls.fault({ kind: 'status', status: 422, match: { method: 'POST' } });
		await lab.engine.run(upsert(given), { input });
		const leads = reads().filter((path) => path.startsWith('/leads '));
		expect(leads.sort()).toEqual(searches.map((each) => `/leads ${each}`).sort());
	});

	describe('people who are in several items, or in several executions, make one lead', () => {
		const chain = [
			{ email: 'eva@x.co', phone: '+5511955554444' },
			{ phone: '+5511955554444' },
			{ email: 'new@x.co', phone: '+5511955554444' },
		];
		const parameters = upsert({ email: '={{ $json.email }}', phone: '={{ $json.phone }}' });
		const made = () =>
			[...lab.sandbox.store.leads.values()].filter(({ externalId }) =>
				/x\.co|\+55/.test(externalId ?? ''),
			);
		beforeEach(() => lab.sandbox.controls.latency({ ms: 5, jitterMs: 10 }));

		test.each(['one run', 'runs at once'])('in %s', async (how) => {
			const inputs = how === 'one run' ? [chain] : chain.map((person) => [person]);
			const runs = await Promise.all(
				inputs.map(async (input) => await lab.engine.run(parameters, { input })),
			);
			expect(runs.flatMap(({ error }) => error ?? [])).toEqual([]);
			expect(made()).toHaveLength(1);
		});
	});

	test('a lead without an external ID is updated by its ID, and keeps its tags', async () => {
		const { contact } = ids.ana;
		lab.sandbox.controls.deleteLead({ id: ids.ana.lead });
		const { id } = lab.sandbox.controls.createLead({ contactId: contact, tags: ['old'] });
		const fields = { additionalFields: { tags: 'new', createContactIfNotFound: false } };
		const { items } = await lab.engine.run(upsert({ email: ANA, ...fields }));
		expect(items).toMatchObject([{ json: { id, created: false, tags: ['old', 'new'] } }]);
		expect(sent()).toEqual([['PUT', `/leads/${id}`, { tags: ['old', 'new'] }]]);
	});

	test('a lead without an external ID is not written where nothing is to be changed', async () => {
		const { contact } = ids.ana;
		lab.sandbox.controls.deleteLead({ id: ids.ana.lead });
		const { id } = lab.sandbox.controls.createLead({ contactId: contact });
		const { items } = await lab.engine.run(upsert({ email: ANA }));
		expect(items).toMatchObject([{ json: { id, created: false } }]);
		expect(sent()).toEqual([]);
	});
});
