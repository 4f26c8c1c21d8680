/** Whose record it is, in every operation: another person's record is refused, and what differs is said. */
import type { IDataObject } from 'n8n-workflow';

import { engineWith } from '../helpers/engine.mts';
import { by, called, fastClock, useLab, writes } from '../helpers/lab.mts';
import { chatwoot, message, meta } from '../helpers/webhooks.mts';

const lab = useLab({ seed: 0, rpm: 0 }, () => fastClock(500));

const ANA = { name: 'Ana Souza', email: 'ana@example.com', phone: '+5511911111111' };
const BIA = { name: 'Bia Lima', email: 'bia@example.com', phone: '+5511922222222' };

/** Ana's lead, with the external ID `crm-1`, and what her contact lacks. */
function createAna(lacks: Array<keyof typeof ANA> = []) {
	const { store, controls } = lab.sandbox;
	const contact = { ...ANA, ...Object.fromEntries(lacks.map((field) => [field, undefined])) };
	const { id: contactId } = store.createContact(contact);
	const { id } = controls.createLead({ externalId: 'crm-1', contactId, createdAt: '2026-01-01' });
	controls.clearRequests();
	return { id, contactId };
}
const leads = () => [...lab.sandbox.store.leads.values()];
const contactOf = (id: string) =>
	lab.sandbox.store.contact(lab.sandbox.store.leads.get(id)!.contactId);

const COLUMNS = { mappingMode: 'autoMapInputData', value: null };
const upsert = (fields: IDataObject) => called('lead.upsert', fields);
const push = (options: IDataObject = {}) => called('sync.push', { lead: COLUMNS, options });
const sale = called('lead.recordSale', { specifySale: 'columns' });
const SALE = { Date: '2026-01-31', Value: '10' };
const run = async (parameters: IDataObject, input: IDataObject[] = [{}], asTool = false) =>
	await lab.engine.run(parameters, { input, asTool });

