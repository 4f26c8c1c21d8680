/**
 * Reads parameters as n8n does, but has n8n evaluate only what nobody else can: evaluating every expression for every item takes
 * more time than everything else that happens before an item is sent.
 */
import { attempt, compact, isEqual, isError, mapValues, memoize } from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../values/json';

/** `{{ $json.name }}` or `{{ $json["Full Name"] }}` alone. */
const FIELD = /^=\{\{\s*\$json(?:\.(\w+)|\["([^"\\{}]+)"\]|\['([^'\\{}]+)'\])\s*\}\}$/;

/** Returns the value of a parameter for an item, undefined if it is not set or not shown. */
type ReadItem = (name: string, itemIndex: number) => unknown;

/**
 * A parameter without expressions is read once for all items, since its value and whether it is shown depend only on what is
 * stored with the node. A parameter whose expressions only name fields of the item is read from the item, if that returns what
 * n8n returns for the first item. All others are read by n8n for each item.
 */
export function parameterReader(context: IExecuteFunctions): ReadItem {
	const { parameters } = context.getNode();
	const input = context.getInputData();
	// n8n throws if there is neither a value nor a default, and returns null for parameters that are not shown.
	const readByN8n: ReadItem = (name, itemIndex) =>
		context.getNodeParameter(name, itemIndex, null) ?? undefined;
	const readFields: ReadItem = (name, itemIndex) =>
		fill(parameters[name], input[itemIndex].json) ?? undefined;
	const readFirst = memoize((name: string) => readByN8n(name, 0));
	// In JSON, an expression is a quote and then =.
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
 * Puts the fields that its expressions name into a stored value.
 *
 * @throws Error when only n8n can compute one of them
 */
function fill(raw: unknown, json: IDataObject): unknown {
	if (Array.isArray(raw)) return raw.map((entry) => fill(entry, json));
	if (isRecord(raw)) return mapValues(raw, (entry) => fill(entry, json));
	if (typeof raw !== 'string' || !raw.startsWith('=')) return raw;
	const [name] = compact(FIELD.exec(raw)?.slice(1));
	// n8n converts values of other types in ways of its own.
	if (name === undefined) throw new Error('Only n8n can compute it');
	return json[name];
}
