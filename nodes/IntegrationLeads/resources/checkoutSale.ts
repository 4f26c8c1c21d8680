/**
 * Carries out *Lead > Record Sale* for the webhook of a checkout: records a sale, marks the lead of one that is taken back, and
 * outputs what anything else is.
 */
import { attempt, isError, isMatch, isNil, isUndefined, omitBy, pick, pickBy, some } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { type Checkout, parseCheckout } from '../checkout/parse';
import { CURRENCY, REFUND_TAG, TAKEN_BACK_TAG } from '../conversion/sale';
import { parseDate } from '../dates/date';
import { requireId } from '../fields/check';
import { status } from '../fields/leadFields';
import { choice, json } from '../fields/options';
import type {
	ComposeContext,
	Parameter,
	Result,
	RunContext,
	StepFunctions,
	Values,
} from '../operation';
import { InputError } from '../userError';
import { isBlank, toObject, toSaleDate } from '../values/convert';
import type { Convert, ConvertContext } from '../values/context';
import { toEmail } from '../values/identity';
import { isRecord, type ServiceRecord, toRecord } from '../values/json';
import { toPhone } from '../values/phone';
import { createInteraction, getInteractions } from './interaction';
import { byExternalId, findLead, sendLead, updateLead, leadOfSale } from './leadRequests';
import { ensureTags, tagSteps } from './leadTags';

export const FROM_CHECKOUT = 'webhook';

/** What is recorded of a sale. */
export const RECORDED_FIELDS = ['status', 'saleDate', 'estimatedValue'];

const ofCheckout = { show: { specifySale: [FROM_CHECKOUT] } };

/** What the body of a webhook says, converted. */
type CheckoutSale = Pick<Checkout, 'service' | 'state' | 'order' | 'amount' | 'payment'> &
	Pick<Checkout, 'currency' | 'readBuyer' | 'assumesBrl' | 'refunded'> & { buyer: IDataObject };

/** Reads the webhook. A phone or an email of the buyer that cannot be read is left out, since the other may find the lead. */
const toCheckoutSale: Convert = (value, context) => {
	const found = parseCheckout(toObject(value, context));
	if (!found) {
		throw new InputError('"Webhook Body" is of no checkout that is known', {
			all: 'Nothing was recorded.',
			panel:
				'Give the whole body as it came. To record the sale of another service, set Specify Sale to Using Fields Below, and take date and value from the body.',
		});
	}
	const { paidAt, amount, buyer } = found;
	const contact = {
		name: buyer.name,
		email: readable(buyer.email, toEmail, { ...context, label: 'Email' }),
		phone: readable(buyer.phone, toPhone, { ...context, label: 'Phone' }),
	};
	const checkout = { ...found, buyer: omitBy(contact, isUndefined) };
	if (found.state !== 'sale') return { checkout };
	return {
		checkout,
		saleDate: toSaleDate(paidAt, { ...context, label: 'Sale Date' }),
		estimatedValue: amount,
	};
};

function readable(value: unknown, convert: Convert, context: ConvertContext): unknown {
	if (isBlank(value)) return undefined;
	const result = attempt(convert, value, context);
	return isError(result) || isBlank(result) ? undefined : result;
}

export const checkoutParameters: Parameter[] = [
	json('Webhook Body', 'checkoutBody', '={{ $json }}', {
		in: 'body',
		spread: true,
		convert: toCheckoutSale,
		displayOptions: ofCheckout,
		required: true,
		description:
			'The whole body of the webhook as it came, or the item of the Webhook node that has it in "body". Known are Asaas, Eduzz, Hotmart, Kiwify, Mercado Pago, Nuvemshop, PagBank, Pipedrive, RD Station, Shopify, Stripe and WooCommerce.',
	}),
	choice('If No Lead Exists', 'ifNoLead', 'fail', {
		displayOptions: ofCheckout,
		options: [
			{
				name: 'Create It',
				value: 'create',
				description: 'Create it with the name, email and phone of the buyer',
			},
			{ name: 'Fail', value: 'fail', description: 'Create nothing, since leads come another way' },
		],
		description: 'What to do if the buyer has no lead yet',
	}),
];

export const checkoutOptions = [
	{
		...status,
		in: undefined,
		displayName: 'Status When Taken Back',
		name: 'takenBackStatus',
		displayOptions: { show: { '/specifySale': [FROM_CHECKOUT] } },
		description:
			'The status that a lead gets whose sale was refunded or charged back. Without this, it keeps its status. Use an expression for a value that is not listed.',
	},
] satisfies Parameter[];

