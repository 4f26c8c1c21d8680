/** Lists the words by which an event or a record says that it is gone; data only. */
import { BUYER, CONTAINERS, PERSON, words } from './headings';

/** The last word of an event by which something is gone, or the first of its name: `deletedContact`. */
export const GONE = words(
	'unsubscribe unsubscribed cancel cancelled canceled delete deleted archived bounce bounced cleaned spamreport complained',
);
/** The last word of a name of several: `contact.deletion`. Alone, it is what somebody may ask for. */
export const GONE_NOUN = words('deletion cancellation archive complaint');
/** The objects of a webhook that its own event and flags may stand in. */
export const AROUND_EVENT = new Set([...CONTAINERS, ...PERSON, ...BUYER, 'meta']);
/** Keys that say of a record that it is gone. */
export const GONE_FLAG = words('deleted isdeleted archived isarchived intrash');
