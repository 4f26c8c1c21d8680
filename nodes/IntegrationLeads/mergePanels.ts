/** Merges equal properties of several operations into one, because n8n's editor and engine check every property of a node, even hidden ones. */
import { groupBy, isEmpty, map, mapKeys, omit, pick, some, sortBy, uniq } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

/** An operation by its stored values, and its properties in order. */
export interface Panel {
	resource: string;
	operation: string;
	properties: INodeProperties[];
}

/**
 * The properties that show what each panel has, in its order, and nothing else. Equal properties are merged, and
 * collections that differ in their fields only.
 *
 * @param root what n8n writes before the name of a parameter of the node: `/` for fields of a collection
 */
export function mergePanels(panels: Panel[], root: '' | '/' = ''): INodeProperties[] {
	const merged: INodeProperties[] = [];
	const left = panels.map(({ properties }) => properties.map(withKey));
	for (let next = nextKey(left); next; next = nextKey(left)) {
		const having = panels.flatMap((panel, index) => {
			if (left[index][0]?.key !== next) return [];
			return { ...panel, properties: [left[index].shift()!.property] };
		});
		const property = mergeFields(having);
		for (const conditions of conditionsFor(having, panels)) {
			const { displayOptions } = property;
			const show = { ...mapKeys(conditions, (_, name) => root + name), ...displayOptions?.show };
			merged.push({
				...property,
				...(!isEmpty(show) && { displayOptions: { ...displayOptions, show } }),
			});
		}
	}
	return merged;
}

/** The key is the same for properties that are merged. */
function withKey(property: INodeProperties) {
	const withoutFields = property.type === 'collection' ? omit(property, 'options') : property;
	return { key: JSON.stringify(withoutFields), property };
}

/**
 * The first property, by its label, that no list has after another one. If there is none, lists have the same
 * properties in different orders, and one is repeated.
 */
function nextKey(lists: Array<Array<ReturnType<typeof withKey>>>): string | undefined {
	const firsts = sortBy(
		lists.flatMap(([first]) => first ?? []),
		({ property }) => property.displayName.toLowerCase(),
	);
	const later = new Set(lists.flatMap((list) => map(list.slice(1), 'key')));
	return (firsts.find(({ key }) => !later.has(key)) ?? firsts.at(0))?.key;
}

/** The property of these panels, which have one each. */
function mergeFields(having: Panel[]): INodeProperties {
	const [property] = having[0].properties;
	if (property.type !== 'collection') return property;
	const fields = having.map(({ properties: [{ options }], ...panel }) => ({
		...panel,
		properties: options as INodeProperties[],
	}));
	return { ...property, options: mergePanels(fields, '/') };
}

/**
 * Conditions that show a property in these panels and in no other. n8n shows it for each combination of a listed
 * resource and a listed operation, so resources share a condition only if no combination is another panel.
 */
function conditionsFor(having: Panel[], panels: Panel[]): Array<Record<string, string[]>> {
	if (having.length === panels.length) return [{}];
	const others = panels.filter((panel) => !some(having, pick(panel, 'resource', 'operation')));
	const groups: Panel[][] = [];
	for (const ofResource of Object.values(groupBy(having, 'resource'))) {
		const group = groups.find((candidate) => isExact([...candidate, ...ofResource], others));
		if (group) group.push(...ofResource);
		else groups.push(ofResource);
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
