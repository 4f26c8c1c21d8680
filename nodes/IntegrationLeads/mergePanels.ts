/**
 * One property for all operations that have an equal one: n8n's editor and engine check every property of a node, also
 * those that are not shown.
 */
import { groupBy, isEqual, map, some, uniq, uniqWith } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

/** An operation by its stored values, and its properties in order. */
export interface Panel {
	resource: string;
	operation: string;
	properties: INodeProperties[];
}

/** The properties that show what each panel has, in its order, and nothing else. */
export function mergePanels(panels: Panel[]): INodeProperties[] {
	const distinct = uniqWith(
		panels.flatMap(({ properties }) => properties),
		isEqual,
	);
	// What is left of each panel; equal properties are one object.
	const left = panels.map(({ properties }) =>
		properties.map((each) => distinct.find((other) => isEqual(each, other))),
	);
	const merged: INodeProperties[] = [];
	for (let next = nextOf(left); next; next = nextOf(left)) {
		const having = panels.filter((_, index) => left[index][0] === next);
		for (const properties of left) if (properties[0] === next) properties.shift();
		for (const show of conditionsFor(having, panels)) {
			const { displayOptions } = next;
			merged.push({
				...next,
				displayOptions: { ...displayOptions, show: { ...show, ...displayOptions?.show } },
			});
		}
	}
	return merged;
}

/**
 * The first property that no panel has after another one. If there is none, panels have the same properties in
 * different orders, and one of them is repeated.
 */
function nextOf<T>(left: T[][]): T | undefined {
	const firsts = left.flatMap(([first]) => first ?? []) as T[];
	return firsts.find((first) => left.every((each) => each.indexOf(first) < 1)) ?? firsts[0];
}

/**
 * Conditions that show a property in these panels and in no other. n8n shows it for each combination of a listed
 * resource and a listed operation, so resources share a condition only if no combination is another panel.
 */
function conditionsFor(
	having: Panel[],
	panels: Panel[],
): Array<{ resource: string[]; operation: string[] }> {
	const others = panels.filter((panel) => !having.includes(panel));
	const groups: Panel[][] = [];
	for (const added of Object.values(groupBy(having, 'resource'))) {
		const group = groups.find((each) => isExact([...each, ...added], others));
		if (group) group.push(...added);
		else groups.push(added);
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
