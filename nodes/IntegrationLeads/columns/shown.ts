/** Finds what the other rows of a column show of a value: how dates and amounts are written there, and in which currency. Pure. */
import { get, isString } from 'lodash';

import { dayFirstShownBy } from '../dates/date';
import type { Shown } from '../dates/twoWays';
import { commaShownBy } from '../values/amount';
import type { ConvertContext } from '../values/context';
import type { Cell } from './cell';
import { findInRun, isInRun } from './run';

/** Whether a column has a value that is what is asked, in any item of the run. */
export const hasInColumn = (
	name: string,
	isIt: (value: unknown) => boolean,
	{ keys = [] }: Cell,
	{ inputs = [] }: ConvertContext,
): boolean => isInRun(inputs, `${name} ${keys.join('.')}`, (input) => isIt(get(input, keys)));

/** The fields of which a value may be readable in two ways. */
const WITH_TWO_WAYS = ['estimatedValue', 'saleDate'];

/** How the rows of a column write dates and amounts. */
export function shownIn(
	field: string,
	{ keys = [] }: Cell,
	{ inputs = [] }: ConvertContext,
): ConvertContext['shown'] {
	if (!WITH_TWO_WAYS.includes(field)) return undefined;
	const shownBy = (show: (text: string) => boolean | undefined): Shown => {
		const texts = inputs.map((input): unknown => get(input, keys)).filter(isString);
		const ways = texts.map((text) => [show(text.trim()), text] as const);
		return new Map(ways.filter((entry): entry is [boolean, string] => entry[0] !== undefined));
	};
	return findInRun(inputs, `shown ${keys.join('.')}`, () => ({
		dayFirst: shownBy(dayFirstShownBy),
		commaDecimals: shownBy(commaShownBy),
	}));
}
