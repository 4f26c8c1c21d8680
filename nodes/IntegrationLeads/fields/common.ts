/** Parameters that operations of several resources share. */
import type { Parameter } from '../operation';
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
	// Empty, n8n's editor marks it as wrong.
	default: '{}',
	placeholder: 'e.g. {"customField": "value"}',
	description:
		'More fields for the request as a JSON object, for what this form does not offer. A field given here wins over the same field above.',
};

/** Holds for the whole run. */
export const itemsAtOnce: Parameter = {
	displayName: 'Items at Once',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 20, numberPrecision: 0 },
	default: 4,
	description:
		'How many items are worked on at the same time. Without this option 8 when reading and 4 when writing. Items for the same record always keep their order.',
};

/** Holds for the whole run. */
export const timeout: Parameter = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 30,
	description: 'How long to wait for the answer to one request',
};

/** The technical settings of every operation, and those of one. */
export function options(more: Parameter[] = []): Parameter {
	const all = [itemsAtOnce, timeout, ...more];
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: all.sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}
