/** Tests the export of conversions: whom a sale is matched to, periods, formats, what is not exported, and the summary. */
import { inRange } from 'lodash';
import { DateTime, Settings } from 'luxon';
import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../../nodes/IntegrationLeads/values/json';
import { exportSale, summarize } from '../../nodes/IntegrationLeads/conversion/export';
import { exportSettings, periodOf } from '../../nodes/IntegrationLeads/conversion/settings';
import { draftItem } from '../../nodes/IntegrationLeads/prepare/draft';
import { conversions } from '../../nodes/IntegrationLeads/resources/conversions';
import { InputError } from '../../nodes/IntegrationLeads/userError';
import { clicksBefore, parseSale, saleDateOf } from '../../nodes/IntegrationLeads/conversion/sale';

const SAO_PAULO = 'America/Sao_Paulo';
const NEW_YORK = 'America/New_York';
const NOW = '2026-03-10T12:00:00Z';

const parameters: Record<string, unknown> = {
	leadId: 'lead-1',
	status: 'closed_won',
	saleDate: 'between',
	saleDateFrom: '2026-03-08',
	saleDateTo: '2026-03-09',
	format: 'rows',
	conversionName: 'Sale',
	eventName: 'Purchase',
	actionSource: 'system_generated',
};
const month = { saleDateFrom: '2026-03-01', saleDateTo: '2026-03-20' };
const stage = {
	format: 'meta',
	event: 'stage',
	eventTime: '2026-03-10T11:00:00Z',
	eventName: 'QualifiedLead',
};
const sold: ServiceRecord = {
	id: 'lead-1',
	externalId: 'crm-1',
	status: 'closed_won',
	saleDate: '2026-03-08T06:30:15.900Z',
	estimatedValue: '1500.50',
	priority: 'high',
	source: 'whatsapp',
	tags: ['spring'],
	createdAt: '2026-03-01T03:00:00.000Z',
	contact: { id: 'contact-1', name: 'Contact A', email: 'A@Example.com', phone: '+1 415 555 0100' },
};

/** The settings as the node has them. */
function settingsOf(changes: Record<string, unknown>, timezone: string, now = NOW, code?: string) {
	const given: Record<string, unknown> = { ...parameters, ...changes };
	const { getConversion, getConversions } = conversions;
	const [draft] = draftItem(given.event ? getConversion : getConversions, (name) => given[name], {
		timezone,
		now: Date.parse(now),
		countryCode: code,
	});
	const { values, context } = draft;
	return exportSettings(values, context);
}

