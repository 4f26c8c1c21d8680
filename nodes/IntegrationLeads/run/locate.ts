/**
 * Finds records by what users know instead of an ID: an external ID, an email or a phone. The service searches for parts of
 * texts; whole values are compared here. A record that may be meant but cannot be compared fails the item, so that nothing is
 * sent to another one. All records of a run are found before anything is sent, each once.
 */
import { compact } from 'lodash';

import { hasExactly, searchTerms } from '../contract/contactMatch';
import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import { contactLabel, leadLabel } from '../contract/label';
import type { RecordShape, Trait } from '../contract/records';
import { contact as contactShape } from '../contract/records';
import type { Lookup } from '../operation';
import { readOne } from '../transport/one';
import { UnexpectedAnswerError, toPage } from '../transport/page';
import type { ReadPage } from '../transport/paginate';
import { hasId, inParallel } from '../transport/paginate';
import { encodeSegment } from '../transport/path';
import type { About, Client } from '../transport/send';
import { UserError } from '../userError';
import { readToEnd } from './list';
import type { Plan } from './plan';
import { lookupKey } from './plan';

/** A search with more pages is too broad to find one record. */
const MOST_PAGES = 5;
/** How many records a message names. */
const MOST_NAMED = 5;
const LONGEST_NAME = 80;

/** Records that have what was searched for, and those of which it cannot be known. */
export interface Found {
	matches: ServiceRecord[];
	unclear: ServiceRecord[];
}

export class RecordLocator {
	/** By {@link lookupKey}. */
	private readonly ids = new Map<string, Promise<string>>();

	/** By ID; undefined for one that no longer exists. */
	private readonly contacts = new Map<string, Promise<ServiceRecord | undefined>>();

	constructor(private readonly client: Client) {}

	/**
	 * A plan with the IDs of all its records.
	 *
	 * @throws NodeApiError, or UserError if not exactly one record is found
	 */
	async complete(plan: Plan): Promise<Plan> {
		if (plan.lookups.length === 0) return plan;
		const ids = new Map<string, string>();
		for (const lookup of plan.lookups) ids.set(lookupKey(lookup), await this.findOnce(lookup));
		return plan.withIds(ids);
	}

	/** Selects the records that have all of `wanted`, in their order. */
	async select(
		records: ServiceRecord[],
		record: RecordShape,
		wanted: Plan['match'],
	): Promise<Found> {
		const results = new Map<ServiceRecord, boolean | undefined>();
		await inParallel(records, async (each) => {
			const known = await Promise.all(
				Object.entries(wanted).map(
					async ([trait, value]) => await this.has(each, record, trait as Trait, value),
				),
			);
			results.set(
				each,
				known.includes(false) ? false : known.includes(undefined) ? undefined : true,
			);
		});
		const withResult = (result?: boolean) => records.filter((each) => results.get(each) === result);
		return { matches: withResult(true), unclear: withResult(undefined) };
	}

	private async findOnce(lookup: Lookup): Promise<string> {
		const key = lookupKey(lookup);
		const id = this.ids.get(key) ?? this.find(lookup);
		this.ids.set(key, id);
		return await id;
	}

	private async find(lookup: Lookup): Promise<string> {
		const { matches, unclear } = await this.search(lookup).catch((reason: unknown) => {
			throw reason instanceof UnexpectedAnswerError
				? reason.during(aboutOf(lookup).action)
				: reason;
		});
		const [match] = matches;
		if (matches.length === 1 && unclear.length === 0 && hasId(match)) return String(match.id);
		throw this.explain(lookup, { matches, unclear });
	}

	private async search(lookup: Lookup): Promise<Found> {
		const { record, by, value } = lookup;
		if (by === 'externalId') return await this.searchByExternalId(lookup);
		for (const search of searchTerms(by, value)) {
			const { records, complete } = await readToEnd(this.pageReader(lookup, search));
			if (!complete) throw new UserError(...TOO_MANY(lookup));
			const found = await this.select(records, record, { [by]: value });
			if (found.matches.length + found.unclear.length > 0) return found;
		}
		return { matches: [], unclear: [] };
	}

