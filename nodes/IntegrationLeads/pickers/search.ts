/** Fills lists in n8n's panel, a page at a time, when a list is opened. */
import { isString, map, sortBy, toLower, uniqBy, uniqWith } from 'lodash';
import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';

import { isRecord, type ServiceRecord } from '../values/json';
import { isSameWord } from '../values/words';
import { contactLabel, joinParts, leadLabel } from '../contract/shown';
import { documentedValues, listedLead, tagsOf } from '../contract/records';
import { mapperFields } from '../columns/mapping';
import { parseDate } from '../dates/date';
import { enumeration } from '../fields/common';
import { paginate, readEnds } from '../transport/paginate';
import { pageReader } from '../transport/read';
import { createClient } from '../transport/send';
import { isExplained, toN8nError } from '../userError';

/** A list of the service to choose from. */
interface PickerList {
	/** The name of the list in its path, its scope and the answer. */
	plural: string;
	/** @param timezone the zone in which dates are shown */
	label: (record: ServiceRecord, timezone: string) => string;
	/** How many pages the node searches before the user has to scroll on. Without it, the service searches. */
	maxPages?: number;
}

const ENTRIES = 50;

/** Fills the list of a resource locator. */
function picker(list: PickerList) {
	const { maxPages, plural } = list;
	return async function search(
		this: ILoadOptionsFunctions,
		filter = '',
		paginationToken = '1',
	): Promise<INodeListSearchResult> {
		const errorContext = { action: `Search ${plural}`, scope: `${plural}:read`, targets: [] };
		const query = filter && !maxPages ? { search: filter } : {};
		const client = await createClient(this);
		const readPage = pageReader(client, {
			path: `/${plural}`,
			query,
			errorContext: errorContext,
			record: list,
		});
		const read: typeof readPage = async (page) =>
			await readPage(page).catch((reason: unknown) => {
				throw isExplained(reason) ? toN8nError(this.getNode(), reason) : reason;
			});
		const text = maxPages ? filter.toLowerCase() : '';
		const results: INodeListSearchItems[] = [];
		const limit = ENTRIES * ((text && maxPages) || 1);
		const options = { startPage: Number(paginationToken), pageSize: ENTRIES };
		let next: number | undefined;
		for await (const page of paginate(read, limit, options)) {
			for (const record of page.records) {
				const label = list.label(record, this.getTimezone());
				// Lists may hold plain names.
				const value = (record.id ?? label) as string | number;
				const name = label || String(value);
				if (name.toLowerCase().includes(text) && value !== '') results.push({ name, value });
			}
			({ next } = page);
			if (results.length >= ENTRIES) break;
		}
		return { results: uniqBy(results, 'value'), paginationToken: next?.toString() };
	};
}

type Field = keyof typeof documentedValues;

/** How long a drop-down waits for the values of the account. */
const DROP_DOWN_TIMEOUT_MS = 5000;

/**
 * Fills the drop-down of a field with the values that the spec shows (2) and those of leads in the account. n8n shows no entries if
 * loading fails, so this never fails: without an answer or the scope, the known values remain.
 */
function leadValues(field: Field) {
	return async function load(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		// When another credential is chosen, n8n silently replaces a value that is not listed by the default.
		const chosen = [field, `&${field}`].map((path) => this.getCurrentNodeParameter(path));
		const leads = await readSampleLeads(this);
		return entries(field, [...chosen, ...map(leads, field)]);
	};
}

function entries(field: Field, values: unknown[]): INodePropertyOptions[] {
	const texts = values.filter(isString).filter((value) => value.trim() && !value.startsWith('='));
	return enumeration([...documentedValues[field], ...texts]);
}

/** Reads the newest and the oldest leads from the list, which may not show the source (4.1). Never fails. */
async function readSampleLeads(context: ILoadOptionsFunctions): Promise<ServiceRecord[]> {
	const errorContext = { action: 'Read values of leads', scope: 'leads:read', targets: [] };
	const signal = AbortSignal.timeout(DROP_DOWN_TIMEOUT_MS);
	try {
		const client = await createClient(context, { timeoutMs: DROP_DOWN_TIMEOUT_MS, signal });
		return await readEnds(
			pageReader(client, { path: '/leads', errorContext: errorContext, record: listedLead }),
		);
	} catch {
		return [];
	}
}

/** Reads the names of all tags; those that could be read if a page fails. */
async function readTagNames(context: ILoadOptionsFunctions): Promise<string[]> {
	const names: string[] = [];
	let token: string | undefined = '1';
	try {
		while (token) {
			const page: INodeListSearchResult = await listSearch.searchTags.call(context, '', token);
			names.push(...page.results.map(({ name }) => name));
			token = page.paginationToken as string | undefined;
		}
	} catch {
		// What was read by then is listed.
	}
	return names;
}

export const loadOptions = {
	getStatuses: leadValues('status'),
	getPriorities: leadValues('priority'),
	getSources: leadValues('source'),
	/** The names of all tags. Never fails, as above: without the scope, those of leads in the account are listed. */
	async getTags(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const chosen = this.getCurrentNodeParameter('tags');
		const leads = await readSampleLeads(this);
		const names = [chosen, await readTagNames(this), leads.map(tagsOf)].flat(2);
		const texts = names.filter(isString).filter((name) => name.trim() && !name.startsWith('='));
		return sortBy(uniqWith(texts, isSameWord), toLower).map((name) => ({ name, value: name }));
	},
};

/**
 * e.g. `Ana · 2026-01-31 14:30`. The fields of a conversation are not shown (spec 2): one without a person is recognised by
 * its ID.
 */
function conversationLabel(record: ServiceRecord, timezone: string): string {
	const { id, contact, createdAt } = record;
	const { name, email, phone } = isRecord(contact) ? contact : {};
	const created = parseDate(String(createdAt), timezone)?.toFormat('yyyy-MM-dd HH:mm');
	const who = [name, email, phone].find((label) => isString(label) && label !== '');
	return joinParts(who, created, !who && `ID ${String(id)}`);
}

export const listSearch = {
	searchLeads: picker({ plural: 'leads', label: leadLabel }),
	searchContacts: picker({ plural: 'contacts', label: contactLabel }),
	searchConversations: picker({ plural: 'conversations', label: conversationLabel, maxPages: 4 }),
	searchTags: picker({
		plural: 'tags',
		// Plain names are parsed as records with the name in `data`.
		label: ({ name, data }) => joinParts(name ?? data),
		maxPages: 20,
	}),
};

export const resourceMapping = {
	/** The fields of a lead; those with known values also list the ones of the account. */
	async getLeadColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const leads = await readSampleLeads(this);
		const fields = mapperFields.map((column) => {
			const { id } = column;
			return id in documentedValues
				? { ...column, options: entries(id as Field, map(leads, id)) }
				: column;
		});
		return { fields };
	},
};
