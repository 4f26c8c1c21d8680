/** Parameters of leads. The names are the API's (spec 2 and 4.3). */
import { startCase } from 'lodash';

import { documentedValues, listedLead, WON } from '../contract/records';
import type { Parameter } from '../operation';
import { toAmount } from '../values/amount';
import { toBoolean, toFreeText, toIdentifier, toList, toSaleDate, toUtc } from '../values/convert';
import { toExternalId } from '../values/identity';
import { toProtocol } from '../values/protocol';
import { enumeration, filterCollection, locator } from './common';
import { contactLocator, wholeFilters } from './contactFields';
import { choice, date, text } from './options';

const leadLocator: Parameter = locator({
	displayName: 'Lead',
	name: 'leadId',
	description: 'The lead to work on',
	searchListMethod: 'searchLeads',
	searchFor: 'a name, an email or a phone',
	example: '7f9c24e5-2c6b-4d3a-9a57-0f3a8b1c6d2e',
	lookup: { record: listedLead, modes: ['externalId', 'emailOrPhone'] },
	findHint: 'Lead > Get Many finds its ID.',
});

/** The lead in the path. */
export const leadId: Parameter = { ...leadLocator, in: 'path', required: true };

/** The lead that a new record belongs to, for a route whose path does not name it. */
export const leadReference: Parameter = {
	...leadLocator,
	in: 'body',
	description: 'The lead it belongs to',
};

export const protocol = text('Protocol', 'protocol', {
	in: 'body',
	convert: toProtocol,
	placeholder: 'e.g. ML-AB12-CD34',
	description:
		'The code of a tracking link, or the whole message that contains it. If a lead has this code, the data is linked to that lead instead of a new one.',
	builderHint: {
		propertyHint:
			'Pass the whole incoming message: the node finds the code in it, so no extraction step is needed. Set External ID as well, for messages without a code.',
	},
});

export const externalId = text('External ID', 'externalId', {
	in: 'body',
	convert: toExternalId,
	placeholder: 'e.g. crm-000123',
	description: 'Your own unique ID of the lead',
	builderHint: {
		propertyHint:
			'Use an ID that is the same in every run: of the record, the order or the conversation. For a form, leave it empty: the email or the phone identifies. Never a random value, the current time or a row number.',
	},
});

/** The ID of a lead as text, beside other values that identify it. */
export const leadIdText = text('Lead ID', 'leadId', {
	in: 'body',
	convert: toIdentifier,
	placeholder: 'e.g. 7f9c24e5-2c6b-4d3a-9a57-0f3a8b1c6d2e',
	description: 'The ID of the lead in the leads service',
});

/** The existing contact that a record belongs to. */
export const contactReference: Parameter = {
	...contactLocator,
	in: 'body',
	description: 'The existing contact it belongs to. Leave empty to enter contact data instead.',
};

export const createContactIfNotFound: Parameter = choice(
	'If No Contact Exists',
	'createContactIfNotFound',
	true,
	{
		in: 'body',
		convert: toBoolean,
		enumeration: 'open',
		options: [
			{ name: 'Create the Contact', value: true, description: 'Create it from the data sent' },
			{ name: 'Refuse', value: false, description: 'Create or update nothing' },
		],
		description:
			'What to do if no contact is found by protocol, external ID, email or phone. What the service does without this field is not documented.',
	},
);

/** A drop-down of known values and, in the panel, those of the account, see pickers/search.ts. */
const enumerationField = (
	name: keyof typeof documentedValues,
	loadOptionsMethod: string,
	first: string,
	more: Partial<Parameter> = {},
): Parameter =>
	choice(startCase(name), name, first, {
		in: 'body',
		typeOptions: { loadOptionsMethod },
		enumeration: 'open',
		options: enumeration(documentedValues[name]),
		description: 'Use an expression for a value of your account that is not listed',
		...more,
	});

export const status = enumerationField('status', 'getStatuses', 'open');

export const wonStatus: Parameter = {
	...status,
	required: true,
	default: WON,
	description: 'The status of won leads. Use an expression for a value that is not listed.',
};

const priority = enumerationField('priority', 'getPriorities', 'medium');

const source = enumerationField('source', 'getSources', 'api', {
	description: 'Where the lead comes from. Use an expression for a value that is not listed.',
});

/** A text field, because n8n's multi-select takes only entries that it lists; an expression may return a whole list. */
export const tagNames = text('Tags', 'tags', {
	in: 'body',
	convert: toList,
	placeholder: 'e.g. newsletter, spring campaign',
	description: 'Names of tags, including new ones, as text separated by commas or as a list',
});

/** The hint of operations that take a request for each lead. Not in their description, which a model reads with every question. */
export const MANY_LEADS =
	'Each item takes a request. For hundreds of leads with external IDs, Sync > Push Leads is faster: 100 in one request';

/** Fields that creating and updating a lead share. */
export const leadFields: Parameter[] = [
	text('Estimated Value', 'estimatedValue', {
		// Not a number field: it would misread "1.500,50", and its initial 0 is a value.
		in: 'body',
		convert: toAmount,
		placeholder: 'e.g. 1500.50',
		description: 'Estimated value of the opportunity in BRL',
	}),
	text('Notes', 'notes', {
		in: 'body',
		convert: toFreeText,
		typeOptions: { rows: 4 },
		description: 'Free text about the lead',
	}),
	priority,
	date('Sale Date', 'saleDate', {
		in: 'body',
		convert: toSaleDate,
		description:
			'When the sale occurred: the time of the conversion for the advertising platforms. A date without a time zone is read in that of the workflow.',
	}),
	source,
	status,
	tagNames,
];

const createdBound = (word: 'After' | 'Before') =>
	date(`Created ${word}`, `created${word}`, {
		in: 'query',
		convert: toUtc,
		description: `Only leads created ${word.toLowerCase()} this time`,
	});

export const filters = filterCollection([
	createdBound('After'),
	createdBound('Before'),
	{ ...priority, in: 'query', description: 'Only leads with this priority' },
	text('Search', 'search', {
		in: 'query',
		description:
			'Only leads whose name, email or phone contains this, other leads than the one meant included. To find one lead, use Email or Phone.',
	}),
	{ ...source, in: 'query', description: 'Only leads from this source' },
	{ ...status, in: 'query', description: 'Only leads with this status' },
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
	...wholeFilters('leads'),
]);
