/** Outlasts an outage of the service where nobody waits for the result: what a webhook brings comes once, and a restart takes a minute. */
import { clock } from '../transport/clock';
import type { Client } from '../transport/send';
import { isOutage, mayBeRecorded, ServiceError, UnconfirmedError } from '../userError';

/** How long work is tried in an outage, and the wait between two tries. */
const KEEP_TRYING_MS = 110_000;
const RETRY_AFTER_MS = 10_000;

/** How long the service asks to wait (`Retry-After`). */
const retryAfterMs = (reason: unknown): number =>
	reason instanceof ServiceError ? Number(reason.request.stated.retryAfter ?? 0) * 1000 : 0;

/** What the items of a run know of an outage. */
export class Outage {
	/** When work first failed, on {@link clock}. */
	private since?: number;

	/** @param isAwaited whether a person or an agent waits for the result, and would rather be told at once */
	constructor(
		private readonly client: Pick<Client, 'sleep'>,
		private readonly isAwaited: boolean,
	) {}

	/**
	 * Carries out work, and tries it again while the service is not available, for {@link KEEP_TRYING_MS} from the begin of the
	 * outage. It ends when work that has failed in it is done or refused. What succeeds at once does not end it: a row to which the
	 * service always answers with 500 must not be tried for two minutes each. An outage that nothing has ended counts for as long
	 * again, and then the next failure begins another.
	 *
	 * @param work decides itself whether what an earlier try may have done is sent again
	 * @throws what the last try throws; or the first error of what may have been recorded, which tells more
	 */
	async retry<T>(work: () => Promise<T>): Promise<T> {
		let unconfirmed: unknown;
		let tries = 1;
		let waitMs = RETRY_AFTER_MS;
		const goOnIfTemporary = (reason: unknown): undefined => {
			// What must not be sent again is not sent later either.
			const isOver = !isOutage(reason) || reason instanceof UnconfirmedError;
			if (isOver && tries > 1) this.since = undefined;
			if (mayBeRecorded(reason)) unconfirmed ??= reason;
			if (this.isAwaited || isOver) throw isOutage(reason) ? (unconfirmed ?? reason) : reason;
			const isPast = clock.now() > (this.since ?? 0) + 2 * KEEP_TRYING_MS;
			if (this.since === undefined || isPast) this.since = clock.now();
			const leftMs = this.since + KEEP_TRYING_MS - clock.now();
			if (leftMs < RETRY_AFTER_MS) throw unconfirmed ?? reason;
			// Where it asks for more than is left, one last try remains.
			waitMs = Math.min(Math.max(RETRY_AFTER_MS, retryAfterMs(reason)), leftMs);
		};
		for (; ; tries += 1) {
			const done = await work().then((result) => ({ result }), goOnIfTemporary);
			if (done) {
				if (tries > 1) this.since = undefined;
				return done.result;
			}
			await this.client.sleep(waitMs);
		}
	}
}