export const checkoutSteps = {
	...tagSteps,
	getNotes: getInteractions,
	createNote: createInteraction,
	find: findLead,
	upsert: sendLead,
	update: updateLead,
};

type CheckoutSteps = StepFunctions<typeof checkoutSteps>;
type CheckoutValues = Omit<Values, 'options'> & {
	options: { [name: string]: unknown; takenBackStatus?: unknown };
};

export const checkoutIn = ({ checkout }: IDataObject): CheckoutSale | undefined =>
	isRecord(checkout) ? (checkout as CheckoutSale & IDataObject) : undefined;

/** Values that identify the lead: those that are given beside the webhook, or else the buyer's. */
function ownerIn(body: IDataObject): IDataObject {
	const identifiers = pickBy(
		pick(body, 'leadId', 'externalId', 'contact'),
		(value) => !isBlank(value),
	);
	return some(identifiers) ? identifiers : { contact: checkoutIn(body)?.buyer };
}

/** The emails and phones by which the lead of a webhook is found. */
export const buyerAddresses = (body: IDataObject): unknown[] => {
	const { email, phone } = checkoutIn(body)?.buyer ?? {};
	return [email, phone];
};

const ABOUT_A_LEAD = ['sale', 'takenBack', 'partlyTakenBack'];

/** @throws InputError if nothing says whose sale it is */
export function requireBuyer(body: IDataObject, context: RunContext): void {
	const { state, service, readBuyer, payment } = checkoutIn(body)!;
	const concernsLead = ABOUT_A_LEAD.includes(state) && payment !== 'renewal';
	if (!concernsLead || leadOfSale(ownerIn(body), context).length > 0) return;
	const read = readBuyer
		? ` Read the buyer with an HTTP Request node before this one: ${readBuyer}.`
		: '';
	throw new InputError(
		`"Webhook Body" of ${service} names no buyer with an email or a phone, and the lead is found by them`,
		{ all: 'Give External ID, Lead ID, Email or Phone.', panel: read.trim() },
	);
}

const NOT_A_SALE: Record<string, string> = {
	waiting: 'it is not paid yet',
	refused: 'it was not paid',
	disputed: 'its payment is disputed, and that is not decided yet',
	free: 'nothing was paid',
	test: 'it is a test',
	other: 'it is not about a payment',
	renewal: 'it is a renewal, and a lead holds one sale',
};

const NO_HISTORY =
	'Sales that were taken back were not noted: the API key needs the scopes "interactions:read" and "interactions:write".';

/**
 * Carries out what a webhook says.
 *
 * @param record records the sale in a lead
 */
export async function carryOutCheckout(
	values: CheckoutValues,
	steps: CheckoutSteps,
	context: ComposeContext,
	record: (body: IDataObject, found: Result) => Promise<Result>,
): Promise<Result> {
	const { body, settings } = values;
	const { state, payment, service, order, buyer, assumesBrl } = checkoutIn(body)!;
	const sale = payment === 'renewal' ? payment : state;
	const description = omitBy({ sale, service, order }, isUndefined);
	if (sale in NOT_A_SALE) {
		const result = `not recorded: ${NOT_A_SALE[sale]}`;
		return { data: {}, extra: { ...description, result, ...pick(buyer, 'email', 'phone') } };
	}
	if (assumesBrl) {
		context.hints.add(
			`The webhooks of ${service} show no currency: the value was taken to be in BRL.`,
		);
	}
	const owner = ownerIn(body);
	const lookups = leadOfSale(owner, context);
	const creates = settings.ifNoLead === 'create' && isNil(owner.leadId);
	const { leadId: id, externalId } = owner;
	// A person chose the IDs, while a model may have made them up.
	const person = { ...toRecord(owner.contact), ...(!context.tool && { id, externalId }) };
	const found = await steps.find(lookups, { required: !creates, person });
	if (sale !== 'sale') {
		if (found) return withExtra(await takeBack(values, found, steps, context), description);
		const result = 'nothing to take back: the buyer has no lead';
		return { data: {}, extra: { ...description, result } };
	}
	const contact = { ...buyer, ...(isRecord(owner.contact) && owner.contact) };
	const lead =
		found ?? (await createBuyer(lookups[0].value, contact, pick(body, RECORDED_FIELDS), steps));
	const sold = await record({ ...body, contact }, lead);
	return withExtra(sold, { ...description, ...(!found && { created: true }) });
}

const withExtra = (result: Result, extra: IDataObject): Result => ({
	...result,
	extra: { ...extra, ...result.extra },
});

