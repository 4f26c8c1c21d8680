/** From a lead to what is exported of it, or why nothing is. Pure. */
import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../values/json';
import { toGoogleEvent, toGoogleRow } from './google';
import { toMetaEvent } from './meta';
import type { NotExported, Sale } from './sale';
import { CURRENCY, notBeforeLead, notExported, parseSale, saleInWords } from './sale';
import { DAY_MS, type ExportSettings } from './settings';

/** Of an order ID, in characters (https://support.google.com/google-ads/answer/6386790). */
const MAX_ORDER_ID = 64;
/** The action source of sales in person, which need no click or lead before them. */
const OFFLINE = 'physical_store';

/** An item for a sale; undefined if the platform has nothing to match it to a person by. */
const TO_ITEM: Record<
	ExportSettings['format'],
	(sale: Sale, settings: ExportSettings) => IDataObject | undefined
> = { rows: toRow, googleAds: toGoogleRow, googleDataManager: toGoogleEvent, meta: toMetaEvent };

/** The item of a sale, and what orders and names it: an export may have thousands. */
export interface Exported {
	item: IDataObject;
	leadId: string;
	/** In ms since the epoch. */
	soldAt: number;
	/** Who, what amount and which day. */
	inWords: string;
}

/** @param lead with its contact, and the clicks among its `interactions` */
export function exportLead(lead: ServiceRecord, settings: ExportSettings): Exported | NotExported {
	const sale = saleOf(lead, settings);
	if ('reason' in sale) return sale;
	const item = TO_ITEM[settings.format](sale, settings);
	if (item) {
		const inWords = saleInWords(sale.lead, settings.timezone);
		return { item, leadId: sale.leadId, soldAt: +sale.soldAt, inWords };
	}
	const country = settings.countryCode ? '' : ', or Default Country Code in the credential';
	const wayOut = `Enter an email, or a phone with its country code, in the contact${country}.`;
	return notExported(lead, ['Email or Phone'], undefined, wayOut);
}

/** The sale of a lead, or why the platform does not take it, whoever bought. */
export function saleOf(lead: ServiceRecord, settings: ExportSettings): Sale | NotExported {
	const written = parseSale(lead, settings);
	if ('reason' in written || settings.format === 'rows') return written;
	const sale = notBeforeLead(written);
	const [refusal] = refusals(sale, settings).filter(([holds]) => holds);
	if (!refusal) return sale;
	const [, field, what, wayOut] = refusal;
	return notExported(lead, [field], what, wayOut);
}

/**
 * Google refuses what precedes its click and what is in the future: CONVERSION_PRECEDES_EVENT and FUTURE_CONVERSION_TIME,
 * https://developers.google.com/google-ads/api/reference/rpc/latest/ConversionUploadErrorEnum.ConversionUploadError and
 * https://developers.google.com/adwords/api/docs/reference/v201809/OfflineCallConversionFeedService.OfflineConversionError.Reason
 */
function refusals(
	{ value = 0, soldAt, createdAt = soldAt, leadId }: Sale,
	{ format, actionSource, now, stageAt }: ExportSettings,
): Array<[holds: boolean, field: string, what: string, wayOut: string]> {
	const time = stageAt === undefined ? 'Sale Date' : 'Event Time';
	const isForMeta = format === 'meta';
	const isOffline = isForMeta && actionSource === OFFLINE;
	// Meta refuses a whole request for one older event (CAPI/parameters/server-event, CAPI/offline-events).
	const days = isOffline ? 62 : 7;
	const orInStore =
		'If the sale was made in person, choose Physical Store under Action Source in the workflow';
	return [
		// On no page: the stricter reading.
		[value < 0, 'Estimated Value', 'is negative', 'Correct Estimated Value in the lead.'],
		[+soldAt > now, time, 'is in the future', `Correct ${time}, or wait until then.`],
		[
			isForMeta && now - +soldAt > days * DAY_MS,
			time,
			`is more than ${days} days ago, which Meta does not take`,
			isOffline ? 'It can no longer be reported.' : `${orInStore}: of those it takes 62 days.`,
		],
		// No click of a lead is later than the lead. What is sold in person may be recorded later.
		[
			!isOffline && soldAt < createdAt,
			time,
			'is before the day on which the lead was created',
			`Correct ${time}.${isForMeta ? ` ${orInStore}.` : ''}`,
		],
		[
			!isForMeta && leadId.length > MAX_ORDER_ID,
			'ID',
			`is longer than the ${MAX_ORDER_ID} characters that Google takes`,
			'Add the sale in Google Ads by hand.',
		],
	];
}

/** A flat row for people and spreadsheets. Nothing is hashed. */
function toRow({ leadId, soldAt, value, contact, lead, clicks }: Sale): IDataObject {
	return {
		name: contact.name ?? null,
		email: contact.email ?? null,
		phone: contact.phone ?? null,
		saleDate: soldAt.toISO(),
		estimatedValue: value,
		currency: CURRENCY,
		status: lead.status ?? null,
		externalId: lead.externalId ?? null,
		contactId: contact.id ?? null,
		leadId,
		...mapValues(clicks, 'id'),
	} as IDataObject;
}
