/** Refuses webhooks which say that a person, or what they had, is gone. Pure. */
import { AROUND_EVENT, GONE, GONE_FLAG, GONE_IN_NAME } from '../lexicon/events';
import { COLUMN_ROLES } from '../lexicon/sales';
import { InputError } from '../userError';
import { show } from '../values/convert';
import type { Column } from './cells';
import { isCalled, isIndex, isOfTable, isPhrase, keyOf, wordsOf } from './headings';
import { rememberByPath } from './remember';

const roleOfEvent = rememberByPath((path) => {
	const words = wordsOf(path.at(-1) ?? '');
	return (['event', 'kind'] as const).find((role) => isPhrase(words, COLUMN_ROLES[role]));
});

const MAX_WORDS = 3;
/** How programs call such an event: `unsubscribe`, `invitee.canceled`, `contact.deletion`, `deletedContact`, but no `Bounce house`. */
function saysGone({ path, value }: Column): boolean {
	const role = roleOfEvent(path);
	const text = String(value).trim();
	const words = wordsOf(text);
	const last = words.at(-1) ?? '';
	if (role === undefined || words.length > MAX_WORDS) return false;
	const isName = !/\s/.test(text) && (words.length > 1 || role === 'event');
	return GONE.has(last) || (isName && (GONE.has(words[0]) || isOfTable(GONE_IN_NAME, last)));
}

/** What happens to the item itself: a list, the state before, and a company have their own events, and people answer questions. */
const isOfItem = ({ keys, path, question }: Column) =>
	question === undefined &&
	!keys.some(isIndex) &&
	path.slice(0, -1).every((head) => isCalled(head, AROUND_EVENT));

const isGone = (column: Column) =>
	isOfItem(column) &&
	(/^true$/i.test(String(column.value))
		? GONE_FLAG.has(keyOf(column.path.at(-1) ?? ''))
		: saysGone(column));

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
