/** The panel keeps to n8n's conventions, whatever the declarations say. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { difference, filter, get, intersection, isEqual, map, pick, sortBy, uniq } from 'lodash';
import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
	INodeTypes,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

import {
	toNodeProperties as describePanel,
	describeParameters,
} from '../../nodes/IntegrationLeads/describe';
import type { Parameter } from '../../nodes/IntegrationLeads/operation';
import { resources } from '../../nodes/IntegrationLeads/resources';
import { name as packageName } from '../../package.json';
import { isOf, registered, withInner } from './nodes.mts';

const all = registered.flatMap(({ className, node }) =>
	node.description.properties.flatMap(withInner).map((property) => {
		const { resource, operation } = property.displayOptions?.show ?? {};
		const at = [className, resource, operation, property.name].flat().filter(Boolean).join(' ');
		return { at, className, property, listSearch: node.methods?.listSearch ?? {} };
	}),
);
const ofType = (...types: Array<INodeProperties['type']>) => {
	return all.filter(({ property }) => types.includes(property.type));
};
const operations = Object.values(resources).flatMap((resource) =>
	Object.values(resource.operations).map((operation) => ({
		at: operation.action,
		resource: resource.name,
		...operation,
	})),
);

const keyed = Object.entries(resources).flatMap(([resource, { operations: own }]) =>
	Object.keys(own).map((key) => ({ at: `${resource}.${key}`, resource, key })),
);

/** One test of all of these; where it fails, it names each that breaks the rule. */
function rule<Each extends { at: string }>(
	name: string,
	given: Each[],
	holdsFor: (each: Each) => boolean,
): void {
	it(name, () => {
		expect(given).not.toEqual([]);
		expect(given.filter((each) => !holdsFor(each)).map(({ at }) => at)).toEqual([]);
	});
}

