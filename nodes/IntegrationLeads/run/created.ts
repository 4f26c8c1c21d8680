/**
 * Creates records exactly once. A request that creates is not repeatable, but the service lists what it has created
 * (`listedBy` of the operation): after a lost answer, and with *Skip If Recorded* before anything is sent, the list shows
 * whether an item is recorded. One record is the result of one item only.
 */
import { sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord, parseRecord } from '../contract/envelope';
import { clock } from '../transport/clock';
import { hasId, PAGE_SIZE } from '../transport/paginate';
import { pageReader } from '../transport/read';
import type { About, Answer, Client, Finding, ServiceRequest } from '../transport/send';
import { UserError } from '../userError';
import { judge } from './find';
import { readForCertain, readToEnd } from './list';
import type { Listing, Plan } from './plan';
import type { Circumstances, NormalizedTexts, Sent } from './sameRecord';
import { compareRecord, isRecordOf } from './sameRecord';

/** How long the service has to finish a request whose answer was lost, before the list is read. */
const FINISH_MS = 5000;
/** A longer list is not read after a lost answer: in it, only the first page can show the record. */
const MOST_PAGES = 20;
/** After a list could not be read, lost answers are not looked for during this time: most likely it is an outage. */
const PAUSE_MS = 60_000;

/** What this run knows of one list. */
interface List {
	/** What items send, by {@link keyOf}. */
	items: Map<string, Sent>;
	/** Of the items that were sent, those whose record is not known (yet). */
	pending: Set<string>;
	/** IDs of records that are the result of an item. */
	claimed: Set<string>;
	normalized: NormalizedTexts;
	/** The list before anything was sent. */
	before?: Promise<ServiceRecord[]>;
}

interface CreatedItem {
	listing: Listing;
	list: List;
	/** See {@link keyOf}. */
	key: string;
}

/** The records that the items of one execution create. */
export class CreatedRecords {
	private readonly lists = new Map<string, List>();

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
		return listing ? [`${listing.key} ${this.itemOf(listing).key}`] : [];
	}

	/** Excludes records that an item created when the node ran before. */
	claim({ listing }: Plan, records: ServiceRecord[]): void {
		if (!listing) return;
		const { claimed } = this.itemOf(listing).list;
		for (const record of records.filter(hasId)) claimed.add(idOf(record));
	}

	/**
	 * Sends a request that may create the record of an item.
	 *
	 * @returns the answer, and fields for the output
	 * @throws NodeApiError, or UserError when it cannot be known whether the item is recorded
	 */
	async send({
		listing,
		read,
		request,
		about,
	}: Plan): Promise<{ answer: Answer; adds: IDataObject }> {
		if (!listing) return { answer: await this.client.send(request, about), adds: {} };
		const item = this.itemOf(listing);
		const { skipIfRecorded } = (read('options') ?? {}) as IDataObject;
		if (skipIfRecorded !== true) {
			return { answer: await this.sendOnce(item, request, about, false), adds: {} };
		}
		// Read once for all items.
		item.list.before ??= readForCertain(
			pageReader(this.client, listing),
			listing.record,
			'It is not known whether this item is recorded already. Run it again when the account is calmer, or without Options > Skip If Recorded.',
		);
		const data = findBefore(item, await item.list.before);
		if (data) {
			this.skipped += 1;
			return { answer: { status: 200, data, siblings: {} }, adds: { created: false } };
		}
		return { answer: await this.sendOnce(item, request, about, true), adds: { created: true } };
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

	private itemOf(listing: Listing): CreatedItem {
		const list = this.lists.get(listing.key) ?? {
			items: new Map(),
			pending: new Set(),
			claimed: new Set(),
			normalized: new Map(),
		};
		this.lists.set(listing.key, list);
		const key = keyOf(listing);
		list.items.set(key, listing.sent);
		return { listing, list, key };
	}

	/** @param onlyNew no record that was listed before is equal to the item */
	private async sendOnce(
		item: CreatedItem,
		request: ServiceRequest,
		about: About,
		onlyNew: boolean,
	): Promise<Answer> {
		const { listing, list, key } = item;
		const isRepeated = list.pending.has(key);
		list.pending.add(key);
		const findRecorded = async (sentAt: number): Promise<Finding> => {
			// A record could also be that of the equal item before.
			if (isRepeated || clock.now() < this.pausedUntil) return { kind: 'unclear' };
			await this.client.sleep(FINISH_MS);
			const finding = await this.findAfter(item, sentAt, onlyNew).catch(this.withoutList);
			this.found += Number(finding.kind === 'recorded');
			return finding;
		};
		const answer = await this.client.send({ ...request, findRecorded }, about);
		const record = parseRecord(answer.data, listing.record.singular);
		if (record && hasId(record)) {
			list.claimed.add(idOf(record));
			if (!isRepeated) list.pending.delete(key);
		}
		return answer;
	}

	/** Looks for what was recorded since the first attempt, of which no answer arrived. */
	private async findAfter(item: CreatedItem, sentAt: number, onlyNew: boolean): Promise<Finding> {
		const search = (records: ServiceRecord[], complete: boolean) =>
			// The answer with the list may be the first that shows the service's clock.
			findAmong(item, records, complete, { since: this.client.toServerTime(sentAt), onlyNew });
		const readPage = pageReader(this.client, item.listing);
		const first = await readPage({ page: 1, limit: PAGE_SIZE.largest });
		const finding = search(first.records, false);
		if (finding.kind === 'recorded') return finding;
		const { records, complete } = await readToEnd(readPage, { first, mostPages: MOST_PAGES });
		return search(records, complete);
	}

	/** Without the list it remains unclear whether the item is recorded. */
	private readonly withoutList = (reason: unknown): Finding => {
		if (reason instanceof NodeApiError) this.pausedUntil = clock.now() + PAUSE_MS;
		else if (!(reason instanceof UserError)) throw reason;
		return { kind: 'unclear' };
	};
}

