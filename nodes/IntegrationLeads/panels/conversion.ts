/** Declares the parameters of conversion exports; conversion/settings.ts reads them. */
import type { Parameter } from '../operation';
import { toList, toUtc } from '../values/convert';
import { wonStatus } from '../fields/leadFields';
import { choice, date, flag, options, text } from '../fields/options';

const saleDateFrom = date('Sale Date From', 'saleDateFrom', {
	required: true,
	convert: toUtc,
	displayOptions: { show: { saleDate: ['between'] } },
	description:
		'The start of the period. A date without a time begins at midnight, and one without a time zone is read in that of the workflow.',
});

const PLATFORMS = ['googleAds', 'googleDataManager', 'meta'];

const format = choice('Format', 'format', 'rows', {
	enumeration: 'closed',
	options: [
		{
			name: 'Google Ads',
			value: 'googleAds',
			description:
				'Columns of a file or sheet with offline conversions; email and phone are hashed',
		},
		{
			name: 'Google Data Manager',
			value: 'googleDataManager',
			description: 'Events for the Data Manager API of Google; email and phone are hashed',
		},
		{
			name: 'Meta',
			value: 'meta',
			description: 'Events for the Conversions API; email, phone and name are hashed',
		},
		{ name: 'Rows', value: 'rows', description: 'Plain rows without hashing' },
	],
	description: 'The format of the items',
});

/** Parameters for the events of each platform. */
const ofPlatforms: Parameter[] = [
	text('Conversion Name', 'conversionName', {
		required: true,
		displayOptions: { show: { format: ['googleAds'] } },
		placeholder: 'e.g. Sale',
		description: 'The name of the conversion action, exactly as in Google Ads',
	}),
	text('Event Name', 'eventName', {
		required: true,
		displayOptions: { show: { format: ['meta'] } },
		default: 'Purchase',
		placeholder: 'e.g. Purchase',
		description: 'A standard event of Meta, or a custom one',
	}),
	// Closed, because Meta refuses a whole request for one event with another value. `website`, `app` and `business_messaging` exist
	// as well, and need fields that leads do not have, such as `event_source_url` and `client_user_agent`
	// (https://developers.facebook.com/documentation/ads-commerce/conversions-api/parameters/server-event, 28 November 2026).
	choice('Action Source', 'actionSource', 'system_generated', {
		enumeration: 'closed',
		required: true,
		displayOptions: { show: { format: ['meta'] } },
		options: [
			{
				name: 'Chat',
				value: 'chat',
				description: 'In a messaging app, by SMS or in an online chat',
			},
			{ name: 'Email', value: 'email', description: 'By email' },
			{ name: 'Other', value: 'other', description: 'In another way' },
			{ name: 'Phone Call', value: 'phone_call', description: 'On the phone' },
			{
				name: 'Physical Store',
				value: 'physical_store',
				description: 'In person; Meta takes sales of the last 62 days, of the others 7',
			},
			{
				name: 'System Generated',
				value: 'system_generated',
				description: 'By a system; Meta requires it for events from a CRM',
			},
		],
		description:
			'Where the sales were made. By sending it you confirm to Meta that it is accurate. Website, app and business messaging need fields that leads do not have. Sales older than Meta takes are not exported.',
	}),
];

const eventOptions: Parameter[] = [
	text('Skip Leads With Tag', 'skipTag', {
		convert: toList,
		// Without a tag, what was exported before would be exported again.
		refusesBlank: true,
		default: 'exported',
		placeholder: 'e.g. sent to Meta',
		description:
			'Leads with this tag are skipped and counted: add it with Add Tags when the platform has taken the sale, and no sale is exported twice. Several tags are separated by commas.',
	}),
	flag('Read Click IDs', 'readClickIds', true, {
		description:
			'Whether to read the interactions of each exported lead for the click that it came from (metadata ctwa_clid, fbc, fbclid, lead_id, gclid, gbraid, wbraid, ttclid or li_fat_id). Takes one more request for each lead, with the scope interactions:read.',
	}),
	text('WhatsApp Business Account ID', 'whatsappAccountId', {
		displayOptions: { show: { '/format': ['meta'] } },
		placeholder: 'e.g. 102290129340398',
		description:
			'Reports sales to the ad that opened WhatsApp (action source "business_messaging"), if an interaction of the lead has its ctwa_clid, at most 7 days before the sale. Implies Read Click IDs. Send these events to the dataset of the account, one a request.',
	}),
];

const summaryItem = flag('Summary Item', 'summaryItem', true, {
	description:
		'Whether to add a last item with only a field "summary": a text, counts, and each lead that was not exported, with the reason. Drop it before a file, a sum or an upload, with a Filter: "summary" does not exist.',
});

const compareTag = text('Compare Leads With Tag', 'compareTag', {
	convert: toList,
	displayOptions: { show: { '/format': ['googleDataManager', 'meta'] } },
	placeholder: 'e.g. Meta: 2026-11',
	description:
		'Leads with this tag are compared with what was reported of them (Add Tags, Reported Event), whatever their status. Those that changed since are named; Google gets a new amount. Takes two requests for each. Several tags are separated by commas.',
});

export const salesParameters: Parameter[] = [
	{ ...wonStatus, in: 'query' },
	choice('Sale Date', 'saleDate', 'yesterday', {
		enumeration: 'closed',
		options: [
			{ name: 'Between', value: 'between', description: 'Two dates of your choice' },
			{ name: 'Last 30 Days', value: 'last30Days', description: 'The 30 days before today' },
			{ name: 'Last 7 Days', value: 'last7Days', description: 'The 7 days before today' },
			{ name: 'Last Month', value: 'lastMonth', description: 'The whole previous month' },
			{ name: 'This Month', value: 'thisMonth', description: 'The whole month, including today' },
			{ name: 'Today', value: 'today', description: 'Since midnight' },
			{ name: 'Yesterday', value: 'yesterday', description: 'The whole previous day' },
		],
		description:
			'When the sales occurred. Days begin at midnight in the time zone of the workflow.',
	}),
	saleDateFrom,
	{
		...saleDateFrom,
		displayName: 'Sale Date Before',
		name: 'saleDateTo',
		description:
			'The end of the period, not included: 1 February for all of January. Periods that adjoin share no sale.',
	},
	format,
	...ofPlatforms,
	options([...eventOptions, compareTag, summaryItem]),
];

export const eventParameters: Parameter[] = [
	format,
	choice('Event', 'event', 'sale', {
		enumeration: 'closed',
		displayOptions: { show: { format: PLATFORMS } },
		options: [
			{
				name: 'Sale',
				value: 'sale',
				description:
					'At the sale date of the lead, with its value; the same as Get Conversions exports',
			},
			{ name: 'Stage', value: 'stage', description: 'At the time given below, without a value' },
		],
		description: 'What happened',
	}),
	date('Event Time', 'eventTime', {
		required: true,
		convert: toUtc,
		displayOptions: { show: { format: PLATFORMS, event: ['stage'] } },
		description: 'When the lead came to the stage, such as the detectedAt of the trigger',
	}),
	...ofPlatforms,
	options(eventOptions),
];
