/** Explains the failures of several items as one. Pure. */
import { compact, groupBy, map, sortBy, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { nameRows, withItems } from '../output/hints';
import { isExplained, mistakesOf, type Reader, remedyFor, UserError } from '../userError';
import { shorten } from '../values/json';

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
