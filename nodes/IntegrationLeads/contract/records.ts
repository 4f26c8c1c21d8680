/** Kinds of records. The spec shows the fields of leads only (part 2, "Other resources"). */
import { uniq, zipObject } from 'lodash';

import { ENGLISH_VALUES, SOLD_THING, VALUES_IN_WORDS } from '../lexicon/headings';
import { isRecord, type ServiceRecord } from '../values/json';
import { isSameWord, plainWord } from '../values/words';
import type { Columns } from './shown';

/** The shape of a kind of record. Its fields are in openapi.yaml; none is required, and unknown ones are kept. */
export interface RecordShape {
	/** The word for one and for many, as the service's envelopes would name them. */
	singular: string;
	plural: string;
	/** The schema in openapi.yaml with its fields; none for a record that the node builds. */
	schema?: string;
	/** Fields that the node adds. */
	added?: Record<string, 'boolean' | 'number' | 'string' | 'object' | 'array'>;
	/** The simplified output; none where the spec shows no field that people would look for. */
	simplified?: Columns;
}

/** The fields by which a person is found, besides the ID. */
export type ContactKey = 'phone' | 'email';

/** A value by which a record is found. */
export interface Lookup {
	record: RecordShape;
	/** The label of the parameter, for messages. */
	label: string;
	by: 'id' | 'externalId' | ContactKey;
	value: string;
}

/** The fields of an outcome, see outcome.ts. */
const outcomeFields = {
	/** False for a lead that existed before. */
	created: 'boolean',
	/** Whether the protocol found a lead. */
	linked: 'boolean',
	/** The code that was found in the field Protocol. */
	sentProtocol: 'string',
	/** The values that came back otherwise than they were sent, in words. */
	differences: 'string',
} as const;

/** Columns with the names of their fields. */
const columnsNamed = (...names: string[]): Columns => zipObject(names, names);

/** The status of won leads, as the service writes it (spec 2). */
export const WON = 'closed_won';

const WON_WORDS = new Set(
	[WON, ENGLISH_VALUES[WON], ...VALUES_IN_WORDS[WON].split(', ')].map(plainWord),
);

/** Whether a status says that a lead was won. An account may have another word for it, which nothing shows. */
export const isWon = (status: unknown): boolean =>
	WON_WORDS.has(plainWord(String(status).replace(SOLD_THING, '')));

/** The values that the spec shows (2). The lists are not complete, so other values are sent and read as well. */
export const documentedValues = {
	status: ['open', 'in_progress', WON],
	priority: ['medium', 'high'],
	source: ['whatsapp', 'api'],
} satisfies Record<string, string[]>;

/** All fields that the spec names except the notes, which may be long. */
const simplifiedLead = (...added: string[]): Columns => ({
	name: 'contact.name',
	email: 'contact.email',
	phone: 'contact.phone',
	...columnsNamed(...added, 'status', 'priority', 'source', 'estimatedValue', 'saleDate', 'tags'),
	...columnsNamed('externalId', 'createdAt'),
	contactId: 'contact.id',
	id: 'id',
});

/** An element of `data.leads` in GET /leads (spec 4.1). */
export const listedLead: RecordShape = {
	singular: 'lead',
	plural: 'leads',
	schema: 'ListedLead',
	simplified: simplifiedLead(),
};

/** The names of the tags of a lead; undefined if it does not show its tags. */
export function tagsOf({ tags }: ServiceRecord): unknown[] | undefined {
	if (!Array.isArray(tags)) return undefined;
	// The spec shows names. Records of tags have a name.
	return tags.map((entry: unknown) => (isRecord(entry) ? entry.name : entry));
}

/** Whether a lead has a tag, given by its name; undefined if it does not show its tags. */
export function hasTag(lead: ServiceRecord, tag: string): boolean | undefined {
	return tagsOf(lead)?.some((name) => isSameWord(name, tag));
}

/**
 * Tags in the spelling in which a lead has them. The documentation does not say whether `VIP` and `vip` are one tag for the
 * service; people mean one.
 */
export const tagsAsIn = (lead: ServiceRecord, tags: unknown[]): unknown[] =>
	uniq(tags.map((tag) => tagsOf(lead)?.find((name) => isSameWord(name, tag)) ?? tag));

/** The tag of a lead that was merged into another one begins with it; the ID of that one follows. */
export const MERGED_INTO = 'merged into ';

/** The tag of a lead that was merged into another one. */
export const mergedTagOf = (lead: ServiceRecord): string | undefined =>
	tagsOf(lead)
		?.map(String)
		.find((tag) => tag.startsWith(MERGED_INTO));

/** Leaves out leads that were merged into others, unless that leaves none. */
export function leaveOutMerged<T extends { record: ServiceRecord }>(found: T[]): T[] {
	const current = found.filter(({ record }) => mergedTagOf(record) === undefined);
	return current.length > 0 ? current : found;
}

/** A lead that is read or written individually. */
export const lead: RecordShape = { ...listedLead, schema: 'Lead' };

