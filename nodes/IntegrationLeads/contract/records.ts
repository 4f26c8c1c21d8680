/** Records the spec names without showing their fields (part 2, "Other resources"). */
import { z } from 'zod';

import type { RecordShape } from './shape';
import { assumed } from './shape';

const identified = z.object({ id: z.string() });

/** The lead's `contact` shows id, name and email; the full record is not shown. */
export const contact: RecordShape = {
	singular: 'contact',
	plural: 'contacts',
	certainty: assumed('the full contact record is not shown; these fields are sent and searched'),
	schema: identified.extend({
		name: z.string().nullish(),
		email: z.string().nullish(),
		phone: z.string().nullish(),
	}),
};

const searched = {
	...contact,
	certainty: assumed(
		'as any contact; the node adds created, matchedBy and matchedValue unless the record has them',
	),
};

/** A contact, and what it was found by. */
export const foundContact: RecordShape = {
	...searched,
	schema: contact.schema.extend({ matchedBy: z.string(), matchedValue: z.string() }),
};

export const foundOrCreatedContact: RecordShape = {
	...searched,
	schema: contact.schema.extend({
		created: z.boolean(),
		matchedBy: z.string().nullish(),
		matchedValue: z.string().nullish(),
	}),
};

export const tag: RecordShape = {
	singular: 'tag',
	plural: 'tags',
	certainty: assumed('fields are not shown; leads carry tags by name'),
	schema: identified.extend({ name: z.string() }),
};

export const interaction: RecordShape = {
	singular: 'interaction',
	plural: 'interactions',
	certainty: assumed('the record is not shown; the fields of the request are expected (4.5)'),
	schema: identified.extend({
		type: z.string(),
		title: z.string().nullish(),
		description: z.string().nullish(),
		metadata: z.record(z.unknown()).nullish(),
	}),
};

export const conversation: RecordShape = {
	singular: 'conversation',
	plural: 'conversations',
	certainty: assumed('fields are not shown'),
	schema: identified,
};

export const message: RecordShape = {
	singular: 'message',
	plural: 'messages',
	certainty: assumed('fields are not shown, except that a message has a status'),
	schema: identified.extend({ content: z.string().nullish(), status: z.string().nullish() }),
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
