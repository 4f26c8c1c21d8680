import { mapValues } from 'lodash';

import type { RecordShape } from './records';
import { outcomeFields } from './upsertOutcome';

/** The values that the spec shows (2). The lists are not complete, so other values are sent and read as well. */
export const leadStatuses = ['open', 'in_progress', 'closed_won'] as const;
export const leadPriorities = ['medium', 'high'] as const;
export const leadSources = ['whatsapp', 'api'] as const;

export const documentedValues = {
	status: leadStatuses,
	priority: leadPriorities,
	source: leadSources,
} satisfies Record<string, readonly string[]>;

const person = { name: 'contact.name', email: 'contact.email', phone: 'contact.phone' };
/** All fields that the spec names except the notes, which may be long. */
const fields = {
	status: 'status',
	priority: 'priority',
	source: 'source',
	estimatedValue: 'estimatedValue',
	saleDate: 'saleDate',
	tags: 'tags',
	externalId: 'externalId',
	createdAt: 'createdAt',
	contactId: 'contact.id',
	id: 'id',
};

/** An element of `data.leads` in GET /leads (spec 4.1). */
export const listedLead: RecordShape = {
	singular: 'lead',
	plural: 'leads',
	schema: 'ListedLead',
	simplified: { ...person, ...fields },
};

/** A lead that is read or written individually. */
export const lead: RecordShape = { ...listedLead, schema: 'Lead' };

/** A lead that was sent, and what it became. */
export const upsertedLead: RecordShape = {
	...lead,
	added: outcomeFields,
	simplified: { ...person, ...mapValues(outcomeFields, (_, name) => name), ...fields },
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
