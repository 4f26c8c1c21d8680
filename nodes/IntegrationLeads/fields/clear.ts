import type { Parameter } from '../operation';
import { InputError } from '../userError';
import { isSameWord } from '../values/argument';
import { toList } from '../values/convert';

export const LEFT_ALONE =
	'The fields to change. A field that is left blank stays as it is; Fields to Clear empties it.';

/**
 * How fields are emptied, since blank means that a field stays as it is. To be declared before the fields themselves, so
 * that one with a value keeps it.
 */
export function fieldsToClear(fields: Parameter[]): Parameter {
	const names = fields.map(({ name }) => name).join(', ');
	return {
		displayName: 'Fields to Clear',
		name: 'fieldsToClear',
		type: 'string',
		in: 'body',
		spread: true,
		default: '',
		placeholder: 'e.g. notes, tags',
		description: `Names of fields to empty, separated by commas; usually none. Of: ${names}.`,
		convert: (value, context) => {
			const given = (toList(value, context) ?? []) as string[];
			const cleared = given.map((name) => {
				const field = fields.find((each) =>
					[each.name, each.displayName].some((it) => isSameWord(it, name)),
				);
				if (field) return [field.name, emptyValueOf(field)];
				throw new InputError(
					`"${context.label}" names a field that cannot be cleared: "${name}"`,
					`Choose from ${names}.`,
				);
			});
			return Object.fromEntries(cleared) as unknown;
		},
	};
}

/** Assumed: the spec does not show how a field is emptied. Text is no date and no number. */
function emptyValueOf({ type, convert }: Parameter): '' | [] | null {
	if (convert === toList) return [];
	return type === 'string' ? '' : null;
}
