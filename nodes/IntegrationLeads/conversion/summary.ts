/** What an export did: as one sentence, as counts, and as a line for each sale that was not exported. Pure. */
import { compact, countBy, max, sortBy } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { Exported } from './export';
import type { NotExported } from './sale';
import { day, saleDateOf, saleInWords } from './sale';
import type { ExportSettings, Period } from './settings';

/** How many sales the text of those that were not exported names. */
const MOST_LINES = 20;

/** What became of the won leads that were read. */
export interface ExportRun {
	/** When each of those that may be exported was sold, in ms since the epoch; undefined without a date. */
	soldAt: Array<number | undefined>;
	/** How many others were skipped for their tags. */
	skipped: number;
	exported: Exported[];
	left: NotExported[];
}

/** Whether a time, in ms since the epoch, is in the period of an export. */
export function isInPeriod(time: number, { from, to }: Period): boolean {
	return from <= time && time < to;
}

export function summarize(
	{ soldAt: leads, skipped, exported, left }: ExportRun,
	period: Period,
	{ timezone: zone, skipTags }: Pick<ExportSettings, 'timezone' | 'skipTags'>,
): IDataObject & { text: string; lines: string } {
	const times = leads.flatMap((time) => time ?? []);
	const inPeriod = times.filter((time) => isInPeriod(time, period)).length;
	const lastSale = max(times.filter((time) => time < period.to));
	const withoutSaleDate = leads.length - times.length;
	const dated = left.filter(({ lead }) => saleDateOf(lead, zone));
	const reasons = Object.entries(countBy(dated, 'reason')).map(
		([reason, count]) => `${count} because ${reason}`,
	);
	const show = (time: number) => day(DateTime.fromMillis(time, { zone }));
	const [start, end] = [show(period.from), show(period.to - 1)];
	const days = start === end ? `on ${start}` : `from ${start} to ${end}`;
	const won = leads.length === 1 ? 'won lead' : 'won leads';
	const was = inPeriod === 1 || leads.length === 1 ? 'was' : 'were';
	const clauses = compact([
		leads.length + skipped === 0
			? 'No lead has the chosen status: check "Status"'
			: `${inPeriod} of ${leads.length} ${won} ${was} sold ${days} (${zone})`,
		skipTags.length > 0 && `skipped for their tag: ${skipped}`,
		inPeriod === 0 && lastSale && `the last sale before was on ${show(lastSale)}`,
		reasons.length > 0 && `not exported: ${reasons.join(', ')}`,
		withoutSaleDate > 0 && `without a sale date: ${withoutSaleDate}`,
	]);
	const toIso = (time: number) => DateTime.fromMillis(time, { zone }).toISO();
	// The newest first, which are new to the reader; the same in every run, whatever the list's order.
	const inOrder = sortBy(left, ({ lead }) => -(saleDateOf(lead, zone)?.toMillis() ?? 0), 'lead.id');
	const lines = inOrder.map((each) => lineOf(each, zone));
	const more = lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more`] : [];
	const named = [...lines.slice(0, MOST_LINES), ...more];
	return {
		text: `${clauses.join('; ')}.`,
		wonLeads: leads.length + skipped,
		...(skipTags.length > 0 && { skipped }),
		inPeriod,
		exported: exported.length,
		notExported: inPeriod - exported.length,
		withoutSaleDate,
		/** In or before the period. */
		lastSale: lastSale === undefined ? null : toIso(lastSale),
		periodStart: toIso(period.from),
		/** The first moment after it. */
		periodEnd: toIso(period.to),
		/** For messages to people. */
		lines: named.map((line) => `- ${line}`).join('\n'),
		incomplete: inOrder.map(({ lead, missing, reason }, index) => ({
			line: lines[index],
			missing,
			reason,
			externalId: (lead.externalId ?? null) as string | null,
			leadId: (lead.id ?? null) as string | null,
		})),
		/** Who, what amount and which day, by the ID of the lead: for those that the platform then refuses. */
		sales: Object.fromEntries(exported.map(({ leadId, inWords }) => [leadId, inWords])),
	};
}

/** Who, what amount, which day, why not, and what to do. */
function lineOf({ lead, reason, wayOut }: NotExported, zone: string): string {
	return `${saleInWords(lead, zone)}: ${reason}. ${wayOut}`;
}
