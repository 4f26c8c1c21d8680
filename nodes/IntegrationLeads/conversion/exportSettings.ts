/** What the user asks an export for, from the parameters of fields/conversion.ts. Pure. */
import { isRecord } from '../contract/envelope';
import { toUtc } from '../values/convert';
import type { RunContext } from '../operation';
import { InputError } from '../userError';
import type { MetaSettings } from './meta';
import type { SaleWindow } from './window';
import { relativeWindow, windowNames } from './window';

const DAY_MS = 24 * 3600 * 1000;

export type Format =
	| { kind: 'rows' }
	| { kind: 'googleAds'; conversionName: string }
	| ({ kind: 'meta' } & MetaSettings);

export interface ExportSettings {
	window: SaleWindow;
	format: Format;
	zone: string;
	now: number;
	countryCode?: string;
	/** Only leads created after this moment, ISO 8601. */
	createdAfter?: string;
	readContacts: boolean;
	reportIncomplete: boolean;
}

/**
 * @param read gives the value of a parameter
 * @throws InputError naming the field
 */
export function readSettings(read: (name: string) => unknown, about: RunContext): ExportSettings {
	const given = read('options');
	const options = isRecord(given) ? given : {};
	const window = readSaleWindow(read, about);
	return {
		window,
		format: readFormat(read, options),
		zone: about.timezone,
		now: about.now,
		countryCode: about.countryCode,
		createdAfter: readCreatedAfter(options.createdWithin, window),
		readContacts: options.readContacts === true,
		reportIncomplete: options.reportIncomplete === true,
	};
}

function readSaleWindow(read: (name: string) => unknown, about: RunContext): SaleWindow {
	const name = textOf(read('saleDate'));
	if (name === 'between') {
		const from = parseDate(read('saleDateFrom'), 'From', about);
		const to = parseDate(read('saleDateTo'), 'Before', about);
		if (from < to) return { from, to };
		throw new InputError(
			'"Before" is not later than "From"',
			'No sale can lie between them. A sale at the very moment of "Before" is not taken: for all of January give 2026-01-01 and 2026-02-01.',
		);
	}
	const window = relativeWindow(name, about.now, about.timezone);
	if (window) return window;
	throw new InputError(
		`"Sale Date" is not a span of time: "${name}"`,
		`Choose an entry of the list, or give one of ${['between', ...windowNames].join(', ')}.`,
	);
}

function parseDate(value: unknown, label: string, about: RunContext): number {
	const moment = toUtc(value, { ...about, label });
	if (typeof moment === 'string' && moment !== '') return Date.parse(moment);
	throw new InputError(
		`"${label}" is empty`,
		'Give both dates, or choose another entry of "Sale Date".',
	);
}

function readFormat(read: (name: string) => unknown, options: Record<string, unknown>): Format {
	const kind = textOf(read('format'));
	switch (kind) {
		case 'rows':
			return { kind };
		case 'googleAds':
			return { kind, conversionName: required(read('conversionName'), 'Conversion Name') };
		case 'meta':
			return {
				kind,
				eventName: required(read('eventName'), 'Event Name'),
				actionSource: required(read('actionSource'), 'Action Source'),
				leadEventSource: textOf(options.leadEventSource),
			};
		default:
			throw new InputError(
				`"Format" is not one of the formats: "${kind}"`,
				'Choose an entry of the list, or give one of rows, googleAds, meta.',
			);
	}
}

function required(value: unknown, label: string): string {
	const text = textOf(value);
	if (text !== '') return text;
	throw new InputError(
		`"${label}" is empty`,
		`Enter a value for "${label}", or check what its expression gives.`,
	);
}

function readCreatedAfter(value: unknown, { from }: SaleWindow): string | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	const days = Number(value);
	if (days > 0 && days <= 36_500) return new Date(from - days * DAY_MS).toISOString();
	throw new InputError(
		`"Created Within (Days)" is not a number of days: "${textOf(value)}"`,
		'Give a number above 0, or remove the option to look at all leads.',
	);
}

function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
