/**
 * Statuses, priorities and sources to choose from: the values that the spec shows (2), and those that leads of the account
 * have. n8n replaces the entries of a drop-down by what is loaded and shows none if that fails, so nothing here fails: without
 * an answer, or the scope, the known values remain.
 */
import { isString, map, uniq } from 'lodash';
import type {
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperField,
} from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { documentedValues, listedLead } from '../contract/leadRecord';
import { enumeration } from '../fields/common';
import { clock } from '../transport/clock';
import { hasId, inParallel, PAGE_SIZE, pagesIn } from '../transport/paginate';
import { encodeSegment } from '../transport/path';
import { pageReader, readOne } from '../transport/read';
import type { Client } from '../transport/send';
import { createClient } from '../transport/send';

type Field = keyof typeof documentedValues;

/** How long a drop-down waits for the account. */
const PATIENCE_MS = 5000;
/** How many of the newest and of the oldest leads are read individually for what lists leave out (4.1: the source). */
const READ_AT_EACH_END = 5;

/** Fills the drop-down of a field. */
export function leadValues(field: Field) {
	return async function load(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		// On other credentials, n8n replaces a value that is not listed by the default, without a word.
		const chosen = [field, `&${field}`].map((path) => this.getCurrentNodeParameter(path));
		const leads = await readLeads(this, [field]);
		return entries(field, [...chosen, ...map(leads, field)]);
	};
}

/** Columns of leads, those of these fields with their values. */
export async function withLeadValues(
	context: ILoadOptionsFunctions,
	columns: ResourceMapperField[],
): Promise<ResourceMapperField[]> {
	const fields = Object.keys(documentedValues) as Field[];
	const leads = await readLeads(context, fields);
	return columns.map((column) => {
		const field = fields.find((each) => each === column.id);
		return field ? { ...column, options: entries(field, map(leads, field)) } : column;
	});
}

function entries(field: Field, values: unknown[]): INodePropertyOptions[] {
	const texts = values.filter(isString).filter((value) => value.trim() && !value.startsWith('='));
	return enumeration([...documentedValues[field], ...texts]);
}

/** Newest and oldest leads with these fields, as many as can be read in time. */
async function readLeads(
	context: ILoadOptionsFunctions,
	fields: Field[],
): Promise<ServiceRecord[]> {
	const leads: ServiceRecord[] = [];
	const stop = new AbortController();
	const read = async () => {
		const client = await createClient(context, { timeoutMs: PATIENCE_MS, signal: stop.signal });
		await collect(client, fields, leads);
	};
	// Whatever happens, see the top of this file.
	await Promise.race([read(), clock.sleep(PATIENCE_MS, stop.signal)]).catch(() => undefined);
	stop.abort();
	return leads;
}

/**
 * Adds leads of the first and of the last page, and where these lack a field, some of them read individually: at most 12
 * requests, 2 of them where lists show the fields.
 */
async function collect(client: Client, fields: Field[], leads: ServiceRecord[]): Promise<void> {
	const about = { action: 'Read values of leads', scope: 'leads:read', targets: [] };
	const limit = PAGE_SIZE.largest;
	const read = pageReader(client, { path: '/leads', about, record: listedLead });
	const readPage = async (page: number) => {
		const listed = await read({ page, limit });
		leads.push(...listed.records);
		return listed;
	};
	const last = pagesIn(await readPage(1)) ?? 1;
	if (last > 1) await readPage(last);
	const lacking = leads.filter(
		(lead) => hasId(lead) && fields.some((field) => lead[field] === undefined),
	);
	const ends = [...lacking.slice(0, READ_AT_EACH_END), ...lacking.slice(-READ_AT_EACH_END)];
	await inParallel(uniq(ends), async ({ id }) => {
		const path = `/leads/${encodeSegment(String(id), 'ID', true)}`;
		const { record } = await readOne(client, path, 'lead', about);
		if (record) leads.push(record);
	});
}
