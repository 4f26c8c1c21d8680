/** Declares the operations of interactions. */
import { isEmpty } from 'lodash';

import { interaction, interactionTypes } from '../contract/records';
import { additionalBody, enumeration, listParameters } from '../fields/common';
import { choice, json, options, text } from '../fields/options';
import { leadId } from '../fields/leadFields';
import { list, single, type RequestDeclaration, type Resource } from '../operation';
import { InputError } from '../userError';
import { isBlank, toFreeText, toObject } from '../values/convert';

const whatHappened = text('Description', 'text', {
	in: 'body',
	convert: toFreeText,
	typeOptions: { rows: 4 },
	description: 'What happened',
});

export const getInteractions = {
	name: 'Get Many',
	action: 'Get many interactions',
	description: 'Get the interactions of a lead, such as calls, notes and meetings',
	when: 'Use it to read the history of a lead whose ID is known.',
	scope: { assumed: 'interactions:read' },
	route: 'GET /leads/{leadId}/interactions',
	parameters: [leadId, ...listParameters, options()],
	output: { kind: 'many', record: interaction },
} satisfies RequestDeclaration;

export const createInteraction = {
	name: 'Create',
	action: 'Create interaction',
	description: 'Record an interaction with a lead, such as a call, a note or a meeting',
	when: 'Use it to record what happened with a lead whose ID is known. Each call adds a new interaction.',
	scope: 'interactions:write',
	route: 'POST /leads/{leadId}/interactions',
	parameters: [
		leadId,
		choice('Type', 'type', 'NOTE', {
			in: 'body',
			// Their list is complete (spec 2).
			enumeration: 'closed',
			required: true,
			options: enumeration(interactionTypes),
			description: 'The kind of interaction',
		}),
		text('Title', 'title', {
			in: 'body',
		}),
		{ ...whatHappened, name: 'description', displayOptions: { hide: { '@tool': [true] } } },
		// n8n's editor does not let agents fill a parameter named description.
		{ ...whatHappened, field: 'description', displayOptions: { show: { '@tool': [true] } } },
		options([
			additionalBody,
			json('Metadata', 'metadata', '{}', {
				in: 'body',
				convert: toObject,
				placeholder: 'e.g. {"duration": 120, "result": "reached"}',
				description: 'Extra data as a JSON object, such as a duration and a result',
			}),
		]),
	],
	listStep: getInteractions,
	output: { kind: 'one', record: interaction },
	check: ({ body: { title, description, metadata } }) => {
		if (!isBlank(title) || !isBlank(description) || !isEmpty(metadata)) return;
		throw new InputError(
			'"Title" and "Description" are empty, and an interaction without them says nothing',
			{ all: 'Give at least one of them.', panel: 'Check the value of the expression.' },
		);
	},
} satisfies RequestDeclaration;

export const interactions: Resource = {
	name: 'Interaction',
	description: 'An event in the history of a lead: a call, a note, a meeting',
	defaultOperation: 'create',
	operations: {
		create: single(createInteraction),
		getAll: list(getInteractions),
	},
};
