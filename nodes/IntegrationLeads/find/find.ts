/**
 * Finds the one record that is meant by what users know of it: an ID, an external ID, an email or a phone. Every value that is
 * given is searched, and all must lead to the same record. The service searches for parts of texts, or may ignore what it is
 * asked; whole values are compared here. What may be meant and cannot be compared fails the item, so that nothing is sent to
 * another one.
 */
import { compact, memoize, omit, partition, startCase, uniqBy } from 'lodash';

import { contactHas, lookupTerms, searchTerms } from '../contract/contactMatch';
import type { ServiceRecord } from '../values/json';
import { parseList, parseRecord } from '../contract/envelope';
import { isRecord, shorten } from '../values/json';
import { contactLabel, joinParts, leadLabel } from '../contract/shown';
import type { RecordShape, Trait } from '../contract/records';
import { contact as contactShape } from '../contract/records';
import type { Lookup, MatchResult, Values } from '../operation';
import type { About } from '../transport/errors';
import { hasId, inParallel, readWhole } from '../transport/paginate';
import { encodeSegment } from '../transport/path';
import { pageReader, readOne, UnexpectedAnswerError } from '../transport/read';
import type { Client } from '../transport/send';
import { beforeSending, UserError } from '../userError';

/** A search with more pages is too broad to find one record. */
const MOST_PAGES = 5;
/** How many records a message names, and how much of each. */
const MOST_NAMED = 5;
const LONGEST_LABEL = 60;
const LONGEST_VALUE = 80;

/** A record, with its contact as far as it was read, and the value that led to it in the form that was found. */
interface Found {
	record: ServiceRecord;
	by: Lookup['by'];
	value: string;
}

/** Records in their order, by whether they are meant. */
interface Sorted {
	matches: ServiceRecord[];
	others: ServiceRecord[];
	unclear: ServiceRecord[];
}

interface Candidates extends Omit<Sorted, 'others'> {
	lookup: Lookup;
	/** The value in the form that was found. */
	value: string;
}

const WORDS: Record<Lookup['by'], string> = {
	id: 'ID',
	externalId: 'external ID',
	email: 'email',
	phone: 'phone',
};

export class Finder {
	/** The ID of a record for a parameter, each asked for once in a run. */
	readonly idOf = memoize(
		async (lookup: Lookup) =>
			String((await beforeSending(this.find([lookup], { required: true })))?.record.id),
		({ record, by, value }) => `${record.singular} ${by} ${value}`,
	);

	/** Undefined for one that no longer exists. Leads do not show the phones of their contacts (spec 2). */
	private readonly readContact = memoize(
		async (value: string) =>
			await this.read({ record: contactShape, label: 'Contact', by: 'id', value }),
		contactPath,
	);

	constructor(private readonly client: Client) {}

	/**
	 * The record that the values lead to, as it is now. An email or a phone that no record has is no contradiction: people have
	 * several. An ID or an external ID must have its record, and tells which of several with the email is meant.
	 *
	 * @param route where the service looks up one value, instead of searching its list
	 * @returns undefined if there is none, and none is `required`
	 * @throws NodeApiError, or UserError where not just one record is meant
	 */
	async find(
		lookups: Lookup[],
		{ required = false, route }: { required?: boolean; route?: string } = {},
	): Promise<Found | undefined> {
		const results = await Promise.all(
			lookups.map(async (lookup) => await this.candidatesFor(lookup, route)),
		);
		const [found, none] = partition(results, (each) => recordsOf(each).length > 0);
		if (found.length === 0 && !required) return undefined;
		const missing = found.length === 0 ? none : none.filter(isIdentifier);
		if (missing.length > 0) throw noneError(missing);
		const identifying = found.filter(isIdentifier);
		const decisive = identifying.length > 0 ? identifying : found;
		const [record, ...more] = uniqBy(decisive.flatMap(recordsOf), idOf);
		const has = (records: ServiceRecord[]) => records.some((each) => idOf(each) === idOf(record));
		const isSure = hasId(record) && decisive.some(({ matches }) => has(matches));
		const isOne = more.length === 0 && found.every((each) => has(recordsOf(each)));
		if (!isSure || !isOne) throw notOneError(found, this.client);
		const [{ lookup, value }] = found;
		return { record: await this.withContact(record), by: lookup.by, value };
	}

