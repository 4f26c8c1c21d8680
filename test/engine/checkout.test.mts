/** Lead > Record Sale, from the webhook of a checkout. */
import type { IDataObject } from 'n8n-workflow';

import { called, useLab, writes } from '../helpers/lab.mts';

const lab = useLab({ seed: 5 });
const ZONE = { timezone: 'America/Sao_Paulo' };
const BUYER = { name: 'Ana Lima', email: 'ana@firma.com', checkout_phone: '+5511987654321' };
const SENT = { status: 'closed_won', saleDate: '2025-08-18T19:01:11.489Z', estimatedValue: 287 };

/** As https://github.com/tupimarines/leads-infinitos-saas: test_curl_webhook.sh has it. */
const hotmart = (
	event = 'PURCHASE_APPROVED',
	purchase: IDataObject = {},
	buyer: object = BUYER,
) => ({
	event,
	version: '2.0.0',
	data: {
		product: { id: 5974664 },
		buyer,
		purchase: {
			approved_date: 1755543671489,
			price: { value: 287, currency_value: 'BRL' },
			status: 'APPROVED',
			transaction: 'HP1',
			...purchase,
		},
	},
});
const REFUND = hotmart('PURCHASE_REFUNDED', { status: 'REFUNDED' });

const fromWebhook = (body: object, parameters: IDataObject = {}) =>
	called('lead.recordSale', {
		specifySale: 'webhook',
		checkoutBody: JSON.stringify(body),
		...parameters,
	});
const run = async (body: object, parameters: IDataObject = {}) =>
	await lab.engine.run(fromWebhook(body, parameters), ZONE);
const sent = () => writes(lab.sandbox).map(({ method, path, body }) => [method, path, body]);

async function create(fields: IDataObject = {}): Promise<string> {
	const { email, checkout_phone: phone } = BUYER;
	const { items } = await lab.engine.run(called('contact.create', { email, phone }));
	const contactId = items[0].json.id as string;
	const { id } = lab.sandbox.controls.createLead({ contactId, externalId: 'crm-1', ...fields });
	lab.sandbox.controls.clearRequests();
	return id;
}
const leadOf = (id: string) => lab.sandbox.store.leads.get(id);

it('records a sale in the lead of the buyer', async () => {
	const id = await create();
	const { items, error } = await run(hotmart());
	expect(error).toBeUndefined();
	expect(sent()).toContainEqual(['POST', '/leads', { externalId: 'crm-1', ...SENT }]);
	expect(items).toMatchObject([
		{ json: { id, sale: 'sale', service: 'Hotmart', order: 'HP1', alreadyRecorded: false } },
	]);
	expect(leadOf(id)).toMatchObject({ estimatedValue: 287 });
});

it.each([{}, { ifNoLead: 'create' }])(
	'refuses the lead of another person who shares the phone: %j',
	async (parameters) => {
		const contact = { name: 'Bia Souza', email: 'bia@example.com', phone: BUYER.checkout_phone };
		const { items } = await lab.engine.run(called('contact.create', contact));
		const contactId = items[0].json.id as string;
		lab.sandbox.controls.createLead({ contactId, externalId: 'crm-2' });
		lab.sandbox.controls.clearRequests();
		const { error } = await run(hotmart(), parameters);
		expect(error?.message).toMatch(/is that of another person: Bia Souza/);
		expect(sent()).toEqual([]);
	},
);

it('reads the phone of a buyer with the area code that is beside it', async () => {
	const phone = { checkout_phone_code: '11', checkout_phone: '974570009' };
	const buyer = { name: 'Ana Souza', email: 'ana@example.com', ...phone };
	const { items } = await lab
		.withKey(lab.sandbox.keys.full, '55')
		.run(fromWebhook(hotmart('PURCHASE_APPROVED', {}, buyer), { ifNoLead: 'create' }), ZONE);
	expect(items[0].json).not.toHaveProperty('leftOut');
	expect(sent()[0]).toMatchObject(['POST', '/leads', { contact: { phone: '+5511974570009' } }]);
});

it('a webhook that is delivered twice records one sale', async () => {
	await create();
	await run(hotmart());
	lab.sandbox.controls.clearRequests();
	const { items } = await run(hotmart('PURCHASE_COMPLETE', { status: 'COMPLETE' }));
	expect(items).toMatchObject([{ json: { sale: 'sale', alreadyRecorded: true } }]);
	expect(sent()).toEqual([]);
});

