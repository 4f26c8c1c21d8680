/** Notes what was reported of a lead, and finds what has changed since. Pure. */
import { compact, sortBy } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { hasTag, REFUND_TAG, TAKEN_BACK_TAG } from '../contract/records';
import { isBlank } from '../values/convert';
import { toRecord, type ServiceRecord } from '../values/json';
import { isSameWord } from '../values/words';
import { metaEventId } from './meta';
import type { NotExported } from './sale';
import { saleAmount, day, inCurrency, reportedTimeOf } from './sale';
import type { ExportSettings } from './settings';

/** What a platform received of a lead: the metadata of the note. */
export interface Report {
	platform: 'Google' | 'Meta';
	/** The `transactionId` of Google, the `event_id` of Meta. */
	eventId: string;
	/** Undefined for a stage. */
	amount?: number;
	/** In ISO 8601, in the time zone of the workflow. */
	day: string;
}

/** @returns undefined for anything but an event of *Get Conversions* for Google Data Manager or Meta */
export function parseReport(event: IDataObject, zone: string): Report | undefined {
	const { transactionId, event_id } = event;
	const isForMeta = typeof event_id === 'string';
	const eventId = isForMeta ? event_id : transactionId;
	const at = isForMeta
		? DateTime.fromSeconds(Number(event.event_time), { zone })
		: DateTime.fromISO(String(event.eventTimestamp), { zone });
	const date = at.toISODate();
	if (typeof eventId !== 'string' || date === null) return undefined;
	const value = isForMeta ? toRecord(event.custom_data).value : event.conversionValue;
	const amount = typeof value === 'number' ? value : undefined;
	return { platform: isForMeta ? 'Meta' : 'Google', eventId, amount, day: date };
}

/** The interaction that keeps a report in its lead. */
export function reportNote(report: Report): IDataObject {
	return {
		type: 'CUSTOM',
		title: `Reported to ${report.platform}`,
		description: inWords(report),
		metadata: { ...report },
	};
}

const inWords = (report: Report) =>
	`${inCurrency(report.amount)} on ${day(DateTime.fromISO(report.day))}`;

/** Finds what a platform holds of the sale of a lead, by the notes in the lead. */
export function reportIn(
	interactions: ServiceRecord[],
	leadId: string,
	{ format, eventName }: Pick<ExportSettings, 'format' | 'eventName'>,
): Report | undefined {
	const isForMeta = format === 'meta';
	const platform = isForMeta ? 'Meta' : 'Google';
	const eventId = isForMeta ? metaEventId(leadId, eventName) : leadId;
	const notes = sortBy(interactions, 'createdAt')
		.map(({ metadata }) => toRecord(metadata))
		.filter((note) => note.platform === platform && note.eventId === eventId);
	// Of several events with one ID, Meta keeps the first and Google the values of the last.
	const note = isForMeta ? notes.at(0) : notes.at(-1);
	if (!note) return undefined;
	const amount = saleAmount({ estimatedValue: note.amount });
	return { platform, eventId, amount, day: String(note.day) };
}

/** A lead that is no longer what was reported of it. */
export interface Changed extends NotExported {
	reported: Report;
	/** Whether the platform replaces the amount if the sale is sent again. */
	isCorrectable: boolean;
}

/**
 * Compares a lead with what was reported of it.
 *
 * @param wonStatus the status of won leads
 * @returns undefined if nothing has changed
 */
export function findChange(
	lead: ServiceRecord,
	reported: Report,
	wonStatus: unknown,
	{ timezone, compareTag = [] }: Pick<ExportSettings, 'timezone' | 'compareTag'>,
): Changed | undefined {
	const { platform, eventId } = reported;
	const amount = saleAmount(lead);
	const soldAt = reportedTimeOf(lead, timezone);
	// The response of 4.2 is not shown, so a missing status counts as the same.
	const isLost = !isBlank(lead.status) && !isSameWord(lead.status, wonStatus);
	const isToCheck = hasTag(lead, REFUND_TAG) === true;
	const lost = compact([
		hasTag(lead, TAKEN_BACK_TAG) && `it has the tag "${TAKEN_BACK_TAG}"`,
		isLost && `its status is ${String(lead.status)}`,
		amount === undefined && 'Estimated Value is missing',
		soldAt === undefined && 'Sale Date is missing',
	]);
	const isCorrected = amount !== reported.amount || isToCheck;
	if (lost.length === 0 && !isCorrected && soldAt?.toISODate() === reported.day) return undefined;
	const isForMeta = platform === 'Meta';
	const tags = compareTag.filter((tag) => hasTag(lead, tag)).map((tag) => `"${tag}"`);
	const end = `remove the tag ${tags.join(' and ')}`;
	const byHand = lost.length
		? `Google takes no retraction here: upload one for the Order ID ${eventId} in Google Ads, then ${end}.`
		: `Google keeps the first day. When you have noted it, ${end}.`;
	const reasons = [...lost, isToCheck && `it has the tag "${REFUND_TAG}"`];
	return {
		lead,
		reported,
		reason: compact([...reasons, `${platform} has ${inWords(reported)}`]).join(', and '),
		remedy: isForMeta ? `Meta takes no correction. When you have noted it, ${end}.` : byHand,
		isCorrectable: !isForMeta && lost.length === 0 && isCorrected,
	};
}