	/** What is at this path was written: what was read of it is no longer true. */
	forget(path: string): void {
		this.readContact.cache.delete(path);
	}

	/** A lead with its contact as it was read, if it was. */
	private async withContact(record: ServiceRecord): Promise<ServiceRecord> {
		const { contact } = record;
		const id = isRecord(contact) ? String(contact.id) : '';
		if (!isRecord(contact) || !this.readContact.cache.has(contactPath(id))) return record;
		return { ...record, contact: { ...(await this.readContact(id)), ...contact } };
	}

	/** Which of the records have all of `wanted`. */
	async select(
		records: ServiceRecord[],
		record: RecordShape,
		wanted: Values['match'],
	): Promise<Sorted> {
		const results = new Map<ServiceRecord, MatchResult>();
		await inParallel(records, async (each) => {
			const ofTraits = await Promise.all(
				Object.entries(wanted).map(
					async ([trait, value]) => await this.has(each, record, trait as Trait, value),
				),
			);
			results.set(each, ofTraits.includes(false) ? false : ofTraits.every(Boolean) || undefined);
		});
		return sort(records, (each) => results.get(each));
	}

	private async candidatesFor(lookup: Lookup, route?: string): Promise<Candidates> {
		const { by, value } = lookup;
		const isId = by === 'id' || by === 'externalId';
		try {
			if (isId) return { lookup, value, ...(await this.readByIdentifier(lookup)) };
			const terms = route === undefined ? searchTerms : lookupTerms;
			for (const form of terms(by, value)) {
				const { matches, unclear } =
					route === undefined
						? await this.search(lookup, form)
						: await this.ask(lookup, form, route);
				if (matches.length + unclear.length > 0) return { lookup, value: form, matches, unclear };
			}
			return { lookup, value, matches: [], unclear: [] };
		} catch (reason) {
			throw reason instanceof UnexpectedAnswerError
				? reason.during(aboutOf(lookup).action)
				: reason;
		}
	}

	private async search(lookup: Lookup, search: string): Promise<Sorted> {
		const { record, by, value } = lookup;
		const list = { path: `/${record.plural}`, query: { search }, about: aboutOf(lookup), record };
		const { records, complete } = await readWhole(pageReader(this.client, list), {
			mostPages: MOST_PAGES,
		});
		if (complete) return await this.select(records, record, { [by]: value });
		throw new UserError(
			`Too many ${record.plural} were found for the ${inWords(lookup)}`,
			`The service may not search, or the list changes while it is read or does not show where it ends. ${chooseOne(record)}`,
		);
	}

	/** The service has looked already: its answer counts unless it plainly shows another value. */
	private async ask(lookup: Lookup, form: string, route: string): Promise<Sorted> {
		const { record, by } = lookup;
		const { singular, plural } = record;
		const { data } = await this.client.send(
			{ method: 'GET', path: route, query: { [by]: form }, repeatable: true, mayBeMissing: true },
			aboutOf(lookup),
		);
		const empty = { matches: [], others: [], unclear: [] };
		// `{ contact: null }` may come with suggestions.
		if (isRecord(data) && (data[singular] === null || data.found === false)) return empty;
		const withId = (entries: unknown[]) =>
			entries
				.filter(isRecord)
				.map((each) => parseRecord(each, singular))
				.filter(hasId);
		const isNamedList = isRecord(data) && Array.isArray(data[plural]);
		const single = isNamedList ? [] : withId([data]);
		const found = single.length > 0 ? single : withId(parseList(data, plural, {})?.records ?? []);
		// An ID in an unexpected place: treating it as "not found" would create a duplicate.
		if (
			found.length === 0 &&
			isRecord(data) &&
			/"(?:id|\w+Id)":(?!null)/.test(JSON.stringify(data))
		) {
			throw new UnexpectedAnswerError(
				`The service answered a search with no ${singular} that can be read`,
			);
		}
		const sorted = sort(uniqBy(found, idOf), (each) =>
			contactHas(each, by as Trait, form, 'found'),
		);
		const { matches, others, unclear } = sorted;
		if (matches.length + others.length > 0) return { ...empty, matches };
		return unclear.length === 1 ? { ...empty, matches: unclear } : sorted;
	}

