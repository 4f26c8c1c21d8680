/**
 * Which statuses, priorities, sources and tags leads of the account have, as far as the newest show it: for values that are
 * given in another spelling, and for those that no lead has, which may be misspelled.
 */
import { uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../contract/envelope';
import { documentedValues, listedLead } from '../contract/leadRecord';
import type { Output } from '../operation';
import type { Page } from '../transport/paginate';
import { PAGE_SIZE, pagesIn } from '../transport/paginate';
import { pageReader } from '../transport/read';
import { isSameWord } from '../values/sameWord';
import type { Client } from '../transport/send';

/**
 * Values that leads were seen to have, by account, field and what was given: in workflows that run once for each item, each
 * item would cost a request. In this process.
 */
const seen = new Map<string, unknown>();
const MOST_SEEN = 1000;

/** The fields by which leads can be listed (spec 4.1). For tags nothing is documented. */
const FIELDS: Record<string, readonly string[]> = { ...documentedValues, tag: [] };

export class AccountValues {
	/** The newest leads, once a spelling was asked for. Where they cannot be read, values are sent as they are. */
	private newest?: Promise<Page | undefined>;

	/** The one value of a run for which the service is asked: that of the first item that has one. */
	private asked?: { what: string; isNew: Promise<boolean> };

	/** @param hints receives which value is new */
	constructor(
		private readonly client: Client,
		private readonly hints: Set<string>,
	) {}

	/** See {@link Questions}. */
	readonly spell = async (field: string, text: string): Promise<unknown> =>
		(await this.find(field, text)) ?? text;

	/** See {@link Questions}. */
	readonly isKnown = async (field: string, text: string): Promise<boolean> =>
		(await this.find(field, text)) !== undefined;

	/** The value as one of the newest leads has it, else in another spelling. */
	private async find(field: string, text: string): Promise<unknown> {
		const key = this.keyOf(field, text);
		if (seen.has(key)) return seen.get(key);
		this.newest ??= this.read(PAGE_SIZE.largest);
		const values = uniq((await this.newest)?.records.map((lead) => lead[field]));
		const found = values.includes(text) ? text : values.find((each) => isSameWord(each, text));
		if (found !== undefined) {
			remember(key, found);
			remember(this.keyOf(field, String(found)), found);
		}
		return found;
	}

	private keyOf(field: string, text: string): string {
		return [this.client.account, field, text].join('\n');
	}

	/**
	 * Asks the service whether no lead has a value. To be called before anything is written.
	 *
	 * @param output of the operation: a message has another status
	 * @param fields of a lead, or filters
	 * @returns fields for the output
	 */
	async askIfNew(output: Output, fields: unknown): Promise<{ newValue?: string }> {
		const isLead = 'record' in output && output.record.singular === 'lead';
		const given = isLead && isRecord(fields) ? fields : {};
		const field = Object.keys(FIELDS).find((name) => {
			const value = given[name];
			return typeof value === 'string' && value !== '' && !FIELDS[name].includes(value);
		});
		if (field === undefined) return {};
		const value = String(given[field]);
		if (seen.has(this.keyOf(field, value))) return {};
		const what = `${field} "${value}"`;
		this.asked ??= { what, isNew: this.isNew(field, value) };
		if (this.asked.what !== what || !(await this.asked.isNew)) return {};
		const known = FIELDS[field].join(', ');
		const examples = known && ` Documented are ${known}.`;
		const newValue = `No lead had the ${what} so far. Check how it is spelled.${examples}`;
		this.hints.add(newValue);
		return { newValue };
	}

	/** False where it is not known. */
	private async isNew(field: string, value: string): Promise<boolean> {
		const newest = await this.newest;
		const isShown = newest?.records.every((lead) => field in lead);
		// All leads, which were read to spell another value.
		const all = newest && isShown && pagesIn(newest) === 1 ? newest.records : undefined;
		const having = all?.filter((lead) => lead[field] === value);
		const count = (having ?? (await this.read(1, { [field]: value }))?.records)?.length;
		if (count) remember(this.keyOf(field, value), value);
		return count === 0;
	}

	private async read(limit: number, query: IDataObject = {}): Promise<Page | undefined> {
		const about = { action: 'Read values of leads', scope: 'leads:read', targets: [] };
		const readPage = pageReader(this.client, { path: '/leads', query, about, record: listedLead });
		return await readPage({ page: 1, limit }).catch(() => undefined);
	}
}

function remember(key: string, value: unknown): void {
	if (seen.size >= MOST_SEEN) seen.clear();
	seen.set(key, value);
}
