/** Lead > Record Sale, from webhooks of several orders of one buyer: a lead holds one sale. */
import type { IDataObject } from 'n8n-workflow';

import { called, useLab, writes } from '../helpers/lab.mts';

const lab = useLab({ seed: 5 });
const ZONE = { timezone: 'America/Sao_Paulo' };
const EMAIL = 'ana@firma.com';
const PAID_AT = 1755543671489;
const DAY_MS = 86_400_000;
const SENT = { status: 'closed_won', saleDate: '2025-08-18T19:01:11.489Z', estimatedValue: 287 };
const [TAKEN_BACK, CHECK] = ['Sale taken back', 'Refund to check'];

/** As https://github.com/tupimarines/leads-infinitos-saas: test_curl_webhook.sh has it. */
const hotmart = (transaction: string, purchase: IDataObject = {}) => ({
	event: 'PURCHASE_APPROVED',
	version: '2.0.0',
	data: {
		product: { id: 5974664 },
		buyer: { name: 'Ana Lima', email: EMAIL },
		purchase: {
			approved_date: PAID_AT,
			price: { value: 287, currency_value: 'BRL' },
			status: 'APPROVED',
			transaction,
			...purchase,
		},
	},
});
const refund = (transaction: string, purchase: IDataObject = {}) => ({
	...hotmart(transaction, { status: 'REFUNDED', ...purchase }),
	event: 'PURCHASE_REFUNDED',
});

/** As https://github.com/danielrslima/e-restituicao-dashboard: WEBHOOK_ASAAS.md has it, with its customer. */
const asaas = (id: string, event = 'PAYMENT_CONFIRMED') => ({
	event,
	payment: { id, value: 287, status: event.slice('PAYMENT_'.length), confirmedDate: '2025-08-18' },
	customer: { name: 'Ana Lima', email: EMAIL },
});

/** As https://github.com/Mario-Valente/kiwify-webhoock: docs/examples-off-datas/refunded.json has it, without a date of payment. */
const kiwify = (event: string, status: string, approved_date: string | null) => ({
	webhook_event_type: event,
	order_id: 'k-1',
	order_status: status,
	approved_date,
	Commissions: { charge_amount: 28_700, currency: 'BRL' },
	Customer: { full_name: 'Ana Lima', email: EMAIL },
});

/** The charge of a payment, https://docs.stripe.com/api/charges/object (28 Nov 2026). */
const stripeRefund = (paymentIntent: string, created: number) => ({
	object: 'event',
	type: 'charge.refunded',
	livemode: true,
	data: {
		object: {
			object: 'charge',
			status: 'succeeded',
			captured: true,
			amount: 28_700,
			amount_refunded: 28_700,
			currency: 'brl',
			created,
			payment_intent: paymentIntent,
			billing_details: { name: 'Ana Lima', email: EMAIL },
		},
	},
});

/** A purchase as a session, an invoice or a charge: https://docs.stripe.com/api/checkout/sessions/object (28 Nov 2026). */
const stripe = (type: string, object: IDataObject) => ({
	object: 'event',
	type,
	livemode: true,
	created: Math.floor(PAID_AT / 1000),
	data: { object: { object: /(.*)\.\w+$/.exec(type)![1], currency: 'brl', ...object } },
});
const session = (ids: IDataObject) =>
	stripe('checkout.session.completed', {
		id: 'cs_1',
		payment_status: 'paid',
		mode: ids.subscription ? 'subscription' : 'payment',
		amount_total: 28_700,
		customer_details: { name: 'Ana Lima', email: EMAIL },
		...ids,
	});

/** As https://developers.rdstation.com/reference/webhooks-payload-crm (28 Nov 2026) has it. */
const deal = (status: string, id = 'd-1') => ({
	event_name: 'crm_deal_updated',
	document: {
		id,
		status,
		amount_total: 287,
		closed_at: '2025-08-18T16:01:11.489-03:00',
		contacts: [{ name: 'Ana Lima', emails: [{ email: EMAIL }] }],
	},
});

