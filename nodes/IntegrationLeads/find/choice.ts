/** Chooses the one record that is meant among those which searches have found, and names them where that is unclear. Pure. */
import { compact, get, isObject, map, partition, startCase, uniqBy } from 'lodash';

import { contactHas } from '../contract/samePerson';
import { parseList, parseRecord } from '../contract/envelope';
import { contactLabel, describeLookup, leadLabel } from '../contract/shown';
import type { ContactKey, RecordShape, Lookup } from '../contract/records';
import type { FindOptions } from '../operation';
import type { Client } from '../transport/send';
import { UserError } from '../userError';
import { isBlank } from '../values/convert';
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

/** The one record that is meant. */
export interface Chosen {
	record: ServiceRecord;
	/** Its contact, where it was read to tell. */
	contact?: ServiceRecord;
	/** The values that lead to it. */
	lookups: Lookup[];
}

/**
 * Chooses the record to which all values lead. A missing email or phone is not an error: people have more than one. An ID or an
 * external ID must lead to a record, and decides between several with the same email.
 *
 * @returns undefined if there is none
 * @throws UserError unless just one record is meant, or if there is none and it is `required`
 */
export function choose(
	results: Searched[],
	{ required, orNone }: FindOptions,
	client: Pick<Client, 'scrub'>,
): Chosen | undefined {
	const [found, none] = partition(results, ({ candidates }) => candidates.length > 0);
	if (found.length === 0 && !required) return undefined;
	const missing = found.length === 0 ? none : none.filter(isById);
	if (missing.length > 0) {
		if (orNone) return undefined;
		throw noneError(map(missing, 'lookup'));
	}
	const decisive = found.some(isById) ? found.filter(isById) : found;
	const all = decisive.flatMap(({ candidates }) => candidates);
	const [{ record }] = all;
	const isMeant = (candidate: Candidates[number]) =>
		identityOf(candidate.record) === identityOf(record);
	const isOne = all.every(isMeant) && all.some(({ hasValue }) => hasValue);
	if (hasId(record) && isOne && found.every(({ candidates }) => candidates.some(isMeant))) {
		const contact = all.find((candidate) => candidate.contact)?.contact;
		return { record, contact, lookups: map(found, 'lookup') };
	}
	if (orNone) return undefined;
	throw notOneError(found, client);
}

/** The records that are meant, or may be. */
export function candidatesIn(
	records: ServiceRecord[],
	isMeant: (record: ServiceRecord) => boolean | undefined,
): Candidates {
	return records.flatMap((record) => {
		const is = isMeant(record);
		return is === false ? [] : [{ record, hasValue: is === true }];
	});
}

/**
 * The records in the answer of a route that looks up a value: it counts unless it plainly shows another value.
 *
 * @param form the spelling of the value that was asked for
 * @returns undefined for an answer with an ID in an unexpected place: taking it for "not found" would create a duplicate
 */
export function candidatesInAnswer(
	data: unknown,
	{ by, record: { singular, plural } }: Lookup & { by: ContactKey },
	form: string,
): Candidates | undefined {
	// `{ contact: null }` may come with suggestions.
	if (!isObject(data) || get(data, singular) === null || get(data, 'found') === false) return [];
	const one = Array.isArray(get(data, plural)) ? undefined : parseRecord(data, singular);
	const entries = one && hasId(one) ? [one] : (parseList(data, plural, {})?.records ?? []);
	const found = entries.map((candidate) => parseRecord(candidate, singular)).filter(hasId);
	if (found.length === 0 && /"(?:id|\w+Id)":(?!null)/.test(JSON.stringify(data))) return undefined;
	const distinct = uniqBy(found, identityOf);
	const candidates = candidatesIn(distinct, (candidate) =>
		isBlank(candidate[by]) ? undefined : contactHas(candidate, by, form),
	);
	if (distinct.length === 1)
		return candidates.map((candidate) => ({ ...candidate, hasValue: true }));
	const sure = candidates.filter(({ hasValue }) => hasValue);
	return sure.length > 0 || candidates.length < distinct.length ? sure : candidates;
}

/** The contact that a lead shows, or the ID of one that it does not show. */
export const contactIn = ({ contact, contactId }: ServiceRecord): unknown =>
	contact === undefined && !isBlank(contactId) ? { id: contactId } : contact;

/** Whether all are true; undefined if none is false and some are unknown. */
export const areAll = (results: Array<boolean | undefined>) =>
	results.includes(false) ? false : results.every(Boolean) || undefined;

/** What makes a record the same as another. */
const identityOf = (record: ServiceRecord) => (hasId(record) ? String(record.id) : record);

const isById = ({ lookup: { by } }: { lookup: Lookup }) => by === 'id' || by === 'externalId';

/** How many records a message names, and how many characters of each it shows. */
const MAX_NAMED_RECORDS = 5;
const MAX_LABEL_LENGTH = 80;

/** What to do about a value that leads to several records. */
export const giveId = ({ singular }: RecordShape) =>
	`Choose the ${singular} by ${singular === 'lead' ? 'its ID or external ID' : 'its ID'}.`;

/** The error for values to which no record belongs. */
function noneError(lookups: Lookup[]): UserError {
	const [{ record }] = lookups;
	const search = `Check the value, or search for a part of the name with ${startCase(record.singular)} > Get Many.`;
	return new UserError(
		`No ${record.singular} has the ${lookups.map(describeLookup).join(' or the ')}`,
		{ panel: search, model: search },
	);
}

/** The error for several records, or one that may not have the value. */
function notOneError(found: Searched[], client: Pick<Client, 'scrub'>): UserError {
	const { record } = found[0].lookup;
	const candidate = found.map(({ lookup, candidates }) => {
		const certainty = candidates.every(({ hasValue }) => hasValue) ? 'leads' : 'may lead';
		const count = candidates.length > 1 ? `${candidates.length} ${record.plural}: ` : '';
		const names = nameRecords(map(candidates, 'record'), record, client);
		return `the ${describeLookup(lookup)} ${certainty} to ${count}${names}`;
	});
	return new UserError(
		`It is unclear which ${record.singular} is meant: ${candidate.join('; ')}`,
		`${giveId(record)} If two are one person, join them ${record.singular === 'lead' ? 'with Lead > Merge Into' : 'in the leads service'}.`,
		'ambiguous',
	);
}

/** Names records in a message, with their IDs. */
export function nameRecords(
	records: ServiceRecord[],
	{ singular }: RecordShape,
	{ scrub }: Pick<Client, 'scrub'>,
): string {
	const labelOf = singular === 'lead' ? leadLabel : contactLabel;
	const names = records.slice(0, MAX_NAMED_RECORDS).map((record) => {
		const label = shorten(scrub(labelOf(record)), MAX_LABEL_LENGTH);
		return compact([label, hasId(record) && `(ID ${String(record.id)})`]).join(' ');
	});
	const more = records.length - names.length;
	return names.join('; ') + (more > 0 ? ` and ${more} more` : '');
}