/** @throws UserError when a record may be that of the item */
function findBefore(item: CreatedItem, before: ServiceRecord[]): ServiceRecord | undefined {
	const finding = findAmong(item, before, true, { onlyNew: true });
	if (finding.kind !== 'unclear') return finding.kind === 'recorded' ? finding.record : undefined;
	const { record = {} } = finding;
	const id = hasId(record) ? ` (ID ${idOf(record)})` : '';
	throw new UserError(
		`The list of ${item.listing.record.plural} has a record that may be this item${id}, so nothing was sent`,
		'It is neither equal to what this item sends nor plainly another record. Compare the two in the leads service. If the item is not recorded, run it without Options > Skip If Recorded.',
	);
}

/** A record that is found becomes the result of the item. */
function findAmong(
	{ listing, list, key }: CreatedItem,
	records: ServiceRecord[],
	complete: boolean,
	known: Pick<Circumstances, 'since' | 'onlyNew'>,
): Finding {
	const { items, pending, claimed, normalized } = list;
	const isOfOthers = (record: ServiceRecord, keys: Iterable<string>) =>
		[...keys].some(
			(other) => other !== key && compareRecord(items.get(other)!, record, normalized) === 'equal',
		);
	const circumstances = {
		...known,
		normalized,
		mayBeOfAnother: (record: ServiceRecord) => isOfOthers(record, pending),
		isOfAnother: (record: ServiceRecord) => isOfOthers(record, items.keys()),
	};
	const candidates = records.filter((record) => !claimed.has(idOf(record)));
	const { matches, unclear } = judge(candidates, (record) =>
		isRecordOf(listing.sent, record, circumstances),
	);
	if (matches.length > 0) {
		claimed.add(idOf(matches[0]));
		return { kind: 'recorded', record: matches[0] };
	}
	if (complete && unclear.length === 0) return { kind: 'none' };
	return { kind: 'unclear', record: unclear.at(0) };
}

/** Identifies what an item sends. Equal bodies have equal keys, whatever the order of their fields. */
function keyOf({ sent }: Listing): string {
	return JSON.stringify(sent.body, (_, value: unknown) =>
		isRecord(value) ? Object.fromEntries(sortBy(Object.entries(value), 0)) : value,
	);
}

function idOf({ id }: ServiceRecord): string {
	return String(id);
}

function count(items: number): string {
	return items === 1 ? '1 item' : `${items} items`;
}
