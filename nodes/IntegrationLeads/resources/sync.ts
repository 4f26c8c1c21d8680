import { lead } from '../contract/lead';
import { pushed } from '../contract/records';
import { upsertOutcome } from '../contract/upsertOutcome';
import { isUpsertByExternalId, requireIdentifier } from '../fields/check';
import { additionalBody, options } from '../fields/common';
import { batchOptions, leadOfItem, pushBatch, syncedExternalId } from '../fields/sync';
import { leadValueOptions } from '../fields/values';
import type { Resource } from '../operation';

export const sync: Resource = {
	name: 'Sync',
	description: 'Many leads at once, and leads by your own external ID',
	defaultOperation: 'push',
	operations: {
		delete: {
			name: 'Delete',
			action: 'Delete synchronised lead',
			description: 'Delete the lead that was synchronised with an external ID',
			when: 'Use it only when told to delete this very lead, with its exact external ID. Never guess the ID.',
			scope: { assumed: 'sync' },
			route: 'DELETE /sync/{externalId}',
			parameters: [syncedExternalId, options()],
			output: { kind: 'deleted' },
		},
		get: {
			name: 'Get',
			action: 'Get synchronised lead',
			description: 'Get the lead that was synchronised with an external ID',
			when: 'Use it when the external ID of a lead is known and the lead was sent in bulk.',
			scope: { assumed: 'sync' },
			route: 'GET /sync/{externalId}',
			parameters: [syncedExternalId, options()],
			output: { kind: 'one', record: lead },
		},
		push: {
			name: 'Push Leads',
			action: 'Push leads',
			description: 'Create or update many leads: all input items, in few requests',
			when: 'Use it for leads that another system keeps, each with its external ID or the code of a tracking link. One call sends one lead.',
			scope: 'sync',
			route: 'POST /sync',
			repeatable: isUpsertByExternalId,
			parameters: [...leadOfItem, options([additionalBody, ...batchOptions, ...leadValueOptions])],
			output: { kind: 'one', record: pushed, outcome: upsertOutcome },
			check: requireIdentifier,
			batch: pushBatch,
		},
	},
};
