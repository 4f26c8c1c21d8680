import { Collection, type Page, type Selected } from './collection.mts';
import { ContactBook } from './contactBook.mts';
import { Journal } from './journal.mts';
import { fieldMatcher, leadMatcher, type FilterSources, type LeadFilter } from './leadFilter.mts';
import { mulberry32, uuid, type Random } from './random.mts';
import {
	blankLead,
	buildContact,
	type Contact,
	type ContactFields,
	type Conversation,
	type Interaction,
	type Lead,
	type LeadFields,
	type Message,
	type Stored,
	type Tag,
} from './records.mts';

/** What a store starts with. */
export interface StoreContents {
	leads: Lead[];
	contacts: Contact[];
	tags: Tag[];
	interactions: Interaction[];
	conversations: Conversation[];
	messages: Message[];
}

/** How many filtered lists are kept. */
const keptLists = 20;

/**
 * All records of the service, in memory. Every change of a lead goes through here and into the
 * journal. Methods take and give records, not answers: what the service says is not known here.
 */
export class Store implements FilterSources {
	leads = new Collection<Lead>();
	contacts = new ContactBook();
	tags = new Collection<Tag>();
	interactions = new Collection<Interaction>();
	conversations = new Collection<Conversation>();
	messages = new Collection<Message>();
	/** Who makes the changes just now, for the page to show; undefined = nobody that it names. */
	author?: string;
	private authors = new Map<string, string>();
	private journal = new Journal();
	private random: Random;
	private idByExternalId = new Map<string, string>();
	private idByProtocol = new Map<string, string>();
	private tagsByName = new Map<string, Tag>();
	/** Filtered lists since the last change of a lead or contact: their next page costs nothing. */
	private filtered = new Map<string, Lead[]>();

	/** `clock` gives epoch milliseconds; `randomSeed` decides the ids of new records. */
	constructor(
		private readonly clock: () => number,
		private readonly randomSeed: number,
	) {
		this.random = mulberry32(randomSeed);
	}

	/** Forgets everything and starts with these contents; new ids start over too. */
	load(contents: StoreContents): void {
		this.leads = new Collection(contents.leads);
		this.contacts = new ContactBook(contents.contacts);
		this.tags = new Collection(contents.tags);
		this.interactions = new Collection(contents.interactions);
		this.conversations = new Collection(contents.conversations);
		this.messages = new Collection(contents.messages);
		this.journal = new Journal();
		this.filtered.clear();
		this.authors.clear();
		// Another stream than the seed data's, or new records would repeat its ids.
		this.random = mulberry32(this.randomSeed ^ 0x5bd1e995);
		this.idByExternalId.clear();
		this.idByProtocol.clear();
		for (const lead of contents.leads) this.indexLead(lead);
		this.tagsByName = new Map(contents.tags.map((tag) => [tag.name, tag]));
	}

	/** The id and creation time of a record made now. */
	stamp(createdMs = this.clock()): Stored {
		const id = uuid(this.random);
		if (this.author) this.authors.set(id, this.author);
		return { id, createdMs };
	}

	/** Who made a record. */
	authorOf({ id }: Stored): string | undefined {
		return this.authors.get(id);
	}

	// Leads

	leadByExternalId(externalId: string): Lead | undefined {
		return this.leads.get(this.idByExternalId.get(externalId) ?? '');
	}

	leadByProtocol(protocol: string): Lead | undefined {
		return this.leads.get(this.idByProtocol.get(protocol) ?? '');
	}

	/** A page of the leads that pass the filter, and how many pass it. */
	listLeads(filter: LeadFilter, { order, offset, count }: Page): Selected<Lead> {
		const { createdAfter, createdBefore } = filter;
		const match = fieldMatcher(filter, this);
		const selection = { order, match, createdAfter, createdBefore };
		if (!match) return this.leads.select({ ...selection, offset, count });
		const key = JSON.stringify([filter, order]);
		const whole = { ...selection, offset: 0, count: Infinity };
		const all = this.filtered.get(key) ?? this.leads.select(whole).items;
		if (this.filtered.size >= keptLists) this.filtered.clear();
		this.filtered.set(key, all);
		return { items: all.slice(offset, offset + count), total: all.length };
	}

	/** `createdMs` before now makes a lead that becomes visible late. */
	createLead(fields: Partial<LeadFields>, createdMs?: number): Lead {
		const lead: Lead = { ...this.stamp(createdMs), ...blankLead, ...fields };
		this.ensureTags(lead.tags);
		this.indexLead(lead);
		this.filtered.clear();
		this.journal.appeared(lead, this.clock());
		return this.leads.add(lead);
	}

	changeLead(before: Lead, changes: Partial<LeadFields>): Lead {
		const after: Lead = { ...before, ...changes };
		this.ensureTags(after.tags);
		this.unindexLead(before);
		this.indexLead(after);
		this.filtered.clear();
		this.journal.changed(before, after, this.clock(), this.author);
		return this.leads.replace(after);
	}

	deleteLead(lead: Lead): void {
		this.unindexLead(lead);
		this.filtered.clear();
		this.journal.changed(lead, null, this.clock());
		this.leads.remove(lead);
	}

	/** What a lead has been, oldest first, with the time each version held from (epoch ms). */
	historyOf(lead: Lead) {
		return this.journal.history(lead);
	}

	/**
	 * Ids of the leads that were there and passed the filter during the whole interval (epoch ms):
	 * what a reader who read all of it in that time must have seen. Changes of contacts are not
	 * looked back upon: `search` uses the contacts of today.
	 */
	matchedThroughout(filter: LeadFilter, from: number, to: number): string[] {
		const matches = leadMatcher(filter, this);
		return this.journal.matchedThroughout(this.leads.values(), matches, from, to);
	}

	/** Ids of the leads that passed the filter at any time in the interval (epoch ms). */
	matchedEver(filter: LeadFilter, from: number, to: number): string[] {
		return this.journal.matchedEver(this.leads.values(), leadMatcher(filter, this), from, to);
	}

	private indexLead(lead: Lead): void {
		if (lead.externalId !== null) this.idByExternalId.set(lead.externalId, lead.id);
		if (lead.protocol !== null) this.idByProtocol.set(lead.protocol, lead.id);
	}

	private unindexLead(lead: Lead): void {
		if (lead.externalId !== null) this.idByExternalId.delete(lead.externalId);
		if (lead.protocol !== null) this.idByProtocol.delete(lead.protocol);
	}

	// Contacts

	contact(id: string | null): Contact | undefined {
		return id === null ? undefined : this.contacts.get(id);
	}

	createContact(fields: Partial<ContactFields>): Contact {
		const complete = { name: null, email: null, phone: null, ...fields };
		return this.contacts.add(buildContact(this.stamp(), complete));
	}

	changeContact(before: Contact, changes: Partial<ContactFields>): Contact {
		this.filtered.clear();
		return this.contacts.replace(buildContact(before, { ...before, ...changes }));
	}

	// Tags

	tagName(nameOrId: string): string {
		return this.tags.get(nameOrId)?.name ?? nameOrId;
	}

	/** The tag with this name, made if there is none. */
	ensureTag(name: string): { tag: Tag; created: boolean } {
		const known = this.tagsByName.get(name);
		if (known) return { tag: known, created: false };
		const tag = this.tags.add({ ...this.stamp(), name });
		this.tagsByName.set(name, tag);
		return { tag, created: true };
	}

	private ensureTags(names: readonly string[]): void {
		for (const name of names) this.ensureTag(name);
	}
}
