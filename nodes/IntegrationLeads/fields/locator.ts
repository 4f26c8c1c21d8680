import type { Parameter } from '../operation';

/**
 * A parameter that chooses one record: from a list that is searched, or by its ID.
 *
 * @param searchListMethod a function of pickers/search.ts
 * @param searchFor what one may type to search the list
 * @param example an ID for the placeholder
 * @param byId what typing is called, where more than an ID can be typed
 */
export function locator(about: {
	displayName: string;
	name: string;
	description: string;
	searchListMethod: string;
	searchFor: string;
	example: string;
	byId?: string;
}): Parameter {
	const {
		displayName,
		name,
		description,
		searchListMethod,
		searchFor,
		example,
		byId = 'By ID',
	} = about;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `e.g. ${searchFor}`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: byId, name: 'id', type: 'string', placeholder: `e.g. ${example}` },
		],
	};
}
