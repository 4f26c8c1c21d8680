/** Reads the sale of a lead, finds why a platform would refuse it, and formats its buyer as platforms match people. Pure. */
import { createHash } from 'node:crypto';
import { attempt, isUndefined, pickBy, round, sortBy } from 'lodash';
import { DateTime } from 'luxon';

import { hasTag, REFUND_TAG, TAKEN_BACK_TAG } from '../contract/records';
import { isRecord, type ServiceRecord } from '../values/json';
import { isBlank, MIN_SALE_YEAR, toNumber } from '../values/convert';
import { DAY_MS, MINUTE_MS, parseDate } from '../dates/date';
import { toEmail } from '../values/identity';
import { toInternational, withNinthDigit } from '../values/phone';
import { isStage, type ExportSettings } from './settings';

/** Spec 2: `estimatedValue` is in BRL. */
export const CURRENCY = 'BRL';
/** What to do about a lead with one of these tags, whose value is not what was earned. */
export const REFUND_REMEDIES: Record<string, string> = {
	[TAKEN_BACK_TAG]: 'If it was sold again, remove the tag.',
	[REFUND_TAG]:
		'The history of the lead shows the refund. If it gave back this whole sale, add the tag "Sale taken back". If it was a part of it, enter what is left as Estimated Value. Then remove the tag "Refund to check".',
};
const BOTH_REMEDY = `If no other refund is to be checked, remove the tag "${REFUND_TAG}". If it was sold again, remove both tags.`;
/** Maximum length of an order ID (https://support.google.com/google-ads/answer/6386790). */
const MAX_ORDER_ID = 64;
/** The platforms' names for the IDs of clicks: Meta's, Google's, TikTok's and LinkedIn's. */
const CLICK_IDS = 'ctwa_clid fbc lead_id gclid gbraid wbraid ttclid li_fat_id'.split(' ');
/**
 * The documented forms of Meta's click IDs, of which an invalid one fails a whole request. `fbc`: CAPI/parameters/fbp-and-fbc (version,
 * index of the subdomain, time of the click in ms, the click, and what Meta's libraries add). `lead_id`:
 * CAPI/conversion-leads-integration/payload-specification.
 */
const FORMS: Partial<Record<string, RegExp>> = {
	fbc: /^fb\.\d\.\d{13}\.[\w-]+(?:\.[\w-]+)?$/,
	lead_id: /^\d{15,17}$/,
};
/** No page documents more for the other click IDs than letters, digits and separators. */
const ANY_FORM = /^[\w.-]+$/;
/** Values that programs write if there was no click. */
const NO_CLICK = [
	'undefined',
	'null',
	'nan',
	'none',
	'false',
	'true',
	'unknown',
	'empty',
	'0',
	'-',
	'',
];

/** A sale, or a stage that a lead came to. */
export interface Sale {
	leadId: string;
	/** When it was sold, or the stage was reached, in the zone in which that is written. */
	soldAt: DateTime;
	/** Undefined only for a stage. */
	value?: number;
	lead: ServiceRecord;
	/** The last click of each kind before the sale, by the name of its ID. */
	clicks: Partial<Record<string, { id: string; at: DateTime }>>;
}

/** A lead that is not exported. */
export interface NotExported {
	lead: ServiceRecord;
	/** Which fields have to be corrected and why, in the words of the panel; follows "because". */
	reason: string;
	/** What to do, in full sentences. */
	remedy: string;
	/** It was said when it happened and needs nothing: a line for it every night would hide those that do. */
	isSettled?: boolean;
}

/** The tags of a lead that say of its sale that money was given back. */
export const refundTagsOf = (lead: ServiceRecord): string[] =>
	Object.keys(REFUND_REMEDIES).filter((tag) => hasTag(lead, tag));

/** Parses the sale of a lead, or finds why it is not exported, apart from who bought. */
export function parseSale(lead: ServiceRecord, settings: ExportSettings): Sale | NotExported {
	const { format, timezone, eventTime } = settings;
	const isSale = !isStage(settings);
	const time = isSale ? 'Sale Date' : 'Event Time';
	const leadId = idOf(lead);
	const written = saleDateOf(isSale ? lead : { saleDate: eventTime }, timezone);
	const value = isSale ? saleAmount(lead) : undefined;
	const fields = { ID: leadId, [time]: written, ...(isSale && { 'Estimated Value': value }) };
	const missing = Object.keys(pickBy(fields, isUndefined));
	if (leadId === undefined || !written || missing.length > 0) {
		const labels = missing.join(' and ');
		const reason = `${labels} ${missing.length > 1 ? 'are' : 'is'} missing or cannot be read`;
		return { lead, reason, remedy: `Enter ${labels} in the lead.` };
	}
	const [refundTag, otherTag] = isSale ? refundTagsOf(lead) : [];
	if (refundTag) {
		const reason = `it has the tag "${refundTag}"`;
		const isSettled = !hasTag(lead, REFUND_TAG);
		const remedy = otherTag ? BOTH_REMEDY : REFUND_REMEDIES[refundTag];
		return { lead, reason, remedy, isSettled };
	}
	if (value !== undefined && value < 0) {
		const reason = 'Estimated Value is negative';
		return { lead, reason, remedy: 'Correct Estimated Value in the lead.' };
	}
	const sale = { leadId, soldAt: written, value, lead, clicks: {} };
	if (format === 'rows') return sale;
	const createdAt = createdAtOf(lead, timezone);
	const soldAt = notBefore(createdAt, written);
	const refused = refusals({ ...sale, soldAt }, createdAt, time, settings).find(([holds]) => holds);
	if (!refused) return { ...sale, soldAt };
	const [, reason, remedy] = refused;
	return { lead, reason, remedy };
}

