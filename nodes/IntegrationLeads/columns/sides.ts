/**
 * Tells the person of an item where a word means a customer in one and a colleague in another: the sender and the recipient of a
 * message, and the owner of what the item is about. Pure.
 */
import { map } from 'lodash';

import { NUMBER_WORDS, OF_DEAL, PHONE_WORDS, USER } from '../lexicon/headings';
import { CALL, DIRECTION, FROM, FROM_ME, INBOUND, OUTBOUND, OWNER, TO } from '../lexicon/events';
import type { ConvertContext } from '../values/context';
import { isLikePhone } from '../values/phone';
import type { Column } from './cells';
import {
	has,
	isAddressField,
	isCalled,
	isCalledPerson,
	isIndex,
	keyOf,
	meaningOf,
	mentions,
	wordsOf,
} from './headings';

/** The words for the person of an item, and those for whoever speaks for the firm. */
interface Sides {
	ofPerson: Set<string>;
	ofFirm: Set<string>;
}

/** Whether a value says that a message or a call came in; undefined where it says nothing of that. */
function saysIncoming({ path, value }: Column): boolean | undefined {
	const key = path.at(-1) ?? '';
	// Of a list of messages, each went its way.
	if (path.some(isIndex)) return undefined;
	if (FROM_ME.has(keyOf(key))) return typeof value === 'boolean' ? !value : undefined;
	if (!isCalled(key, DIRECTION)) return undefined;
	const text = String(value);
	return isCalled(text, INBOUND) || (isCalled(text, OUTBOUND) ? false : undefined);
}

/** Of what came in, the person is whoever sent it; of what went out, who was to get it. */
function sidesOfMessage(all: Column[]): Sides | undefined {
	const isIncoming = map(all, saysIncoming).find((says) => says !== undefined);
	if (isIncoming === undefined) return undefined;
	const [ofPerson, other] = isIncoming ? [FROM, TO] : [TO, FROM];
	const isCall = all.some(({ path }) => mentions(path, CALL));
	return { ofPerson, ofFirm: isCall ? new Set([...other, ...USER]) : other };
}

/** An owner with a phone, where no column, also a blank one, is for the address of another person, for a recipient or a deal. */
function sidesOfOwner(all: Column[], { input = {} }: ConvertContext): Sides | undefined {
	const isOwner = ({ path, value }: Column) =>
		mentions(path, OWNER) &&
		mentions(path, [PHONE_WORDS, NUMBER_WORDS]) &&
		isLikePhone(value) &&
		path.slice(0, -1).every((head) => isCalled(head, OWNER));
	if (!all.some(isOwner)) return undefined;
	const paths = [...map(all, 'path'), ...Object.keys(input).map((heading) => [heading])];
	const hasOther = paths.some(
		(path) =>
			isAddressField(meaningOf(path)?.field) ||
			isCalledPerson(path[0]) ||
			mentions(path, [OF_DEAL, TO]),
	);
	return hasOther ? undefined : { ofPerson: OWNER, ofFirm: new Set() };
}

/** The columns of an item as they read where its person is called a contact, and whoever speaks for the firm an agent. */
export function nameSides(all: Column[], context: ConvertContext): Column[] {
	const sides = sidesOfMessage(all) ?? sidesOfOwner(all, context);
	if (!sides) return all;
	const { ofPerson, ofFirm } = sides;
	const roleOf = (word: string) =>
		(has(ofPerson, word) && 'contact') || (has(ofFirm, word) && 'agent') || word;
	const seen = (part: string) => {
		const words = wordsOf(part);
		return mentions(words, [ofPerson, ofFirm]) ? words.map(roleOf).join(' ') : part;
	};
	return all.map((column) =>
		mentions(column.path, [ofPerson, ofFirm]) ? { ...column, path: column.path.map(seen) } : column,
	);
}