	/** The service takes an external ID for an ID (4.2). */
	private async searchByExternalId(lookup: Lookup): Promise<Found> {
		const { value, record } = lookup;
		const found = await this.read(record, value, lookup);
		const { id, externalId = value } = found ?? {};
		const isSame = found !== undefined && [id, externalId].map(String).includes(value);
		return { matches: isSame ? [found] : [], unclear: [] };
	}

	private pageReader(lookup: Lookup, search: string): ReadPage {
		const { plural } = lookup.record;
		return async (page) => {
			if (page.page > MOST_PAGES) throw new UserError(...TOO_MANY(lookup));
			const query = { ...page, search };
			const request = { method: 'GET', path: `/${plural}`, query, repeatable: true } as const;
			return toPage(plural, await this.client.send(request, aboutOf(lookup)));
		};
	}

	/** Whether a record has the value; lists of leads lack the phones of contacts (4.1), so these are read. */
	private async has(
		record: ServiceRecord,
		{ singular }: RecordShape,
		trait: Trait,
		value: string,
	): Promise<boolean | undefined> {
		const contact = singular === 'lead' ? record.contact : record;
		if (contact === null) return false;
		if (!isRecord(contact)) return undefined;
		const shown = hasExactly(contact, trait, value);
		if (shown !== undefined || !hasId(contact)) return shown;
		const whole = await this.readContact(String(contact.id), trait);
		return whole && hasExactly(whole, trait, value);
	}

	private async readContact(id: string, trait: Trait): Promise<ServiceRecord | undefined> {
		const lookup = { record: contactShape, label: 'Contact', by: trait, value: id };
		const contact = this.contacts.get(id) ?? this.read(contactShape, id, lookup);
		this.contacts.set(id, contact);
		return await contact;
	}

	private async read(
		{ singular, plural }: RecordShape,
		id: string,
		lookup: Lookup,
	): Promise<ServiceRecord | undefined> {
		const path = `/${plural}/${encodeSegment(id, lookup.label, true)}`;
		return (await readOne(this.client, path, singular, aboutOf(lookup))).record;
	}

	private explain({ record, by, value }: Lookup, { matches, unclear }: Found): UserError {
		const { singular, plural } = record;
		const what = `${WORDS[by]} "${value.slice(0, LONGEST_NAME)}"`;
		const wayOut = `Choose the ${singular} by its ID${singular === 'lead' ? ' or external ID' : ''}. Nothing was sent for this item.`;
		if (unclear.length > 0) {
			return new UserError(
				`It is not certain which ${singular} has the ${what}: ${this.name([...matches, ...unclear], record)}`,
				`The service shows the ${WORDS[by]} of at least one of them in part or not at all. ${wayOut}`,
			);
		}
		if (matches.length > 1) {
			const names = this.name(matches, record);
			return new UserError(`${matches.length} ${plural} have the ${what}: ${names}`, wayOut);
		}
		const search = `${singular === 'lead' ? 'Lead' : 'Contact'} > Get Many`;
		return new UserError(
			`No ${singular} has the ${what}`,
			`Check the value, or search for a part of the name with ${search}. Nothing was sent for this item.`,
		);
	}

	/** Records in words for a message. */
	name(records: ServiceRecord[], { singular }: RecordShape): string {
		const labelOf = singular === 'lead' ? leadLabel : contactLabel;
		const names = records.slice(0, MOST_NAMED).map((record) => {
			const label = this.client.scrub(labelOf(record)).slice(0, LONGEST_NAME);
			return compact([label, hasId(record) && `(ID ${String(record.id)})`]).join(' ');
		});
		const more = records.length - names.length;
		return names.join('; ') + (more > 0 ? ` and ${more} more` : '');
	}
}

const WORDS: Record<Lookup['by'], string> = {
	externalId: 'external ID',
	email: 'email',
	phone: 'phone',
};

function aboutOf({ record, by }: Lookup): About {
	const { singular, plural } = record;
	return {
		action: `Find ${singular} by ${WORDS[by]}`,
		scope: `${plural}:read`,
		targets: [],
	};
}

/** The message and the way out. */
const TOO_MANY = ({ record: { singular, plural }, by, value }: Lookup): [string, string] => [
	`Too many ${plural} were found for the ${WORDS[by]} "${value}"`,
	`The service may not search, or the list changes while it is read or does not show where it ends. Choose the ${singular} by its ID. Nothing was sent for this item.`,
];
