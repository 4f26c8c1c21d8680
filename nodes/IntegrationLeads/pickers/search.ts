/** What resource locators show under "From List": searched on the server, a page at a time. */
import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord, readList } from '../contract/envelope';
import { pagesIn } from '../transport/paginate';
import { createClient } from '../transport/send';

interface Picker {
	/** The route that lists the records, and the word it lists them under. */
	path: string;
	plural: string;
	action: string;
	scope: string | { assumed: string };
	/** What to show of a record. */
	label: (record: ServiceRecord) => string;
	/** The service searches; else what is typed is looked for in the page at hand. */
	serverSearch: boolean;
}

const PAGE = 50;

function picker({ path, plural, action, scope, label, serverSearch }: Picker) {
	return async function search(
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const page = Number(paginationToken) || 1;
		const client = await createClient(this);
		const query = { page, limit: PAGE, ...(filter && serverSearch && { search: filter }) };
		const answer = await client.send(
			{ method: 'GET', path, query, repeatable: true },
			{ action, scope, sought: [] },
		);
		const list = readList(answer.data, plural, answer.beside);
		const records = list?.records ?? [];
		const results = records.flatMap((record) => toEntry(record, label));
		const wanted = filter?.toLowerCase();
		const shown =
			wanted && !serverSearch
				? results.filter(({ name }) => name.toLowerCase().includes(wanted))
				: results;
		const { total, limit } = list?.pagination ?? {};
		const last = pagesIn({ records, total, limit }, PAGE);
		const more = total === undefined ? records.length === PAGE : page < last;
		return { results: shown, ...(more && { paginationToken: String(page + 1) }) };
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
	searchTags: picker({
		path: '/tags',
		plural: 'tags',
		action: 'Search tags',
		scope: 'tags:read',
		serverSearch: false,
		label: ({ name }) => line(name),
	}),
};