/** As https://pipedrive.readme.io/docs/guide-for-webhooks-v2 (29 Nov 2026) has it, with the person beside the deal. */
const pipedrive = (action: string, id = 1) => {
	const shown = {
		id,
		status: 'won',
		value: 287,
		currency: 'BRL',
		won_time: '2025-08-18T19:01:11Z',
	};
	const isDeleted = action === 'delete';
	return {
		meta: { action, entity: 'deal', entity_id: String(id), version: '2.0' },
		data: isDeleted ? null : shown,
		previous: isDeleted ? { ...shown, is_deleted: true } : { status: 'open' },
		person: { name: 'Ana Lima', emails: [{ value: EMAIL }] },
	};
};

const run = async (body: object, options: IDataObject = {}, engine = lab.engine) => {
	const { items, hints, error } = await engine.run(
		called('lead.recordSale', {
			specifySale: 'webhook',
			checkoutBody: JSON.stringify(body),
			options,
		}),
		ZONE,
	);
	expect(error).toBeUndefined();
	return { ...items[0].json, hints: hints.map(({ message }) => message) } as IDataObject & {
		hints: string[];
	};
};
const fewScopes = () =>
	lab.withKey(
		lab.sandbox.controls.addKey({ scopes: ['leads:read', 'leads:write', 'contacts:read'] }).key,
	);
const notesOf = (id: string) =>
	[...lab.sandbox.store.interactions.values()].filter(({ leadId }) => leadId === id);
const leadOf = (id: string) => lab.sandbox.store.leads.get(id);

async function create(fields: IDataObject = {}): Promise<string> {
	const { items } = await lab.engine.run(
		called('contact.create', { name: 'Ana Lima', email: EMAIL }),
	);
	const contactId = items[0].json.id as string;
	const { id } = lab.sandbox.controls.createLead({ contactId, externalId: 'crm-1', ...fields });
	lab.sandbox.controls.clearRequests();
	return id;
}

it('notes the order of a sale in one request more, and nothing when the webhook comes again', async () => {
	const id = await create();
	await run(hotmart('HP1'));
	const requests = lab.sandbox.controls.requests().map(({ method, path }) => `${method} ${path}`);
	expect(requests.slice(-3)).toEqual([
		`GET /leads/${id}`,
		'POST /leads',
		`POST /leads/${id}/interactions`,
	]);
	expect(notesOf(id)).toMatchObject([
		{ title: 'Sale recorded', description: 'Hotmart, order HP1: 287 BRL' },
	]);
	lab.sandbox.controls.clearRequests();
	const { hints, result, alreadyRecorded } = await run(hotmart('HP1', { status: 'COMPLETE' }));
	expect({ hints, result, alreadyRecorded }).toEqual({ hints: [], alreadyRecorded: true });
	expect(writes(lab.sandbox)).toEqual([]);
});

