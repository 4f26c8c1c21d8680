/** Parameters of leads. The names are the service's own (spec 2 and 4.3). */
import { leadPriorities, leadSources, leadStatuses } from '../contract/lead';
import type { Parameter } from '../operation';
import { toChoice, toList, toNumber, toText, toUtc } from './convert';

/** The drop-down of an enumeration whose complete list is not shown. */
function known(values: readonly string[]) {
	return [...values].sort().map((value) => ({
		name: value
			.split('_')
			.map((word) => word[0].toUpperCase() + word.slice(1))
			.join(' '),
		value,
	}));
}

/** Which lead. `externalId` where the route takes either identifier (spec 4.2). */
function leadLocator(byExternalId: boolean): Parameter {
	return {
		displayName: 'Lead',
		name: 'leadId',
		type: 'resourceLocator',
		in: 'path',
		required: true,
		default: { mode: 'list', value: '' },
		description: byExternalId
			? 'The lead to work on, from the list, by its ID or by your own external ID'
			: 'The lead to work on. The service finds it by its ID; use Get to find the ID of an external ID.',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'e.g. a name, an email or a phone',
				typeOptions: { searchListMethod: 'searchLeads', searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 7f9c24e5-2c6b-4d3a-9a57-0f3a8b1c6d2e',
			},
			...(byExternalId
				? [
						{
							displayName: 'By External ID',
							name: 'externalId',
							type: 'string' as const,
							placeholder: 'e.g. crm-000123',
						},
					]
				: []),
		],
	};
}

export const leadId = leadLocator(false);
export const leadIdOrExternalId = leadLocator(true);

export const tagId: Parameter = {
	displayName: 'Tag',
	name: 'tagId',
	type: 'resourceLocator',
	in: 'path',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The tag to remove',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchTags', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 4b1d9c52-8e07-4f6d-b2a3-5c7e9f10a8d4',
		},
	],
};

export const protocol: Parameter = {
	displayName: 'Protocol',
	name: 'protocol',
	type: 'string',
	in: 'body',
	convert: toText,
	default: '',
	placeholder: 'e.g. ML-AB12-CD34',
	description:
		'Code of a tracking link. When it belongs to a lead, what is sent is linked to that lead and no new one is created.',
};

export const externalId: Parameter = {
	displayName: 'External ID',
	name: 'externalId',
	type: 'string',
	in: 'body',
	convert: toText,
	default: '',
	placeholder: 'e.g. crm-000123',
	description:
		'Your own unique ID of the lead. A lead that has it already is updated. Required without a protocol, and the fallback when the protocol is not found.',
};

export const contactId: Parameter = {
	displayName: 'Contact',
	name: 'contactId',
	type: 'resourceLocator',
	in: 'body',
	default: { mode: 'list', value: '' },
	description:
		'The existing contact the lead belongs to. Leave empty to give contact data instead.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'e.g. a name, an email or a phone',
			typeOptions: { searchListMethod: 'searchContacts', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 0c9e1d77-53aa-4e0b-8f42-6d1b7a9c3e58',
		},
	],
};

export const contact: Parameter = {
	displayName: 'Contact Data',
	name: 'contact',
	type: 'collection',
	in: 'body',
	placeholder: 'Add field',
	default: {},
	description: 'Who the lead is. The service looks for an existing contact by email and phone.',
	options: [
		{
			displayName: 'Email',
			name: 'email',
			type: 'string',
			default: '',
			placeholder: 'e.g. name@example.com',
		},
		{ displayName: 'Name', name: 'name', type: 'string', default: '' },
		{
			displayName: 'Phone',
			name: 'phone',
			type: 'string',
			convert: toText,
			default: '',
			placeholder: 'e.g. +5511900000000',
			description: 'In international format with a leading +',
		},
	],
};

export const createContactIfNotFound: Parameter = {
	displayName: 'If No Contact Exists',
	name: 'createContactIfNotFound',
	type: 'options',
	in: 'body',
	convert: toChoice,
	open: true,
	options: [
		{
			name: 'Create the Contact',
			value: true,
			description: 'Create a contact from the data sent',
		},
		{
			name: 'Leave to the Service',
			value: '',
			description: 'Send nothing; what the service does then is not documented',
		},
		{
			name: 'Refuse',
			value: false,
			description:
				'Create or update nothing unless a contact is found by protocol, external ID, email or phone',
		},
	],
	default: '',
	description: 'What to do when no existing contact matches what is sent',
};

