/** What drop-downs show that list records of the service: read when they are opened, a page at a time. */
import { compact, isEqual, uniq, uniqBy } from 'lodash';
import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import { UnexpectedAnswerError, toPage } from '../transport/page';
import type { Page, ReadPage } from '../transport/paginate';
import { isLast, pagesIn, paginate } from '../transport/paginate';
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
	/** The label is also what a record without an id goes by. */
	named?: true;
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
		const answer = await client.send(request, { action, scope, targets: [] });
		try {
			return toPage(plural, answer);
		} catch (reason) {
			throw reason instanceof UnexpectedAnswerError ? inWords(reason) : reason;
		}
	};

	function inWords(drift: UnexpectedAnswerError): NodeOperationError {
		const { message, description } = drift.during(action);
		return new NodeOperationError(context.getNode(), message, { description });
	}
}

/** What a resource locator shows under "From List". */
function picker(choice: Choice) {
	const { serverSearch } = choice;
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
		let earlier: Page | undefined;
		let last = false;
		for (; !last && page < end && found.length < PAGE; page += 1) {
			const current = await read({ page, limit: PAGE });
			if (!earlier && page > 1 && pagesIn(current, PAGE) === undefined) {
				// Nothing tells how long the list is; beside the page before it shows whether this one ends it.
				earlier = await read({ page: page - 1, limit: PAGE });
			}
			// A service that ignores `page` gives the same again, for ever.
			const repeated = isEqual(current.records, earlier?.records);
			const entries = repeated ? [] : current.records.flatMap((record) => toEntry(record, choice));
			found.push(...entries.filter(({ name }) => name.toLowerCase().includes(wanted)));
			last = repeated || isLast(current, page + 1, PAGE, earlier ?? current);
			earlier = current;
		}
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

function toEntry(record: ServiceRecord, { label, named }: Choice): INodeListSearchItems[] {
	const name = label(record);
	const value = record.id ?? (named && name);
	if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return [];
	return [{ name: name || String(value), value }];
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
	named: true,
	// A tag may be listed as nothing but its name, which then is the `data` of an entry.
	label: ({ name, data }) => line(name ?? data),
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
