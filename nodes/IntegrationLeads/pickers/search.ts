/** The methods that fill lists in n8n's panel. They read from the service when a list is opened, a page at a time. */
import { compact, isEqual, isNil, uniq, uniqBy } from 'lodash';
import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { contactLabel, conversationLabel, joinParts, leadLabel } from '../contract/label';
import { leadColumns } from '../fields/mapping';
import { pageReader, UnexpectedAnswerError } from '../transport/read';
import type { Page, ReadPage } from '../transport/paginate';
import { isLast, paginate } from '../transport/paginate';
import type { Client } from '../transport/send';
import { createClient } from '../transport/send';
import { leadValues, withLeadValues } from './leadValues';
import { peopleReader } from './people';

/** A list of the service to choose from. */
interface PickerList {
	path: string;
	/** The name of the list in the answer. */
	plural: string;
	action: string;
	scope: string;
	/** @param timezone of dates */
	label: (record: ServiceRecord, timezone: string) => string;
	/** Adds what labels need and the list lacks. */
	complete?: (client: Client) => (records: ServiceRecord[]) => Promise<ServiceRecord[]>;
	/** A record without an ID is identified by its label. */
	named?: true;
	/** The service searches the list; otherwise the node searches page after page. */
	serverSearch: boolean;
	/** How many pages the node searches before the user has to scroll on. */
	maxPages?: number;
}

const PAGE_SIZE = 50;
const MAX_PAGES = 20;
/** How many names a multi-select offers; nobody would scroll through more. */
const MAX_NAMES = 2_000;

async function listReader(
	context: ILoadOptionsFunctions,
	{ path, plural, action, scope, complete }: PickerList,
	search?: string,
): Promise<ReadPage> {
	const client = await createClient(context);
	const completed = complete?.(client);
	const about = { action, scope, targets: [] };
	const query = search ? { search } : {};
	const read = pageReader(client, { path, query, about, record: { plural } });
	return async (page) => {
		try {
			const listed = await read(page);
			return completed ? { ...listed, records: await completed(listed.records) } : listed;
		} catch (reason) {
			throw reason instanceof UnexpectedAnswerError
				? new NodeOperationError(context.getNode(), reason.message, {
						description: reason.during(action).description,
					})
				: reason;
		}
	};
}

/** Fills the list of a resource locator. */
function picker(list: PickerList) {
	const { maxPages = MAX_PAGES } = list;
	return async function search(
		this: ILoadOptionsFunctions,
		filter = '',
		paginationToken = '1',
	): Promise<INodeListSearchResult> {
		const read = await listReader(this, list, list.serverSearch ? filter : undefined);
		const text = list.serverSearch ? '' : filter;
		const results: INodeListSearchItems[] = [];
		let number = Number(paginationToken);
		const end = number + (text ? maxPages : 1);
		const timezone = this.getTimezone();
		let previous: Page | undefined;
		let last = false;
		for (; !last && number < end && results.length < PAGE_SIZE; number += 1) {
			const page = await read({ page: number, limit: PAGE_SIZE });
			previous ??= await readPrevious(read, page, number);
			// A service that ignores `page` returns the same page forever.
			const repeated = isEqual(page.records, previous?.records);
			const entries = page.records.flatMap((record) => toEntry(record, list, timezone));
			if (!repeated) results.push(...entries.filter(({ name }) => matches(name, text)));
			last = repeated || isLast(page, number + 1, PAGE_SIZE, previous?.records.length);
			previous = page;
		}
		const next = last ? {} : { paginationToken: String(number) };
		return { results: uniqBy(results, 'value'), ...next };
	};
}

/** The page before, where it is needed to tell how long pages are, or whether the service ignores their number. */
async function readPrevious(read: ReadPage, page: Page, number: number): Promise<Page | undefined> {
	const isFull = page.records.length >= PAGE_SIZE;
	const isClear = page.total === undefined ? page.totalPages !== undefined : isFull;
	if (number === 1 || isClear) return undefined;
	return await read({ page: number - 1, limit: PAGE_SIZE });
}

/** Fills a multi-select with names. */
function names(list: PickerList) {
	return async function load(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const found: string[] = [];
		for await (const records of paginate(await listReader(this, list), MAX_NAMES)) {
			found.push(...records.map((record) => list.label(record, this.getTimezone())));
		}
		return uniq(compact(found))
			.sort((a, b) => a.localeCompare(b))
			.map((name) => ({ name, value: name }));
	};
}

function matches(name: string, text: string): boolean {
	return name.toLowerCase().includes(text.toLowerCase());
}

function toEntry(
	record: ServiceRecord,
	{ label, named }: PickerList,
	timezone: string,
): INodeListSearchItems[] {
	const name = label(record, timezone);
	const value = record.id ?? (named && name);
	if (isNil(value) || value === '') return [];
	return [{ name: name || String(value), value: value as string | number }];
}

const tags: PickerList = {
	path: '/tags',
	plural: 'tags',
	action: 'Search tags',
	scope: 'tags:read',
	serverSearch: false,
	named: true,
	// A list of plain names is read as records with the name in `data`.
	label: ({ name, data }) => joinParts(name ?? data),
};

export const loadOptions = {
	getTagNames: names(tags),
	getStatuses: leadValues('status'),
	getPriorities: leadValues('priority'),
	getSources: leadValues('source'),
};

export const listSearch = {
	searchLeads: picker({
		path: '/leads',
		plural: 'leads',
		action: 'Search leads',
		scope: 'leads:read',
		serverSearch: true,
		label: leadLabel,
	}),
	searchContacts: picker({
		path: '/contacts',
		plural: 'contacts',
		action: 'Search contacts',
		scope: 'contacts:read',
		serverSearch: true,
		label: contactLabel,
	}),
	searchConversations: picker({
		path: '/conversations',
		plural: 'conversations',
		action: 'Search conversations',
		scope: 'conversations:read',
		serverSearch: false,
		label: conversationLabel,
		complete: peopleReader,
		// For each page, up to as many people as it has conversations are read.
		maxPages: 4,
	}),
	searchTags: picker(tags),
};

export const resourceMapping = {
	/** The fields of a lead that Sync accepts. */
	async getLeadColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		return { fields: await withLeadValues(this, leadColumns) };
	},
};
