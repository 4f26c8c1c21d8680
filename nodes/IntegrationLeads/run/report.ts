/** Operations whose output is computed from a whole list. */
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import type { Enrichment, Report } from '../operation';
import { pageReader, readOne, UnexpectedAnswerError } from '../transport/read';
import { inParallel, readWhole } from '../transport/paginate';
import { encodeSegment } from '../transport/path';
import type { About } from '../transport/errors';
import type { RunServices } from './services';

/** @throws NodeApiError when a record could not be read, because half an export would pass for a whole one */
export async function runReport(
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
			[...found.values()].some((record) => record !== undefined)
				? `Each of the ${dropped} ${shape.plural} in the list is gone or has another status when read individually`
				: `None of the ${dropped} ${shape.plural} in the list could be read individually`,
		);
	}
	if (dropped > 0) {
		hints.add(
			`${dropped} of the list ${dropped === 1 ? 'was' : 'were'} deleted or moved to another status before ${dropped === 1 ? 'it' : 'they'} could be read, and left out.`,
		);
	}
	return kept;
}
