/**
 * At-least-once delivery. n8n may store the state of a poll and stop before it has stored the execution which the
 * events of that poll start, or queued it. So an event stays in the stored state until the process that emitted it polls
 * later; another process emits it once more, with the same id (docs/trigger.md, "After a restart").
 */
import { groupBy } from 'lodash';

import { UNIT } from '../watch/bounds';
import type { Outbox } from '../watch/outbox';
import { inBatches, type Session } from '../watch/session';
import type { EmittedBatch } from '../watch/state';

/**
 * How long n8n may take to store an execution and to queue it. It stops when it has not reached Redis for ten seconds
 * (`QUEUE_BULL_REDIS_TIMEOUT_THRESHOLD`).
 */
export const ARRIVAL_MS = 30_000;
/**
 * Emits again what another process emitted last; each lead is read for it.
 *
 * @returns what may not have arrived, to be stored with what this poll emits; whether all that is to be repeated was
 */
export async function emitAgain(
	lastEvents: EmittedBatch[],
	session: Session,
	outbox: Outbox,
): Promise<{ kept: EmittedBatch[]; isDone: boolean }> {
	const { settings, now } = session;
	const mayBeLost = ({ process, detectedAt }: EmittedBatch) =>
		process !== settings.process &&
		detectedAt < settings.repeatsUntil &&
		now - detectedAt < UNIT.day;
	const kept = lastEvents.filter(
		({ process, emittedAt }) => process === settings.process && now - emittedAt < ARRIVAL_MS,
	);
	let isDone = true;
	for (const batch of lastEvents.filter(mayBeLost).sort((a, b) => a.detectedAt - b.detectedAt)) {
		const left: EmittedBatch['events'] = [];
		await inBatches(batch.events, async (event) => {
			const [id, from, to] = event;
			const page = outbox.hasRoom ? await session.readLead(id) : undefined;
			if (!page) left.push(event);
			// A lead that is gone cannot be emitted.
			const [record] = page?.records ?? [];
			const { revision, detectedAt } = batch;
			if (record) outbox.add({ id, from: from ?? undefined, to, record, revision, detectedAt });
		});
		if (left.length === 0) continue;
		isDone = false;
		kept.push({ ...batch, events: left });
	}
	return { kept, isDone };
}

/** What is stored of the events of a poll. */
export function toBatches({ session: { settings, now }, taken }: Outbox): EmittedBatch[] {
	const found = groupBy(taken, ({ detectedAt = now }) => detectedAt);
	return Object.entries(found).map(([detectedAt, events]) => ({
		process: settings.process,
		detectedAt: Number(detectedAt),
		emittedAt: now,
		revision: events[0].revision,
		events: events.map(({ id, from = null, to }) => [id, from, to]),
	}));
}
