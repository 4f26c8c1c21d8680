/** Parameters of the sync routes, whose shapes are assumed (spec 4.6). */
import { pick } from 'lodash';
import type { IDataObject, INodePropertyOptions, ResourceMapperField } from 'n8n-workflow';

import { isRecord } from '../contract/envelope';
import type { Batch, Convert, Parameter, ConvertContext } from '../operation';
import { InputError } from '../userError';
import { contactFields } from './contact';
import { isBlank, toObject } from '../values/convert';
import { converterOf } from '../values/converter';
import {
	createContactIfNotFound,
	details,
	externalId,
	ofContact,
	protocol,
	tagsFromList,
} from './lead';

/** The external ID in the path. */
export const syncedExternalId: Parameter = {
	...externalId,
	in: 'path',
	printable: true,
	required: true,
};

/** Types with their own input in the resource mapper. The others are text there. */
const WIDGETS = ['number', 'dateTime', 'options'] as const;

/** The fields of a lead that can be mapped, one column each. `within` is their parent in the body. */
const columns: Array<{ field: Parameter; within?: 'contact' }> = [
	{ field: externalId },
	{ field: protocol },
	...contactFields.map((field) => ({ field, within: 'contact' as const })),
	// A cell holds tag names as text, so the picker is left out.
	...details.filter((field) => field !== tagsFromList).map((field) => ({ field })),
	{ field: { ...ofContact, displayName: 'Contact ID', type: 'string' } },
	{ field: createContactIfNotFound },
];

/** The columns as n8n's resource mapper shows them. */
export const leadColumns: ResourceMapperField[] = columns.map(({ field, within }) => ({
	id: field.name,
	displayName: within ? `Contact ${field.displayName}` : field.displayName,
	type: WIDGETS.find((type) => type === field.type) ?? 'string',
	options: field.type === 'options' ? (field.options as INodePropertyOptions[]) : undefined,
	required: false,
	display: true,
	// With manual mapping, only the column that most leads need is shown at first.
	removed: field !== externalId,
	defaultMatch: false,
	canBeUsedToMatch: false,
}));

/** Converts mapped values, or an input item with fields of these names, to a lead as in 4.3. */
const toMappedLead: Convert = (mapping, context) => {
	if (!isRecord(mapping)) return undefined;
	const byName = mapping.mappingMode === 'autoMapInputData';
	const given = byName ? withContactInside(context.input ?? {}) : mapping.value;
	if (!isRecord(given)) return undefined;
	if (byName) {
		const known = new Set(columns.map(({ field }) => field.name));
		context.onUnsent?.(Object.keys(given).filter((name) => !known.has(name)));
	}
	return leadFromFields(given, context);
};

/** Flattens the contact of a lead that was read from the service. */
function withContactInside({ contact, ...rest }: IDataObject): IDataObject {
	if (!isRecord(contact)) return contact === undefined ? rest : { ...rest, contact };
	const { id: contactId } = contact as IDataObject;
	const fields = pick(
		contact as IDataObject,
		contactFields.map(({ name }) => name),
	);
	return { ...fields, ...(contactId !== undefined && { contactId }), ...rest };
}

/** Leaves out empty cells, which would clear the field. */
function leadFromFields(given: Record<string, unknown>, context: ConvertContext): IDataObject {
	const lead: IDataObject = {};
	const contact: IDataObject = {};
	for (const { field, within } of columns) {
		const { name, displayName } = field;
		const cell = given[name];
		if (isBlank(typeof cell === 'string' ? cell.trim() : cell)) continue;
		const convert = converterOf(field);
		const value = convert ? convert(cell, { ...context, label: displayName }) : cell;
		if (!isBlank(value)) (within ? contact : lead)[name] = value as IDataObject[string];
	}
	return Object.keys(contact).length > 0 ? { ...lead, contact } : lead;
}

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
				description: 'From the fields of the input items',
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
				'Keep the automatic mapping, and have the step before name the fields of each item externalId, name, email, phone, status, source, estimatedValue, saleDate or tags. One item is one lead; the node makes the batches.',
		},
	},
	{
		// n8n shows the columns only with manual mapping.
		displayName: `With Map Automatically, these fields of the input are sent: ${columns.map(({ field }) => field.name).join(', ')}. Others are left out.`,
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
];
