import type { RecordShape } from './records';

/** The values that the spec shows (2). The lists are not complete, so other values are sent and read as well. */
export const leadStatuses = ['open', 'in_progress', 'closed_won'] as const;
export const leadPriorities = ['medium', 'high'] as const;
export const leadSources = ['whatsapp', 'api'] as const;

/** An element of `data.leads` in GET /leads (spec 4.1). */
export const listedLead: RecordShape = {
	singular: 'lead',
	plural: 'leads',
	schema: 'ListedLead',
};

/** A lead that is read or written individually. */
export const lead: RecordShape = {
	singular: 'lead',
	plural: 'leads',
	schema: 'Lead',
	// All fields that the spec names except the notes, which may be long.
	simplified:
		'id externalId status priority source contact estimatedValue saleDate tags createdAt'.split(
			' ',
		),
};

/** A sale as a row, which the node builds from leads. */
export const conversion: RecordShape = {
	singular: 'lead',
	plural: 'leads',
	added: {
		leadId: 'string',
		externalId: 'string',
		status: 'string',
		saleDate: 'string',
		estimatedValue: 'number',
		currency: 'string',
		contactId: 'string',
		name: 'string',
		email: 'string',
		phone: 'string',
	},
};
