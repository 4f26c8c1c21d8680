/** The panel keeps to n8n's conventions, whatever the declarations say. */
import { partition } from 'lodash';
import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
	INodeTypes,
} from 'n8n-workflow';
import { NodeHelpers, Workflow } from 'n8n-workflow';

import { describe as describePanel } from '../../nodes/IntegrationLeads/describe';
import type { Operation, Parameter, Resource } from '../../nodes/IntegrationLeads/operation';
import { resources } from '../../nodes/IntegrationLeads/resources';
import { planRequest } from '../../nodes/IntegrationLeads/run/request';
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
			const names = (property.options ?? []).map((option) => {
				return 'displayName' in option ? option.displayName : option.name;
			});
			const sorted = [...new Set(names)].sort((a, b) => a.localeCompare(b));
			// As n8n's own Custom API Call, it comes after what has an operation.
			const [last, order] = partition(sorted, (name) => name === resources.apiRequest.name);
			expect([...new Set(names)]).toEqual([...order, ...last]);
		},
	);

	it.each(ofType('options'))('$at: the default is one of the entries', ({ property }) => {
		const values = (property.options as INodePropertyOptions[]).map(({ value }) => value);
		expect(new Set(values).size).toBe(values.length);
		if (!property.typeOptions?.loadOptionsMethod) expect(values).toContain(property.default);
	});

	it.each(all)('$at: has a default, and a placeholder that reads as an example', ({ property }) => {
		expect(property.default).toBeDefined();
		const { placeholder = '', type } = property;
		const grows = type === 'collection' || type === 'fixedCollection';
		expect(placeholder).toMatch(grows ? /^Add [a-z]/ : /^$|^e\.g\. ./);
	});

	/** n8n's editor marks an empty JSON field as wrong. A body may be none at all. */
	it.each(ofType('json').filter(({ property }) => property.name !== 'body'))(
		'$at: holds JSON from the start',
		({ property }) => {
			const given = String(property.default);
			if (!given.startsWith('=')) expect(JSON.parse(given)).toEqual({});
		},
	);

	it.each(ofType('boolean'))('$at: begins with Whether', ({ property }) => {
		expect(property.description).toMatch(/^Whether /);
	});

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

	it.each(Object.entries(resources))(
		'%s: begins with an operation that is there',
		(_, resource) => {
			expect(resource.operations).toHaveProperty(resource.defaultOperation);
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
		const names = all
			.filter((each) => each.at.startsWith(className))
			.map((each) => each.property.name);
		const { show = {}, hide = {} } = property.displayOptions ?? {};
		const causes = Object.keys({ ...show, ...hide }).filter((cause) => !cause.startsWith('@'));
		for (const cause of causes) {
			// `/lead.mappingMode` is a member of the value of the resource mapper `lead`.
			expect(names).toContain(cause.replace(/^\//, '').replace(/\.mappingMode$/, ''));
		}
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

describe('the text under the node', () => {
	const ofOperations = Object.entries(resources).flatMap(([resource, { name, operations: own }]) =>
		Object.entries(own).map(([operation, each]): [string, INodeParameters] => [
			`${name}: ${each.name}`,
			{ resource, operation },
		]),
	);

	it.each<[string, INodeParameters]>([
		...ofOperations,
		['Lead Created', { triggerOn: ['lead.created'] }],
		['Lead Created, Lead Status Changed', { triggerOn: ['lead.created', 'lead.statusChanged'] }],
	])('%s', (words, parameters) => {
		const [{ node: actions }, { node: trigger }] = registered;
		const { subtitle } = (parameters.triggerOn ? trigger : actions).description;
		const node: INode = {
			id: '',
			name: 'Leads',
			type: '',
			typeVersion: 1,
			position: [0, 0],
			parameters,
		};
		const nodeTypes = { getByNameAndVersion: () => undefined } as unknown as INodeTypes;
		const { expression } = new Workflow({
			nodes: [node],
			connections: {},
			active: false,
			nodeTypes,
		});
		expect(expression.getSimpleParameterValue(node, subtitle!, 'internal', {})).toBe(words);
	});
});

describe('enumerations that take any value', () => {
	const isTool = (property: INodeProperties, tool: boolean) => {
		const { show, hide } = property.displayOptions ?? {};
		const shown = show?.['@tool']?.includes(tool) ?? true;
		return shown && !hide?.['@tool']?.includes(tool);
	};

	/** The lists of properties that stand beside each other. */
	const siblings = (list: INodeProperties[]): INodeProperties[][] => [
		list,
		...list.flatMap(({ type, options = [] }) =>
			type === 'collection' ? siblings(options as INodeProperties[]) : [],
		),
	];
	const open = (parameters: Parameter[]): Parameter[] =>
		parameters.flatMap((parameter) => {
			const inner = parameter.type === 'collection' ? (parameter.options as Parameter[]) : [];
			return [...(parameter.open ? [parameter] : []), ...open(inner)];
		});

	it.each(operations.filter(({ parameters }) => open(parameters).length > 0))(
		'$action: a drop-down for people, a text for an AI agent',
		(operation) => {
			const one = {
				name: 'R',
				description: '',
				defaultOperation: 'o',
				operations: { o: operation },
			};
			const groups = siblings(describePanel({ r: one }));
			for (const { name } of open(operation.parameters)) {
				const group = groups.find((each) => each.some((property) => property.name === name)) ?? [];
				const typesFor = (tool: boolean) =>
					group.filter((each) => each.name === name && isTool(each, tool)).map(({ type }) => type);
				expect({ name, person: typesFor(false), agent: typesFor(true) }).toEqual({
					name,
					person: ['options'],
					agent: ['string'],
				});
			}
		},
	);
});

describe('adding an operation', () => {
	const archive: Operation = {
		name: 'Archive',
		action: 'Archive lead',
		description: 'Put a lead aside',
		when: 'Use it for leads that are not needed for now.',
		scope: { assumed: 'leads:write' },
		route: 'PATCH /leads/{leadId}/archive/{reason}',
		repeatable: true,
		parameters: [
			resources.lead.operations.get.parameters[0],
			{
				displayName: 'Reason',
				name: 'reason',
				type: 'string',
				in: 'path',
				required: true,
				default: '',
			},
			{ displayName: 'Silent', name: 'silent', type: 'boolean', in: 'query', default: false },
			{
				displayName: 'Shelf',
				name: 'shelf',
				type: 'options',
				in: 'body',
				open: true,
				options: [{ name: 'Top', value: 'top' }],
				default: 'top',
			},
		],
		output: { kind: 'deleted' },
	};
	const extended: Record<string, Resource> = {
		...resources,
		lead: { ...resources.lead, operations: { ...resources.lead.operations, archive } },
	};

	const shownFor = (operation: string) =>
		describePanel(extended).filter(({ displayOptions }) => {
			const { resource, operation: shown } = displayOptions?.show ?? {};
			return resource?.includes('lead') && shown?.includes(operation);
		});

	it('touches one place: the panel shows it', () => {
		const chooser = describePanel(extended).find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.[0] === 'lead',
		);
		expect(chooser?.options).toContainEqual({
			name: 'Archive',
			value: 'archive',
			action: 'Archive lead',
			description: 'Put a lead aside',
		});
		const names = shownFor('archive').map(({ name }) => name);
		expect(names).toEqual(['toolDescription', 'leadId', 'reason', 'silent', 'shelf', 'shelf']);
		for (const property of shownFor('archive')) {
			for (const ours of [
				'in',
				'field',
				'convert',
				'open',
				'spread',
				'printable',
				'lookup',
				'wayToFind',
			]) {
				expect(property).not.toHaveProperty(ours);
			}
		}
	});

	it('touches one place: the request follows from it', () => {
		const values: Record<string, unknown> = {
			leadId: 'l 1',
			reason: 'old',
			silent: true,
			shelf: 'low',
		};
		expect(planRequest(archive, (name) => values[name], { timezone: 'UTC' })).toMatchObject({
			request: {
				method: 'PATCH',
				path: '/leads/l%201/archive/old',
				query: { silent: true },
				body: { shelf: 'low' },
				repeatable: true,
			},
			about: {
				targets: [
					{ label: 'Lead', value: 'l 1' },
					{ label: 'Reason', value: 'old' },
				],
			},
			recordKeys: ['l 1', 'old'],
		});
	});

	it('leaves the other operations as they were', () => {
		const before = describePanel(resources).filter(({ name }) => name !== 'operation');
		const after = describePanel(extended).filter(
			({ name, displayOptions }) =>
				name !== 'operation' && !displayOptions?.show?.operation?.includes('archive'),
		);
		const names = (properties: INodeProperties[]) => new Set(properties.map(({ name }) => name));
		expect(names(after)).toEqual(names(before));
	});
});
