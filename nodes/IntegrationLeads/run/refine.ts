/** From a list to what an operation makes of it: reads what the list does not tell, each record once. */
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { readRecord } from '../contract/envelope';
import type { Lookup, Refinement } from '../operation';
import { UnexpectedAnswerError } from '../transport/page';
import { inParallel } from '../transport/paginate';
import { encodeSegment } from '../transport/path';
import type { About } from '../transport/send';
import type { RunServices } from './plan';

/** @throws NodeApiError when a record could not be read: half an export would pass for a whole one */
export async function refine(
	records: ServiceRecord[],
	{ lookups, shape }: Refinement,
	about: About,
	services: RunServices,
): Promise<IDataObject[]> {
	let known = records;
	for (const lookup of lookups) known = await lookUpAll(known, lookup, about, services);
	const { items, notes } = shape(known);
	for (const note of notes) services.notes.add(note);
	return items;
}

async function lookUpAll(
	known: ServiceRecord[],
	lookup: Lookup,
	about: About,
	{ client, notes }: RunServices,
): Promise<ServiceRecord[]> {
	const { route, record: shape, scope, id, join } = lookup;
	const ids = known.map((record) => id(record));
	const found = new Map<string, ServiceRecord | undefined>();
	await inParallel([...new Set(ids)], async (each) => {
		if (each === undefined) return;
		const path = route.slice('GET '.length).replace('{id}', encodeSegment(each, 'ID', false));
		const answer = await client.send(
			{ method: 'GET', path, query: {}, repeatable: true, mayBeMissing: true },
			{ ...about, scope, targets: [] },
		);
		const record = readRecord(answer.data, shape.singular);
		if (!record && answer.status !== 404) {
			throw new UnexpectedAnswerError('The service answered with something that is not a record');
		}
		found.set(each, record);
	});
	const joined = known.map((record, index) => {
		const asked = ids[index];
		return asked === undefined ? record : join(record, found.get(asked));
	});
	const kept = joined.filter((record) => record !== undefined);
	const gone = known.length - kept.length;
	// One is chance. That all have gone is a service that cannot be asked like this, and no empty export.
	if (gone > 1 && kept.length === 0) {
		const read = [...found.values()].some((record) => record !== undefined);
		throw new UnexpectedAnswerError(
			read
				? `Each of the ${gone} ${shape.plural} of the list is gone or has another status when it is read by itself`
				: `None of the ${gone} ${shape.plural} of the list could be read by itself`,
		);
	}
	if (gone > 0) {
		notes.add(
			`${gone} of the list ${gone === 1 ? 'was' : 'were'} deleted or moved to another status before ${gone === 1 ? 'it' : 'they'} could be read, and left out.`,
		);
	}
	return kept;
}