test.each<[string, object]>([
	[
		'waiting',
		hotmart('PURCHASE_BILLET_PRINTED', { status: 'BILLET_PRINTED', approved_date: null }),
	],
	['refused', hotmart('PURCHASE_EXPIRED', { status: 'EXPIRED' })],
	['disputed', hotmart('PURCHASE_PROTEST', { status: 'DISPUTE' })],
	['free', hotmart('PURCHASE_APPROVED', { price: { value: 0, currency_value: 'BRL' } })],
	['other', { event: 'SWITCH_PLAN', version: '2.0.0', data: { plans: [] } }],
])('%s: nothing is read or sent, and the output says so', async (state, body) => {
	await create();
	const { items, error } = await run(body);
	expect(error).toBeUndefined();
	const [{ json }] = items;
	expect(json).toMatchObject({ sale: state, service: 'Hotmart' });
	expect(json.result).toMatch(/^not recorded: /);
	expect(lab.sandbox.controls.requests()).toEqual([]);
});

it('records no renewal', async () => {
	const body = hotmart('PURCHASE_APPROVED', { recurrence_number: 2 });
	Object.assign(body.data, { subscription: { status: 'ACTIVE' } });
	const { items } = await run(body);
	const result = 'not recorded: it is a renewal, and a lead holds one sale';
	expect(items).toMatchObject([{ json: { sale: 'renewal', result } }]);
});

test.each<[string, object, IDataObject, RegExp]>([
	[
		'an unknown body',
		{ id: 1 },
		{},
		/^"Webhook Body" was not recognised as the webhook of a checkout$/,
	],
	[
		'another currency',
		hotmart('PURCHASE_APPROVED', { price: { value: 287, currency_value: 'USD' } }),
		{},
		/^"Webhook Body" of Hotmart is in USD/,
	],
	[
		'no buyer',
		hotmart('PURCHASE_APPROVED', {}, {}),
		{},
		/^"Webhook Body" of Hotmart names no buyer/,
	],
	['no lead', hotmart(), {}, /^No lead has the email "ana@firma.com"/],
	['a refund without a lead', REFUND, {}, /^No lead has the email "ana@firma.com"/],
])('fails, and sends nothing: %s', async (_, body, parameters, message) => {
	const { error } = await run(body, parameters);
	expect(error?.message).toMatch(message);
	expect(sent()).toEqual([]);
});

it('the way out of an unknown body is in the panel', async () => {
	const { error } = await run({ id: 1 });
	expect(error?.description).toContain('choose "Using Fields Below" under "Specify Sale"');
});

// https://developers.rdstation.com/reference/webhooks-payload (28 Nov 2026): a deal has amounts and no currency.
it('says that the currency of a deal is not in its webhook, also with Only Check', async () => {
	await create();
	const deal = {
		id: '650878567482d9c0c7002050a475',
		amount_total: 5000,
		status: 'won',
		closed_at: '2023-09-18T15:04:34.515-03:00',
		contacts: [{ name: 'Ana Lima', emails: [{ email: BUYER.email }] }],
	};
	const body = { event_name: 'crm_deal_updated', document: deal };
	for (const options of [{ onlyCheck: true }, {}]) {
		const { hints, error } = await run(body, { options });
		expect(error).toBeUndefined();
		expect(hints.map(({ message }) => message)).toContain(
			'The webhooks of RD Station show no currency: the value was taken to be in BRL.',
		);
	}
	expect((await run(hotmart(), { options: { onlyCheck: true } })).hints).toHaveLength(1);
});

it('says how to read a buyer whom the webhook does not name', async () => {
	const payment = { id: 'pay_1', customer: 'cus_1', value: 99.9, status: 'RECEIVED' };
	const body = { event: 'PAYMENT_RECEIVED', payment: { ...payment, confirmedDate: '2024-12-26' } };
	const { error } = await run(body);
	expect(error?.description).toContain('GET https://api.asaas.com/v3/customers/cus_1');
	const id = await create();
	expect((await run(body, { externalId: 'crm-1' })).error).toBeUndefined();
	expect(leadOf(id)).toMatchObject({ saleDate: '2024-12-26T03:00:00.000Z', estimatedValue: 99.9 });
});

test.each([
	[
		'no body',
		{ specifySale: 'webhook', checkoutBody: '={{ $json.none }}' },
		/^"Webhook Body" is empty$/,
	],
	['columns', { specifySale: 'columns' }, /^The item is a webhook of a checkout/],
	[
		'fields',
		{ specifySale: 'fields', soldOn: '={{ $json.none }}', saleValue: '={{ $json.none }}' },
		/^The item is a webhook of/,
	],
])('a webhook that is given in another way is named: %s', async (_, parameters, message) => {
	const { error } = await lab.engine.run(called('lead.recordSale', parameters), {
		input: [hotmart() as IDataObject],
	});
	expect(error?.message).toMatch(message);
	expect(writes(lab.sandbox)).toEqual([]);
});

