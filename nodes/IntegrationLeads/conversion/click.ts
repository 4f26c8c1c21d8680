/** Clicks on ads, as workflows keep them: in the metadata of an interaction of the lead. Pure. */
import { sortBy } from 'lodash';
import type { DateTime } from 'luxon';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import { parseDate } from '../values/date';

/** As the platforms name their IDs: Meta's, Google's, and those of TikTok and LinkedIn. */
const CLICK_IDS = 'ctwa_clid fbc lead_id gclid gbraid wbraid ttclid li_fat_id'.split(' ');

/** By the name of the ID. */
export type Clicks = Partial<Record<string, { id: string; at: DateTime }>>;

/** The last click of each kind up to the end of the day of the sale, which often has no time. */
export function clicksBefore(soldAt: DateTime, { interactions, createdAt }: ServiceRecord): Clicks {
	const clicks = (Array.isArray(interactions) ? interactions : []).flatMap((each: unknown) => {
		if (!isRecord(each) || !isRecord(each.metadata)) return [];
		// An interaction without a time is no older than its lead.
		const at = parseDate(String(each.createdAt ?? createdAt), soldAt.zoneName ?? 'utc');
		if (!at || at > soldAt.endOf('day')) return [];
		return Object.entries(each.metadata)
			.map(([name, value]) => ({ name, id: String(value ?? '').trim(), at }))
			.filter(({ name, id }) => CLICK_IDS.includes(name) && id !== '');
	});
	const inOrder = sortBy(clicks, ({ at }) => +at);
	return Object.fromEntries(inOrder.map(({ name, ...click }) => [name, click]));
}
