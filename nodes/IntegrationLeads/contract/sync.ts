import { z } from 'zod';

import type { RecordShape } from './shape';
import { assumed } from './shape';

/** What became of one lead of a batch: an entry of the answer to `POST /sync`, which spec 4.6 only names. */
export const pushed: RecordShape = {
	singular: 'lead',
	plural: 'results',
	certainty: assumed(
		'the answer to a batch is not shown; expected is one entry for each lead, with its external ID, in the order sent',
	),
	schema: z.object({
		externalId: z.string(),
		id: z.string().nullish(),
		success: z.boolean().nullish(),
		result: z.string().nullish(),
	}),
};
