/** Builds parameters, and the options that all operations have. */
import { memoize, sortBy } from 'lodash';

import type { IDataObject } from 'n8n-workflow';

import { onlyReads, type Operation, type Parameter, type Values, fieldsOf } from '../operation';

/** A parameter whose converted values have the type `V`. */
export type Typed<N extends string, V> = Parameter & { name: N; readonly gives?: V };

/** Values with typed options: an option that is not declared does not compile. */
export type WithOptions<P extends readonly Parameter[]> = Omit<Values, 'options'> & {
	options: {
		[E in P[number] as E['name']]?: E extends Typed<string, infer V> ? V : IDataObject[string];
	};
};

/** Declares a parameter of one type: its label, its name, its default, and more. */
const ofType =
	<V>(type: Parameter['type']) =>
	<N extends string>(
		displayName: string,
		name: N,
		first: Parameter['default'],
		more: Partial<Parameter> = {},
	): Typed<N, V> => ({ displayName, type, default: first, ...more, name });

export const number = ofType<number>('number');
export const flag = ofType<boolean>('boolean');
/** A drop-down. */
export const choice = ofType<string>('options');
/** n8n's editor marks an empty JSON field as invalid, so the default of an optional one is `{}`. */
export const json = ofType<IDataObject[string]>('json');

/** A text field, empty by default. */
export const text = <N extends string>(displayName: string, name: N, more?: Partial<Parameter>) =>
	ofType<string>('string')(displayName, name, '', more);

/** A date, empty by default. A text field, because n8n's date picker turns 31/12/2026 into the current time or nothing. */
export const date: typeof text = (displayName, name, more) =>
	text(displayName, name, { placeholder: 'e.g. 31/12/2026 or 2026-12-31T14:30', ...more });

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

const alphabetical = (fields: Parameter[]): Parameter[] =>
	sortBy(fields, ({ displayName }) => displayName.toLowerCase());

/** The collection Options: those of one operation, and those of all. */
export function options(more: Parameter[] = []): Parameter {
	return collection('Options', 'options', [timeout, ...more]);
}

/** Applies to the whole run. */
export const timeout = number('Timeout (Seconds)', 'timeout', 30, {
	typeOptions: { minValue: 1, maxValue: 3600 },
	description: 'How long to wait for the response to a request',
});

const simplifyOption = flag('Simplify', 'simplify', true, {
	displayOptions: { hide: { '@tool': [true] } },
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** Applies to the whole run. For operations with `outputsInput`. */
const itemOutput = choice('Output', 'output', 'record', {
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
	description: 'What each item of the output is',
});

/** Applies to the whole run. For operations that write. */
const onlyCheck = flag('Only Check', 'onlyCheck', false, {
	noDataExpression: true,
	displayOptions: { hide: { '@tool': [true] } },
	description:
		'Whether to show what would be sent, without sending it: everything is converted and looked up, and each item stops before its first write',
});

/** AI agents pay for every field they read. */
const toolOutput = choice('Output', 'output', 'simplified', {
	displayOptions: { show: { '@tool': [true] } },
	options: [
		{ name: 'Raw', value: 'raw', description: 'The response as it is' },
		{ name: 'Simplified', value: 'simplified', description: 'The fields needed most often' },
	],
	description: 'How much of the record the agent reads',
});

/**
 * The parameters of an operation, with those that choose the fields of its output if its record has a simplified form. For
 * writes these are options, because few people look at that output.
 */
export const parametersOf = memoize((operation: Operation): Parameter[] => {
	const { parameters, output, outputsInput } = operation;
	const isSimplified = 'record' in output && output.record.simplified !== undefined;
	if (isSimplified && onlyReads(operation)) return [...parameters, simplifyOption, toolOutput];
	const more = [
		...(outputsInput ? [itemOutput] : []),
		...(isSimplified ? [simplifyOption] : []),
		...(onlyReads(operation) ? [] : [onlyCheck]),
	];
	const withMore = parameters.map((parameter) =>
		parameter.name === 'options' && more.length > 0
			? { ...parameter, options: alphabetical([...fieldsOf(parameter), ...more]) }
			: parameter,
	);
	return [...withMore, ...(isSimplified ? [toolOutput] : [])];
});