	/** The service takes an external ID for an ID (4.2). */
	private async readByIdentifier(lookup: Lookup): Promise<Sorted> {
		const { by, value } = lookup;
		const found = await this.read(lookup);
		// A service that does not show external IDs is believed, unless it took the value for an ID.
		return sort(found ? [found] : [], ({ id, externalId }) =>
			by === 'id' || externalId === undefined
				? (String(id) === value) === (by === 'id')
				: String(externalId) === value,
		);
	}

	private async has(
		record: ServiceRecord,
		{ singular }: RecordShape,
		trait: Trait,
		value: string,
	): Promise<MatchResult> {
		const contact = singular === 'lead' ? record.contact : record;
		if (contact === null) return false;
		if (!isRecord(contact)) return undefined;
		const shown = contactHas(contact, trait, value, 'whole');
		if (shown !== undefined || !hasId(contact)) return shown;
		const whole = await this.readContact(String(contact.id));
		return whole && contactHas(whole, trait, value, 'whole');
	}

	/** The record to which the service leads by an ID. */
	private async read(lookup: Lookup): Promise<ServiceRecord | undefined> {
		const { record, label, value } = lookup;
		const path = `/${record.plural}/${encodeSegment(value, label, true)}`;
		return (await readOne(this.client, path, record.singular, aboutOf(lookup))).record;
	}
}

function sort(records: ServiceRecord[], matchOf: (record: ServiceRecord) => MatchResult): Sorted {
	const results = records.map(matchOf);
	const having = (result: MatchResult) => records.filter((_, index) => results[index] === result);
	return { matches: having(true), others: having(false), unclear: having(undefined) };
}

const contactPath = (id: string) => `/${contactShape.plural}/${encodeSegment(id, 'Contact', true)}`;
const recordsOf = ({ matches, unclear }: Candidates) => [...matches, ...unclear];
const idOf = (record: ServiceRecord) => (hasId(record) ? String(record.id) : record);
const isIdentifier = ({ lookup: { by } }: Candidates) => by === 'id' || by === 'externalId';

function aboutOf({ record: { singular, plural }, by }: Lookup): About {
	return { action: `Find ${singular} by ${WORDS[by]}`, scope: `${plural}:read`, targets: [] };
}

/** What is looked up, e.g. `email "ana@example.com"`. */
function inWords({ by, value }: Pick<Lookup, 'by' | 'value'>): string {
	return `${WORDS[by]} "${shorten(value, LONGEST_VALUE)}"`;
}

const chooseOne = ({ singular }: RecordShape) =>
	`Choose the ${singular} by ${singular === 'lead' ? 'its ID or external ID' : 'its ID'}.`;

function noneError(results: Candidates[]): UserError {
	const [{ singular }] = results.map(({ lookup }) => lookup.record);
	return new UserError(
		`No ${singular} has the ${results.map(({ lookup }) => inWords(lookup)).join(' or the ')}`,
		`Check the value, or search for a part of the name with ${startCase(singular)} > Get Many.`,
	);
}

/** Several were found, or one that only may have the value. */
export class NotOneError extends UserError {}

function notOneError(found: Candidates[], client: Pick<Client, 'scrub'>): NotOneError {
	const { record } = found[0].lookup;
	const each = found.map((result) => {
		const isUnclear = result.unclear.length > 0;
		const names = nameRecords(recordsOf(result), record, client);
		const all = recordsOf(result).length;
		const how = isUnclear ? 'may lead' : 'leads';
		return `the ${inWords(result.lookup)} ${how} to ${all > 1 ? `${all} ${record.plural}: ` : ''}${names}`;
	});
	return new NotOneError(
		`It is not certain which ${record.singular} is meant: ${each.join('; ')}`,
		`${chooseOne(record)} If two are one person, join the ${record.plural} in the leads service.`,
	);
}

/** Records in words for a message. What identifies them is not cut. */
export function nameRecords(
	records: ServiceRecord[],
	{ singular }: RecordShape,
	{ scrub }: Pick<Client, 'scrub'>,
): string {
	const labelOf = singular === 'lead' ? leadLabel : contactLabel;
	const names = records.slice(0, MOST_NAMED).map((record) => {
		const label = shorten(labelOf(omit(record, 'externalId')), LONGEST_LABEL);
		const whole = joinParts(label, singular === 'lead' && record.externalId);
		return compact([scrub(whole), hasId(record) && `(ID ${String(record.id)})`]).join(' ');
	});
	const more = records.length - names.length;
	return names.join('; ') + (more > 0 ? ` and ${more} more` : '');
}
