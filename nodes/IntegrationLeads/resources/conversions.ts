/** Exports sales as plain rows or for advertising platforms: *Lead > Get Conversions* and *Get Conversion of Lead*. */
import { compact, inRange, map, omit, sortBy, uniqBy } from 'lodash';

import { conversion, hasTag } from '../contract/records';
import {
	type Exported,
	type ExportRun,
	exportSale,
	inLines,
	summarize,
} from '../conversion/export';
import { findChange, reportIn } from '../conversion/reported';
import type { NotExported } from '../conversion/sale';
import {
	clicksBefore,
	contactOf,
	idOf,
	implausibleDate,
	nameOf,
	parseSale,
	saleDateOf,
} from '../conversion/sale';
import { checkExport, exportSettings, periodOf, type ExportSettings } from '../conversion/settings';
import type { ComposeContext, Result, StepFunctions, Values } from '../operation';
import { compose } from '../operation';
import { eventParameters, salesParameters } from '../panels/conversion';
import { joinRemedies, reportAnswer, UserError } from '../userError';
import { toRecord, type ServiceRecord } from '../values/json';
import { isBlank } from '../values/convert';
import { isSameWord } from '../values/words';
import { getContact } from './contactRequests';
import { getInteractions } from './interaction';
import { getLead, getLeads, leadIdOrExternalId } from './leadRequests';
import { lacksOfPerson, mergeContacts, NO_PHONES } from './mergeContacts';

const exportSteps = { getContact, getInteractions, getLead, getLeads };
type ExportSteps = StepFunctions<typeof exportSteps>;

/**
 * Exports the won leads that were sold in a period. Lists leave out sale date and value (spec 4.1), so each lead is read, unless
 * the list shows that it has a tag to skip.
 */
async function exportSales(
	values: Values,
	{ getLeads: list, ...requests }: ExportSteps,
	context: ComposeContext,
): Promise<Result> {
	const settings = exportSettings(values, context);
	const period = periodOf(settings);
	const toExport = exporter(settings, requests, context);
	const counts = { skipped: 0, read: 0, inPeriod: 0, withoutSaleDate: 0, notCompared: 0 };
	const run: ExportRun = { ...counts, exported: [], left: [], changed: [] };
	const listed = await list({ query: values.query }, { mayBeIncomplete: true });
	await context.inParallel(listed, async ({ record = {} }) => {
		const isKnown = idOf(record) === undefined || isTagged(record, settings);
		const lead = isKnown ? record : await readLead(record, requests);
		// Deleted, or moved to another status and so no longer won.
		if (!lead || !hasSameStatus(lead, record)) return;
		if (isExported(lead, settings)) {
			run.skipped += 1;
			return;
		}
		run.read += 1;
		const soldAt = saleDateOf(lead, settings.timezone);
		if (soldAt === undefined) run.withoutSaleDate += 1;
		else if (inRange(+soldAt, period.from, period.to)) run.inPeriod += 1;
		else {
			run.left.push(...compact([implausibleDate(lead, soldAt, settings)]));
			return;
		}
		const result = await toExport(lead);
		if ('reason' in result) run.left.push(result);
		else run.exported.push(result);
	});
	const changed = listed.length - run.skipped - run.read;
	// One lead may have changed by chance. If all have, reading them individually does not work, and an empty export would mislead.
	if (changed > 1 && changed === listed.length) {
		throw new UserError(
			`None of the ${changed} leads in the list is there with the same status when read individually`,
			joinRemedies('Nothing was exported.', reportAnswer),
		);
	}
	const steps = { getLeads: list, ...requests };
	await compareReported(run, settings, values.query.status, steps, context);
	const summary = summarize(run, period, { ...settings, status: values.query.status });
	addHints(summary, context);
	if (changed > 0) {
		context.hints.add(
			`Left out, because they were deleted or moved to another status before they could be read: ${changed} of the list.`,
		);
	}
	// Sorted, so that an export that is repeated has the same order.
	const items = map(sortBy(run.exported, 'sale.soldAt', 'sale.leadId'), 'item');
	// A single field marks the item, so that a Filter can drop it. Agents get it always, because they see no hints.
	if (settings.summaryItem) items.push({ summary });
	else if (context.tool) items.push({ summary: omit(summary, 'sales', 'lines') });
	return { data: items, extra: {} };
}

