/** Tests what is noted of an event that a platform took, and what counts as a change of a sale since then. */
import type { IDataObject } from 'n8n-workflow';

import {
	findChange,
	reportNote,
	reportIn,
	parseReport,
} from '../../nodes/IntegrationLeads/conversion/reported';
import type { ServiceRecord } from '../../nodes/IntegrationLeads/values/json';

const timezone = 'America/Sao_Paulo';
const lead: ServiceRecord = {
	id: 'lead',
	status: 'closed_won',
	estimatedValue: 1000,
	saleDate: '2026-03-08T15:00:00Z',
	createdAt: '2026-03-01T12:00:00Z',
	tags: ['Meta: Purchase', 'Meta: 2026-03'],
	contact: { name: 'Ana Souza' },
};
const toMeta = {
	event_id: 'lead:Purchase',
	event_time: Date.parse('2026-03-08T15:00:00Z') / 1000,
	custom_data: { value: 1000, order_id: 'lead' },
};
const toGoogle = {
	transactionId: 'lead',
	eventTimestamp: '2026-03-08T12:00:00-03:00',
	conversionValue: 1000,
};
const day = '2026-03-08';

describe('what is noted', () => {
	it.each<[string, IDataObject, IDataObject | undefined]>([
		['Meta', toMeta, { platform: 'Meta', eventId: 'lead:Purchase', amount: 1000, day }],
		['Google', toGoogle, { platform: 'Google', eventId: 'lead', amount: 1000, day }],
		[
			'a stage',
			{ ...toMeta, custom_data: { event_source: 'crm' } },
			{ platform: 'Meta', eventId: 'lead:Purchase', amount: undefined, day },
		],
		[
			'the evening before, in the time zone of the workflow',
			{ ...toGoogle, eventTimestamp: '2026-03-09T02:00:00Z' },
			{ platform: 'Google', eventId: 'lead', amount: 1000, day },
		],
		['an event without a time', { event_id: 'lead:Purchase' }, undefined],
		['a row', { leadId: 'lead', saleDate: '2026-03-08', estimatedValue: 1000 }, undefined],
	])('of %s', (_, event, report) => {
		expect(parseReport(event, timezone)).toEqual(report);
	});

	it('is an interaction that people can read as well', () => {
		expect(reportNote(parseReport(toMeta, timezone)!)).toEqual({
			type: 'CUSTOM',
			title: 'Reported to Meta',
			description: '1000.00 BRL on 8 Mar 2026',
			metadata: { platform: 'Meta', eventId: 'lead:Purchase', amount: 1000, day },
		});
	});
});

/** Notes of a platform with other amounts, the first the oldest. */
const notes = (platform: string, eventId: string, ...amounts: unknown[]) =>
	amounts.map((amount, n) => ({
		createdAt: `2026-03-1${n}T00:00:00Z`,
		metadata: { platform, eventId, amount, day },
	}));

// Of two events with one ID Meta keeps the first, see metaEventId. Google replaces the value by that of the last:
// https://developers.google.com/data-manager/api/devguides/events/google-ads/conversion-adjustments (28 November 2026).
it.each<[string, string, ServiceRecord[], number | undefined]>([
	['meta', 'the first', notes('Meta', 'lead:Purchase', 1, 2).reverse(), 1],
	['googleDataManager', 'the last', notes('Google', 'lead', 1, 2).reverse(), 2],
	['meta', 'as text', notes('Meta', 'lead:Purchase', '12.50'), 12.5],
	['meta', 'none of Google', notes('Google', 'lead', 1), undefined],
	['meta', 'none of a stage', notes('Meta', 'lead:QualifiedLead', 1), undefined],
	['meta', 'none without metadata', [{ title: 'Reported to Meta' }, { metadata: 'x' }], undefined],
])('%s holds %s', (format, _, interactions, amount) => {
	const settings = { format: format as 'meta', eventName: 'Purchase' };
	expect(reportIn(interactions, 'lead', settings)?.amount).toBe(amount);
});

describe('a change', () => {
	const meta = parseReport(toMeta, timezone)!;
	const google = parseReport(toGoogle, timezone)!;
	const compareTag = ['Meta: 2026-03', 'Meta: 2026-02'];
	const changed = (fields: ServiceRecord, report = meta) =>
		findChange({ ...lead, ...fields }, report, 'closed_won', { timezone, compareTag });
	const noted = 'When you have noted it, remove the tag "Meta: 2026-03".';
	const byHand =
		'Google takes no retraction here: upload one for the Order ID lead in Google Ads, then remove the tag "Meta: 2026-03".';

	it.each<[string, ServiceRecord]>([
		['nothing', {}],
		['the amount as text', { estimatedValue: '1000.00' }],
		['another spelling of the status', { status: 'CLOSED-WON' }],
		['a status that the service does not show', { status: undefined }],
		['another time of the day', { saleDate: '2026-03-08T20:00:00Z' }],
		['other tags', { tags: ['Meta: 2026-03', 'vip'] }],
	])('is not: %s', (_, fields) => {
		expect(changed(fields)).toBeUndefined();
	});

	// A sale on the day of its lead is reported at the time of the creation, see notBefore.
	it('is not: midnight in UTC, for which the creation of the lead was reported', () => {
		const sameDay = { saleDate: '2026-03-08T00:00:00Z', createdAt: '2026-03-08T15:00:00Z' };
		expect(changed(sameDay)).toBeUndefined();
	});

	const has = 'Meta has 1000.00 BRL on 8 Mar 2026';
	it.each<[ServiceRecord, string]>([
		[{ estimatedValue: 600 }, has],
		[{ estimatedValue: 2500 }, has],
		[{ saleDate: '2026-03-09T15:00:00Z' }, has],
		[{ status: 'lost' }, `its status is lost, and ${has}`],
		[
			{ tags: [...(lead.tags as string[]), 'Sale taken back'] },
			`it has the tag "Sale taken back", and ${has}`,
		],
		[
			{ tags: [...(lead.tags as string[]), 'Refund to check'] },
			`it has the tag "Refund to check", and ${has}`,
		],
		[{ estimatedValue: null }, `Estimated Value is missing, and ${has}`],
		[{ saleDate: null }, `Sale Date is missing, and ${has}`],
	])('is: %j', (fields, reason) => {
		const remedy = `Meta takes no correction. ${noted}`;
		expect(changed(fields)).toMatchObject({ reason, remedy, isCorrectable: false });
	});

	it('of the amount alone is sent to Google again, also with another day', () => {
		const corrected = { estimatedValue: 600 };
		const moved = { ...corrected, saleDate: '2026-03-09T15:00:00Z' };
		expect(changed(corrected, google)?.isCorrectable).toBe(true);
		expect(changed(moved, google)?.isCorrectable).toBe(true);
	});

	it.each<[ServiceRecord, string]>([
		[{ saleDate: '2026-03-09T15:00:00Z' }, `Google keeps the first day. ${noted}`],
		[{ status: 'lost' }, byHand],
		[{ estimatedValue: 600, status: 'lost' }, byHand],
		[{ estimatedValue: null }, byHand],
	])('for Google, %j is done by hand', (fields, remedy) => {
		expect(changed(fields, google)).toMatchObject({ remedy, isCorrectable: false });
	});
});
