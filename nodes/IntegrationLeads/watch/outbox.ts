/** Collects what happened to leads, and makes the events of a poll of it. */
import { createHash } from 'node:crypto';
import { pull } from 'lodash';

import type { ServiceRecord } from '../values/json';
import { isSameWord } from '../values/words';
import { statusOf } from './leads';
import type { PollSession } from './session';
import type { LeadEvent } from './types';

const MAX_EVENTS = 1000;

/** What happened to a lead: it was created, or got another status, or a tag. Statuses are given by their index. */
export interface Change {
	id: string;
	/** The status before, if it is another. */
	from?: number;
	/** The status now. */
	to: number;
	/** The tag that it got. */
	tag?: string;
	/** How many polls emitted events before this change was found. */
	revision: number;
	/** When it was first emitted (ms), if it was emitted before. */
	detectedAt?: number;
	record: ServiceRecord;
}

/**
 * The ID of an event. The same event has the same ID again, even if the state that knew it was not stored.
 *
 * @param id the ID of the lead
 * @param revision see {@link Change}
 */
export function eventId(
	id: string,
	{ previousStatus, status, tag }: Pick<LeadEvent, 'previousStatus' | 'status' | 'tag'>,
	revision: number,
): string {
	const change = previousStatus === null ? [] : [previousStatus, status, revision];
	const text = JSON.stringify([id, ...(tag === undefined ? change : [tag, revision])]);
	return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** The status of a lead that is created without one (spec 4.3). */
const FIRST_STATUS = 'open';

/** Collects the events of a poll, as many as it can emit. */
export class Outbox {
	readonly taken: Change[] = [];

	constructor(readonly session: PollSession) {}

	add(change: Change): void {
		if (this.isWanted(change)) this.taken.push(change);
	}

	/**
	 * @param changes all that happened to one lead
	 * @returns false if they have to wait for the next poll
	 */
	async tryAdd(changes: Change[]): Promise<boolean> {
		const added = changes.filter((change) => this.isWanted(change));
		if (added.length === 0) return true;
		const { settings } = this.session;
		if (this.taken.length >= (settings.maxEventsPerPoll ?? MAX_EVENTS)) return false;
		this.taken.push(...added);
		if (!settings.includeFullLead) return true;
		const page = await this.session.readLead(added[0].id);
		// If the lead was deleted in the meantime, there is only the record of the list.
		for (const change of added) change.record = page?.records[0] ?? change.record;
		if (!page) pull(this.taken, ...added);
		return page !== undefined;
	}

	toEvents(): LeadEvent[] {
		const { statuses, now } = this.session;
		return this.taken.map((change) => {
			const { id, from, tag, revision, record, detectedAt } = change;
			const status = this.statusOf(change);
			const previousStatus = from === undefined ? null : statuses[from];
			return {
				event: this.eventOf(change),
				eventId: eventId(id, { previousStatus, status, tag }, revision),
				redelivered: detectedAt !== undefined,
				detectedAt: new Date(detectedAt ?? now).toISOString(),
				previousStatus,
				status,
				...(tag !== undefined && { tag }),
				lead: record,
			};
		});
	}

	/** The status now. What was found while changes of it were not watched has it only in the record. */
	private statusOf({ to, record }: Change): string {
		return this.session.statuses[to] ?? statusOf(record);
	}

	/**
	 * Where no creations are emitted, a lead that is read for the first time has changed its status if it has another one than the first:
	 * it may have been read before, since n8n stores the state of a poll only with events.
	 */
	private eventOf(change: Change): LeadEvent['event'] {
		if (change.tag !== undefined) return 'lead.tagged';
		if (change.from !== undefined) return 'lead.statusChanged';
		const status = this.statusOf(change);
		const isCreation =
			this.session.settings.triggerOn.includes('lead.created') ||
			// A list may show no status.
			status === '' ||
			isSameWord(status, FIRST_STATUS);
		return isCreation ? 'lead.created' : 'lead.statusChanged';
	}

	private isWanted(change: Change): boolean {
		const { settings, statuses } = this.session;
		const { triggerOn, fromStatus, toStatus } = settings;
		const event = this.eventOf(change);
		if (!triggerOn.includes(event)) return false;
		if (event !== 'lead.statusChanged') return true;
		const among = (wanted: readonly string[], index?: number) =>
			wanted.length === 0 ||
			(index !== undefined && wanted.some((name) => isSameWord(name, statuses[index])));
		return among(fromStatus, change.from) && among(toStatus, change.to);
	}
}
