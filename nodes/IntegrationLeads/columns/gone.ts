/** Refuses webhooks which say that a person, or what they had, is gone. Pure. */
import { COLUMN_ROLES, GONE_FLAG } from '../lexicon/sales';
import { InputError } from '../userError';
import { show } from '../values/convert';
import type { Column } from './cells';
import { isIndex, isPhrase, keyOf, wordsOf } from './headings';
import { rememberByPath } from './remember';

/** How programs name such an event: `unsubscribe`, `invitee.canceled`, `BOOKING_CANCELLED`, `deletedContact`. */
const GONE_EVENT =
	/(?:^|[._:/-])(?:unsubscribed?|cancell?ed|deleted?|deletion|bounced?|complaint)$|^deleted[A-Z]/i;

const isOfEvent = rememberByPath((path) => {
	const words = wordsOf(path.at(-1) ?? '');
	return isPhrase(words, COLUMN_ROLES.event) || isPhrase(words, COLUMN_ROLES.kind);
});

/** An entry of a list that is gone is one of several. */
const isGone = ({ keys, path, value }: Column) =>
	!keys.some(isIndex) &&
	(value === true
		? GONE_FLAG.has(keyOf(path.at(-1) ?? ''))
		: isOfEvent(path) && GONE_EVENT.test(String(value)));

/** @throws InputError for an event that makes no lead, such as the end of a subscription */
export function refuseGone(columns: Column[]): void {
	const found = columns.find(isGone);
	if (!found) return;
	throw new InputError(
		`The row says that something is gone, so it makes no lead: "${found.heading}" is ${show(found.value)}`,
		{
			all: 'To record it all the same, give the fields by themselves.',
			panel:
				'Leave such rows out with a Filter node before. To record them all the same, map the columns by hand.',
		},
	);
}
