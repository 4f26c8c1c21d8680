/**
 * What the store holds. Records are immutable values: a change replaces the record, so that the
 * earlier one can be kept. Times are epoch milliseconds inside, ISO 8601 in answers.
 */

/** What every record has. */
export interface Stored {
	readonly id: string;
	readonly createdMs: number;
}

/** A lead (spec part 2). `protocol` is the tracking link it came through; `null` = not known. */
export interface Lead extends Stored {
	readonly externalId: string | null;
	readonly protocol: string | null;
	readonly status: string;
	readonly priority: string;
	readonly source: string | null;
	readonly contactId: string | null;
	readonly estimatedValue: number | null;
	readonly saleDate: string | null;
	readonly notes: string | null;
	readonly tags: readonly string[];
}

/** A contact (spec part 2). `searchText` is what `search` looks through, in lower case. */
export interface Contact extends Stored, ContactFields {
	readonly emailKey: string | null;
	readonly phoneKey: string | null;
	readonly searchText: string;
}

export interface Tag extends Stored {
	readonly name: string;
}

export interface Interaction extends Stored {
	readonly leadId: string;
	readonly type: string;
	readonly title: string | null;
	readonly description: string | null;
	readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** A conversation; `extra` holds the free fields it was created with. */
export interface Conversation extends Stored {
	readonly leadId: string | null;
	readonly contactId: string | null;
	readonly extra: Readonly<Record<string, unknown>>;
}

/** A message of a conversation; `extra` holds the free fields it was created with. */
export interface Message extends Stored {
	readonly conversationId: string;
	readonly content: string;
	readonly status: string;
	readonly extra: Readonly<Record<string, unknown>>;
}

/** A lead's fields without those the store gives. */
export type LeadFields = Omit<Lead, 'id' | 'createdMs'>;

/** The fields of contacts. */
export const contactNames = ['name', 'email', 'phone'] as const;

/** A contact's fields without those the store gives. */
export type ContactFields = Readonly<Record<(typeof contactNames)[number], string | null>>;

/** What a lead is when nothing is said about it (spec 4.3: status `open`, priority `medium`). */
export const blankLead: LeadFields = {
	externalId: null,
	protocol: null,
	status: 'open',
	priority: 'medium',
	source: null,
	contactId: null,
	estimatedValue: null,
	saleDate: null,
	notes: null,
	tags: [],
};

/** E-mails are the same whatever their case. */
export const emailKey = (email: string) => email.trim().toLowerCase();

/** Phones are the same however they are grouped. The `+` counts: without it a number differs. */
export const phoneKey = (phone: string) => phone.replace(/[\s().-]/g, '');

/** Completes a contact with what it is found by. */
export function buildContact({ id, createdMs }: Stored, given: Partial<ContactFields>): Contact {
	const entries = contactNames.map((name) => [name, given[name] ?? null]);
	const fields = Object.fromEntries(entries) as ContactFields;
	const { name, email, phone } = fields;
	const keys = { emailKey: email && emailKey(email), phoneKey: phone && phoneKey(phone) };
	const searched = [name, email, phone, keys.phoneKey].filter(Boolean);
	return { id, createdMs, ...fields, ...keys, searchText: searched.join('\n').toLowerCase() };
}
