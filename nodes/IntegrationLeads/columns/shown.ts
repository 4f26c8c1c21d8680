/** Finds what the other rows of a column show of a value: how dates and amounts are written there, and in which currency. Pure. */
import { get } from 'lodash';

import { dayFirstShownBy } from '../dates/date';
import type { Shown } from '../dates/twoWays';
import { commaShownBy } from '../values/amount';
import type { ConvertContext } from '../values/context';
import type { Cell } from './cell';
import { findInRun } from './remember';

/** Finds something in the values of a column in all items of the run, once; undefined where they are not known. */
function findInColumn<T>(
	name: string,
	{ keys }: Pick<Cell, 'keys'>,
	{ inputs }: ConvertContext,
	find: (values: unknown[]) => T,
): T | undefined {
	if (!inputs || !keys) return undefined;
	return findInRun(inputs, `${name} ${keys.join('.')}`, () =>
		find(inputs.map((input): unknown => get(input, keys))),
	);
}

/** Whether a column has a value that is what is asked, in any item of the run. */
export const hasInColumn = (
	name: string,
	isIt: (value: unknown) => boolean,
	column: Pick<Cell, 'keys'>,
	context: ConvertContext,
): boolean => findInColumn(name, column, context, (values) => values.some(isIt)) === true;

/** The fields of which a value may be readable in two ways. */
const WITH_TWO_WAYS = ['estimatedValue', 'saleDate'];

/** How the rows of a column write dates and amounts. */
export function shownIn(
	field: string,
	cell: Cell,
	context: ConvertContext,
): ConvertContext['shown'] {
	if (!WITH_TWO_WAYS.includes(field)) return undefined;
	const shownBy = (values: unknown[], show: (text: string) => boolean | undefined): Shown =>
		new Map(
			values.flatMap((value) => {
				const way = typeof value === 'string' ? show(value.trim()) : undefined;
				return way === undefined ? [] : [[way, value as string] as const];
			}),
		);
	return findInColumn('shown', cell, context, (values) => ({
		dayFirst: shownBy(values, dayFirstShownBy),
		commaDecimals: shownBy(values, commaShownBy),
	}));
}
