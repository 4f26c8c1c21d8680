/** The methods that fill lists in n8n's panel. They read from the service when a list is opened, a page at a time. */
import { compact, isNil, uniq, uniqBy } from 'lodash';
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
import { contactLabel, conversationLabel, joinParts, leadLabel } from '../contract/label';
import { leadColumns } from '../fields/mapping';
import type { ReadPage } from '../transport/paginate';
import { inParallel, paginate } from '../transport/paginate';
import { encodeSegment } from '../transport/path';
import { pageReader, readOne, UnexpectedAnswerError } from '../transport/read';
import type { Client } from '../transport/send';
import { createClient } from '../transport/send';
import { leadValues, withLeadValues } from './leadValues';

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
/** The same where nothing is searched: a service may give smaller pages than asked for. */
const PAGES_TO_SHOW = 3;
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
		const first = Number(paginationToken);
		const last = first + (text ? maxPages : PAGES_TO_SHOW) - 1;
		const options = { startPage: first, pageSize: PAGE_SIZE, pagesAhead: 1 };
		let page = first;
		let token: { paginationToken?: string } = {};
		for await (const { records, next } of paginate(read, Infinity, options)) {
			const entries = records.flatMap((record) => toEntry(record, list, this.getTimezone()));
			results.push(...entries.filter(({ name }) => matches(name, text)));
			token = next === undefined ? {} : { paginationToken: String(next) };
			if (results.length >= PAGE_SIZE || page >= last) break;
			page += 1;
		}
		return { results: uniqBy(results, 'value'), ...token };
	};
}

/** Fills a multi-select with names. */
function names(list: PickerList) {
	return async function load(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const found: string[] = [];
		for await (const { records } of paginate(await listReader(this, list), MAX_NAMES)) {
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

/**
 * A function that adds the field `contact` to conversations that hold only the ID of a contact or a lead, as far as the key
 * may read it. Each contact or lead is read once.
 */
function peopleReader(client: Client) {
	/** By the path of the contact or lead. */
	const known = new Map<string, ServiceRecord | undefined>();

	const read = async (path: string): Promise<boolean> => {
		if (known.has(path)) return true;
		const singular = path.startsWith('/leads') ? 'lead' : 'contact';
		try {
			const about = { action: 'Read names', targets: [] };
			const { record } = await readOne(client, path, singular, about);
			known.set(path, singular === 'lead' ? record && contactOf(record) : record);
			return true;
		} catch {
			// The key lacks the scope, or the service is not available: the list is shown without names.
			return false;
		}
	};

	return async (records: ServiceRecord[]): Promise<ServiceRecord[]> => {
		const paths = records.map(pathOf);
		await inParallel(uniq(compact(paths)), read);
		return records.map((record, index) => ({
			...record,
			contact: known.get(paths[index] ?? '') ?? contactOf(record),
		}));
	};
}

/** Undefined if the record shows the person, or neither a contact nor a lead. */
function pathOf(record: ServiceRecord): string | undefined {
	if (contactOf(record)) return undefined;
	const { contactId, leadId } = record;
	if (contactId) return `/contacts/${encodeSegment(String(contactId), 'ID', true)}`;
	return leadId ? `/leads/${encodeSegment(String(leadId), 'ID', true)}` : undefined;
}

function contactOf({ contact, lead }: ServiceRecord): ServiceRecord | undefined {
	const found = contact ?? (isRecord(lead) ? lead.contact : undefined);
	return isRecord(found) ? found : undefined;
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
