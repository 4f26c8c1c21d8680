/** The methods that fill lists in n8n's panel. They read from the service when a list is opened, a page at a time. */
import { uniqBy } from 'lodash';
import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	ResourceMapperFields,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { ServiceRecord } from '../values/json';
import { contactLabel, conversationLabel, joinParts, leadLabel } from '../contract/shown';
import { leadColumns } from '../columns/mapping';
import type { ReadPage } from '../transport/paginate';
import { paginate } from '../transport/paginate';
import { pageReader, UnexpectedAnswerError } from '../transport/read';
import { createClient } from '../transport/send';
import { leadValues, withLeadValues } from './leadValues';

/** A list of the service to choose from. */
interface PickerList {
	/** The name of the list in its path, its scope and the answer. */
	plural: string;
	/** @param timezone of dates */
	label: (record: ServiceRecord, timezone: string) => string;
	/** How many pages the node searches before the user has to scroll on. Without, the service searches. */
	maxPages?: number;
}

const PAGE_SIZE = 50;

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
		const limit = PAGE_SIZE * ((text && maxPages) || 1);
		const options = { startPage: Number(paginationToken), pageSize: PAGE_SIZE };
		let next: number | undefined;
		for await (const page of paginate(read, limit, options)) {
			const entries = page.records.flatMap((each) => toEntry(each, list, this.getTimezone()));
			results.push(...entries.filter(({ name }) => name.toLowerCase().includes(text)));
			({ next } = page);
			if (results.length >= PAGE_SIZE) break;
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
