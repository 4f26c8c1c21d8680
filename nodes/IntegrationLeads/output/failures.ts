/** Says why items failed, or may have been recorded all the same: in rows, in the hint of a run, and in the error that ends it. */
import { compact, groupBy, map, partition, sortBy, trimEnd, uniq, upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import {
	endsRun,
	isExplained,
	isLostAnswer,
	isTemporary,
	mayHaveArrived,
	mistakesOf,
	remedyFor,
	type Reader,
	type ServiceError,
	UserError,
} from '../userError';
import { shorten } from '../values/json';
import { nameRows, withItems } from './hints';

/** Whether a failure is about a row. One that is about the whole run fails the node instead. */
export const isOfRow = (failure: Error): failure is UserError | ServiceError =>
	isExplained(failure) && !endsRun(failure);

/** What became of an item that failed: `unclear` if it may have been recorded, and what the service holds decides. */
export const failureWord = (failure: Error): 'unclear' | 'failed' | 'refused' => {
	if (isLostAnswer(failure)) return 'unclear';
	if (isTemporary(failure)) return 'failed';
	return mayHaveArrived(failure) ? 'unclear' : 'refused';
};

/** Describes why an item was not recorded, or may not have been, and what to change in the row. */
export function failureInWords(failure: UserError | ServiceError, onlyChecked = false): string {
	const word = onlyChecked ? 'would refuse' : failureWord(failure);
	const texts = mistakesOf(failure).map(({ message, remedy }) =>
		trimEnd(compact([message, remedyFor('row', remedy)]).join('. '), '.'),
	);
	return `${word}: ${texts.join('; ')}`;
}

/** The most reasons, and the most remedies, in one hint. */
const MAX_SENTENCES = 3;

/**
 * How many items failed, where to read why and, if their rows say so, the first reasons and remedies.
 *
 * @param failed why items failed, by their indexes
 */
export function summarizeFailures(
	failed: Map<number, Error>,
	rows: IDataObject[],
	inRows: boolean,
): string {
	const failures = sortBy([...failed], 0).map(([itemIndex, reason]) => ({ itemIndex, reason }));
	const groups = partition(failures, ({ reason }) => !inRows || failureWord(reason) !== 'unclear');
	const happened = ['failed', 'may have been recorded'];
	const counts = groups.map((group, which) => {
		const what = `${group.length} of ${rows.length} items ${happened[which]}`;
		return group.length > 0 && `${what} (${nameRows(map(group, 'itemIndex'), rows)})`;
	});
	const [ofRows, ofRun] = partition(failures, ({ reason }) => inRows && isOfRow(reason));
	const places = [ofRows.length > 0 && '"result"', ofRun.length > 0 && '"error"'];
	const what = `${compact(counts).join(', and ')}. ${compact(places).join(' or ')} in their output says why.`;
	const reasons = ofRows.slice(0, MAX_SENTENCES).map(({ itemIndex, reason: { message } }) => {
		return `${upperFirst(nameRows([itemIndex], rows))}: ${trimEnd(message, '.')}.`;
	});
	const remedies = map(ofRows, 'reason').flatMap(panelRemediesOf);
	return [what, ...reasons, ...uniq(remedies).slice(0, MAX_SENTENCES)].join(' ');
}

/** What only the panel can do about the mistakes of a row. */
const panelRemediesOf = (reason: Error): string[] =>
	(isExplained(reason) ? mistakesOf(reason) : []).flatMap(({ remedy }) =>
		typeof remedy === 'object' && remedy.panel ? remedy.panel : [],
	);

export interface ItemFailure {
	itemIndex: number;
	error: Error;
}

/** The maximum length of one line in a message about several failures. */
const LINE_CHARACTERS = 200;
const MAX_MESSAGE_LINES = 10;

/**
 * One error for all items that failed: it names each error, and states once what to do about those with the same remedy.
 *
 * @param rows all items
 * @param keysOf the values that identify the record of an item, by its index
 * @param areAllUnsent whether nothing was sent for any item
 */
export function explainFailures(
	failures: ItemFailure[],
	rows: IDataObject[],
	keysOf: Map<number, string[]>,
	areAllUnsent: boolean,
	reader: Reader,
): UserError {
	const failed = uniq(sortBy(map(failures, 'itemIndex')));
	const mistakes = sortBy(failures, 'itemIndex').flatMap(({ itemIndex, error }) => {
		return mistakesOf(error).map((mistake) => ({
			itemIndex,
			message: mistake.message,
			remedy: isExplained(mistake) ? remedyFor(reader, mistake.remedy) : '',
		}));
	});
	const equal = Object.values(groupBy(mistakes, 'message'));
	const lines = equal.slice(0, MAX_MESSAGE_LINES).map((same) => {
		const [{ itemIndex, message, remedy }] = same;
		const short = shorten(message, LINE_CHARACTERS);
		return { line: withItems(short, map(same, 'itemIndex'), rows, keysOf.get(itemIndex)), remedy };
	});
	const isOne = equal.length === 1;
	const paragraphs = Object.values(groupBy(lines, 'remedy')).map((group) =>
		compact([...(isOne ? [] : map(group, 'line')), group[0].remedy]),
	);
	const rest = equal.slice(MAX_MESSAGE_LINES).flat().length;
	if (rest > 0) paragraphs.push([`and ${rest} more`]);
	if (areAllUnsent) {
		const canContinue = failed.length < rows.length && reader === 'panel';
		const others = ' To send the others, set Settings > On Error of this node to Continue.';
		paragraphs.unshift([`Nothing was sent.${canContinue ? others : ''}`]);
	}
	const what = areAllUnsent ? 'cannot be sent' : 'failed';
	const title = `${failed.length} of ${rows.length} items ${what}: ${nameRows(failed, rows)}`;
	return new UserError(
		isOne ? lines[0].line : title,
		compact(paragraphs.map((paragraph) => paragraph.join('\n'))).join('\n\n'),
	);
}
