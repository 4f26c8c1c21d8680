/**
 * Creates records exactly once. A request that creates is not repeatable, but the service lists what it has created
 * (`listedBy` of the operation): after a lost answer, and with *Skip If Recorded* before anything is sent, the list shows
 * whether an item is recorded. One record is the result of one item only.
 */
import { memoize, sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord, parseRecord } from '../contract/envelope';
import { clock } from '../transport/clock';
import { hasId, PAGE_SIZE } from '../transport/paginate';
import { pageReader } from '../transport/read';
import type { About } from '../transport/errors';
import type { Answer, Client, Finding, ServiceRequest } from '../transport/send';
import { UserError } from '../userError';
import { readForCertain, readToEnd } from './list';
import type { Listing, Plan } from './plan';
import { CreatedList } from './sameRecord';

/** How long the service has to finish a request whose answer was lost, before the list is read. */
const FINISH_MS = 5000;
/** A longer list is not read after a lost answer: in it, only the first page can show the record. */
const MOST_PAGES = 20;
/** After a list could not be read, lost answers are not looked for during this time: most likely it is an outage. */
const PAUSE_MS = 60_000;

/** The records that the items of one execution create. */
export class CreatedRecords {
	private readonly lists = new Map<string, CreatedList>();

	/** Each list before anything was sent. */
	private readonly readBefore = memoize(
		async (listing: Listing) =>
			await readForCertain(
				pageReader(this.client, listing),
				listing.record,
				'It is not known whether this item is recorded already. Run it again when the account is calmer, or without Options > Skip If Recorded.',
			),
		({ key }) => key,
	);

	private skipped = 0;

	private found = 0;

	/** On {@link clock}. */
	private pausedUntil = -Infinity;

	constructor(private readonly client: Client) {}

	/**
	 * Registers an item before the first one is sent.
	 *
	 * @returns keys that only equal items share, which must be sent one after another
	 */
	register({ listing }: Plan): string[] {
		if (!listing) return [];
		const key = keyOf(listing.sent.body);
		this.listOf(listing).items.set(key, listing.sent);
		return [`${listing.key} ${key}`];
	}

	/** Excludes records that an item created when the node ran before. */
	claim({ listing }: Plan, records: ServiceRecord[]): void {
		if (listing) for (const record of records) this.listOf(listing).claim(record);
	}

	/**
	 * Sends a request that may create the record of an item.
	 *
	 * @returns the answer, and fields for the output
	 * @throws NodeApiError, or UserError when it cannot be known whether the item is recorded
	 */
	async send(plan: Plan): Promise<{ answer: Answer; adds: IDataObject }> {
		const { listing, read, request, about } = plan;
		if (!listing) return { answer: await this.client.send(request, about), adds: {} };
		this.register(plan);
		const { skipIfRecorded } = (read('options') ?? {}) as IDataObject;
		if (skipIfRecorded !== true) {
			return { answer: await this.sendOnce(listing, request, about, false), adds: {} };
		}
		const data = await this.findBefore(listing);
		if (data) {
			this.skipped += 1;
			return { answer: { status: 200, data, siblings: {} }, adds: { created: false } };
		}
		return { answer: await this.sendOnce(listing, request, about, true), adds: { created: true } };
	}

	/** Explains what users did not ask for. */
	explain(hints: Set<string>): void {
		if (this.skipped > 0) {
			hints.add(
				`Not sent, because an equal record was in the list of the service: ${count(this.skipped)}. They have "created": false in the output. An equal record that was created on purpose earlier counts too.`,
			);
		}
		if (this.found > 0) {
			hints.add(
				`The answer was lost for ${count(this.found)}. What was recorded was found in the list of the service and is in the output.`,
			);
		}
	}

	private listOf({ key }: Listing): CreatedList {
		const list = this.lists.get(key) ?? new CreatedList();
		this.lists.set(key, list);
		return list;
	}

	/** @throws UserError when a record may be that of the item */
	private async findBefore(listing: Listing): Promise<ServiceRecord | undefined> {
		const before = { records: await this.readBefore(listing), complete: true };
		const finding = this.listOf(listing).find(keyOf(listing.sent.body), before, { onlyNew: true });
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
		const key = keyOf(listing.sent.body);
		const list = this.listOf(listing);
		const isRepeated = list.pending.has(key);
		list.pending.add(key);
		const findRecorded = async (sentAt: number): Promise<Finding> => {
			// A record could also be that of the equal item before.
			if (isRepeated || clock.now() < this.pausedUntil) return { kind: 'unclear' };
			await this.client.sleep(FINISH_MS);
			const finding = await this.findAfter(listing, sentAt, onlyNew).catch((reason: unknown) => {
				if (reason instanceof NodeApiError) this.pausedUntil = clock.now() + PAUSE_MS;
				else if (!(reason instanceof UserError)) throw reason;
				return { kind: 'unclear' } as const;
			});
			this.found += Number(finding.kind === 'recorded');
			return finding;
		};
		const answer = await this.client.send({ ...request, findRecorded }, about);
		const record = parseRecord(answer.data, listing.record.singular);
		if (record && hasId(record)) {
			list.claim(record);
			if (!isRepeated) list.pending.delete(key);
		}
		return answer;
	}

	/** Looks for what was recorded since the first attempt, of which no answer arrived. */
	private async findAfter(listing: Listing, sentAt: number, onlyNew: boolean): Promise<Finding> {
		const list = this.listOf(listing);
		const key = keyOf(listing.sent.body);
		const readPage = pageReader(this.client, listing);
		const first = await readPage({ page: 1, limit: PAGE_SIZE.largest });
		// The answer with the list may be the first that shows the service's clock.
		const known = { since: this.client.toServerTime(sentAt), onlyNew };
		const finding = list.find(key, { records: first.records, complete: false }, known);
		if (finding.kind === 'recorded') return finding;
		return list.find(key, await readToEnd(readPage, { first, mostPages: MOST_PAGES }), known);
	}
}

/** Identifies what an item sends. Equal bodies have equal keys, whatever the order of their fields. */
function keyOf(body: ServiceRecord): string {
	return JSON.stringify(body, (_, value: unknown) =>
		isRecord(value) ? Object.fromEntries(sortBy(Object.entries(value), 0)) : value,
	);
}

function count(items: number): string {
	return items === 1 ? '1 item' : `${items} items`;
}
