/** Kinds of records; leads are in lead.ts. The spec shows the fields of none of these (part 2, "Other resources"). */
import { zipObject } from 'lodash';

import type { Columns } from './shown';
import { outcomeFields } from './outcome';

/** What we know of a kind of record. Its fields are in openapi.yaml, never required and never dropped. */
export interface RecordShape {
	/** The word for one and for many, as the service's envelopes would name them. */
	singular: string;
	plural: string;
	/** The schema in openapi.yaml with its fields; none for a record that the node builds. */
	schema?: string;
	/** Fields that the node adds. */
	added?: Record<string, 'boolean' | 'number' | 'string' | 'object'>;
	/** The simplified output; none where the spec shows no field that people would look for. */
	simplified?: Columns;
}

/** By what a person is found, besides an ID. */
export type Trait = 'phone' | 'email';

/** Columns that are named as their fields. */
export const columnsOf = (...names: string[]): Columns => zipObject(names, names);

export const contact: RecordShape = {
	singular: 'contact',
	plural: 'contacts',
	schema: 'Contact',
	simplified: columnsOf('name', 'email', 'phone', 'createdAt', 'id'),
};

/** The node adds fields only where the record has none of the name. */
export const foundOrCreatedContact: RecordShape = {
	...contact,
	added: { created: 'boolean', differences: 'string' },
	simplified: columnsOf('name', 'email', 'phone', 'created', 'differences', 'createdAt', 'id'),
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

/** A message of WhatsApp with all that the next node asks about it, which the node builds. */
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

/** What became of one lead of a batch: an entry of the answer to `POST /sync`, which spec 4.6 only names. */
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
