/** The stand-ins of the advertising platforms: what the node exports keeps each of their rules, and each refuses. */
import type { IDataObject } from 'n8n-workflow';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { set } from 'lodash';

import { conversionExport } from '../../nodes/IntegrationLeads/conversion/export';

const now = Date.parse('2026-03-10T12:00:00Z');
const lead = {
	id: 'lead-1',
	status: 'closed_won',
	saleDate: '2026-03-09T06:30:15Z',
	estimatedValue: 1500.5,
	contact: { id: 'contact-1', name: 'Contact A', email: 'a@example.com', phone: '+14155550100' },
};

function exported(format: string): object {
	const values: Record<string, unknown> = {
		saleDate: 'yesterday',
		format,
		conversionName: 'Sale',
		eventName: 'Purchase',
		actionSource: 'system_generated',
	};
	return conversionExport(values as IDataObject, { timezone: 'UTC', now }).build([lead]).items[0];
}

const EVENTS = {
	meta: exported('meta'),
	dataManager: exported('googleDataManager'),
	file: exported('googleAds'),
};
const inChat = {
	action_source: 'business_messaging',
	messaging_channel: 'whatsapp',
	user_data: { ctwa_clid: 'ARA1', whatsapp_business_account_id: '102290129340398' },
};

/** What breaks which rule. */
const ROWS: Array<[keyof typeof EVENTS, string, Record<string, unknown>]> = [
	['meta', 'time', { event_time: 1 }],
	['meta', 'source', { action_source: 'whatsapp' }],
	['meta', 'person', { user_data: { external_id: ['0'.repeat(64)] } }],
	['meta', 'hashed', { 'user_data.em': ['ana@example.com'] }],
	['meta', 'purchase', { 'custom_data.currency': undefined }],
	['meta', 'value', { 'custom_data.value': -1 }],
	['meta', 'click', { action_source: 'business_messaging' }],
	['meta', 'chatEvent', { ...inChat, event_name: 'Lead' }],
	['meta', 'dataset', inChat],
	['dataManager', 'eventTimestamp', { eventTimestamp: '2026-11-20 14:30:00-0300' }],
	['dataManager', 'eventSource', { eventSource: undefined }],
	['dataManager', 'userData', { userData: undefined }],
	['dataManager', 'userIdentifiers', { 'userData.userIdentifiers': [{ phoneNumber: '+1415' }] }],
	['dataManager', 'transactionId', { transactionId: 'x'.repeat(65) }],
	['dataManager', 'conversionValue', { conversionValue: '1500.50' }],
	['file', 'time', { 'Conversion Time': '2026-11-20 14:30:00-03:00' }],
	['file', 'order', { 'Order ID': 'x'.repeat(65) }],
	['file', 'person', { Email: '', 'Phone Number': '' }],
	['file', 'past', { 'Conversion Time': '2099-11-20 14:30:00-0300' }],
];

// The stand-ins are modules that only Node itself imports.
const SCRIPT = `
	import { DATASET, RULES, brokenRule } from './test/e2e/advertisers.mjs';
	const { now, events } = JSON.parse(process.argv[1]);
	const context = { now: now / 1000, dataset: DATASET };
	const broken = events.map((given) => brokenRule(...given, context) ?? 'none');
	const rules = Object.entries(RULES).flatMap(([platform, rules]) => Object.keys(rules).map((rule) => [platform, rule]));
	console.log(JSON.stringify({ broken, rules }));`;

function standIns(events: unknown[]) {
	const args = ['--input-type=module', '--eval', SCRIPT, JSON.stringify({ now, events })];
	const cwd = join(__dirname, '../..');
	const printed = execFileSync(process.execPath, args, { cwd, encoding: 'utf8' });
	return JSON.parse(printed) as Record<'broken' | 'rules', unknown>;
}

test('what the node exports keeps all rules', () => {
	expect(standIns(Object.entries(EVENTS)).broken).toEqual(['none', 'none', 'none']);
});

test('each rule is broken by what breaks it', () => {
	const events = ROWS.map(([platform, , changes]) => {
		const event = structuredClone(EVENTS[platform]);
		for (const [path, value] of Object.entries(changes)) set(event, path, value);
		return [platform, event];
	});
	const rules = ROWS.map(([platform, rule]) => [platform, rule]);
	expect(standIns(events)).toEqual({ broken: rules.map(([, rule]) => rule), rules });
});