test('Create or Update of a webhook says that no sale is recorded', async () => {
	const columns = called('lead.upsert', { specifyLead: 'columns' });
	const { hints } = await lab.engine.run(columns, { input: [hotmart() as IDataObject] });
	const hint = expect.stringMatching(/^The item is a webhook of a checkout. Only its person/);
	expect(hints.map(({ message }) => message)).toContainEqual(hint);
});

describe('If No Lead Exists: Create It', () => {
	const CREATE = { ifNoLead: 'create' };

	it('creates the lead with the email as its external ID, and records the sale once', async () => {
		const { items, error } = await run(hotmart(), CREATE);
		expect(error).toBeUndefined();
		const contact = { name: 'Ana Lima', email: 'ana@firma.com', phone: '+5511987654321' };
		expect(sent()).toEqual([
			['POST', '/leads', { externalId: 'ana@firma.com', contact }],
			['POST', '/leads', { externalId: 'ana@firma.com', ...SENT }],
			['POST', expect.stringMatching(/interactions$/), expect.objectContaining({ type: 'NOTE' })],
		]);
		expect(items).toMatchObject([{ json: { created: true, sale: 'sale', estimatedValue: 287 } }]);
		lab.sandbox.controls.clearRequests();
		const again = await run(hotmart(), CREATE);
		expect(again.items).toMatchObject([{ json: { alreadyRecorded: true } }]);
		expect(sent()).toEqual([]);
	});

	it('shows with Only Check the lead and its sale', async () => {
		const { items } = await run(hotmart(), { ...CREATE, options: { onlyCheck: true } });
		const contact = { name: 'Ana Lima', email: 'ana@firma.com', phone: '+5511987654321' };
		const wouldSend = { externalId: 'ana@firma.com', contact, ...SENT };
		expect(items[0].json).toMatchObject({ would: 'record', wouldSend });
		expect(sent()).toEqual([]);
	});

	it('does not create a lead to take its sale back', async () => {
		const { items } = await run(REFUND, CREATE);
		const result = expect.stringMatching(/^nothing to take back: the buyer has no lead\. /);
		expect(items).toMatchObject([{ json: { sale: 'takenBack', result } }]);
		expect(sent()).toEqual([]);
	});
});

