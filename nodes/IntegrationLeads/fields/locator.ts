import type { Parameter } from '../operation';

interface Locator extends Pick<Parameter, 'displayName' | 'name' | 'description'> {
	/** A function of pickers/search.ts. */
	searchListMethod: string;
	/** What may be typed to search the list. */
	searchFor: string;
	/** An ID for the placeholder. */
	example: string;
	/** The label of the text field, if it takes more than an ID. */
	byId?: string;
}

/** A parameter that chooses one record, from a list that can be searched or by its ID. */
export function locator({
	searchListMethod,
	searchFor,
	example,
	byId = 'By ID',
	...property
}: Locator): Parameter {
	return {
		...property,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
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
