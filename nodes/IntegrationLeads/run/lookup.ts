/**
 * Finds records by what users know instead of an ID: an external ID, an email or a phone. Every value that is given is
 * searched, and all must lead to one record. The service searches for parts of texts; whole values are compared here. A record
 * that may be meant but cannot be compared fails the item, so that nothing is sent to another one. All records of a run are
 * found before anything is sent, each value once.
 */
import { memoize } from 'lodash';

import { contactHas, searchTerms } from '../contract/contactMatch';
import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import type { RecordShape, Trait } from '../contract/records';
import { contact as contactShape } from '../contract/records';
import type { Found, Lookup, Values, MatchResult } from '../operation';
import { pageReader, readOne, UnexpectedAnswerError } from '../transport/read';
import { hasId, inParallel } from '../transport/paginate';
import { encodeSegment } from '../transport/path';
import type { About } from '../transport/errors';
import type { Client } from '../transport/send';
import { beforeSending, UserError } from '../userError';
import { readToEnd } from './list';
import type { Candidates, SortedCandidates } from './candidates';
import { inWords, oneRecord, sortCandidates, WORDS } from './candidates';

/** A search with more pages is too broad to find one record. */
const MOST_PAGES = 5;

export class RecordLookups {
	/** Equal lookups have the same candidates. */
	private readonly candidatesFor = memoize(
		async (lookup: Lookup) => await beforeSending(this.readCandidates(lookup)),
		({ record, by, value }) => `${record.singular} ${by} ${value}`,
	);

	/** Undefined for one that no longer exists. */
	private readonly readContact = memoize(async (id: string, trait: Trait) => {
		return await this.read({ record: contactShape, label: 'Contact', by: trait, value: id });
	});

	constructor(private readonly client: Client) {}

	/** Which of the records have all of `wanted`. */
	async select(
		records: ServiceRecord[],
		record: RecordShape,
		wanted: Values['match'],
	): Promise<SortedCandidates<ServiceRecord>> {
		const results = new Map<ServiceRecord, MatchResult>();
		await inParallel(records, async (each) => {
			const ofTraits = await Promise.all(
				Object.entries(wanted).map(
					async ([trait, value]) => await this.has(each, record, trait as Trait, value),
				),
			);
			results.set(each, ofTraits.includes(false) ? false : ofTraits.every(Boolean) || undefined);
		});
		return sortCandidates(records, (each) => results.get(each));
	}

	/**
	 * The record that the values lead to. Undefined only if there is none, and it is optional.
	 *
	 * @throws NodeApiError, or UserError if not exactly one record is found
	 */
	readonly lookUp = async (lookups: Lookup[], optional = false): Promise<Found | undefined> => {
		const results = Promise.resolve(await Promise.all(lookups.map(this.candidatesFor)));
		return await beforeSending(results.then((all) => oneRecord(all, optional, this.client)));
	};

	/**
	 * The same as it is now, if there is one.
	 *
	 * @throws as {@link lookUp}
	 */
	async lookUpNow(lookups: Lookup[]): Promise<Found | undefined> {
		const { client } = this;
		const now = new RecordLookups(client);
		const read = async (lookup: Lookup) => await now.readCandidates(lookup);
		return oneRecord(await Promise.all(lookups.map(read)), true, client);
	}

	/**
	 * The only record that has the value; undefined also where several have it, or may have it.
	 *
	 * @throws NodeApiError, or UserError where the service does not search
	 */
	async lookUpOnly(lookup: Lookup): Promise<ServiceRecord | undefined> {
		const { matches, unclear } = await this.readCandidates(lookup);
		const [only, ...others] = matches.filter(hasId);
		return others.length + unclear.length === 0 ? only : undefined;
	}

	private async readCandidates(lookup: Lookup): Promise<Candidates> {
		const { by, value } = lookup;
		const find =
			by === 'id' || by === 'externalId'
				? this.readByIdentifier(lookup)
				: this.search(lookup, { [by]: value });
		const { matches, unclear } = await find.catch((reason: unknown) => {
			throw reason instanceof UnexpectedAnswerError
				? reason.during(aboutOf(lookup).action)
				: reason;
		});
		return { lookup, matches, unclear };
	}

	private async search(
		lookup: Lookup,
		wanted: Values['match'],
	): Promise<SortedCandidates<ServiceRecord>> {
		const { record, by, value } = lookup;
		let found = sortCandidates<ServiceRecord>([], () => undefined);
		for (const search of searchTerms(by as Trait, value)) {
			const path = `/${record.plural}`;
			const list = { path, query: { search }, about: aboutOf(lookup), record };
			const { records, complete } = await readToEnd(pageReader(this.client, list), MOST_PAGES);
			if (!complete) {
				throw new UserError(
					`Too many ${record.plural} were found for the ${inWords(lookup)}`,
					`The service may not search, or the list changes while it is read or does not show where it ends. Choose the ${record.singular} by its ID.`,
				);
			}
			found = await this.select(records, record, wanted);
			if (found.matches.length + found.unclear.length > 0) break;
		}
		return found;
	}

	/** The service takes an external ID for an ID (4.2). */
	private async readByIdentifier(lookup: Lookup): Promise<SortedCandidates<ServiceRecord>> {
		const { by, value } = lookup;
		const found = await this.read(lookup);
		// A service that does not show external IDs is believed, unless it took the value for an ID.
		return sortCandidates(found ? [found] : [], ({ id, externalId }) =>
			by === 'id' || externalId === undefined
				? (String(id) === value) === (by === 'id')
				: String(externalId) === value,
		);
	}

	/** Whether a record has the value; lists of leads lack the phones of contacts (4.1), so these are read. */
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
		const whole = await this.readContact(String(contact.id), trait);
		return whole && contactHas(whole, trait, value, 'whole');
	}

	/** The record to which the service leads by the value. */
	private async read(lookup: Lookup): Promise<ServiceRecord | undefined> {
		const { record, label, value } = lookup;
		const path = `/${record.plural}/${encodeSegment(value, label, true)}`;
		return (await readOne(this.client, path, record.singular, aboutOf(lookup))).record;
	}
}

function aboutOf({ record, by }: Lookup): About {
	const { singular, plural } = record;
	return {
		action: `Find ${singular} by ${WORDS[by]}`,
		scope: `${plural}:read`,
		targets: [],
	};
}