describe('an agent that gives an external ID', () => {
	const asJson = (contact: IDataObject) => ({
		...called('sync.push', { specifyLeads: 'json' }),
		leadJson: JSON.stringify({ externalId: 'crm-1', contact }),
	});
	const updateFields = { contact: { name: BIA.name, email: BIA.email } };
	const update = { operation: 'update', leadId: by('id', 'crm-1'), updateFields };
	const { email } = BIA;
	const sold = called('lead.recordSale', { soldOn: '2026-01-31', saleValue: '10', email });

	test.each<[string, IDataObject]>([
		['Create or Update', upsert({ externalId: 'crm-1', ...BIA })],
		['Push Leads', asJson(BIA)],
		['Update', update],
		['Record Sale', { ...sold, externalId: 'crm-1' }],
	])("that is another person's is refused with both: %s", async (_, parameters) => {
		createAna();
		const { error } = await run(parameters, [{}], true);
		expect(error?.message).toMatch(
			/is that of another person: Ana Souza · ana@example\.com.*, not .*bia@/,
		);
		expect(error?.message).not.toMatch(/Fields|Options/);
		expect(writes(lab.sandbox)).toEqual([]);
	});

	describe.each<[string, IDataObject]>([
		['Add Tags', called('lead.addTags', { tags: 'vip' })],
		['Update Status', called('lead.updateStatus', { status: 'closed_won' })],
	])('to %s', (_, operation) => {
		const change = async (person: string, asTool = true) => {
			const { id } = createAna();
			const { error } = await run({ ...operation, leadId: by('id', id), person }, [{}], asTool);
			return error?.message.replace(id, 'its ID');
		};

		test.each(['Bia Lima', 'bia@example.com'])(
			'with %s of another person is refused with both, and told how to find the ID',
			async (person) => {
				expect(await change(person)).toContain(
					`The ID "its ID" is that of another person: Ana Souza · ana@example.com, not ${person}. Correct the ID: "get many leads" finds`,
				);
				expect(writes(lab.sandbox)).toEqual([]);
			},
		);

		test.each<[string, ReturnType<typeof by>]>([
			['external ID "crm-1"', by('externalId', 'crm-1')],
			['email "ana@example.com"', by('id', ANA.email)],
			['phone "+5511911111111"', by('id', ANA.phone)],
		])('of another person by its %s is refused by what was given', async (given, leadId) => {
			const { id } = createAna();
			const call = { ...operation, leadId, person: 'Bia' } as IDataObject;
			const { error } = await run(call, [{}], true);
			expect(error?.message).toMatch(`The ${given} is that of another person: Ana Souza`);
			expect(error?.message).toContain(
				`Correct the ${given.split(' "')[0]}: "get many leads" finds`,
			);
			expect(error?.message).not.toContain(id);
		});

		test.each(['Ana', 'Dona Ana Lima', 'ANA@example.com', ''])(
			'with "%s" changes her lead, and does not send the name',
			async (person) => {
				expect(await change(person)).toBeUndefined();
				expect(writes(lab.sandbox)).toHaveLength(1);
				expect(JSON.stringify(writes(lab.sandbox))).not.toContain('person');
			},
		);

		test('reads nothing for a person, who chose the lead', async () => {
			expect(await change('Bia Lima', false)).toBeUndefined();
			expect(lab.sandbox.controls.requests()).toHaveLength(1);
		});
	});

	test.each(['{"External_ID": "crm-1"}', '["crm-1"]'])('%s is not an ID', async (externalId) => {
		const { error } = await run(upsert({ externalId, ...ANA }), [{}], true);
		expect(error?.message).toMatch(/^"External ID" must be one ID, not JSON/);
		expect(writes(lab.sandbox)).toEqual([]);
	});

	test('that it made up beside a known email gets the lead of the email, and is told so', async () => {
		const { id } = createAna();
		const { items } = await run(upsert({ externalId: 'made-up', ...ANA }), [{}], true);
		expect(items[0].json).toMatchObject({ id, externalId: 'crm-1', created: false });
		expect(items[0].json.differences).toMatch(/"crm-1", so the external ID "made-up" was not used/);
		expect(leads()).toHaveLength(1);
	});

	test('that it made up is not given to a lead that has none', async () => {
		const { id } = createAna();
		lab.sandbox.controls.changeLead({ id, externalId: null });
		const { items } = await run(upsert({ externalId: 'made-up', ...ANA }), [{}], true);
		expect(items[0].json).toMatchObject({ id, created: false });
		expect(items[0].json.differences).toMatch(/a lead without one, so the external ID "made-up"/);
		expect(lab.sandbox.store.leads.get(id)?.externalId).toBeNull();
	});

	test('that is new creates a lead', async () => {
		const { items } = await run(upsert({ externalId: 'new', ...ANA }), [{}], true);
		expect(items[0].json).toMatchObject({ externalId: 'new', created: true });
	});

	test('that is known, with a new phone, fills the blank', async () => {
		const { id } = createAna(['phone']);
		const fields = { externalId: 'crm-1', phone: ANA.phone };
		const { items, error } = await run(upsert(fields), [{}], true);
		expect([error, items[0].json.differences]).toEqual([undefined, undefined]);
		expect(contactOf(id)).toMatchObject(ANA);
	});
});

test.each([null, ''])('an external ID that is %j in JSON gives way to the email', async (blank) => {
	const { email } = ANA;
	const options = { additionalBody: JSON.stringify({ externalId: blank }) };
	const { items, error } = await run(upsert({ email, options }));
	expect([error, items[0]?.json.externalId]).toEqual([undefined, email]);
});