function addHints(
	{ text, changed, incomplete }: ReturnType<typeof summarize>,
	{ hints }: ComposeContext,
): void {
	hints.add(text);
	const named = { 'Changed after they were reported': changed, 'Not exported': incomplete };
	for (const [title, sales] of Object.entries(named)) {
		if (sales.length > 0) hints.add(`${title}:\n${inLines(map(sales, 'line'))}`);
	}
}

const REPORT_NOT_COMPARED = {
	scopes: ['interactions:read'],
	hint: 'Sales were not compared with what was reported of them: the API key needs the scope "interactions:read".',
};

/**
 * Compares leads with what was reported of them, whatever their status, and exports a sale again if the platform then replaces
 * its amount. Lists show neither amount nor date (spec 4.1), so the leads and their notes are read.
 */
async function compareReported(
	run: ExportRun,
	settings: ExportSettings,
	wonStatus: unknown,
	{ getLeads: list, ...requests }: ExportSteps,
	context: ComposeContext,
): Promise<void> {
	const { compareTag = [] } = settings;
	const toExport = exporter(settings, requests, context);
	const isSent = new Set(map(run.exported, 'sale.leadId'));
	const listed: ServiceRecord[] = [];
	for (const tag of compareTag) {
		const found = compact(map(await list({ query: { tag } }, { mayBeIncomplete: true }), 'record'));
		listed.push(...found.filter((lead) => idOf(lead) && hasTag(lead, tag) !== false));
	}
	const compared = uniqBy(listed, idOf).filter((lead) => !isSent.has(idOf(lead)));
	await context.inParallel(compared, async (shown) => {
		const lead = await readLead(shown, requests);
		if (!lead) return;
		const leadId = String(idOf(lead));
		const found = await context.ifPermitted(
			REPORT_NOT_COMPARED,
			async () => await requests.getInteractions({ path: { leadId } }),
		);
		const reported = reportIn(compact(map(found, 'record')), leadId, settings);
		if (!reported) {
			run.notCompared += 1;
			return;
		}
		const change = findChange(lead, reported, wonStatus, settings);
		if (!change) return;
		const again = change.isCorrectable ? await toExport(lead) : undefined;
		if (again && 'item' in again) run.exported.push(again);
		run.changed.push(again ? { ...change, remedy: remedyAfter(again) } : change);
	});
}

const remedyAfter = (again: Exported | NotExported) =>
	'reason' in again
		? `It cannot be sent again, because ${again.reason}. ${again.remedy}`
		: 'It is sent again with the new amount.';

/** Exports one event of one lead: its sale, or a stage that it reached. Throws UserError if no event can be made of it. */
async function exportOne(
	values: Values,
	requests: Omit<ExportSteps, 'getLeads'>,
	context: ComposeContext,
): Promise<Result> {
	const settings = exportSettings(values, context);
	const { record: lead = {} } = await requests.getLead({ path: values.path });
	if (isExported(lead, settings)) {
		context.hints.add(`Skipped, because of a tag under "Skip Leads With Tag": ${nameOf(lead)}.`);
		return { data: [], extra: {} };
	}
	const result = await exporter(settings, requests, context)(lead);
	if ('item' in result) return { data: [result.item], extra: {} };
	const { reason, remedy } = result;
	throw new UserError(`No event was made of ${nameOf(lead)}, because ${reason}`, remedy);
}

