/** Reads the parameters of panels/conversion.ts. Pure. */
import { keyBy } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { RunContext } from '../operation';
import { emptyError, InputError } from '../userError';
import { isBlank } from '../values/convert';
import { isSameWord } from '../values/words';
import { resolveLocalTime } from '../dates/date';

export const DAY_MS = 24 * 3600 * 1000;
const FORMATS = ['rows', 'googleAds', 'googleDataManager', 'meta'] as const;

/** How sales are exported: what both operations have in common. */
export interface ExportSettings extends Pick<RunContext, 'timezone' | 'now' | 'countryCode'> {
	format: (typeof FORMATS)[number];
	/** When the lead came to a stage, in ms since the epoch; undefined for its sale. Only a sale has a value. */
	stageAt?: number;
	/** Leads with one of these tags were exported before. */
	skipTags: string[];
	/** For Google Ads. */
	conversionName?: string;
	/** For Meta, as the next two. */
	eventName?: string;
	actionSource?: string;
	/** Sales after a click into WhatsApp are reported to that click. */
	whatsappAccountId?: string;
	readClickIds: boolean;
}

/** In ms since the epoch; `to` is the first moment after it. */
export interface Period {
	from: number;
	to: number;
}

/**
 * @param settings converted values of parameters
 * @throws InputError naming the field
 */
export function parseExportSettings(
	settings: IDataObject,
	{ timezone, now, countryCode }: RunContext,
): ExportSettings {
	const options = (settings.options ?? {}) as IDataObject;
	const format = parseEntry(settings.format, 'Format', keyBy(FORMATS));
	const eventName = format === 'meta' ? required(settings.eventName, 'Event Name') : '';
	return {
		timezone,
		now,
		countryCode,
		format,
		stageAt: parseStage(settings, eventName),
		skipTags: (options.skipTag ?? []) as string[],
		...(format === 'googleAds' && {
			conversionName: required(settings.conversionName, 'Conversion Name'),
		}),
		...(format === 'meta' && {
			eventName,
			actionSource: required(settings.actionSource, 'Action Source'),
		}),
		whatsappAccountId: toText(options.whatsappAccountId),
		readClickIds: options.readClickIds === true || !isBlank(options.whatsappAccountId),
	};
}

/** @throws InputError naming the field */
export function parsePeriod(settings: IDataObject, { now, timezone }: RunContext): Period {
	const { year, month, day } = DateTime.fromMillis(now, { zone: timezone });
	const periods = periodsAround(DateTime.utc(year, month, day));
	const days = parseEntry(settings.saleDate, 'Sale Date', periods);
	if (!days) return parseDates(settings);
	const [from, to] = days.map((date) => resolveLocalTime(date.toMillis(), timezone));
	return { from, to };
}

/**
 * The first day of each, and the day after its last: whole days, so that consecutive runs neither share nor miss a moment.
 *
 * @param today midnight in UTC, so that counting days is not affected by daylight saving time
 */
function periodsAround(
	today: DateTime,
): Record<string, [from: DateTime, to: DateTime] | undefined> {
	const month = today.startOf('month');
	return {
		// Two dates of the user's.
		between: undefined,
		last7Days: [today.minus({ days: 7 }), today],
		last30Days: [today.minus({ days: 30 }), today],
		lastMonth: [month.minus({ months: 1 }), month],
		thisMonth: [month, month.plus({ months: 1 })],
		today: [today, today.plus({ days: 1 })],
		yesterday: [today.minus({ days: 1 }), today],
	};
}

function parseDates({ saleDateFrom, saleDateTo }: IDataObject): Period {
	const from = Date.parse(required(saleDateFrom, 'Sale Date From'));
	const to = Date.parse(required(saleDateTo, 'Sale Date Before'));
	// Not a number where a date is wrong, which is a mistake of its own.
	if (!(from >= to)) return { from, to };
	throw new InputError(
		'"Sale Date Before" must be later than "Sale Date From"',
		'A sale at the exact time of "Sale Date Before" is not included: for all of January give 2026-01-01 and 2026-02-01.',
	);
}

/** When a stage was reached; undefined for a sale. */
function parseStage(settings: IDataObject, eventName: string): number | undefined {
	const isSale = parseEntry(settings.event ?? 'sale', 'Event', { sale: true, stage: false });
	if (isSale || settings.format === 'rows') return undefined;
	// Meta requires its value (CAPI/parameters/custom-data), and counts one of a sale that is sent with its date as well.
	if (isSameWord(eventName, 'Purchase')) {
		throw new InputError(
			'"Event" is Stage, and "Purchase" is a sale',
			'Choose Sale under "Event", which sends its date and value, or another "Event Name".',
		);
	}
	return Date.parse(required(settings.eventTime, 'Event Time'));
}

function required(value: unknown, label: string): string {
	const text = toText(value);
	if (text === '') throw emptyError(label);
	return text;
}

function toText(value: unknown): string {
	return String(value ?? '').trim();
}

/**
 * What an entry of a list stands for.
 *
 * @throws InputError naming the field
 */
function parseEntry<T>(value: unknown, label: string, entries: Record<string, T>): T {
	const name = String(value ?? '').trim();
	if (Object.hasOwn(entries, name)) return entries[name];
	throw new InputError(
		`"${label}" has no entry "${name}"`,
		`Choose from the list, or use one of ${Object.keys(entries).join(', ')}.`,
	);
}