/** First the sale that is recorded, undefined for one that was entered by hand; then the refund. */
test.each<[string, object | undefined, object, string, RegExp]>([
	[
		'the order',
		hotmart('HP1'),
		refund('HP1'),
		TAKEN_BACK,
		/^taken back: .* keeps 287 on 2025-08-18/,
	],
	[
		'another order of the same amount',
		hotmart('HP1'),
		refund('HP2', { approved_date: PAID_AT + DAY_MS }),
		CHECK,
		/^not taken back: the sale of the lead is of Hotmart, order HP1, not of Hotmart, order HP2\./,
	],
	[
		'an order whose refund shows no day',
		kiwify('order_approved', 'paid', '2025-08-18 19:01'),
		kiwify('order_refunded', 'refunded', null),
		TAKEN_BACK,
		/^taken back/,
	],
	['a sale by hand, paid that day', undefined, refund('HP1'), TAKEN_BACK, /^taken back/],
	[
		'a sale by hand, paid the next day',
		undefined,
		refund('HP2', { approved_date: PAID_AT + DAY_MS }),
		CHECK,
		/^not taken back: it was paid on 2025-08-19, and the sale of the lead is of 2025-08-18\./,
	],
	[
		'a sale by hand, with a refund that shows no day',
		undefined,
		kiwify('order_refunded', 'refunded', null),
		CHECK,
		/^not taken back: neither its order nor the day/,
	],
	[
		'a renewal that does not show its cycle',
		undefined,
		stripeRefund('pi_2', (PAID_AT + 31 * DAY_MS - 489) / 1000),
		CHECK,
		/^not taken back: it was paid on 2025-09-18/,
	],
	[
		'a session of Stripe by its charge',
		session({ payment_intent: 'pi_1' }),
		stripeRefund('pi_1', Math.floor(PAID_AT / 1000)),
		TAKEN_BACK,
		/^taken back/,
	],
	[
		'another session of Stripe',
		session({ payment_intent: 'pi_1' }),
		stripeRefund('pi_2', Math.floor(PAID_AT / 1000)),
		CHECK,
		/^not taken back: the sale of the lead is of Stripe, order pi_1, not of Stripe, order pi_2\./,
	],
	[
		'a subscription of Stripe, whose charge names no invoice, by its day',
		session({ subscription: 'sub_1', invoice: 'in_1' }),
		stripeRefund('pi_1', Math.floor(PAID_AT / 1000)),
		TAKEN_BACK,
		/^taken back/,
	],
	[
		'a renewal of that subscription',
		session({ subscription: 'sub_1', invoice: 'in_1' }),
		stripeRefund('pi_2', Math.floor((PAID_AT + 31 * DAY_MS) / 1000)),
		CHECK,
		/^not taken back: it was paid on 2025-09-18/,
	],
	['a deal that was won and is lost', deal('won'), deal('lost'), TAKEN_BACK, /^taken back/],
	['a deal that was won and is open', deal('won'), deal('ongoing'), TAKEN_BACK, /^taken back/],
	['a deal that is deleted', pipedrive('change'), pipedrive('delete'), TAKEN_BACK, /^taken back/],
	[
		'another deal that is deleted',
		pipedrive('change'),
		pipedrive('delete', 2),
		CHECK,
		/^not taken back: the sale of the lead is of Pipedrive, order 1, not of Pipedrive, order 2\./,
	],
])('a refund of %s', async (_, sold, given, tag, result) => {
	const id = await create(sold ? {} : SENT);
	if (sold) await run(sold);
	expect((await run(given)).result).toMatch(result);
	expect(leadOf(id)?.tags).toEqual([tag]);
});

it('the status of a sale that is taken back may be in Portuguese, as others', async () => {
	const id = await create(SENT);
	await run(refund('HP1'), { takenBackStatus: 'perdido' });
	expect(leadOf(id)?.status).toBe('closed_lost');
});

it('an order counts for its own sale only: not for one that was entered later', async () => {
	const id = await create();
	await run(hotmart('HP1'));
	lab.sandbox.controls.changeLead({ id, saleDate: '2025-09-01T15:00:00.000Z' });
	const { result } = await run(refund('HP1'));
	expect(result).toMatch(/^not taken back: it was paid on 2025-08-18, .* is of 2025-09-01\./);
	expect(leadOf(id)?.tags).toEqual([CHECK]);
});

