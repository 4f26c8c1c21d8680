/** Reads the parameters of fields/conversion.ts. Pure. */
import type { IDataObject } from 'n8n-workflow';

import type { RunContext } from '../operation';
import { InputError } from '../userError';
import { isBlank } from '../values/convert';
import type { MetaSettings } from './meta';
import { DAY_MS } from './meta';
import type { Period } from './period';
import { periodNames, relativePeriod } from './period';

const MAX_DAYS = 36_500;

export type Format =
	| { kind: 'rows' }
	| { kind: 'googleAds'; conversionName: string }
	| { kind: 'googleDataManager' }
	| ({ kind: 'meta' } & MetaSettings);

export interface ExportSettings {
	period: Period;
	format: Format;
	timezone: string;
	/** In ms since the epoch. */
	now: number;
	countryCode?: string;
	/** Only leads created after this time, ISO 8601. */
	createdAfter?: string;
	readContacts: boolean;
	readClickIds: boolean;
	reportIncomplete: boolean;
	summaryItem: boolean;
	/** The output is read by an AI agent. */
	isTool: boolean;
}

/**
 * @param read returns the converted value of a parameter
 * @throws InputError naming the field
 */
export function parseExportSettings(
	read: (name: string) => unknown,
	{ timezone, now, countryCode, tool = false }: RunContext,
): ExportSettings {
	const options = (read('options') ?? {}) as IDataObject;
	const period = parsePeriod(read, now, timezone);
	return {
		period,
		format: parseFormat(read, options),
		timezone,
		now,
		countryCode,
		createdAfter: parseCreatedAfter(options.createdWithin, period),
		readContacts: options.readContacts === true,
		readClickIds: options.readClickIds === true || !isBlank(options.whatsappAccountId),
		reportIncomplete: options.reportIncomplete === true,
		summaryItem: options.summaryItem === true,
		isTool: tool,
	};
}

function parsePeriod(read: (name: string) => unknown, now: number, timezone: string): Period {
	const name = toText(read('saleDate'));
	if (name === 'between') {
		const from = Date.parse(required(read('saleDateFrom'), 'Sale Date From'));
		const to = Date.parse(required(read('saleDateTo'), 'Sale Date Before'));
		if (from < to) return { from, to };
		throw new InputError(
			'"Sale Date Before" must be later than "Sale Date From"',
			'A sale at the exact time of "Sale Date Before" is not included: for all of January give 2026-01-01 and 2026-02-01.',
		);
	}
	const period = relativePeriod(name, now, timezone);
	if (period) return period;
	throw unknownEntry('Sale Date', name, ['between', ...periodNames]);
}

function parseFormat(read: (name: string) => unknown, options: IDataObject): Format {
	const kind = toText(read('format'));
	switch (kind) {
		case 'rows':
		case 'googleDataManager':
			return { kind };
		case 'googleAds':
			return { kind, conversionName: required(read('conversionName'), 'Conversion Name') };
		case 'meta':
			return {
				kind,
				eventName: required(read('eventName'), 'Event Name'),
				actionSource: required(read('actionSource'), 'Action Source'),
				leadEventSource: toText(options.leadEventSource),
				whatsappAccountId: toText(options.whatsappAccountId),
			};
		default:
			throw unknownEntry('Format', kind, ['rows', 'googleAds', 'googleDataManager', 'meta']);
	}
}

function parseCreatedAfter(days: unknown, { from }: Period): string | undefined {
	if (isBlank(days)) return undefined;
	if (Number(days) >= 1 && Number(days) <= MAX_DAYS) {
		return new Date(from - Number(days) * DAY_MS).toISOString();
	}
	throw new InputError(
		`"Created Within (Days)" must be between 1 and ${MAX_DAYS}: ${toText(days)}`,
		'Correct the number, or remove the option to read all leads.',
	);
}

function unknownEntry(label: string, value: string, values: string[]): InputError {
	return new InputError(
		`"${label}" has no entry "${value}"`,
		`Choose from the list, or use one of ${values.join(', ')}.`,
	);
}

function required(value: unknown, label: string): string {
	const text = toText(value);
	if (text !== '') return text;
	throw new InputError(
		`"${label}" is empty`,
		`Enter a value for "${label}", or check what its expression returns.`,
	);
}

function toText(value: unknown): string {
	return String(value ?? '').trim();
}
