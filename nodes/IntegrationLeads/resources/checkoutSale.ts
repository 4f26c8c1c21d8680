/** Carries out *Lead > Record Sale* for the webhook of a checkout: records a sale, and outputs what anything else is. */
import { attempt, compact, isError, isNil, isUndefined, omitBy, pick, pickBy, some } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { differencesIn } from '../contract/differences';
import { byExternalId, contactLookups } from '../contract/leadKey';
import { parseCheckout } from '../checkout/parse';
import { type Order, orderInWords } from '../checkout/recordedOrder';
import { KNOWN_CHECKOUTS } from '../checkout/services';
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
import { InputError, isAmbiguous } from '../userError';
import { isBlank, show, toObject, toSaleDate } from '../values/convert';
import type { Convert, ConvertContext } from '../values/context';
import { addressesOf, toEmail } from '../values/identity';
import { isRecord, toRecord } from '../values/json';
import { toPhone } from '../values/phone';
import { findLead, upsertLead } from './leadRequests';
import { type CheckoutSale, type Refund, takeBack, takeBackSteps } from './takeBack';

export const FROM_CHECKOUT = 'webhook';

/** What is recorded of a sale. */
export const RECORDED_FIELDS = ['status', 'saleDate', 'estimatedValue'];

const ofCheckout = { show: { specifySale: [FROM_CHECKOUT] } };

/** Reads the webhook. A phone or an email of the buyer that cannot be read is left out, since the other may find the lead. */
const toCheckoutSale: Convert = (value, context) => {
	const found = parseCheckout(toObject(value, context));
	if (!found) {
		throw new InputError('"Webhook Body" was not recognised as the webhook of a checkout', {
			all: `Nothing was recorded. Known are ${KNOWN_CHECKOUTS}.`,
			panel:
				'Give the whole body as it came. To record the sale of another service, choose "Using Fields Below" under "Specify Sale", and map its date and value.',
		});
	}
	const { paidAt, amount, buyer } = found;
	const contact = {
		name: buyer.name,
		email: readable([buyer.email], toEmail, { ...context, label: 'Email' }),
		phone: readable([buyer.phone, ...(buyer.otherPhones ?? [])], toPhone, {
			...context,
			label: 'Phone',
		}),
	};
	const checkout = { ...found, buyer: omitBy(contact, isUndefined) };
	if (found.state !== 'sale') return { checkout };
	return {
		checkout,
		saleDate: toSaleDate(paidAt, { ...context, label: 'Sale Date' }),
		estimatedValue: amount,
	};
};

/** The first value that can be read. */
function readable(values: unknown[], convert: Convert, context: ConvertContext): unknown {
	const shown = values.filter((value) => !isBlank(value));
	for (const value of shown) {
		const result: unknown = attempt(convert, value, context);
		if (!isError(result) && !isBlank(result)) return result;
	}
	if (shown.length > 0)
		context.onLeftOut?.(context.label, `${show(shown[0])} of the buyer cannot be read.`);
	return undefined;
}

