/** Finds the columns that hold the external ID of a row. Pure. */
import { dropRightWhile, toString } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../userError';
import type { ConvertContext } from '../values/context';
import { show } from '../values/convert';
import { NO_PERSON } from '../lexicon/headings';
import { NOT_OF_NAME } from '../lexicon/values';
import type { Cell } from './cell';
import { columnsOf, type Column } from './cells';
import { has, isValueKey, normalizeHeading, PEOPLE, wordsOf } from './headings';
import { findInRun } from './remember';
import { hasInColumn } from './shown';

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
	findInRun(inputs, `id ${chosen}`, () =>
		inputs.some((input) => columnsCalled(chosen, columnsOf(input)).length > 0),
	);

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

/** What describes people in general, and names none: `novo`, `cliente`, `new customer`. */
const DESCRIBING = [NO_PERSON, NOT_OF_NAME, PEOPLE];
const hasDigit = (value: unknown) => /\d/.test(String(value));

/**
 * Makes sure that an ID is none of these words where other rows of the column have numbers. In a column of nicknames, somebody may be
 * called so.
 *
 * @throws InputError since all rows with the word would be one lead
 */
export function refuseDescribing(cell: Cell, context: ConvertContext): void {
	const words = wordsOf(String(cell.value));
	const isDescribing = words.every((word) => DESCRIBING.some((table) => has(table, word)));
	if (!isDescribing || !hasInColumn('digit', hasDigit, cell, context)) return;
	throw new InputError(
		`"${cell.heading}" is no ID, unlike those of other rows: ${show(cell.value)}`,
		'Give the ID of the row, or leave it empty: then the email or the phone identifies the lead.',
	);
}
