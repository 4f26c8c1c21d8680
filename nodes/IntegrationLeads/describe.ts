/** From the declarations to the properties that n8n shows. */
import { isEmpty, omit, trimEnd } from 'lodash';
import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

import { outputChoice } from './fields/output';
import type { Operation, Parameter, Resource } from './operation';

/** What a parameter says beyond n8n's vocabulary. */
const OURS = ['in', 'field', 'convert', 'spread', 'printable'] as const;

/** All properties of the node: Resource, then for each resource its operations and their parameters. */
export function describe(resources: Record<string, Resource>): INodeProperties[] {
	const entries = Object.entries(resources);
	const choices = entries.map(([value, { name, description }]) => ({ name, value, description }));
	const resource: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: byName(choices),
		default: 'lead',
	};
	return [resource, ...entries.flatMap(([key, each]) => describeResource(key, each))];
}

/** Parameters of a node without resources. */
export function describeParameters(parameters: Parameter[]): INodeProperties[] {
	return parameters.flatMap((parameter) => describeParameter(parameter));
}

function describeResource(resource: string, declared: Resource): INodeProperties[] {
	const { operations, defaultOperation } = declared;
	const entries = Object.entries(operations);
	const operation: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: byName(
			entries.map(([value, { name, action, description }]) => ({
				name,
				value,
				action,
				description,
			})),
		),
		default: defaultOperation,
	};
	const parameters = entries.flatMap(([key, each]) =>
		[toolDescription(each), ...each.parameters, ...outputChoice(each)]
			.sort((a, b) => Number(a.name === 'options') - Number(b.name === 'options'))
			.flatMap((parameter) =>
				describeParameter(parameter, { resource: [resource], operation: [key] }),
			),
	);
	return [operation, ...parameters];
}

/**
 * What a language model chooses the tool by. n8n adds a parameter of this name to the variant for agents unless there is
 * one, and would tell the model no more than the operation's action. The user may change the text.
 */
export function toolDescription({ description, when }: Operation): Parameter {
	return {
		displayName: 'Tool Description',
		name: 'toolDescription',
		type: 'string',
		displayOptions: { show: { '@tool': [true] } },
		typeOptions: { rows: 3 },
		required: true,
		default: `${trimEnd(description, '.')}. ${when}`,
		description: 'What the agent is told of this tool, to decide when to use it',
	};
}

function byName<T extends INodePropertyOptions>(options: T[]): T[] {
	return options.sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * One property, or two for an enumeration that takes other values as well: a drop-down for people, and a text
 * field for an AI agent, which cannot fill a drop-down.
 */
function describeParameter(
	parameter: Parameter,
	when: NonNullable<IDisplayOptions['show']> = {},
): INodeProperties[] {
	const { open, options, displayOptions, ...rest } = parameter;
	const property = omit(rest, OURS);
	const show = { ...when, ...displayOptions?.show };
	const shown = { ...displayOptions, ...(!isEmpty(show) && { show }) };
	const described: INodeProperties = {
		...property,
		...(options && {
			options: options.flatMap((each) => describeOption(each)) as INodeProperties['options'],
		}),
		...(!isEmpty(shown) && { displayOptions: shown }),
	};
	if (!open) return [described];
	const text: INodeProperties = {
		...property,
		type: 'string',
		default: String(property.default),
		description: `${trimEnd(property.description ?? property.displayName, '.')}. Known values: ${valuesOf(parameter).join(', ')}.`,
	};
	return [
		// Hidden in tool mode rather than shown outside it: older hosts do not know '@tool', and show it.
		{
			...described,
			allowArbitraryValues: true,
			displayOptions: { ...described.displayOptions, hide: { '@tool': [true] } },
		},
		{ ...text, displayOptions: { show: { ...show, '@tool': [true] } } },
	];
}

/** Entries of a drop-down and groups of fields stay as they are, fields of a collection are properties themselves. */
function describeOption(
	option: INodePropertyOptions | INodePropertyCollection | Parameter,
): Array<INodePropertyOptions | INodePropertyCollection | INodeProperties> {
	return 'type' in option ? describeParameter(option) : [option];
}

function valuesOf({ options = [] }: Parameter): string[] {
	const values = options.map((option) => ('value' in option ? String(option.value) : ''));
	return values.filter((value) => value !== '');
}
