import { lead } from '../contract/lead';
import { options } from '../fields/common';
import { toText } from '../fields/convert';
import type { Parameter, Resource } from '../operation';

const externalId: Parameter = {
	displayName: 'External ID',
	name: 'externalId',
	type: 'string',
	in: 'path',
	printable: true,
	convert: toText,
	required: true,
	default: '',
	placeholder: 'e.g. crm-000123',
	description: 'Your own unique ID of the lead',
};

export const sync: Resource = {
	name: 'Sync',
	description: 'Leads by your own external ID, as the synchronisation route sees them',
	defaultOperation: 'get',
	operations: {
		delete: {
			name: 'Delete',
			action: 'Delete synchronised lead',
			description: 'Delete what was synchronised under an external ID',
			scope: { assumed: 'sync' },
			route: 'DELETE /sync/{externalId}',
			repeatable: true,
			parameters: [externalId, options()],
			output: { kind: 'deleted' },
		},
		get: {
			name: 'Get',
			action: 'Get synchronised lead',
			description: 'Get what was synchronised under an external ID',
			scope: { assumed: 'sync' },
			route: 'GET /sync/{externalId}',
			repeatable: true,
			parameters: [externalId, options()],
			output: { kind: 'one', record: lead },
		},
	},
};