/**
 * Finds why the date of a sale outside the period is implausible, such as a typing error or a program's default: no run, or only
 * one much later, would export it. Undefined for a sale of another period.
 */
export function implausibleDate(
	lead: ServiceRecord,
	soldAt: DateTime,
	{ now }: ExportSettings,
): NotExported | undefined {
	if (+soldAt > now)
		return {
			lead,
			reason: 'Sale Date is in the future',
			remedy: 'Correct Sale Date, or wait until then.',
		};
	if (soldAt.year >= MIN_SALE_YEAR) return undefined;
	const reason = `Sale Date is before ${MIN_SALE_YEAR}`;
	return { lead, reason, remedy: 'Correct Sale Date in the lead.' };
}

/**
 * Google refuses what precedes its click and what is in the future: CONVERSION_PRECEDES_EVENT and FUTURE_CONVERSION_TIME,
 * https://developers.google.com/google-ads/api/reference/rpc/latest/ConversionUploadErrorEnum.ConversionUploadError and
 * https://developers.google.com/adwords/api/docs/reference/v201809/OfflineCallConversionFeedService.OfflineConversionError.Reason
 */
function refusals(
	{ soldAt, leadId }: Sale,
	createdAt = soldAt,
	time: string,
	{ format, actionSource, now }: ExportSettings,
): Array<[holds: boolean, reason: string, remedy: string]> {
	const isForMeta = format === 'meta';
	// A sale in person may precede the lead, and needs no click.
	const isOffline = isForMeta && actionSource === 'physical_store';
	// Meta refuses a whole request for one older event (CAPI/parameters/server-event, CAPI/offline-events).
	const days = isOffline ? 62 : 7;
	const orInStore =
		'If the sale was made in person, choose Physical Store under Action Source in the workflow';
	return [
		// `$now` is computed after the run began, and the platform reads it still later.
		[+soldAt > now + MINUTE_MS, `${time} is in the future`, `Correct ${time}, or wait until then.`],
		[
			isForMeta && now - +soldAt > days * DAY_MS,
			`${time} is more than ${days} days ago, which Meta does not take`,
			isOffline ? 'It can no longer be reported.' : `${orInStore}: of those it takes 62 days.`,
		],
		// A click is never later than its lead. A sale in person may be recorded before the lead is created.
		[
			!isOffline && soldAt < createdAt,
			`${time} is before the day on which the lead was created`,
			`Correct ${time}.${isForMeta ? ` ${orInStore}.` : ''}`,
		],
		[
			!isForMeta && leadId.length > MAX_ORDER_ID,
			`ID is longer than the ${MAX_ORDER_ID} characters that Google takes`,
			'Add the sale in Google Ads by hand.',
		],
	];
}

/**
 * When a lead was sold, or when it was created if the sale precedes that on the same day: dates without a time are midnights, in
 * the time zone of the workflow or in UTC, and a platform refuses a conversion before the click that led to it.
 */
function notBefore(createdAt: DateTime | undefined, soldAt: DateTime): DateTime {
	if (!createdAt || soldAt >= createdAt) return soldAt;
	const inUtc = soldAt.toUTC();
	const days = +inUtc === +inUtc.startOf('day') ? [soldAt, inUtc] : [soldAt];
	const isSameDay = days.some((day) => day.toISODate() === createdAt.toISODate());
	return isSameDay ? createdAt : soldAt;
}

/**
 * Clicks on ads, as workflows keep them: in the metadata of an interaction of the lead. Up to the end of the day of the
 * sale, which often has no time.
 */
