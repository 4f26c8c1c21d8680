/** From leads to conversions: which are read, which belong to the export, and what is said of the others. Pure. */
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { lead } from '../contract/lead';
import { contact } from '../contract/records';
import { isBlank } from '../values/convert';
import type { Lookup, Refinement } from '../operation';
import { toGoogleRow } from './google';
import { OLDEST_EVENT_MS, toMetaEvent } from './meta';
import { toRow } from './rows';
import type { Incomplete, Sale } from './sale';
import { contactOf, idOf, readSale, saleDateOf } from './sale';
import type { ExportSettings } from './exportSettings';
import { isWithin } from './window';

/** How many leads a note names. */
const NAMED = 5;

const LABELS: Record<string, string> = {
	id: 'ID',
	saleDate: 'Sale Date',
	estimatedValue: 'Estimated Value',
	email: 'Email or Phone',
};

export function conversionExport(settings: ExportSettings): Refinement {
	const { createdAfter, readContacts } = settings;
	return {
		...(createdAfter && { query: { createdAfter } }),
		lookups: [wholeLead(settings), ...(readContacts ? [wholeContact(settings)] : [])],
		shape: (leads) => shape(leads, settings),
	};
}

/** Lists leave sale date and value out (spec 4.1); should they tell them, or a sale date elsewhere, that is enough. */
function wholeLead(settings: ExportSettings): Lookup {
	return {
		route: 'GET /leads/{id}',
		scope: 'leads:read',
		record: lead,
		id: (known) =>
			('saleDate' in known && 'estimatedValue' in known) || isElsewhere(known, settings)
				? undefined
				: idOf(known),
		join: (known, found) =>
			// Won no longer, by the newer of the two.
			found && isSameStatus(known, found)
				? { ...known, ...found, contact: joinContacts(contactOf(known), contactOf(found)) }
				: undefined,
	};
}

/** Only of sales that are exported. */
function wholeContact(settings: ExportSettings): Lookup {
	return {
		route: 'GET /contacts/{id}',
		scope: 'contacts:read',
		record: contact,
		id: (known) => {
			const sale = readSale(known, settings.zone);
			return 'missing' in sale || isElsewhere(known, settings) ? undefined : idOf(sale.contact);
		},
		join: (known, found) => ({ ...known, contact: joinContacts(contactOf(known), found ?? {}) }),
	};
}

/** The answer to a read is not shown (spec 4.2), nor how it spells the status. One that is not told is no other. */
function isSameStatus(...records: ServiceRecord[]): boolean {
	const told = records.map(({ status }) => status).filter((status) => !isBlank(status));
	return new Set(told.map((status) => String(status).toLowerCase())).size < 2;
}

/** What is known of a contact stays known where the newer record tells nothing, unless that is of somebody else. */
function joinContacts(known: ServiceRecord, found: ServiceRecord): ServiceRecord {
	const [before, after] = [idOf(known), idOf(found)];
	const isOther = before !== undefined && after !== undefined && before !== after;
	const told = Object.entries(found).filter(([, value]) => !isBlank(value));
	return isOther ? found : { ...known, ...Object.fromEntries(told) };
}

function isElsewhere(known: ServiceRecord, { zone, window }: ExportSettings): boolean {
	const at = saleDateOf(known, zone);
	return at !== undefined && !isWithin(window, at.toMillis());
}

function shape(
	leads: ServiceRecord[],
	settings: ExportSettings,
): { items: IDataObject[]; notes: string[] } {
	const sales: Sale[] = [];
	const incomplete: Incomplete[] = [];
	for (const each of leads) {
		if (isElsewhere(each, settings)) continue;
		const sale = readSale(each, settings.zone);
		if ('missing' in sale) incomplete.push(sale);
		else sales.push(sale);
	}
	// By time, then by lead: the same export gives the same order, whatever the list's.
	sales.sort((a, b) => a.at.toMillis() - b.at.toMillis() || (a.leadId < b.leadId ? -1 : 1));
	const exported: Sale[] = [];
	const items: IDataObject[] = [];
	for (const sale of sales) {
		const item = toItem(sale, settings);
		if (Array.isArray(item)) incomplete.push({ lead: sale.lead, missing: item });
		else {
			items.push(item);
			exported.push(sale);
		}
	}
	const reported = settings.reportIncomplete ? incomplete.map(toReport) : [];
	return {
		items: [...items, ...reported],
		notes: [...notesOn(incomplete, settings), ...notesOnAge(exported, settings)],
	};
}

/** @returns the item, or the names of fields one of which is needed */
function toItem(sale: Sale, { format, countryCode }: ExportSettings): IDataObject | string[] {
	switch (format.kind) {
		case 'rows':
			return toRow(sale);
		case 'googleAds':
			return toGoogleRow(sale, format.conversionName, countryCode);
		case 'meta':
			return toMetaEvent(sale, format, countryCode);
	}
}

function toReport({ lead: each, missing }: Incomplete): IDataObject {
	return {
		incomplete: true,
		missing,
		leadId: each.id ?? null,
		externalId: each.externalId ?? null,
		saleDate: each.saleDate ?? null,
		estimatedValue: each.estimatedValue ?? null,
	} as IDataObject;
}

function notesOn(incomplete: Incomplete[], { reportIncomplete }: ExportSettings): string[] {
	const groups = new Map<string, string[]>();
	for (const { lead: each, missing } of incomplete) {
		const labels = missing.map((name) => LABELS[name]).filter((label) => label !== undefined);
		const reason = labels.join(' and ');
		const name = String(each.externalId ?? each.id ?? 'without ID');
		groups.set(reason, [...(groups.get(reason) ?? []), name]);
	}
	const wayOut = reportIncomplete ? '' : ' The option "Report Incomplete" gives them as items.';
	return [...groups].map(([reason, names]) => {
		const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
		const count = names.length === 1 ? '1 lead' : `${names.length} leads`;
		return `Not exported, because ${reason} is missing or cannot be read: ${count} (${names.slice(0, NAMED).join(', ')}${more}).${wayOut}`;
	});
}

/** They stay in the export: left out, nobody would miss them. */
function notesOnAge(sales: Sale[], { format, now }: ExportSettings): string[] {
	if (format.kind !== 'meta') return [];
	const old = sales.filter(({ at }) => now - at.toMillis() > OLDEST_EVENT_MS).length;
	if (old === 0) return [];
	return [
		`${old} of the events ${old === 1 ? 'is' : 'are'} more than 7 days old. Meta refuses a whole request that holds such an event: send ${old === 1 ? 'it' : 'them'} apart, and export every day.`,
	];
}
