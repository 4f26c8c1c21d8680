import { interaction, interactionTypes } from '../contract/records';
import { additionalBody, listParameters, options } from '../fields/common';
import { toObject } from '../fields/convert';
import { enumeration } from '../fields/enumeration';
import { leadId } from '../fields/lead';
import type { Resource } from '../operation';

export const interactions: Resource = {
	name: 'Interaction',
	description: 'Something that happened with a lead: a call, a note, a meeting',
	defaultOperation: 'create',
	operations: {
		create: {
			name: 'Create',
			action: 'Create interaction',
			description: 'Record an interaction with a lead',
			scope: 'interactions:write',
			route: 'POST /leads/{leadId}/interactions',
			repeatable: false,
			parameters: [
				leadId,
				{
					displayName: 'Type',
					name: 'type',
					type: 'options',
					in: 'body',
					open: true,
					required: true,
					options: enumeration(interactionTypes),
					default: 'NOTE',
					description: 'What kind of interaction it was',
				},
				{
					displayName: 'Title',
					name: 'title',
					type: 'string',
					in: 'body',
					default: '',
				},
				{
					displayName: 'Description',
					name: 'description',
					type: 'string',
					in: 'body',
					typeOptions: { rows: 4 },
					default: '',
				},
				{
					displayName: 'Metadata',
					name: 'metadata',
					type: 'json',
					in: 'body',
					convert: toObject,
					default: '',
					placeholder: 'e.g. {"duration": 120, "result": "reached"}',
					description: 'Free extra data as a JSON object',
				},
				additionalBody,
				options(),
			],
			output: { kind: 'one', record: interaction },
		},
		getAll: {
			name: 'Get Many',
			action: 'Get many interactions',
			description: 'Get the interactions of a lead',
			scope: { assumed: 'interactions:read' },
			route: 'GET /leads/{leadId}/interactions',
			repeatable: true,
			parameters: [leadId, ...listParameters, options()],
			output: { kind: 'many', record: interaction },
		},
	},
};