describe("a lead keeps its person's contact", () => {
	test.each<[string, IDataObject]>([
		['email', { email: BIA.email }],
		['phone', { phone: BIA.phone }],
	])('where an external ID comes with only the %s of another', async (_, given) => {
		const { id, contactId } = createAna();
		lab.sandbox.store.createContact(BIA);
		const { items, error } = await run(upsert({ externalId: 'crm-1', ...given }));
		expect(error).toBeUndefined();
		expect(lab.sandbox.store.leads.get(id)?.contactId).toBe(contactId);
		expect(items[0].json.differences).toContain(`not "${Object.values(given).join()}"`);
	});

	test.each(['crm-1', undefined])(
		'where its phone comes with the email of a contact without a lead: external ID %s',
		async (externalId) => {
			const { id: contactId } = lab.sandbox.store.createContact(ANA);
			const { id } = lab.sandbox.controls.createLead({ contactId, externalId });
			const other = lab.sandbox.store.createContact({ email: BIA.email });
			const parameters = { phone: ANA.phone, email: BIA.email, additionalFields: { tags: 'new' } };
			const { items, error } = await run(upsert(parameters));
			expect(error).toBeUndefined();
			expect(lab.sandbox.store.leads.get(id)?.contactId).toBe(contactId);
			expect([...lab.sandbox.store.leads.values()].map((lead) => lead.contactId)).not.toContain(
				other.id,
			);
			expect(items[0].json.differences).toContain(`not "${BIA.email}"`);
		},
	);

	test('and gets a phone beside a known email, which the next row has alone', async () => {
		const { id } = createAna(['phone']);
		const lead = upsert({ specifyLead: 'columns', lead: COLUMNS });
		const input = [{ Email: ANA.email, Phone: ANA.phone }, { Phone: ANA.phone }];
		const { items } = await run(lead, input);
		expect(items.map(({ json }) => json.id)).toEqual([id, id]);
	});

	test('also where the answer does not show it, which is then read', async () => {
		const { id, contactId } = createAna();
		lab.sandbox.store.createContact(BIA);
		lab.sandbox.controls.variant({ status: 204 });
		const parameters = upsert({ externalId: 'crm-1', ...BIA });
		const { items } = await run(parameters);
		expect(lab.sandbox.store.leads.get(id)?.contactId).toBe(contactId);
		expect(items[0].json.differences).toContain(`Contact Email is "${ANA.email}"`);
		const { key } = lab.sandbox.controls.addKey({ scopes: ['leads:write'] });
		const { hints } = await lab.withKey(key).run(parameters);
		expect(hints.map(({ message: text }) => text)).toEqual([
			expect.stringMatching(/^The service answered without the lead, .*"leads:read"/),
			expect.stringMatching(/^The name, email and phone were not compared .*"leads:read"/),
		]);
	});

	test('also where it is accepted only, and then read', async () => {
		const { id, contactId } = createAna();
		const match = { method: 'POST', path: '/leads' };
		const body = { success: true, data: {} };
		lab.sandbox.controls.fault({ kind: 'status', status: 202, body, match, when: 'after' });
		const { items } = await run(upsert({ externalId: 'crm-1', ...BIA }));
		expect(lab.sandbox.store.leads.get(id)?.contactId).toBe(contactId);
		const read = lab.sandbox.controls
			.requests()
			.filter(({ path }) => path.endsWith('/leads/crm-1'));
		expect([items.length, read.length]).toEqual([1, 1]);
	});

	test('which gets no phone of another person', async () => {
		const { id } = createAna(['phone']);
		const { items } = await run(upsert({ externalId: 'crm-1', ...BIA }));
		expect(contactOf(id)).toMatchObject({ ...ANA, phone: null });
		expect(items[0].json.differences).toContain(`Contact Phone is empty, not "${BIA.phone}"`);
	});

	test.each([404, 200, 204])('and gets one where it has none: %d', async (status) => {
		const { store, controls } = lab.sandbox;
		const { id } = controls.createLead({ externalId: 'crm-1' });
		const body = { success: true, data: { id, externalId: 'crm-1', contact: null } };
		const answer = { kind: 'status' as const, status, match: { method: 'POST' } };
		if (status !== 404) controls.fault({ ...answer, body: status === 200 ? body : undefined });
		const { error } = await run(upsert({ externalId: 'crm-1', ...ANA }));
		expect([error, contactOf(id)]).toMatchObject([undefined, ANA]);
		expect([store.contacts.size, writes(lab.sandbox).length]).toEqual([1, 2]);
	});

	test('or says that another phone was not filled', async () => {
		createAna();
		const { items } = await run(upsert({ email: ANA.email, phone: BIA.phone }));
		expect(items[0].json.differences).toContain(`not "${BIA.phone}"`);
	});
});

