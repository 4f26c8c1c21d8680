/** What the node is to an AI agent, as far as its description says it. */
import type { INodeProperties } from 'n8n-workflow';

import { toNodeProperties as describePanel } from '../../nodes/IntegrationLeads/describe';
import { routesOf } from '../../nodes/IntegrationLeads/operation';
import { resources } from '../../nodes/IntegrationLeads/resources';
import { isOf } from './nodes.mts';

/** Chosen by the person who sets the tool up: how a thing is given, how much comes back, and what may be done at all. */
const OF_PEOPLE = [
	'afterwards',
	'ifNoLead',
	'leads',
	'method',
	'output',
	'specifyLead',
	'specifyLeads',
	'specifySale',
];

/** Paths of parameters that n8n's editor keeps agents from filling (fromAIOverride.utils). */
const KEPT_FROM_AGENTS = ['toolName', 'description', 'toolDescription'];

/** What the editor calls a parameter towards the model: its label, in letters that models take. */
const keyOf = ({ displayName }: INodeProperties) => displayName.replace(/[^a-zA-Z0-9-]/g, '_');

const isForTools = ({ displayOptions }: INodeProperties) =>
	!displayOptions?.hide?.['@tool'] && displayOptions?.show?.['@tool']?.[0] !== false;

/** What an agent fills in: the fields of a collection in its place. */
const filledIn = (properties: INodeProperties[], isShown: typeof isForTools): INodeProperties[] =>
	properties
		.filter(isShown)
		.flatMap((each) =>
			each.type === 'collection' ? filledIn(each.options as INodeProperties[], isShown) : [each],
		);

const choosers = ['resource', 'operation'];
const panel = describePanel(resources).filter(({ name }) => !choosers.includes(name));

const operations = Object.entries(resources).flatMap(([resource, { name, operations: declared }]) =>
	Object.entries(declared).map(([key, operation]) => {
		const isShown = isOf(resource, key);
		const parameters = panel.filter(isShown);
		const told = parameters.filter((each) => each.name === 'toolDescription');
		return {
			at: `${resource}.${key}`,
			resourceName: name,
			operation,
			text: String(told[0]?.default),
			told,
			parameters: parameters.filter(isForTools),
			filled: filledIn(panel, (each) => isForTools(each) && isShown(each)),
		};
	}),
);
const deleting = operations.filter(({ operation }) => operation.output.kind === 'deleted');

describe.each(operations)('$at', ({ operation, resourceName, text, told, parameters, filled }) => {
	it('tells a model what it does and when to use it', () => {
		expect(told).toMatchObject([{ displayOptions: { show: { '@tool': [true] } } }]);
		const what = operation.description.replace(/\.$/, '');
		expect(text.startsWith(`${what}. `)).toBe(true);
		expect(what).toMatch(/^[A-Z][a-z]+ \w/);
		// A call of an agent is one item: what many cost is said to people, in a hint.
		expect(text).not.toMatch(/for each item|each item takes/i);
		expect(operation.when).toMatch(/(^|\. )Use it (for|to|when|whenever|only|before) .*\.$/);
		// Long enough to choose by, short enough to be read with every question to the model.
		expect(text.length).toBeGreaterThan(70);
		expect(text.length).toBeLessThan(300);
	});

	it('has drop-downs only for what a person decides', () => {
		const fixed = filled.filter(({ type }) => type === 'options' || type === 'multiOptions');
		expect(fixed.map(({ name }) => name).filter((name) => !OF_PEOPLE.includes(name))).toEqual([]);
	});

	it('asks a model for nothing that it cannot do', () => {
		for (const { description = '', required, type } of filled) {
			expect(description).not.toMatch(/<a |\bexpressions?\b|Known values: *\./);
			if (required) expect(description).not.toMatch(/leave .*empty/i);
			if (type === 'string') expect(description).not.toMatch(/(choose|pick|select) .*list/i);
		}
		expect(text).not.toMatch(/only the fields/i);
	});

	it('lets a model fill each parameter, under a name of its own', () => {
		const names = parameters.map(({ name }) => name).filter((name) => name !== 'toolDescription');
		expect(names.filter((name) => KEPT_FROM_AGENTS.includes(name))).toEqual([]);
		const keys = filled.map(keyOf);
		expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
	});
});

describe.each(deleting)('$at, which deletes', ({ operation, parameters }) => {
	it('asks for each ID, and starts with none', () => {
		const ids = parameters.filter(({ name }) =>
			routesOf(operation).some((route) => route.includes(`{${name}}`)),
		);
		expect(ids.length).toBeGreaterThan(0);
		for (const { required, type, default: given } of ids) {
			expect(required).toBe(true);
			expect(given).toEqual(type === 'resourceLocator' ? { mode: 'list', value: '' } : '');
		}
	});

	it('warns the model', () => {
		expect(operation.when).toMatch(/only when told/);
	});
});
