import { z } from 'zod';

import type { RecordShape } from './shape';
import { assumed, stated } from './shape';

/** Values seen so far (spec 2); the complete lists are not shown, so other values are sent and read as well. */
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

/** An element of `data.leads` of GET /leads. */
export const listedLead: RecordShape = {
	singular: 'lead',
	plural: 'leads',
	certainty: stated('4.1'),
	schema: listed,
};

/** A lead read or written by itself. */
export const lead: RecordShape = {
	singular: 'lead',
	plural: 'leads',
	// All that the spec names but the notes, which may be long.
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
		'the response bodies of 4.2 to 4.4 are not shown; the fields of part 2 are expected, which a list leaves out in part',
	),
	schema: listed.extend({
		source: z.string().nullish(),
		estimatedValue: z.number().nullish(),
		saleDate: z.string().datetime().nullish(),
		notes: z.string().nullish(),
	}),
};
