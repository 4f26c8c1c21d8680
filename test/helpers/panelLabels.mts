/** What the panel has and a model does not: a message to a model names none of it. */
import lodash from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

const { difference, map, uniq } = lodash;

interface Labelled {
	label: string;
	isForTools: boolean;
}

/** The labels of the panel, with those inside collections. A model fills fields, but sees no collections and no ways to choose a record. */
function labelsIn(properties: INodeProperties[], isShown = true): Labelled[] {
	return properties.flatMap(({ displayName, type, displayOptions, options = [], modes = [] }) => {
		const { show, hide } = displayOptions ?? {};
		const isForTools = isShown && !hide?.['@tool'] && show?.['@tool']?.[0] !== false;
		const isCollection = type === 'collection';
		return [
			{ label: displayName, isForTools: isForTools && !isCollection },
			...modes.map((mode) => ({ label: mode.displayName, isForTools: false })),
			...(isCollection ? labelsIn(options as INodeProperties[], isForTools) : []),
		];
	});
}

/** The labels that only the panel has: no operation as a tool has them, or not this one. */
export function panelLabels(
	properties: INodeProperties[],
	isOfTool: (property: INodeProperties) => boolean = () => true,
): string[] {
	const forTools = labelsIn(properties.filter(isOfTool)).filter(({ isForTools }) => isForTools);
	return uniq(difference(map(labelsIn(properties), 'label'), map(forTools, 'label')));
}

/** The labels that a text names: in quotes, as the first part of a path, or as words of more than one capital. */
export const labelsNamedIn = (text: string, labels: string[]): string[] =>
	labels.filter(
		(label) =>
			text.includes(`"${label}`) ||
			text.includes(`${label} >`) ||
			(/ \p{Lu}/u.test(label) && text.includes(label)),
	);
