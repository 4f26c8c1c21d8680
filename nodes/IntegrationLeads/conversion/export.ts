/** Exports the sales of won leads: which leads are read, which are exported, and hints about the others. Pure. */
import { groupBy, partition, sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { lead } from '../contract/lead';
import { contact } from '../contract/records';
import { isBlank } from '../values/convert';
import type { Enrichment, Report } from '../operation';
import type { ExportSettings } from './exportSettings';
import { toGoogleRow } from './google';
import { MAX_EVENT_AGE_MS, toMetaEvent } from './meta';
import { isWithin } from './period';
import { receiptOf } from './receipt';
import type { Incomplete, Sale } from './sale';
import { contactOf, CURRENCY, idOf, missingIn, readSale, saleDateOf } from './sale';

/** How many leads a hint names. */
const MAX_NAMED = 5;

export function conversionExport(settings: ExportSettings): Report {
	const { createdAfter, readContacts } = settings;
	return {
		...(createdAfter && { query: { createdAfter } }),
		enrichments: [leadDetails(settings), ...(readContacts ? [contactDetails(settings)] : [])],
		build: (leads) => build(leads, settings),
	};
}

/** Lists leave out sale date and value (spec 4.1). If this one has both, or a date outside the period, that is enough. */
function leadDetails(settings: ExportSettings): Enrichment {
	return {
		route: 'GET /leads/{id}',
		scope: 'leads:read',
		record: lead,
		id: (listed) =>
			('saleDate' in listed && 'estimatedValue' in listed) || isOutside(listed, settings)
				? undefined
				: idOf(listed),
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
		id: (record) => {
			const sale = readSale(record, settings.timezone);
			return 'missing' in sale || isOutside(record, settings) ? undefined : idOf(sale.contact);
		},
		merge: (record, found = {}) => ({
			...record,
			contact: mergeContacts(contactOf(record), found),
		}),
	};
}

/** The response of 4.2 is not shown, so a missing status counts as the same, and so does another case. */
function isSameStatus(...records: ServiceRecord[]): boolean {
	const statuses = records.map(({ status }) => status).filter((status) => !isBlank(status));
	return new Set(statuses.map((status) => String(status).toLowerCase())).size < 2;
}

/** Empty fields of the newer record do not replace those of the older, unless it is another contact. */
function mergeContacts(before: ServiceRecord, after: ServiceRecord): ServiceRecord {
	const ids = [idOf(before), idOf(after)].filter((id) => id !== undefined);
	if (new Set(ids).size > 1) return after;
	const filled = Object.entries(after).filter(([, value]) => !isBlank(value));
	return { ...before, ...Object.fromEntries(filled) };
}

function isOutside(record: ServiceRecord, { timezone, period }: ExportSettings): boolean {
	const soldAt = saleDateOf(record, timezone);
	return soldAt !== undefined && !isWithin(period, soldAt.toMillis());
}

function build(
	leads: ServiceRecord[],
	settings: ExportSettings,
): { items: IDataObject[]; hints: string[] } {
	const [incomplete, complete] = partition(
		leads
			.filter((each) => !isOutside(each, settings))
			.map((each) => readSale(each, settings.timezone)),
		(sale): sale is Incomplete => 'missing' in sale,
	);
	// The same export has the same order, whatever the list's.
	const sales = sortBy(complete, ({ soldAt }) => soldAt.toMillis(), 'leadId');
	const items: IDataObject[] = [];
	const exported: Sale[] = [];
	for (const sale of sales) {
		const item = toItem(sale, settings);
		if (item) {
			items.push(item);
			exported.push(sale);
		} else incomplete.push({ lead: sale.lead, missing: ['email', 'phone'] });
	}
	if (settings.reportIncomplete) items.push(...incomplete.map(incompleteItem));
	const receipt = receiptOf({ leads, exported, incomplete }, settings);
	const notes = [...incompleteHints(incomplete, settings), ...oldEventHints(exported, settings)];
	// An agent sees no hints. If there are no items, it reads them in place of an empty output.
	const forAgent = settings.isTool && items.length > 0;
	if (settings.summaryItem || forAgent) items.push({ ...receipt, notes });
	return { items, hints: [receipt.summary, ...notes] };
}

/** @returns undefined if the platform has nothing to match the sale to a person by */
function toItem(sale: Sale, { format, countryCode }: ExportSettings): IDataObject | undefined {
	switch (format.kind) {
		case 'rows':
			return toRow(sale);
		case 'googleAds':
			return toGoogleRow(sale, format.conversionName, countryCode);
		case 'meta':
			return toMetaEvent(sale, format, countryCode);
	}
}

/** A flat row for people and spreadsheets. Nothing is hashed. */
function toRow({ leadId, soldAt, value, contact, lead }: Sale): IDataObject {
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
	} as IDataObject;
}

function incompleteItem({ lead: each, missing }: Incomplete): IDataObject {
	return {
		incomplete: true,
		missing,
		leadId: each.id ?? null,
		externalId: each.externalId ?? null,
		saleDate: each.saleDate ?? null,
		estimatedValue: each.estimatedValue ?? null,
	} as IDataObject;
}

function incompleteHints(incomplete: Incomplete[], { reportIncomplete }: ExportSettings): string[] {
	const groups = groupBy(incomplete, missingIn);
	const wayOut = reportIncomplete ? '' : ' The option "Report Incomplete" adds them as items.';
	return Object.entries(groups).map(([reason, members]) => {
		const names = members.map(({ lead: { externalId, id } }) =>
			String(externalId ?? id ?? 'without ID'),
		);
		const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
		const count = names.length === 1 ? '1 lead' : `${names.length} leads`;
		return `Not exported, because ${reason} ${reason.includes(' and ') ? 'are' : 'is'} missing or cannot be read: ${count} (${names.slice(0, MAX_NAMED).join(', ')}${more}).${wayOut}`;
	});
}

/** Old events stay in the export, because nobody would notice if they were left out. */
function oldEventHints(sales: Sale[], { format, now }: ExportSettings): string[] {
	if (format.kind !== 'meta') return [];
	const old = sales.filter(({ soldAt }) => now - soldAt.toMillis() > MAX_EVENT_AGE_MS).length;
	if (old === 0) return [];
	return [
		`${old} of the events ${old === 1 ? 'is' : 'are'} more than 7 days old. Meta refuses a whole request that contains such an event: send ${old === 1 ? 'it' : 'them'} separately, and export every day.`,
	];
}
