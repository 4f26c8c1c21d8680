import { z } from 'zod';

import type { RecordShape } from './shape';
import { assumed } from './shape';

/** A sale as a row. It is made of the leads of a list, whose words stand here. */
export const conversion: RecordShape = {
	singular: 'lead',
	plural: 'leads',
	certainty: assumed(
		'made by the node from the lists of 4.1 and the answers of 4.2, which are not shown: saleDate, estimatedValue and contact are expected as in part 2, and a phone in contact where it has one',
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
