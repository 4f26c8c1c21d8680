/** Makes the event that a manual test run of the trigger shows. */
import { maxBy } from 'lodash';

import type { ServiceRecord } from '../values/json';
import { documentedValues } from '../contract/records';
import { readEnds, type Page } from '../transport/paginate';
import { readFull, statusOf } from '../watch/leads';
import { eventId } from '../watch/outbox';
import type { LeadEvent, LeadRequest, Settings } from '../watch/types';

/** The events, the one that is shown if several are chosen first. */
const EVENTS = ['lead.created', 'lead.statusChanged', 'lead.tagged'] as const;

/** Makes one request. It throws what the transport throws. */
type Send = (request: LeadRequest) => Promise<Page>;

/**
 * The newest matching lead, as if it had just been created, or its status had just changed.
 *
 * @param now in ms
 */
export async function readSample(settings: Settings, send: Send, now: number): Promise<LeadEvent> {
	const { fromStatus, toStatus } = settings;
	const [event] = EVENTS.filter((chosen) => settings.triggerOn.includes(chosen));
	const [tag] = event === 'lead.tagged' ? settings.tags : [];
	const isOfStatus = event === 'lead.statusChanged' && toStatus.length > 0;
	const filters = {
		...settings.filters,
		...(isOfStatus && { status: toStatus[0] }),
		...(tag && { tag }),
	};
	const newest = await readNewest({ ...settings, filters }, send);
	const lead =
		newest ?? sampleLead(toStatus[0] ?? documentedValues.status[0], tag ?? 'sample', now);
	const status = statusOf(lead);
	const another =
		fromStatus[0] ?? documentedValues.status.find((other) => other !== status) ?? null;
	const previousStatus = event === 'lead.statusChanged' ? another : null;
	return {
		event,
		eventId: eventId(String(lead.id), { previousStatus, status, tag }, 0),
		redelivered: false,
		detectedAt: new Date(now).toISOString(),
		previousStatus,
		status,
		...(tag && { tag }),
		lead,
		sample: true,
		...(!newest && { note: 'No lead matches yet: this one is made up.' }),
	};
}

async function readNewest(
	{ filters, includeFullLead }: Settings,
	send: Send,
): Promise<ServiceRecord | undefined> {
	const leads = await readEnds(
		async (page) => await send({ kind: 'list', query: { ...filters, ...page } }),
	);
	const newest = maxBy(leads, ({ createdAt }) => Date.parse(String(createdAt)) || 0);
	if (!newest || !includeFullLead) return newest;
	return (await readFull(send, String(newest.id)))?.records[0] ?? newest;
}

function sampleLead(status: string, tag: string, now: number): ServiceRecord {
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
		tags: [tag],
		createdAt: new Date(now).toISOString(),
	};
}
