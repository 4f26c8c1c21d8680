/** Parameters of an export of conversions; conversion/settings.ts reads them. */
import type { Parameter } from '../operation';
import { defaultCountryCode } from './contact';
import { toNumber } from '../values/convert';
import { status } from './lead';

const wonStatus: Parameter = {
	...status,
	in: 'query',
	required: true,
	default: 'closed_won',
	description:
		'The status of leads that are won. The values seen so far; any other can be given by an expression.',
};

const saleDate: Parameter = {
	displayName: 'Sale Date',
	name: 'saleDate',
	type: 'options',
	open: true,
	options: [
		{ name: 'Between', value: 'between', description: 'Two dates you give' },
		{ name: 'Last 30 Days', value: 'last30Days', description: 'The 30 days before today' },
		{ name: 'Last 7 Days', value: 'last7Days', description: 'The 7 days before today' },
		{ name: 'Last Month', value: 'lastMonth', description: 'The whole month before this one' },
		{ name: 'This Month', value: 'thisMonth', description: 'The whole month, today included' },
		{ name: 'Today', value: 'today', description: 'Since midnight' },
		{ name: 'Yesterday', value: 'yesterday', description: 'The whole day before today' },
	],
	default: 'yesterday',
	description: 'When the sales occurred. Days begin at midnight in the time zone of the workflow.',
};

const between = { show: { saleDate: ['between'] } };

const saleDateFrom: Parameter = {
	displayName: 'From',
	name: 'saleDateFrom',
	type: 'dateTime',
	required: true,
	displayOptions: between,
	default: '',
	description:
		'The first moment. A date without a zone is read in the time zone of the workflow, and begins at midnight.',
};

const saleDateTo: Parameter = {
	...saleDateFrom,
	displayName: 'Before',
	name: 'saleDateTo',
	description:
		'The first moment that is not taken any more: for all of January, 1 February. Spans that meet share no sale.',
};

const format: Parameter = {
	displayName: 'Format',
	name: 'format',
	type: 'options',
	open: true,
	options: [
		{
			name: 'Google Ads',
			value: 'googleAds',
			description: 'Columns for the import of offline conversions, email and phone hashed',
		},
		{
			name: 'Meta',
			value: 'meta',
			description: 'Events for the data of the Conversions API, email and phone hashed',
		},
		{ name: 'Rows', value: 'rows', description: 'Plain rows, nothing hashed' },
	],
	default: 'rows',
	description: 'What the items look like',
};

const conversionName: Parameter = {
	displayName: 'Conversion Name',
	name: 'conversionName',
	type: 'string',
	required: true,
	displayOptions: { show: { format: ['googleAds'] } },
	default: '',
	placeholder: 'e.g. Sale',
	description: 'The name of the conversion action, exactly as in Google Ads',
};

const eventName: Parameter = {
	displayName: 'Event Name',
	name: 'eventName',
	type: 'string',
	required: true,
	displayOptions: { show: { format: ['meta'] } },
	default: 'Purchase',
	placeholder: 'e.g. Purchase',
	description: 'A standard event of Meta, or the name of your own',
};

/**
 * Values of `action_source` for sales outside website and app, which would need fields that no lead has
 * (https://developers.facebook.com/docs/marketing-api/conversions-api/parameters). Meta's pages on its CRM integration
 * and on offline events ask for system_generated and physical_store. Meta's own list could not be read whole; the others
 * are as Segment quotes it (https://github.com/segmentio/segment-docs/pull/2867).
 */
const actionSource: Parameter = {
	displayName: 'Action Source',
	name: 'actionSource',
	type: 'options',
	open: true,
	required: true,
	displayOptions: { show: { format: ['meta'] } },
	options: [
		{
			name: 'Chat',
			value: 'chat',
			description: 'Made in a messaging app, by SMS or in an online chat',
		},
		{ name: 'Email', value: 'email', description: 'Made by email' },
		{ name: 'Other', value: 'other', description: 'Made in another way' },
		{ name: 'Phone Call', value: 'phone_call', description: 'Made on the phone' },
		{
			name: 'Physical Store',
			value: 'physical_store',
			description: 'Made in person; what Meta asks for with offline events',
		},
		{
			name: 'System Generated',
			value: 'system_generated',
			description: 'Made by a system; what Meta asks for with events of a CRM',
		},
	],
	default: 'system_generated',
	description: 'Where the sales were made. Meta holds you to it.',
};

export const conversionParameters: Parameter[] = [
	wonStatus,
	saleDate,
	saleDateFrom,
	saleDateTo,
	format,
	conversionName,
	eventName,
	actionSource,
];

export const conversionOptions: Parameter[] = [
	{
		displayName: 'Created Within (Days)',
		name: 'createdWithin',
		type: 'number',
		// Below 1 is refused rather than taken for 1, which would leave nearly all sales out.
		convert: toNumber,
		typeOptions: { minValue: 1 },
		default: 365,
		description:
			'Look only at leads created at most this many days before the first sale date asked for, to spare requests. Sales of older leads are then not found; without this option all leads are looked at.',
	},
	{
		...defaultCountryCode,
		description:
			'For phones that come without a country code: (11) 90000-0000 becomes +5511900000000 with 55 before it is hashed. What can be read in two ways is left out.',
	},
	{
		displayName: 'Lead Event Source',
		name: 'leadEventSource',
		type: 'string',
		displayOptions: { show: { '/format': ['meta'] } },
		default: '',
		placeholder: 'e.g. In-house CRM',
		description:
			'The name of the tool your leads come from. Marks the events as those of a CRM, for the Conversion Leads goal of Meta.',
	},
	{
		displayName: 'Read Contacts',
		name: 'readContacts',
		type: 'boolean',
		default: true,
		description:
			'Whether to read the contact of each exported lead as well, for a phone that the lead itself does not tell. One more request for each contact; needs the scope contacts:read.',
	},
	{
		displayName: 'Report Incomplete',
		name: 'reportIncomplete',
		type: 'boolean',
		default: true,
		description:
			'Whether to add an item with "incomplete": true for each lead that cannot be exported because something is missing. Without this option a hint names them.',
	},
];