describe('a deal that is lost', () => {
	it.each<[string, object | undefined]>([
		['has no sale', undefined],
		['has that of another deal', deal('won', 'd-2')],
		['has that of a checkout', hotmart('HP1')],
	])('changes nothing if the lead %s', async (_, sold) => {
		const id = await create();
		if (sold) await run(sold);
		lab.sandbox.controls.clearRequests();
		const { sale, result, hints } = await run(deal('lost'));
		expect({ sale, result, hints }).toEqual({
			sale: 'refused',
			result: 'not recorded: it was not paid',
			hints: [],
		});
		expect(writes(lab.sandbox)).toEqual([]);
		expect(leadOf(id)?.tags).toEqual([]);
	});

	it('is looked up by nothing if its buyer is not known', async () => {
		const body = deal('lost');
		const { result } = await run({ ...body, document: { ...body.document, contacts: [] } });
		expect(result).toBe('not recorded: it was not paid');
		expect(lab.sandbox.controls.requests()).toEqual([]);
	});

	it('and is won again says that the tag remains', async () => {
		const id = await create();
		for (const status of ['won', 'lost', 'lost']) await run(deal(status));
		expect(notesOf(id).map(({ title }) => title)).toEqual(['Sale recorded', TAKEN_BACK]);
		const { alreadyRecorded, result } = await run(deal('won'));
		expect({ alreadyRecorded, result }).toEqual({
			alreadyRecorded: true,
			result: expect.stringMatching(
				/^already recorded, but the lead has the tag "Sale taken back"/,
			),
		});
	});

	it('leaves two leads of its buyer alone', async () => {
		const id = await create();
		lab.sandbox.controls.createLead({ contactId: leadOf(id)!.contactId, externalId: 'crm-2' });
		expect((await run(deal('lost'))).result).toBe('not recorded: it was not paid');
	});
});

it('an order bump is no sale of its own, and its refund takes nothing back', async () => {
	const id = await create();
	const bump = { order_bump: { is_order_bump: true, parent_purchase_transaction: 'HP1' } };
	const result =
		'not recorded: it is an addition to another order, and a lead holds the sale of that order';
	for (const body of [hotmart('HP2', bump), hotmart('HP1'), refund('HP2', bump)]) {
		const isMain = body.data.purchase.transaction === 'HP1';
		expect(await run(body)).toMatchObject(isMain ? { sale: 'sale' } : { sale: 'addition', result });
	}
	expect(leadOf(id)).toMatchObject({ estimatedValue: 287, tags: [] });
});

