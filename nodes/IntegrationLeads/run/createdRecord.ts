/** Looks in the service's list for the record that a request has created whose answer was lost. */
import { createdIn } from '../contract/outcome';
import { bodyOf, type PlannedItem, type RequestPlan } from '../prepare/plan';
import { clock } from '../transport/clock';
import { readList } from '../transport/read';
import type { Client } from '../transport/send';
import { isExplained, isOutage } from '../userError';
import type { ServiceRecord } from '../values/json';
import type { Ledger } from './ledger';

/** How long the service is given to finish such a request before the list is read. */
const FINISH_MS = 5000;
/** A longer list is not read. */
const MAX_LISTED_PAGES = 20;
/** How long no further list is read in an outage: shorter than the wait before an item is tried again. */
const AFTER_OUTAGE_MS = 5000;

/** Looks up created records for all items of a run. */
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
