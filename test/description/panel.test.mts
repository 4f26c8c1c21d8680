/** The panel keeps to n8n's conventions, whatever the declarations say. */
import { difference, get, map, sortBy, uniq } from 'lodash';
import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
	INodeTypes,
} from 'n8n-workflow';
import { NodeHelpers, Workflow } from 'n8n-workflow';

import { describeParameters } from '../../nodes/IntegrationLeads/describe';
import type { Parameter } from '../../nodes/IntegrationLeads/operation';
import { resources } from '../../nodes/IntegrationLeads/resources';
import { name as packageName } from '../../package.json';
import { registered, withInner } from './nodes.mts';

const all = registered.flatMap(({ className, node }) =>
	node.description.properties.flatMap(withInner).map((property) => {
		const { resource, operation } = property.displayOptions?.show ?? {};
		const at = [className, resource, operation, property.name].flat().filter(Boolean).join(' ');
		return { at, property, listSearch: node.methods?.listSearch ?? {} };
	}),
);
const ofType = (...types: Array<INodeProperties['type']>) => {
	return all.filter(({ property }) => types.includes(property.type));
};
const operations = Object.values(resources).flatMap((resource) =>
	Object.values(resource.operations).map((operation) => ({
		resource: resource.name,
		...operation,
	})),
);

describe('conventions', () => {
	it.each(ofType('options', 'multiOptions', 'collection'))(
		'$at: entries are in alphabetical order',
		({ property }) => {
			const labels = map(property.options, (each) => get(each, 'displayName', each.name));
			// As n8n's own Custom API Call, API Request comes after what has an operation.
			const isLast = (label: string) => label === resources.apiRequest.name;
			const order = sortBy(uniq(labels), isLast, (label) => label.toLowerCase());
			expect(uniq(labels)).toEqual(order);
		},
	);

	it.each(ofType('options'))('$at: the default is one of the entries', ({ property }) => {
		const values = (property.options as INodePropertyOptions[]).map(({ value }) => value);
		expect(new Set(values).size).toBe(values.length);
		if (!property.typeOptions?.loadOptionsMethod) expect(values).toContain(property.default);
	});

	const ours = 'in field convert freeText open spread printable lookup wayToFind'.split(' ');
	it.each(all)('$at: has a default, an example, and nothing unknown to n8n', ({ property }) => {
		expect(property.default).toBeDefined();
		const { placeholder = '', type } = property;
		expect(placeholder).toMatch(type === 'collection' ? /^Add [a-z]/ : /^$|^e\.g\. ./);
		expect(Object.keys(property).filter((name) => ours.includes(name))).toEqual([]);
	});

	/** n8n's editor marks an empty JSON field as wrong. A body may be none at all. */
	it.each(ofType('json').filter(({ property }) => property.name !== 'body'))(
		'$at: holds JSON from the start',
		({ property }) => {
			const given = String(property.default);
			if (!given.startsWith('=')) expect(JSON.parse(given)).toEqual({});
		},
	);

	/** They are read by what builds workflows, which writes expressions in another way than n8n stores them. */
	it('hints for builders hold no expression, and name nodes there are', () => {
		const names = registered.map(({ node }) => `${packageName}.${node.description.name}`);
		const ofNodes = registered.map(({ node }) => node.description.builderHint ?? {});
		const hints = [
			...ofNodes.flatMap(({ searchHint = [] }) => searchHint),
			...all.flatMap(({ property }) => property.builderHint?.propertyHint ?? []),
		];
		expect(hints.length).toBeGreaterThanOrEqual(5);
		expect(hints.filter((hint) => /\{\{|\}\}|\$\w|^=/.test(hint))).toEqual([]);
		const related = ofNodes.flatMap(({ relatedNodes = [] }) => relatedNodes);
		for (const { nodeType } of related) expect(names).toContain(nodeType);
	});

	it.each(operations)(
		'$action: says in sentence case what happens to which resource',
		({ resource, action, name }) => {
			expect(action).toMatch(/^[A-Z][a-z]+( ([a-z]+|API|ID))+$/);
			expect(action).not.toMatch(/\b(a|an|the)\b/i);
			// What is synchronised are leads.
			const record = resource === 'Sync' ? 'lead' : resource.toLowerCase();
			expect(action.toLowerCase()).toContain(record);
			expect(name).toMatch(/^[A-Z]\w*( ([A-Z]\w*|or|to|for|of|from))*$/);
			expect(operations.filter((other) => other.action === action)).toHaveLength(1);
		},
	);

	it.each(ofType('resourceLocator'))(
		'$at: offers the list first, then IDs',
		({ property, listSearch }) => {
			const modes = property.modes ?? [];
			const names = modes.map(({ name }) => name);
			const order = ['list', 'id', 'externalId', 'emailOrPhone'];
			expect(names).toEqual(order.filter((name) => names.includes(name)));
			expect(names.slice(0, 2)).toEqual(['list', 'id']);
			expect(property.default).toEqual({ mode: 'list', value: '' });
			expect(Object.keys(listSearch)).toContain(modes[0].typeOptions?.searchListMethod);
			for (const { placeholder } of modes) expect(placeholder ?? 'e.g. -').toMatch(/^e\.g\. ./);
		},
	);

	it.each(all)('$at: is shown by parameters that are there', ({ property, at }) => {
		const [className] = at.split(' ');
		const same = all.filter((each) => each.at.startsWith(className));
		const { show, hide } = property.displayOptions ?? {};
		const causes = Object.keys({ ...show, ...hide }).filter((cause) => !cause.startsWith('@'));
		// `/lead.mappingMode` is a member of the value of the resource mapper `lead`.
		const names = causes.map((cause) => cause.replace(/^\/|\.mappingMode$/g, ''));
		expect(difference(names, map(same, 'property.name'))).toEqual([]);
	});
});

