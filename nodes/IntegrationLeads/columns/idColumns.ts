/** Finds the columns that hold the external ID of a row. Pure. */
import { dropRightWhile, toString } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../userError';
import type { ConvertContext } from '../values/context';
import { columnsOf, type Column } from './cells';
import { isValueKey, normalizeHeading } from './headings';
import { isInRun } from './run';

/**
 * Finds the columns that the user chose for the external ID.
 *
 * @throws InputError if no item of the run has such a column: by their emails, two orders would be one lead
 */
export function idColumnsOf(all: Column[], { options, inputs }: ConvertContext): Column[] {
	const chosen = toString(options?.externalIdColumn);
	const found = columnsCalled(chosen, all);
	if (found.length > 0 || chosen.trim() === '' || !inputs || isInAny(inputs, chosen)) return found;
	throw new InputError(`No item has the column "${chosen}" of "External ID Column"`, {
		panel: 'Write its heading as in the input, or empty the option.',
	});
}

const isInAny = (inputs: IDataObject[], chosen: string) =>
	isInRun(inputs, `id ${chosen}`, (input) => columnsCalled(chosen, columnsOf(input)).length > 0);

/** The columns that are named by all of their keys, the last of these, or the question. */
function columnsCalled(name: string, all: Column[]): Column[] {
	// A heading may be a sign and no more: "#".
	const nameOf = (heading: string) => normalizeHeading(heading) || heading.trim();
	const chosen = nameOf(name);
	if (chosen === '') return [];
	const isChosen = (name: string) => nameOf(name) === chosen;
	const whole = all.filter(({ heading, keys }) => isChosen(heading) || isChosen(keys.join('.')));
	if (whole.length > 0) return whole;
	return all.filter(({ path, question = '' }) =>
		[question, ...path.flatMap((_, start) => namesFrom(path.slice(start)))].some(isChosen),
	);
}

/** `fields.email.value` is also called `fields.email`. */
const namesFrom = (path: string[]) => [path.join(' '), dropRightWhile(path, isValueKey).join(' ')];
