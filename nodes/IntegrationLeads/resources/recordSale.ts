/** Lead > Record Sale: a lead holds one sale. What it has is read just before anything is sent, and what it has after that. */
import { compact, isEqual, pick, some } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { toSaleOfRow } from '../columns/columns';
import { externalIdColumn } from '../columns/mapping';
import { listedLead, soldLead } from '../contract/leadRecord';
import { parseDate } from '../dates/date';
import { addressesIn, requireId } from '../fields/check';
import { contactFields } from '../fields/contactFields';
import { externalId, leadIdText, wonStatus } from '../fields/leadFields';
import { flag, options, text } from '../fields/options';
import type {
	ComposeContext,
	ComposedOperation,
	Lookup,
	Parameter,
	Result,
	StepFunctions,
	Values,
} from '../operation';
import { compose } from '../operation';
import { emptyError, InputError, UnconfirmedError, UserError } from '../userError';
import { toAmount } from '../values/amount';
import { isBlank, toUtc } from '../values/convert';
import type { ServiceRecord } from '../values/json';
import { isSameWord } from '../values/words';
import { fillSteps } from './contact';
import { fillContactOf } from './fillContact';
import { findLead, futureSale, getLead, sendLead, updateLead } from './lead';

const ofFields = { show: { specifySale: ['fields'] } };
const ofColumns = { specifySale: ['columns'] };

/** Any of these may be given, and each must lead to the same lead. */
const whose = [externalId, ...contactFields.filter(({ name }) => name !== 'name')].map(
	(field): Parameter => ({
		...field,
		field: field === externalId ? field.name : `contact.${field.name}`,
		displayOptions: ofFields,
		hint: undefined,
		description: `The ${field.displayName === 'External ID' ? 'external ID' : field.displayName.toLowerCase()} of the lead, if it is known. All that are given must lead to the same lead.`,
	}),
);

const saleParameters: Parameter[] = [
	{
		displayName: 'Specify Sale',
		name: 'specifySale',
		type: 'options',
		in: 'body',
		spread: true,
		convert: toSaleOfRow,
		noDataExpression: true,
		options: [
			{
				name: 'Using Columns of the Input',
				value: 'columns',
				description: 'Each item is a sale, such as a row of a spreadsheet',
			},
			{ name: 'Using Fields Below', value: 'fields' },
		],
		default: 'fields',
	},
	{
		displayName:
			'These columns of the input are read: Date, Value, and External ID, Lead ID, Email or Phone. Their names in Portuguese or Spanish and other spellings are understood too. For other columns, choose Using Fields Below.',
		name: 'saleFieldNames',
		type: 'notice',
		displayOptions: { show: ofColumns },
		default: '',
	},
	{
		displayName: 'Sale Date',
		// Other operations have a drop-down of the name saleDate.
		name: 'soldOn',
		field: 'saleDate',
		type: 'dateTime',
		in: 'body',
		convert: toUtc,
		displayOptions: ofFields,
		required: true,
		default: '',
		description:
			'When the sale occurred. A date without a time zone is read in that of the workflow.',
	},
	text('Value', 'saleValue', {
		field: 'estimatedValue',
		in: 'body',
		convert: toAmount,
		displayOptions: ofFields,
		required: true,
		placeholder: 'e.g. 1500.50',
		description: 'The value of the sale in BRL',
	}),
	...whose,
	{ ...leadIdText, name: 'saleLeadId', field: 'leadId', displayOptions: ofFields },
	wonStatus,
];

const saleOptions: Parameter[] = [
	flag('Overwrite', 'overwrite', false, {
		description: 'Whether to replace another sale that the lead has, instead of failing the item',
	}),
	{
		...externalIdColumn({ '/specifySale': ofColumns.specifySale }),
		description: 'The column with your own unique ID of each lead, if it is not called External ID',
	},
];

/** What leads to the lead of a sale. */
function leadOfSale({ body }: Pick<Values, 'body'>): Lookup[] {
	const { leadId, externalId: own, contact } = body;
	const ids = [
		leadId && { label: 'Lead ID', by: 'id' as const, value: String(leadId) },
		own && { label: 'External ID', by: 'externalId' as const, value: String(own) },
	];
	return [
		...compact(ids).map((each) => ({ record: listedLead, ...each })),
		...addressesIn(contact),
	];
}

const requireSale: ComposedOperation['check'] = ({ body }) => {
	const missing = [
		['Sale Date', body.saleDate],
		['Value', body.estimatedValue],
	].find(([, value]) => value === undefined);
	if (missing) {
		throw emptyError(
			String(missing[0]),
			'A sale has a date and a value. Check the columns of the item, or what the expressions give.',
		);
	}
	const { leadId, externalId: own, contact } = body;
	if (some([leadId, own, contact])) return;
	throw new InputError(
		'"External ID", "Lead ID", "Email" and "Phone" are empty, and the lead is found by them',
		'Give at least one of them.',
	);
};

const FIELDS = ['status', 'saleDate', 'estimatedValue'];

const steps = { find: findLead, read: getLead, upsert: sendLead, update: updateLead, ...fillSteps };

