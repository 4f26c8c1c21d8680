/** What an export did, as one sentence and as counts. Pure. */
import { compact, countBy, max } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../values/json';
import type { ExportSettings } from './exportSettings';
import { isInPeriod } from './exportSettings';
import type { Incomplete, Sale } from './sale';
import { saleDateOf } from './sale';

/**
 * @param leads all won leads that were read and may be exported
 * @param left those of them that were not
 * @param leftOut how many others were left out for their tags
 */
export function summarize(
	leads: ServiceRecord[],
	exported: Sale[],
	left: Incomplete[],
	settings: ExportSettings,
	leftOut: number,
): IDataObject & { text: string } {
	const { period, timezone: zone, leaveOutTags } = settings;
	const times = leads.flatMap((lead) => saleDateOf(lead, zone)?.toMillis() ?? []);
	const inPeriod = times.filter((time) => isInPeriod(time, settings)).length;
	const lastSale = max(times.filter((time) => time < period.to));
	const withoutSaleDate = leads.length - times.length;
	const dated = left.filter(({ lead }) => saleDateOf(lead, zone));
	const reasons = Object.entries(countBy(dated, 'reason')).map(
		([reason, count]) => `${count} because ${reason}`,
	);
	// In English, whatever the language of the host.
	const show = (time: number) =>
		DateTime.fromMillis(time, { zone }).toFormat('d LLL yyyy', { locale: 'en-US' });
	const [start, end] = [show(period.from), show(period.to - 1)];
	const days = start === end ? `on ${start}` : `from ${start} to ${end}`;
	const won = leads.length === 1 ? 'won lead' : 'won leads';
	const was = inPeriod === 1 || leads.length === 1 ? 'was' : 'were';
	const clauses = compact([
		leads.length + leftOut === 0
			? 'No lead has the chosen status: check "Status"'
			: `${inPeriod} of ${leads.length} ${won} ${was} sold ${days} (${zone})`,
		leaveOutTags.length > 0 && `left out by their tag: ${leftOut}`,
		inPeriod === 0 && lastSale && `the last sale before was on ${show(lastSale)}`,
		reasons.length > 0 && `not exported: ${reasons.join(', ')}`,
		withoutSaleDate > 0 && `without a sale date: ${withoutSaleDate}`,
	]);
	const toIso = (time: number) => DateTime.fromMillis(time, { zone }).toISO();
	return {
		text: `${clauses.join('; ')}.`,
		wonLeads: leads.length + leftOut,
		...(leaveOutTags.length > 0 && { leftOut }),
		inPeriod,
		exported: exported.length,
		notExported: inPeriod - exported.length,
		withoutSaleDate,
		/** In or before the period. */
		lastSale: lastSale === undefined ? null : toIso(lastSale),
		periodStart: toIso(period.from),
		/** The first moment after it. */
		periodEnd: toIso(period.to),
		incomplete: left.map(({ lead, missing, reason }) => ({
			leadId: lead.id ?? null,
			externalId: lead.externalId ?? null,
			missing,
			reason,
		})) as IDataObject[],
	};
}
