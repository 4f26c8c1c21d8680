import type { ComposeContext } from '../operation';
import { parseDate } from '../dates/date';
import type { ServiceRecord } from '../values/json';
import { isBlank } from '../values/convert';

/** Returns a remark for the output if the sale is dated later than today, since day and month may be swapped. */
export function futureSale(
	{ saleDate }: ServiceRecord,
	{ hints, now, timezone }: ComposeContext,
): { differences?: string } {
	const soldAt = isBlank(saleDate) ? undefined : parseDate(String(saleDate), timezone);
	if (!soldAt || soldAt.startOf('day').toMillis() <= now) return {};
	hints.add('The date of a sale is in the future. Check how its day and month are written.');
	return { differences: `The sale date ${soldAt.toISODate()} is in the future.` };
}
