import { tag } from '../contract/records';
import { additionalBody, listParameters } from '../fields/common';
import { options, text } from '../fields/options';
import { list, single, type RequestDeclaration, type Resource } from '../operation';

const getTags = {
	name: 'Get Many',
	action: 'Get many tags',
	description: 'Get a list of tags with their IDs',
	when: 'Use it to see which tags exist, or to find the ID of one.',
	scope: 'tags:read',
	route: 'GET /tags',
	parameters: [...listParameters, options()],
	output: { kind: 'many', record: tag },
} satisfies RequestDeclaration;

export const tags: Resource = {
	name: 'Tag',
	description: 'A label for leads',
	defaultOperation: 'getAll',
	operations: {
		create: single({
			name: 'Create',
			action: 'Create tag',
			description: 'Create a tag',
			when: 'Use it for a label that does not exist yet; check with Get Many first.',
			scope: 'tags:write',
			route: 'POST /tags',
			parameters: [
				text('Name', 'name', {
					in: 'body',
					required: true,
					placeholder: 'e.g. spring campaign',
				}),
				options([additionalBody]),
			],
			listStep: getTags,
			output: { kind: 'one', record: tag },
		}),
		getAll: list(getTags),
	},
};