export const checkoutParameters: Parameter[] = [
	json('Webhook Body', 'checkoutBody', '={{ $json }}', {
		in: 'body',
		spread: true,
		convert: toCheckoutSale,
		displayOptions: ofCheckout,
		required: true,
		description: `The whole body of the webhook as it came, or the item of the Webhook node that has it in "body". Known are ${KNOWN_CHECKOUTS}.`,
	}),
	{
		displayName:
			'The lead is found by the email or the phone of the buyer, which are in the webhook. Fill in External ID, Email, Phone or Lead ID only if they are not, or if the lead is another one.',
		name: 'checkoutBuyer',
		type: 'notice',
		displayOptions: ofCheckout,
		default: '',
	},
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

export const checkoutSteps = { ...takeBackSteps, find: findLead, createLead: upsertLead };

type CheckoutSteps = StepFunctions<typeof checkoutSteps>;
type CheckoutValues = Omit<Values, 'options'> & {
	options: { [name: string]: unknown; takenBackStatus?: unknown };
};

export const checkoutIn = ({ checkout }: IDataObject): CheckoutSale | undefined =>
	isRecord(checkout) ? (checkout as CheckoutSale & IDataObject) : undefined;

/** The order of a sale, as its webhook or its row names it. */
export function orderIn(body: IDataObject): Order | undefined {
	const order: Order = checkoutIn(body) ?? toRecord(body.order);
	return order.order === undefined ? undefined : order;
}

/** Values that identify the lead: those that are given beside the webhook, or else the buyer's. */
function ownerIn(body: IDataObject): IDataObject {
	const identifiers = pickBy(
		pick(body, 'leadId', 'externalId', 'contact'),
		(value) => !isBlank(value),
	);
	return some(identifiers) ? identifiers : { contact: checkoutIn(body)?.buyer };
}

/** The lookups for the lead of a sale, by all that is given. */
export const leadOfSale = (
	{ leadId, externalId: externalIdOfLead, contact }: IDataObject,
	context: Pick<RunContext, 'countryCode'>,
) =>
	compact([
		leadId && { label: 'Lead ID', by: 'id' as const, value: String(leadId) },
		externalIdOfLead && byExternalId(externalIdOfLead),
		...contactLookups(contact, context),
	]);

/** The email and the phone by which the lead of a webhook is found, in canonical form. */
export const buyerAddresses = (body: IDataObject): string[] =>
	addressesOf(checkoutIn(body)?.buyer ?? {});

/** Whether a payment is another than the one whose sale the lead holds. */
const isLater = (payment: CheckoutSale['payment']) => payment !== undefined && payment !== 'first';

const ABOUT_A_LEAD = ['sale', 'takenBack', 'partlyTakenBack'];

/** @throws InputError if nothing says whose sale it is */
export function requireBuyer(body: IDataObject, context: RunContext): void {
	const { state, service, readBuyer, payment } = checkoutIn(body)!;
	const concernsLead = ABOUT_A_LEAD.includes(state) && !isLater(payment);
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
	waiting: 'it is not paid yet, or on hold',
	refused: 'it was not paid',
	disputed: 'its payment is disputed, and that is not decided yet',
	free: 'nothing was paid',
	test: 'it is a test',
	other: 'it is not about a payment',
	renewal: 'it is a renewal, and a lead holds one sale',
	addition: 'it is an addition to another order, and a lead holds the sale of that order',
};

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
	const checkout = checkoutIn(body)!;
	const { state, payment, service, order, buyer, assumesBrl } = checkout;
	const sale = isLater(payment) ? payment : state;
	const description = omitBy({ sale, service, order }, isUndefined);
	if (sale in NOT_A_SALE) {
		const { takenBackStatus } = values.options;
		const refund = { ...checkout, takenBackStatus };
		const reopened = await takeBackReopened(refund, ownerIn(body), steps, context);
		if (reopened) return withExtra(reopened, { ...description, sale: 'takenBack' });
		const result = `not recorded: ${NOT_A_SALE[sale]}`;
		return { data: {}, extra: { ...description, result, ...pick(buyer, 'email', 'phone') } };
	}
	if (assumesBrl) {
		context.hints.add(
			`The webhooks of ${service} show no currency: the value was taken to be in BRL.`,
		);
	}
	const owner = ownerIn(body);
	const creates = settings.ifNoLead === 'create' && isNil(owner.leadId);
	const found = await findOwner(owner, steps, context, !creates);
	if (sale !== 'sale') {
		const { takenBackStatus } = values.options;
		const taken =
			found && (await takeBack({ ...checkout, takenBackStatus }, found, steps, context));
		if (taken) {
			const contact = pick(buyer, 'name', 'email');
			const differences = differencesIn({ contact }, found.record ?? {});
			return withExtra(taken, { ...description, ...(differences && { differences }) });
		}
		const result =
			'nothing to take back: the buyer has no lead. If the sale comes later, it is recorded, since nothing keeps that it was given back';
		context.hints.add(`${orderInWords({ service, order })}: ${result}.`);
		return {
			data: {},
			extra: { ...description, noLead: true, result, ...pick(buyer, 'email', 'phone') },
		};
	}
	const contact = { ...buyer, ...(isRecord(owner.contact) && owner.contact) };
	const lead =
		found ??
		(await createBuyer(
			leadOfSale(owner, context)[0].value,
			contact,
			pick(body, RECORDED_FIELDS),
			steps,
		));
	const recorded = await record({ ...body, contact }, lead);
	return withExtra(recorded, { ...description, ...(!found && { created: true }) });
}

async function findOwner(
	owner: IDataObject,
	steps: CheckoutSteps,
	context: ComposeContext,
	required: boolean,
): Promise<Result | undefined> {
	const { leadId: id, externalId } = owner;
	// A person chose the IDs, while a model may have made them up.
	const person = { ...toRecord(owner.contact), ...(!context.tool && { id, externalId }) };
	return await steps.find(leadOfSale(owner, context), { required, person });
}

/**
 * Takes the sale of an order back that was recorded and is now waiting or refused, such as a deal that was won and is lost.
 *
 * @returns undefined if the lead has no such sale
 */
export async function takeBackReopened(
	refund: Refund,
	owner: IDataObject,
	steps: CheckoutSteps,
	context: ComposeContext,
): Promise<Result | undefined> {
	if (!refund.mayReopen || leadOfSale(owner, context).length === 0) return undefined;
	// If it is not clear whose it is, its sale was not recorded.
	const found = await findOwner(owner, steps, context, false).catch(unlessAmbiguous);
	return found && (await takeBack(refund, found, steps, context));
}

const unlessAmbiguous = (error: unknown): undefined => {
	if (isAmbiguous(error)) return undefined;
	throw error;
};

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
	return await steps.createLead({ body }, { existing: null, followedBy: sale });
}
