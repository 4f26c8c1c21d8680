/** Items whose operation reads a list: what is asked for, which records are left out, and what is computed from them. */
import { isEmpty } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { searchTerms } from '../contract/contactMatch';
import type { ServiceRecord } from '../values/json';
import type { Trait } from '../contract/records';
import type { Enrichment, Output, Report } from '../operation';
import type { ReadList } from '../transport/paginate';
import { completeList, hasId, inParallel, readWhole } from '../transport/paginate';
import { encodeSegment } from '../transport/path';
import { pageReader, readOne, UnexpectedAnswerError } from '../transport/read';
import type { About } from '../transport/errors';
import { nameRecords } from '../find/find';
import { runList } from '../find/list';
import { simplify } from '../output/output';
import type { RequestPlan } from '../prepare/plan';
import type { RunServices } from '../requests/services';

/**
 * Reads the list of an item.
 *
 * @throws NodeApiError when a record could not be read that a report needs: half an export would pass for a whole one
 */
export async function listItems(plan: RequestPlan, services: RunServices): Promise<IDataObject[]> {
	const { operation, request, values, report } = plan;
	if (report?.records) return await runReport(report.records, report, plan.about, services);
	const { records, completeness } = isEmpty(values.match)
		? await readList(plan, services, request.query)
		: await search(plan, services);
	if (completeness === 'unclear' && !records.every(hasId)) {
		services.hints.add(
			'The entries of this list have no ID, so changes while it was read cannot be noticed: entries may be missing or come twice.',
		);
	} else if (completeness !== 'complete') {
		services.hints.add(
			'The list changed while it was read, so entries may be missing. Run it again when fewer changes are being made. If that never helps, the service repeats its pages.',
		);
	}
	if (report) return await runReport(records, report, plan.about, services);
	return await simplify(operation.output, records, values);
}

/** @param select see {@link runList} */
async function readList(
	{ operation, request, about, values, report }: RequestPlan,
	{ client }: RunServices,
	filters: IDataObject,
	select?: Parameters<typeof runList>[4],
): Promise<ReadList> {
	return await runList(
		operation.output,
		filters,
		async (query) => await client.send({ ...request, query }, about),
		report ? { settings: { returnAll: true } } : values,
		select,
	);
}

/** Searches the list for each form of a whole value until one is found. */
async function search(plan: RequestPlan, services: RunServices): Promise<ReadList> {
	const { operation, request } = plan;
	const { match } = plan.values;
	const { client, finder, hints } = services;
	const { record } = operation.output as Extract<Output, { kind: 'many' }>;
	const wanted = Object.entries(match) as Array<[Trait, string]>;
	const values = wanted.map(([trait, value]) => `the ${trait} ${value}`).join(' and ');
	const select = async (records: ServiceRecord[]) => {
		const { matches, unclear } = await finder.select(records, record, match);
		if (unclear.length > 0) {
			hints.add(
				`Left out, because the service does not show whether they have ${values}: ${nameRecords(unclear, record, client)}.`,
			);
		}
		return matches;
	};
	const terms = request.query.search ? [request.query.search] : searchTerms(...wanted[0]);
	let found = completeList([]);
	for (const term of terms) {
		found = await readList(plan, services, { ...request.query, search: term }, select);
		if (found.records.length > 0) break;
	}
	const { length } = found.records;
	if (length > 1) {
		hints.add(`${length} ${record.plural} have ${values}. What follows runs for each of them.`);
	}
	return found;
}

/** Computes the items from the records, and from what the list leaves out. */
async function runReport(
	listed: ServiceRecord[],
	{ enrichments, build }: Report,
	about: About,
	services: RunServices,
): Promise<IDataObject[]> {
	let records = listed;
	for (const enrichment of enrichments) {
		records = await enrich(records, enrichment, about, services);
	}
	const { items, hints } = build(records);
	for (const hint of hints) services.hints.add(hint);
	return items;
}

/** Requests each ID once. */
async function enrich(
	records: ServiceRecord[],
	{ route, record: shape, list, scope, id, merge }: Enrichment,
	about: About,
	{ client, hints }: RunServices,
): Promise<ServiceRecord[]> {
	const ids = records.map((record) => id(record));
	const found = new Map<string, ServiceRecord | undefined>();
	await inParallel([...new Set(ids)], async (each) => {
		if (each === undefined) return;
		const path = route.slice('GET '.length).replace('{id}', encodeSegment(each, 'ID', false));
		const ownAbout = { ...about, scope, targets: [] };
		if (list) {
			const readPage = pageReader(client, { path, about: ownAbout, record: shape });
			found.set(each, { [shape.plural]: (await readWhole(readPage)).records });
			return;
		}
		const { record, status } = await readOne(client, path, shape.singular, ownAbout);
		if (!record && status !== 404) {
			throw new UnexpectedAnswerError('The service answered with something that is not a record');
		}
		found.set(each, record);
	});
	const merged = records.map((record, index) => {
		const requested = ids[index];
		return requested === undefined ? record : merge(record, found.get(requested));
	});
	const kept = merged.filter((record) => record !== undefined);
	const dropped = records.length - kept.length;
	// One may be chance. If all are dropped, the service cannot be read like this, and the export is not empty.
	if (dropped > 1 && kept.length === 0) {
		throw new UnexpectedAnswerError(
			`None of the ${dropped} ${shape.plural} in the list is there with the same status when read individually`,
		);
	}
	if (dropped > 0) {
		hints.add(
			`Left out, because they were deleted or moved to another status before they could be read: ${dropped} of the list.`,
		);
	}
	return kept;
}
