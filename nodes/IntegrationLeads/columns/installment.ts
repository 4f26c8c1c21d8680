/** Tells one of several payments from a payment of the whole in as many installments: "Parcela: 2/3", but not "Parcelas: 12". Pure. */
import type { Column } from './cells';
import { isIndex, isPhrase, mentions, wordsOf } from './headings';
import { INSTALLMENT, INSTALLMENT_COUNT, ORDINAL_MARKS, PAID, SAYINGS } from '../lexicon/sales';
import { DATE_WORDS, FILLERS } from '../lexicon/headings';

/** `2/3` or `2ª de 12`, but not `1/1`, an amount or a date. */
const OF_SEVERAL =
	/(?<![\d.,/])(\d{1,3})\s{0,2}[ªºa]?\s{0,2}(?:\/|de|of|out of)\s{0,2}(\d{1,3})(?!\s{0,2}[\d.,/])/i;
function isOneOfSeveral(text: string): boolean {
	const [, place, total] = (OF_SEVERAL.exec(text) ?? []).map(Number);
	return total > 1 && place <= total;
}
/** A longer number is an amount: "Mensalidade: 150". */
const PLACE = /^(\d{1,2})\s{0,2}[ªºa]?$/i;
const ordinalIn = (value: unknown) => Number(PLACE.exec(String(value).trim())?.[1]);

/** Not in the plural, which counts them. */
const isSingular = (word: string) => INSTALLMENT.has(word);

/** Whether a text is the name of one payment: `Parcela 2`, `2ª parcela`. */
export function isInstallment(text: string): boolean {
	const words = wordsOf(text);
	if (!isPhrase(words, SAYINGS.installment)) return false;
	if (isOneOfSeveral(text)) return true;
	const at = words.findIndex(isSingular);
	if (at < 0) return false;
	const [place, total] = words.slice(at + 1).filter((word) => !FILLERS.has(word));
	const isBefore = ORDINAL_MARKS.has(words[at - 1] ?? '') && isIndex(words[at - 2] ?? '');
	return isBefore || (isIndex(place ?? '') && Number(total) !== 1);
}

/** The same of a payment in words, such as `2 of 12`: `05/11` may be a day. */
export const isOfSeveral = (text: string) => /\p{L}/u.test(text) && isOneOfSeveral(text);

/** Whether a column of installments says that the row is one of them: its number, or the number of those that are paid. */
export function isInstallmentIn(path: string[], value: unknown, all: Column[]): boolean {
	if (mentions(path.slice(-1), DATE_WORDS)) return false;
	if (isOneOfSeveral(String(value))) return true;
	const isOfOne = path.flatMap(wordsOf).some(isSingular) || mentions(path, PAID);
	const place = ordinalIn(value);
	return isOfOne && (place > 1 || (place === 1 && all.some(countsSeveral)));
}

/** "Total de parcelas: 3" */
const countsSeveral = ({ path, value }: Column) =>
	isPhrase(path.flatMap(wordsOf), INSTALLMENT_COUNT) && Number.parseInt(String(value), 10) > 1;

/** Whether a number is that of a later payment: "Recorrência: 3". */
export const isLaterPlace = (value: unknown) => ordinalIn(value) > 1;
