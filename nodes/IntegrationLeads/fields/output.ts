/** Which fields of a record go to the output, for operations whose record has a simplified form. */
import type { Operation, Parameter } from '../operation';
import { toList } from '../values/convert';

const simplify: Parameter = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	displayOptions: { hide: { '@tool': [true] } },
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** AI agents pay for every field they read. */
const toolOutput: Parameter[] = [
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		displayOptions: { show: { '@tool': [true] } },
		options: [
			{ name: 'Raw', value: 'raw', description: 'The response as it is' },
			{ name: 'Selected Fields', value: 'selectedFields', description: 'Only fields you name' },
			{ name: 'Simplified', value: 'simplified', description: 'The fields needed most often' },
		],
		default: 'simplified',
		description: 'How much of the record the agent reads',
	},
	{
		displayName: 'Fields',
		name: 'outputFields',
		type: 'string',
		convert: toList,
		displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
		default: 'name, email, status, externalId, id',
		description: 'Names of the fields to return, separated by commas',
	},
];

export function outputParameters({ output }: Operation): Parameter[] {
	return 'record' in output && output.record.simplified ? [simplify, ...toolOutput] : [];
}
