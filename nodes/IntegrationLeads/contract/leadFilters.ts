/**
 * The filters of GET /leads (spec 4.1), one line each: `fields/lead.ts` declares a parameter for each, *Return All* reads
 * by windows of time where leads can leave the list meanwhile, and the trigger watches what its filters let through.
 */
import { isNil } from 'lodash';

/**
 * `canLeave`: a lead that changes can enter or leave the list. Only the time of creation never changes. `isWatched`: the
 * trigger offers it. Its other parameters bound the time of creation and the status.
 */
export const leadFilters = {
	createdAfter: { canLeave: false, isWatched: false },
	createdBefore: { canLeave: false, isWatched: false },
	priority: { canLeave: true, isWatched: true },
	search: { canLeave: true, isWatched: true },
	source: { canLeave: true, isWatched: true },
	status: { canLeave: true, isWatched: false },
	tag: { canLeave: true, isWatched: true },
};

export type LeadFilter = keyof typeof leadFilters;

const rules: Record<string, { canLeave: boolean } | undefined> = leadFilters;

export const watchedFilters = (Object.keys(leadFilters) as LeadFilter[]).filter(
	(name) => leadFilters[name].isWatched,
);

/** Whether a lead that changes can enter or leave a list with this query: by any filter that is not known to be fixed. */
export function canLeadsLeave(query: Record<string, unknown>): boolean {
	return Object.entries(query).some(([name, value]) => {
		return !isNil(value) && value !== '' && rules[name]?.canLeave !== false;
	});
}
