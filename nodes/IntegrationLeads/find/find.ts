/**
 * Finds the one record that the user means by an ID, an external ID, an email or a phone. All values must lead to the same record;
 * the phone is not searched if the email has led to a contact with the person's name. The service matches parts of texts, or may
 * ignore a filter, so whole values are compared here. If a record may be meant but cannot be compared, the item fails, so that
 * nothing is sent to the wrong one.
 */
import { compact, get, isNil, memoize } from 'lodash';

import {
	contactHas,
	isDecidedByRest,
	type PersonFacts,
	PHONES_UNREAD,
	refuseOther,
	REMEDIES,
	searchTerms,
} from '../contract/samePerson';
import { hidesReplaced } from '../contract/differences';
import { byLeadId } from '../contract/leadKey';
import { describeLookup, LOOKUP_LABELS } from '../contract/shown';
import { hasId, isRecord, type ServiceRecord, toRecord, entriesOf } from '../values/json';
import {
	contact as contactShape,
	lead as leadShape,
	leaveOutMerged,
	type RecordShape,
	type ContactKey,
	type Lookup,
} from '../contract/records';
import type { FindOptions, Values } from '../operation';
import type { ErrorContext } from '../transport/errors';
import { inParallel } from '../transport/parallel';
import { encodeSegment } from '../transport/path';
import type { Permissions } from '../transport/permissions';
import { readOne, unexpectedAnswer, readList } from '../transport/read';
import type { Client } from '../transport/send';
import { beforeSending, isForbidden, isOutage, UserError } from '../userError';
import { isBlank } from '../values/convert';
import { mobileVariants } from '../values/phone';
import { isSameWord } from '../values/words';
import {
	areAll,
	candidatesIn,
	candidatesInAnswer,
	choose,
	contactIn,
	giveId,
	type Candidates,
	type Chosen,
	type Searched,
} from './choice';

const lookupKey = ({ record, by, value }: Lookup) => `${record.singular} ${by} ${value}`;

/** A search with more pages is too broad to find one record. */
const MAX_PAGES = 5;

/** Whether a record has what is wanted, as far as it is shown, and its contact if that was read. */
interface Match {
	has: boolean | undefined;
	contact?: ServiceRecord;
}

export class Finder {
	/** The ID of a record for a parameter, each looked up once in a run, but for what fails in an outage. */
	readonly idOf = memoize(async (lookup: Lookup) => {
		const found = await beforeSending(this.asItem().find([lookup], { required: true })).catch(
			(reason: unknown) => {
				if (isOutage(reason)) this.idOf.cache.delete(lookupKey(lookup));
				throw reason;
			},
		);
		if (found) this.lookedUp.set(`${lookup.record.singular} ${String(found.id)}`, found);
		return String(found?.id);
	}, lookupKey);

	constructor(
		private readonly client: Client,
		private readonly permissions: Permissions,
		readonly contacts = new ContactMemory(client),
		/** What `idOf` has found, by the word for the record and its ID. */
		readonly lookedUp = new Map<string, ServiceRecord>(),
	) {}

	/** The same finder, with the client of one item, and its hints. */
	with(client: Client, permissions = this.permissions): Finder {
		return new Finder(client, permissions, this.contacts, this.lookedUp);
	}

	/** The same with a place of its own in the queue, for look-ups of which a run or a request makes many. */
	asItem(): Finder {
		return this.with(this.client.forItem(false));
	}

	/**
	 * Finds the record that the values lead to, see {@link choose}.
	 *
	 * @param how.route the route at which the service looks up one value, instead of searching its list
	 * @returns undefined if there is none, unless it is `required`
	 * @throws ServiceError, or UserError unless just one record is meant
	 */
	async find(
		lookups: Lookup[],
		{ person, route, sent = {}, ...options }: FindOptions & { route?: string } = {},
	): Promise<ServiceRecord | undefined> {
		const isOnly = lookups.length === 1;
		const search = async (lookup: Lookup) => await this.searchIfPermitted(lookup, isOnly, route);
		const sought = toRecord(person);
		const chosen = choose(await searchInOrder(lookups, search, sought), options, this.client);
		return chosen && (await this.compare(chosen, sought, sent));
	}

