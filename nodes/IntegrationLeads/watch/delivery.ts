/**
 * Delivers each event at least once. n8n may store the state of a poll and stop before it has stored or queued the execution
 * that its events start. So an event stays in the stored state until the process that emitted it polls again; another process
 * emits it once more, with the same ID (docs/trigger.md, "After a restart").
 */
import { groupBy, pick, sortBy } from 'lodash';

import { UNIT } from './bounds';
import type { Outbox } from './outbox';
import { inBatches } from './session';
import type { EmittedBatch } from './state';

/**
 * How long n8n may take to store an execution and to queue it. It stops when it has not reached Redis for ten seconds
 * (`QUEUE_BULL_REDIS_TIMEOUT_THRESHOLD`).
 */
export const ARRIVAL_MS = 30_000;

/**
 * Emits the last events of another process again, and reads their leads for that. Events for which no request is left wait for
 * the next poll, as does everything newer: no more can be read in this one.
 *
 * @returns the events that may not have arrived, to be stored with those of this poll
 */
export async function emitAgain(
	lastEvents: EmittedBatch[],
	outbox: Outbox,
): Promise<EmittedBatch[]> {
	const { session } = outbox;
	const { settings, now } = session;
	const isOwn = ({ process }: EmittedBatch) => process === settings.process;
	const kept = lastEvents.filter((event) => isOwn(event) && now - event.emittedAt < ARRIVAL_MS);
	for (const batch of sortBy(lastEvents, 'detectedAt')) {
		const { revision, detectedAt } = batch;
		const mayBeLost = detectedAt < settings.repeatOthersBefore && now - detectedAt < UNIT.day;
		if (isOwn(batch) || !mayBeLost) continue;
		const left: EmittedBatch['events'] = [];
		const byLead = Object.values(groupBy(batch.events, 'id'));
		await inBatches(byLead, async (events) => {
			const page = await session.readLead(events[0].id);
			if (!page) left.push(...events);
			// A lead that is gone cannot be emitted.
			const [record] = page?.records ?? [];
			if (!record) return;
			for (const event of events) outbox.add({ ...event, record, revision, detectedAt });
		});
		if (left.length > 0) kept.push({ ...batch, events: left });
	}
	return kept;
}

/** The events of a poll as they are stored. */
export function toBatches({ session: { settings, now }, taken }: Outbox): EmittedBatch[] {
	const found = groupBy(taken, ({ detectedAt = now }) => detectedAt);
	return Object.entries(found).map(([detectedAt, events]) => ({
		process: settings.process,
		detectedAt: Number(detectedAt),
		emittedAt: now,
		revision: events[0].revision,
		events: events.map((change) => pick(change, ['id', 'from', 'to', 'tag'])),
	}));
}