describe('a second sale of the same day and value', () => {
	it('of another order is named, and is not recorded', async () => {
		const id = await create();
		await run(hotmart('HP1'));
		const json = await run(hotmart('HP2', { approved_date: PAID_AT + 1000 }));
		const said =
			'Hotmart, order HP2 has the value and the day of Hotmart, order HP1, which the lead has. A second sale needs a lead of its own';
		expect(json.result).toContain(`not recorded: ${said}`);
		expect(json.hints).toEqual([expect.stringContaining(`Not recorded: ${said}`)]);
		expect(json).not.toHaveProperty('alreadyRecorded');
		expect(notesOf(id)).toHaveLength(1);
		expect((await run(refund('HP2'))).result).toMatch(/^not taken back/);
	});

	it('of another order replaces it with Overwrite', async () => {
		const id = await create();
		await run(hotmart('HP1'));
		const json = await run(hotmart('HP2'), { overwrite: true });
		expect(json).toMatchObject({ alreadyRecorded: false, replaced: 'Hotmart, order HP1' });
		await run(refund('HP2'));
		expect(leadOf(id)?.tags).toEqual([TAKEN_BACK]);
	});

	it('of the same order with another value is no second sale', async () => {
		const id = await create();
		await run(hotmart('HP1'));
		const corrected = hotmart('HP1', { price: { value: 300, currency_value: 'BRL' } });
		const parameters = { specifySale: 'webhook', checkoutBody: JSON.stringify(corrected) };
		const { error } = await lab.engine.run(called('lead.recordSale', parameters), ZONE);
		expect(error?.message).toContain(
			'The order of the sale has changed: 287 on 2025-08-18, not 300 on 2025-08-18',
		);
		expect(error?.description).toMatch(/switch on Options > Overwrite/);
		await run(corrected, { overwrite: true });
		expect(leadOf(id)).toMatchObject({ estimatedValue: 300 });
	});

	it('that another has replaced does not come back with a late webhook', async () => {
		const id = await create();
		const later = { approved_date: PAID_AT + DAY_MS, price: { value: 300, currency_value: 'BRL' } };
		await run(hotmart('HP1'), { overwrite: true });
		await run(hotmart('HP2', later), { overwrite: true });
		const again = await run(hotmart('HP1', { status: 'COMPLETE' }), { overwrite: true });
		expect(again.result).toMatch(/^not recorded: .*HP1 was recorded before, and that of .*HP2/);
		const unasked = await run(hotmart('HP1', { status: 'COMPLETE' }));
		expect(unasked.result).toBe(again.result);
		expect(leadOf(id)).toMatchObject({ estimatedValue: 300 });
		// The order that the lead has may be corrected.
		const corrected = { ...later, price: { value: 310, currency_value: 'BRL' } };
		await run(hotmart('HP2', corrected), { overwrite: true });
		expect(leadOf(id)).toMatchObject({ estimatedValue: 310 });
	});

	it('of which the value was corrected in the service is not recorded again, and can be taken back', async () => {
		const id = await create();
		await run(hotmart('HP1'));
		await run(refund('HP1', { status: 'PARTIALLY_REFUNDED' }));
		lab.sandbox.controls.changeLead({ id, estimatedValue: 200, tags: [] });
		expect(await run(hotmart('HP1', { status: 'COMPLETE' }))).toMatchObject({
			result:
				'not recorded: the sale of Hotmart, order HP1 was recorded before, and the lead has 200 on 2025-08-18 since',
			estimatedValue: 200,
		});
		expect((await run(refund('HP1'))).result).toMatch(/^taken back/);
		expect(leadOf(id)?.tags).toEqual([TAKEN_BACK]);
	});

	it('names the buyer of a refund where the lead is of somebody else', async () => {
		await create();
		const body = refund('HP1');
		const buyer = { name: 'Bia Reis', email: 'bia@example.com' };
		const checkoutBody = JSON.stringify({ ...body, data: { ...body.data, buyer } });
		const { items } = await lab.engine.run(
			called('lead.recordSale', { specifySale: 'webhook', externalId: 'crm-1', checkoutBody }),
			ZONE,
		);
		expect(items[0].json.differences).toBe(
			`Contact Name is "Ana Lima", not "Bia Reis". Contact Email is "${EMAIL}", not "bia@example.com".`,
		);
	});

	it.each<[string, object, RegExp | undefined]>([
		['paid at its very time', hotmart('HP1'), undefined],
		[
			'paid at another time',
			hotmart('HP1', { approved_date: PAID_AT + 60_000 }),
			/^already recorded: .* Nothing shows whether that is Hotmart, order HP1\./,
		],
		['paid that day', asaas('pay_1'), /Nothing shows whether that is Asaas, order pay_1\./],
	])('where no order was noted, %s', async (_, body, said) => {
		await create(SENT);
		const { result = '', hints, alreadyRecorded } = await run(body);
		expect(alreadyRecorded).toBe(true);
		expect(result).toMatch(said ?? /^$/);
		expect(hints).toHaveLength(said ? 1 : 0);
		// It is noted now.
		const again = await run(body);
		expect(again.hints).toEqual([]);
		expect(again).not.toHaveProperty('result');
	});

	it('is quiet for two events of one charge', async () => {
		await create();
		await run(asaas('pay_1'));
		const { hints, alreadyRecorded } = await run(asaas('pay_1', 'PAYMENT_RECEIVED'));
		expect({ hints, alreadyRecorded }).toEqual({ hints: [], alreadyRecorded: true });
		expect((await run(asaas('pay_2'))).result).toMatch(/^not recorded: Asaas, order pay_2 /);
	});

	it('with Only Check, the note of an order that was not kept is what would be sent', async () => {
		await create(SENT);
		const { would, wouldSend } = await run(hotmart('HP1'), { onlyCheck: true });
		expect({ would, wouldSend }).toMatchObject({ would: 'note', wouldSend: { type: 'NOTE' } });
		expect(writes(lab.sandbox)).toEqual([]);
	});
});

