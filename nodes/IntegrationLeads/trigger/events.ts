/** From differences to events, and which of them are emitted in this poll. */
import { createHash } from 'node:crypto';
import { map, uniqBy } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import type { Lead } from './watchedLead';
import { statusOf } from './watchedLead';
import type { Session } from './session';
import { inBatches } from './session';
import type { LeadEvent, Settings } from './types';

const MOST_EVENTS = 1000;

/** An event that was found. */
export interface Candidate {
	lead: Lead;
	emitted: boolean;
	/** The status before, undefined for a lead that was created. */
	from?: number;
	to: number;
	/** That of the bucket when the event was found. */
	revision: number;
	/** When it was emitted before (ms), if it was. */
	detectedAt?: number;
}

/** The same for the same event: a bucket's revision changes only when events of it were emitted and stored. */
export function eventId(id: string, from: string | null, to: string, revision: number): string {
	const text = JSON.stringify(from === null ? [id] : [id, from, to, revision]);
	return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Takes events as they are found and decides which of them this poll can emit. */
export class Outbox {
	private readonly accepted: Candidate[] = [];
	/** Leads that were read individually, by ID. */
	private readonly full = new Map<string, ServiceRecord>();

	constructor(
		private readonly session: Session,
		private readonly settings: Settings,
	) {}

	/** @returns undefined for an event that the settings leave out */
	candidate(lead: Lead, change: Omit<Candidate, 'lead' | 'emitted'>): Candidate | undefined {
		return this.isWanted(change.to, change.from) ? { ...change, lead, emitted: false } : undefined;
	}

	get emitted(): Candidate[] {
		return this.accepted.filter(({ emitted }) => emitted);
	}

	/**
	 * Takes the events of one bucket, all of them or none: those left behind would have another revision, and so
	 * another id. Only the first are taken in part where there is no room for all, or they might wait for ever.
	 */
	accept(group: Candidate[]): void {
		const { session, settings } = this;
		const room = (settings.maxEventsPerPoll ?? MOST_EVENTS) - this.accepted.length;
		const affordable = settings.includeFullLead ? Math.min(room, session.leftInAll) : room;
		if (group.length > affordable && this.accepted.length > 0) return;
		const taken = group.slice(0, affordable);
		for (const candidate of taken) candidate.emitted = true;
		this.accepted.push(...taken);
		if (settings.includeFullLead) session.kept += taken.length;
	}

	/**
	 * Reads the leads of all events, each once: if one could not be read, all of its events wait for the next poll, so
	 * that an earlier one never comes after a later one.
	 */
	async readFullLeads(): Promise<void> {
		const { accepted, full, session } = this;
		session.kept = 0;
		await inBatches(uniqBy(map(accepted, 'lead'), 'id'), async ({ id, record }) => {
			const page = await session.ask({ kind: 'lead', id });
			// If it was deleted in the meantime, the record of the list is all there is.
			if (page) full.set(id, page.records[0] ?? record);
		});
		for (const candidate of accepted) candidate.emitted = full.has(candidate.lead.id);
	}

	/** @param now in ms */
	toEvents(now: number): LeadEvent[] {
		const { statuses } = this.session;
		return this.emitted.map(({ lead, from, to, revision, detectedAt }) => {
			// Where changes are not watched, the state does not distinguish statuses.
			const status = statuses[to] || statusOf(lead.record);
			const previousStatus = from === undefined ? null : statuses[from];
			return {
				event: from === undefined ? 'lead.created' : 'lead.statusChanged',
				eventId: eventId(lead.id, previousStatus, status, revision),
				redelivered: detectedAt !== undefined,
				detectedAt: new Date(detectedAt ?? now).toISOString(),
				previousStatus,
				status,
				lead: this.full.get(lead.id) ?? lead.record,
			};
		});
	}

	private isWanted(status: number, from: number | undefined): boolean {
		const { triggerOn, fromStatus, toStatus } = this.settings;
		if (from === undefined) return triggerOn.includes('lead.created');
		const { statuses } = this.session;
		const among = (wanted: readonly string[], each: number) =>
			wanted.length === 0 || wanted.includes(statuses[each]);
		return (
			triggerOn.includes('lead.statusChanged') && among(fromStatus, from) && among(toStatus, status)
		);
	}
}
