/** Conversion export: whom a sale is matched to, periods and formats. */
import { mapValues } from 'lodash';
import { DateTime, Settings } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import type { ServiceRecord } from '../../nodes/IntegrationLeads/values/json';
import { conversionExport } from '../../nodes/IntegrationLeads/conversion/export';
import { parseExportSettings } from '../../nodes/IntegrationLeads/conversion/exportSettings';
import { conversionParameters } from '../../nodes/IntegrationLeads/panels/conversion';
import type { RunContext } from '../../nodes/IntegrationLeads/operation';
import { InputError } from '../../nodes/IntegrationLeads/userError';
import { converterOf } from '../../nodes/IntegrationLeads/fields/converter';

const SAO_PAULO = 'America/Sao_Paulo';
const NEW_YORK = 'America/New_York';
const now = Date.parse('2026-03-10T12:00:00Z');

const parameters: Record<string, unknown> = {
	status: 'closed_won',
	saleDate: 'between',
	saleDateFrom: '2026-03-08',
	saleDateTo: '2026-03-09',
	format: 'rows',
	conversionName: 'Sale',
	eventName: 'Purchase',
	actionSource: 'system_generated',
};
const ofOne = { leads: 'item', eventLeadId: 'lead-1', saleDateFrom: '' };
const stage = {
	...ofOne,
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
	contact: {
		id: 'contact-1',
		name: 'Contact A',
		email: 'A@Example.com',
		phone: '+1 415 555 0100',
	},
};

/** The settings as the node has them: each value through its parameter's converter. */
function settingsOf(changes: Record<string, unknown>, context: RunContext): IDataObject {
	const values: Record<string, unknown> = { ...parameters, ...changes };
	return mapValues(values, (value, name) => {
		const parameter = conversionParameters.find((each) => each.name === name);
		const convert = parameter && converterOf(parameter);
		return convert ? convert(value, { ...context, label: parameter.displayName }) : value;
	}) as IDataObject;
}

function reportOf(changes: Record<string, unknown> = {}, more: Partial<RunContext> = {}) {
	const context = { timezone: NEW_YORK, now, ...more };
	return conversionExport(settingsOf(changes, context), context);
}