export const status: Parameter = {
	displayName: 'Status',
	name: 'status',
	type: 'options',
	in: 'body',
	open: true,
	options: known(leadStatuses),
	default: 'open',
	description:
		'The values seen so far. Any other value of your account can be given by an expression.',
};

/** The status as the point of an operation rather than one field among others. */
export const newStatus: Parameter = {
	...status,
	displayName: 'New Status',
	required: true,
	default: 'in_progress',
};

const priority: Parameter = {
	displayName: 'Priority',
	name: 'priority',
	type: 'options',
	in: 'body',
	open: true,
	options: known(leadPriorities),
	default: 'medium',
	description:
		'The values seen so far. Any other value of your account can be given by an expression.',
};

const source: Parameter = {
	displayName: 'Source',
	name: 'source',
	type: 'options',
	in: 'body',
	open: true,
	options: known(leadSources),
	default: 'api',
	description:
		'Where the lead comes from. The values seen so far; any other can be given by an expression.',
};

/** Fields of a lead that creating and updating have in common. */
const details: Parameter[] = [
	{
		displayName: 'Estimated Value',
		name: 'estimatedValue',
		type: 'number',
		in: 'body',
		convert: toNumber,
		typeOptions: { numberPrecision: 2 },
		default: 0,
		description: 'Estimated value of the opportunity in BRL',
	},
	{
		displayName: 'Notes',
		name: 'notes',
		type: 'string',
		in: 'body',
		typeOptions: { rows: 4 },
		default: '',
		description: 'Free text about the lead',
	},
	priority,
	{
		displayName: 'Sale Date',
		name: 'saleDate',
		type: 'dateTime',
		in: 'body',
		convert: toUtc,
		default: '',
		description:
			'When the sale occurred: the time of the conversion for the advertising platforms. Without a zone it is read in the time zone of the workflow.',
	},
	source,
	status,
	{
		displayName: 'Tags',
		name: 'tags',
		type: 'string',
		in: 'body',
		convert: toList,
		default: '',
		placeholder: 'e.g. newsletter, spring campaign',
		description: 'Names of tags, separated by commas; an expression may give a list',
	},
];

export const additionalFields: Parameter = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	options: details,
};

export const updateFields: Parameter = {
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	description: 'The fields to change. A field that is added and left empty is emptied in the lead.',
	options: [contactId, contact, ...details, externalId].sort((a, b) =>
		a.displayName.localeCompare(b.displayName),
	),
};

/** Tags as the point of an operation. */
export const tags: Parameter = {
	displayName: 'Tags',
	name: 'tags',
	type: 'string',
	in: 'body',
	convert: toList,
	required: true,
	default: '',
	placeholder: 'e.g. newsletter, spring campaign',
	description: 'Names of the tags, separated by commas; an expression may give a list',
};

/** The filters of GET /leads (spec 4.1). */
export const filters: Parameter = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options: [
		{
			displayName: 'Created After',
			name: 'createdAfter',
			type: 'dateTime',
			in: 'query',
			convert: toUtc,
			default: '',
			description: 'Only leads created after this moment',
		},
		{
			displayName: 'Created Before',
			name: 'createdBefore',
			type: 'dateTime',
			in: 'query',
			convert: toUtc,
			default: '',
			description: 'Only leads created before this moment',
		},
		{ ...priority, in: 'query', description: 'Only leads of this priority' },
		{
			displayName: 'Search',
			name: 'search',
			type: 'string',
			in: 'query',
			convert: toText,
			default: '',
			description: 'Only leads whose name, email or phone contains this',
		},
		{ ...source, in: 'query', description: 'Only leads of this origin' },
		{ ...status, in: 'query', description: 'Only leads in this status' },
		{
			displayName: 'Tag',
			name: 'tag',
			type: 'string',
			in: 'query',
			convert: toText,
			default: '',
			description: 'Only leads with this tag, by name or by ID',
		},
	],
};

export const startPage: Parameter = {
	displayName: 'Page',
	name: 'page',
	type: 'number',
	displayOptions: { show: { '/returnAll': [false] } },
	typeOptions: { minValue: 1 },
	default: 1,
	description:
		'The page to begin with, counted in pages of Limit leads (100 at most). For reading on where an earlier run stopped; the list may have moved since.',
};