/** Returns a function that reads what the format needs besides the lead, and exports it. */
function exporter(
	settings: ExportSettings,
	{ getContact, getInteractions }: Pick<ExportSteps, 'getContact' | 'getInteractions'>,
	{ ifPermitted }: ComposeContext,
): (lead: ServiceRecord) => Promise<Exported | NotExported> {
	const readsClicks = settings.readClickIds === true || settings.whatsappAccountId !== undefined;
	const readIt = async (contactId: string) =>
		(await getContact({ path: { contactId } }, { mayBeMissing: true })).record;
	// A platform would match fewer people without their phones.
	const readContact = async (contactId: string) =>
		settings.format === 'rows'
			? await ifPermitted(NO_PHONES, async () => await readIt(contactId))
			: await readIt(contactId);
	return async (lead) => {
		const sale = parseSale(lead, settings);
		if ('reason' in sale) return sale;
		const shown = contactOf(lead);
		const contactId = idOf(shown);
		const whole = lacksOfPerson(shown) && contactId ? await readContact(contactId) : undefined;
		const contact = mergeContacts(shown, whole ?? {});
		const found = readsClicks ? await getInteractions({ path: { leadId: sale.leadId } }) : [];
		const interactions = compact(map(found, 'record'));
		const clicks = clicksBefore(sale, interactions);
		const campaign = lead.campaign ?? campaignIn(interactions);
		return exportSale({ ...sale, lead: { ...lead, contact, campaign }, clicks }, settings);
	};
}

/** What columns/ad.ts keeps of a campaign, first what people know it by. */
const CAMPAIGN_KEYS = ['campaign_name', 'utm_campaign', 'campaign_id'];

/** The campaign of the last ad that an interaction names, as the note of a lead form does. */
const campaignIn = (interactions: ServiceRecord[]): string | undefined =>
	sortBy(interactions, 'createdAt')
		.flatMap(({ metadata }) =>
			CAMPAIGN_KEYS.map((key) => toRecord(metadata)[key])
				.filter((value) => !isBlank(value))
				.slice(0, 1),
		)
		.map(String)
		.at(-1);

/** Reads a lead of the list individually; undefined if it was deleted. */
async function readLead(
	listed: ServiceRecord,
	{ getLead: read }: Pick<ExportSteps, 'getLead'>,
): Promise<ServiceRecord | undefined> {
	const leadId = String(listed.id);
	const { record: found } = await read({ path: { leadId } }, { mayBeMissing: true });
	if (!found) return undefined;
	return { ...listed, ...found, contact: mergeContacts(contactOf(listed), contactOf(found)) };
}

/** Whether a lead has the same status as in the list. The response of 4.2 is not shown, so a missing status counts as the same. */
const hasSameStatus = ({ status }: ServiceRecord, listed: ServiceRecord) =>
	isBlank(status) || isBlank(listed.status) || isSameWord(status, listed.status);

function isTagged(lead: ServiceRecord, { skipTag = [] }: ExportSettings): boolean {
	return skipTag.some((tag) => hasTag(lead, tag));
}

/** @throws UserError if the lead does not show its tags, since every run would export it again */
function isExported(lead: ServiceRecord, settings: ExportSettings): boolean {
	if (isTagged(lead, settings)) return true;
	if (!settings.skipTag?.some((tag) => hasTag(lead, tag) === undefined)) return false;
	throw new UserError(
		`The service does not show the tags of ${nameOf(lead)}, so "Skip Leads With Tag" cannot tell which leads were exported before`,
		{
			all: 'Nothing was exported.',
			panel: 'Without tags, remove the option and keep a list of what was sent.',
		},
	);
}

const readsMore = {
	'read phones, without which only Rows are made': ['contacts:read'],
	'read click IDs': ['interactions:read'],
};

const getConversions = compose({
	name: 'Get Conversions',
	action: 'Get lead conversions',
	description: 'Get the sales of won leads, as plain rows or for Google Ads or Meta',
	when: 'Use it for sales reports, not to find a lead. It reads all won leads.',
	scope: 'leads:read',
	otherScopes: readsMore,
	parameters: salesParameters,
	output: { kind: 'many', record: conversion },
	check: (values, context) => checkExport(exportSettings(values, context)),
	steps: exportSteps,
	run: exportSales,
});

const getConversion = compose({
	name: 'Get Conversion of Lead',
	action: 'Get conversion of lead',
	description: 'Get the sale of one lead, or a stage that it came to, for Google Ads or Meta',
	when: 'Use it to report one event of a lead whose ID is known.',
	scope: 'leads:read',
	otherScopes: readsMore,
	parameters: [leadIdOrExternalId, ...eventParameters],
	output: { kind: 'many', record: conversion },
	check: (values, context) => checkExport(exportSettings(values, context)),
	steps: { getContact, getInteractions, getLead },
	run: exportOne,
});

export const conversions = { getConversion, getConversions };
