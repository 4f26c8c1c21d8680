/** Dates as people write them: the year last, such as 31/12/2026 14:30. Pure. */
import { compact } from 'lodash';
import type { DateTime } from 'luxon';

import type { ConvertContext } from '../operation';
import { InputError } from '../userError';
import { parseDate } from './date';

/** Then the time, after a space, a comma, or as `às` and `a las`. `14h30` and `9:30` are `14:30` and `09:30`. */
const WRITTEN = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:(?:,|\s+(?:[àa]s|a las))?\s+(\d.*))?$/i;
const HOUR = /(\d{1,2})[h:]/;

/**
 * @returns undefined for a text of another form, and for a day that does not exist
 * @throws InputError if it is not known whether day or month comes first, or if the date is written the other way
 */
export function parseWrittenDate(
	text: string,
	{ label, timezone, dayFirst }: ConvertContext,
): DateTime | undefined {
	const [, first, , second, year, time = ''] = WRITTEN.exec(text.trim()) ?? [];
	if (year === undefined) return undefined;
	const clock = time.replace(HOUR, (_, hour: string) => `${hour.padStart(2, '0')}:`);
	const read = (day: string, month: string) => {
		const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
		return parseDate(`${iso} ${clock}`, timezone);
	};
	const [byDay, byMonth] = [read(first, second), read(second, first)];
	if (dayFirst !== undefined) {
		const [date, other] = dayFirst ? [byDay, byMonth] : [byMonth, byDay];
		if (date || !other) return date;
		const order = dayFirst ? 'the day comes first' : 'the month comes first';
		throw new InputError(
			`"${label}" is not a date in which ${order}: "${text}"`,
			`Write it as ${other.toISODate()}, or change "Options > Dates Are Written". Without this option, the country of "Default Country Code" sets the order.`,
		);
	}
	const dates = compact([byDay, byMonth]);
	if (dates.length < 2 || first === second) return dates[0];
	const [one, other] = dates.map((date) => date.setLocale('en').toFormat('d MMMM yyyy'));
	throw new InputError(
		`"${label}" can be read in two ways: "${text}" is ${one} or ${other}`,
		`Write it as ${dates.map((date) => date.toISODate()).join(' or ')}, or choose "Options > Dates Are Written". A "Default Country Code" such as 55, under Options or in the credential, settles it too.`,
	);
}
