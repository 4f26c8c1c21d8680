/** What an export did, as one sentence and as counts. Pure. */
import { compact, countBy, max } from 'lodash';
import { DateTime } from 'luxon';

import type { ServiceRecord } from '../contract/envelope';
import type { Incomplete, Sale } from './sale';
import { phoneOf, saleDateOf } from './sale';
import type { ExportSettings } from './exportSettings';
import { isInPeriod } from './exportSettings';

/**
 * @param leads all won leads that were read and may be exported
 * @param leftOut how many others were left out for their tags
 * @returns the counts of an export, and a sentence that states them together with what looks like a mistake
 */
export function summarize(
	leads: ServiceRecord[],
	exported: Sale[],
	incomplete: Incomplete[],
	settings: ExportSettings,
	leftOut: number,
) {
	const { period, timezone: zone, now, leaveOutTags } = settings;
	const times = leads.flatMap((lead) => saleDateOf(lead, zone)?.toMillis() ?? []);
	const inPeriod = times.filter((time) => isInPeriod(time, settings)).length;
	const lastSale = max(times.filter((time) => time < period.to));
	const later = times.filter((time) => time > now).length;
	const withoutSaleDate = leads.length - times.length;
	const notExported = inPeriod - exported.length;
	const clauses = [
		soldClause(leads.length, inPeriod, settings, leftOut),
		leaveOutTags.length > 0 && `${leftOut} ${leftOut === 1 ? 'has' : 'have'} it`,
		inPeriod === 0 &&
			lastSale !== undefined &&
			`the last sale before was on ${showTime(lastSale, zone)}`,
		notExported > 0 && notExportedClause(incomplete, settings),
		settings.format !== 'rows' && withoutPhoneClause(exported, settings),
		withoutSaleDate > 0 &&
			`${withoutSaleDate} ${withoutSaleDate === 1 ? 'has' : 'have'} no sale date`,
		later > 0 && `${later} sale ${later === 1 ? 'date is' : 'dates are'} in the future`,
	];
	const toIso = (time: number) => DateTime.fromMillis(time, { zone }).toISO();
	return {
		text: `${clauses.filter((clause) => clause).join('; ')}.`,
		/** How many leads have the chosen status. */
		wonLeads: leads.length + leftOut,
		/** How many of them have a tag with which they are left out. */
		...(leaveOutTags.length > 0 && { leftOut }),
		/** How many of them were sold in the period. */
		inPeriod,
		/** How many of those are in the output. */
		exported: exported.length,
		notExported,
		withoutSaleDate,
		/** The latest sale in or before the period, ISO 8601 in the time zone of the export. */
		lastSale: lastSale === undefined ? null : toIso(lastSale),
		/** The period, likewise; `periodEnd` is the first moment after it. */
		periodStart: toIso(period.from),
		periodEnd: toIso(period.to),
	};
}

function soldClause(
	wonLeads: number,
	inPeriod: number,
	{ period, timezone, createdAfter, leaveOutTags }: ExportSettings,
	leftOut: number,
): string {
	const created = createdAfter
		? ` created since ${showTime(Date.parse(createdAfter), timezone)}`
		: '';
	const tags = leaveOutTags.map((tag) => `"${tag}"`).join(' or ');
	const without = tags && ` without the tag ${tags}`;
	if (wonLeads + leftOut === 0) return `No lead${created} has the chosen status: check "Status"`;
	if (wonLeads === 0) return `No won lead${created} is${without}`;
	const won = `won ${wonLeads === 1 ? 'lead' : 'leads'}${without}`;
	const was = inPeriod === 1 || wonLeads === 1 ? 'was' : 'were';
	return `${inPeriod} of ${wonLeads} ${won}${created} ${was} sold ${showPeriod(period, timezone)}`;
}

function notExportedClause(incomplete: Incomplete[], settings: ExportSettings): string {
	const dated = incomplete.filter(({ lead }) => saleDateOf(lead, settings.timezone));
	const reasons = Object.entries(countBy(dated, 'reason')).map(
		([reason, leads]) => `${leads} because ${reason}`,
	);
	const isUnmatched = dated.some(({ missing }) => missing.includes('phone'));
	return `not exported: ${reasons.join(', ')}${isUnmatched ? wayToPhone(settings) : ''}`;
}

/** Both platforms match a person by email alone as well, but by both better. */
function withoutPhoneClause(exported: Sale[], settings: ExportSettings): string | false {
	const { length } = exported.filter(
		({ contact }) => phoneOf(contact.phone, settings.countryCode) === undefined,
	);
	return (
		length > 0 && `${length} ${length === 1 ? 'lacks' : 'lack'} a phone${wayToPhone(settings)}`
	);
}

/** The options that may give a lead the phone that it lacks. */
function wayToPhone({ readContacts, countryCode }: ExportSettings): string {
	const options = compact([
		!readContacts && 'Read Contacts',
		!countryCode && 'Default Country Code',
	]);
	return options.length > 0 ? ` (Options > ${options.join(' or ')} may help)` : '';
}

/** With the time zone, in which days begin: n8n's default is seldom the user's. */
function showPeriod({ from, to }: ExportSettings['period'], zone: string): string {
	const isWhole = [from, to].every((time) => {
		const date = DateTime.fromMillis(time, { zone });
		return +date === +date.startOf('day');
	});
	const [start, end] = isWhole
		? [from, to - 1].map((time) => showTime(time, zone))
		: [from, to].map((time) => showTime(time, zone, `${DATE} HH:mm`));
	if (!isWhole) return `between ${start} and ${end} (${zone})`;
	return `${start === end ? `on ${start}` : `from ${start} to ${end}`} (${zone})`;
}

const DATE = 'd LLL yyyy';

/** In English, whatever the language of the host. */
function showTime(time: number, zone: string, format = DATE): string {
	return DateTime.fromMillis(time, { zone }).toFormat(format, { locale: 'en-US' });
}
