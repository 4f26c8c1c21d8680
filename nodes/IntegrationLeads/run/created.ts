/**
 * Creates records exactly once. A request that creates is not repeatable, but the service lists what it has created
 * (`listedBy` of the operation): after a lost answer, and with *Skip If Recorded* before anything is sent, the list shows
 * whether an item is recorded. One record is the result of one item only.
 */
import { sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord, readRecord } from '../contract/envelope';
import { clock } from '../transport/clock';
import { toPage } from '../transport/page';
import type { ReadPage } from '../transport/paginate';
import { hasId, PAGE_SIZE, pagesIn } from '../transport/paginate';
import type { About, Answer, Client, Finding, ServiceRequest } from '../transport/send';
import { UserError } from '../userError';
import type { Hints } from './hints';
import { readToEnd } from './list';
import type { Listing, Plan } from './plan';
import { requestInfo } from './plan';
import type { NormalizedTexts, Search, Sent } from './sameRecord';
import { compareRecord, findSent } from './sameRecord';

/** How long the service has to finish a request whose answer was lost, before the list is read. */
const SETTLE_MS = 5000;
/** A longer list is not read after a lost answer: in it, only the first page can show the record. */
const MOST_PAGES = 20;
/** After a list could not be read, lost answers are not looked for during this time: most likely it is an outage. */
const PAUSE_MS = 60_000;

/** What this execution knows of one list. */
interface Ledger {
	/** What items send, by {@link keyOf}. */
	items: Map<string, Sent>;
	/** Of the items that were sent, those whose record is not known (yet). */
	open: Set<string>;
	/** IDs of records that are the result of an item. */
	claimed: Set<string>;
	normalized: NormalizedTexts;
	/** The list before anything was sent. */
	before?: ReturnType<typeof readToEnd>;
}

interface Item {
	listing: Listing;
	ledger: Ledger;
	/** See {@link keyOf}. */
	key: string;
}