	/**
	 * Makes sure that a record is that of the person who is meant.
	 *
	 * @returns a lead with the contact, where that was read, and with what it has of the fields that are sent next
	 * @throws UserError if it is another person's
	 */
	private async compare(
		{ record, contact, lookups }: Chosen,
		sought: PersonFacts,
		sent: ServiceRecord,
	): Promise<ServiceRecord> {
		const isLead = lookups[0].record.singular === 'lead';
		const shown = toRecord(isLead ? contactIn(record) : record);
		const isRead = contact === undefined && isDecidedByRest(sought, shown);
		const read = isRead ? await this.readRest(shown) : contact;
		const whole = { ...read, ...shown };
		const which = lookups.map(describeLookup).join(' and the ');
		const { id, externalId } = record;
		const remedy = isLead ? REMEDIES[lookups[0].by] : 'If they share it, use Contact > Create.';
		refuseOther(which, sought, { ...whole, id, externalId }, remedy);
		if (!isLead) return record;
		const hidden = hidesReplaced(sent, record)
			? await this.read({ ...byLeadId(String(id)), record: leadShape })
			: {};
		return { ...hidden, ...record, ...(read && { contact: whole }) };
	}

	/** Returns the contact of a lead, with fields that only reading the contact shows, as far as the key permits that. */
	async contactOf(lead: ServiceRecord): Promise<ServiceRecord> {
		const shown = toRecord(contactIn(lead));
		return { ...shown, ...(await this.readRest(shown)) };
	}

	/** The records that have all of `wanted`, or may have them. */
	async select(
		records: ServiceRecord[],
		{ singular }: RecordShape,
		wanted: Values['filter'],
	): Promise<Candidates> {
		const matches = new Map<ServiceRecord, Match>();
		await inParallel(records, async (candidate) => {
			matches.set(
				candidate,
				await this.match(singular === 'lead' ? contactIn(candidate) : candidate, wanted),
			);
		});
		const candidates = candidatesIn(records, (candidate) => matches.get(candidate)?.has);
		return candidates.map((candidate) => ({
			...candidate,
			contact: matches.get(candidate.record)?.contact,
		}));
	}

	/**
	 * Searches for one value. To compare the phone of a lead, its contact is read. If the key does not permit that, the other values
	 * decide, or if there are none, the external ID, which is the phone where *Create or Update* created the lead by it.
	 *
	 * @returns undefined if the other values decide
	 * @throws ServiceError, also if no lead has the only phone as its external ID
	 */
	private async searchIfPermitted(
		lookup: Lookup,
		isOnly: boolean,
		route?: string,
	): Promise<Searched | undefined> {
		const search = async () => ({ lookup, candidates: await this.candidatesOf(lookup, route) });
		if (lookup.by !== 'phone' || lookup.record.singular !== 'lead') return await search();
		if (!isOnly) return await this.permissions.ifPermitted(PHONES_UNREAD, search);
		return await search().catch(async (reason: unknown) => {
			if (!isForbidden(reason)) throw reason;
			const byId = { ...lookup, by: 'externalId' as const };
			const candidates = await this.candidatesOf(byId);
			if (candidates.length === 0) throw reason;
			return { lookup: byId, candidates };
		});
	}

	private async candidatesOf(lookup: Lookup, route?: string): Promise<Candidates> {
		const { by, value } = lookup;
		if (by === 'id' || by === 'externalId') return await this.readByIdentifier(lookup);
		// A route that looks up whole values needs a Brazilian mobile number both with and without its ninth digit.
		const brazilian = mobileVariants(value).filter((candidate) => candidate.startsWith('+55'));
		const forms = route === undefined ? searchTerms(by, value) : [value, ...brazilian];
		for (const form of forms) {
			const candidates = await (route === undefined
				? this.search(lookup, form)
				: this.ask({ ...lookup, by }, form, route));
			if (candidates.length > 0) return candidates;
		}
		return [];
	}

	private async search(lookup: Lookup, search: string): Promise<Candidates> {
		const { record, by, value } = lookup;
		const list = {
			path: `/${record.plural}`,
			query: { search },
			errorContext: lookupContext(lookup),
			record,
		};
		const { records, complete } = await readList(this.client, list, { most: MAX_PAGES });
		if (complete) return leaveOutMerged(await this.select(records, record, { [by]: value }));
		throw new UserError(
			`Too many ${record.plural} were found for the ${describeLookup(lookup)}`,
			`The service may not search, or the list changes while it is read or does not show where it ends. ${giveId(record)}`,
		);
	}

	/** Asks a route that looks up values. */
	private async ask(
		lookup: Lookup & { by: ContactKey },
		form: string,
		route: string,
	): Promise<Candidates> {
		const query = { [lookup.by]: form };
		const context = lookupContext(lookup);
		const { data } = await this.client.send(
			{ method: 'GET', path: route, query, repeatable: true, mayBeMissing: true },
			context,
		);
		const candidates = candidatesInAnswer(data, lookup, form);
		if (candidates) return candidates;
		throw unexpectedAnswer(
			`The service answered a search with no ${lookup.record.singular} that can be read`,
			context.action,
		);
	}

