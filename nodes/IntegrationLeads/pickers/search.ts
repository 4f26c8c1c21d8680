/** What drop-downs show that list records of the service: read when they are opened, a page at a time. */
import { compact, uniq, uniqBy } from 'lodash';
import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import { toPage } from '../transport/page';
import type { ReadPage } from '../transport/paginate';
import { isLast, paginate } from '../transport/paginate';
import { createClient } from '../transport/send';

/** A list of the service to choose from. */
interface Choice {
	/** The route that lists the records, and the word it lists them under. */
	path: string;
	plural: string;
	action: string;
	scope: string | { assumed: string };
	/** What to show of a record. */
	label: (record: ServiceRecord) => string;
	/** The service searches; else what is typed is looked for here, in page after page. */
	serverSearch: boolean;
}

const PAGE = 50;
/** How many pages are looked through for what was typed before the user has to scroll on. */
const MOST_PAGES = 20;
/** How many names a multi-select offers; more are nothing that anybody would scroll through. */
const MOST_NAMES = 2_000;

/** @returns what reads a page of the list. */
async function openList(
	context: ILoadOptionsFunctions,
	{ path, plural, action, scope }: Choice,
	search?: string,
): Promise<ReadPage> {
	const client = await createClient(context);
	return async (page) => {
		const query = { ...page, ...(search && { search }) };
		const request = { method: 'GET', path, query, repeatable: true } as const;
		return toPage(plural, await client.send(request, { action, scope, sought: [] }));
	};
}

/** What a resource locator shows under "From List". */
function picker(choice: Choice) {
	const { label, serverSearch } = choice;
	return async function search(
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const read = await openList(this, choice, serverSearch ? filter : undefined);
		const wanted = serverSearch ? '' : (filter ?? '').toLowerCase();
		const found: INodeListSearchItems[] = [];
		let page = Number(paginationToken) || 1;
		const end = page + (wanted ? MOST_PAGES : 1);
		let last = false;
		for (; !last && page < end && found.length < PAGE; page += 1) {
			const current = await read({ page, limit: PAGE });
			const entries = current.records.flatMap((record) => toEntry(record, label));
			found.push(...entries.filter(({ name }) => name.toLowerCase().includes(wanted)));
			last = isLast(current, page + 1, PAGE);
		}
		// A service that ignores `page` gives the same again.
		const results = uniqBy(found, 'value');
		return { results, ...(!last && { paginationToken: String(page) }) };
	};
}

/** What a multi-select of names offers. */
function names(choice: Choice) {
	return async function load(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const found: string[] = [];
		for await (const records of paginate(await openList(this, choice), MOST_NAMES)) {
			found.push(...records.map((record) => choice.label(record)));
		}
		return uniq(compact(found))
			.sort((a, b) => a.localeCompare(b))
			.map((name) => ({ name, value: name }));
	};
}

function toEntry(
	record: ServiceRecord,
	label: (record: ServiceRecord) => string,
): INodeListSearchItems[] {
	const { id } = record;
	if (typeof id !== 'string' && typeof id !== 'number') return [];
	return [{ name: label(record) || String(id), value: id }];
}

/** The parts that are there, in one line. */
function line(...parts: unknown[]): string {
	return parts.filter((part) => typeof part === 'string' && part !== '').join(' · ');
}

const tags: Choice = {
	path: '/tags',
	plural: 'tags',
	action: 'Search tags',
	scope: 'tags:read',
	serverSearch: false,
	label: ({ name }) => line(name),
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
			return line(name ?? email, externalId, status);
		},
	}),
	searchContacts: picker({
		path: '/contacts',
		plural: 'contacts',
		action: 'Search contacts',
		scope: 'contacts:read',
		serverSearch: true,
		label: ({ name, email, phone }) => line(name, email, phone),
	}),
	searchConversations: picker({
		path: '/conversations',
		plural: 'conversations',
		action: 'Search conversations',
		scope: { assumed: 'conversations:read' },
		serverSearch: false,
		label: ({ id, createdAt }) => line(String(id), createdAt),
	}),
	searchTags: picker(tags),
};
