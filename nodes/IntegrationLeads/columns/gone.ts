/** Refuses webhooks which say that a person, or what they had, is gone. Pure. */
import { AROUND_EVENT, COLUMN_ROLES, GONE, GONE_FLAG } from '../lexicon/sales';
import { InputError } from '../userError';
import { show } from '../values/convert';
import type { Column } from './cells';
import { isCalled, isIndex, isPhrase, keyOf, wordsOf } from './headings';
import { rememberByPath } from './remember';

const isOfEvent = rememberByPath((path) => {
	const words = wordsOf(path.at(-1) ?? '');
	return isPhrase(words, COLUMN_ROLES.event) || isPhrase(words, COLUMN_ROLES.kind);
});

const MAX_WORDS = 3;
/** How programs name such an event: `unsubscribe`, `invitee.canceled`, `BOOKING_CANCELLED`, `deletedContact`. */
const saysGone = (value: unknown) => {
	const words = wordsOf(String(value));
	return words.length <= MAX_WORDS && [words[0], words.at(-1) ?? ''].some((word) => GONE.has(word));
};

/** What happens to the item itself: a list, the state before, and a company have their own events, and people answer questions. */
const isOfItem = ({ keys, path, question }: Column) =>
	question === undefined &&
	!keys.some(isIndex) &&
	path.slice(0, -1).every((head) => isCalled(head, AROUND_EVENT));

const isGone = (column: Column) =>
	isOfItem(column) &&
	(column.value === true
		? GONE_FLAG.has(keyOf(column.path.at(-1) ?? ''))
		: isOfEvent(column.path) && saysGone(column.value));

/** @throws InputError for an event that makes no lead, such as the end of a subscription */
export function refuseGone(columns: Column[]): void {
	const found = columns.find(isGone);
	if (!found) return;
	throw new InputError(
		`The row says that something is gone, so it makes no lead: "${found.heading}" is ${show(found.value)}`,
		{
			panel:
				'Leave such rows out with a Filter node before this one. To record them all the same, map the columns by hand.',
			row: 'Remove this row.',
		},
	);
}
