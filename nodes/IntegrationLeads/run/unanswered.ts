/**
 * Copes with a service that does not answer: tries work again in an outage, and reads what became of a write whose answer was lost,
 * or does not show which record it is about.
 */
import { byExternalId } from '../contract/leadKey';
import { createdIn } from '../contract/outcome';
import { lead } from '../contract/records';
import type { Finder } from '../find/find';
import { bodyOf, type PlannedItem, type RequestPlan } from '../prepare/plan';
import { clock } from '../transport/clock';
import type { Permissions } from '../transport/permissions';
import { readList } from '../transport/read';
import type { Client } from '../transport/send';
import { isExplained, isOutage, isLostAnswer, ServiceError, UnconfirmedError } from '../userError';
import { isBlank } from '../values/convert';
import { shorten, type ServiceRecord } from '../values/json';
import type { Ledger } from './ledger';

/** How long work is tried in an outage, and the wait between two tries. */
const KEEP_TRYING_MS = 110_000;
const RETRY_AFTER_MS = 10_000;

/** How long the service asks to wait (`Retry-After`). */
const retryAfterMs = (reason: unknown): number =>
	reason instanceof ServiceError ? Number(reason.request.stated.retryAfter ?? 0) * 1000 : 0;

/**
 * What the items of a run know of an outage. It is outlasted where nobody waits for the result: what a webhook brings comes once,
 * and a restart takes a minute.
 */
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
	 * outage, which is one for all work of the run. It ends when work that has failed in it is done or refused. What succeeds at once
	 * does not end it: a row to which the service always answers with 500 must not be tried for two minutes each. An outage that
	 * nothing has ended counts for as long again, and then the next failure begins another.
	 *
	 * @param work decides itself whether what an earlier try may have done is sent again
	 * @throws what the last try throws; or the first error of what may have been recorded, which tells more
	 */
	async retry<T>(work: () => Promise<T>): Promise<T> {
		let unconfirmed: unknown;
		for (let tries = 1; ; tries += 1) {
			try {
				const result = await work();
				if (tries > 1) this.since = undefined;
				return result;
			} catch (reason) {
				// What must not be sent again is not sent later either.
				const isOver = !isOutage(reason) || reason instanceof UnconfirmedError;
				if (isOver && tries > 1) this.since = undefined;
				if (isLostAnswer(reason)) unconfirmed ??= reason;
				const shown = isOutage(reason) ? (unconfirmed ?? reason) : reason;
				if (this.isAwaited || isOver) throw shown;
				const leftMs = this.leftMs();
				if (leftMs < RETRY_AFTER_MS) throw shown;
				// Where it asks for more than is left, one last try remains.
				await this.client.sleep(Math.min(Math.max(RETRY_AFTER_MS, retryAfterMs(reason)), leftMs));
			}
		}
	}

	/** How long work is still tried. The outage begins now, unless one has begun. */
	private leftMs(): number {
		const now = clock.now();
		const isPast = now > (this.since ?? 0) + 2 * KEEP_TRYING_MS;
		if (this.since === undefined || isPast) this.since = now;
		return this.since + KEEP_TRYING_MS - now;
	}
}

/** How long the service is given to finish such a request before the list is read. */
const FINISH_MS = 5000;
/** A longer list is not read. */
const MAX_LISTED_PAGES = 20;
/** How long no further list is read in an outage: shorter than the wait before an item is tried again. */
const AFTER_OUTAGE_MS = 5000;

/** Looks up records whose requests were answered by nothing, for all items of a run. */
export class CreatedRecords {
	/** The outage that the last list met, and when the next one is read. */
	private outage?: { reason: unknown; until: number };

	/** @param ledger knows the records of other items: a record is that of one item only */
	constructor(private readonly ledger: Ledger) {}

	/**
	 * Looks a record up in the list that `listStep` reads.
	 *
	 * @param item the one that sent it
	 * @param firstSentAt when the request was first sent, on {@link clock}
	 * @returns null if none was created, undefined if that is unknown
	 * @throws ServiceError in an outage, after which the list may show it
	 */
	async find(
		item: PlannedItem,
		requestPlan: RequestPlan,
		firstSentAt: number,
		client: Client,
	): Promise<ServiceRecord | null | undefined> {
		const { step, errorContext, request } = requestPlan;
		const { listStep } = step;
		if (!listStep) return undefined;
		if (this.outage && clock.now() < this.outage.until) throw this.outage.reason;
		await client.sleep(FINISH_MS);
		const listContext = { ...errorContext, scope: listStep.scope, notFound: undefined };
		const list = { path: request.path, errorContext: listContext, record: listStep.output.record };
		const read = readList(client, list, { most: MAX_LISTED_PAGES });
		const { records, complete } = await read.catch((reason: unknown) => {
			if (isOutage(reason)) this.outage = { reason, until: clock.now() + AFTER_OUTAGE_MS };
			if (isOutage(reason) || !isExplained(reason)) throw reason;
			return { records: [], complete: false };
		});
		if (!complete) return undefined;
		const { singular } = listStep.output.record;
		const others = records.filter(({ id }) => !this.ledger.isCreated(singular, id));
		// The answer with the list may be the first that shows the service's clock.
		const since = client.toServerTime(firstSentAt);
		const found = createdIn(bodyOf(requestPlan), others, since);
		// Before anything is awaited, so that no other item takes it as well.
		this.ledger.noteCreated(item, singular, found?.id);
		return found;
	}
}

/** What reading leads needs of the state of an item. */
interface LeadReader {
	finder: Finder;
	permissions: Permissions;
}

/**
 * Reads the lead with an external ID, as it is after it was sent.
 *
 * @param hint where the key may not read it
 * @returns null if there is none, undefined if the key may not read it
 */
export async function readSentLead(
	externalId: unknown,
	{ finder, permissions }: LeadReader,
	hint: string,
): Promise<ServiceRecord | null | undefined> {
	const lookup = { ...byExternalId(externalId), record: lead };
	const find = async () => (await finder.asItem().find([lookup])) ?? null;
	return await permissions.ifPermitted({ scopes: ['leads:read'], hint }, find);
}

/**
 * Reads the lead that was sent, where the answer does not show which it is: it may be of something on the way, such as a proxy,
 * and then nothing was recorded.
 *
 * @returns undefined if another value may have led to the lead than its external ID, or the key may not read it
 * @throws UnconfirmedError if there is none, or if it cannot be read
 */
export async function readUnshownLead(
	{ externalId, protocol }: ServiceRecord,
	reader: LeadReader,
): Promise<ServiceRecord | undefined> {
	if (isBlank(externalId) || !isBlank(protocol)) return undefined;
	const found = await readSentLead(externalId, reader, NOT_READ).catch((reason: unknown) => {
		if (!isExplained(reason)) throw reason;
		// The lead was sent, whatever the reading says of itself.
		throw new UnconfirmedError(
			`The service answered without the lead, which may have been recorded and could not be read: ${reason.message}`,
		);
	});
	if (found !== null) return found;
	throw new UnconfirmedError(
		`The service answered without the lead, and no lead has the external ID "${shorten(String(externalId))}"`,
		'It was probably not recorded. Run the item again: the lead is looked up by this ID, so that there is no second one.',
	);
}

const NOT_READ =
	'The service answered without the lead, and to read it, the API key needs the scope "leads:read".';
