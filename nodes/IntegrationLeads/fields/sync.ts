/** Parameters of the sync routes, whose shapes are assumed (spec 4.6). */
import { isRecord } from '../contract/envelope';
import type { Batch, Convert, Operation, Parameter } from '../operation';
import { InputError } from '../userError';
import { toObject } from '../values/convert';
import { requireIdentifier } from './check';
import { labelOf } from './headings';
import { externalId } from './lead';
import { columns, toMappedLead } from './mapping';

/** The external ID in the path. */
export const syncedExternalId: Parameter = {
	...externalId,
	in: 'path',
	printable: true,
	required: true,
};

const toLeadObject: Convert = (value, context) => {
	const list = Array.isArray(value) || (typeof value === 'string' && /^\s*\[/.test(value));
	if (!list) return toObject(value, context);
	throw new InputError(
		`"${context.label}" is a list, and is meant for one lead`,
		'Put a Split Out node before this one, so that each lead is an item of its own. They are sent together all the same.',
	);
};

const leadJson: Parameter = {
	displayName: 'Lead (JSON)',
	name: 'leadJson',
	type: 'json',
	in: 'body',
	spread: true,
	convert: toLeadObject,
	default: '{}',
	description:
		'The lead of one item as a JSON object, with the fields of Create or Update. It is sent as it is.',
};

/** The lead of each item. */
export const leadOfItem: Parameter[] = [
	{
		displayName: 'Specify Leads',
		name: 'specifyLeads',
		type: 'options',
		options: [
			{
				name: 'By Mapping Fields',
				value: 'fields',
				description: 'From the columns of the input items',
			},
			{ name: 'Using JSON', value: 'json', description: 'One JSON object for each item' },
		],
		default: 'fields',
		description: 'How to give the leads. Each input item is one lead.',
	},
	{
		displayName: 'Fields',
		name: 'lead',
		type: 'resourceMapper',
		in: 'body',
		spread: true,
		convert: toMappedLead,
		displayOptions: { show: { specifyLeads: ['fields'] } },
		noDataExpression: true,
		typeOptions: {
			resourceMapper: {
				resourceMapperMethod: 'getLeadColumns',
				mode: 'add',
				fieldWords: { singular: 'field', plural: 'fields' },
				supportAutoMap: true,
			},
		},
		default: { mappingMode: 'autoMapInputData', value: null },
		description: 'Each lead needs External ID, or Protocol. What is empty in an item is not sent.',
		builderHint: {
			propertyHint:
				'Keep the automatic mapping, and have the step before name the fields of each item externalId, name, email, phone, status, source, estimatedValue, saleDate or tags; headings of a spreadsheet such as "External ID" or "Telefone" are understood too. One item is one lead; the node makes the batches.',
		},
	},
	{
		// n8n shows the columns only with manual mapping.
		displayName: `With Map Automatically, these columns of the input are sent: ${columns.map(({ field }) => labelOf(field.name)).join(', ')}. Their names in Portuguese or Spanish and other spellings are understood too; columns of other names are left out.`,
		name: 'leadFieldNames',
		type: 'notice',
		displayOptions: {
			show: { specifyLeads: ['fields'], '/lead.mappingMode': ['autoMapInputData'] },
		},
		default: '',
	},
	{
		...leadJson,
		displayOptions: { show: { specifyLeads: ['json'] }, hide: { '@tool': [true] } },
		default: '={{ $json }}',
	},
	// The input of a tool is the prompt of the agent, not a lead.
	{
		...leadJson,
		displayOptions: { show: { specifyLeads: ['json'], '@tool': [true] } },
		default: '{}',
	},
];

/** As for one lead, with what to do about a row. */
export const requireRowIdentifier: NonNullable<Operation['check']> = (request) => {
	const { externalId, protocol } = isRecord(request.body) ? request.body : {};
	if (externalId || protocol) return requireIdentifier?.(request);
	throw new InputError(
		'"External ID" is required when there is no "Protocol"',
		'Each row needs your own unique ID of the lead. If a column has it under another name, such as ID, Code or Order, rename the column to External ID. A message in "Protocol" counts only if it contains a code such as ML-AB12-CD34.',
	);
};

/** Assumed: the spec names the route only. */
export const pushBatch: Batch = { listName: 'leads', batchSize: 100, unconfirmedLeads: 'fail' };

export const batchOptions: Parameter[] = [
	{
		displayName: 'Batch Size',
		name: 'batchSize',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 100,
		description: 'How many leads to send in one request at most',
	},
	{
		displayName: 'Name of the List',
		name: 'listName',
		type: 'string',
		default: 'leads',
		description:
			'The field of the request that holds the leads. How the service names it is not documented.',
	},
	{
		displayName: 'Unconfirmed Leads',
		name: 'unconfirmedLeads',
		type: 'options',
		options: [
			{
				name: 'Fail the Item',
				value: 'fail',
				description: 'The item fails and shows what the service answered about the lead',
			},
			{
				name: 'Pass Through',
				value: 'passThrough',
				description: 'The item is output with "unconfirmed": true and what the service answered',
			},
		],
		default: 'fail',
		description:
			'What to do with a lead that the answer neither confirms nor refuses. How the service answers is not documented.',
	},
	{
		displayName: 'Unknown Columns',
		name: 'unknownColumns',
		type: 'options',
		displayOptions: { show: { '/specifyLeads': ['fields'] }, hide: { '@tool': [true] } },
		options: [
			{
				name: 'Fail',
				value: 'fail',
				description: 'The item fails, and nothing of it is sent',
			},
			{
				name: 'Ignore',
				value: 'ignore',
				description: 'They are not sent, and a hint names them',
			},
		],
		default: 'ignore',
		description: 'What to do with columns that are no field of a lead, with Map Automatically',
	},
];