	/** Finds a record by its ID or external ID, which the service takes at the same route (4.2). */
	private async readByIdentifier(lookup: Lookup): Promise<Candidates> {
		const { by, value } = lookup;
		const found = await this.read(lookup);
		// A service that does not show external IDs is believed, unless it took the value for an ID.
		return candidatesIn(compact([found]), ({ id, externalId }) =>
			by === 'id' || externalId === undefined
				? (String(id) === value) === (by === 'id')
				: String(externalId) === value,
		);
	}

	/** Reads the whole contact of which a part is shown; undefined if the key does not permit it. */
	private async readRest({ id }: ServiceRecord): Promise<ServiceRecord | undefined> {
		if (isNil(id)) return undefined;
		const read = async () => await this.readContact(String(id));
		return await this.permissions.ifPermitted(PHONES_UNREAD, read);
	}

	private async readContact(value: string): Promise<ServiceRecord | undefined> {
		const lookup = { record: contactShape, label: 'Contact', by: 'id', value } as const;
		return await this.contacts.read(pathOf(lookup), async () => await this.read(lookup));
	}

	/** Compares a contact with all of `wanted`. It is read if the lead does not show enough of it. */
	private async match(contact: unknown, wanted: Values['filter']): Promise<Match> {
		if (!isRecord(contact)) return { has: contact === null ? false : undefined };
		const traits = entriesOf(wanted);
		const shown = traits.map(([trait, value]) => contactHas(contact, trait, value));
		const has = areAll(shown);
		if (has !== undefined || !hasId(contact)) return { has };
		const whole = await this.readContact(String(contact.id));
		if (!whole) return { has };
		const read = traits.map(([trait, text], n) => shown[n] ?? contactHas(whole, trait, text));
		return { has: areAll(read), contact: whole };
	}

	/** Reads the record with an ID. */
	private async read(lookup: Lookup): Promise<ServiceRecord | undefined> {
		const { singular } = lookup.record;
		return (await readOne(this.client, pathOf(lookup), singular, lookupContext(lookup))).record;
	}
}

/**
 * Searches for all values, but for no phone where the email leads to a contact with the person's name: that takes up to three
 * requests, and the email has said whose lead it is.
 */
async function searchInOrder(
	lookups: Lookup[],
	search: (lookup: Lookup) => Promise<Searched | undefined>,
	{ name }: ServiceRecord,
): Promise<Searched[]> {
	const searchAll = async (all: Lookup[]) => compact(await Promise.all(all.map(search)));
	const [first, ...others] = lookups;
	if (isBlank(name) || first?.by !== 'email') return await searchAll(lookups);
	const [byEmail] = await searchAll([first]);
	const isOfPerson = ({ record }: Candidates[number]) =>
		isSameWord(name, get(record, 'contact.name'));
	if (byEmail.candidates.length > 0 && byEmail.candidates.every(isOfPerson)) return [byEmail];
	return [byEmail, ...(await searchAll(others))];
}

const pathOf = ({ record, label, value }: Lookup) =>
	`/${record.plural}/${encodeSegment(value, label, true)}`;

function lookupContext({ record: { singular, plural }, by }: Lookup): ErrorContext {
	return {
		action: `Find ${singular} by ${LOOKUP_LABELS[by]}`,
		scope: `${plural}:read`,
		targets: [],
	};
}

/** A contact that was read. */
interface Remembered {
	contact: Promise<ServiceRecord | undefined>;
	/** How many writes of the run had ended when it was read. */
	writes: number;
}

/** Each contact is read once, until the run writes anything: a lead that is sent may change its contact as well. */
export class ContactMemory {
	private readonly remembered = new Map<string, Remembered>();

	constructor(private readonly client: Pick<Client, 'writes'>) {}

	/**
	 * Returns the contact at a path, undefined for one that does not exist. No failure is remembered: an outage may be over when the
	 * item is tried again.
	 *
	 * @param isFresh whether it must be read now, because it is written next
	 */
	async read(
		path: string,
		read: () => Promise<ServiceRecord | undefined>,
		isFresh = false,
	): Promise<ServiceRecord | undefined> {
		const { writes } = this.client;
		const known = this.remembered.get(path);
		if (known?.writes === writes && !isFresh) return await known.contact;
		const entry = { contact: read(), writes };
		this.remembered.set(path, entry);
		return await entry.contact.catch((reason: unknown) => {
			if (this.remembered.get(path) === entry) this.remembered.delete(path);
			throw reason;
		});
	}
}
