/**
 * Reads parameters as n8n does, but asks n8n only for what it has to compute: it evaluates each expression of each item
 * on its own, which takes more time than everything else that is done before an item is sent.
 */
import { attempt, compact, isEqual, isError, isObject, mapValues, memoize } from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../values/json';

/** `{{ $json.name }}` or `{{ $json["Full Name"] }}`, with nothing around it. */
const FIELD = /^=\{\{\s*\$json(?:\.(\w+)|\["([^"\\{}]+)"\]|\['([^'\\{}]+)'\])\s*\}\}$/;

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
	const readFields: ReadItem = (name, itemIndex) =>
		fill(parameters[name], input[itemIndex].json) ?? undefined;
	const readFirst = memoize((name: string) => readByN8n(name, 0));
	// In JSON, a text that begins with = follows a quote.
	const isConstant = memoize((name: string) => !/"=/.test(JSON.stringify(parameters[name] ?? '')));
	const namesFields = memoize((name: string) =>
		isEqual(attempt(readFirst, name), attempt(readFields, name, 0)),
	);
	return (name, itemIndex) => {
		if (itemIndex === 0 || isConstant(name)) return readFirst(name);
		if (!namesFields(name)) return readByN8n(name, itemIndex);
		const value: unknown = attempt(readFields, name, itemIndex);
		return isError(value) ? readByN8n(name, itemIndex) : value;
	};
}

/**
 * A stored value with the fields that its expressions name.
 *
 * @throws Error when only n8n can compute one of them
 */
function fill(raw: unknown, json: IDataObject): unknown {
	if (Array.isArray(raw)) return raw.map((entry) => fill(entry, json));
	if (isRecord(raw)) return mapValues(raw, (entry) => fill(entry, json));
	if (typeof raw !== 'string' || !raw.startsWith('=')) return raw;
	const [name] = compact(FIELD.exec(raw)?.slice(1));
	// Text, numbers and the like; what else a field may hold, n8n changes in ways of its own.
	if (name === undefined || isObject(json[name])) throw new Error('Only n8n can compute it');
	return json[name];
}
