/** What operations have in common: their options, and which fields of a record go to the output. */
import { memoize, sortBy } from 'lodash';

import { onlyReads, type Operation, type Parameter } from '../operation';

/** A field of text, empty at first. */
export const text = (displayName: string, name: string, more?: Partial<Parameter>): Parameter => ({
	displayName,
	name,
	type: 'string',
	default: '',
	...more,
});

/** A date, empty at first. */
export const date: typeof text = (displayName, name, more) =>
	text(displayName, name, { type: 'dateTime', ...more });

/** A switch, on or off at first. */
export const flag = (
	displayName: string,
	name: string,
	isOn: boolean,
	more: Partial<Parameter>,
): Parameter => text(displayName, name, { type: 'boolean', default: isOn, ...more });

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
		options: alphabetical(options),
		...more,
	};
}

function alphabetical(fields: Parameter[]): Parameter[] {
	return sortBy(fields, ({ displayName }) => displayName.toLowerCase());
}

/** The options of every operation, and those of one. */
export function options(more: Parameter[] = []): Parameter {
	return collection('Options', 'options', [timeout, ...more]);
}

/** Applies to the whole run. */
export const timeout: Parameter = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 3600 },
	default: 30,
	description: 'How long to wait for the response to a request',
};

/** How to send a value that was left out because only a heading has it for a field. */
export const MAP_BY_HAND = ' To send it all the same, map the columns by hand.';

const simplify = flag('Simplify', 'simplify', true, {
	displayOptions: { hide: { '@tool': [true] } },
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** Applies to the whole run. For operations with `outputsInput`. */
const itemOutput: Parameter = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	noDataExpression: true,
	displayOptions: { hide: { '@tool': [true] } },
	options: [
		{
			name: 'Input With Result',
			value: 'inputWithResult',
			description:
				'The input item with "result" in words, such as "created" or "refused: …". No item fails, so that each row can be written back.',
		},
		{ name: 'Record', value: 'record', description: 'The lead and what became of it, in fields' },
	],
	default: 'record',
	description: 'What each item of the output is',
};

/** AI agents pay for every field they read. */
const toolOutput: Parameter = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	displayOptions: { show: { '@tool': [true] } },
	options: [
		{ name: 'Raw', value: 'raw', description: 'The response as it is' },
		{ name: 'Simplified', value: 'simplified', description: 'The fields needed most often' },
	],
	default: 'simplified',
	description: 'How much of the record the agent reads',
};

/**
 * The parameters of an operation, with those that choose the fields of its output if its record has a simplified form.
 * Where something is written, they are options: few look at that output.
 */
export const parametersOf = memoize((operation: Operation): Parameter[] => {
	const { parameters, output, outputsInput } = operation;
	const isSimplified = 'record' in output && output.record.simplified !== undefined;
	if (isSimplified && onlyReads(operation)) return [...parameters, simplify, toolOutput];
	const more = [...(outputsInput ? [itemOutput] : []), ...(isSimplified ? [simplify] : [])];
	const withMore = parameters.map((each) =>
		each.name === 'options' && more.length > 0
			? { ...each, options: alphabetical([...(each.options as Parameter[]), ...more]) }
			: each,
	);
	return [...withMore, ...(isSimplified ? [toolOutput] : [])];
});
