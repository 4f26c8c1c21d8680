import type { Parameter } from '../operation';
import { InputError } from '../userError';
import { isSameWord } from '../values/argument';
import { toList } from '../values/convert';
import { converterOf } from '../values/converter';

export const CLEARS_EMPTY =
	'The fields to change. A field that is added and left empty is cleared; as a tool of an agent it is left alone, and Fields to Clear empties it.';

/**
 * How an agent empties fields, since a blank argument means that a field stays as it is. Sends for each named field what an
 * empty field of the panel sends. To be declared before the fields themselves, so that one with a value keeps it.
 */
export function fieldsToClear(fields: Parameter[]): Parameter {
	const names = fields.map(({ name }) => name).join(', ');
	return {
		displayName: 'Fields to Clear',
		name: 'fieldsToClear',
		type: 'string',
		in: 'body',
		spread: true,
		displayOptions: { show: { '@tool': [true] } },
		default: '',
		description: `Names of fields to empty, separated by commas; usually none. Of: ${names}.`,
		convert: (value, context) => {
			const given = (toList(value, context) ?? []) as string[];
			const cleared = given.map((name) => {
				const field = fields.find((each) =>
					[each.name, each.displayName].some((it) => isSameWord(it, name)),
				);
				if (field) return [field.name, converterOf(field)?.('', { ...context, tool: false })];
				throw new InputError(
					`"${context.label}" names a field that cannot be cleared: "${name}"`,
					`Choose from ${names}.`,
				);
			});
			return Object.fromEntries(cleared) as unknown;
		},
	};
}
