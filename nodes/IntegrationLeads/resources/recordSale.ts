/** Declares *Lead > Record Sale*, and leads each kind of item to its sale: fields, columns, and the webhook of a checkout. */
import { some } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { SALE_OWNER_FIELDS, toSaleOfRow } from '../columns/saleRow';
import { headingIn, unreadLike } from '../columns/headings';
import { externalIdColumn } from '../columns/mapping';
import type { Order } from '../checkout/recordedOrder';
import { soldLead, TAKEN_BACK_TAG } from '../contract/records';
import { requireId } from '../fields/check';
import { contactAddresses } from '../fields/contactFields';
import { externalId, leadIdText, wonStatus } from '../fields/leadFields';
import { choice, date, flag, options, text, type WithOptions } from '../fields/options';
import {
	type ComposeContext,
	compose,
	type Operation,
	type Parameter,
	type Result,
	type StepFunctions,
} from '../operation';
import { emptyError, InputError, throwMistakes } from '../userError';
import { toSaleAmount } from '../values/amount';
import { show, toSaleDate } from '../values/convert';
import { addressesOf } from '../values/identity';
import { toRecord } from '../values/json';
import {
	buyerAddresses,
	carryOutCheckout,
	checkoutIn,
	checkoutOptions,
	checkoutParameters,
	checkoutSteps,
	FROM_CHECKOUT,
	leadOfSale,
	requireBuyer,
	takeBackReopened,
} from './checkoutSale';
import { fillSteps, fillLeadContact } from './fillContact';
import { getLead } from './leadRequests';
import { isOfCheckout } from './requireLead';
import { writeSale } from './writeSale';

const ofFields = { show: { specifySale: ['fields'] } };
const ofColumns = { specifySale: ['columns'] };

const ofLead = { show: { specifySale: ['fields', FROM_CHECKOUT] } };

/** Fields that find the lead. Any of them may be given, and all that are must find the same lead. */
const ownerParameters = [externalId, ...contactAddresses].map(
	(field): Parameter => ({
		...field,
		field: field === externalId ? field.name : `contact.${field.name}`,
		displayOptions: ofLead,
		hint: undefined,
		description: `The ${field.displayName === 'External ID' ? 'external ID' : field.displayName.toLowerCase()} of the lead, if it is known. All that are given must lead to the same lead.`,
	}),
);

const saleParameters: Parameter[] = [
	choice('Specify Sale', 'specifySale', 'fields', {
		in: 'body',
		spread: true,
		convert: (specified, context) =>
			specified === FROM_CHECKOUT ? { isOfCheckout: true } : toSaleOfRow(specified, context),
		noDataExpression: true,
		options: [
			{
				name: 'From the Webhook of a Checkout',
				value: FROM_CHECKOUT,
				description:
					'Each item is what a service sent that takes payments, such as Hotmart or Stripe',
			},
			{
				name: 'Using Columns of the Input',
				value: 'columns',
				description: 'Each item is a sale, such as a row of a spreadsheet',
			},
			{ name: 'Using Fields Below', value: 'fields' },
		],
	}),
	{
		displayName:
			'Columns of the input with these names are read: Date, Value, and External ID, Lead ID, Email or Phone; also in Portuguese or Spanish. For other columns, choose Using Fields Below.',
		name: 'saleFieldNames',
		type: 'notice',
		displayOptions: { show: ofColumns },
		default: '',
	},
	// Other operations have a drop-down of the name saleDate.
	date('Sale Date', 'soldOn', {
		field: 'saleDate',
		in: 'body',
		convert: toSaleDate,
		displayOptions: ofFields,
		required: true,
		description:
			'When the sale occurred. A date without a time zone is read in that of the workflow.',
	}),
	text('Value', 'saleValue', {
		field: 'estimatedValue',
		in: 'body',
		convert: toSaleAmount,
		displayOptions: ofFields,
		required: true,
		placeholder: 'e.g. 1500.50',
		description: 'The value of the sale in BRL',
	}),
	...checkoutParameters,
	...ownerParameters,
	{ ...leadIdText, name: 'saleLeadId', field: 'leadId', displayOptions: ofLead },
	wonStatus,
];

const saleOptions = [
	flag('Overwrite', 'overwrite', false, {
		description: 'Whether to replace another sale that the lead has, instead of failing the item',
	}),
	{
		...externalIdColumn({ '/specifySale': ofColumns.specifySale }),
		description: 'The column with your own unique ID of each lead, if it is not called External ID',
	},
	...checkoutOptions,
];

type SaleValues = WithOptions<typeof saleOptions> & { options: { output?: unknown } };