describe('a sale that is taken back', () => {
	const notes = (id: string) =>
		[...lab.sandbox.store.interactions.values()].filter(({ leadId }) => leadId === id);

	it('is noted once and tagged, and the lead keeps its status', async () => {
		const id = await create(SENT);
		const { items, error } = await run(REFUND);
		expect(error).toBeUndefined();
		expect(leadOf(id)).toMatchObject({ tags: ['Sale taken back'], status: 'closed_won' });
		const [{ json }] = items;
		expect(json).toMatchObject({ id, sale: 'takenBack', tags: ['Sale taken back'] });
		expect(json.result).toContain('The service shows no way to empty a sale');
		expect(json.result).toContain('the lead keeps 287 on 2025-08-18');
		await run(REFUND);
		expect(notes(id)).toMatchObject([
			{ title: 'Sale taken back', description: 'Hotmart, order HP1: 287 BRL' },
		]);
	});

	it('gets the status that is chosen', async () => {
		const id = await create(SENT);
		const options = { takenBackStatus: 'in_progress' };
		const { items } = await run(REFUND, { options });
		expect(leadOf(id)).toMatchObject({ status: 'in_progress', estimatedValue: 287 });
		expect(items).toMatchObject([{ json: { status: 'in_progress' } }]);
	});

	test.each<[string, IDataObject, RegExp, IDataObject?]>([
		['no sale', {}, /^not taken back: the lead has no sale\. /],
		['another sale', { ...SENT, estimatedValue: 20 }, /^not taken back: .* another sale, of 20\. /],
		[
			'a sale of the same number in another currency',
			SENT,
			/^not taken back: what was given back is in USD\. /,
			{ price: { value: 287, currency_value: 'USD' } },
		],
	])('of a lead with %s is to be checked', async (_, fields, result, purchase = {}) => {
		const id = await create({ saleDate: null, ...fields });
		const { status } = leadOf(id)!;
		const refund = hotmart('PURCHASE_REFUNDED', { status: 'REFUNDED', ...purchase });
		const { items } = await run(refund, { options: { takenBackStatus: 'in_progress' } });
		expect(items[0].json.result).toMatch(result);
		expect(leadOf(id)).toMatchObject({ status, tags: ['Refund to check'] });
		expect(notes(id)).toHaveLength(1);
	});

	test('of a later payment of a subscription leaves the sale of the first', async () => {
		const id = await create(SENT);
		const refund = hotmart('PURCHASE_REFUNDED', { status: 'REFUNDED', recurrence_number: 2 });
		const body = { ...refund, data: { ...refund.data, subscription: { status: 'ACTIVE' } } };
		const { items } = await run(body);
		const result = 'not recorded: it is a renewal, and a lead holds one sale';
		expect(items).toMatchObject([{ json: { sale: 'renewal', result } }]);
		expect([leadOf(id)?.tags, notes(id)]).toEqual([[], []]);
	});

	const CHECK = 'Refund to check';
	/** A refund of a part of a charge, https://docs.stripe.com/api/charges/object. */
	const partOf = (refunded: number) => ({
		object: 'event',
		type: 'charge.refunded',
		livemode: true,
		data: {
			object: {
				object: 'charge',
				status: 'succeeded',
				captured: true,
				amount: 28_700,
				amount_captured: 28_700,
				amount_refunded: refunded * 100,
				currency: 'brl',
				created: 1755543671,
				payment_intent: 'pi_1',
				billing_details: { name: BUYER.name, email: BUYER.email, phone: BUYER.checkout_phone },
			},
		},
	});
	const PART = hotmart('PURCHASE_REFUNDED', { status: 'PARTIALLY_REFUNDED' });

	test.each<[string, object, IDataObject, string, IDataObject]>([
		['a sale', hotmart(), {}, 'record', {}],
		['its sale', REFUND, SENT, 'takeBack', { tags: ['Sale taken back'] }],
		['another sale', REFUND, { ...SENT, estimatedValue: 20 }, 'note', { tags: [CHECK] }],
		['a part of its sale', PART, SENT, 'note', { tags: [CHECK] }],
	])('with Only Check, %s says what it would do', async (_, body, fields, would, wouldSend) => {
		await create(fields);
		const { items, hints } = await run(body, { options: { onlyCheck: true } });
		const words = { record: 'record', takeBack: 'mark as taken back', note: 'add a note' }[would];
		const result = expect.stringMatching(`^would ${words}: ana@firma.com`);
		expect(items).toMatchObject([{ json: { would, result, wouldSend, found: {} } }]);
		const counted = { record: 'recorded', takeBack: 'marked as taken back', note: 'given a note' }[
			would
		];
		expect(hints[0].message).toContain(`1 item: 1 would be ${counted}.`);
		expect(sent()).toEqual([]);
	});

	it('in part is to be checked', async () => {
		const id = await create(SENT);
		const { items } = await run(PART);
		const result = expect.stringMatching(/^not taken back: only a part was given back\. /);
		expect(items).toMatchObject([{ json: { sale: 'partlyTakenBack', result } }]);
		expect(leadOf(id)).toMatchObject({ status: 'closed_won', tags: [CHECK] });
		expect(notes(id)).toMatchObject([{ title: 'A part of the sale was given back' }]);
	});

	it.each([REFUND, partOf(50)])(
		'is done once: a tag that was removed stays removed',
		async (body) => {
			const id = await create(SENT);
			await run(body);
			lab.sandbox.controls.changeLead({ id, tags: [] });
			lab.sandbox.controls.clearRequests();
			const { items } = await run(body);
			expect(sent()).toEqual([]);
			expect(items[0].json.result).toMatch(/^already noted: /);
		},
	);

	// Of two refunds that do not show how much was given back, the second may be another one or the first once more.
	it.each([
		['another amount', partOf(50), partOf(80), 2],
		['no amount', PART, PART, 1],
	])('in part, and once more with %s, is to be checked again', async (_, first, second, count) => {
		const id = await create(SENT);
		await run(first);
		lab.sandbox.controls.changeLead({ id, tags: [] });
		await run(second);
		expect(leadOf(id)?.tags).toEqual([CHECK]);
		expect(notes(id)).toHaveLength(count);
	});

	it('in part is noted with the amount that was given back', async () => {
		const id = await create(SENT);
		await run(partOf(50.5));
		expect(notes(id)).toMatchObject([{ description: 'Stripe, order pi_1: 50.5 of 287 BRL' }]);
	});

	it.each([REFUND, PART])('is done again where the note failed', async (body) => {
		const id = await create(SENT);
		const match = { method: 'POST', path: 'interactions$' };
		lab.sandbox.controls.fault({ kind: 'status', status: 422, match, times: 1 });
		expect((await run(body)).error).toBeDefined();
		expect((await run(body)).error).toBeUndefined();
		expect(notes(id)).toHaveLength(1);
	});
});
