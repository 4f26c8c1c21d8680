import { Collection, type Page, type Selected } from './collection.mts';
import { mulberry32, uuid, type Random } from './random.mts';
import {
	blankLead,
	buildContact,
	emailKey,
	phoneKey,
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

/**
 * The filters of the lead list (spec 4.1). Bounds are exclusive, in epoch milliseconds; `tag` is
 * a tag's name or id; `search` looks for a part of the contact's name, e-mail or phone.
 */
export interface LeadFilter {
	status?: string;
	priority?: string;
	source?: string;
	tag?: string;
	search?: string;
	createdAfter?: number;
	createdBefore?: number;
}

/** What a lead was from a time on (epoch ms), and who made it so; `null` = it was deleted. */
interface Version {
	from: number;
	lead: Lead | null;
	by?: string;
}

/**
 * All records of the service, in memory. Every change of a lead goes through here. Methods take and
 * give records, not answers: what the service says is not known here.
 */
export class Store {
	leads = new Collection<Lead>();
	contacts = new Collection<Contact>();
	tags = new Collection<Tag>();
	interactions = new Collection<Interaction>();
	conversations = new Collection<Conversation>();
	messages = new Collection<Message>();
	private author?: string;
	private authors = new Map<string, string>();
	/** Of leads that were changed. */
	private histories = new Map<string, Version[]>();
	private random: Random = mulberry32(1);
	private idByExternalId = new Map<string, string>();
	private idByProtocol = new Map<string, string>();

	/** `clock` gives epoch milliseconds. */
	constructor(private readonly clock: () => number) {}

	/** Forgets everything and starts with these contents; new ids start over too. */
	load(contents: StoreContents): void {
		this.leads = new Collection(contents.leads);
		this.contacts = new Collection(contents.contacts);
		this.tags = new Collection(contents.tags);
		this.interactions = new Collection(contents.interactions);
		this.conversations = new Collection(contents.conversations);
		this.messages = new Collection(contents.messages);
		this.histories.clear();
		this.authors.clear();
		// Another stream than the seed data's, or new records would repeat its ids.
		this.random = mulberry32(0x5bd1e995);
		this.idByExternalId.clear();
		this.idByProtocol.clear();
		for (const lead of contents.leads) this.indexLead(lead);
	}

	/** The id and creation time of a record made now. */
	stamp(createdMs = this.clock()): Stored {
		const id = uuid(this.random);
		if (this.author) this.authors.set(id, this.author);
		return { id, createdMs };
	}

	/** Makes changes in the name of an author, for the page to show. */
	actAs<T>(author: string, act: () => T): T {
		this.author = author;
		try {
			return act();
		} finally {
			this.author = undefined;
		}
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
	listLeads(filter: LeadFilter, page: Page): Selected<Lead> {
		const wanted = Object.values(filter).some((value) => value !== undefined);
		return this.leads.select(page, wanted ? this.matcher(filter) : undefined);
	}

	private matcher({ tag, search, createdAfter, createdBefore, ...fields }: LeadFilter) {
		const equal = Object.entries(fields) as Array<[keyof Lead, string]>;
		const tagName = tag && this.tagName(tag);
		const part = search?.toLowerCase();
		return (lead: Lead) =>
			equal.every(([name, value]) => value === undefined || lead[name] === value) &&
			(!tagName || lead.tags.includes(tagName)) &&
			(!part || !!this.contact(lead.contactId)?.searchText.includes(part)) &&
			lead.createdMs > (createdAfter ?? -Infinity) &&
			lead.createdMs < (createdBefore ?? Infinity);
	}

	/** `createdMs` before now makes a lead that becomes visible late. */
	createLead(fields: Partial<LeadFields>, createdMs?: number): Lead {
		const lead: Lead = { ...this.stamp(createdMs), ...blankLead, ...fields };
		return this.putLead(lead);
	}

	changeLead(before: Lead, changes: Partial<LeadFields>): Lead {
		const after: Lead = { ...before, ...changes };
		this.unindexLead(before);
		this.note(before, after);
		return this.putLead(after);
	}

	deleteLead(lead: Lead): void {
		this.unindexLead(lead);
		this.note(lead, null);
		this.leads.remove(lead);
	}

	/** What a lead has been, oldest first. */
	historyOf(lead: Lead): readonly Version[] {
		return this.histories.get(lead.id) ?? [{ from: lead.createdMs, lead }];
	}

	private note(before: Lead, lead: Lead | null): void {
		const version = { from: this.clock(), lead, by: this.author };
		this.histories.set(before.id, [...this.historyOf(before), version]);
	}

	private putLead(lead: Lead): Lead {
		for (const name of lead.tags) this.ensureTag(name);
		this.indexLead(lead);
		return this.leads.add(lead);
	}

	private indexLead({ id, externalId, protocol }: Lead): void {
		if (externalId !== null) this.idByExternalId.set(externalId, id);
		if (protocol !== null) this.idByProtocol.set(protocol, id);
	}

	private unindexLead({ externalId, protocol }: Lead): void {
		if (externalId !== null) this.idByExternalId.delete(externalId);
		if (protocol !== null) this.idByProtocol.delete(protocol);
	}

	// Contacts

	contact(id: string | null): Contact | undefined {
		return id === null ? undefined : this.contacts.get(id);
	}

	/** Several may share an address: the first one is found. */
	contactByEmail(email?: string | null): Contact | undefined {
		const key = email && emailKey(email);
		return key ? this.contacts.values().find((each) => each.emailKey === key) : undefined;
	}

	contactByPhone(phone?: string | null): Contact | undefined {
		const key = phone && phoneKey(phone);
		return key ? this.contacts.values().find((each) => each.phoneKey === key) : undefined;
	}

	createContact(fields: Partial<ContactFields>): Contact {
		return this.contacts.add(buildContact(this.stamp(), fields));
	}

	changeContact(before: Contact, changes: Partial<ContactFields>): Contact {
		return this.contacts.add(buildContact(before, { ...before, ...changes }));
	}

	// Messages

	/** The messages of a conversation, oldest first. */
	messagesOf(id: string): Message[] {
		return this.messages.values().filter(({ conversationId }) => conversationId === id);
	}

	// Tags

	tagName(nameOrId: string): string {
		return this.tags.get(nameOrId)?.name ?? nameOrId;
	}

	/** The tag with this name, made if there is none. */
	ensureTag(name: string): { tag: Tag; created: boolean } {
		const known = this.tags.values().find((tag) => tag.name === name);
		if (known) return { tag: known, created: false };
		return { tag: this.tags.add({ ...this.stamp(), name }), created: true };
	}
}