describe('conventions', () => {
	const listing = ofType('options', 'multiOptions', 'collection');
	rule('entries are in alphabetical order', listing, ({ property }) => {
		const labels = uniq(map(property.options, (each) => get(each, 'displayName', each.name)));
		// As n8n's own Custom API Call, API Request comes after what has an operation.
		const isLast = (label: string) => label === resources.apiRequest.name;
		const order = sortBy(labels, isLast, (label) => label.toLowerCase());
		return isEqual(labels, order);
	});

	it('Message opens with what makes a lead of a webhook', () => {
		const [opened] = filter(
			map(
				all.filter(({ at }) => / message operation$/.test(at)),
				'property.default',
			),
		);
		expect(opened).toBe('logFromWhatsApp');
	});

	it('Record Sale says before the fields of the buyer that a webhook has them', () => {
		const names = map(all, 'property.name');
		const [notice, body, id] = ['checkoutBuyer', 'checkoutBody', 'saleLeadId'].map((name) =>
			names.indexOf(name),
		);
		expect([body < notice, notice < id]).toEqual([true, true]);
		const { displayName, displayOptions } = all[notice].property;
		expect(displayName).toMatch(/Fill in External ID, Email, Phone or Lead ID only if/);
		expect(displayOptions?.show?.specifySale).toEqual(['webhook']);
	});

	rule('one entry of a drop-down is its default', ofType('options'), ({ property }) => {
		const values = map(property.options as INodePropertyOptions[], 'value');
		const isLoaded = Boolean(property.typeOptions?.loadOptionsMethod);
		const isListed = isLoaded || values.includes(property.default as string);
		return isListed && uniq(values).length === values.length;
	});

	const ours = 'in field convert refusesBlank enumeration spread printable lookup findHint'.split(
		' ',
	);
	rule('each has a default, an example, and nothing unknown to n8n', all, ({ property }) => {
		const { placeholder = '', type } = property;
		const form = type === 'collection' ? /^Add [a-z]/ : /^$|^e\.g\. ./;
		const isPlain = intersection(Object.keys(property), ours).length === 0;
		return property.default !== undefined && form.test(placeholder) && isPlain;
	});

	/** n8n's editor marks an empty JSON field as wrong. A body may be none at all. */
	const json = ofType('json').filter(({ property }) => property.name !== 'body');
	rule('JSON is there from the start', json, ({ property }) =>
		/^(\{\}$|=)/.test(String(property.default)),
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

	rule('an action says in sentence case what happens to which resource', operations, (each) => {
		// What is synchronised are leads.
		const record = each.resource === 'Sync' ? 'lead' : each.resource.toLowerCase();
		return (
			/^[A-Z][a-z]+( ([a-z]+|API|ID|WhatsApp))+$/.test(each.action) &&
			!/\b(a|an|the)\b/i.test(each.action) &&
			each.action.toLowerCase().includes(record) &&
			/^[A-Z]\w*( ([A-Z]\w*|or|to|for|of|from))*$/.test(each.name) &&
			operations.filter(({ action }) => action === each.action).length === 1
		);
	});

	// The node list shows the action, the panel the name.
	rule('an action has the words of its name', operations, ({ name, action }) =>
		name.split(' ').every((word) => action.toLowerCase().includes(word.toLowerCase())),
	);

	it('one idea has one name: columns of the input', () => {
		const ways = all.flatMap(({ property }) =>
			/^specify/.test(property.name) ? map(property.options, 'name') : [],
		);
		const ofColumns = ways.filter((name) => /column|mapping/i.test(String(name)));
		expect(ofColumns.length).toBeGreaterThanOrEqual(3);
		expect(uniq(ofColumns)).toEqual(['Using Columns of the Input']);
	});

	it('is found by the words of people who search for it', () => {
		const codex = readFileSync(
			join(__dirname, '../../nodes/IntegrationLeads/IntegrationLeads.node.json'),
			'utf8',
		);
		const { alias } = JSON.parse(codex) as { alias: string[] };
		const wanted = 'formulário, orçamento, customer, spreadsheet, planilha, venda, cliente';
		expect(difference(wanted.split(', '), alias)).toEqual([]);
	});

	const locators = ofType('resourceLocator');
	rule('the list is offered first, then IDs', locators, ({ property, listSearch }) => {
		const { modes = [] } = property;
		const names = map(modes, 'name');
		const order = ['list', 'id', 'externalId', 'emailOrPhone'];
		return (
			isEqual(names, intersection(order, names)) &&
			isEqual(names.slice(0, 2), ['list', 'id']) &&
			isEqual(property.default, { mode: 'list', value: '' }) &&
			Object.keys(listSearch).includes(String(modes[0].typeOptions?.searchListMethod)) &&
			modes.every(({ placeholder = 'e.g. -' }) => /^e\.g\. ./.test(placeholder))
		);
	});

	rule('each is shown by parameters that are there', all, ({ property, className }) => {
		const there = all.filter((each) => each.className === className);
		const { show, hide } = property.displayOptions ?? {};
		const causes = Object.keys({ ...show, ...hide }).filter((cause) => !cause.startsWith('@'));
		// `/lead.mappingMode` is a member of the value of the resource mapper `lead`.
		const names = causes.map((cause) => cause.replace(/^\/|\.mappingMode$/g, ''));
		return difference(names, map(there, 'property.name')).length === 0;
	});
});

/** n8n's editor and engine check each property of a node for each key that is pressed, also those that are not shown. */
describe('panels of operations share their properties', () => {
	const { properties } = registered[0].node.description;
	/** Names in their order, with those of the fields of a collection. */
	const namesOf = (given: INodeProperties[]): unknown[] =>
		given.map(({ name, type, options = [] }) =>
			type === 'collection' ? [name, namesOf(options as INodeProperties[])] : name,
		);

	rule('each shows what is declared for it, and nothing else', keyed, ({ resource, key }) => {
		const only = { ...resources[resource], operations: pick(resources[resource].operations, key) };
		const isShown = isOf(resource, key);
		const shown = properties.filter(isShown).map((each) => ({
			...each,
			...(each.type === 'collection' && {
				// There, n8n takes a name without a slash for one of the collection.
				options: (each.options as INodeProperties[])
					.filter(isShown)
					.filter(({ displayOptions }) => !('resource' in (displayOptions?.show ?? {}))),
			}),
		}));
		const alone = describePanel({ [resource]: only });
		return isEqual(namesOf(shown).slice(2), namesOf(alone).slice(2));
	});

	it('one collection serves all operations, whatever fields they have', () => {
		const collections = map(filter(properties, { type: 'collection' }), 'name');
		expect(uniq(collections)).toEqual(collections);
	});
});

it('the text under the node is the operation as the panel names it, or the events', () => {
	const [{ node: actions }, { node: trigger }] = registered;
	const shown: string[] = [];
	const show = (parameters: INodeParameters) => {
		const { subtitle } = (parameters.triggerOn ? trigger : actions).description;
		const node = { id: '', name: 'Renamed', type: '', typeVersion: 1, parameters };
		const nodeTypes = { getByNameAndVersion: () => undefined } as unknown as INodeTypes;
		const nodes = [node as unknown as INode];
		const { expression } = new Workflow({ nodes, connections: {}, active: false, nodeTypes });
		const value = expression.getSimpleParameterValue(nodes[0], subtitle!, 'internal', {});
		shown.push(String(value));
	};
	show({ triggerOn: ['lead.created', 'lead.statusChanged'] });
	show({ triggerOn: '=lead.tagged,lead.created' });
	show({ triggerOn: ['lead.tagged'] });
	show({ resource: 'lead', operation: 'upsert' });
	show({ resource: 'lead', operation: 'getAll', toolDescription: 'A tool' });
	show({ resource: 'sync', operation: 'push' });
	show({ resource: 'lead', operation: '__CUSTOM_API_CALL__' });
	expect(shown).toEqual([
		...['new leads, status changes', 'new leads, tags', 'tags'],
		...['Lead > Create or Update', 'Lead > Get Many', 'Sync > Push Leads', ''],
	]);
});

const open = (parameters: Parameter[]): Parameter[] =>
	parameters.flatMap((parameter) => {
		const inner = parameter.type === 'collection' ? (parameter.options as Parameter[]) : [];
		return [...(parameter.enumeration ? [parameter] : []), ...open(inner)];
	});

it('an open list takes any value, in a drop-down from people and as text from an AI agent', () => {
	const parameters = operations.flatMap((operation) => open(operation.parameters));
	expect(parameters.length).toBeGreaterThan(5);
	for (const parameter of uniq(parameters)) {
		const [dropDown, text] = describeParameters([parameter]);
		expect(dropDown).toMatchObject({ type: 'options', allowArbitraryValues: true });
		expect(dropDown.displayOptions?.hide).toEqual({ '@tool': [true] });
		expect(text).toMatchObject({ type: 'string', default: String(parameter.default) });
		expect(text.displayOptions?.show).toMatchObject({ '@tool': [true] });
		expect(text).not.toHaveProperty('typeOptions');
	}
});
