/** Finds a lead where the API key may not read contacts. Lists show no phones (spec 4.1), so what they show decides. */
import { partition } from 'lodash';

import type { Lookup } from '../operation';
import type { HintSink } from '../userError';
import { isForbidden } from '../userError';
import type { ServiceRecord } from '../values/json';

const PHONES_UNREAD =
	'Phones were not compared: the API key lacks the scope "contacts:read", and lists show no phones. The email decided, so a person who comes back with another email becomes a second lead.';

/**
 * Searches for all values. If a contact has to be read for the phone and the key may not: the other values decide alone, or if
 * there are none, the external ID, which is the phone where *Create or Update* created the lead by it.
 *
 * @param search see Finder.find
 * @param run.forbidden the hints about what the key turned out not to permit in this run
 * @throws ServiceError, also where only the phone is given and no lead has it as its external ID
 */
export async function findPermitted(
	lookups: Lookup[],
	search: (lookups: Lookup[]) => Promise<ServiceRecord | undefined>,
	{ hints, forbidden }: { hints: HintSink; forbidden: Set<string> },
): Promise<ServiceRecord | undefined> {
	const [phones, others] = partition(lookups, { by: 'phone' });
	const hasOthers = phones.length > 0 && others.length > 0;
	if (hasOthers && forbidden.has(PHONES_UNREAD)) {
		hints.add(PHONES_UNREAD);
		return await search(others);
	}
	return await search(lookups).catch(async (reason: unknown) => {
		if (phones.length === 0 || !isForbidden(reason)) throw reason;
		const decisive = hasOthers
			? others
			: phones.map((lookup) => ({ ...lookup, by: 'externalId' as const }));
		const found = await search(decisive);
		if (!hasOthers && !found) throw reason;
		if (hasOthers) {
			forbidden.add(PHONES_UNREAD);
			hints.add(PHONES_UNREAD);
		}
		return found;
	});
}
