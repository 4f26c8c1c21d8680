/**
 * Statuses, priorities and sources to choose from: the values that the spec shows (2), and those that leads of the account
 * have. n8n replaces the entries of a drop-down by what is loaded and shows none if that fails, so nothing here fails: without
 * an answer, or the scope, the known values remain.
 */
import { isString, map } from 'lodash';
import type {
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperField,
} from 'n8n-workflow';

import type { ServiceRecord } from '../values/json';
import { documentedValues, listedLead } from '../contract/leadRecord';
import { enumeration } from '../fields/common';
import { clock } from '../transport/clock';
import { PAGE_SIZE, pagesIn } from '../transport/paginate';
import { pageReader } from '../transport/read';
import type { Client } from '../transport/send';
import { createClient } from '../transport/send';

type Field = keyof typeof documentedValues;

/** How long a drop-down waits for the account. */
const PATIENCE_MS = 5000;

/** Fills the drop-down of a field. */
export function leadValues(field: Field) {
	return async function load(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		// On other credentials, n8n replaces a value that is not listed by the default, without a word.
		const chosen = [field, `&${field}`].map((path) => this.getCurrentNodeParameter(path));
		const leads = await readLeads(this);
		return entries(field, [...chosen, ...map(leads, field)]);
	};
}

/** Columns of leads, those of these fields with their values. */
export async function withLeadValues(
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
	// Whatever happens, see the top of this file.
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
