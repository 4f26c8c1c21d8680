/** Declares the parameters of the trigger. */
import type { Parameter } from '../operation';
import { collection, date, flag, number } from '../fields/options';
import { filters, status } from '../fields/leadFields';
import { toList, toUtc } from '../values/convert';

const onlyWith = (...events: string[]) => ({ show: { triggerOn: events } });

/** Filters that it offers; its other parameters bound the time of creation and the status. */
const WATCHED = ['priority', 'search', 'source', 'tag'];

export const triggerOn: Parameter = {
	displayName: 'Trigger On',
	name: 'triggerOn',
	type: 'multiOptions',
	required: true,
	options: [
		{ name: 'Lead Created', value: 'lead.created', description: 'A lead was created' },
		{
			name: 'Lead Status Changed',
			value: 'lead.statusChanged',
			description:
				'The status of a lead is not what it was at the last poll. A lead that is created with a status only counts as created.',
		},
		{
			name: 'Lead Tagged',
			value: 'lead.tagged',
			description: 'A lead got a tag that it did not have at the last poll, or was created with it',
		},
	],
	default: ['lead.created'],
	description: 'What starts the workflow',
};

/** A list to choose from, shown with one event. An expression may give values that are not in it. */
const choices = (
	displayName: string,
	name: string,
	event: string,
	more: Partial<Parameter>,
): Parameter => ({
	displayName,
	name,
	type: 'multiOptions',
	...more,
	displayOptions: onlyWith(event),
	allowArbitraryValues: true,
	default: [],
});

const statuses = (displayName: string, name: string, description: string): Parameter =>
	choices(displayName, name, 'lead.statusChanged', {
		typeOptions: status.typeOptions,
		options: status.options,
		description: `${description} Leave empty for any status. An expression may give statuses that are not in the list, or Portuguese and Spanish words for those that are documented. One that no lead ever has starts nothing.`,
	});

const watchedTags = choices('Tags', 'tags', 'lead.tagged', {
	required: true,
	typeOptions: { loadOptionsMethod: 'getTags' },
	options: [],
	convert: toList,
	description:
		'A lead that gets one of these tags starts the workflow, once for each tag. An expression may give names that are not in the list.',
});

/** It has no filters by a whole email or phone, which *Get Many* refers to. */
const watchedSearch = {
	description:
		'Only leads whose name, email or phone contains this, other leads than the one meant included',
};

export const triggerParameters: Parameter[] = [
	triggerOn,
	statuses('From Status', 'fromStatus', 'Only changes from one of these statuses.'),
	statuses(
		'To Status',
		'toStatus',
		'Only changes to one of these statuses. A lead that is created with one, such as the sale of a new customer, or gets it before the first poll that shows it, only counts as created: choose "Lead Created" as well, and add a Filter node for the status.',
	),
	watchedTags,
	number('Watch Leads Created Within (Days)', 'watchWithinDays', 90, {
		typeOptions: { minValue: 0 },
		displayOptions: onlyWith('lead.statusChanged', 'lead.tagged'),
		description:
			'How old a lead may be for changes of its status or tags to be watched; 0 watches all leads. With fewer days, changes are found sooner.',
	}),
	flag('Include Full Lead', 'includeFullLead', true, {
		description:
			'Whether to read each lead and its contact individually, which adds what lists lack: the phone, estimated value, sale date, notes and source. It takes two more requests for each event, within "Max Requests per Poll".',
	}),
	{
		...filters,
		description: 'Which leads to watch',
		options: filters.options
			?.filter(({ name }) => WATCHED.includes(name))
			.map((filter) => (filter.name === 'search' ? { ...filter, ...watchedSearch } : filter)),
	},
	collection('Options', 'options', [
		flag('Emit Existing Leads', 'emitExisting', true, {
			description:
				'Whether to emit the leads that exist already, once, when the workflow is activated for the first time: as created with "Lead Created"; with "Lead Status Changed" but not "Lead Created", those that are not open, as changed; with "Lead Tagged", those with one of the Tags, as tagged',
		}),
		date('Emit Leads Created After', 'emitCreatedAfter', {
			convert: toUtc,
			description:
				'Emits the existing leads that were created after this time as "Emit Existing Leads" does: for moving it to another n8n. Enter the time at which it was stopped there.',
		}),
		number('Max Requests per Poll', 'maxRequestsPerPoll', 60, {
			typeOptions: { minValue: 10, maxValue: 500 },
			description:
				'How many requests one poll may make, at least 10. What does not fit waits for the next poll; nothing is lost.',
		}),
	]),
];
