/** Whether the service shows that a request whose answer was lost was not carried out. */
import { ageOf } from '../contract/age';
import { emptyValues, planRequest, type RequestPlan } from '../prepare/plan';
import { clock } from '../transport/clock';
import { readList } from '../transport/readList';
import type { Client } from '../transport/send';
import { ServiceError, UserError } from '../userError';

/** How long the service is given to finish such a request before the list is read. */
const FINISH_MS = 5000;
/** A longer list is not read. */
const MAX_LISTED_PAGES = 20;
/** How long no further list is read after one failed, since the cause is most likely an outage. */
const AFTER_FAILURE_MS = 60_000;

/**
 * A request that creates a record is not repeatable. If its answer is lost, it is sent again only if the list of such records
 * (`listOperation` of the operation) shows that nothing was created since. A record in the list is never taken for the one that
 * was sent, since another flow may have created an equal one a moment before.
 *
 * @returns a function that returns, for a plan that creates, the check itself: it resolves with whether nothing was created
 * since `sentAt`, a time on {@link clock}. For any other plan the function returns undefined.
 */
export function absenceReader() {
	let pausedUntil = -Infinity;
	return (
		{ operation: { listOperation }, targets, request: { path } }: RequestPlan,
		client: Client,
	) =>
		listOperation &&
		(async (sentAt: number): Promise<boolean> => {
			if (clock.now() < pausedUntil) return false;
			await client.sleep(FINISH_MS);
			const { about } = planRequest(listOperation, emptyValues(), targets);
			const list = { path, about, record: listOperation.output.record };
			const read = readList(client, list, { most: MAX_LISTED_PAGES });
			const { records, complete } = await read.catch((reason: unknown) => {
				if (reason instanceof ServiceError) pausedUntil = clock.now() + AFTER_FAILURE_MS;
				else if (!(reason instanceof UserError)) throw reason;
				return { records: [], complete: false };
			});
			// The answer with the list may be the first that shows the service's clock.
			const since = client.toServerTime(sentAt);
			return complete && records.every((record) => ageOf(record, since) === 'before');
		});
}
