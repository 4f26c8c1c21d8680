import type { LookupMode, Parameter } from '../operation';

interface Locator
	extends Pick<Parameter, 'displayName' | 'name' | 'description' | 'lookup' | 'wayToFind'> {
	/** A function of pickers/search.ts. */
	searchListMethod: string;
	/** What may be typed to search the list. */
	searchFor: string;
	/** An ID for the placeholder. */
	example: string;
	/** The label of the text field, if it takes more than an ID. */
	byId?: string;
}

const LOOKUP_MODES: Record<LookupMode, [displayName: string, example: string]> = {
	externalId: ['By External ID', 'crm-000123'],
	emailOrPhone: ['By Email or Phone', 'name@example.com'],
};

/** A parameter that chooses one record, from a list that can be searched, by its ID, or in a mode of `lookup`. */
export function locator({
	searchListMethod,
	searchFor,
	example,
	byId = 'By ID',
	...property
}: Locator): Parameter {
	const { modes = [] } = property.lookup ?? {};
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
			textMode('id', byId, example),
			...modes.map((mode) => textMode(mode, ...LOOKUP_MODES[mode])),
		],
	};
}

function textMode(name: string, displayName: string, placeholder: string) {
	return { name, displayName, type: 'string' as const, placeholder: `e.g. ${placeholder}` };
}
