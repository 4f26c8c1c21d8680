/** Parameters of Lead > Record Sale, and whose sale it is. */
import { compact, some } from 'lodash';

import { listedLead } from '../contract/leadRecord';
import type { Lookup, Operation, Parameter, Values } from '../operation';
import { emptyError, InputError } from '../userError';
import { toAmount, toUtc } from '../values/convert';
import { addressesIn } from '../fields/check';
import { contactFields } from '../fields/contactFields';
import { externalId, leadIdText, wonStatus } from '../fields/leadFields';
import { columnOptions } from '../columns/mapping';
import { toSaleOfRow } from '../columns/columns';
import { flag, text } from '../fields/options';

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

export const saleParameters: Parameter[] = [
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

const [externalIdColumn] = columnOptions({ '/specifySale': ofColumns.specifySale });

export const saleOptions: Parameter[] = [
	flag('Overwrite', 'overwrite', false, {
		description: 'Whether to replace another sale that the lead has, instead of failing the item',
	}),
	{
		...externalIdColumn,
		description: 'The column with your own unique ID of each lead, if it is not called External ID',
	},
];

/** What leads to the lead of a sale. */
export function leadOfSale({ body }: Pick<Values, 'body'>): Lookup[] {
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

export const requireSale: Operation['check'] = ({ body }) => {
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