function exported(
	leads: ServiceRecord[],
	changes: Record<string, unknown> = {},
	timezone = NEW_YORK,
	more: Partial<RunContext> = {},
) {
	const { items, hints } = reportOf(changes, { timezone, ...more }).build(leads);
	const [summary, ...notes] = hints;
	return { items, summary, hints: notes };
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

describe('whom a sale is matched to', () => {
	/** What is sent of a contact, hashed; nothing if that is not enough. */
	const forMeta = (contact: ServiceRecord, countryCode?: string) =>
		exported([{ ...sold, contact }], { format: 'meta' }, NEW_YORK, { countryCode }).items.map(
			(event) => event.user_data as Record<string, unknown>,
		);
	const forGoogle = (contact: ServiceRecord, countryCode?: string) =>
		exported([{ ...sold, contact }], { format: 'googleAds' }, NEW_YORK, { countryCode }).items;

	// The platform's own examples, from the pages that sale.ts names.
	it('has the hashes that Meta shows', () => {
		expect(forMeta({ email: 'John_Smith@gmail.com', phone: '+1 (650)555-1212' })).toEqual([
			{
				em: ['62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f'],
				ph: ['e323ec626319ca94ee8bff2e4c87cf613be6ea19919ed1364124e16807ab3176'],
			},
		]);
	});

	// [the email, for Meta, for Google if it differs]
	it.each<[given: unknown, meta: string | undefined, google?: string]>([
		['Cloudy.Sf+shopping@gmail.com', 'cloudy.sf+shopping@gmail.com', 'cloudysf@gmail.com'],
		['user.name+NYC@Example.com', 'user.name+nyc@example.com'],
		[' A.b@GoogleMail.com\n', 'a.b@googlemail.com', 'ab@googlemail.com'],
		['a.b@mail.gmail.com', 'a.b@mail.gmail.com'],
		['a b@example.com', undefined, 'ab@example.com'],
		['+x@gmail.com', '+x@gmail.com', ''],
		// How an email is read: test/pure/identity.test.mts.
		['no address', undefined],
		['n/a', undefined],
		[7, undefined],
	])('the email %p is %p for Meta, %p for Google', (email, meta, google = meta) => {
		expect(forMeta({ email })).toEqual(meta ? [{ em: [hash(meta)] }] : []);
		expect(forGoogle({ email }).map(({ Email }) => Email)).toEqual(google ? [hash(google)] : []);
	});

	// CAPI/parameters/customer-information-parameters (9 Jan 2026): `fn` and `ln` are text or a list of texts, in lower case
	// and without punctuation. Its example Valéry is the first row.
	it.each<[unknown, string | undefined, string[]]>([
		['Valéry Souza', 'valéry', ['souza']],
		[" ANA  Maria d'Ávila ", 'ana', ['dávila']],
		['Jose\u0301 Nun\u0303ez', 'josé', ['nuñez']],
		['Ana-Lúcia 🌻 Souza.', 'analúcia', ['souza']],
		['田中 太郎', '田中', ['太郎']],
		['Ana', 'ana', []],
		['🌻 123', undefined, []],
		[{ first: 'Ana' }, undefined, []],
		['Ana Maria da Silva', 'ana', ['dasilva', 'silva']],
		['Juan de la Cruz', 'juan', ['delacruz', 'cruz']],
		['Anna von der Heide', 'anna', ['vonderheide', 'heide']],
		['Ana dos Santos Souza', 'ana', ['souza']],
		['Ana da Silva Jr.', 'ana', ['dasilva', 'silva']],
		['Ana Souza JÚNIOR', 'ana', ['souza']],
		['Ana Jr.', 'ana', []],
		['Ana Souza (Loja)', 'ana', ['souza']],
		['Ana (Loja Centro) Souza [VIP', 'ana', ['souza']],
		['(Loja)', undefined, []],
		['Ana da', 'ana', ['da']],
	])('Meta: the names in %p are %p and %j', (name, first, last) => {
		const [{ fn, ln }] = forMeta({ name, email: 'a@example.com' });
		expect(fn).toEqual(first && [hash(first)]);
		expect(ln).toEqual(last.length > 0 ? last.map(hash) : undefined);
	});

	it.each([
		['+1 (800)555-0100', undefined, '18005550100'],
		['(11) 90000-0001', '55', '5511900000001'],
		['0055 11 90000-0001', '55', '5511900000001'],
		['0055 11 90000-0001', undefined, '5511900000001'],
		['(21) 90000-0001', '55', '5521900000001'],
		['085 90000-0001', '55', '5585900000001'],
		// Whose number it is would be a guess.
		['(11) 90000-0001', undefined, undefined],
		[{ phone: 1 }, '55', undefined],
	])('the phone %p, in the country %p, is %p', (phone, country, digits) => {
		expect(forMeta({ phone }, country)).toEqual(digits ? [{ ph: [hash(digits)] }] : []);
		expect(forGoogle({ phone }, country).map((row) => row['Phone Number'])).toEqual(
			digits ? [hash(`+${digits}`)] : [],
		);
	});
});

describe('periods', () => {
	const HOUR = 3_600_000;
	const at = (text: string, zone: string) => DateTime.fromISO(text, { zone }).toMillis();
	const periodOf = (changes: Record<string, unknown>, context: RunContext) =>
		parseExportSettings(settingsOf(changes, context), context).period;

	it.each([
		['yesterday', SAO_PAULO, '2026-03-01T00:30', '2026-02-28', '2026-03-01'],
		['yesterday', SAO_PAULO, '2026-03-01T23:59:59.999', '2026-02-28', '2026-03-01'],
		['last7Days', SAO_PAULO, '2026-03-03T12:00', '2026-02-24', '2026-03-03'],
		['last30Days', SAO_PAULO, '2026-01-15T12:00', '2025-12-16', '2026-01-15'],
		['lastMonth', SAO_PAULO, '2026-03-31T12:00', '2026-02-01', '2026-03-01'],
		['lastMonth', SAO_PAULO, '2026-01-01T00:00', '2025-12-01', '2026-01-01'],
		['thisMonth', SAO_PAULO, '2026-01-31T23:00', '2026-01-01', '2026-02-01'],
		// Clocks were put forward at 2:00 on 2026-03-08 and back on 2026-11-01: days of 23 and 25 hours.
		['yesterday', NEW_YORK, '2026-03-09T06:00', '2026-03-08', '2026-03-09'],
		['yesterday', NEW_YORK, '2026-11-02T06:00', '2026-11-01', '2026-11-02'],
		['last7Days', NEW_YORK, '2026-03-09T06:00', '2026-03-02', '2026-03-09'],
		// At midnight: 2018-11-04 began at 1:00 in Brazil.
		['today', SAO_PAULO, '2018-11-04T12:00', '2018-11-04T01:00', '2018-11-05'],
		['yesterday', SAO_PAULO, '2018-11-05T12:00', '2018-11-04T01:00', '2018-11-05'],
	])('%s in %s at %s is from %s to %s', (name, zone, now, from, to) => {
		expect(periodOf({ saleDate: name }, { timezone: zone, now: at(now, zone) })).toEqual({
			from: at(from, zone),
			to: at(to, zone),
		});
	});

	// Days on which clocks are put back over midnight, put forward at midnight, changed by half an hour or not at all.
	const CHANGES =
		'Atlantic/Azores 2026-10-25|America/Havana 2026-11-01|America/Sao_Paulo 2018-11-04|' +
		'Africa/Cairo 2026-10-30|Australia/Lord_Howe 2026-04-05|Asia/Kathmandu 2026-10-25';
	it.each(CHANGES.split('|').map((change) => change.split(' ')))(
		'days in %s around %s neither share nor miss a moment, at any time of the day',
		(zone, around) => {
			const dateOf = (moment: number) => String(DateTime.fromMillis(moment, { zone }).toISODate());
			const noon = Date.parse(`${around}T12:00Z`);
			const asked = new Map<string, object[]>();
			let last: object | undefined;
			for (let run = noon - 60 * HOUR + 1; run < noon + 60 * HOUR; run += HOUR / 2) {
				const date = dateOf(run);
				const context = { timezone: zone, now: run };
				const periods = ['today', 'yesterday'].map((saleDate) => periodOf({ saleDate }, context));
				if (asked.has(date)) {
					expect(periods).toEqual(asked.get(date));
					continue;
				}
				asked.set(date, periods);
				const [today, yesterday] = periods;
				// Its earliest moment: what comes before belongs to dates before.
				expect(dateOf(today.from)).toBe(date);
				for (let before = 1; before < 27 * HOUR; before += HOUR / 2) {
					expect(dateOf(today.from - before) < date).toBe(true);
				}
				expect(yesterday.to).toBe(today.from);
				if (last) expect(yesterday).toEqual(last);
				last = today;
				const saleDateTo = DateTime.fromISO(date, { zone: 'utc' }).plus({ days: 1 }).toISODate();
				expect(periodOf({ saleDateFrom: date, saleDateTo }, context)).toEqual(today);
			}
			expect(asked.size).toBeGreaterThan(3);
		},
	);

	it('has all that the panel offers', () => {
		const offered = conversionParameters.find(({ name }) => name === 'saleDate')?.options ?? [];
		expect(offered).toHaveLength(7);
		for (const option of offered) reportOf({ saleDate: 'value' in option && option.value });
	});
});

describe('the export', () => {
	it('as rows', () => {
		expect(exported([sold]).items).toEqual([
			{
				leadId: 'lead-1',
				externalId: 'crm-1',
				status: 'closed_won',
				saleDate: '2026-03-08T01:30:15.900-05:00',
				estimatedValue: 1500.5,
				currency: 'BRL',
				contactId: 'contact-1',
				name: 'Contact A',
				email: 'A@Example.com',
				phone: '+1 415 555 0100',
			},
		]);
	});

	// The service writes values and dates as programs do; what people write is not guessed.
	it.each([
		['saleDate', '2026-01-31T14:30:00.000Z', '2026-01-31T11:30:00.000-03:00'],
		['saleDate', '2026-01-31T11:30:00', '2026-01-31T11:30:00.000-03:00'],
		['saleDate', '2026-01-31', '2026-01-31T00:00:00.000-03:00'],
		['saleDate', '31/01/2026', undefined],
		['saleDate', '2026-02-30T10:00:00Z', undefined],
		['saleDate', 1769869800, undefined],
		['estimatedValue', 1500.5, 1500.5],
		['estimatedValue', ' 1500 ', 1500],
		['estimatedValue', 0, 0],
		['estimatedValue', '1.500,50', undefined],
		['estimatedValue', '', undefined],
		['estimatedValue', NaN, undefined],
	])('reads the %s %p as %p', (field, given, value) => {
		const period = { saleDateFrom: '2026-01-01' };
		const { items } = exported([{ ...sold, [field]: given }], period, SAO_PAULO);
		expect(items.map((row) => row[field])).toEqual(value === undefined ? [] : [value]);
	});

	it.each([
		[NEW_YORK, '2026-03-08T06:30:15.900Z', '2026-03-08 01:30:15-0500'],
		// An hour later, by the clock two: summer time has begun.
		[NEW_YORK, '2026-03-08T07:30:15Z', '2026-03-08 03:30:15-0400'],
		['Asia/Kolkata', '2026-03-08T06:30:15Z', '2026-03-08 12:00:15+0530'],
	])('for Google Ads, in %s at %s', (zone, saleDate, time) => {
		expect(exported([{ ...sold, saleDate }], { format: 'googleAds' }, zone).items).toEqual([
			{
				Email: hash('a@example.com'),
				'Phone Number': hash('+14155550100'),
				'Conversion Name': 'Sale',
				'Conversion Time': time,
				'Conversion Value': 1500.5,
				'Conversion Currency': 'BRL',
				'Order ID': 'lead-1',
			},
		]);
	});

	it('for Meta', () => {
		expect(exported([sold], { format: 'meta' }).items).toEqual([
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
				custom_data: { currency: 'BRL', value: 1500.5, order_id: 'lead-1' },
			},
		]);
	});

	it('for the CRM integration of Meta', () => {
		const options = { leadEventSource: ' In-house CRM ' };
		const [{ custom_data }] = exported([sold], { format: 'meta', options }).items;
		const source = { event_source: 'crm', lead_event_source: 'In-house CRM' };
		expect(custom_data).toMatchObject(source);
	});

	it('in English digits and words, whatever the language of the host', () => {
		const { defaultLocale } = Settings;
		Settings.defaultLocale = 'ar-EG';
		const { items } = exported([sold], { format: 'googleAds' });
		const { summary } = exported([{ ...sold, saleDate: '2026-02-01' }]);
		Settings.defaultLocale = defaultLocale;
		expect(items[0]['Conversion Time']).toBe('2026-03-08 01:30:15-0500');
		expect(summary).toMatch(/ was on 1 Feb 2026\.$/);
	});

	it.each(['googleAds', 'meta'])('not as %s without email and phone, but as rows', (format) => {
		const leads = [{ ...sold, contact: {} }];
		expect(exported(leads).items).toHaveLength(1);
		const { items, hints } = exported(leads, { format });
		expect(items).toEqual([]);
		expect(hints).toEqual([
			'Not exported, because Email or Phone is missing or cannot be read: 1 lead (crm-1). The option "Report Incomplete" adds them as items.',
		]);
	});

	it.each([
		['2026-03-08T04:59:59.999Z', 0],
		['2026-03-08T05:00:00.000Z', 1],
		['2026-03-09T03:59:59.999Z', 1],
		['2026-03-09T04:00:00.000Z', 0],
	])('a sale of %s: %i', (saleDate, count) => {
		const { items, hints } = exported([{ ...sold, saleDate }]);
		expect([items.length, hints]).toEqual([count, []]);
	});

	it('sales by time, whatever the order of the list', () => {
		const leads = ['c', 'a', 'b'].map((id) => ({ ...sold, id }));
		const later = { ...sold, id: '0', saleDate: '2026-03-08T20:00:00Z' };
		for (const list of [
			[later, ...leads],
			[...leads.reverse(), later],
		]) {
			expect(exported(list).items.map(({ leadId }) => leadId)).toEqual(['a', 'b', 'c', '0']);
		}
	});

	it('names missing values in hints, and in items on request', () => {
		const leads = [
			{ ...sold, saleDate: null },
			{ id: 'lead-2', estimatedValue: 5 },
			{ ...sold, id: 'lead-3', externalId: null, estimatedValue: '1.500,50' },
			{ ...sold, estimatedValue: null, saleDate: '2026-01-01T00:00:00Z' },
			{ ...sold, id: undefined, externalId: null },
			{ id: 'lead-5' },
		];
		const { items, hints } = exported(leads, { options: { reportIncomplete: true } });
		const is = 'is missing or cannot be read';
		expect(items[0]).toEqual({
			incomplete: true,
			missing: ['saleDate'],
			reason: `Sale Date ${is}`,
			leadId: 'lead-1',
			externalId: 'crm-1',
			saleDate: null,
			estimatedValue: '1500.50',
		});
		expect(items).toMatchObject([
			{},
			{ missing: ['saleDate'], leadId: 'lead-2', externalId: null, estimatedValue: 5 },
			{ missing: ['estimatedValue'], saleDate: sold.saleDate, estimatedValue: '1.500,50' },
			{ missing: ['id'], leadId: null, reason: `ID ${is}` },
			{ missing: ['saleDate', 'estimatedValue'], saleDate: null, estimatedValue: null },
		]);
		expect(hints).toEqual([
			`Not exported, because Sale Date ${is}: 2 leads (crm-1, lead-2).`,
			`Not exported, because Estimated Value ${is}: 1 lead (lead-3).`,
			`Not exported, because ID ${is}: 1 lead (without ID).`,
			'Not exported, because Sale Date and Estimated Value are missing or cannot be read: 1 lead (lead-5).',
		]);
	});

	it.each([
		['no contact', null, 'a@example.com'],
		['the contact without an email', { id: '7' }, 'a@example.com'],
		['an empty email of the contact', { id: '7', email: '' }, 'a@example.com'],
		['the contact without an ID', { email: null }, 'a@example.com'],
		['another email', { id: '7', email: 'b@example.com' }, 'b@example.com'],
		['another contact', { id: 'd' }, undefined],
	])('reading %s', (_, contact, email) => {
		const options = { readContacts: true };
		const [whole, wholeContact] = reportOf({ options }).enrichments;
		const listed = { id: 'lead-1', contact: { id: 7, email: 'a@example.com' } };
		for (const joined of [
			whole.merge(listed, { id: 'lead-1', contact }),
			wholeContact.merge(listed, contact ?? undefined),
		]) {
			expect((joined?.contact as ServiceRecord).email).toBe(email);
		}
	});

	it.each([
		['closed_won', 'closed_won', true],
		['closed_won', 'CLOSED_WON', true],
		['closed_won', null, true],
		['', 'closed_won', true],
		['closed_won', 'open', false],
	])('a lead listed as %p and read as %p is won: %p', (status, read, won) => {
		const [whole] = reportOf().enrichments;
		expect(whole.merge({ ...sold, status }, { ...sold, status: read }) !== undefined).toBe(won);
	});

	it('names the first five only', () => {
		const leads = Array.from({ length: 7 }, (_, n) => ({ id: `${n}`, estimatedValue: 1 }));
		expect(exported(leads).hints[0]).toMatch(/: 7 leads \(0, 1, 2, 3, 4 and 2 more\)\./);
	});

	// Each rule of a platform: who states it is in the stand-ins of test/e2e and beside the rule.
	const PLATFORMS = ['googleAds', 'googleDataManager', 'meta'];
	const CREATED = 'Sale Date is before the day on which the lead was created';
	const TOO_LONG = 'ID is longer than the 64 characters that Google takes';
	const TOO_OLD = 'Sale Date is more than 7 days ago, which Meta does not take';
	it.each<[Record<string, unknown>, string, string[], string]>([
		[{ estimatedValue: -0.01 }, 'Estimated Value is negative', PLATFORMS, 'estimatedValue'],
		[{ saleDate: '2026-03-10T12:00:01Z' }, 'Sale Date is in the future', PLATFORMS, 'saleDate'],
		[{ createdAt: '2026-03-09T15:00:00Z' }, CREATED, PLATFORMS, 'saleDate'],
		[{ id: 'x'.repeat(65), externalId: null }, TOO_LONG, PLATFORMS.slice(0, 2), 'id'],
		[{ saleDate: '2026-03-03T11:59:59Z' }, TOO_OLD, ['meta'], 'saleDate'],
	])('%j is not exported, because %s, for %j, and named', (change, reason, platforms, field) => {
		const lead: ServiceRecord = { ...sold, ...change };
		const missing = [field];
		const dates = { saleDateFrom: '2026-03-01', saleDateTo: '2026-03-20' };
		const request = { ...dates, options: { reportIncomplete: true } };
		for (const format of [...PLATFORMS, 'rows']) {
			const { items, hints, summary } = exported([lead], { ...request, format });
			if (platforms.includes(format)) {
				expect(items).toMatchObject([{ incomplete: true, missing, reason, leadId: lead.id }]);
				expect(hints).toEqual([expect.stringContaining(`because ${reason}: 1 lead (`)]);
				expect(summary).toContain(`not exported: 1 because ${reason}`);
			} else {
				expect(items).toHaveLength(1);
				expect(hints).toEqual([]);
			}
		}
	});

	it.each(PLATFORMS)('an ID of 64 characters and a value of 0 are exported for %s', (format) => {
		const lead = { ...sold, id: 'x'.repeat(64), estimatedValue: '0.00' };
		expect(exported([lead], { format }).items).toHaveLength(1);
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

	describe('a sale without a time, dated before its lead on the same day', () => {
		const google = { format: 'googleAds', saleDateFrom: '2026-03-01', saleDateTo: '2026-03-10' };
		it.each([
			['a date', '2026-03-08', '2026-03-08T13:00:00Z', '2026-03-08 10:00:00-0300'],
			['midnight', '2026-03-08T03:00:00Z', '2026-03-08T13:00:00Z', '2026-03-08 10:00:00-0300'],
			['midnight UTC', '2026-03-08T00:00:00Z', '2026-03-08T13:00:00Z', '2026-03-08 10:00:00-0300'],
			['the eve', '2026-03-08T00:00:00Z', '2026-03-08T01:00:00Z', '2026-03-07 22:00:00-0300'],
			['after it', '2026-03-08T14:00:00Z', '2026-03-08T13:00:00Z', '2026-03-08 11:00:00-0300'],
			['unknown', '2026-03-08', undefined, '2026-03-08 00:00:00-0300'],
			['another day', '2026-03-07', '2026-03-08T13:00:00Z', undefined],
		])('%s: %s, created %s, is exported at %s', (_, saleDate, createdAt, time) => {
			const { items, hints } = exported([{ ...sold, saleDate, createdAt }], google, SAO_PAULO);
			expect(items.map((row) => row['Conversion Time'])).toEqual(time ? [time] : []);
			const isMoved = time !== undefined && Date.parse(saleDate) < Date.parse(String(createdAt));
			if (isMoved) {
				expect(hints).toEqual([
					'Exported with the time at which the lead was created, because Sale Date is earlier on the same day: 1 lead (crm-1).',
				]);
			} else expect(hints).toHaveLength(time ? 0 : 1);
		});

		it('stays as it is in rows', () => {
			const lead = { ...sold, saleDate: '2026-03-08', createdAt: '2026-03-08T13:00:00Z' };
			const { items, hints } = exported([lead], {}, SAO_PAULO);
			expect([items[0].saleDate, hints]).toEqual(['2026-03-08T00:00:00.000-03:00', []]);
		});
	});

	it('for the Data Manager API', () => {
		expect(exported([sold], { format: 'googleDataManager' }, SAO_PAULO).items).toEqual([
			{
				eventTimestamp: '2026-03-08T03:30:15-03:00',
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
		]);
	});

	describe('clicks, kept as metadata of interactions,', () => {
		const clicked = (createdAt: string | undefined, metadata: unknown) => ({ createdAt, metadata });
		const at = '2026-03-08T05:00:00Z';
		const withClicks = (interactions: unknown, contact: ServiceRecord = {}) => {
			return { ...sold, contact, interactions };
		};
		const account = '102290129340398';
		const options = { whatsappAccountId: account };
		const messaging = { format: 'meta', actionSource: 'chat', options };

		const g1 = { gclid: 'g1' };
		it.each<[unknown, Record<string, unknown>]>([
			[[{ gclid: 'g2' }], { gclid: 'g2' }],
			[
				[{ wbraid: 'w', li_fat_id: 'l' }, { ttclid: 't' }],
				{ ...g1, wbraid: 'w', li_fat_id: 'l', ttclid: 't' },
			],
			// Nothing empty or unknown.
			[[{ gclid: ' ', fbc: null, utm_source: 'x' }, 'text'], g1],
			[[{ lead_id: 7 }], { ...g1, lead_id: '7' }],
			['no list', {}],
		])('%j as rows: %j', (given, expected) => {
			const first = clicked('2026-03-01T00:00:00Z', g1);
			const next = clicked('2026-03-09T20:00:00Z', { gclid: 'after the sale' });
			const interactions = Array.isArray(given)
				? [next, ...given.map((metadata) => clicked(at, metadata)), first, null]
				: given;
			const [[without], [row]] = [undefined, interactions].map(
				(each) => exported([withClicks(each)]).items,
			);
			expect(row).toEqual({ ...without, ...expected });
		});

		it.each<[string, string, Record<string, string>, unknown]>([
			['googleAds', 'Google Click ID', { gclid: 'c' }, 'c'],
			['googleDataManager', 'adIdentifiers', { gclid: 'c', gbraid: 'd' }, { gclid: 'c' }],
			['googleDataManager', 'adIdentifiers', { gbraid: 'c' }, { gbraid: 'c' }],
			['googleDataManager', 'adIdentifiers', { wbraid: 'c' }, { wbraid: 'c' }],
			['meta', 'user_data', { fbc: 'c' }, { fbc: 'c' }],
			['meta', 'user_data', { lead_id: '1234567890123456' }, { lead_id: 1234567890123456 }],
			['meta', 'user_data', { lead_id: '12345678901234567' }, { lead_id: '12345678901234567' }],
		])('are enough to export a sale as %s: the %s of %j is %j', (format, field, click, value) => {
			const [item] = exported([withClicks([clicked(at, click)])], { format }).items;
			expect(item[field]).toEqual(value);
		});

		it('into WhatsApp are what Meta counts by', () => {
			const contact = { name: 'Contact A', phone: '+1 415 555 0100', id: 'contact-1' };
			const lead = withClicks([clicked(at, { ctwa_clid: 'ARA1' })], contact);
			const [event] = exported([lead], messaging).items;
			const chat = { action_source: 'business_messaging', messaging_channel: 'whatsapp' };
			expect(event).toMatchObject({ event_name: 'Purchase', ...chat });
			const ids = { ctwa_clid: 'ARA1', whatsapp_business_account_id: account };
			expect(event.user_data).toEqual({ ph: [hash('14155550100')], ...ids });
		});

		const oldSale = { actionSource: 'physical_store', saleDate: '2026-03-02' };
		it.each<[string, Record<string, unknown>, unknown, boolean]>([
			['a click 7 days before', {}, '2026-03-01T06:30:15.900Z', true],
			['one longer before', {}, '2026-03-01T06:30:15.899Z', false],
			['one after the sale, on its day', {}, '2026-03-08T23:00:00Z', true],
			['one of the next day', {}, '2026-03-09T12:00:00Z', false],
			['no account', { options: { readClickIds: true } }, at, false],
			['a sale 8 days ago', oldSale, '2026-03-02T08:00:00Z', false],
			['a click without a time, of a lead without one', {}, undefined, false],
		])('into WhatsApp count only while they are young: %s', (_, changes, createdAt, counts) => {
			const { saleDate = sold.saleDate, ...more } = changes;
			const contact = { phone: '+1 415 555 0100' };
			const interactions = [clicked(createdAt as string | undefined, { ctwa_clid: 'ARA1' })];
			const lead = { ...withClicks(interactions, contact), saleDate };
			const request = { ...messaging, saleDateFrom: '2026-03-01', ...more };
			const [event] = exported([lead], request).items;
			expect(event.action_source === 'business_messaging').toBe(counts);
			const time = Number(event.event_time) * 1000;
			if (counts) expect(time).toBeGreaterThanOrEqual(Date.parse(String(createdAt)) - 1000);
			expect(event.user_data).toHaveProperty('ph');
		});
	});

	describe('its summary', () => {
		const other = { ...sold, saleDate: '2026-03-01T12:00:00-05:00' };
		const february = { ...sold, saleDate: '2026-02-28' };
		const later = { ...sold, saleDate: '2026-03-20T12:00:00-05:00' };
		const undated = { ...sold, saleDate: null };
		const unpriced = { ...sold, estimatedValue: null };
		const emailOnly = { ...sold, contact: { email: 'a@example.com' } };
		const hours = { saleDateFrom: '2026-03-08T01:00', saleDateTo: '2026-03-08T04:00' };
		const meta = { format: 'meta' };
		const young = { options: { createdWithin: 30 } };
		const ways = '(Options > Read Contacts or Default Country Code may help)';

		it.each<[string, ServiceRecord[], Record<string, unknown>?]>([
			['No lead has the chosen status: check "Status".', []],
			['1 of 1 won lead was ON.', [sold]],
			['1 of 2 won leads was ON.', [sold, other]],
			['0 of 1 won lead was ON; the last sale before was on 1 Mar 2026.', [other]],
			['0 of 2 won leads were ON; the last sale before was on 1 Mar 2026.', [february, other]],
			['0 of 1 won lead was ON.', [{ ...sold, saleDate: '2026-03-09' }]],
			['1 of 2 won leads was ON; 1 sale date is in the future.', [sold, later]],
			['1 of 3 won leads was ON; 2 sale dates are in the future.', [sold, later, later]],
			['0 of 1 won lead was ON; 1 has no sale date.', [undated]],
			['0 of 2 won leads were ON; 2 have no sale date.', [undated, undated]],
			[
				'4 of 5 won leads were ON; not exported: 2 because Estimated Value is missing or cannot be read, 1 because ID is missing or cannot be read; 1 has no sale date.',
				[sold, unpriced, unpriced, { ...sold, id: '' }, undated],
			],
			[
				'1 of 1 won lead was sold from 2 Mar 2026 to 8 Mar 2026 (America/New_York).',
				[sold],
				{ saleDateFrom: '2026-03-02' },
			],
			[
				'1 of 1 won lead was sold between 8 Mar 2026 01:00 and 8 Mar 2026 04:00 (America/New_York).',
				[sold],
				hours,
			],
			['1 of 1 won lead created since 6 Feb 2026 was ON.', [sold], young],
			['No lead created since 6 Feb 2026 has the chosen status: check "Status".', [], young],
			['1 of 1 won lead was ON.', [emailOnly]],
			[`2 of 2 won leads were ON; 1 lacks a phone ${ways}.`, [sold, emailOnly], meta],
			[
				'2 of 2 won leads were ON; 2 lack a phone (Options > Default Country Code may help).',
				[emailOnly, emailOnly],
				{ ...meta, options: { readContacts: true } },
			],
			[
				`1 of 1 won lead was ON; not exported: 1 because Email or Phone is missing or cannot be read ${ways}.`,
				[{ ...sold, contact: {} }],
				meta,
			],
		])('%s', (summary, leads, changes = {}) => {
			const on = 'sold on 8 Mar 2026 (America/New_York)';
			expect(exported(leads, changes).summary).toBe(summary.replace('ON', on));
		});

		it('names no option that was given in vain', () => {
			const request = { ...meta, options: { readContacts: true } };
			const { summary } = exported([emailOnly], request, NEW_YORK, { countryCode: '55' });
			expect(summary).toMatch(/; 1 lacks a phone\.$/);
		});

		it('has the days of the time zone of the export', () => {
			const between = { saleDateFrom: '2026-03-09', saleDateTo: '2026-03-10' };
			const late = { ...sold, saleDate: '2026-03-08T15:30:00Z' };
			expect(exported([late], between, 'Asia/Tokyo').summary).toBe(
				'1 of 1 won lead was sold on 9 Mar 2026 (Asia/Tokyo).',
			);
			expect(exported([late], between, SAO_PAULO).summary).toMatch(/ was on 8 Mar 2026\.$/);
		});

		it('is an item on request, the last one, with the counts and the other hints', () => {
			const request = { options: { summaryItem: true, reportIncomplete: true } };
			const { items, summary, hints } = exported([undated, sold, unpriced, other, later], request);
			expect(items).toMatchObject([{}, { incomplete: true }, { incomplete: true }, {}]);
			expect(items.at(-1)).toEqual({
				summary: {
					text: summary,
					wonLeads: 5,
					inPeriod: 2,
					exported: 1,
					notExported: 1,
					withoutSaleDate: 1,
					lastSale: '2026-03-08T01:30:15.900-05:00',
					periodStart: '2026-03-08T00:00:00.000-05:00',
					periodEnd: '2026-03-09T00:00:00.000-04:00',
					notes: hints,
				},
			});
			const nothing = { wonLeads: 0, lastSale: null };
			expect(exported([], request).items).toMatchObject([{ summary: nothing }]);
		});

		it('is an item for an AI agent, unless it reads the hints in place of items', () => {
			const forAgent = (leads: ServiceRecord[]) =>
				exported(leads, {}, NEW_YORK, { tool: true }).items.map((item) => 'summary' in item);
			expect(forAgent([sold])).toEqual([false, true]);
			expect(forAgent([other])).toEqual([]);
		});
	});

	describe('without leads that have a tag', () => {
		const options = { leaveOutTag: ['sent', 'too old'], summaryItem: true };
		const tagged = { ...sold, id: 'tagged', tags: ['vip', 'Sent'] };
		const untagged = { ...sold, tags: [] };

		it.each<[string, ServiceRecord[], string[], number]>([
			['1 of 1 won lead TAG was ON; 0 have it.', [untagged], ['lead-1'], 0],
			['1 of 1 won lead TAG was ON; 1 has it.', [untagged, tagged], ['lead-1'], 1],
			// The records of tags.
			['No won lead is TAG; 1 has it.', [{ ...sold, tags: [{ name: 'too old' }] }], [], 1],
			['No lead has the chosen status: check "Status"; 0 have it.', [], [], 0],
			// What has no date and was exported before is no mistake.
			['No won lead is TAG; 2 have it.', [tagged, { ...tagged, saleDate: null }], [], 2],
		])('%s', (text, leads, ids, leftOut) => {
			const { items, summary, hints } = exported(leads, { options });
			const words = { TAG: 'without the tag "sent" or "too old"', ON: 'sold on 8 Mar 2026' };
			const whole = text.replace('TAG', words.TAG).replace('ON', `${words.ON} (America/New_York)`);
			expect([summary, hints]).toEqual([whole, []]);
			expect(items.slice(0, -1).map(({ leadId }) => leadId)).toEqual(ids);
			expect(items.at(-1)).toMatchObject({ summary: { wonLeads: leads.length, leftOut } });
		});

		it.each([undefined, null, 'sent'])('fails if the service shows the tags as %p', (tags) => {
			const run = () => exported([tagged, { ...untagged, tags }], { options });
			expect(run).toThrow('The service does not show the tags of 1 lead (crm-1), so');
		});
	});

	describe('of the lead of an item', () => {
		const meta = { ...ofOne, format: 'meta' };
		const stageAt = Date.parse('2026-03-10T11:00:00Z');
		const undated = { ...sold, status: 'open', saleDate: null, estimatedValue: null };

		it('is the same sale as in a period, whatever its status and date', () => {
			for (const format of ['rows', 'meta', 'googleAds', 'googleDataManager']) {
				const period = exported([sold], { format });
				const lead = { ...sold, status: 'open' };
				const [one] = exported([lead], { ...ofOne, format }).items;
				const row = format === 'rows' && { status: 'open' };
				expect(one).toEqual({ ...period.items[0], ...row });
			}
			const early = { ...sold, saleDate: '2025-03-08' };
			expect(exported([early], ofOne).items).toHaveLength(1);
		});

		it('is a stage of its own, without a value', () => {
			const [event] = exported([undated], stage).items;
			const [sale] = exported([sold], meta).items;
			expect(event).toEqual({
				event_name: 'QualifiedLead',
				event_time: stageAt / 1000,
				event_id: 'lead-1:QualifiedLead',
				action_source: 'system_generated',
				user_data: sale.user_data,
			});
		});

		it.each([
			['googleAds', { 'Conversion Time': '2026-03-10 07:00:00-0400', 'Order ID': 'lead-1' }],
			[
				'googleDataManager',
				{ eventTimestamp: '2026-03-10T07:00:00-04:00', transactionId: 'lead-1' },
			],
		])('is a stage for %s', (format, fields) => {
			const [event] = exported([undated], { ...stage, format }).items;
			expect(event).toMatchObject(fields);
			expect(Object.keys(event).join()).not.toMatch(/value|currency/i);
		});

		it.each<[ServiceRecord, Record<string, unknown>, string]>([
			[undated, meta, 'Sale Date and Estimated Value are missing or cannot be read'],
			[undated, ofOne, 'Sale Date and Estimated Value are missing or cannot be read'],
			[
				{ ...sold, contact: { email: 'n/a' } },
				stage,
				'Email or Phone is missing or cannot be read',
			],
			[sold, { ...stage, eventTime: '2026-03-11' }, 'Event Time is in the future'],
			[sold, { ...stage, eventTime: '2026-03-01' }, 'Event Time is more than 7 days ago'],
			[{ ...sold, createdAt: '2026-03-12' }, stage, 'Event Time is before the day on which'],
			[{ ...sold, estimatedValue: -1 }, meta, 'Estimated Value is negative'],
		])('%j with %j fails: %s', (lead, changes, why) => {
			const message = `No event was made of 1 lead (crm-1), because ${why}`;
			expect(() => exported([lead], changes)).toThrow(message);
		});

		it('is left out if the lead has the tag, with a hint', () => {
			const options = { leaveOutTag: ['sent'] };
			const run = (tags: unknown) => reportOf({ ...stage, options }).build([{ ...sold, tags }]);
			const hints = ['Left out, because of a tag under "Leave Out Tag": 1 lead (crm-1).'];
			expect(run(['sent'])).toEqual({ items: [], hints });
			expect(run([])).toMatchObject({ items: [{}], hints: [] });
			expect(() => run(undefined)).toThrow('does not show the tags of 1 lead');
		});
	});

	it('filters by creation time, on request', () => {
		const options = { createdWithin: 30 };
		expect(reportOf({ options }).query).toEqual({ createdAfter: '2026-02-06T05:00:00.000Z' });
		for (const none of [undefined, { createdWithin: 1e9 }]) {
			expect(reportOf({ options: none }).query).toBeUndefined();
		}
	});

	it.each<[Record<string, unknown>, string]>([
		[{ saleDate: 'tomorrow' }, '"Sale Date" has no entry "tomorrow"'],
		[{ saleDateFrom: '' }, '"Sale Date From" is empty'],
		[{ saleDateTo: '2026-03-08' }, '"Sale Date Before" must be later than "Sale Date From"'],
		[{ format: 'csv' }, '"Format" has no entry "csv"'],
		[{ format: 'googleAds', conversionName: ' ' }, '"Conversion Name" is empty'],
		[{ format: 'meta', eventName: '' }, '"Event Name" is empty'],
		[{ format: 'meta', actionSource: undefined }, '"Action Source" is empty'],
		[{ options: { createdWithin: 0 } }, '"Created Within (Days)" must be at least 1: 0'],
		[{ leads: 'none' }, '"Leads" has no entry "none"'],
		[{ ...ofOne, eventLeadId: ' ' }, '"Lead ID" is empty'],
		[{ ...ofOne, format: 'meta', event: 'none' }, '"Event" has no entry "none"'],
		[{ ...ofOne, format: 'meta', event: 'stage', eventName: 'Stage' }, '"Event Time" is empty'],
		[{ ...stage, eventName: 'purchase' }, '"Event" is Stage, and "Purchase" is a sale'],
	])('%j is refused', (changes, message) => {
		expect(() => reportOf(changes)).toThrow(InputError);
		expect(() => reportOf(changes)).toThrow(message);
	});
});
