/** Parameters that operations of several resources share. */
import { map, sortBy, startCase, toLower, uniqWith } from 'lodash';

import type { Parameter } from '../operation';
import type { Convert } from '../values/context';
import type { LookupMode } from '../values/identity';
import { InputError } from '../userError';
import { toAmount } from '../values/amount';
import { toList, toObject, toSaleDate } from '../values/convert';
import { isSameWord } from '../values/words';
import { collection, flag, json, number, text } from './options';

/** Shown with every operation that reads a list. */
export const listParameters: Parameter[] = [
	flag('Return All', 'returnAll', false, {
		description: 'Whether to return all results or only up to a given limit',
	}),
	number('Limit', 'limit', 50, {
		displayOptions: { show: { returnAll: [false] } },
		typeOptions: { minValue: 1, numberPrecision: 0 },
		description: 'Max number of results to return',
	}),
];

export const additionalBody = json('Additional Body', 'additionalBody', '{}', {
	in: 'body',
	spread: true,
	convert: toObject,
	placeholder: 'e.g. {"customField": "value"}',
	description:
		'More fields for the request body, as a JSON object. They take precedence over all other fields.',
});

/** Labels that cannot be derived from their values. */
const SPELLINGS: Record<string, string> = { api: 'API', whatsapp: 'WhatsApp' };

/**
 * The entries of a drop-down for an enumeration: `in_progress` and `TASK_CREATED` become "In Progress" and "Task Created". If
 * values differ only in spelling, the first is listed.
 */
export function enumeration(values: readonly string[]): Array<{ name: string; value: string }> {
	const entries = uniqWith(values, isSameWord).map((value) => ({
		name: SPELLINGS[value] ?? (/^[\w-]+$/.test(value) ? startCase(toLower(value)) : value),
		value,
	}));
	return sortBy(entries, ({ name }) => toLower(name));
}

interface Locator extends Pick<Parameter, 'displayName' | 'name' | 'description' | 'lookup'> {
	/** A sentence that says which operation finds the ID. */
	findHint?: string;
	/** The name of a function in pickers/search.ts. */
	searchListMethod: string;
	/** An example of a search in the list, for the placeholder. */
	searchFor: string;
	/** An example of an ID, for the placeholder. */
	example: string;
	/** The label of the text field, if it takes more than an ID. */
	byId?: string;
}

const LOOKUP_MODES: Record<LookupMode, [displayName: string, example: string]> = {
	externalId: ['By External ID', 'crm-000123'],
	emailOrPhone: ['By Email or Phone', 'name@example.com'],
};

/** Filters that users add one by one. */
export function filterCollection(fields: Parameter[]): Parameter {
	return collection(
		'Filters',
		'filters',
		fields.map((field) => ({ ...field, refusesBlank: true })),
	);
}

/** A parameter that chooses one record, from a list that can be searched, by its ID, or in a mode of `lookup`. */
export function locator({
	searchListMethod,
	searchFor,
	example,
	byId = 'By ID',
	findHint,
	...property
}: Locator): Parameter {
	const { modes = [] } = property.lookup ?? {};
	const choices = ['From List', ...modes.map((mode) => LOOKUP_MODES[mode][0])].join(' or ');
	return {
		...property,
		...(findHint && { findHint: { all: findHint, panel: `It can also be chosen ${choices}.` } }),
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

/**
 * The fields of an update, and a list of fields to empty, since a blank field stays as it is. That list is declared first, so
 * that a field with a value keeps it.
 */
export function fieldsToUpdate(fields: Parameter[], clearable = fields): Parameter[] {
	const names = map(clearable, 'name').join(', ');
	const toEmptyFields: Convert = (value, context) => {
		const labels = toList(value, context) ?? [];
		const cleared = labels.map((name): [string, unknown] => {
			const field = clearable.find((parameter) => isSameWord(parameter.name, name));
			if (field) return [field.name, emptyValueOf(field)];
			throw new InputError(
				`"${context.label}" names a field that cannot be cleared: "${name}"`,
				`Choose from ${names}.`,
			);
		});
		return Object.fromEntries(cleared);
	};
	return [
		text('Fields to Clear', 'fieldsToClear', {
			in: 'body',
			spread: true,
			convert: toEmptyFields,
			placeholder: 'e.g. notes, tags',
			description: `Names of fields to empty, separated by commas; usually none. Of: ${names}.`,
		}),
		collection('Update Fields', 'updateFields', fields, {
			description:
				'The fields to change. A field that is left blank stays as it is; Fields to Clear empties it.',
		}),
	];
}

/** The value that empties a field (assumed: the spec does not show it): null for dates and numbers, which cannot be an empty text. */
function emptyValueOf({ type, convert }: Parameter): '' | [] | null {
	if (convert === toList) return [];
	return type === 'string' && convert !== toAmount && convert !== toSaleDate ? '' : null;
}
