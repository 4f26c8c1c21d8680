/** Says which statuses mean that a lead was won: the documented one, and its words in English, Portuguese and Spanish. Pure. */
import { ENGLISH_VALUES, SOLD_THING, VALUES_IN_WORDS } from '../lexicon/headings';
import { isSameWord } from '../values/words';

/** The status of won leads, as the service writes it (spec 2). */
export const WON = 'closed_won';

const WON_WORDS = [WON, ENGLISH_VALUES[WON], ...VALUES_IN_WORDS[WON].split(', ')];

/** Whether a status says that a lead was won. An account may have another word for it, which nothing shows. */
export const isWon = (status: unknown): boolean => {
	const word = String(status).replace(SOLD_THING, '');
	return WON_WORDS.some((known) => isSameWord(known, word));
};
