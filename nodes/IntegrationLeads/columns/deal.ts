/**
 * Finds the fields of a lead that headings name with a word for its deal: "Negócio - Status", "Etapa do funil", "Lead tags". Alone,
 * such a word may be about an order or a ticket: it counts in an item of a pipeline, and where a value is plainly won or lost. Pure.
 */
import { minBy, partition } from 'lodash';

import { isWon } from '../contract/records';
import {
	BUDGET,
	CLOSING,
	DATE_WORDS,
	FILLERS,
	NAME_WORDS,
	OF_DEAL,
	OF_FIRM,
	PERSON,
	PIPELINE,
	PRIORITY,
	SOURCE,
} from '../lexicon/headings';
import { STAGE, STATE } from '../lexicon/sales';
import { withoutReais } from '../values/amount';
import type { ConvertContext } from '../values/context';
import type { Column } from './cells';
import { documentedFrom, LOST } from './documented';
import { isPlainlyName } from './fits';
import { has, isHead, isIndex, meaningOf, mentions, namesOnly, wordsOf } from './headings';
import { rememberByPath } from './remember';
import { hasInColumn } from './shown';

/** The words for each field that alone are not plain. A state says more than a stage. */
const NAMED: Array<[field: 'status' | 'source' | 'priority', words: Set<string>]> = [
	['status', STATE],
	['status', STAGE],
	['source', SOURCE],
	['priority', PRIORITY],
];
const STATE_RANK = 0;
/** Fields of a lead that a deal has as well, under their usual headings. */
const FIELDS_OF_DEAL = ['estimatedValue', 'saleDate', 'tags', 'notes'];
const AMOUNT = /^[\d.,\s]+$/;
/** What an amount of money has, and a number of an order has not: its sign, or cents. */
const MARK_OF_MONEY = /\$|[.,]\d\d$/;

const isOfDeal = (word: string) => has(OF_DEAL, word);

/** Whether an item is a deal in a pipeline: its ID and its name are those of the program that has it. */
export const isOfPipeline = ({ input = {} }: ConvertContext) =>
	mentions(Object.keys(input), PIPELINE);

/** The last part of a heading whose other parts are words for a deal: "Contact person" of "Deal - Contact person". */
export function withoutDeal(heading: string): string {
	const parts = heading.split(/ - |: /);
	const isPrefixed = parts.slice(0, -1).every((part) => wordsOf(part).every(isOfDeal));
	return isPrefixed ? parts[parts.length - 1] : heading;
}

/** Whether a column names the people of a deal, and has one: "Contatos", "Contato principal". */
const hasContact = ({ input = {} }: ConvertContext) =>
	Object.entries(input).some(([key, value]) => {
		const words = wordsOf(key);
		return namesOnly(words, PERSON) && !mentions(words, OF_DEAL) && isPlainlyName(value);
	});

/**
 * Whether a name is rather that of a deal or a firm: "Nome do lead" or "Nome / Razão social" beside "Contato principal", and a plain
 * name in a row of a pipeline that names the people of its deal.
 */
export const isTitle = ({ path }: Column, context: ConvertContext) => {
	const words = wordsOf(path.at(-1) ?? '');
	if (mentions(words, OF_DEAL) || mentions(words, OF_FIRM)) return true;
	const isPlain = path.length === 1 && namesOnly(words, NAME_WORDS);
	return isPlain && isOfPipeline(context) && hasContact(context);
};

interface DealHeading {
	field: string;
	/** Its place in {@link NAMED}. */
	rank: number;
	/** Whether its heading has a word for a deal or a sign of reais, which makes it plain. */
	isPlain: boolean;
}

const namedBy = rememberByPath((path): DealHeading | undefined => {
	if (!path.slice(0, -1).every((part) => isHead(part) || wordsOf(part).every(isOfDeal)))
		return undefined;
	const heading = path[path.length - 1];
	const [ofDeal, others] = partition(wordsOf(heading), isOfDeal);
	const words = others.filter((word) => !FILLERS.has(word) && !isIndex(word));
	const isPlain = ofDeal.length > 0 || heading.includes('R$');
	const rank = NAMED.findIndex(([, table]) => namesOnly(others, table));
	if (rank >= 0) return { field: NAMED[rank][0], rank, isPlain };
	if (namesOnly(others, BUDGET)) return { field: 'estimatedValue', rank, isPlain };
	const field = meaningOf([words.join(' ')])?.field ?? '';
	return isPlain && FIELDS_OF_DEAL.includes(field) ? { field, rank, isPlain } : undefined;
});

/** "Data de fechamento", "Deal close date". */
const isClosingDate = rememberByPath(([key, ...inner]) => {
	const words = wordsOf(key).filter((word) => !isOfDeal(word));
	const [days, others] = partition(words, (word) => DATE_WORDS.has(word));
	return inner.length === 0 && days.length > 0 && namesOnly(others, CLOSING);
});

const isOutcome = (value: unknown) =>
	isWon(value) || documentedFrom('status', String(value)) === LOST;

/** Whether a column has a value in any item of the run that is plainly the outcome of a deal: then its others are states of one. */
const hasOutcome = (column: Column, context: ConvertContext) =>
	isOutcome(column.value) || hasInColumn('outcome', isOutcome, column, context);

/** Whether the value of a column shows that it is one of the field that its heading seems to name. */
function fitsDeal(
	{ field, rank }: DealHeading,
	column: Column,
	isSure: boolean,
	context: ConvertContext,
): boolean {
	const text = String(column.value).trim();
	if (field === 'estimatedValue')
		return AMOUNT.test(withoutReais(text)) && (isSure || MARK_OF_MONEY.test(text));
	if (rank < 0) return true;
	if (documentedFrom(NAMED[rank][0], text) === undefined) return false;
	return isSure || hasOutcome(column, context);
}

/** The columns that have a field of a lead because they are about its deal. A state that is not known is one, to be named. */
export function ofDealIn(
	columns: Column[],
	context: ConvertContext,
): Array<{ column: Column; field: string }> {
	const found = columns.flatMap((column) => {
		const named = namedBy(column.question === undefined ? column.path : [column.question]);
		if (!named) return [];
		const isSure = named.isPlain || isOfPipeline(context);
		const isState = named.rank === STATE_RANK && (isSure || hasOutcome(column, context));
		return isState || fitsDeal(named, column, isSure, context) ? [{ column, ...named }] : [];
	});
	const first = minBy(
		found.filter(({ field }) => field === 'status'),
		'rank',
	);
	// Of an open deal, it is when somebody hopes to close it.
	const closed =
		first && isWon(first.column.value) && isOfPipeline(context)
			? columns.filter(({ path }) => isClosingDate(path))
			: [];
	return [
		...found.filter(({ field, rank }) => field !== 'status' || rank === first?.rank),
		...closed.map((column) => ({ column, field: 'saleDate' })),
	];
}
