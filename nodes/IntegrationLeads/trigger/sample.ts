/** What a manual test run of the trigger shows. */
import { maxBy } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import { leadStatuses } from '../contract/lead';
import { PAGE_SIZE, pagesIn } from '../transport/paginate';
import type { Ask } from './drive';
import { eventId } from './events';
import type { LeadEvent, Settings } from './types';

/** An event in its very shape, marked as a sample. */
export interface SampleEvent extends LeadEvent {
	sample: true;
	/** Says so where there was no lead to show. */
	note?: string;
}

/**
 * The newest lead that matches, as if it had just been created or moved. Lists come in an order nobody promises, so the
 * newest is looked for on the first page and on the last.
 *
 * @param now in ms
 */
export async function sampleOf(settings: Settings, ask: Ask, now: number): Promise<SampleEvent> {
	const { triggerOn, fromStatus, toStatus, filters, includeFullLead } = settings;
	const created = triggerOn.includes('lead.created') || triggerOn.length === 0;
	const query = {
		...filters,
		limit: PAGE_SIZE.largest,
		...(!created && toStatus[0] && { status: toStatus[0] }),
	};
	const first = await ask({ kind: 'list', query: { ...query, page: 1 } });
	const last = pagesIn(first, PAGE_SIZE.largest) ?? 1;
	const more = last > 1 ? await ask({ kind: 'list', query: { ...query, page: last } }) : undefined;
	const leads = [...first.records, ...(more?.records ?? [])];
	const newest = maxBy(leads, ({ createdAt }) => Date.parse(String(createdAt)) || 0);
	const listed = newest ?? madeUp(toStatus[0] ?? leadStatuses[0], now);
	const full =
		newest && includeFullLead ? await ask({ kind: 'lead', id: String(newest.id) }) : undefined;
	const lead = full?.records[0] ?? listed;
	const status = String(lead.status);
	const previousStatus = created
		? null
		: (fromStatus[0] ?? leadStatuses.find((each) => each !== status) ?? null);
	return {
		event: created ? 'lead.created' : 'lead.statusChanged',
		eventId: eventId(String(lead.id), previousStatus, status, 0),
		detectedAt: new Date(now).toISOString(),
		previousStatus,
		status,
		lead,
		sample: true,
		...(!newest && { note: 'No lead matches yet: this one is made up.' }),
	};
}

function madeUp(status: string, now: number): ServiceRecord {
	return {
		id: '00000000-0000-4000-8000-000000000000',
		externalId: 'sample-1',
		status,
		priority: 'medium',
		contact: {
			id: '00000000-0000-4000-8000-000000000001',
			name: 'Sample Contact',
			email: 'sample@example.com',
		},
		tags: ['sample'],
		createdAt: new Date(now).toISOString(),
	};
}