/** What both operations do with leads that they have read: the items, why others are none, and the summary. */
function exported(
	leads: ServiceRecord[],
	changes: Record<string, unknown> = {},
	timezone = NEW_YORK,
	code?: string,
) {
	const settings = settingsOf(changes, timezone, NOW, code);
	const period = periodOf(settings);
	const counts = {
		skipped: 0,
		read: leads.length,
		inPeriod: 0,
		withoutSaleDate: 0,
		notCompared: 0,
	};
	const run: Parameters<typeof summarize>[0] = { ...counts, exported: [], left: [], changed: [] };
	for (const lead of leads) {
		const soldAt = saleDateOf(lead, timezone)?.toMillis();
		if (soldAt === undefined) run.withoutSaleDate += 1;
		else if (inRange(soldAt, period.from, period.to)) run.inPeriod += 1;
		else continue;
		const sale = parseSale(lead, settings);
		const interactions = (lead.interactions ?? []) as ServiceRecord[];
		const result =
			'reason' in sale
				? sale
				: exportSale({ ...sale, clicks: clicksBefore(sale, interactions) }, settings);
		if ('reason' in result) run.left.push(result);
		else run.exported.push(result);
	}
	const summary = summarize(run, period, { ...settings, status: changes.status });
	return { items: run.exported.map(({ item }) => item), summary, lines: summary.lines };
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

describe('whom a sale is matched to', () => {
	/** What is sent of a contact, hashed; nothing if that is not enough. */
	const sentOf = (format: string, contact: ServiceRecord, code?: string) =>
		exported([{ ...sold, contact }], { format }, NEW_YORK, code).items;
	const forMeta = (contact: ServiceRecord, code?: string) =>
		sentOf('meta', contact, code).map((event) => event.user_data as Record<string, unknown>);
	const forGoogle = (contact: ServiceRecord, code?: string) => sentOf('googleAds', contact, code);

	// The platform's own examples, from the pages that sale.ts names.
	it('has the hashes that Meta shows', () => {
		expect(forMeta({ email: 'John_Smith@gmail.com', phone: '+1 (650)555-1212' })).toEqual([
			{
				em: ['62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f'],
				ph: ['e323ec626319ca94ee8bff2e4c87cf613be6ea19919ed1364124e16807ab3176'],
			},
		]);
	});

	// How an email is read: test/pure/identity.test.mts. [the email, for Meta, for Google if it differs]
	it.each<[given: string, meta: string | undefined, google?: string]>([
		['Cloudy.Sf+shopping@gmail.com', 'cloudy.sf+shopping@gmail.com', 'cloudysf@gmail.com'],
		[' A.b@GoogleMail.com\n', 'a.b@googlemail.com', 'ab@googlemail.com'],
		['a.b@mail.gmail.com', 'a.b@mail.gmail.com'],
		['a b@example.com', undefined, 'ab@example.com'],
		['+x@gmail.com', '+x@gmail.com', ''],
		['no address', undefined],
	])('the email %p is %p for Meta, %p for Google', (email, meta, google = meta) => {
		expect(forMeta({ email })).toEqual(meta ? [{ em: [hash(meta)] }] : []);
		expect(forGoogle({ email }).map(({ Email }) => Email)).toEqual(google ? [hash(google)] : []);
	});

	// CAPI/parameters/customer-information-parameters (9 Jan 2026): `fn` and `ln` are text or a list of texts, in lower case
	// and without punctuation. Its example Valéry is the first row.
	it.each<[IDataObject[string], string | undefined, string[]]>([
		['Valéry Souza', 'valéry', ['souza']],
		[" ANA  Maria d'Ávila ", 'ana', ['dávila']],
		['Jose\u0301 Nun\u0303ez', 'josé', ['nuñez']],
		['Ana-Lúcia 🌻 Souza.', 'analúcia', ['souza']],
		['田中 太郎', '田中', ['太郎']],
		['Ana', 'ana', []],
		['🌻 123', undefined, []],
		[{ first: 'Ana' }, undefined, []],
		['Ana Maria da Silva', 'ana', ['dasilva', 'silva']],
		['Anna von der Heide', 'anna', ['vonderheide', 'heide']],
		['Ana dos Santos Souza', 'ana', ['souza']],
		['Ana da Silva Jr.', 'ana', ['dasilva', 'silva']],
		['Ana Jr.', 'ana', []],
		['Ana (Loja Centro) Souza [VIP', 'ana', ['souza']],
		['Ana da', 'ana', ['da']],
		// The last name first: https://github.com/joshfraser/PHP-Name-Parser/issues/38
		['Souza, Ana', 'ana', ['souza']],
		// https://github.com/ralyodio/humanparser/issues/7
		['Lima Souza, Ana', 'ana', ['souza']],
		['da Silva, Ana Maria', 'ana', ['dasilva', 'silva']],
		['SOUZA,ANA', 'ana', ['souza']],
		['Souza, Dra. Ana', 'ana', ['souza']],
		['Souza, Ana, MD', 'ana', ['souza']],
		['Souza, Ana (VIP)', 'ana', ['souza']],
		['Ana Souza, Jr.', 'ana', ['souza']],
		['Ana Souza, MD, PhD', 'ana', ['souza']],
		['Ana Souza,', 'ana', ['souza']],
		[', Ana', 'ana', []],
		// Titles: https://github.com/jasonpriem/HumanNameParser.php/pull/15
		['Dra. Ana Souza', 'ana', ['souza']],
		['Mr John Smith', 'john', ['smith']],
		// https://github.com/derek73/python-nameparser/issues/7
		['Sr. João Souza', 'joão', ['souza']],
		['Sra Ana Souza', 'ana', ['souza']],
		['Srta. Ana', 'ana', []],
		['Prof. Dr. Ana Souza', 'ana', ['souza']],
		['DR.ANA SOUZA', 'ana', ['souza']],
		['Mrs. Ana Souza', 'ana', ['souza']],
		['Ms Ana Souza', 'ana', ['souza']],
		['João Souza Sr.', 'joão', ['souza']],
		['Dr.', undefined, []],
		['Drew Smith', 'drew', ['smith']],
		['Andrew Ma', 'andrew', ['ma']],
		['Msafiri Prof', 'msafiri', ['prof']],
		...['Firma Ltda', 'Loja Sul LTDA.', 'Loja Sul, Inc.', 'Sul S/A', 'Sul S.A.', 'Sul S. L.'].map(
			(firm): [string, undefined, string[]] => [firm, undefined, []],
		),
		['Ana Sá', 'ana', ['sá']],
		['Ana Sa', 'ana', ['sa']],
	])('Meta: the names in %p are %p and %j', (name, first, last) => {
		const [{ fn, ln }] = forMeta({ name, email: 'a@example.com' });
		expect(fn).toEqual(first && [hash(first)]);
		expect(ln).toEqual(last.length > 0 ? last.map(hash) : undefined);
	});

	// How a phone is read: test/pure/phone.test.mts.
	it.each([
		['+1 (800)555-0100', undefined, '18005550100'],
		['(11) 90000-0001', '55', '5511900000001'],
		// Whose number it is would be a guess.
		['(11) 90000-0001', undefined, undefined],
		[{ phone: 1 }, '55', undefined],
	])('the phone %p, in the country %p, is %p', (phone, code, digits) => {
		expect(forMeta({ phone }, code)).toEqual(digits ? [{ ph: [hash(digits)] }] : []);
		expect(forGoogle({ phone }, code).map((row) => row['Phone Number'])).toEqual(
			digits ? [hash(`+${digits}`)] : [],
		);
	});
});

describe('periods', () => {
	const at = (text: string, zone: string) => DateTime.fromISO(text, { zone }).toMillis();
	const periodAt = (now: string, saleDate: string, zone: string) =>
		periodOf(settingsOf({ saleDate }, zone, now));

	it.each([
		['yesterday', SAO_PAULO, '2026-03-01T23:59:59.999', '2026-02-28', '2026-03-01'],
		['last7Days', SAO_PAULO, '2026-03-03T12:00', '2026-02-24', '2026-03-03'],
		['last30Days', SAO_PAULO, '2026-01-15T12:00', '2025-12-16', '2026-01-15'],
		['lastMonth', SAO_PAULO, '2026-03-31T12:00', '2026-02-01', '2026-03-01'],
		['lastMonth', SAO_PAULO, '2026-01-01T00:00', '2025-12-01', '2026-01-01'],
		['thisMonth', SAO_PAULO, '2026-01-31T23:00', '2026-01-01', '2026-02-01'],
		// Clocks were put forward at 2:00 on 2026-03-08 and back on 2026-11-01: days of 23 and 25 hours.
		['yesterday', NEW_YORK, '2026-03-09T06:00', '2026-03-08', '2026-03-09'],
		['yesterday', NEW_YORK, '2026-11-02T06:00', '2026-11-01', '2026-11-02'],
		// At midnight: 2018-11-04 began at 1:00 in Brazil, and 2026-11-01 had its first hour twice in Cuba.
		['today', 'America/Havana', '2026-11-01T12:00', '2026-11-01T00:00-04:00', '2026-11-02'],
		['today', SAO_PAULO, '2018-11-04T12:00', '2018-11-04T01:00', '2018-11-05'],
	])('%s in %s at %s is from %s to %s', (name, zone, now, from, to) => {
		const given = new Date(at(now, zone)).toISOString();
		expect(periodAt(given, name, zone)).toEqual({ from: at(from, zone), to: at(to, zone) });
	});

	it.each([
		['2026-03-08T04:59:59.999Z', 0],
		['2026-03-08T05:00:00.000Z', 1],
		['2026-03-09T03:59:59.999Z', 1],
		['2026-03-09T04:00:00.000Z', 0],
	])('a sale of %s: %i', (saleDate, count) => {
		expect(exported([{ ...sold, saleDate }]).items).toHaveLength(count);
	});
});

describe('the export', () => {
	it.each<[format: string, item: object]>([
		[
			'rows',
			{
				leadId: 'lead-1',
				externalId: 'crm-1',
				status: 'closed_won',
				priority: 'high',
				source: 'whatsapp',
				tags: ['spring'],
				createdAt: '2026-02-28T22:00:00.000-05:00',
				saleDate: '2026-03-08T01:30:15.900-05:00',
				estimatedValue: 1500.5,
				currency: 'BRL',
				contactId: 'contact-1',
				name: 'Contact A',
				email: 'A@Example.com',
				phone: '+1 415 555 0100',
			},
		],
		[
			'googleAds',
			{
				Email: hash('a@example.com'),
				'Phone Number': hash('+14155550100'),
				'Conversion Name': 'Sale',
				'Conversion Time': '2026-03-08 01:30:15-0500',
				'Conversion Value': 1500.5,
				'Conversion Currency': 'BRL',
				'Order ID': 'lead-1',
			},
		],
		[
			'googleDataManager',
			{
				eventTimestamp: '2026-03-08T01:30:15-05:00',
				transactionId: 'lead-1',
				eventSource: 'OTHER',
				conversionValue: 1500.5,
				currency: 'BRL',
				userData: {
					userIdentifiers: [
						{ emailAddress: hash('a@example.com') },
						{ phoneNumber: hash('+14155550100') },
					],
				},
			},
		],
		[
			'meta',
			{
				event_name: 'Purchase',
				event_time: Date.parse('2026-03-08T06:30:15Z') / 1000,
				event_id: 'lead-1:Purchase',
				action_source: 'system_generated',
				user_data: {
					em: [hash('a@example.com')],
					ph: [hash('14155550100')],
					fn: [hash('contact')],
					ln: [hash('a')],
					external_id: [hash('contact-1')],
				},
				custom_data: {
					// Required of events of a CRM: CAPI/conversion-leads-integration/payload-specification (28 June 2026).
					event_source: 'crm',
					lead_event_source: 'Integration Leads',
					currency: 'BRL',
					value: 1500.5,
					order_id: 'lead-1',
				},
			},
		],
	])('as %s, in English digits and words whatever the language of the host', (format, item) => {
		const { defaultLocale } = Settings;
		Settings.defaultLocale = 'ar-EG';
		const { items, summary } = exported([sold], { format });
		Settings.defaultLocale = defaultLocale;
		expect([items, summary.text]).toEqual([[item], expect.stringContaining(' on 8 Mar 2026 ')]);
	});

	// The service writes values and dates as programs do; what people write is not guessed.
	it.each([
		['saleDate', '2026-01-31', '2026-01-31T00:00:00.000-03:00'],
		['saleDate', '31/01/2026', undefined],
		['saleDate', 1769869800, undefined],
		['estimatedValue', 1500.5, 1500.5],
		['estimatedValue', ' 1500 ', 1500],
		['estimatedValue', '1.500,50', undefined],
		['estimatedValue', '', undefined],
		['estimatedValue', NaN, undefined],
	])('reads the %s %p as %p', (field, given, value) => {
		const period = { saleDateFrom: '2026-01-01' };
		const { items } = exported([{ ...sold, [field]: given }], period, SAO_PAULO);
		expect(items.map((row) => row[field])).toEqual(value === undefined ? [] : [value]);
	});

	// Each rule of a platform: who states it is in the stand-ins of test/e2e and beside the rule.
	const PLATFORMS = ['googleAds', 'googleDataManager', 'meta'];
	const IS = 'is missing or cannot be read';
	const ALL = [...PLATFORMS, 'rows'];
	it.each<[change: IDataObject, why: string, formats: string[], whatToDo: string]>([
		[{ saleDate: null }, `Sale Date ${IS}`, ALL, 'Enter Sale Date in the lead.'],
		[{ estimatedValue: '1.500,50' }, `Estimated Value ${IS}`, ALL, 'Enter Estimated Value'],
		[{ id: undefined }, `ID ${IS}`, ALL, 'Enter ID'],
		[{ contact: {} }, `Email or Phone ${IS}`, PLATFORMS, 'or Default Country Code'],
		[{ estimatedValue: -0.01 }, 'Estimated Value is negative', ALL, 'Correct'],
		[{ saleDate: '2026-03-10T12:01:01Z' }, 'is in the future', PLATFORMS, 'or wait until then'],
		[{ createdAt: '2026-03-09T15:00:00Z' }, 'is before the day on which', PLATFORMS, 'Correct'],
		[{ id: 'x'.repeat(65) }, 'longer than the 64 characters', PLATFORMS.slice(0, 2), 'by hand'],
		[{ tags: ['Refund to check'] }, 'it has the tag "Refund to check"', ALL, 'what is left'],
		[
			{ tags: ['Sale taken back', 'Refund to check'] },
			'it has the tag',
			ALL,
			'the tag "Refund to check"',
		],
		[{ saleDate: '2026-03-03T11:59:59Z' }, 'more than 7 days ago', ['meta'], 'Physical Store'],
		[{ id: 'x'.repeat(64), estimatedValue: '0.00' }, '', [], ''],
	])('%j is not exported, because %s, for %j: %s', (change, why, formats, whatToDo) => {
		for (const format of ALL) {
			const { items, lines } = exported([{ ...sold, ...change }], { ...month, format });
			const isLeft = formats.includes(format);
			expect(items).toHaveLength(isLeft ? 0 : 1);
			expect(lines).toMatch(isLeft ? new RegExp(`^- .*: .*${why}.*\\. .*${whatToDo}.*$`) : /^$/);
		}
	});

	it('a sale that was taken back before it was sent is counted, without a line every night', () => {
		for (const format of ALL) {
			const taken = { ...sold, tags: ['sale taken back'] };
			const { items, summary } = exported([taken], { ...month, format });
			expect(items).toEqual([]);
			expect(summary).toMatchObject({ notExported: 1, incomplete: [], lines: '' });
			expect(summary.text).toContain('not exported: 1 because it has the tag "Sale taken back"');
		}
	});

	it.each([
		['system_generated', '2026-03-03T12:00:00Z', 1, undefined],
		['chat', '2026-03-03T11:59:59Z', 0, undefined],
		['physical_store', '2026-03-03T11:59:59Z', 1, undefined],
		['physical_store', '2026-01-07T12:00:00Z', 1, undefined],
		['physical_store', '2026-01-07T11:59:59Z', 0, undefined],
		// Recorded with its lead on another day.
		['physical_store', '2026-03-08T12:00:00Z', 1, '2026-03-09T15:00:00Z'],
	])('of %s, a sale of %s: %i', (actionSource, saleDate, count, createdAt) => {
		const request = { saleDateFrom: '2026-01-01', format: 'meta', actionSource };
		expect(exported([{ ...sold, saleDate, createdAt }], request).items).toHaveLength(count);
	});

	// Without a time, it is dated before its lead on the same day.
	it.each([
		['a date', '2026-03-08', '2026-03-08T13:00:00Z', '2026-03-08 10:00:00-0300'],
		['midnight', '2026-03-08T03:00:00Z', '2026-03-08T13:00:00Z', '2026-03-08 10:00:00-0300'],
		['midnight UTC', '2026-03-08T00:00:00Z', '2026-03-08T13:00:00Z', '2026-03-08 10:00:00-0300'],
		['the eve', '2026-03-08T00:00:00Z', '2026-03-08T01:00:00Z', '2026-03-07 22:00:00-0300'],
		['after it', '2026-03-08T14:00:00Z', '2026-03-08T13:00:00Z', '2026-03-08 11:00:00-0300'],
		['unknown', '2026-03-08', undefined, '2026-03-08 00:00:00-0300'],
		['another day', '2026-03-07', '2026-03-08T13:00:00Z', undefined],
	])('a sale of %s: %s, of a lead of %s, is exported at %s', (_, saleDate, createdAt, time) => {
		const lead = { ...sold, saleDate, createdAt };
		const { items } = exported([lead], { ...month, format: 'googleAds' }, SAO_PAULO);
		expect(items.map((row) => row['Conversion Time'])).toEqual(time ? [time] : []);
		const [row] = exported([lead], month, SAO_PAULO).items;
		expect(Date.parse(String(row.saleDate))).toBe(saleDateOf(lead, SAO_PAULO)?.toMillis());
	});

	describe('clicks, kept as metadata of interactions,', () => {
		const clicked = (createdAt: string | undefined, metadata: unknown) => ({ createdAt, metadata });
		const at = '2026-03-08T05:00:00Z';
		const account = '102290129340398';
		const messaging = {
			...month,
			format: 'meta',
			actionSource: 'chat',
			options: { whatsappAccountId: account },
		};

		const g1 = { gclid: 'g1' };
		const fbc = 'fb.1.1769880600000.IwAR2F4-dbP0l7Mn1';
		it.each<[unknown[], Record<string, unknown>]>([
			[[{ gclid: 'g2' }], { gclid: 'g2' }],
			[
				[{ wbraid: 'w', li_fat_id: 'l' }, { ttclid: 't' }],
				{ ...g1, wbraid: 'w', li_fat_id: 'l', ttclid: 't' },
			],
			// Nothing empty or unknown.
			[[{ gclid: ' ', fbc: null, utm_source: 'x' }, 'text'], g1],
			[[{ lead_id: 123456789012345 }], { ...g1, lead_id: '123456789012345' }],
			// Meta's export of leads has a prefix.
			[[{ lead_id: 'l:1234567890123456' }], { ...g1, lead_id: '1234567890123456' }],
			// What is no ID of a click displaces none: adsmurai-facebook-conversions-api-client 6, facebook-for-woocommerce PR 3668.
			[
				[{ gclid: 'undefined' }, { gclid: 'null' }, { gclid: '{gclid}' }, { gclid: '{{ gclid }}' }],
				g1,
			],
			[[{ gclid: false }, { gclid: 'a b' }, { wbraid: 'None' }, { ttclid: '[object Object]' }], g1],
			[
				[
					{ fbc: 'fb.1.1769880600000.' },
					{ fbc: 'IwAR0abc' },
					{ fbc: 'fb.1.1769880600000.undefined' },
				],
				g1,
			],
			// "fb.subdomainIndex.creationTime.fbclid": Meta's page "fbp and fbc" (30 Nov 2026). The pixel's own is better.
			[[{ fbclid: 'IwAR0abc' }], { ...g1, fbc: `fb.1.${Date.parse(at)}.IwAR0abc` }],
			[[{ fbclid: 'IwAR0abc', fbc }], { ...g1, fbc }],
			[[{ fbclid: 'IwAR0abc', fbc: '' }], { ...g1, fbc: `fb.1.${Date.parse(at)}.IwAR0abc` }],
			[[{ fbc }, { fbclid: 'IwAR2F4-dbP0l7Mn1' }], { ...g1, fbc }],
			[[{ fbclid: '' }, { fbclid: 'undefined' }, { fbclid: '{{fbclid}}' }], g1],
			[[{ lead_id: 7 }, { lead_id: 'undefined' }, { lead_id: 'l:12' }, { ctwa_clid: 'null' }], g1],
		])('%j as rows: %j', (given, expected) => {
			const first = clicked('2026-03-01T00:00:00Z', g1);
			const next = clicked('2026-03-09T20:00:00Z', { gclid: 'after the sale' });
			const interactions = [next, ...given.map((metadata) => clicked(at, metadata)), first];
			const [without, row] = exported([sold, { ...sold, interactions }]).items;
			expect(row).toEqual({ ...without, ...expected });
		});

		it.each<[string, string, Record<string, string>, unknown]>([
			['googleAds', 'Google Click ID', { gclid: 'c' }, 'c'],
			['googleDataManager', 'adIdentifiers', { gclid: 'c', gbraid: 'd' }, { gclid: 'c' }],
			['googleDataManager', 'adIdentifiers', { wbraid: 'c' }, { wbraid: 'c' }],
			['meta', 'user_data', { fbc }, { fbc }],
			['meta', 'user_data', { fbc: `${fbc}.AQ` }, { fbc: `${fbc}.AQ` }],
			['meta', 'user_data', { lead_id: '1234567890123456' }, { lead_id: 1234567890123456 }],
			['meta', 'user_data', { lead_id: '12345678901234567' }, { lead_id: '12345678901234567' }],
		])('are enough to export a sale as %s: the %s of %j is %j', (format, field, click, value) => {
			const lead = { ...sold, contact: {}, interactions: [clicked(at, click)] };
			const [item] = exported([lead], { format }).items;
			expect(item[field]).toEqual(value);
		});

		const oldSale = { actionSource: 'physical_store', saleDate: '2026-03-02' };
		it.each<[string, IDataObject, unknown, boolean]>([
			['a click 7 days before', {}, '2026-03-01T06:30:15.900Z', true],
			['one longer before', {}, '2026-03-01T06:30:15.899Z', false],
			['one after the sale, on its day', {}, '2026-03-08T23:00:00Z', true],
			['one of the next day', {}, '2026-03-09T12:00:00Z', false],
			['no account', { options: { readClickIds: true } }, at, false],
			['a sale 8 days ago', oldSale, '2026-03-02T08:00:00Z', false],
			['a click without a time, of a lead without one', {}, undefined, false],
		])('into WhatsApp are what Meta counts by, while young: %s', (_, changes, time, counts) => {
			const { saleDate = sold.saleDate, ...more } = changes;
			const interactions = [clicked(time as string | undefined, { ctwa_clid: 'ARA1' })];
			const lead = { ...sold, saleDate, interactions };
			const [event] = exported([lead], { ...messaging, saleDate: 'between', ...more }).items;
			const { action_source: source, messaging_channel: channel, user_data: user } = event;
			expect([source, channel].includes('business_messaging')).toBe(counts);
			const contact = { em: [hash('a@example.com')], ph: [hash('14155550100')] };
			if (!counts) return expect(user).toMatchObject(contact);
			expect(channel).toBe('whatsapp');
			// Neither names nor the ID of the person, and never before the click.
			const ids = { ctwa_clid: 'ARA1', whatsapp_business_account_id: account };
			expect(user).toEqual({ ...contact, ...ids });
			expect(Number(event.event_time) * 1000).toBeGreaterThan(Date.parse(String(time)) - 1000);
		});
	});

	describe('its summary', () => {
		const other = { ...sold, saleDate: '2026-03-01T12:00:00-05:00' };
		const undated = { ...sold, saleDate: null };
		const unpriced = { ...sold, estimatedValue: null };
		const ON = 'sold on 8 Mar 2026 (America/New_York)';

		it.each<[string, ServiceRecord[], Record<string, unknown>?]>([
			['No lead has the chosen status: check "Status".', []],
			[`1 of 1 won lead was ${ON}.`, [sold]],
			[`0 of 2 won leads were ${ON}; without a sale date: 1.`, [undated, other]],
			[
				`4 of 5 won leads were ${ON}; not exported: 2 because Estimated Value is missing or cannot be read, 1 because ID is missing or cannot be read; without a sale date: 1.`,
				[sold, unpriced, unpriced, { ...sold, id: '' }, undated],
			],
			[
				'1 of 1 won lead was sold from 2 Mar 2026 to 8 Mar 2026 (America/New_York).',
				[sold],
				{ saleDateFrom: '2026-03-02' },
			],
			[`1 of 1 lead with the status "open" was ${ON}.`, [sold], { status: 'open' }],
			[`1 of 1 won lead was ${ON}.`, [sold], { status: 'Ganho' }],
		])('%s', (text, leads, changes = {}) => {
			expect(exported(leads, changes).summary.text).toBe(text);
		});

		it('has counts, and who, what amount, which day, why and what to do of each that is not exported', () => {
			const nameless = { ...unpriced, id: 'lead-2', contact: {} };
			const lines = [
				`crm-1, no amount, sold on 8 Mar 2026: Estimated Value ${IS}. Enter Estimated Value in the lead.`,
				`Contact A, 1500.50 BRL, no sale date: Sale Date ${IS}. Enter Sale Date in the lead.`,
			];
			const left = [
				{ line: lines[0], reason: `Estimated Value ${IS}`, leadId: 'lead-2', externalId: 'crm-1' },
				{ line: lines[1], reason: `Sale Date ${IS}`, leadId: 'lead-1', externalId: 'crm-1' },
			];
			expect(exported([undated, sold, nameless, other]).summary).toEqual({
				text: expect.any(String) as string,
				skipped: 0,
				wonLeads: 4,
				inPeriod: 2,
				exported: 1,
				notExported: 1,
				withoutSaleDate: 1,
				changed: [],
				notCompared: 0,
				lines: `- ${lines[0]}\n- ${lines[1]}`,
				sales: { 'lead-1': 'Contact A, 1500.50 BRL, sold on 8 Mar 2026' },
				incomplete: left,
			});
			const many = exported(Array<ServiceRecord>(22).fill(unpriced)).lines.split('\n');
			expect(many.slice(19)).toEqual([expect.any(String), '- and 2 more']);
		});
	});

	describe('of a stage', () => {
		const undated = { ...sold, status: 'open', saleDate: null, estimatedValue: null };

		const time = Date.parse(stage.eventTime) / 1000;
		const own = { event_name: 'QualifiedLead', event_id: 'lead-1:QualifiedLead', event_time: time };
		it.each<[string, object]>([
			['meta', own],
			['googleAds', { 'Conversion Time': '2026-03-10 07:00:00-0400', 'Order ID': 'lead-1' }],
			['googleDataManager', { eventTimestamp: '2026-03-10T07:00:00-04:00' }],
		])('is an event of its own for %s, without a value', (format, fields) => {
			const [event] = exported([undated], { ...stage, format }).items;
			expect(event).toMatchObject(fields);
			expect(JSON.stringify(event)).not.toMatch(/value|currency/i);
		});

		it.each([
			['system_generated', { event_source: 'crm', lead_event_source: 'Integration Leads' }],
			['physical_store', undefined],
		])('with the Action Source %s has custom_data %j', (actionSource, expected) => {
			const [event] = exported([undated], { ...stage, actionSource }).items;
			expect(event.custom_data).toEqual(expected);
		});

		it('with nothing but a word for a click is not exported', () => {
			const interactions = [{ createdAt: '2026-03-08T05:00:00Z', metadata: { fbc: 'undefined' } }];
			expect(exported([{ ...undated, contact: {}, interactions }], stage).items).toEqual([]);
		});

		it.each<[ServiceRecord, Record<string, unknown>, string]>([
			[undated, { eventTime: '2026-03-11' }, 'Event Time is in the future'],
			[undated, { eventTime: '2026-03-01' }, 'Event Time is more than 7 days ago'],
			[{ ...undated, createdAt: '2026-03-12' }, {}, 'Event Time is before the day on which'],
		])('%j with %j is not exported: %s', (lead, changes, why) => {
			expect(exported([lead], { ...stage, ...changes }).lines).toContain(why);
		});
	});

	it.each([undefined, null, '', ' '])(
		'has the defaults of the panel where %j is chosen',
		(blank) => {
			const { format, saleDate } = settingsOf({ format: blank, saleDate: blank }, NEW_YORK);
			expect([format, saleDate]).toEqual(['rows', 'yesterday']);
		},
	);

	it.each<[Record<string, unknown>, string]>([
		[{ saleDate: 'tomorrow' }, '"Sale Date" has no value "tomorrow"'],
		[{ saleDateFrom: '' }, '"Sale Date From" is empty'],
		[{ saleDateTo: '2026-03-08' }, '"Sale Date Before" must be later than "Sale Date From"'],
		[{ format: '__proto__' }, '"Format" has no value "__proto__"'],
		[{ format: 'googleAds', conversionName: ' ' }, '"Conversion Name" is empty'],
		[{ format: 'meta', eventName: '' }, '"Event Name" is empty'],
		[{ format: 'meta', actionSource: undefined }, '"Action Source" is empty'],
		[{ format: 'meta', event: 'none' }, '"Event" has no value "none"'],
		// The values of Meta that need fields which leads do not have, and one that it does not have:
		// https://developers.facebook.com/documentation/ads-commerce/conversions-api/parameters/server-event (28 Nov 2026).
		[{ format: 'meta', actionSource: 'website' }, '"Action Source" has no value "website"'],
		[{ format: 'meta', actionSource: 'app' }, '"Action Source" has no value "app"'],
		[
			{ format: 'meta', actionSource: 'business_messaging' },
			'"Action Source" has no value "business_messaging"',
		],
		[{ format: 'meta', actionSource: 'crm' }, '"Action Source" has no value "crm"'],
		[{ ...stage, actionSource: 'crm' }, '"Action Source" has no value "crm"'],
		[{ ...stage, eventTime: undefined }, '"Event Time" is empty'],
		[{ ...stage, eventName: 'purchase' }, '"Event" is Stage, and "Purchase" is a sale'],
	])('%j is refused', (changes, message) => {
		expect(() => exported([], changes)).toThrow(InputError);
		expect(() => exported([], changes)).toThrow(message);
	});
});
