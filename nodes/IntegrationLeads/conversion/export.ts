/** Makes the items for exported sales, and the summary with those that were not exported. Pure. */
import { compact, countBy, map, mapValues, sortBy } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { isWon, tagsOf, WON } from '../contract/records';
import { localTime } from '../contract/shown';
import { toGoogleEvent, toGoogleRow } from './google';
import { toMetaEvent } from './meta';
import type { Changed } from './reported';
import type { NotExported, Sale } from './sale';
import { contactOf, CURRENCY, day, saleDateOf, saleInWords } from './sale';
import type { ExportSettings, periodOf } from './settings';

/** The most sales that the summary names for one reason: as changed, and as not exported. */
const MAX_NAMED_SALES = 20;

/** Makes an item for a sale; undefined if the platform could not match it to a person. */
const TO_ITEM: Record<
	ExportSettings['format'],
	(sale: Sale, settings: ExportSettings) => IDataObject | undefined
> = { rows: toRow, googleAds: toGoogleRow, googleDataManager: toGoogleEvent, meta: toMetaEvent };

export interface Exported {
	item: IDataObject;
	sale: Sale;
}

/** @param sale with the whole contact in its lead */
export function exportSale(sale: Sale, settings: ExportSettings): Exported | NotExported {
	const item = TO_ITEM[settings.format](sale, settings);
	if (item) return { item, sale };
	const country = settings.countryCode ? '' : ', or Default Country Code in the credential';
	return {
		lead: sale.lead,
		reason: 'Email or Phone is missing or cannot be read',
		remedy: `Enter an email, or a phone with its country code, in the contact${country}.`,
	};
}

/** A flat row for people and spreadsheets. Nothing is hashed. */
function toRow(
	{ leadId, soldAt, value, lead, clicks }: Sale,
	{ timezone, readClickIds }: Pick<ExportSettings, 'timezone' | 'readClickIds'>,
): IDataObject {
	const { name = null, email = null, phone = null, id = null } = contactOf(lead);
	const { status = null, priority = null, source = null, createdAt = null } = lead;
	const { externalId = null, campaign = null } = lead;
	return {
		name,
		email,
		phone,
		saleDate: soldAt.toISO(),
		estimatedValue: value,
		currency: CURRENCY,
		status,
		priority,
		source,
		tags: tagsOf(lead) ?? null,
		...(readClickIds && { campaign }),
		createdAt: localTime(createdAt, timezone),
		externalId,
		contactId: id,
		leadId,
		...mapValues(clicks, 'id'),
	};
}

/** The outcome for the won leads of a run. */
export interface ExportRun {
	/** How many were skipped for their tags, how many others there were, and how many of those were sold in the period. */
	skipped: number;
	read: number;
	inPeriod: number;
	withoutSaleDate: number;
	exported: Exported[];
	left: NotExported[];
	/** The leads that changed after they were reported, and how many could not be compared. */
	changed: Changed[];
	notCompared: number;
}

/** Lines of a message. */
export const inLines = (texts: string[]) => {
	const more = texts.length > MAX_NAMED_SALES ? [`and ${texts.length - MAX_NAMED_SALES} more`] : [];
	return [...texts.slice(0, MAX_NAMED_SALES), ...more].map((text) => `- ${text}`).join('\n');
};

interface Named extends IDataObject {
	line: string;
}

interface Summary extends IDataObject {
	text: string;
	/** All lines as text, for messages to people. */
	lines: string;
	changed: Named[];
	incomplete: Named[];
}

/** `2 won leads`, or `2 leads with the status "open"`. */
function leadsInWords(count: number, status: unknown): string {
	const leads = count === 1 ? 'lead' : 'leads';
	return isWon(status)
		? `${count} won ${leads}`
		: `${count} ${leads} with the status "${String(status)}"`;
}

/** Describes what an export did: as one sentence, as counts, and as a line for each sale that was not exported. */
export function summarize(
	{ exported, left, changed, read, ...counts }: ExportRun,
	period: ReturnType<typeof periodOf>,
	{
		timezone: zone,
		skipTag,
		status = WON,
	}: Pick<ExportSettings, 'timezone' | 'skipTag'> & { status?: unknown },
): Summary {
	const { skipped, inPeriod, withoutSaleDate, notCompared } = counts;
	const soldAtOf = ({ lead }: NotExported) => saleDateOf(lead, zone)?.toMillis();
	const dated = left.filter((sale) => soldAtOf(sale) !== undefined);
	const reasons = Object.entries(countBy(dated, 'reason')).map(
		([reason, count]) => `${count} because ${reason}`,
	);
	const [start, end] = [period.from, period.to - 1].map((time) =>
		day(DateTime.fromMillis(time, { zone })),
	);
	const days = start === end ? `on ${start}` : `from ${start} to ${end}`;
	const was = inPeriod === 1 || read === 1 ? 'was' : 'were';
	const clauses = compact([
		read + skipped === 0
			? 'No lead has the chosen status: check "Status"'
			: `${inPeriod} of ${leadsInWords(read, status)} ${was} sold ${days} (${zone})`,
		skipTag && `skipped for their tag: ${skipped}`,
		reasons.length > 0 && `not exported: ${reasons.join(', ')}`,
		withoutSaleDate > 0 && `without a sale date: ${withoutSaleDate}`,
		changed.length > 0 && `changed after they were reported: ${changed.length}`,
		notCompared > 0 && `not compared with what was reported: ${notCompared}`,
	]);
	// The newest first, which are new to the reader; the same in every run, whatever the list's order.
	const inOrder = <T extends NotExported>(sales: T[]) =>
		sortBy(sales, (sale) => -(soldAtOf(sale) ?? 0), 'lead.id');
	// States who, what amount, which day, what is the matter, and what to do.
	const named = ({ lead, reason, remedy }: NotExported) => ({
		line: `${saleInWords(lead, zone)}: ${reason}. ${remedy}`,
		reason,
		externalId: lead.externalId ?? null,
		leadId: lead.id ?? null,
	});
	const incomplete = inOrder(left.filter(({ isSettled }) => !isSettled)).map(named);
	const changes = inOrder(changed).map((sale) => ({
		...named(sale),
		status: sale.lead.status ?? null,
		reported: { ...sale.reported },
	}));
	const inWords = exported.map(({ sale }) => [sale.leadId, saleInWords(sale.lead, zone)]);
	return {
		text: `${clauses.join('; ')}.`,
		...counts,
		wonLeads: read + skipped,
		exported: exported.length,
		notExported: dated.length,
		lines: compact([changes, incomplete].map((sales) => inLines(map(sales, 'line')))).join('\n'),
		changed: changes,
		incomplete,
		/** Who, what amount and which day, by the ID of the lead: for those that the platform then refuses. */
		sales: Object.fromEntries(inWords),
	};
}
