/** Parameters of the trigger. */
import { leadStatuses } from '../contract/lead';
import type { Parameter } from '../operation';
import { enumeration } from './enumeration';
import { filters } from './lead';

/** Filters that set what is watched. The time of creation is bounded by another parameter, status by two. */
const WATCHED = ['priority', 'search', 'source', 'tag'];

const ofStatusChange = { show: { triggerOn: ['lead.statusChanged'] } };

export const triggerParameters: Parameter[] = [
	{
		displayName: 'Trigger On',
		name: 'triggerOn',
		type: 'multiOptions',
		required: true,
		options: [
			{ name: 'Lead Created', value: 'lead.created', description: 'A lead is there that was not' },
			{
				name: 'Lead Status Changed',
				value: 'lead.statusChanged',
				description: 'A lead has another status than before',
			},
		],
		default: ['lead.created'],
		description: 'What starts the workflow',
	},
	{
		displayName: 'From Status',
		name: 'fromStatus',
		type: 'multiOptions',
		displayOptions: ofStatusChange,
		options: enumeration(leadStatuses),
		default: [],
		description:
			'Only changes from one of these statuses; none means any. The list holds the values seen so far, an expression may give others.',
	},
	{
		displayName: 'To Status',
		name: 'toStatus',
		type: 'multiOptions',
		displayOptions: ofStatusChange,
		options: enumeration(leadStatuses),
		default: [],
		description:
			'Only changes to one of these statuses; none means any. The list holds the values seen so far, an expression may give others.',
	},
	{
		displayName: 'Watch Leads Created Within (Days)',
		name: 'watchWithinDays',
		type: 'number',
		typeOptions: { minValue: 0 },
		displayOptions: ofStatusChange,
		default: 90,
		description:
			'Changes of status are looked for in leads that were created within so many days; 0 watches all leads. Fewer days find changes sooner.',
	},
	{
		displayName:
			'Watching all leads of an account with more than a few thousand takes many requests until each has been looked at, and finds some changes only after several polls. Choose a number of days if older leads no longer matter.',
		name: 'watchAllNotice',
		type: 'notice',
		displayOptions: { show: { ...ofStatusChange.show, watchWithinDays: [0] } },
		default: '',
	},
	{
		displayName: 'Include Full Lead',
		name: 'includeFullLead',
		type: 'boolean',
		default: false,
		description:
			'Whether to read each lead by itself, which brings what lists leave out: estimated value, sale date, notes and source. It takes one request more for each event.',
	},
	{
		...filters,
		description: 'Which leads to watch',
		options: filters.options?.filter(({ name }) => WATCHED.includes(name)),
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Emit Existing Leads',
				name: 'emitExisting',
				type: 'boolean',
				default: true,
				description:
					'Whether to announce the leads that are there already as created, once, when watching begins',
			},
			{
				displayName: 'Max Requests per Poll',
				name: 'maxRequestsPerPoll',
				type: 'number',
				typeOptions: { minValue: 10, maxValue: 500 },
				default: 60,
				description:
					'How many requests one poll may make, 10 at least. What does not fit waits for the next poll; nothing is lost.',
			},
		],
	},
];