describe('a key that may not note', () => {
	const HINT = /^Sales and refunds were not noted in their leads/;

	it('records the sale, and the same webhook once more says nothing about orders', async () => {
		const id = await create();
		const engine = fewScopes();
		const first = await run(hotmart('HP1'), {}, engine);
		expect(first).toMatchObject({ alreadyRecorded: false, hints: [expect.stringMatching(HINT)] });
		const again = await run(hotmart('HP1'), {}, engine);
		expect(again).toMatchObject({ alreadyRecorded: true, hints: [expect.stringMatching(HINT)] });
		expect(again).not.toHaveProperty('result');
		expect(leadOf(id)).toMatchObject({ estimatedValue: 287 });
	});

	it('compares a refund by its day', async () => {
		const id = await create();
		const engine = fewScopes();
		await run(hotmart('HP1'), {}, engine);
		await run(refund('HP2', { approved_date: PAID_AT + DAY_MS }), {}, engine);
		expect(leadOf(id)?.tags).toEqual([CHECK]);
		await run(refund('HP1'), {}, engine);
		expect(leadOf(id)?.tags).toEqual([CHECK, TAKEN_BACK]);
	});

	it('still reads the order of a sale if only notes are not permitted', async () => {
		const id = await create();
		await run(hotmart('HP1'));
		const ofBia = hotmart('HP3');
		ofBia.data.buyer = { name: 'Bia Lima', email: 'bia@firma.com' };
		const scopes = ['leads:read', 'leads:write', 'contacts:read', 'interactions:read'];
		const { items } = await lab.withKey(lab.sandbox.controls.addKey({ scopes }).key).run(
			called('lead.recordSale', {
				specifySale: 'webhook',
				checkoutBody: '={{ JSON.stringify($json) }}',
				ifNoLead: 'create',
			}),
			{ ...ZONE, input: [...Array<IDataObject>(12).fill(ofBia), refund('HP2')] },
		);
		expect(items.at(-1)?.json.result).toMatch(/the sale of the lead is of Hotmart, order HP1/);
		expect(leadOf(id)?.tags).toEqual([CHECK]);
	});
});

it('is noted without a word by the try after one that recorded the sale', async () => {
	const id = await create();
	const match = { method: 'POST', path: 'interactions$' };
	lab.sandbox.controls.fault({ kind: 'status', status: 422, match, times: 1 });
	const checkoutBody = JSON.stringify(asaas('pay_1'));
	const call = called('lead.recordSale', { specifySale: 'webhook', checkoutBody });
	const { items, error, hints } = await lab.engine.run(call, { ...ZONE, retry: true });
	expect([error, hints]).toEqual([undefined, []]);
	expect(items[0].json).not.toHaveProperty('result');
	expect(notesOf(id)).toMatchObject([{ description: 'Asaas, order pay_1: 287 BRL' }]);
});

it('notes the order when the item is run again after the note failed', async () => {
	const id = await create();
	const match = { method: 'POST', path: 'interactions$' };
	lab.sandbox.controls.fault({ kind: 'status', status: 422, match, times: 1 });
	const failed = await lab.engine.run(
		called('lead.recordSale', {
			specifySale: 'webhook',
			checkoutBody: JSON.stringify(hotmart('HP1')),
		}),
		ZONE,
	);
	expect(failed.error).toBeDefined();
	expect((await run(hotmart('HP1'))).hints).toEqual([]);
	expect(notesOf(id)).toMatchObject([{ title: 'Sale recorded' }]);
});

