/**
 * One property for all operations that have an equal one: n8n's editor and engine check every property of a node, also
 * those that are not shown.
 */
import { groupBy, isEmpty, map, mapKeys, memoize, omit, pick, some, sortBy, uniq } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

/** An operation by its stored values, and its properties in order. */
export interface Panel {
	resource: string;
	operation: string;
	properties: INodeProperties[];
}

/**
 * The properties that show what each panel has, in its order, and nothing else.
 *
 * @param root what n8n writes before the name of a parameter of the node: `/` for fields of a collection
 */
export function mergePanels(panels: Panel[], root: '' | '/' = ''): INodeProperties[] {
	const merged: INodeProperties[] = [];
	let left = panels;
	for (;;) {
		left = left.filter(({ properties }) => properties.length > 0);
		const next = nextOf(left.map(({ properties }) => properties));
		if (!next) return merged;
		const having = left.filter(({ properties: [first] }) => keyOf(first) === keyOf(next));
		const property = mergeFields(having);
		for (const conditions of conditionsFor(having, panels)) {
			const { displayOptions } = property;
			const show = { ...mapKeys(conditions, (_, name) => root + name), ...displayOptions?.show };
			merged.push({
				...property,
				...(!isEmpty(show) && { displayOptions: { ...displayOptions, show } }),
			});
		}
		left = left.map((panel) =>
			having.includes(panel) ? { ...panel, properties: panel.properties.slice(1) } : panel,
		);
	}
}

/** Properties with the same key are merged; a collection has the fields of all. */
const keyOf = memoize((property: INodeProperties) =>
	JSON.stringify(property.type === 'collection' ? omit(property, 'options') : property),
);

/**
 * The first property, by its label, that no list has after another one. If there is none, lists have the same
 * properties in different orders, and one is repeated.
 */
function nextOf(lists: INodeProperties[][]): INodeProperties | undefined {
	const firsts = sortBy(map(lists, 0), ({ displayName }) => displayName.toLowerCase());
	const isLater = (property: INodeProperties) =>
		lists.some((list) => list.findIndex((each) => keyOf(each) === keyOf(property)) > 0);
	return firsts.find((property) => !isLater(property)) ?? firsts[0];
}

/** The first property of these panels. */
function mergeFields(having: Panel[]): INodeProperties {
	const [property] = having[0].properties;
	if (property.type !== 'collection') return property;
	const fields = having.map(({ properties: [{ options }], ...panel }) => ({
		...panel,
		properties: options as INodeProperties[],
	}));
	return { ...property, options: mergePanels(fields, '/') };
}

interface Conditions {
	resource?: string[];
	operation?: string[];
}

/**
 * Conditions that show a property in these panels and in no other. n8n shows it for each combination of a listed
 * resource and a listed operation, so resources share a condition only if no combination is another panel.
 */
function conditionsFor(having: Panel[], panels: Panel[]): Conditions[] {
	if (having.length === panels.length) return [{}];
	const others = panels.filter((panel) => !some(having, pick(panel, 'resource', 'operation')));
	const groups: Panel[][] = [];
	for (const own of Object.values(groupBy(having, 'resource'))) {
		const group = groups.find((each) => isExact([...each, ...own], others));
		if (group) group.push(...own);
		else groups.push(own);
	}
	return groups.map((group) => ({
		resource: uniq(map(group, 'resource')),
		operation: uniq(map(group, 'operation')),
	}));
}

function isExact(group: Panel[], others: Panel[]): boolean {
	return !others.some(
		({ resource, operation }) => some(group, { resource }) && some(group, { operation }),
	);
}
