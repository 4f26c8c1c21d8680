/** What n8n's panel shows for items that failed together. Pure. */
import { groupBy } from 'lodash';

import { shorten } from '../contract/envelope';
import { InputError, UserError } from '../userError';

const MOST_LINES = 10;
const LINE_CHARACTERS = 200;

/**
 * Names every mistake, and states once what to do about equal ones.
 *
 * @param failures by the index of the item
 * @param rows the items; n8n's Google Sheets node gives each the number of its row
 * @param areAllUnsent whether nothing was sent for any item
 */
export function explainFailures(
	failures: ReadonlyMap<number, Error>,
	rows: Array<{ row_number?: unknown }>,
	areAllUnsent: boolean,
): UserError {
	const indexes = [...failures.keys()].sort((one, other) => one - other);
	const isSheet = indexes.every((index) => typeof rows[index].row_number === 'number');
	const mistakes = indexes.flatMap((index) => {
		const error = failures.get(index)!;
		const number = isSheet ? Number(rows[index].row_number) : index + 1;
		const parts = error instanceof InputError ? error.parts : [error];
		return parts.map((part: Pick<Error, 'message'> & { description?: string | null }) => ({
			number,
			message: part.message,
			description: part.description ?? '',
		}));
	});
	const name = (numbers: number[]) =>
		`${isSheet ? 'Row' : 'Item'}${numbers.length > 1 ? 's' : ''} ${listed(numbers)}`;
	const [{ message, description }] = mistakes;
	const sent = areAllUnsent ? 'Nothing was sent.' : '';
	const wayOn =
		areAllUnsent && indexes.length < rows.length
			? 'To send the others, set Settings > On Error of this node to Continue.'
			: '';
	if (mistakes.every((each) => each.message === message)) {
		const which =
			indexes.length === rows.length ? `All ${rows.length} items` : name(numbersOf(mistakes));
		return new UserError(
			message,
			join(BREAK, join(' ', `${which}.`, sent), escape(description), wayOn),
		);
	}
	const groups = Object.values(groupBy(mistakes, (each) => each.description)).slice(0, MOST_LINES);
	const most = Math.max(1, Math.floor(MOST_LINES / groups.length));
	const paragraphs = groups.map((group) => {
		const equal = Object.values(groupBy(group, (each) => each.message));
		const lines = equal.slice(0, most).map((same) => {
			return `${name(numbersOf(same))}: ${shorten(same[0].message, LINE_CHARACTERS)}`;
		});
		const rest = equal.slice(most).flat().length;
		const more = rest > 0 ? `and ${rest} more like ${rest > 1 ? 'these' : 'this'}` : '';
		return join(BREAK, ...lines.map(escape), more, escape(group[0].description));
	});
	return new UserError(
		`${indexes.length} of ${rows.length} items ${areAllUnsent ? 'cannot be sent' : 'failed'}`,
		join(PARAGRAPH, join(' ', sent, wayOn), ...paragraphs),
	);
}

// n8n shows descriptions as HTML, logs and other workflows show them as text.
const BREAK = '<br>\n';
const PARAGRAPH = '<br>\n<br>\n';

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const join = (separator: string, ...texts: string[]) => texts.filter(Boolean).join(separator);

const numbersOf = (mistakes: Array<{ number: number }>) => mistakes.map(({ number }) => number);

function listed(numbers: number[]): string {
	const shown = numbers.slice(0, MOST_LINES).join(', ');
	const rest = numbers.length - MOST_LINES;
	return rest > 0 ? `${shown} and ${rest} more` : shown;
}