/** A lead whose status was changed, with the one that it had if it was looked up. */
export const movedLead: RecordShape = { ...lead, added: { previousStatus: 'string' } };

/** A lead that was tagged, with the tags that it did not have if it was looked up. */
export const taggedLead: RecordShape = { ...lead, added: { addedTags: 'array' } };

/** A lead that was sent, and what it became. */
export const upsertedLead: RecordShape = {
	...lead,
	/** The phone that was sent, if the answer shows none. */
	added: { ...outcomeFields, phone: 'string' },
	simplified: simplifiedLead(...Object.keys(outcomeFields)),
};

/** A lead whose sale was recorded. */
export const soldLead: RecordShape = {
	...lead,
	added: {
		/** Whether the lead had the sale before, so that nothing was sent. */
		alreadyRecorded: 'boolean',
		/** What the webhook of a checkout says, such as `sale`, `waiting` or `takenBack`, and of what order. */
		sale: 'string',
		service: 'string',
		order: 'string',
		/** Whether the buyer became a lead. */
		created: 'boolean',
		/** Why it was not recorded: the columns do not plainly say that it is a sale. */
		result: 'string',
		/** The sale that it had instead, in words. */
		replaced: 'string',
		differences: 'string',
	},
	simplified: simplifiedLead('sale', 'alreadyRecorded', 'replaced', 'differences'),
};

/** A lead into which another one was merged. */
export const leadAfterMerge: RecordShape = {
	...lead,
	added: {
		/** The ID, external ID and name of the other lead. */
		merged: 'object',
		/** How many tags, interactions and messages of it the lead has. */
		copied: 'object',
		/** What could not be moved, in sentences. */
		notMoved: 'array',
		differences: 'string',
	},
	simplified: simplifiedLead('merged', 'copied', 'notMoved', 'differences'),
};

/** A sale as a row, which the node builds from leads. */
export const conversion: RecordShape = {
	singular: 'lead',
	plural: 'leads',
	added: {
		name: 'string',
		email: 'string',
		phone: 'string',
		saleDate: 'string',
		estimatedValue: 'number',
		currency: 'string',
		status: 'string',
		priority: 'string',
		source: 'string',
		tags: 'array',
		campaign: 'string',
		createdAt: 'string',
		externalId: 'string',
		contactId: 'string',
		leadId: 'string',
	},
};

export const contact: RecordShape = {
	singular: 'contact',
	plural: 'contacts',
	schema: 'Contact',
	simplified: columnsNamed('name', 'email', 'phone', 'createdAt', 'id'),
};

/** The node adds a field only if the record has none with its name. */
export const foundOrCreatedContact: RecordShape = {
	...contact,
	added: { created: 'boolean', differences: 'string' },
	simplified: columnsNamed('name', 'email', 'phone', 'created', 'differences', 'createdAt', 'id'),
};

export const tag: RecordShape = { singular: 'tag', plural: 'tags', schema: 'Tag' };

export const interaction: RecordShape = {
	singular: 'interaction',
	plural: 'interactions',
	schema: 'Interaction',
};

export const conversation: RecordShape = {
	singular: 'conversation',
	plural: 'conversations',
	schema: 'Conversation',
};

/** The open conversation of a lead, or a new one. */
export const openedConversation: RecordShape = {
	...conversation,
	added: { created: 'boolean', openConversations: 'number' },
};

export const message: RecordShape = { singular: 'message', plural: 'messages', schema: 'Message' };

/** A message, and what was done to record it. */
export const loggedMessage: RecordShape = {
	...message,
	added: { created: 'boolean', conversationId: 'string', conversationCreated: 'boolean' },
};

/** A message of WhatsApp with all that the next node needs. This node builds it. */
export const whatsAppMessage: RecordShape = {
	singular: 'message',
	plural: 'messages',
	added: {
		name: 'string',
		phone: 'string',
		text: 'string',
		kind: 'string',
		answer: 'boolean',
		silence: 'string',
		sentAt: 'string',
		protocol: 'string',
		ad: 'object',
		created: 'boolean',
		linked: 'boolean',
		differences: 'string',
		externalId: 'string',
		replyTo: 'object',
		replyVia: 'string',
		leadId: 'string',
		conversationId: 'string',
		messageId: 'string',
	},
};

/** The outcome for one lead of a batch: an entry of the answer to `POST /sync`, which spec 4.6 only names. */
export const pushed: RecordShape = {
	singular: 'lead',
	plural: 'results',
	schema: 'BatchResult',
	added: outcomeFields,
};

/** The one complete enumeration in the spec (2). */
export const interactionTypes = [
	'CALL',
	'COMMENT',
	'CUSTOM',
	'EMAIL',
	'MEETING',
	'NOTE',
	'TASK_COMPLETED',
	'TASK_CREATED',
] as const;

/** The tag that *Record Sale* gives a lead whose buyer got the whole sale back. */
export const TAKEN_BACK_TAG = 'Sale taken back';
/** The tag for a refund that is not plainly the whole sale of the lead. */
export const REFUND_TAG = 'Refund to check';
