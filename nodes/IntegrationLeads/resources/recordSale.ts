/**
 * Carries out *Lead > Record Sale*. A lead holds one sale, so the lead is read just before anything is sent, to find an earlier
 * sale, and again afterwards, to confirm the new one.
 */
import { isEqual, pick, some, upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { saleIn } from '../checkout/recordedOrder';
import { SALE_OWNER_FIELDS, toSaleOfRow } from '../columns/columns';
import { headingIn, unreadLike } from '../columns/headings';
import { externalIdColumn } from '../columns/mapping';
import { noteDifferences } from '../contract/differences';
import { soldLead } from '../contract/records';
import { REFUND_REMEDIES, refundTagsOf } from '../conversion/sale';
import { requireId } from '../fields/check';
import { contactAddresses } from '../fields/contactFields';
import { externalId, leadIdText, wonStatus } from '../fields/leadFields';
import { choice, date, flag, options, text, type WithOptions } from '../fields/options';
import {
	type ComposeContext,
	type Operation,
	type Parameter,
	type Result,
	type StepFunctions,
	compose,
} from '../operation';
import { emptyError, InputError, throwMistakes, UnconfirmedError, UserError } from '../userError';
import { toAmount } from '../values/amount';
import { isBlank, toSaleDate } from '../values/convert';
import { type ServiceRecord, toRecord } from '../values/json';
import {
	buyerAddresses,
	carryOutCheckout,
	checkoutIn,
	checkoutOptions,
	checkoutParameters,
	checkoutSteps,
	FROM_CHECKOUT,
	RECORDED_FIELDS,
	requireBuyer,
} from './checkoutSale';
import { fillSteps } from './contact';
import { fillLeadContact } from './fillContact';
import { isOfOrder, SECOND_SALE } from './keepOrder';
import { getLead, futureSale, leadOfSale } from './leadRequests';
import { isOfCheckout } from './misplaced';

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
		convert: toAmount,
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

const NOT_AS_CHECKOUT = [
	'The item is a webhook of a checkout, and is read as a row or as fields',
	{ panel: 'Choose "From the Webhook of a Checkout" under "Specify Sale".' },
] as const;

const ONE_SALE = {
	all: `Nothing was sent, since a lead holds one sale. ${SECOND_SALE}.`,
	panel: 'To replace it, switch on Options > Overwrite.',
};

const CORRECTION = {
	all: 'Nothing was sent: a sale is not changed without being asked.',
	panel: 'To correct its value and date, switch on Options > Overwrite.',
};

const saleSteps = { ...checkoutSteps, read: getLead, ...fillSteps };

/**
 * Records the sale of one item. Two sales are the same if they have the same value, and the same day in the workflow's time
 * zone.
 *
 * @throws UserError if the lead has another sale, or the service recorded something else
 */
async function writeSale(
	{ path, body, options }: SaleValues,
	requests: StepFunctions<typeof saleSteps>,
	context: ComposeContext,
): Promise<Result> {
	const { attempt, timezone } = context;
	const sent = pick(body, RECORDED_FIELDS);
	const sale = saleIn(sent, timezone);
	/** Describes how the status of a lead differs from the one sent; undefined if it does not. */
	const statusOf = (record: ServiceRecord) =>
		noteDifferences(pick(sent, 'status'), record, context.hints);
	const lead = await requests.read({ path });
	const { record: earlier = {} } = lead;
	const known = saleIn(earlier, timezone);
	const isSold = known.day !== undefined;
	if (isSold && isEqual(known, sale)) {
		const differences = statusOf(earlier);
		// An earlier try may have recorded it.
		const already = attempt.firstSentAt === undefined && { alreadyRecorded: true };
		const extra = { ...already, ...(differences && { differences }) };
		return { ...lead, extra: { ...extra, ...nameRefund(earlier, 'already recorded', context) } };
	}
	const isOther = isSold && (known.day !== sale.day || known.value !== undefined);
	// A lead that shows no date may still have a sale, unless it shows that it has no value.
	const isHidden = earlier.saleDate === undefined && earlier.estimatedValue !== null;
	if ((isOther || isHidden) && !options.overwrite) {
		const both = `${formatSale(known)}, not ${formatSale(sale)}`;
		return await refuseSecond({ path, body, options }, { lead, both, isHidden }, requests, context);
	}
	// An update by external ID is documented (4.3, rule 5); of an update by ID, only the path is (4.6).
	const { externalId } = earlier;
	const written = isBlank(externalId)
		? await requests.update({ path, body: sent })
		: await requests.upsert({ body: { externalId, ...sent } }, { existing: earlier });
	const after = isShown(written.record) ? written : await requests.read({ path });
	if (!isShown(after.record)) {
		throw new UnconfirmedError(
			'The sale was sent, and the service does not show whether the lead has it',
			'Look at the lead in the leads service. Running the item again does no harm.',
		);
	}
	const found = saleIn(after.record, timezone);
	if (!isEqual(found, sale) || statusOf(after.record)) {
		throw new UserError(
			`The service did not record the sale as it was sent: the lead has ${formatSale(found)} and the status "${String(after.record.status)}"`,
			'Enter the sale in the leads service, and tell the authors of this node.',
		);
	}
	const replaced = isOther && { replaced: formatSale(known) };
	const extra = { alreadyRecorded: false, ...replaced, ...futureSale(sent, context) };
	const done = isOther ? `recorded, in place of ${formatSale(known)}` : 'recorded';
	return { ...after, extra: { ...extra, ...nameRefund(earlier, done, context) } };
}

/**
 * Records nothing, because the lead has another sale, or may have one.
 *
 * @param found.both the sale that it has and the one that was sent, in words
 * @returns the row's result: a repeat customer must not fail an import that runs every night
 * @throws UserError where no row says it
 */
async function refuseSecond(
	{ path, body, options }: Pick<SaleValues, 'path' | 'body' | 'options'>,
	{ lead, both, isHidden }: { lead: Result; both: string; isHidden: boolean },
	requests: StepFunctions<typeof saleSteps>,
	context: ComposeContext,
): Promise<Result> {
	const which = `the lead ${String(lead.record?.externalId ?? path.leadId)} has another sale`;
	if (isHidden) throw new UserError(`The service does not show whether ${which}`, ONE_SALE);
	if (options.output === 'inputWithResult') {
		return { data: {}, extra: { result: `not recorded: ${which}: ${both}. ${SECOND_SALE}` } };
	}
	const checkout = checkoutIn(body);
	if (checkout && (await isOfOrder(checkout, lead, requests, context))) {
		throw new UserError(`The order of the sale has changed: ${both}`, CORRECTION);
	}
	throw new UserError(`${upperFirst(which)}: ${both}`, ONE_SALE);
}

/** Says that the lead of a sale keeps the tag of a refund that came before it: the service would take more requests to remove it. */
function nameRefund(
	lead: ServiceRecord,
	done: string,
	{ hints }: ComposeContext,
): { result?: string } {
	const [tag] = refundTagsOf(lead);
	if (tag === undefined) return {};
	const which = `has the tag "${tag}" of an earlier refund, and Get Conversions does not export it`;
	const remedy = REFUND_REMEDIES[tag];
	hints.add(`The lead ${String(lead.externalId ?? lead.id)} ${which}. ${remedy}`);
	return { result: `${done}, but the lead ${which}. ${remedy}` };
}

const formatSale = ({ day = 'no date', value }: ReturnType<typeof saleIn>) =>
	`${value ?? 'no value'} on ${day}`;

const isShown = (record: ServiceRecord = {}): record is ServiceRecord =>
	RECORDED_FIELDS.every((name) => record[name] !== undefined);

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
	keys: ({ body }) => [body.leadId, ...buyerAddresses(body)],
	run: async (values: SaleValues, requests, context) => {
		const { notSold, notSoldTo } = values.body;
		if (notSold !== undefined) {
			const result = `not recorded: ${String(notSold)}, which is not plainly a sale. To record it all the same, choose Using Fields Below.`;
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
