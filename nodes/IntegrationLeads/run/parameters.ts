/**
 * Reads parameters as n8n does, but asks n8n only for what it has to compute: it evaluates each expression of each item
 * on its own, which takes more time than everything else that is done before an item is sent.
 */
import { attempt, isEqual, isPlainObject, mapValues, memoize, toPath } from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** `{{ $json.name }}` or `{{ $json["Full Name"].first }}`, with nothing around it. */
const FIELD = /^=\{\{\s*\$json((?:\.\w+|\["[^"\\{}]+"\]|\['[^'\\{}]+'\])+)\s*\}\}$/;

const BY_N8N = Symbol('only n8n can compute it');

/** Returns the value of a parameter for an item, undefined if it is not set or not shown. */
type ReadItem = (name: string, itemIndex: number) => unknown;

/**
 * A parameter without expressions is read once for all items: apart from them, n8n computes its value from what is
 * stored with the node, and so decides whether it is shown. A parameter whose expressions only name fields of the item is
 * read from the item, if that gives what n8n gives for the first one. Any other is read by n8n for each item.
 */
export function parameterReader(context: IExecuteFunctions): ReadItem {
	const { parameters } = context.getNode();
	const input = context.getInputData();
	// n8n throws where there is no value and no default; null stands for parameters that are not shown.
	const readByN8n: ReadItem = (name, itemIndex) =>
		context.getNodeParameter(name, itemIndex, null) ?? undefined;
	const pathOf = memoize(pathIn);
	const readFields: ReadItem = (name, itemIndex) => {
		const { json } = input[itemIndex];
		let isByN8n = false;
		const value = fill(parameters[name], (expression) => {
			const path = pathOf(expression);
			const field = path ? fieldOf(json, path) : BY_N8N;
			isByN8n ||= field === BY_N8N;
			return field;
		});
		return isByN8n ? BY_N8N : (value ?? undefined);
	};
	const readFirst = memoize((name: string) => readByN8n(name, 0));
	// In JSON, a text that begins with = follows a quote.
	const isConstant = memoize((name: string) => !/"=/.test(JSON.stringify(parameters[name] ?? '')));
	const namesFields = memoize((name: string) =>
		isEqual(attempt(readFirst, name), readFields(name, 0)),
	);
	return (name, itemIndex) => {
		if (itemIndex === 0 || isConstant(name)) return readFirst(name);
		const value = namesFields(name) ? readFields(name, itemIndex) : BY_N8N;
		return value === BY_N8N ? readByN8n(name, itemIndex) : value;
	};
}

/** A stored value with each expression replaced. */
function fill(raw: unknown, valueOf: (expression: string) => unknown): unknown {
	if (typeof raw === 'string') return raw.startsWith('=') ? valueOf(raw) : raw;
	if (Array.isArray(raw)) return raw.map((entry) => fill(entry, valueOf));
	return isPlainObject(raw) ? mapValues(raw as IDataObject, (entry) => fill(entry, valueOf)) : raw;
}

/** The path of the field that an expression consists of. */
function pathIn(expression: string): string[] | undefined {
	const [, path] = FIELD.exec(expression) ?? [];
	return path === undefined ? undefined : toPath(path.replace(/^\./, ''));
}

/** Text, numbers and the like; what else a field may hold, n8n changes in ways of its own. */
function fieldOf(json: IDataObject, path: string[]): unknown {
	let value: unknown = json;
	for (const key of path) {
		if (!isPlainObject(value)) return BY_N8N;
		value = (value as IDataObject)[key];
	}
	return Object(value) === value ? BY_N8N : value;
}
