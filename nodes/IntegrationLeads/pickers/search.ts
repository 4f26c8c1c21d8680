/** The methods that fill lists in n8n's panel. They read from the service when a list is opened, a page at a time. */
import { isString, map, uniqBy } from 'lodash';
import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';

import { isRecord, type ServiceRecord } from '../values/json';
import { contactLabel, joinParts, leadLabel } from '../contract/shown';
import { documentedValues, listedLead } from '../contract/records';
import { mapperFields } from '../columns/mapping';
import { parseDate } from '../dates/date';
import { enumeration } from '../fields/common';
import { paginate, readEnds } from '../transport/paginate';
import { pageReader } from '../transport/read';
import { createClient } from '../transport/send';

/** A list of the service to choose from. */
interface PickerList {
	/** The name of the list in its path, its scope and the answer. */
	plural: string;
	/** @param timezone of dates */
	label: (record: ServiceRecord, timezone: string) => string;
	/** How many pages the node searches before the user has to scroll on. Without, the service searches. */
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
		const about = { action: `Search ${plural}`, scope: `${plural}:read`, targets: [] };
		const query = filter && !maxPages ? { search: filter } : {};
		const client = await createClient(this);
		const read = pageReader(client, { path: `/${plural}`, query, about, record: list });
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

/** How long a drop-down waits for the account. */
const DROP_DOWN_TIMEOUT_MS = 5000;

/**
 * Fills the drop-down of a field with the values that the spec shows (2), and those that leads of the account have. n8n replaces the
 * entries of a drop-down by what is loaded and shows none if that fails, so nothing here fails: without an answer, or the scope, the
 * known values remain.
 */
function leadValues(field: Field) {
	return async function load(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		// On other credentials, n8n replaces a value that is not listed by the default, without a word.
		const chosen = [field, `&${field}`].map((path) => this.getCurrentNodeParameter(path));
		const leads = await readSampleLeads(this);
		return entries(field, [...chosen, ...map(leads, field)]);
	};
}

function entries(field: Field, values: unknown[]): INodePropertyOptions[] {
	const texts = values.filter(isString).filter((value) => value.trim() && !value.startsWith('='));
	return enumeration([...documentedValues[field], ...texts]);
}

/** Newest and oldest leads. Lists do not show the source (4.1). Whatever happens, see `leadValues`. */
async function readSampleLeads(context: ILoadOptionsFunctions): Promise<ServiceRecord[]> {
	const about = { action: 'Read values of leads', scope: 'leads:read', targets: [] };
	const signal = AbortSignal.timeout(DROP_DOWN_TIMEOUT_MS);
	try {
		const client = await createClient(context, { timeoutMs: DROP_DOWN_TIMEOUT_MS, signal });
		return await readEnds(pageReader(client, { path: '/leads', about, record: listedLead }));
	} catch {
		return [];
	}
}

export const loadOptions = {
	getStatuses: leadValues('status'),
	getPriorities: leadValues('priority'),
	getSources: leadValues('source'),
};

/**
 * e.g. `Ana · 2026-01-31 14:30`. The fields of a conversation are not shown (spec 2): one without a person is recognised by
 * its ID.
 */
function conversationLabel(record: ServiceRecord, timezone: string): string {
	const { id, contact, createdAt } = record;
	const { name, email, phone } = isRecord(contact) ? contact : {};
	const created = parseDate(String(createdAt), timezone)?.toFormat('yyyy-MM-dd HH:mm');
	const who = [name, email, phone].find((each) => isString(each) && each !== '');
	return joinParts(who, created, !who && `ID ${String(id)}`);
}

export const listSearch = {
	searchLeads: picker({ plural: 'leads', label: leadLabel }),
	searchContacts: picker({ plural: 'contacts', label: contactLabel }),
	searchConversations: picker({ plural: 'conversations', label: conversationLabel, maxPages: 4 }),
	searchTags: picker({
		plural: 'tags',
		// A list of plain names is read as records with the name in `data`.
		label: ({ name, data }) => joinParts(name ?? data),
		maxPages: 20,
	}),
};

export const resourceMapping = {
	/** The fields of a lead, those with known values with the ones of the account as well. */
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
