/** What we know of leads: their values and their fields. */
import { isSameWord } from '../values/words';
import { isRecord, type ServiceRecord } from '../values/json';
import { columnsOf, type RecordShape } from './records';
import { outcomeFields } from './outcome';
import type { Columns } from './shown';

/** The values that the spec shows (2). The lists are not complete, so other values are sent and read as well. */
export const documentedValues = {
	status: ['open', 'in_progress', 'closed_won'],
	priority: ['medium', 'high'],
	source: ['whatsapp', 'api'],
} satisfies Record<string, string[]>;

/** All fields that the spec names except the notes, which may be long. */
const leadColumns = (...added: string[]): Columns => ({
	name: 'contact.name',
	email: 'contact.email',
	phone: 'contact.phone',
	...columnsOf(...added, 'status', 'priority', 'source', 'estimatedValue', 'saleDate', 'tags'),
	...columnsOf('externalId', 'createdAt'),
	contactId: 'contact.id',
	id: 'id',
});

/** An element of `data.leads` in GET /leads (spec 4.1). */
export const listedLead: RecordShape = {
	singular: 'lead',
	plural: 'leads',
	schema: 'ListedLead',
	simplified: leadColumns(),
};

/** Whether a lead has a tag, given by its name; undefined if it does not show its tags. */
export function hasTag({ tags }: ServiceRecord, tag: string): boolean | undefined {
	if (!Array.isArray(tags)) return undefined;
	// The spec shows names. Records of tags have a name.
	return tags.some((each: unknown) => isSameWord(isRecord(each) ? each.name : each, tag));
}

/** A lead that is read or written individually. */
export const lead: RecordShape = { ...listedLead, schema: 'Lead' };

/** A lead that was sent, and what it became. */
export const upsertedLead: RecordShape = {
	...lead,
	added: outcomeFields,
	simplified: leadColumns(...Object.keys(outcomeFields)),
};

/** A lead whose sale was recorded. */
export const soldLead: RecordShape = {
	...lead,
	added: {
		/** The lead had the sale before: nothing was sent. */
		alreadyRecorded: 'boolean',
		/** The sale that it had instead, in words. */
		replaced: 'string',
		differences: 'string',
	},
	simplified: leadColumns('alreadyRecorded', 'replaced', 'differences'),
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
		externalId: 'string',
		contactId: 'string',
		leadId: 'string',
	},
};