describe('a sale of a lead with the tag of a refund', () => {
	it('that came before its refund says that it is not exported', async () => {
		const id = await create();
		await run(refund('HP1'));
		expect(leadOf(id)?.tags).toEqual([CHECK]);
		const { result, hints } = await run(hotmart('HP1'));
		expect(result).toMatch(/^recorded, but the lead has the tag "Refund to check" of an earlier/);
		expect(hints).toEqual([expect.stringMatching(/^The lead crm-1 has the tag "Refund to check"/)]);
		expect(notesOf(id)).toMatchObject([{ title: CHECK }, { title: 'Sale recorded' }]);
		// The refund once more finds its sale now.
		expect((await run(refund('HP1'))).result).toMatch(/^taken back/);
		expect(leadOf(id)?.tags).toEqual([CHECK, TAKEN_BACK]);
	});

	it('that was sold again says that the tag remains, and the way out', async () => {
		await create();
		await run(hotmart('HP1'));
		await run(refund('HP1'));
		const { result, hints } = await run(
			hotmart('HP2', {
				approved_date: PAID_AT + DAY_MS,
				price: { value: 300, currency_value: 'BRL' },
			}),
			{ overwrite: true },
		);
		expect(result).toBe(
			'recorded, in place of 287 on 2025-08-18, but the lead has the tag "Sale taken back" of an earlier refund, and Get Conversions does not export it. If it was sold again, remove the tag.',
		);
		expect(hints).toHaveLength(1);
	});

	it('says so of a sale that is entered by hand', async () => {
		await create({ tags: [TAKEN_BACK] });
		const { items } = await lab.engine.run(
			called('lead.recordSale', { externalId: 'crm-1', soldOn: '2026-01-31', saleValue: '20' }),
			ZONE,
		);
		expect(items[0].json.result).toMatch(/^recorded, but the lead has the tag "Sale taken back"/);
	});
});

it('says of a refund without a lead that its sale would be recorded later', async () => {
	const { items, hints } = await lab.engine.run(
		called('lead.recordSale', {
			specifySale: 'webhook',
			ifNoLead: 'create',
			checkoutBody: JSON.stringify(refund('HP1')),
		}),
		ZONE,
	);
	const result = expect.stringMatching(/^nothing to take back: .* If the sale comes later, it is/);
	expect(items).toMatchObject([
		{ json: { sale: 'takenBack', noLead: true, result, email: EMAIL } },
	]);
	expect(hints[0].message).toMatch(/^Hotmart, order HP1: nothing to take back/);
});

it('says in the note of a part that the webhook does not show how much', async () => {
	const id = await create(SENT);
	await run(refund('HP1', { status: 'PARTIALLY_REFUNDED' }));
	expect(notesOf(id)).toMatchObject([
		{ description: 'Hotmart, order HP1: a part of 287 BRL; the webhook does not show how much' },
	]);
});

