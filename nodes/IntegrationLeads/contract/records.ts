/** Records whose fields the spec does not show (part 2, "Other resources"). */
import type { RecordShape } from './shape';

export const contact: RecordShape = { singular: 'contact', plural: 'contacts', schema: 'Contact' };

/** A contact, and what it was found by. The node adds fields only where the record has none of the name. */
export const foundContact: RecordShape = {
	...contact,
	added: { matchedBy: 'string', matchedValue: 'string' },
};

export const foundOrCreatedContact: RecordShape = {
	...contact,
	added: { created: 'boolean', ...foundContact.added },
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

export const message: RecordShape = { singular: 'message', plural: 'messages', schema: 'Message' };

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
