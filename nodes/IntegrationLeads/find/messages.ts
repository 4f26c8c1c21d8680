/** Names lookups and records in messages. */
import { compact, map } from 'lodash';

import { contactLabel, describeLookup, leadLabel } from '../contract/shown';
import type { RecordShape, Lookup } from '../contract/records';
import type { Client } from '../transport/send';
import { UserError } from '../userError';
import { hasId, shorten, type ServiceRecord } from '../values/json';

/** Records that are meant, or may be, in their order. */
export type Candidates = Array<{
	record: ServiceRecord;
	/** Whether it is known to have the value that is looked up. False if it does not show it, so that it may have it. */
	hasValue: boolean;
	/** The contact, where it was read to tell. */
	contact?: ServiceRecord;
}>;

/** What a search for one value has found. */
export interface Searched {
	lookup: Lookup;
	candidates: Candidates;
}

/** How many records a message names, and how many characters of each it shows. */
const MAX_NAMED_RECORDS = 5;
const MAX_LABEL_LENGTH = 80;

/** The remedy for a value that leads to several records. */
export const chooseOne = ({ singular }: RecordShape) =>
	`Choose the ${singular} by ${singular === 'lead' ? 'its ID or external ID' : 'its ID'}.`;

/** The error for several records, or one that may not have the value. */
export function notOneError(found: Searched[], client: Client): UserError {
	const { record } = found[0].lookup;
	const candidate = found.map(({ lookup, candidates }) => {
		const certainty = candidates.every(({ hasValue }) => hasValue) ? 'leads' : 'may lead';
		const count = candidates.length > 1 ? `${candidates.length} ${record.plural}: ` : '';
		const names = nameRecords(map(candidates, 'record'), record, client);
		return `the ${describeLookup(lookup)} ${certainty} to ${count}${names}`;
	});
	return new UserError(
		`It is unclear which ${record.singular} is meant: ${candidate.join('; ')}`,
		`${chooseOne(record)} If two are one person, join them ${record.singular === 'lead' ? 'with Lead > Merge Into' : 'in the leads service'}.`,
		'ambiguous',
	);
}

/** Names records in a message, with their IDs. */
export function nameRecords(
	records: ServiceRecord[],
	{ singular }: RecordShape,
	{ scrub }: Client,
): string {
	const labelOf = singular === 'lead' ? leadLabel : contactLabel;
	const names = records.slice(0, MAX_NAMED_RECORDS).map((record) => {
		const label = shorten(scrub(labelOf(record)), MAX_LABEL_LENGTH);
		return compact([label, hasId(record) && `(ID ${String(record.id)})`]).join(' ');
	});
	const more = records.length - names.length;
	return names.join('; ') + (more > 0 ? ` and ${more} more` : '');
}