describe('a row of another person', () => {
	const row = { Name: BIA.name, Email: ANA.email, Phone: BIA.phone };
	const [inColumns, find] = [
		upsert({ specifyLead: 'columns', lead: COLUMNS }),
		'contact.findOrCreate',
	];
	test.each<[string, IDataObject, IDataObject]>([
		['Create or Update', inColumns, row],
		['Push Leads', push(), row],
		['Record Sale', sale, { ...row, ...SALE }],
		['Find or Create', called(find, { ...BIA, email: ANA.email }), {}],
	])(
		'who only shares an email is refused, also where the list shows no phone: %s',
		async (_, parameters, input) => {
			createAna();
			const { error } = await run(parameters, [input]);
			expect(error?.message).toMatch(
				/^The .*email "ana@example\.com".* is that of another person: Ana Souza/,
			);
			expect(writes(lab.sandbox)).toEqual([]);
		},
	);

	test.each<[string, IDataObject[], boolean]>([
		[
			'one external ID',
			[
				{ ID: 'crm-1', ...ANA },
				{ ID: 'crm-1', ...BIA },
			],
			true,
		],
		['one email', [ANA, { ...BIA, email: ANA.email }], true],
		['one phone', [ANA, { ...BIA, phone: ANA.phone }], true],
		[
			'one phone, and IDs',
			[
				{ ID: 'crm-1', ...ANA },
				{ ID: 'crm-2', ...BIA, phone: ANA.phone },
			],
			false,
		],
		['one email, and another name', [ANA, { ...ANA, name: BIA.name }], false],
		[
			'one ID, and another last name',
			[
				{ ID: 'crm-1', ...ANA },
				{ ID: 'crm-1', ...BIA, name: 'Ana Lima' },
			],
			false,
		],
	])(
		'in the same run is compared with the first, before anything is sent: %s',
		async (_, rows, isRefused) => {
			const input = rows.map(({ ID, ...fields }) => ({
				...fields,
				...(ID ? { 'External ID': ID } : {}),
			}));
			for (const parameters of [push(), push({ batchSize: 1 }), inColumns]) {
				lab.sandbox.controls.reset();
				const { error } = await run(parameters, input);
				expect(
					/of an earlier item is that of another person: Ana Souza/.test(String(error?.message)),
				).toBe(isRefused);
				expect(writes(lab.sandbox).length > 0).toBe(!isRefused);
			}
		},
	);
});

