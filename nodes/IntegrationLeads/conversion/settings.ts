/** Reads the parameters of panels/conversion.ts. Pure. */
import { isUndefined, omitBy } from 'lodash';
import { DateTime } from 'luxon';

import { toRecord } from '../values/json';
import { parseDate } from '../dates/date';
import type { RunContext, Values } from '../operation';
import { InputError } from '../userError';
import { isSameWord } from '../values/words';

/** The settings of an export, converted. Those of formats other than the chosen one are not read. */
export interface ExportSettings extends Pick<RunContext, 'timezone' | 'now' | 'countryCode'> {
	format: 'rows' | 'googleAds' | 'googleDataManager' | 'meta';
	/** Only for Google Ads. */
	conversionName?: string;
	/** Only for Meta, as is the next. */
	eventName?: string;
	actionSource?: string;
	/** The event that is exported for one lead; by default its sale. */
	event?: 'sale' | 'stage';
	/** When the lead came to the stage, in ISO 8601. */
	eventTime?: string;
	/** The period of sales: a name, or two dates in ISO 8601. */
	saleDate?: string;
	saleDateFrom?: string;
	saleDateTo?: string;
	/** Leads with one of these tags were exported before. */
	skipTag?: string[];
	/** Leads with one of these tags are compared with what was reported of them. */
	compareTag?: string[];
	readClickIds?: boolean;
	/** Sales after a click into WhatsApp are reported to that click. */
	whatsappAccountId?: string;
	summaryItem?: boolean;
}

/** What the panel has before anything is chosen. Agents leave it blank. */
const DEFAULTS = { format: 'rows', saleDate: 'yesterday' };

export function exportSettings(
	{ settings }: Pick<Values, 'settings'>,
	{ timezone, now, countryCode }: RunContext,
): ExportSettings {
	const { options, ...others } = settings;
	const chosen = omitBy({ ...others, ...toRecord(options) }, isUndefined);
	return { ...DEFAULTS, ...chosen, timezone, now, countryCode } as ExportSettings;
}

export const isStage = ({ event, format }: ExportSettings) =>
	event === 'stage' && format !== 'rows';

/** @throws InputError naming the field */
export function checkExport(settings: ExportSettings): void {
	// Meta requires its value (CAPI/parameters/custom-data), and counts one of a sale that is sent with its date as well.
	if (
		settings.format === 'meta' &&
		isStage(settings) &&
		isSameWord(settings.eventName, 'Purchase')
	) {
		throw new InputError(
			'"Event" is Stage, and "Purchase" is a sale',
			'Choose Sale under "Event", which sends its date and value, or another "Event Name".',
		);
	}
	const { from, to } = periodOf(settings);
	// NaN if a date is invalid, which is reported separately.
	if (!(from >= to)) return;
	throw new InputError(
		'"Sale Date Before" must be later than "Sale Date From"',
		'A sale at the exact time of "Sale Date Before" is not included: for all of January give 2026-01-01 and 2026-02-01.',
	);
}

/**
 * Whole days, so that consecutive runs neither share nor miss a sale: the start of the first, and the end of the last.
 *
 * @param today midnight in UTC, so that counting days is not affected by daylight saving time
 */
const PERIODS: Record<string, (today: DateTime) => [from: DateTime, to: DateTime]> = {
	last7Days: (today) => [today.minus({ days: 7 }), today],
	last30Days: (today) => [today.minus({ days: 30 }), today],
	lastMonth: (today) => [today.startOf('month').minus({ months: 1 }), today.startOf('month')],
	thisMonth: (today) => [today.startOf('month'), today.startOf('month').plus({ months: 1 })],
	today: (today) => [today, today.plus({ days: 1 })],
	yesterday: (today) => [today.minus({ days: 1 }), today],
};

/** The period of an export in ms since the epoch, from `from` to just before `to`. */
export function periodOf(settings: ExportSettings): Record<'from' | 'to', number> {
	const { saleDate = '', saleDateFrom, saleDateTo, now, timezone } = settings;
	const { year, month, day } = DateTime.fromMillis(now, { zone: timezone });
	const days = PERIODS[saleDate]?.(DateTime.utc(year, month, day)).map((date) => date.toISODate());
	const [from, to] = (days ?? [saleDateFrom, saleDateTo]).map((date) =>
		Number(parseDate(String(date), timezone)),
	);
	return { from, to };
}
