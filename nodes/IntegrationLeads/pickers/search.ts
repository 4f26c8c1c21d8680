/** The methods that fill lists in n8n's panel. They read from the service when a list is opened, a page at a time. */
import { compact, isEqual, isNil, isString, uniq, uniqBy } from 'lodash';
import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import { leadColumns } from '../fields/mapping';
import { UnexpectedAnswerError, toPage } from '../transport/page';
import type { Page, ReadPage } from '../transport/paginate';
import { isLast, pagesIn, paginate } from '../transport/paginate';
import { createClient } from '../transport/send';

/** A list of the service to choose from. */
interface PickerList {
	path: string;
	/** The name of the list in the answer. */
	plural: string;
	action: string;
	scope: string | { assumed: string };
	label: (record: ServiceRecord) => string;
	/** A record without an ID is identified by its label. */
	named?: true;
	/** The service searches the list; otherwise the node searches page after page. */
	serverSearch: boolean;
}

const PAGE_SIZE = 50;
/** How many pages the node searches before the user has to scroll on. */
const MAX_PAGES = 20;
/** How many names a multi-select offers; nobody would scroll through more. */
const MAX_NAMES = 2_000;

async function openList(
	context: ILoadOptionsFunctions,
	{ path, plural, action, scope }: PickerList,
	search?: string,
): Promise<ReadPage> {
	const client = await createClient(context);
	return async (page) => {
		const query = { ...page, ...(search && { search }) };
		const request = { method: 'GET', path, query, repeatable: true } as const;
		const answer = await client.send(request, { action, scope, targets: [] });
		try {
			return toPage(plural, answer);
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
	return async function search(
		this: ILoadOptionsFunctions,
		filter = '',
		paginationToken = '1',
	): Promise<INodeListSearchResult> {
		const read = await openList(this, list, list.serverSearch ? filter : undefined);
		const text = list.serverSearch ? '' : filter.toLowerCase();
		const results: INodeListSearchItems[] = [];
		let number = Number(paginationToken);
		const end = number + (text ? MAX_PAGES : 1);
		let previous: Page | undefined;
		let last = false;
		for (; !last && number < end && results.length < PAGE_SIZE; number += 1) {
			const page = await read({ page: number, limit: PAGE_SIZE });
			previous ??= await readPrevious(read, page, number);
			// A service that ignores `page` returns the same page forever.
			const repeated = isEqual(page.records, previous?.records);
			const entries = repeated ? [] : page.records.flatMap((record) => toEntry(record, list));
			results.push(...entries.filter(({ name }) => name.toLowerCase().includes(text)));
			last = repeated || isLast(page, number + 1, PAGE_SIZE, previous ?? page);
			previous = page;
		}
		const next = last ? {} : { paginationToken: String(number) };
		return { results: uniqBy(results, 'value'), ...next };
	};
}

/** Without a stated length, a page is the last if it is shorter than the one before. */
async function readPrevious(read: ReadPage, page: Page, number: number): Promise<Page | undefined> {
	if (number === 1 || pagesIn(page, PAGE_SIZE) !== undefined) return undefined;
	return await read({ page: number - 1, limit: PAGE_SIZE });
}

/** Fills a multi-select with names. */
function names(list: PickerList) {
	return async function load(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const found: string[] = [];
		for await (const records of paginate(await openList(this, list), MAX_NAMES)) {
			found.push(...records.map((record) => list.label(record)));
		}
		return uniq(compact(found))
			.sort((a, b) => a.localeCompare(b))
			.map((name) => ({ name, value: name }));
	};
}

function toEntry(record: ServiceRecord, { label, named }: PickerList): INodeListSearchItems[] {
	const name = label(record);
	const value = record.id ?? (named && name);
	if (isNil(value) || value === '') return [];
	return [{ name: name || String(value), value: value as string | number }];
}

function joinParts(...parts: unknown[]): string {
	return compact(parts.filter(isString)).join(' · ');
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

export const loadOptions = { getTagNames: names(tags) };

export const listSearch = {
	searchLeads: picker({
		path: '/leads',
		plural: 'leads',
		action: 'Search leads',
		scope: 'leads:read',
		serverSearch: true,
		label: ({ contact, externalId, status }) => {
			const { name, email } = isRecord(contact) ? contact : {};
			return joinParts(name ?? email, externalId, status);
		},
	}),
	searchContacts: picker({
		path: '/contacts',
		plural: 'contacts',
		action: 'Search contacts',
		scope: 'contacts:read',
		serverSearch: true,
		label: ({ name, email, phone }) => joinParts(name, email, phone),
	}),
	searchConversations: picker({
		path: '/conversations',
		plural: 'conversations',
		action: 'Search conversations',
		scope: { assumed: 'conversations:read' },
		serverSearch: false,
		label: ({ id, createdAt }) => joinParts(String(id), createdAt),
	}),
	searchTags: picker(tags),
};

export const resourceMapping = {
	/** The fields of a lead that Sync accepts. */
	async getLeadColumns(): Promise<ResourceMapperFields> {
		return { fields: leadColumns };
	},
};
