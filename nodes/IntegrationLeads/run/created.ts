/**
 * Creates records exactly once. A request that creates is not repeatable, but the service lists what it has created
 * (`listedBy` of the operation): after a lost answer, and with *Skip If Recorded* before anything is sent, the list shows
 * whether an item is recorded. One record is the result of one item only.
 */
import { memoize } from 'lodash';
import { NodeApiError } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { parseRecord } from '../contract/envelope';
import { clock } from '../transport/clock';
import { hasId } from '../transport/paginate';
import { pageReader } from '../transport/read';
import type { About } from '../transport/errors';
import type { Answer, Client, Finding, ServiceRequest } from '../transport/send';
import { UserError } from '../userError';
import { readForCertain, readToEnd } from './list';
import type { Listing, RequestPlan } from './plan';
import { CreatedList, keyOf } from './sameRecord';

/** How long the service has to finish a request whose answer was lost, before the list is read. */
const FINISH_MS = 5000;
/** A longer list is not read after a lost answer: in it, only the first page can show the record. */
const MOST_PAGES = 20;
/** After a list could not be read, lost answers are not looked for during this time: most likely it is an outage. */
const PAUSE_MS = 60_000;

/** Keys that only equal items share, which must be sent one after another. */
export function creationKeys({ listing }: RequestPlan): string[] {
	return listing ? [`${listing.path} ${keyOf(listing.sent)}`] : [];
}

/** The records that the items of one execution create. */
export class CreatedRecords {
	/** By its path. */
	private readonly listAt = memoize<(path: string) => CreatedList>(() => new CreatedList());

	/** Each list before anything was sent. */
	private readonly readBefore = memoize(
		async (listing: Listing) =>
			await readForCertain(
				pageReader(this.client, listing),
				listing.record,
				'It is not known whether this item is recorded already. Run it again when fewer records are being created, or without Options > Skip If Recorded.',
			),
		({ path }) => path,
	);

	/** On {@link clock}. */
	private pausedUntil = -Infinity;

	/** @param hints receives what users did not ask for */
	constructor(
		private readonly client: Client,
		private readonly hints: Set<string>,
	) {}

	/** Excludes a record that an item created when the node ran before. */
	claim(path: string, record: ServiceRecord): void {
		this.listAt(path).claim(record);
	}

	/**
	 * Sends a request that may create the record of an item.
	 *
	 * @returns the answer; `isListed`: nothing was sent, because an equal record is in the list
	 * @throws NodeApiError, or UserError when it cannot be known whether the item is recorded
	 */
	async send(plan: RequestPlan): Promise<Answer & { isListed?: boolean }> {
		const { listing, values, request, about } = plan;
		if (!listing) return await this.client.send(request, about);
		const skips = values.options.skipIfRecorded === true;
		const data = skips && (await this.matchBefore(listing));
		if (!data) return await this.sendOnce(listing, request, about, skips);
		this.hints.add(
			'Not sent, because an equal record was in the list of the service: items with "created": false in the output. An equal record that was created on purpose earlier counts too.',
		);
		return { status: 200, data, siblings: {}, isListed: true };
	}

	/** @throws UserError when a record may be that of the item */
	private async matchBefore(listing: Listing): Promise<ServiceRecord | undefined> {
		const before = { records: await this.readBefore(listing), complete: true };
		const finding = this.listAt(listing.path).match(listing.sent, before, { onlyNew: true });
		if (finding.kind !== 'unclear') return finding.kind === 'recorded' ? finding.record : undefined;
		const { record = {} } = finding;
		const id = hasId(record) ? ` (ID ${String(record.id)})` : '';
		throw new UserError(
			`The list of ${listing.record.plural} has a record that may be this item${id}, so nothing was sent`,
			'It is neither equal to what this item sends nor plainly another record. Compare the two in the leads service. If the item is not recorded, run it without Options > Skip If Recorded.',
		);
	}

	/** @param onlyNew no record that was listed before is equal to the item */
	private async sendOnce(
		listing: Listing,
		request: ServiceRequest,
		about: About,
		onlyNew: boolean,
	): Promise<Answer> {
		const key = keyOf(listing.sent);
		const list = this.listAt(listing.path);
		const isSentBefore = list.pending.has(key);
		list.pending.set(key, listing.sent);
		const matchRecorded = async (sentAt: number): Promise<Finding> => {
			// A record could also be that of the equal item before.
			if (isSentBefore || clock.now() < this.pausedUntil) return { kind: 'unclear' };
			await this.client.sleep(FINISH_MS);
			const finding = await this.matchAfter(listing, sentAt, onlyNew).catch((reason: unknown) => {
				if (reason instanceof NodeApiError) this.pausedUntil = clock.now() + PAUSE_MS;
				else if (!(reason instanceof UserError)) throw reason;
				return { kind: 'unclear' } as const;
			});
			if (finding.kind === 'recorded') {
				this.hints.add(
					'The answer was lost for at least one item. What was recorded was found in the list of the service and is in the output.',
				);
			}
			return finding;
		};
		const answer = await this.client.send({ ...request, matchRecorded }, about);
		const record = parseRecord(answer.data, listing.record.singular);
		if (record && hasId(record)) {
			list.claim(record);
			if (!isSentBefore) list.pending.delete(key);
		}
		return answer;
	}

	/** Looks for what was recorded since the first attempt, of which no answer arrived. */
	private async matchAfter(listing: Listing, sentAt: number, onlyNew: boolean): Promise<Finding> {
		const list = await readToEnd(pageReader(this.client, listing), MOST_PAGES);
		// The answer with the list may be the first that shows the service's clock.
		const since = this.client.toServerTime(sentAt);
		return this.listAt(listing.path).match(listing.sent, list, { since, onlyNew });
	}
}
