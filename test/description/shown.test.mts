/**
 * Which properties n8n shows for an operation: exactly those that it declares, in their order, whatever other operations
 * share them. n8n's own `displayParameter` decides, for people and for tools, and for all values that fields depend on.
 */
import { omit, sortBy, uniq } from 'lodash';
import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
	NodeParameterValue,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { describeParameters, toolDescription } from '../../nodes/IntegrationLeads/describe';
import { parametersOf } from '../../nodes/IntegrationLeads/fields/options';
import type { Operation, Parameter } from '../../nodes/IntegrationLeads/operation';
import { resources } from '../../nodes/IntegrationLeads/resources';
import { registered } from './nodes.mts';

const { description } = registered[0].node;

/** The properties in view, and the entries of their collections, without the conditions that show them. */
function shown(properties: INodeProperties[], values: INodeParameters, tool: boolean): unknown[] {
	const node = { typeVersion: 1 } as INode;
	const type = { ...description, name: description.name + (tool ? 'Tool' : '') };
	const isShown = (property: INodeProperties, inner: INodeParameters) =>
		NodeHelpers.displayParameter(inner, property, node, type, values);
	return properties
		.filter((property) => isShown(property, values))
		.map((property) => ({
			...omit(property, 'displayOptions'),
			...(property.type === 'collection' && {
				options: (property.options as INodeProperties[])
					.filter((entry) => isShown(entry, {}))
					.map((entry) => omit(entry, 'displayOptions')),
			}),
		}));
}

const declared = (operation: Operation): Parameter[] => {
	const own = [toolDescription(operation), ...parametersOf(operation)];
	// Whatever its place in the declaration, which decides what overrides what.
	return sortBy(own, ({ name }) => ['fieldsToClear', 'options'].indexOf(name));
};

/** The parameters whose values decide which others are shown, each with all its values. */
function choices(parameters: Parameter[]): Array<[string, NodeParameterValue[]]> {
	const all = parameters.flatMap((each) => [each, ...((each.options ?? []) as Parameter[])]);
	const causes = uniq(
		all.flatMap(({ displayOptions: { show, hide } = {} }) => Object.keys({ ...show, ...hide })),
	).map((cause) => cause.replace(/^\//, ''));
	return parameters
		.filter(({ name }) => causes.includes(name))
		.map(({ name, type, options = [] }) => [
			name,
			type === 'boolean'
				? [true, false]
				: (options as INodePropertyOptions[]).map(({ value }) => value),
		]);
}

/** Each combination of these values. */
const combinations = (given: Array<[string, NodeParameterValue[]]>) =>
	given.reduce<INodeParameters[]>(
		(before, [name, values]) =>
			before.flatMap((each) => values.map((value) => ({ ...each, [name]: value }))),
		[{}],
	);

const choosers = ['resource', 'operation'];

const cases = Object.entries(resources).flatMap(([resource, { operations }]) =>
	Object.entries(operations).flatMap(([operation, each]) =>
		[false, true].map((tool) => ({
			at: `${resource}.${operation}${tool ? ' as a tool' : ''}`,
			chosen: { resource, operation },
			parameters: declared(each),
			tool,
		})),
	),
);

it.each(cases)('$at shows what it declares', ({ chosen, parameters, tool }) => {
	for (const choice of combinations(choices(parameters))) {
		for (const mappingMode of ['autoMapInputData', 'defineBelow']) {
			const values = { ...chosen, ...choice, lead: { mappingMode } };
			const [resource, operation, ...others] = shown(description.properties, values, tool);
			expect([resource, operation]).toMatchObject(choosers.map((name) => ({ name })));
			expect(others).toEqual(shown(describeParameters(parameters), values, tool));
		}
	}
});

it('has about half of the properties and bytes that the operations have one by one', () => {
	const alone = Object.values(resources).flatMap(({ operations }) =>
		Object.values(operations).flatMap((each) => describeParameters(declared(each))),
	);
	const shared = description.properties.filter(({ name }) => !choosers.includes(name));
	expect(shared.length).toBeLessThan(0.57 * alone.length);
	expect(JSON.stringify(shared).length).toBeLessThan(0.65 * JSON.stringify(alone).length);
});
