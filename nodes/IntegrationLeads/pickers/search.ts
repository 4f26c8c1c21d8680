/** The methods that fill lists in n8n's panel. They read from the service when a list is opened, a page at a time. */
import { isString, map, uniqBy } from 'lodash';
import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { ServiceRecord } from '../values/json';
import { contactLabel, conversationLabel, joinParts, leadLabel } from '../contract/shown';
import { documentedValues, listedLead } from '../contract/leadRecord';
import { leadColumns } from '../columns/mapping';
import { enumeration } from '../fields/common';
import { clock } from '../transport/clock';
import { PAGE_SIZE, paginate, pagesIn, type ReadPage } from '../transport/paginate';
import { pageReader, UnexpectedAnswerError } from '../transport/read';
import { createClient, type Client } from '../transport/send';

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

async function listReader(
	context: ILoadOptionsFunctions,
	{ plural }: PickerList,
	search?: string,
): Promise<ReadPage> {
	const client = await createClient(context);
	const about = { action: `Search ${plural}`, scope: `${plural}:read`, targets: [] };
	const query = search ? { search } : {};
	const read = pageReader(client, { path: `/${plural}`, query, about, record: { plural } });
	return async (page) => {
		try {
			return await read(page);
		} catch (reason) {
			throw reason instanceof UnexpectedAnswerError
				? new NodeOperationError(context.getNode(), reason.message, {
						description: reason.description,
					})
				: reason;
		}
	};
}

/** Fills the list of a resource locator. */
function picker(list: PickerList) {
	const { maxPages } = list;
	return async function search(
		this: ILoadOptionsFunctions,
		filter = '',
		paginationToken = '1',
	): Promise<INodeListSearchResult> {
		const read = await listReader(this, list, maxPages ? undefined : filter);
		const text = maxPages ? filter.toLowerCase() : '';
		const results: INodeListSearchItems[] = [];
		const limit = ENTRIES * ((text && maxPages) || 1);
		const options = { startPage: Number(paginationToken), pageSize: ENTRIES };
		let next: number | undefined;
		for await (const page of paginate(read, limit, options)) {
			const entries = page.records.flatMap((each) => toEntry(each, list, this.getTimezone()));
			results.push(...entries.filter(({ name }) => name.toLowerCase().includes(text)));
			({ next } = page);
			if (results.length >= ENTRIES) break;
		}
		return { results: uniqBy(results, 'value'), paginationToken: next?.toString() };
	};
}

function toEntry(
	record: ServiceRecord,
	{ label }: PickerList,
	timezone: string,
): INodeListSearchItems[] {
	const name = label(record, timezone);
	// Lists may hold plain names.
	const value = record.id ?? name;
	return value === '' ? [] : [{ name: name || String(value), value: value as string | number }];
}

const tags: PickerList = {
	plural: 'tags',
	// A list of plain names is read as records with the name in `data`.
	label: ({ name, data }) => joinParts(name ?? data),
	maxPages: 20,
};

type Field = keyof typeof documentedValues;

/** How long a drop-down waits for the account. */
const PATIENCE_MS = 5000;

/**
 * Fills the drop-down of a field with the values that the spec shows (2), and those that leads of the account have. n8n replaces the
 * entries of a drop-down by what is loaded and shows none if that fails, so nothing here fails: without an answer, or the scope, the
 * known values remain.
 */
function leadValues(field: Field) {
	return async function load(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		// On other credentials, n8n replaces a value that is not listed by the default, without a word.
		const chosen = [field, `&${field}`].map((path) => this.getCurrentNodeParameter(path));
		const leads = await readLeads(this);
		return entries(field, [...chosen, ...map(leads, field)]);
	};
}

/** Columns of leads, those of these fields with their values. */
async function withLeadValues(
	context: ILoadOptionsFunctions,
	columns: ResourceMapperField[],
): Promise<ResourceMapperField[]> {
	const fields = Object.keys(documentedValues) as Field[];
	const leads = await readLeads(context);
	return columns.map((column) => {
		const field = fields.find((each) => each === column.id);
		return field ? { ...column, options: entries(field, map(leads, field)) } : column;
	});
}

function entries(field: Field, values: unknown[]): INodePropertyOptions[] {
	const texts = values.filter(isString).filter((value) => value.trim() && !value.startsWith('='));
	return enumeration([...documentedValues[field], ...texts]);
}

/** Newest and oldest leads, as many as can be read in time. Lists do not show the source (4.1). */
async function readLeads(context: ILoadOptionsFunctions): Promise<ServiceRecord[]> {
	const leads: ServiceRecord[] = [];
	const stop = new AbortController();
	const read = async () => {
		const client = await createClient(context, { timeoutMs: PATIENCE_MS, signal: stop.signal });
		await collect(client, leads);
	};
	// Whatever happens, see `leadValues`.
	await Promise.race([read(), clock.sleep(PATIENCE_MS, stop.signal)]).catch(() => undefined);
	stop.abort();
	return leads;
}

/** Adds leads of the first and of the last page. */
async function collect(client: Client, leads: ServiceRecord[]): Promise<void> {
	const about = { action: 'Read values of leads', scope: 'leads:read', targets: [] };
	const limit = PAGE_SIZE.largest;
	const read = pageReader(client, { path: '/leads', about, record: listedLead });
	const first = await read({ page: 1, limit });
	leads.push(...first.records);
	const last = pagesIn(first) ?? 1;
	if (last > 1) leads.push(...(await read({ page: last, limit })).records);
}

export const loadOptions = {
	getStatuses: leadValues('status'),
	getPriorities: leadValues('priority'),
	getSources: leadValues('source'),
};

export const listSearch = {
	searchLeads: picker({ plural: 'leads', label: leadLabel }),
	searchContacts: picker({ plural: 'contacts', label: contactLabel }),
	searchConversations: picker({
		plural: 'conversations',
		label: conversationLabel,
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