/** @throws InputError with everything that is missing */
const requireSale: Operation['check'] = ({ body, options }, context) => {
	const { input = {} } = context;
	const row = options.output === 'inputWithResult' ? input : {};
	const { saleDate, estimatedValue, leadId, externalId: rowExternalId, contact, notSold } = body;
	if (notSold !== undefined) return;
	if (checkoutIn(body)) return void requireBuyer(body, context);
	if (body.isOfCheckout) throw emptyError('Webhook Body', GIVE_WHOLE_BODY);
	const mistakes: InputError[] = [];
	for (const [field, value] of Object.entries({ saleDate, estimatedValue })) {
		if (value !== undefined) continue;
		const label = headingIn(row, field).replace('Estimated Value', 'Value');
		const unread = unreadLike(input, field).map((heading) => `"${heading}"`);
		const names = unread.length > 0 ? ` Not read: ${unread.join(', ')}.` : '';
		const all = `A sale has a date and a value.${names}`;
		const panel = 'Check the columns of the item, or the values of the expressions.';
		mistakes.push(emptyError(label, { all, panel }));
	}
	if (Number(estimatedValue) <= 0) {
		const remedy =
			'What was free or given back earned nothing. Leave it out, or give the value that was paid.';
		mistakes.push(new InputError(`"Value" must be above zero: ${show(estimatedValue)}`, remedy));
	}
	const { email, phone } = toRecord(contact);
	if (!some([leadId, rowExternalId, email, phone])) {
		const headings = SALE_OWNER_FIELDS.map((field) => `"${headingIn(row, field)}"`);
		mistakes.push(
			new InputError(
				`${headings.slice(0, -1).join(', ')} and ${headings.at(-1)} are empty, and the lead is found by them`,
				'Give at least one of them.',
			),
		);
	}
	if (mistakes.length > 0 && isOfCheckout(input)) throw new InputError(...NOT_AS_CHECKOUT);
	throwMistakes(mistakes);
};

const GIVE_WHOLE_BODY = {
	panel: 'Give the whole body of the webhook, or the item of the Webhook node.',
};

const KEEPS_SALE = `Rows were cancelled or refunded, and nothing shows which sale was theirs: if one was recorded before, its lead keeps the sale. Give that lead the tag "${TAKEN_BACK_TAG}", and it is not exported.`;

const NOT_AS_CHECKOUT = [
	'The item is a webhook of a checkout, and is read as a row or as fields',
	{ panel: 'Choose "From the Webhook of a Checkout" under "Specify Sale".' },
] as const;

/** The order of a row that was cancelled or refunded, and whose it is. */
const undoneIn = ({ undone }: IDataObject) => {
	const { owner, ...order } = toRecord(undone);
	return { order: order as Order, owner: toRecord(owner) };
};

const keysOfUndone = (body: IDataObject): unknown[] => {
	const { externalId, leadId, contact } = undoneIn(body).owner;
	return [externalId, leadId, ...addressesOf(toRecord(contact))];
};

/**
 * Notes in the lead of a row that its sale was cancelled or refunded. Nothing shows how much of it was given back, so a person decides.
 *
 * @returns undefined where the history of the lead does not show that its sale is of this order
 */
async function noteRefund(
	body: IDataObject,
	steps: StepFunctions<typeof checkoutSteps>,
	context: ComposeContext,
): Promise<Result | undefined> {
	const { order, owner } = undoneIn(body);
	const doubt = `a row says only that ${String(body.notSold)}`;
	const refund = { ...order, state: 'takenBack', mayReopen: true, doubt } as const;
	return await takeBackReopened(refund, owner, steps, context);
}

const saleSteps = { ...checkoutSteps, read: getLead, ...fillSteps };

export const recordSale = compose({
	name: 'Record Sale',
	action: 'Record sale of lead',
	description: 'Record the date and the value of a sale in the one lead that it belongs to',
	when: 'Use it when a known lead has bought something. Give the date, the value, and at least one of external ID, ID, email and phone of the lead.',
	scope: 'leads:write',
	otherScopes: {
		'find the lead and read its sale': ['leads:read', 'contacts:read'],
		'fill blank fields of its contact': ['contacts:read', 'contacts:write'],
		'note the orders of sales and refunds': ['interactions:read', 'interactions:write'],
	},
	parameters: [...saleParameters, options(saleOptions)],
	output: { kind: 'one', record: soldLead },
	outputsInput: true,
	would: 'record',
	check: requireSale,
	steps: saleSteps,
	fillsContact: true,
	keys: ({ body }) => [body.leadId, ...buyerAddresses(body), ...keysOfUndone(body)],
	run: async (values: SaleValues, requests, context) => {
		const { notSold, isTakenBack, notSoldTo } = values.body;
		if (notSold !== undefined) {
			const refund = await noteRefund(values.body, requests, context);
			if (refund) return refund;
			const result = `not recorded: ${String(notSold)}, which is not plainly a sale. To record it all the same, choose Using Fields Below.`;
			if (isTakenBack) context.hints.add(KEEPS_SALE);
			return { data: {}, extra: { result, ...toRecord(notSoldTo) } };
		}
		const record = async (body: IDataObject, found?: Result) => {
			const leadId = requireId(found, 'lead');
			const sold = await context.inTurn(
				leadId,
				async () => await writeSale({ ...values, body, path: { leadId } }, requests, context),
			);
			const fillOptions = { steps: requests, context, reads: true, find: requests.find };
			return await fillLeadContact(sold, body.contact, fillOptions, found?.record);
		};
		if (checkoutIn(values.body)) return await carryOutCheckout(values, requests, context, record);
		const { contact, leadId: id, externalId: ownId } = values.body;
		// A person chose the IDs, while a model may have made them up.
		const person = { ...toRecord(contact), ...(!context.tool && { id, externalId: ownId }) };
		const found = await requests.find(leadOfSale(values.body, context), { required: true, person });
		return await record(values.body, found);
	},
});
