import { z } from 'zod';

import type { RecordShape } from './shape';
import { assumed, stated } from './shape';

/** The values that the spec shows (2). The lists are not complete, so other values are sent and read as well. */
export const leadStatuses = ['open', 'in_progress', 'closed_won'] as const;
export const leadPriorities = ['medium', 'high'] as const;
export const leadSources = ['whatsapp', 'api'] as const;

const listed = z.object({
	id: z.string(),
	externalId: z.string().nullish(),
	status: z.string(),
	priority: z.string(),
	contact: z
		.object({ id: z.string(), name: z.string().nullish(), email: z.string().nullish() })
		.nullish(),
	tags: z.array(z.string()),
	createdAt: z.string().datetime(),
});

/** An element of `data.leads` in GET /leads. */
export const listedLead: RecordShape = {
	singular: 'lead',
	plural: 'leads',
	certainty: stated('4.1'),
	schema: listed,
};

/** A lead that is read or written individually. */
export const lead: RecordShape = {
	singular: 'lead',
	plural: 'leads',
	// All fields that the spec names except the notes, which may be long.
	simplified: [
		'id',
		'externalId',
		'status',
		'priority',
		'source',
		'contact',
		'estimatedValue',
		'saleDate',
		'tags',
		'createdAt',
	],
	certainty: assumed(
		'the response bodies of 4.2 to 4.4 are not shown; the fields of part 2 are expected, some of which lists leave out',
	),
	schema: listed.extend({
		source: z.string().nullish(),
		estimatedValue: z.number().nullish(),
		saleDate: z.string().datetime().nullish(),
		notes: z.string().nullish(),
	}),
};

/** A sale as a row, built from a list of leads. */
export const conversion: RecordShape = {
	singular: 'lead',
	plural: 'leads',
	certainty: assumed(
		'built by the node from the lists of 4.1 and the responses of 4.2, which are not shown: saleDate, estimatedValue and contact are expected as in part 2, and perhaps a phone in contact',
	),
	schema: z.object({
		leadId: z.string(),
		externalId: z.string().nullish(),
		status: z.string().nullish(),
		saleDate: z.string().datetime({ offset: true }),
		estimatedValue: z.number(),
		currency: z.string(),
		contactId: z.string().nullish(),
		name: z.string().nullish(),
		email: z.string().nullish(),
		phone: z.string().nullish(),
	}),
};