describe('a row with the number of its order', () => {
	const DATED = { 'E-mail': EMAIL, Data: '18/08/2025', Valor: '287,00' };
	const record = async (rows: IDataObject[], options: IDataObject = {}) => {
		const parameters = {
			specifySale: 'columns',
			options: { output: 'inputWithResult', ...options },
		};
		const { items, hints } = await lab.engine.run(called('lead.recordSale', parameters), {
			...ZONE,
			input: rows.map((row) => ({ ...DATED, ...row })),
		});
		return { results: items.map(({ json }) => String(json.result).split(';')[0]), hints };
	};
	const SECOND =
		'not recorded: order 10 has the value and the day of order 9, which the lead has. A second sale needs a lead of its own';

	it.each(['Pedido', 'Order ID', 'Nº da venda', 'número de la orden'])(
		'under %s is noted, and another of its value and day is named',
		async (heading) => {
			const id = await create();
			const rows = [{ [heading]: 9 }, { [heading]: '#9' }, { [heading]: '10' }];
			const { results, hints } = await record(rows);
			expect(results).toEqual(['recorded', 'already recorded', expect.stringContaining(SECOND)]);
			expect(hints.map(({ message }) => message)).toContainEqual(
				expect.stringContaining('Not recorded: order 10 has the value and the day of order 9'),
			);
			expect(notesOf(id)).toMatchObject([{ description: 'Order 9: 287 BRL' }]);
			lab.sandbox.controls.clearRequests();
			expect((await record(rows)).results).toEqual([
				'already recorded',
				'already recorded',
				expect.stringContaining(SECOND),
			]);
			expect(writes(lab.sandbox)).toEqual([]);
		},
	);

	it('is compared with the orders of webhooks', async () => {
		const id = await create();
		await record([{ 'Código da transação': 'HP1' }]);
		expect(await run(hotmart('HP1'))).toMatchObject({ alreadyRecorded: true, hints: [] });
		expect((await run(hotmart('HP2'))).result).toMatch(/^not recorded: Hotmart, order HP2 has/);
		expect((await run(refund('HP2'))).result).toMatch(
			/^not taken back: the sale of the lead is of order HP1, not of Hotmart, order HP2/,
		);
		expect((await run(refund('HP1'))).result).toMatch(/^taken back/);
		expect(leadOf(id)?.tags).toEqual([CHECK, TAKEN_BACK]);
	});

	it('does not come back with Overwrite every night', async () => {
		const id = await create();
		const rows = [{ Pedido: 9 }, { Pedido: 10, Valor: '300,00' }];
		await record(rows, { overwrite: true });
		const { results } = await record(rows, { overwrite: true });
		expect(results).toEqual([
			'not recorded: the sale of order 9 was recorded before, and that of order 10 has replaced it',
			'already recorded',
		]);
		expect(leadOf(id)).toMatchObject({ estimatedValue: 300 });
	});

	it('that is cancelled or refunded after it was recorded is to be checked', async () => {
		const id = await create();
		await record([{ Pedido: 9, Status: 'Pago' }]);
		const undone = [
			{ Pedido: 10, Status: 'Reembolsado' },
			{ Pedido: 9, Status: 'Pago', 'Valor devolvido': '50,00' },
			{ Pedido: 9, 'E-mail': 'nobody@example.com', Status: 'Cancelado' },
		];
		const { results, hints } = await record(undone);
		expect(results).toEqual([
			expect.stringMatching(/^not recorded: "Status" is "Reembolsado"/),
			'not taken back: a row says only that "Valor devolvido" is "50,00". The lead has a note and the tag "Refund to check"',
			expect.stringMatching(/^not recorded: "Status" is "Cancelado"/),
		]);
		expect(hints.map(({ message }) => message)).toContainEqual(
			expect.stringContaining('nothing shows which sale was theirs'),
		);
		const description = 'order 9: a row says only that "Valor devolvido" is "50,00"';
		expect(notesOf(id)).toMatchObject([{ description: 'Order 9: 287 BRL' }, { description }]);
		expect(leadOf(id)?.tags).toEqual([CHECK]);
		lab.sandbox.controls.clearRequests();
		expect((await record([undone[1]])).results).toEqual([`already noted: ${description}`]);
		expect(writes(lab.sandbox)).toEqual([]);
	});

	it.each([
		['a state', { Status: 'Estornado' }],
		['a value below zero', { Valor: '-287,00' }],
		['a value in brackets', { Valor: '(287,00)' }],
	])('that is refunded in the same run as it is paid comes second: %s', async (_, refunded) => {
		const id = await create();
		const rows = [{ Pedido: 9 }, { Pedido: 9, ...refunded }];
		expect((await record(rows)).results[1]).toMatch(/^not taken back: a row says only/);
		expect(leadOf(id)?.tags).toEqual([CHECK]);
	});

	it('of which the value has changed is no second sale', async () => {
		await create();
		await record([{ Pedido: 9 }]);
		const { results } = await record([{ Pedido: 9, Valor: '300,00' }]);
		expect(results[0]).toBe(
			'not recorded: the order of the sale has changed: 287 on 2025-08-18, not 300 on 2025-08-18. To correct it, switch on Overwrite',
		);
	});

	it('says of a sale without one in one hint that nothing shows whether it is the same', async () => {
		await create(SENT);
		const { results, hints } = await record([{ Pedido: 9 }, { Pedido: 9 }]);
		expect(results).toEqual([
			expect.stringMatching(/^already recorded: .* Nothing shows whether that is order 9\./),
			'already recorded',
		]);
		expect(hints).toHaveLength(1);
	});
});