/** The records that the items of one execution create. */
export class CreatedRecords {
	private readonly ledgers = new Map<string, Ledger>();

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
		const key = keyOf(listing);
		this.ledgerOf(listing).items.set(key, listing.sent);
		return [`${listing.key} ${key}`];
	}

	/** Excludes a record that an item of an earlier run of the node created. */
	claim({ listing }: Plan, record: ServiceRecord): void {
		if (listing && hasId(record)) this.ledgerOf(listing).claimed.add(idOf(record));
	}

	/**
	 * Sends a request that may create the record of an item.
	 *
	 * @returns the answer, and fields for the output
	 * @throws NodeApiError, or UserError when it cannot be known whether the item is recorded
	 */
	async send(
		{ listing, read }: Plan,
		request: ServiceRequest,
		about: About,
	): Promise<{ answer: Answer; adds: IDataObject }> {
		if (!listing || request.method === 'GET') {
			return { answer: await this.client.send(request, about), adds: {} };
		}
		const item = { listing, ledger: this.ledgerOf(listing), key: keyOf(listing) };
		const { skipIfRecorded } = (read('options') ?? {}) as IDataObject;
		if (skipIfRecorded !== true) {
			return { answer: await this.sendOnce(item, request, about), adds: {} };
		}
		const known = await this.listBefore(item);
		const data = this.findBefore(item, known);
		if (data) {
			this.skipped += 1;
			return { answer: { status: 200, data, siblings: {} }, adds: { created: false } };
		}
		return { answer: await this.sendOnce(item, request, about, known), adds: { created: true } };
	}

	/** Explains what users did not ask for. */
	explain(hints: Hints): void {
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

	private ledgerOf({ key }: Listing): Ledger {
		const ledger = this.ledgers.get(key) ?? {
			items: new Map<string, Sent>(),
			open: new Set<string>(),
			claimed: new Set<string>(),
			normalized: new Map() as NormalizedTexts,
		};
		this.ledgers.set(key, ledger);
		return ledger;
	}

	/** @param known what was listed before, if the list was read */
	private async sendOnce(
		item: Item,
		request: ServiceRequest,
		about: About,
		known?: ServiceRecord[],
	): Promise<Answer> {
		const { listing, ledger, key } = item;
		const isRepeated = ledger.open.has(key);
		ledger.open.add(key);
		const findRecorded = async (sentAt: number): Promise<Finding> => {
			// A record could also be that of the equal item before.
			if (isRepeated || clock.now() < this.pausedUntil) return { kind: 'unclear' };
			await this.client.sleep(SETTLE_MS);
			const finding = await this.findAfter(item, sentAt, known).catch(this.withoutList);
			this.found += Number(finding.kind === 'recorded');
			return finding;
		};
		const answer = await this.client.send({ ...request, findRecorded }, about);
		const record = readRecord(answer.data, listing.record.singular);
		if (record && hasId(record)) {
			ledger.claimed.add(idOf(record));
			if (!isRepeated) ledger.open.delete(key);
		}
		return answer;
	}

	/** The list as it was before anything was sent. Read once for all items. */
	private async listBefore({ listing, ledger }: Item): Promise<ServiceRecord[]> {
		ledger.before ??= readToEnd(this.pageReader(listing));
		const { records, complete } = await ledger.before;
		if (complete) return records;
		throw new UserError(
			`The list of ${listing.record.plural} could not be read completely, so nothing was sent`,
			'It is not known whether this item is recorded already. Run it again when the account is calmer, or without Options > Skip If Recorded.',
		);
	}

	private findBefore(item: Item, records: ServiceRecord[]): ServiceRecord | undefined {
		const search = { records, complete: true, onlyNew: true, isContested: () => false };
		const finding = this.find(item, search);
		if (finding.kind === 'recorded') return finding.record;
		if (finding.kind === 'none') return undefined;
		const { record = {} } = finding;
		const id = hasId(record) ? ` (ID ${idOf(record)})` : '';
		throw new UserError(
			`The list of ${item.listing.record.plural} has a record that may be this item${id}, so nothing was sent`,
			'It is neither equal to what this item sends nor plainly another record. Compare the two in the leads service. If the item is not recorded, run it without Options > Skip If Recorded.',
		);
	}

	/** Looks for what was recorded since the first attempt, of which no answer arrived. */
	private async findAfter(item: Item, sentAt: number, known?: ServiceRecord[]): Promise<Finding> {
		const { ledger, key, listing } = item;
		const knownIds = new Set(known?.filter(hasId).map(idOf));
		const search = (records: ServiceRecord[], complete: boolean) =>
			this.find(item, {
				records: records.filter((record) => !isIn(knownIds, record)),
				complete,
				since: this.client.toServerTime(sentAt),
				onlyNew: known !== undefined,
				isContested: (record) =>
					[...ledger.open].some((other) => other !== key && isEqual(ledger, other, record)),
			});
		const readPage = this.pageReader(listing, MOST_PAGES);
		const limit = PAGE_SIZE.largest;
		const first = await readPage({ page: 1, limit });
		const finding = search(first.records, false);
		if (finding.kind === 'recorded' || (pagesIn(first, limit) ?? 1) > MOST_PAGES) return finding;
		const { records, complete } = await readToEnd(readPage, first);
		return search(records, complete);
	}

	/** Without the list it remains unclear whether the item is recorded. */
	private readonly withoutList = (reason: unknown): Finding => {
		if (reason instanceof NodeApiError) this.pausedUntil = clock.now() + PAUSE_MS;
		else if (!(reason instanceof UserError)) throw reason;
		return { kind: 'unclear' };
	};

	/** A record that is found becomes the result of the item. */
	private find(
		{ listing, ledger, key }: Item,
		{ records, ...search }: Omit<Search, 'isOfAnother' | 'normalized'>,
	): Finding {
		const finding = findSent(listing.sent, {
			...search,
			normalized: ledger.normalized,
			records: records.filter((record) => !isIn(ledger.claimed, record)),
			isOfAnother: (record) =>
				[...ledger.items.keys()].some((other) => other !== key && isEqual(ledger, other, record)),
		});
		if (finding.kind === 'recorded') ledger.claimed.add(idOf(finding.record));
		return finding;
	}

	private pageReader(listing: Listing, mostPages = Infinity): ReadPage {
		const { request, record } = listing;
		const about = requestInfo(listing);
		return async (query) => {
			if (query.page > mostPages) throw new UserError('The list is too long', '');
			return toPage(record.plural, await this.client.send({ ...request, query }, about));
		};
	}
}

/** Identifies what an item sends. Equal bodies have equal keys, whatever the order of their fields. */
function keyOf({ sent }: Listing): string {
	return JSON.stringify(sent.body, (_, value: unknown) =>
		isRecord(value) ? Object.fromEntries(sortBy(Object.entries(value), 0)) : value,
	);
}

function isEqual({ items, normalized }: Ledger, key: string, record: ServiceRecord): boolean {
	const sent = items.get(key);
	return sent !== undefined && compareRecord(sent, record, normalized) === 'equal';
}

function isIn(ids: Set<string>, record: ServiceRecord): boolean {
	return hasId(record) && ids.has(idOf(record));
}

function idOf({ id }: ServiceRecord): string {
	return String(id);
}

function count(items: number): string {
	return items === 1 ? '1 item' : `${items} items`;
}