describe('Create or Update', () => {
	const { description } = registered[0].node;

	/** The names of the fields in view, in order; those that n8n marks as required have a star. */
	const inView = (values: INodeParameters) => {
		const parameters = { resource: 'lead', operation: 'upsert', ...values };
		const node = { typeVersion: 1, type: description.name } as INode;
		return description.properties
			.filter((each) => NodeHelpers.displayParameter(parameters, each, node, description))
			.map(({ displayName, required }) => (required ? `${displayName} *` : displayName));
	};
	const rest = ['Name', 'Email', 'Phone', 'Additional Fields', 'Options'];

	it.each([
		['externalId', ['External ID *']],
		['protocol', ['Protocol *', 'External ID']],
	])('identified by %s begins with what it needs', (identifyBy, identifiers) => {
		const choice = ['Resource', 'Operation', 'Identify Lead By'];
		expect(inView({ identifyBy })).toEqual([...choice, ...identifiers, ...rest]);
	});

	it('from columns has no field beside them', () => {
		const lead = { mappingMode: 'autoMapInputData', value: null };
		expect(inView({ identifyBy: 'columns', lead })).toEqual([
			'Resource',
			'Operation',
			'Identify Lead By',
			'Fields',
			expect.stringMatching(/^With Map Automatically, these columns .*: External ID, Protocol, /),
			'Options',
		]);
	});
});

it.each<[string, INodeParameters]>([
	...Object.entries(resources).flatMap(([resource, { name, operations: own }]) =>
		Object.entries(own).map(([operation, each]): [string, INodeParameters] => [
			`${name}: ${each.name}`,
			{ resource, operation },
		]),
	),
	['Lead Created', { triggerOn: ['lead.created'] }],
	['Lead Created, Lead Status Changed', { triggerOn: ['lead.created', 'lead.statusChanged'] }],
])('the text under the node is %s', (words, parameters) => {
	const [{ node: actions }, { node: trigger }] = registered;
	const { subtitle } = (parameters.triggerOn ? trigger : actions).description;
	const node = { id: '', name: 'Leads', type: '', typeVersion: 1, parameters } as unknown as INode;
	const nodeTypes = { getByNameAndVersion: () => undefined } as unknown as INodeTypes;
	const { expression } = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	expect(expression.getSimpleParameterValue(node, subtitle!, 'internal', {})).toBe(words);
});

const open = (parameters: Parameter[]): Parameter[] =>
	parameters.flatMap((parameter) => {
		const inner = parameter.type === 'collection' ? (parameter.options as Parameter[]) : [];
		return [...(parameter.open ? [parameter] : []), ...open(inner)];
	});

it.each(
	operations.flatMap(({ action, parameters }) =>
		open(parameters).map((each) => ({ action, ...each })),
	),
)(
	'$action: $displayName takes any value, in a drop-down from people and as text from an AI agent',
	({ action: _, ...parameter }) => {
		const [dropDown, text] = describeParameters([parameter]);
		expect(dropDown).toMatchObject({ type: 'options', allowArbitraryValues: true });
		expect(dropDown.displayOptions?.hide).toEqual({ '@tool': [true] });
		expect(text).toMatchObject({ type: 'string', default: String(parameter.default) });
		expect(text.displayOptions?.show).toMatchObject({ '@tool': [true] });
		expect(text).not.toHaveProperty('typeOptions');
	},
);

it('the list of operations has each that is declared', () => {
	const lists = registered[0].node.description.properties.filter(
		({ name }) => name === 'operation',
	);
	const listed = lists.flatMap(({ options = [], displayOptions }) =>
		options.map((option) => ({ ...option, resource: displayOptions?.show?.resource })),
	);
	expect(listed).toHaveLength(operations.length);
	for (const [resource, { operations: own }] of Object.entries(resources)) {
		for (const [value, { name, action, description }] of Object.entries(own)) {
			expect(listed).toContainEqual({ resource: [resource], value, name, action, description });
		}
	}
});
