/** What of a record goes to the output. Offered with every operation whose record has many fields. */
import type { Operation, Parameter } from '../operation';
import { toList } from '../values/convert';

/** n8n's guideline: simplify records with more than this many fields. */
const MANY_FIELDS = 10;

const simplify: Parameter = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	displayOptions: { hide: { '@tool': [true] } },
	default: false,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** An AI agent pays for every field it reads. */
const forTools: Parameter[] = [
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		displayOptions: { show: { '@tool': [true] } },
		options: [
			{ name: 'Raw', value: 'raw', description: 'Everything, as the service answered' },
			{ name: 'Selected Fields', value: 'selectedFields', description: 'Only fields you name' },
			{ name: 'Simplified', value: 'simplified', description: 'The fields most often needed' },
		],
		default: 'simplified',
		description: 'How much of the record the agent gets to read',
	},
	{
		displayName: 'Fields',
		name: 'outputFields',
		type: 'string',
		convert: toList,
		displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
		default: 'id, externalId, status',
		description: 'Names of the fields to return, separated by commas',
	},
];

/** The parameters by which to choose, where the operation's record is large. */
export function outputChoice({ output }: Operation): Parameter[] {
	if (output.kind !== 'one') return [];
	const { simplified, schema } = output.record;
	return simplified && Object.keys(schema.shape).length > MANY_FIELDS
		? [simplify, ...forTools]
		: [];
}