describe('a message of WhatsApp', () => {
	const CODE = 'ML-AB12-CD34';
	const NUMBER = ANA.phone.slice(1);
	const log = async (body: string, from: IDataObject, more: IDataObject = {}) => {
		const webhook = meta(
			message(body, { from: undefined, from_user_id: undefined, ...from, ...more }),
		);
		lab.sandbox.controls.clearRequests();
		return (await run(called('message.logFromWhatsApp', {}), [webhook])).items[0].json;
	};
	const both = { from: NUMBER, from_user_id: 'BR.1' };
	const number = { from: NUMBER };
	const hidden = { from_user_id: 'BR.1' };
	const leadWith = (fields: object, contact: object | null = null) => {
		const { store, controls } = lab.sandbox;
		const contactId = contact ? store.createContact(contact).id : null;
		return controls.createLead({ createdAt: '2026-01-01', contactId, ...fields }).id;
	};

	test.each<[string, object, object | null]>([
		['the ID of another', { externalId: 'whatsapp-BR.2' }, null],
		[
			'the ID of another, and a masked phone',
			{ externalId: 'whatsapp-BR.2' },
			{ phone: '+55 11 *****-1111' },
		],
		['the number of another', { externalId: 'whatsapp-5511922222222' }, null],
		['an email, and another name', {}, { name: 'Bia', email: BIA.email }],
		['the phone of another', { externalId: 'crm-2' }, BIA],
	])('with the code of a lead that has %s does not move it', async (_, fields, contact) => {
		const id = leadWith({ protocol: CODE, ...fields }, contact);
		const before = structuredClone(lab.sandbox.store.leads.get(id));
		const logged = await log(`Hi ${CODE}`, both);
		expect(logged).toMatchObject({ created: true, linked: false, protocol: CODE });
		expect(logged.differences).toMatch(/belongs to the lead of another person/);
		expect(lab.sandbox.store.leads.get(id)).toEqual(before);
	});

	test.each([400, 422])('moves nobody where the code alone is refused with %d', async (status) => {
		const id = leadWith({ protocol: CODE, externalId: 'whatsapp-BR.2' }, BIA);
		const before = structuredClone(lab.sandbox.store.leads.get(id));
		lab.sandbox.controls.fault({ kind: 'status', status, times: 1, match: { method: 'POST' } });
		expect(await log(`Hi ${CODE}`, both)).toMatchObject({ created: true, linked: false });
		expect(lab.sandbox.store.leads.get(id)).toEqual(before);
	});

	test('moves nobody where the answer is 204', async () => {
		const id = leadWith({ protocol: CODE, externalId: 'whatsapp-BR.2' }, BIA);
		const before = structuredClone(lab.sandbox.store.leads.get(id));
		lab.sandbox.controls.variant({ status: 204 });
		const webhook = meta(message(`Hi ${CODE}`, both));
		await run(called('message.logFromWhatsApp', {}), [webhook]);
		expect(lab.sandbox.store.leads.get(id)).toEqual(before);
	});

	test.each([
		['the owner', 'crm-77', both],
		['one who hides the number', 'crm-77', hidden],
	])(
		'of %s does not overwrite the external ID of the lead of the code',
		async (_, externalId, from) => {
			const id = leadWith({ protocol: CODE, externalId });
			expect(await log(`Hi ${CODE}`, from)).toMatchObject({ leadId: id, linked: true });
			expect(lab.sandbox.store.leads.get(id)).toMatchObject({ externalId });
		},
	);

	test('of a known person does not put the ID onto a second lead', async () => {
		const known = leadWith({ externalId: 'crm-9' }, ANA);
		const id = leadWith({ protocol: CODE });
		const logged = await log(`Hi ${CODE}`, number);
		expect(logged).toMatchObject({ leadId: id, linked: true });
		expect(logged.differences).toMatch(/another lead as well: Ana Souza/);
		const [{ body }] = writes(lab.sandbox).filter((each) => 'contact' in (each.body as object));
		expect(body).not.toHaveProperty('externalId');
		expect(lab.sandbox.store.leads.get(known)).toMatchObject({ externalId: 'crm-9' });
		expect(lab.sandbox.store.leads.get(id)?.externalId).toBeNull();
	});

	test('of the owner and of a forwarder at the same moment: one of them gets the lead', async () => {
		const id = leadWith({ protocol: CODE });
		lab.sandbox.controls.latency({ ms: 5, jitterMs: 10 });
		const webhooks = [both, { from: BIA.phone.slice(1), from_user_id: 'BR.2' }].map((from) =>
			meta(message(`Hi ${CODE}`, from)),
		);
		const runs = await Promise.all(
			webhooks.map(async (each) => await run(called('message.logFromWhatsApp', {}), [each])),
		);
		const linked = runs.filter(({ items }) => items[0].json.leadId === id);
		expect(linked).toHaveLength(1);
		expect(leads()).toHaveLength(2);
	});

	test('with number, hidden ID, then both: two leads are said, and one is used from then on', async () => {
		const [first, second] = [await log('1', number), await log('2', hidden)];
		expect(second.leadId).not.toBe(first.leadId);
		const third = await log('3', both);
		expect(third.leadId).toBe(first.leadId);
		expect(third.differences).toMatch(/^This person has two leads: .*whatsapp-5511911111111/);
		for (const from of [number, hidden, both]) {
			expect(await log('4', from)).toMatchObject({ leadId: first.leadId });
		}
		expect(lab.sandbox.controls.requests()).toHaveLength(3);
	});

	test('of the owner of a lead with an ID of its own: it is said once that the hidden ID is not kept', async () => {
		const id = leadWith({ externalId: 'crm-1' }, { phone: ANA.phone });
		const first = await log('1', both);
		expect(first).toMatchObject({ leadId: id, externalId: 'crm-1' });
		expect(first.differences).toMatch(/finds only "whatsapp-BR\.1" and makes a second lead/);
		expect(await log('2', both)).not.toHaveProperty('differences');
		// Leads of two accounts may have the same ID.
		const baseUrl = lab.sandbox.url.replace('127.0.0.1', 'localhost');
		const other = engineWith({ baseUrl, apiKey: lab.sandbox.keys.full });
		const input = [meta(message('3', both))];
		const { items } = await other.run(called('message.logFromWhatsApp', {}), { input });
		expect(items[0].json.differences).toMatch(/makes a second lead/);
	});

	/**
	 * Chatwoot keeps number and user ID as inboxes of one contact (https://github.com/chatwoot/chatwoot/pull/14436, 12 May 2026), and
	 * a webhook has one of them (https://github.com/chatwoot/chatwoot/pull/15406, 11 Aug 2026): all have the ID of the contact.
	 */
	test.each([
		['number', 'user ID', 'neither'],
		['user ID', 'neither', 'number'],
		['neither', 'number', 'user ID'],
	])("by Chatwoot goes by the contact's ID first: %s, %s, %s", async (...order) => {
		const SOURCES: Record<string, [string, string | null]> = {
			number: [NUMBER, ANA.phone],
			'user ID': ['BR.1', null],
			neither: ['83b72ca2', null],
		};
		for (const [n, kind] of order.entries()) {
			const [source, phone] = SOURCES[kind];
			const sender = { id: 14, name: ANA.name, phone_number: phone };
			const inbox = { contact_inbox: { contact_id: 14, source_id: source }, meta: { sender } };
			const webhook = chatwoot('Hi', inbox, { id: n + 1 });
			const { error } = await run(called('message.logFromWhatsApp', {}), [webhook]);
			expect(error).toBeUndefined();
		}
		expect(leads().map(({ externalId }) => externalId)).toEqual(['whatsapp-chatwoot-14']);
	});

	test('whose number has another ID of WhatsApp is said', async () => {
		const id = leadWith({ externalId: 'whatsapp-BR.7' }, { name: 'Bia', phone: ANA.phone });
		const logged = await log('Hi', both);
		expect(logged).toMatchObject({ leadId: id });
		expect(logged.differences).toMatch(/another ID of WhatsApp than the lead "whatsapp-BR\.7"/);
	});
});

