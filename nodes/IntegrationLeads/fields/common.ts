/** Parameters that operations of several resources share. */
import { sortBy, startCase, toLower, uniqWith } from 'lodash';

import type { Parameter } from '../operation';
import { isSameWord } from '../values/argument';
import { toObject } from '../values/convert';

/** Shown with every operation that reads a list. */
export const listParameters: Parameter[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		displayOptions: { show: { returnAll: [false] } },
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 50,
		description: 'Max number of results to return',
	},
];

export const additionalBody: Parameter = {
	displayName: 'Additional Body',
	name: 'additionalBody',
	type: 'json',
	in: 'body',
	spread: true,
	convert: toObject,
	// n8n's editor marks an empty JSON field as invalid.
	default: '{}',
	placeholder: 'e.g. {"customField": "value"}',
	description:
		'More fields for the request body, as a JSON object. They take precedence over all other fields.',
};

/** Applies to the whole run. */
export const itemsAtOnce: Parameter = {
	displayName: 'Items at Once',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 32, numberPrecision: 0 },
	// What applies without the option, so that adding it changes nothing yet.
	default: 32,
	description:
		'How many items to process at the same time, at most. It begins with 8 and takes more while the service answers quickly. Items for the same record always keep their order.',
};

/** Applies to the whole run. */
export const timeout: Parameter = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 30,
	description: 'How long to wait for the response to a request',
};

/** Values whose spelling does not follow from their words. */
const SPELLINGS: Record<string, string> = { api: 'API', whatsapp: 'WhatsApp' };

/**
 * The drop-down of an enumeration: `in_progress` and `TASK_CREATED` become "In Progress" and "Task Created". Of values
 * that differ only in spelling, the first is listed.
 */
export function enumeration(values: readonly string[]): Array<{ name: string; value: string }> {
	const entries = uniqWith(values, isSameWord).map((value) => ({
		name: SPELLINGS[value] ?? (/^[\w-]+$/.test(value) ? startCase(toLower(value)) : value),
		value,
	}));
	return sortBy(entries, ({ name }) => toLower(name));
}

/** For an operation with `listedBy`. */
export const skipIfRecorded: Parameter = {
	displayName: 'Skip If Recorded',
	name: 'skipIfRecorded',
	type: 'boolean',
	default: false,
	description:
		'Whether to read the list of the service first, and to return an equal record instead of creating another one. Use it to run an interrupted workflow again: what was recorded is not sent twice. An equal record that was created on purpose earlier counts as recorded too.',
};

/** An optional group of fields that users add one by one. */
export function collection(
	displayName: string,
	name: string,
	options: Parameter[],
	more: Partial<Parameter> = {},
): Parameter {
	const word = displayName.toLowerCase().split(' ').at(-1)!.replace(/s$/, '');
	return {
		displayName,
		name,
		type: 'collection',
		placeholder: `Add ${word}`,
		default: {},
		options: sortBy(options, (option) => option.displayName.toLowerCase()),
		...more,
	};
}

/** The options of every operation, and those of one. */
export function options(more: Parameter[] = []): Parameter {
	return collection('Options', 'options', [itemsAtOnce, timeout, ...more]);
}
