/** The stand-ins of the advertising platforms: what the node exports keeps each of their rules, and each refuses. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

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
	const read = (name: string) => values[name];
	return conversionExport(read, { timezone: 'UTC', now }).build([lead]).items[0];
}

// The stand-ins are modules that only Node itself imports.
const SCRIPT = `
	import * as standIns from './test/e2e/advertisers.mjs';
	const { now, events } = JSON.parse(process.argv[1]);
	const context = { now: now / 1000, dataset: standIns.DATASET };
	const rows = Object.entries(events).flatMap(([list, event]) =>
		standIns[list].map(({ name, page, isBroken, breaking }) => ({
			list, name, page,
			isBroken: isBroken(event, context),
			isBrokenThen: isBroken(breaking(event), context),
		})),
	);
	console.log(JSON.stringify(rows));`;
const events = {
	META_RULES: exported('meta'),
	DATA_MANAGER_RULES: exported('googleDataManager'),
	FILE_RULES: exported('googleAds'),
};
const rows = JSON.parse(
	execFileSync(
		process.execPath,
		['--input-type=module', '--eval', SCRIPT, JSON.stringify({ now, events })],
		{ cwd: join(__dirname, '../..'), encoding: 'utf8' },
	),
) as Array<Record<'list' | 'name' | 'page' | 'isBroken' | 'isBrokenThen', unknown>>;

test.each(rows)('$list: $name ($page)', ({ isBroken, isBrokenThen }) => {
	expect([isBroken, isBrokenThen]).toEqual([false, true]);
});

test('each kind of event has rules', () => expect(rows.length).toBeGreaterThan(15));
