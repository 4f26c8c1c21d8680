import type { Settings } from '../../nodes/IntegrationLeads/trigger/types';

/** Everything is watched, in any account, with the default number of requests. */
export const settings: Settings = {
	triggerOn: ['lead.created', 'lead.statusChanged'],
	fromStatus: [],
	toStatus: [],
	filters: {},
	watchWithinDays: 0,
	emitExisting: false,
	maxRequestsPerPoll: 60,
	process: 'one',
	repeatsUntil: Infinity,
	includeFullLead: false,
	account: 'test',
};
