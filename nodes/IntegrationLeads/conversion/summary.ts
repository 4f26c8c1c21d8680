/** What an export did: as one sentence, as counts, and as a line for each sale that was not exported. Pure. */
import { compact, countBy, sortBy } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { Exported } from './export';
import { day, saleDateOf, saleInWords, type NotExported } from './sale';
import type { ExportSettings, Period } from './settings';

/** How many sales the text of those that were not exported names. */
const MOST_LINES = 20;

/** What became of the won leads that were read. */
export interface ExportRun {
	/** How many were skipped for their tags, how many others there were, and how many of those were sold in the period. */
	skipped: number;
	read: number;
	inPeriod: number;
	withoutSaleDate: number;
	exported: Exported[];
	left: NotExported[];
}

export function summarize(
	{ skipped, read, inPeriod, withoutSaleDate, exported, left }: ExportRun,
	period: Period,
	{ timezone: zone, skipTags }: Pick<ExportSettings, 'timezone' | 'skipTags'>,
): IDataObject & { text: string; lines: string } {
	const soldAtOf = ({ lead }: NotExported) => saleDateOf(lead, zone)?.toMillis();
	const dated = left.filter((each) => soldAtOf(each) !== undefined);
	const reasons = Object.entries(countBy(dated, 'reason')).map(
		([reason, count]) => `${count} because ${reason}`,
	);
	const [start, end] = [period.from, period.to - 1].map((time) =>
		day(DateTime.fromMillis(time, { zone })),
	);
	const days = start === end ? `on ${start}` : `from ${start} to ${end}`;
	const won = read === 1 ? 'won lead' : 'won leads';
	const was = inPeriod === 1 || read === 1 ? 'was' : 'were';
	const clauses = compact([
		read + skipped === 0
			? 'No lead has the chosen status: check "Status"'
			: `${inPeriod} of ${read} ${won} ${was} sold ${days} (${zone})`,
		skipTags.length > 0 && `skipped for their tag: ${skipped}`,
		reasons.length > 0 && `not exported: ${reasons.join(', ')}`,
		withoutSaleDate > 0 && `without a sale date: ${withoutSaleDate}`,
	]);
	// The newest first, which are new to the reader; the same in every run, whatever the list's order.
	const inOrder = sortBy(left, (each) => -(soldAtOf(each) ?? 0), 'lead.id');
	const lines = inOrder.map((each) => lineOf(each, zone));
	const more = lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more`] : [];
	const named = [...lines.slice(0, MOST_LINES), ...more];
	return {
		text: `${clauses.join('; ')}.`,
		wonLeads: read + skipped,
		...(skipTags.length > 0 && { skipped }),
		inPeriod,
		exported: exported.length,
		notExported: inPeriod - exported.length,
		withoutSaleDate,
		/** For messages to people. */
		lines: named.map((line) => `- ${line}`).join('\n'),
		incomplete: inOrder.map(({ lead, reason }, index) => ({
			line: lines[index],
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