export function clicksBefore(
	{ soldAt, lead }: Sale,
	interactions: ServiceRecord[],
): Sale['clicks'] {
	const clicks = interactions.flatMap(({ metadata, createdAt = lead.createdAt }) => {
		// An interaction without a time is no older than its lead.
		const at = parseDate(String(createdAt), soldAt.zoneName ?? 'utc');
		if (!isRecord(metadata) || !at || at > soldAt.endOf('day')) return [];
		return Object.entries({ ...metadata, fbc: fbcIn(metadata, DateTime.min(at, soldAt)) })
			.map(([name, value]) => ({ name, id: clickIdOf(name, value), at }))
			.filter(({ name, id }) => CLICK_IDS.includes(name) && isClickId(name, id));
	});
	const last: Sale['clicks'] = {};
	for (const { name, id, at } of sortBy(clicks, ({ at: time }) => +time)) {
		// The same click once more has the time of its first note.
		if (clickOf(name, last[name]?.id) !== clickOf(name, id)) last[name] = { id, at };
	}
	return last;
}

/**
 * Meta's click ID of the parameter of a link, with the time when it was first received: "If you don't save the _fbc cookie, use the
 * timestamp when you first observed or received this fbclid value" (CAPI/parameters/fbp-and-fbc, 30 Nov 2026).
 */
const fbcIn = ({ fbc, fbclid }: ServiceRecord, at: DateTime) =>
	isBlank(fbclid) || isClickId('fbc', String(fbc)) ? fbc : `fb.1.${+at}.${String(fbclid).trim()}`;

function clickIdOf(name: string, value: unknown): string {
	const id = String(value ?? '').trim();
	// Meta's export of leads writes `l:` before an ID, so that spreadsheets keep its digits.
	return name === 'lead_id' ? id.replace(/^l:/, '') : id;
}

function isClickId(name: string, id: string): boolean {
	if (!(FORMS[name] ?? ANY_FORM).test(id)) return false;
	return !NO_CLICK.includes(clickOf(name, id).toLowerCase());
}

/** The click itself: an `fbc` has its time as well. */
const clickOf = (name: string, id = '') => (name === 'fbc' ? (id.split('.')[3] ?? '') : id);

/** Undefined if missing or invalid. A date without a time zone is read in `timezone`. */
export function saleDateOf({ saleDate }: ServiceRecord, timezone: string): DateTime | undefined {
	return typeof saleDate === 'string' ? parseDate(saleDate, timezone) : undefined;
}

const createdAtOf = ({ createdAt }: ServiceRecord, timezone: string) =>
	parseDate(String(createdAt), timezone);

/** The time of a sale as platforms get it; undefined if missing or invalid. */
export function reportedTimeOf(lead: ServiceRecord, timezone: string): DateTime | undefined {
	const soldAt = saleDateOf(lead, timezone);
	return soldAt && notBefore(createdAtOf(lead, timezone), soldAt);
}

/** Undefined if missing or invalid. The decimal separator of text is not guessed. */
export function saleAmount({ estimatedValue }: ServiceRecord): number | undefined {
	const value: unknown = attempt(toNumber, estimatedValue, { label: 'Value', timezone: 'UTC' });
	return typeof value === 'number' ? round(value, 2) : undefined;
}

export function contactOf({ contact }: ServiceRecord): ServiceRecord {
	return isRecord(contact) ? contact : {};
}

/** An ID as text, undefined if missing. */
export function idOf({ id }: ServiceRecord): string | undefined {
	return isBlank(id) ? undefined : String(id);
}

/** Describes a sale: who, what amount and which day. */
export function saleInWords(lead: ServiceRecord, zone: string): string {
	const soldAt = saleDateOf(lead, zone);
	const amount = saleAmount(lead);
	return [
		nameOf(lead),
		inCurrency(amount),
		soldAt ? `sold on ${day(soldAt)}` : 'no sale date',
	].join(', ');
}

export const inCurrency = (amount: number | undefined) =>
	amount === undefined ? 'no amount' : `${amount.toFixed(2)} ${CURRENCY}`;

/** Names a lead as the people who sold know it. */
export function nameOf(lead: ServiceRecord): string {
	const { name, email, phone } = contactOf(lead);
	const known = [name, email, phone, lead.externalId, lead.id].find((value) => !isBlank(value));
	return String(known ?? 'a lead without ID');
}

/** A date in English, whatever the language of the host. */
export const day = (time: DateTime) => time.toFormat('d LLL yyyy', { locale: 'en-US' });

/** The phone in E.164, as people have it in their accounts: mobile numbers of Brazil with the ninth digit. */
export function phoneOf(value: unknown, countryCode?: string): string | undefined {
	const phone = toInternational(String(value), countryCode);
	return phone && withNinthDigit(phone);
}

/** SHA-256 in lower-case hexadecimal, which both platforms take. */
export function sha256(text: string): string {
	return createHash('sha256').update(text, 'utf8').digest('hex');
}

/**
 * The e-mail in lower case, without what copying leaves around an address: as Meta matches it (`em`).
 *
 * https://developers.facebook.com/documentation/ads-commerce/conversions-api/parameters/customer-information-parameters
 */
export function emailOf(value: unknown): string | undefined {
	const email: unknown = attempt(toEmail, value, { label: 'Email', timezone: 'UTC' });
	return typeof email === 'string' ? email.toLowerCase() : undefined;
}
