/** What a person has to understand in an example workflow. */
import { exampleFiles, readExample } from './examples.mjs';

const isNote = ({ type }) => type === 'n8n-nodes-base.stickyNote';
const wordsIn = (text) => text.split(/\s+/).filter(Boolean).length;

/** Every text below a value. */
function textsIn(value) {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(textsIn);
}

/**
 * @param {{nodes: Array<{type: string, parameters: object}>}} workflow
 * @returns how many nodes it has besides its notes, lines in Code nodes, characters in its longest expression, data tables
 * that it reads or writes, and words in its longest note
 */
export function flowFigures({ nodes }) {
	const steps = nodes.filter((node) => !isNote(node));
	const parameters = steps.map((node) => node.parameters);
	const code = parameters.flatMap(({ jsCode, pythonCode }) => jsCode ?? pythonCode ?? []);
	const expressions = parameters.flatMap(textsIn).filter((text) => text.startsWith('='));
	const tables = parameters.flatMap(({ dataTableId }) => JSON.stringify(dataTableId) ?? []);
	const notes = nodes.filter(isNote).map((node) => wordsIn(node.parameters.content));
	return {
		nodes: steps.length,
		code: code.reduce((sum, text) => sum + text.trim().split('\n').length, 0),
		expression: Math.max(0, ...expressions.map((text) => text.length - 1)),
		tables: new Set(tables).size,
		note: Math.max(0, ...notes),
	};
}

/** Of each example, by its file. */
export const exampleFigures = () =>
	exampleFiles.map((file) => ({ file, ...flowFigures(readExample(file)) }));
