/** Collects what happened to leads, and makes the events of a poll of it. */
import { createHash } from 'node:crypto';

import type { ServiceRecord } from '../values/json';
import { statusOf } from './leads';
import type { PollSession } from './session';
import type { LeadEvent } from './types';

const MAX_EVENTS = 1000;

/** A change of a lead. Statuses are given by their index. */
export interface Change {
	id: string;
	/** The status before, undefined for a lead that was created. */
	from?: number;
	to: number;
	/** How many polls emitted events before this change was found. */
	revision: number;
	/** When it was first emitted (ms), if it was emitted before. */
	detectedAt?: number;
	record: ServiceRecord;
}

/** The ID of an event. The same event has the same ID again, even if the state that knew it was not stored. */
export function eventId(id: string, from: string | null, to: string, revision: number): string {
	const text = JSON.stringify(from === null ? [id] : [id, from, to, revision]);
	return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Collects the events of a poll, as many as it can emit. */
export class Outbox {
	readonly taken: Change[] = [];

	constructor(readonly session: PollSession) {}

	add(change: Change): void {
		if (this.isWanted(change)) this.taken.push(change);
	}

	/** @returns false if the change has to wait for the next poll */
	async tryAdd(change: Change): Promise<boolean> {
		if (!this.isWanted(change)) return true;
		const { settings } = this.session;
		if (this.taken.length >= (settings.maxEventsPerPoll ?? MAX_EVENTS)) return false;
		const taken = { ...change };
		this.taken.push(taken);
		if (!settings.includeFullLead) return true;
		const page = await this.session.readLead(change.id);
		// If the lead was deleted in the meantime, there is only the record of the list.
		if (page) taken.record = page.records[0] ?? change.record;
		else this.taken.splice(this.taken.indexOf(taken), 1);
		return page !== undefined;
	}

	toEvents(): LeadEvent[] {
		const { statuses, now } = this.session;
		return this.taken.map(({ id, from, to, revision, record, detectedAt }) => {
			// The status is unknown where only creation is watched.
			const status = statuses[to] ?? statusOf(record);
			const previousStatus = from === undefined ? null : statuses[from];
			return {
				event: from === undefined ? 'lead.created' : 'lead.statusChanged',
				eventId: eventId(id, previousStatus, status, revision),
				redelivered: detectedAt !== undefined,
				detectedAt: new Date(detectedAt ?? now).toISOString(),
				previousStatus,
				status,
				lead: record,
			};
		});
	}

	private isWanted({ from, to }: Change): boolean {
		const { settings, statuses } = this.session;
		const { triggerOn, fromStatus, toStatus } = settings;
		if (from === undefined) return triggerOn.includes('lead.created');
		const among = (wanted: readonly string[], each: number) =>
			wanted.length === 0 || wanted.includes(statuses[each]);
		return (
			triggerOn.includes('lead.statusChanged') && among(fromStatus, from) && among(toStatus, to)
		);
	}
}