/**
 * Creates the lead of a buyer. The external ID is found again by the next webhook, as by *Create or Update*.
 *
 * @param sale is recorded next, once the lead shows that it has no other
 */
async function createBuyer(
	externalId: string,
	contact: IDataObject,
	sale: IDataObject,
	steps: CheckoutSteps,
): Promise<Result> {
	const body = { externalId, contact };
	const sent = await steps.upsert({ body }, { found: null, followedBy: sale });
	if (!isNil(sent.record?.id)) return sent;
	// A service may create a record and answer without it.
	return (await steps.find([byExternalId(externalId)], { required: true }))!;
}

/** Tags a lead and notes in it that its sale was taken back. The service shows no way to empty a sale. */
async function takeBack(
	{ body, options }: CheckoutValues,
	found: Result,
	steps: CheckoutSteps,
	context: ComposeContext,
): Promise<Result> {
	const { state, currency, amount, refunded } = checkoutIn(body)!;
	const path = { leadId: requireId(found, 'lead') };
	const isPart = state === 'partlyTakenBack';
	const note = {
		type: 'NOTE',
		title: isPart ? 'A part of the sale was given back' : TAKEN_BACK_TAG,
		description: refundInWords(checkoutIn(body)!),
	};
	// Two refunds of parts look the same if neither shows its amount.
	const isDistinct = !isPart || refunded !== undefined;
	return await context.inTurn(path.leadId, async () => {
		const lead = await steps.getLead({ path });
		const { record = {} } = lead;
		const doubt = isPart ? 'only a part was given back' : otherSaleIn(record, amount, currency);
		const tag = doubt ? REFUND_TAG : TAKEN_BACK_TAG;
		const notes = await context.ifPermitted(NO_HISTORY, async () => await steps.getNotes({ path }));
		const isNoted = some(notes, ({ record: existing }) =>
			isMatch({ ...existing }, pick(note, 'title', 'description')),
		);
		if (isNoted && isDistinct)
			return withExtra(lead, { result: `already noted: ${note.description}` });
		const sendOptions = { would: doubt ? ('note' as const) : ('takeBack' as const) };
		const tagged = await ensureTags({ path, body: { tags: [tag] } }, steps, sendOptions);
		const changed = doubt
			? undefined
			: await changeStatus(options.takenBackStatus, path, record, steps);
		// The note comes last, since a webhook that is noted changes nothing when it is delivered again.
		if (!isNoted) {
			await context.ifPermitted(
				NO_HISTORY,
				async () => await steps.createNote({ path, body: note }),
			);
		}
		const { saleDate, estimatedValue } = record;
		const day = parseDate(String(saleDate), context.timezone)?.toISODate() ?? 'that day';
		const result = doubt
			? `not taken back: ${doubt}. The lead has a note and the tag "${tag}".`
			: `taken back: the lead has the tag "${tag}". The service shows no way to empty a sale, so the lead keeps ${String(estimatedValue)} on ${day}.`;
		return {
			...lead,
			record: { ...record, ...tagged.record, ...changed?.record },
			extra: { result, ...changed?.extra },
		};
	});
}

/** Describes a refund: the service, the order, and the amount with the part of it that was given back. */
function refundInWords({ service, order, amount, currency, refunded }: CheckoutSale): string {
	const whole = amount === undefined ? '' : `${amount} ${currency ?? ''}`.trim();
	const part = refunded === undefined ? '' : `${refunded} of `;
	return `${service}${order ? `, order ${order}` : ''}${whole && `: ${part}${whole}`}`;
}

/** Why what was given back is not the sale of the lead; undefined if it may be. */
function otherSaleIn(
	{ saleDate, estimatedValue }: ServiceRecord,
	amount: number | undefined,
	currency = CURRENCY,
): string | undefined {
	if (saleDate === null || saleDate === '') return 'the lead has no sale';
	if (currency !== CURRENCY) return `what was given back is in ${currency}`;
	const isOther =
		amount !== undefined && !isBlank(estimatedValue) && Number(estimatedValue) !== amount;
	return isOther ? `the lead has another sale, of ${String(estimatedValue)}` : undefined;
}

async function changeStatus(
	sought: unknown,
	path: { leadId: string },
	record: ServiceRecord,
	steps: CheckoutSteps,
): Promise<Result | undefined> {
	if (isBlank(sought) || typeof sought !== 'string') return undefined;
	const { externalId } = record;
	// See writeSale.
	return isBlank(externalId)
		? await steps.update({ path, body: { status: sought } })
		: await steps.upsert({ body: { externalId, status: sought } }, { found: record });
}
