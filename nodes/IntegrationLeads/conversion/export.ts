/** Exports the sales of won leads: which leads are read, which are exported, and hints about the others. Pure. */
import { groupBy, mapValues, partition, sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../values/json';
import { hasTag, lead } from '../contract/leadRecord';
import { contact, interaction } from '../contract/records';
import { isBlank } from '../values/convert';
import { isSameWord } from '../values/sameWord';
import type { Enrichment, Report, RunContext } from '../operation';
import { UserError } from '../userError';
import { toGoogleEvent, toGoogleRow } from './google';
import { toMetaEvent } from './meta';
import type { Incomplete, Sale } from './sale';
import {
	contactOf,
	CURRENCY,
	idOf,
	incomplete,
	notBeforeLead,
	parseSale,
	saleDateOf,
	UNREADABLE,
} from './sale';
import type { ExportSettings } from './exportSettings';
import { DAY_MS, isInPeriod, parseExportSettings } from './exportSettings';
import { summarize } from './summary';

/** How many leads a hint names. */
const MAX_NAMED = 5;
/** Of an order ID, in characters (https://support.google.com/google-ads/answer/6386790). */
const MAX_ORDER_ID = 64;
/** The action source of sales in person, which need no click or lead before them. */
const OFFLINE = 'physical_store';

/** An item for a sale; undefined if the platform has nothing to match it to a person by. */
const TO_ITEM: Record<
	ExportSettings['format'],
	(sale: Sale, settings: ExportSettings) => IDataObject | undefined
> = { rows: toRow, googleAds: toGoogleRow, googleDataManager: toGoogleEvent, meta: toMetaEvent };

/** @throws InputError naming the field */
export function conversionExport(given: IDataObject, context: RunContext): Report {
	const settings = parseExportSettings(given, context);
	const { leadId, readContacts, readClickIds } = settings;
	return {
		...(leadId !== undefined && { records: [{ id: leadId }] }),
		enrichments: [
			leadId === undefined ? leadDetails(settings) : theLead,
			...(readContacts ? [contactDetails(settings)] : []),
			...(readClickIds ? [clickDetails(settings)] : []),
		],
		build: (leads) => build(leads, settings),
	};
}

/** The only lead, of which no more than the ID is known. */
const theLead: Enrichment = {
	route: 'GET /leads/{id}',
	scope: 'leads:read',
	record: lead,
	id: idOf,
	merge: ({ id }, found) => {
		if (found) return found;
		throw new UserError(
			`No lead has the ID "${String(id)}"`,
			'It may have been deleted. Check what the expression in "Lead ID" gives.',
		);
	},
};

/** Lists leave out sale date and value (spec 4.1). If this one has both, or a date outside the period, that is enough. */
function leadDetails(settings: ExportSettings): Enrichment {
	return {
		route: 'GET /leads/{id}',
		scope: 'leads:read',
		record: lead,
		id: (listed) => {
			// A list may leave out tags as well.
			const isComplete =
				'saleDate' in listed && 'estimatedValue' in listed && settings.leaveOutTags.length === 0;
			return isComplete || isOutside(listed, settings) || isLeftOut(listed, settings)
				? undefined
				: idOf(listed);
		},
		merge: (listed, found) =>
			// With another status the lead is no longer won.
			found && isSameStatus(listed, found)
				? { ...listed, ...found, contact: mergeContacts(contactOf(listed), contactOf(found)) }
				: undefined,
	};
}

/** Only of sales that are exported. */
function contactDetails(settings: ExportSettings): Enrichment {
	return {
		route: 'GET /contacts/{id}',
		scope: 'contacts:read',
		record: contact,
		id: (record) => idOf(exportedSale(record, settings)?.contact ?? {}),
		merge: (record, found = {}) => ({
			...record,
			contact: mergeContacts(contactOf(record), found),
		}),
	};
}

/** Likewise. */
function clickDetails(settings: ExportSettings): Enrichment {
	return {
		route: 'GET /leads/{id}/interactions',
		scope: { assumed: 'interactions:read' },
		record: interaction,
		list: true,
		id: (record) => exportedSale(record, settings)?.leadId,
		merge: (record, found) => ({ ...record, ...found }),
	};
}

function exportedSale(record: ServiceRecord, settings: ExportSettings): Sale | undefined {
	if (isOutside(record, settings) || isLeftOut(record, settings)) return undefined;
	const sale = saleOf(record, settings);
	return 'missing' in sale ? undefined : sale;
}

/** The sale of a lead, or why the platform does not take it. */
function saleOf(record: ServiceRecord, settings: ExportSettings): Sale | Incomplete {
	const written = parseSale(record, settings);
	if ('missing' in written || settings.format === 'rows') return written;
	const sale = notBeforeLead(written);
	const refusal = refusals(sale, settings).find(([holds]) => holds);
	return refusal ? incomplete(record, [refusal[1]], refusal[2]) : sale;
}

function refusals(
	{ value = 0, soldAt, createdAt = soldAt, leadId }: Sale,
	{ format, actionSource, now, stageAt }: ExportSettings,
): Array<[holds: boolean, field: string, what: string]> {
	const time = stageAt === undefined ? 'saleDate' : 'eventTime';
	const isForMeta = format === 'meta';
	const isOffline = isForMeta && actionSource === OFFLINE;
	// Meta refuses a whole request for one older event (CAPI/parameters/server-event, CAPI/offline-events).
	const days = isOffline ? 62 : 7;
	const tooOld = `is more than ${days} days ago, which Meta does not take`;
	return [
		[value < 0, 'estimatedValue', 'is negative'],
		[+soldAt > now, time, 'is in the future'],
		[isForMeta && now - +soldAt > days * DAY_MS, time, tooOld],
		// What is sold in person may be recorded later.
		[!isOffline && soldAt < createdAt, time, 'is before the day on which the lead was created'],
		[
			!isForMeta && leadId.length > MAX_ORDER_ID,
			'id',
			`is longer than the ${MAX_ORDER_ID} characters that Google takes`,
		],
	];
}

/** The response of 4.2 is not shown, so a missing status counts as the same. */
function isSameStatus({ status: one }: ServiceRecord, { status: other }: ServiceRecord): boolean {
	return isBlank(one) || isBlank(other) || isSameWord(one, other);
}

/** Empty fields of the newer record do not replace those of the older, unless it is another contact. */
function mergeContacts(before: ServiceRecord, after: ServiceRecord): ServiceRecord {
	const ids = [idOf(before), idOf(after)].filter((id) => id !== undefined);
	if (new Set(ids).size > 1) return after;
	const filled = Object.entries(after).filter(([, value]) => !isBlank(value));
	return { ...before, ...Object.fromEntries(filled) };
}

function isOutside(record: ServiceRecord, settings: ExportSettings): boolean {
	const soldAt = saleDateOf(record, settings.timezone);
	return soldAt !== undefined && !isInPeriod(+soldAt, settings);
}

/** Whether a lead was exported before, as far as it shows its tags. */
function isLeftOut(record: ServiceRecord, { leaveOutTags }: ExportSettings): boolean {
	return leaveOutTags.some((tag) => hasTag(record, tag));
}

/** Without them, each lead would be exported again and again. */
function requireTags(leads: ServiceRecord[], { leaveOutTags }: ExportSettings): void {
	const hidden = leads
		.filter((each) => leaveOutTags.some((tag) => hasTag(each, tag) === undefined))
		.map((each) => ({ lead: each }));
	if (hidden.length === 0) return;
	throw new UserError(
		`The service does not show the tags of ${namesOf(hidden)}, so "Leave Out Tag" cannot tell which leads were exported before`,
		'Nothing was exported. Without tags, remove the option and keep a list of what was sent.',
	);
}

function build(
	leads: ServiceRecord[],
	settings: ExportSettings,
): { items: IDataObject[]; hints: string[] } {
	const [leftOut, others] = partition(leads, (each) => isLeftOut(each, settings));
	requireTags(others, settings);
	const [left, complete] = partition(
		others.filter((each) => !isOutside(each, settings)).map((each) => saleOf(each, settings)),
		(sale): sale is Incomplete => 'missing' in sale,
	);
	// The same export has the same order, whatever the list's.
	const sales = sortBy(complete, ({ soldAt }) => soldAt.toMillis(), 'leadId');
	const items: IDataObject[] = [];
	const exported: Sale[] = [];
	for (const sale of sales) {
		const item = TO_ITEM[settings.format](sale, settings);
		if (item) {
			items.push(item);
			exported.push(sale);
		} else left.push(incomplete(sale.lead, ['email', 'phone'], `is ${UNREADABLE}`));
	}
	if (settings.leadId !== undefined) {
		return { items, hints: hintsAboutOne(leftOut, left) };
	}
	const summary = summarize(others, exported, left, settings, leftOut.length);
	// An agent sees no hints. If there are no items, it reads them in place of an empty output.
	const forAgent = settings.isTool && items.length > 0;
	// In one field, so that the table of the sales gets one column more and not a dozen.
	if (settings.summaryItem || forAgent) items.push({ summary });
	return { items, hints: [summary.text, ...incompleteHints(left)] };
}

/** @throws UserError if no event can be made of the only lead */
function hintsAboutOne(leftOut: ServiceRecord[], [left]: Incomplete[]): string[] {
	if (left) {
		throw new UserError(
			`No event was made of ${namesOf([left])}, because ${left.reason}`,
			'Complete or correct the lead, then run this item again.',
		);
	}
	if (leftOut.length === 0) return [];
	const names = namesOf(leftOut.map((each) => ({ lead: each })));
	return [`Left out, because of a tag under "Leave Out Tag": ${names}.`];
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

function incompleteHints(left: Incomplete[]): string[] {
	return Object.entries(groupBy(left, 'reason')).map(
		([reason, members]) => `Not exported, because ${reason}: ${namesOf(members)}.`,
	);
}

function namesOf(members: Array<{ lead: ServiceRecord }>): string {
	const names = members.map(({ lead: { externalId, id } }) =>
		String(externalId ?? id ?? 'without ID'),
	);
	const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
	const count = names.length === 1 ? '1 lead' : `${names.length} leads`;
	return `${count} (${names.slice(0, MAX_NAMED).join(', ')}${more})`;
}
