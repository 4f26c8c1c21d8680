/** Parameters of leads. The names are the service's own (spec 2 and 4.3). */
import { leadPriorities, leadSources, leadStatuses } from '../contract/lead';
import type { Parameter } from '../operation';
import { contactFields, contactLocator } from './contact';
import { toBoolean, toId, toList, toNumber, toProtocol, toUtc } from '../values/convert';
import { enumeration } from './enumeration';
import { locator } from './locator';

const leadLocator: Parameter = {
	...locator({
		displayName: 'Lead',
		name: 'leadId',
		description:
			'The lead to work on. The service finds it by its ID; use Get to find the ID of an external ID.',
		searchListMethod: 'searchLeads',
		searchFor: 'a name, an email or a phone',
		example: '7f9c24e5-2c6b-4d3a-9a57-0f3a8b1c6d2e',
	}),
	convert: toId,
};

/** Which lead, in the path. */
export const leadId: Parameter = { ...leadLocator, in: 'path', required: true };

/** Which lead, where the route takes either identifier (spec 4.2). */
export const leadIdOrExternalId: Parameter = {
	...leadId,
	description: 'The lead to work on, from the list, by its ID or by your own external ID',
	modes: [
		...(leadLocator.modes ?? []),
		{
			displayName: 'By External ID',
			name: 'externalId',
			type: 'string',
			placeholder: 'e.g. crm-000123',
		},
	],
};

/** The lead that a new record belongs to, where the path does not say it. */
export const ofLead: Parameter = {
	...leadLocator,
	in: 'body',
	description: 'The lead it belongs to',
};

export const tagId: Parameter = {
	...locator({
		displayName: 'Tag',
		name: 'tagId',
		description: 'The tag to remove',
		searchListMethod: 'searchTags',
		searchFor: 'spring campaign',
		example: '4b1d9c52-8e07-4f6d-b2a3-5c7e9f10a8d4',
	}),
	in: 'path',
	required: true,
};

export const protocol: Parameter = {
	displayName: 'Protocol',
	name: 'protocol',
	type: 'string',
	in: 'body',
	convert: toProtocol,
	default: '',
	placeholder: 'e.g. ML-AB12-CD34',
	description:
		'Code of a tracking link, or the whole message that holds it. When it belongs to a lead, what is sent is linked to that lead and no new one is created.',
	builderHint: {
		propertyHint:
			'Pass the whole incoming message: the code is found in it, so no step to extract it is needed. Set External ID as well, for messages without a code.',
	},
};

export const externalId: Parameter = {
	displayName: 'External ID',
	name: 'externalId',
	type: 'string',
	in: 'body',
	convert: toId,
	default: '',
	placeholder: 'e.g. crm-000123',
	description:
		'Your own unique ID of the lead. A lead that has it already is updated. Required without a protocol, and the fallback when the protocol is not found.',
	builderHint: {
		propertyHint:
			'Take an ID that stays the same in every run: of the row, the order or the sender. A random value or the current time makes another lead each time.',
	},
};

/** The existing contact that a record belongs to. */
export const ofContact: Parameter = {
	...contactLocator,
	in: 'body',
	description: 'The existing contact it belongs to. Leave empty to give contact data instead.',
};

export const contact: Parameter = {
	displayName: 'Contact Data',
	name: 'contact',
	type: 'collection',
	in: 'body',
	placeholder: 'Add field',
	default: {},
	description: 'Who the lead is. The service looks for an existing contact by email and phone.',
	options: contactFields,
};

export const createContactIfNotFound: Parameter = {
	displayName: 'If No Contact Exists',
	name: 'createContactIfNotFound',
	type: 'options',
	in: 'body',
	convert: toBoolean,
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
	options: enumeration(leadStatuses),
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
	options: enumeration(leadPriorities),
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
	options: enumeration(leadSources),
	default: 'api',
	description:
		'Where the lead comes from. The values seen so far; any other can be given by an expression.',
};

/** Tags that are typed, new ones too. An expression gives the whole list here. */
export const tagsByName: Parameter = {
	displayName: 'Tags by Name',
	name: 'tags',
	type: 'string',
	in: 'body',
	convert: toList,
	default: '',
	placeholder: 'e.g. newsletter, spring campaign',
	description:
		'Names of tags, separated by commas, also of new ones; an expression may give a list',
};

/** Tags that are picked, sent together with those typed: n8n's multi-select takes no text that is not in its list. */
export const tagsFromList: Parameter = {
	displayName: 'Tags From List',
	name: 'tagsFromList',
	type: 'multiOptions',
	in: 'body',
	field: 'tags',
	convert: toList,
	// An agent names the tags.
	displayOptions: { hide: { '@tool': [true] } },
	typeOptions: { loadOptionsMethod: 'getTagNames' },
	default: [],
	// The last sentence is n8n's, and its linter insists on it.
	description:
		'Tags that exist, sent by name together with those under Tags by Name. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** Fields of a lead that creating and updating have in common. */
export const details: Parameter[] = [
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
	tagsByName,
	tagsFromList,
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
	options: [ofContact, contact, ...details, externalId].sort((a, b) =>
		a.displayName.localeCompare(b.displayName),
	),
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
			default: '',
			description: 'Only leads whose name, email or phone contains this',
		},
		{ ...source, in: 'query', description: 'Only leads of this origin' },
		{ ...status, in: 'query', description: 'Only leads in this status' },
		{
			...locator({
				displayName: 'Tag',
				name: 'tag',
				description: 'Only leads with this tag',
				searchListMethod: 'searchTags',
				searchFor: 'spring campaign',
				example: 'spring campaign',
				byId: 'By Name or ID',
			}),
			in: 'query',
		},
	],
};

export const startPage: Parameter = {
	displayName: 'Page',
	name: 'page',
	type: 'number',
	displayOptions: { show: { '/returnAll': [false] } },
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 1,
	description:
		'The page to begin with, counted in pages of Limit leads (100 at most). For reading on where an earlier run stopped; the list may have moved since.',
};
