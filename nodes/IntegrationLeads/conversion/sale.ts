/** The sale of a lead, and its buyer in the form that advertising platforms match. Pure. */
import { createHash } from 'node:crypto';
import { attempt, pickBy, sortBy } from 'lodash';
import { DateTime } from 'luxon';

import { isRecord, type ServiceRecord } from '../values/json';
import { isBlank } from '../values/convert';
import { parseDate } from '../dates/date';
import { toEmail } from '../values/identity';
import { toInternational } from '../values/phone';
import type { ExportSettings } from './settings';

/** Spec 2: `estimatedValue` is in BRL. */
export const CURRENCY = 'BRL';

/** As the platforms name the IDs of clicks: Meta's, Google's, and those of TikTok and LinkedIn. */
const CLICK_IDS = 'ctwa_clid fbc lead_id gclid gbraid wbraid ttclid li_fat_id'.split(' ');

/** A lead with everything that a conversion needs. */
export interface Sale {
	leadId: string;
	/** In the time zone in which it is written. Of a stage, when it was reached. */
	soldAt: DateTime;
	/** Undefined only for a stage. */
	value?: number;
	contact: ServiceRecord;
	lead: ServiceRecord;
	/** Of the lead, in the same time zone; undefined if the service does not state it. */
	createdAt?: DateTime;
	/** The last click of each kind before the sale, by the name of its ID. */
	clicks: Partial<Record<string, { id: string; at: DateTime }>>;
}

/** A lead that is not exported. */
export interface NotExported {
	lead: ServiceRecord;
	/** Which fields have to be corrected and why, in the words of the panel; follows "because". */
	reason: string;
	/** What to do, in full sentences. */
	wayOut: string;
}

/** Undefined if missing or invalid. A date without a time zone is read in `timezone`. */
export function saleDateOf({ saleDate }: ServiceRecord, timezone: string): DateTime | undefined {
	return typeof saleDate === 'string' ? parseDate(saleDate, timezone) : undefined;
}

/** Undefined if missing or invalid. The decimal separator of text is not guessed. */
function valueOf({ estimatedValue }: ServiceRecord): number | undefined {
	const isDecimal =
		typeof estimatedValue === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(estimatedValue);
	const value = isDecimal ? Number(estimatedValue) : estimatedValue;
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function contactOf({ contact }: ServiceRecord): ServiceRecord {
	return isRecord(contact) ? contact : {};
}

/** An ID as text, undefined if missing. */
export function idOf({ id }: ServiceRecord): string | undefined {
	return isBlank(id) ? undefined : String(id);
}

export function parseSale(
	lead: ServiceRecord,
	{ timezone, stageAt }: ExportSettings,
): Sale | NotExported {
	const leadId = idOf(lead);
	const isSale = stageAt === undefined;
	const soldAt = isSale
		? saleDateOf(lead, timezone)
		: DateTime.fromMillis(stageAt, { zone: timezone });
	const value = isSale ? valueOf(lead) : undefined;
	if (leadId !== undefined && soldAt && (value !== undefined || !isSale)) {
		const createdAt = parseDate(String(lead.createdAt), timezone);
		const clicks = clicksBefore(soldAt, lead);
		return { leadId, soldAt, value, contact: contactOf(lead), lead, createdAt, clicks };
	}
	const fields = { ID: leadId, 'Sale Date': soldAt, ...(isSale && { 'Estimated Value': value }) };
	const missing = Object.keys(pickBy(fields, (each) => each === undefined));
	return notExported(lead, missing);
}

/**
 * Clicks on ads, as workflows keep them: in the metadata of an interaction of the lead. Up to the end of the day of the
 * sale, which often has no time.
 */
function clicksBefore(
	soldAt: DateTime,
	{ interactions, createdAt }: ServiceRecord,
): Sale['clicks'] {
	const clicks = (Array.isArray(interactions) ? interactions : []).flatMap((each: unknown) => {
		if (!isRecord(each) || !isRecord(each.metadata)) return [];
		// An interaction without a time is no older than its lead.
		const at = parseDate(String(each.createdAt ?? createdAt), soldAt.zoneName ?? 'utc');
		if (!at || at > soldAt.endOf('day')) return [];
		return Object.entries(each.metadata)
			.map(([name, value]) => ({ name, id: String(value ?? '').trim(), at }))
			.filter(({ name, id }) => CLICK_IDS.includes(name) && id !== '');
	});
	const inOrder = sortBy(clicks, ({ at }) => +at);
	return Object.fromEntries(inOrder.map(({ name, ...click }) => [name, click]));
}

/**
 * @param labels of its fields
 * @param what is wrong with them, by default that they have no value; follows their labels
 * @param wayOut by default, to enter them in the lead
 */
export function notExported(
	lead: ServiceRecord,
	labels: string[],
	what = `${labels.length > 1 ? 'are' : 'is'} missing or cannot be read`,
	wayOut?: string,
): NotExported {
	const fields = labels.join(' and ');
	return { lead, reason: `${fields} ${what}`, wayOut: wayOut ?? `Enter ${fields} in the lead.` };
}

/**
 * The sale at the creation of its lead, if it precedes that on the same day: dates without a time are midnights, in the
 * time zone of the workflow or in UTC, and a platform refuses a conversion before the click that led to it.
 */
export function notBeforeLead(sale: Sale): Sale {
	const { createdAt, soldAt } = sale;
	if (!createdAt || soldAt >= createdAt) return sale;
	const inUtc = soldAt.toUTC();
	const days = +inUtc === +inUtc.startOf('day') ? [soldAt, inUtc] : [soldAt];
	const isSameDay = days.some((day) => day.toISODate() === createdAt.toISODate());
	return isSameDay ? { ...sale, soldAt: createdAt } : sale;
}

/** Who, what amount and which day. */
export function saleInWords(lead: ServiceRecord, zone: string): string {
	const soldAt = saleDateOf(lead, zone);
	const amount = valueOf(lead);
	return [
		nameOf(lead),
		amount === undefined ? 'no amount' : `${amount.toFixed(2)} ${CURRENCY}`,
		soldAt ? `sold on ${day(soldAt)}` : 'no sale date',
	].join(', ');
}

/** Whose lead it is, in the words of the people who sold. */
export function nameOf(lead: ServiceRecord): string {
	const { name, email, phone } = contactOf(lead);
	const known = [name, email, phone, lead.externalId, lead.id].find((each) => !isBlank(each));
	return String(known ?? 'a lead without ID');
}

/** In English, whatever the language of the host. */
export const day = (time: DateTime) => time.toFormat('d LLL yyyy', { locale: 'en-US' });

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

/**
 * The phone in E.164, that is a plus, the country code and digits only: as Google matches it (`phone_number`).
 *
 * https://developers.google.com/data-manager/api/devguides/concepts/formatting
 *
 * @param countryCode digits of the country of phones without a country code
 */
export function phoneOf(value: unknown, countryCode?: string): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	return toInternational(String(value), countryCode);
}
