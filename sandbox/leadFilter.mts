import type { Contact, Lead } from './records.mts';

/**
 * The filters of the lead list (spec 4.1). Bounds are exclusive, in epoch milliseconds; `tag` is
 * a tag's name or id; `search` looks for a part of the contact's name, e-mail or phone.
 */
export interface LeadFilter {
	status?: string;
	priority?: string;
	source?: string;
	tag?: string;
	search?: string;
	createdAfter?: number;
	createdBefore?: number;
}

/** Where a filter finds what leads only refer to. */
export interface FilterSources {
	contact(id: string | null): Contact | undefined;
	/** The name of the tag with this id or name. */
	tagName(nameOrId: string): string;
}

/** Whether a lead passes everything but the bounds; undefined when there is nothing to pass. */
export function fieldMatcher(
	filter: LeadFilter,
	sources: FilterSources,
): ((lead: Lead) => boolean) | undefined {
	const tests: Array<(lead: Lead) => boolean> = [];
	for (const field of ['status', 'priority', 'source'] as const) {
		const wanted = filter[field];
		if (wanted) tests.push((lead) => lead[field] === wanted);
	}
	if (filter.tag) {
		const name = sources.tagName(filter.tag);
		tests.push((lead) => lead.tags.includes(name));
	}
	if (filter.search) {
		const part = filter.search.toLowerCase();
		tests.push((lead) => sources.contact(lead.contactId)?.searchText.includes(part) ?? false);
	}
	if (!tests.length) return undefined;
	return tests.length === 1 ? tests[0] : (lead) => tests.every((test) => test(lead));
}

/** Whether a lead passes the whole filter. */
export function leadMatcher(filter: LeadFilter, sources: FilterSources): (lead: Lead) => boolean {
	const { createdAfter = -Infinity, createdBefore = Infinity } = filter;
	const fields = fieldMatcher(filter, sources);
	return (lead) =>
		lead.createdMs > createdAfter && lead.createdMs < createdBefore && (!fields || fields(lead));
}