test.each([ANA.email, '+55 (11) 91111-1111', 'crm-1'])(
	'an agent gets the lead of %s in one call',
	async (value) => {
		const { id } = createAna();
		const get = { operation: 'get', leadId: by('id', value) };
		const { items } = await run(get, [{}], true);
		expect(items[0].json.id).toBe(id);
	},
);

describe('a list of leads that shows no contact, only its ID', () => {
	const listed = () => {
		const { id, contactId } = createAna();
		const leadsOf = [{ id, externalId: 'crm-1', status: 'open', contactId }];
		const body = { success: true, data: { leads: leadsOf } };
		const match = { method: 'GET', path: '/leads' };
		lab.sandbox.controls.fault({ kind: 'status', status: 200, body, times: 50, match });
		return id;
	};

	test.each<[string, IDataObject]>([
		['email', { email: ANA.email }],
		['phone', { phone: ANA.phone }],
		['email and phone', { email: ANA.email, phone: ANA.phone }],
	])('reads the contact once to find the lead by %s', async (_, given) => {
		const id = listed();
		const { items, error } = await run(upsert(given));
		expect([error, items[0]?.json.id]).toEqual([undefined, id]);
		const read = lab.sandbox.controls.requests().filter(({ path }) => /^\/contacts\//.test(path));
		expect(read).toHaveLength(1);
	});

	test('names the scope where the key may not read contacts', async () => {
		listed();
		const { key } = lab.sandbox.controls.addKey({ scopes: ['leads:read', 'leads:write'] });
		const { error } = await lab.withKey(key).run(upsert({ email: ANA.email }));
		expect(`${error?.message} ${error?.description}`).toMatch(/contacts:read/);
		expect(writes(lab.sandbox)).toEqual([]);
	});
});

/** Written down before they were run: whose record it is in a row of *Create or Update*, for a record that is there. */
describe('a row of', () => {
	const NEW = 'new@example.com';
	const { phone, email } = ANA;
	const scenes: Array<[scene: string, record: IDataObject, row: IDataObject, became: string]> = [
		[
			'a recycled number, with an email',
			{},
			{ Name: BIA.name, Email: BIA.email, Phone: phone },
			'refused',
		],
		['a recycled number alone', {}, { Name: BIA.name, Phone: phone }, 'used, said'],
		['a couple with one email', {}, { Name: 'Pedro Souza', Email: email }, 'used, said'],
		[
			'a couple with one email and two phones',
			{},
			{ Name: 'Pedro Souza', Email: email, Phone: BIA.phone },
			'refused',
		],
		[
			'a couple by title',
			{ name: 'Sra. Souza' },
			{ Name: 'Sr. Souza', Email: NEW, Phone: phone },
			'refused',
		],
		[
			'sisters with one email',
			{ name: 'Ana Paula Souza' },
			{ Name: 'Ana Clara Souza', Email: email, Phone: BIA.phone },
			'refused',
		],
		[
			'father and son with one phone',
			{ name: 'Paulo Reis Filho' },
			{ Name: 'Paulo Reis Neto', Email: NEW, Phone: phone },
			'refused',
		],
		[
			'a parent who registers a child',
			{},
			{ Name: 'Mãe da Ana', Email: NEW, Phone: phone },
			'refused',
		],
		[
			'an assistant with the number of the office',
			{},
			{ Name: 'Assistente da Ana', Email: NEW, Phone: phone },
			'refused',
		],
		[
			'a person who changes the email',
			{},
			{ Name: ANA.name, Email: NEW, Phone: phone },
			'used, said',
		],
		[
			'a person who changes email and phone',
			{},
			{ Name: ANA.name, Email: NEW, Phone: BIA.phone },
			'new',
		],
		[
			'a diminutive with a new email',
			{},
			{ Name: 'Aninha', Email: NEW, Phone: phone },
			'used, said',
		],
		['a married name', {}, { Name: 'Ana Lima', Email: email, Phone: phone }, 'used, said'],
		['a blank name', {}, { Email: email, Phone: phone }, 'used'],
		['a program without a name', {}, { Name: 'Cliente', Email: email }, 'used'],
		['a company behind the name', {}, { Name: 'Ana | Vendas', Email: email }, 'used, said'],
		[
			'an ID of another system that is reused',
			{},
			{ 'External ID': 'crm-1', Name: BIA.name, Email: BIA.email },
			'used, said',
		],
	];

	test.each(scenes)('%s, of whose record %j is: %j: %s', async (_, record, row, became) => {
		const { id } = createAna();
		lab.sandbox.store.changeContact(contactOf(id)!, record);
		const parameters = upsert({ specifyLead: 'columns', lead: COLUMNS });
		const { items, error } = await run(parameters, [row]);
		const output = items[0]?.json ?? {};
		const word = error
			? /another person/.test(error.message)
				? 'refused'
				: error.message
			: output.id === id
				? 'used'
				: 'new';
		expect(output.differences && word === 'used' ? `${word}, said` : word).toBe(became);
		expect(contactOf(id)).toMatchObject({ ...ANA, ...record });
	});
});

test.each([{ Name: ANA.name }, {}])(
	"the second email of a row is left out where it is another's, with the address and what to do: %j",
	async (name) => {
		const { id } = createAna();
		lab.sandbox.store.createContact(BIA);
		const row = { ...name, Email: ANA.email, 'Email 2': BIA.email };
		const { items, hints } = await run(upsert({ specifyLead: 'columns', lead: COLUMNS }), [row]);
		expect(items[0].json).toMatchObject({ id });
		expect(hints.map(({ message: text }) => text)).toEqual([
			expect.stringMatching(
				/"Email 2" was left out: "bia@example\.com" .* map the columns by hand/,
			),
		]);
		expect(contactOf(id)).toMatchObject(ANA);
	},
);

test('an agent that finds or creates a contact is told of no External ID, which a contact lacks', async () => {
	createAna();
	const find = called('contact.findOrCreate', { ...BIA, email: ANA.email });
	const { error } = await run(find, [{}], true);
	expect(error?.message).toMatch(/another person.* If they share it, use "create contact"\./);
});