/** Carries an item out. Two sales are the same if they have the same value, and the same day in the workflow's time zone. */
async function writeSale(
	{ path, body, options }: Values,
	requests: StepFunctions<typeof steps>,
	context: ComposeContext,
): Promise<Result> {
	const { isRetried, timezone } = context;
	const sent = pick(body, FIELDS);
	const sale = saleIn(sent, timezone);
	const lead = await requests.read({ path });
	const { record: before = {} } = lead;
	const known = saleIn(before, timezone);
	const isSold = known.day !== undefined;
	if (isSold && isEqual(known, sale)) {
		const differences = `Status is "${String(before.status)}", not "${String(sent.status)}".`;
		const adds = isStatus(before, sent) ? {} : { differences };
		// An earlier try may have recorded it.
		return { ...lead, adds: { ...(!isRetried && { alreadyRecorded: true }), ...adds } };
	}
	if (mayHide(before, sale) && options.overwrite !== true) {
		throw new UserError(
			`The service does not show whether the lead ${String(before.externalId ?? path.leadId)} has another sale`,
			'Nothing was sent: it would replace a sale that the lead may have. To record it all the same, switch on Options > Overwrite.',
		);
	}
	const isOther = isSold && (known.day !== sale.day || known.value !== undefined);
	if (isOther && options.overwrite !== true) {
		throw new UserError(
			`The lead ${String(before.externalId ?? path.leadId)} has another sale: ${inWords(known)}, not ${inWords(sale)}`,
			'A lead holds one sale. To replace it, switch on Options > Overwrite. A second sale of a person needs a lead of its own.',
		);
	}
	// Documented for leads with an external ID (4.3, rule 5); of the other way only the path is (4.6).
	const { externalId } = before;
	const written = isBlank(externalId)
		? await requests.update({ path, body: sent })
		: await requests.upsert({ body: { externalId, ...sent } as IDataObject }, { existing: before });
	const after = isShown(written.record) ? written : await requests.read({ path });
	requireRecorded(after.record, sent, timezone);
	const replaced = isOther ? inWords(known) : undefined;
	const differences = futureSale(sent, context);
	return {
		...after,
		adds: { alreadyRecorded: false, ...(replaced && { replaced }), ...differences },
	};
}

/** Whether a lead may have another sale than this one, without showing its date. A value alone may be an estimate. */
function mayHide({ saleDate, estimatedValue }: ServiceRecord, { value }: HeldSale): boolean {
	return saleDate === undefined && estimatedValue !== null && Number(estimatedValue) !== value;
}

interface HeldSale {
	day?: string;
	value?: number;
}

function saleIn({ saleDate, estimatedValue }: ServiceRecord, timezone: string): HeldSale {
	const date = String(saleDate);
	return {
		day: isBlank(saleDate) ? undefined : (parseDate(date, timezone)?.toISODate() ?? date),
		value: isBlank(estimatedValue) ? undefined : Number(estimatedValue),
	};
}

const inWords = ({ day = 'no date', value }: HeldSale) => `${value ?? 'no value'} on ${day}`;

const isStatus = (record: ServiceRecord, sent: ServiceRecord) =>
	sent.status === undefined || isSameWord(record.status, sent.status);

const isShown = (record: ServiceRecord = {}) => FIELDS.every((name) => record[name] !== undefined);

/** @throws UserError where the lead does not have the sale that was sent */
function requireRecorded(
	record: ServiceRecord | undefined,
	sent: ServiceRecord,
	timezone: string,
): void {
	if (!isShown(record)) {
		throw new UnconfirmedError(
			'The sale was sent, and the service does not show whether the lead has it',
			'Look at the lead in the leads service. Running the item again does no harm.',
		);
	}
	const found = saleIn(record ?? {}, timezone);
	if (isEqual(found, saleIn(sent, timezone)) && isStatus(record ?? {}, sent)) return;
	throw new UserError(
		`The service did not record the sale as it was sent: the lead has ${inWords(found)} and the status "${String(record?.status)}"`,
		'Enter the sale in the leads service, and tell the authors of this node.',
	);
}

export const recordSale: ComposedOperation = {
	name: 'Record Sale',
	action: 'Record sale of lead',
	description: 'Record the date and the value of a sale in the one lead that it belongs to',
	when: 'Use it when a known lead has bought something. Give the date, the value, and at least one of external ID, ID, email and phone of the lead.',
	scope: 'leads:write',
	parameters: [...saleParameters, options(saleOptions)],
	output: { kind: 'one', record: soldLead },
	outputsInput: true,
	check: requireSale,
	compose: compose({
		steps,
		keys: ({ body }) => [body.leadId],
		run: async (values, requests, context) => {
			const found = await requests.find(leadOfSale(values), { required: true });
			const leadId = requireId(found, 'lead');
			const sale = { ...values, path: { leadId } };
			const sold = await context.inTurn(
				leadId,
				async () => await writeSale(sale, requests, context),
			);
			const { contact } = values.body;
			return await fillContactOf(sold, contact, { steps: requests, context, reads: true }, found);
		},
	}),
};
