/** Builds the properties that n8n shows from the declarations. */
import { omit, pick, sortBy, trimEnd } from 'lodash';
import type { INodeProperties, INodePropertyOptions, NodeConnectionType } from 'n8n-workflow';

import { choice, parametersOf, text } from './fields/options';
import { mergePanels, type Panel } from './mergePanels';
import type { Operation, Parameter, Resource } from './operation';

/** The connection that passes on items. `NodeConnectionTypes` is not in n8n before 1.85, and the linter refuses the literal. */
export const MAIN: NodeConnectionType = 'main';

/** The members of a parameter that n8n does not know. */
const OURS = [
	'in',
	'field',
	'convert',
	'refusesBlank',
	'spread',
	'printable',
	'lookup',
	'findHint',
] as const;

/** All properties of the node: Resource, the operations of each resource, then the parameters of all. */
export function toNodeProperties(resources: Record<string, Resource>): INodeProperties[] {
	return [
		...describeParameter(
			choice('Resource', 'resource', 'lead', {
				noDataExpression: true,
				// Last, as n8n's own Custom API Call: it is for people who miss something above.
				options: sortBy(toDropDownEntries(resources), ({ value }) => value === 'apiRequest'),
			}),
		),
		...Object.entries(resources).flatMap(([key, { operations, defaultOperation }]) =>
			describeParameter(
				choice('Operation', 'operation', defaultOperation, {
					noDataExpression: true,
					displayOptions: { show: { resource: [key] } },
					options: toDropDownEntries(operations),
				}),
			),
		),
		...mergePanels(Object.entries(resources).flatMap(([key, resource]) => panelsOf(key, resource))),
	];
}

/** Parameters as properties, without conditions on resource and operation. */
export function describeParameters(parameters: Parameter[]): INodeProperties[] {
	return parameters.flatMap(describeParameter);
}

/** Parameters that few people need, shown last wherever they are declared. */
const LAST = ['fieldsToClear', 'options'];

function panelsOf(resource: string, { operations }: Resource): Panel[] {
	return Object.entries(operations).map(([operation, declaration]) => {
		const parameters = [toolDescription(declaration), ...parametersOf(declaration)];
		const ordered = sortBy(parameters, ({ name }) => LAST.indexOf(name));
		return { resource, operation, properties: describeParameters(ordered) };
	});
}

/** The entries of a drop-down. */
function toDropDownEntries(declared: Record<string, Resource | Operation>): INodePropertyOptions[] {
	const entries = Object.entries(declared).map(([value, declaration]) => ({
		value,
		...pick(declaration as Operation, ['name', 'action', 'description']),
	}));
	return sortBy(entries, ({ name }) => name.toLowerCase());
}

/**
 * The description by which a language model chooses the tool; the user may change it. Without this parameter, n8n would add one of
 * the same name that has only the operation's action.
 */
function toolDescription({ description, when }: Operation): Parameter {
	return text('Tool Description', 'toolDescription', {
		displayOptions: { show: { '@tool': [true] } },
		typeOptions: { rows: 3 },
		required: true,
		default: `${trimEnd(description, '.')}. ${when}`,
		description: 'Tells the agent when to use this tool',
	});
}

/**
 * One property, or two for an enumeration: a drop-down for people, and a text field for an AI agent, which cannot
 * fill a drop-down.
 */
function describeParameter(parameter: Parameter): INodeProperties[] {
	const { enumeration, options, ...rest } = parameter;
	const property = omit(rest, OURS);
	// Fields of a collection are properties; entries of a drop-down stay as they are.
	const described: INodeProperties = {
		...property,
		...(options && {
			options: options.flatMap<unknown>((option) =>
				'type' in option ? describeParameter(option) : [option],
			) as INodeProperties['options'],
		}),
	};
	if (!enumeration) return [described];
	const values = options?.flatMap((option) => ('value' in option ? [option.value] : []));
	const known = values?.filter((value) => value !== '').join(', ');
	// An agent has no expressions.
	const forPeople = property.description ?? property.displayName;
	const inWords = trimEnd(forPeople.replace(/Use an expression .*/, ''), '. ');
	return [
		// Hidden in tool mode rather than shown outside it: older hosts ignore '@tool', and must show it.
		{
			...described,
			allowArbitraryValues: true,
			displayOptions: { ...property.displayOptions, hide: { '@tool': [true] } },
		},
		{
			...omit(property, 'typeOptions'),
			type: 'string',
			default: String(property.default),
			description: `${inWords || property.displayName}. Known values: ${known}.`,
			displayOptions: { show: { ...property.displayOptions?.show, '@tool': [true] } },
		},
	];
}
