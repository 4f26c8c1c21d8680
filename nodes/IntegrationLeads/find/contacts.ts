/** Reads each contact once in a run, since leads do not show the phones of theirs (spec 2), and does without where the key may not. */
import { partition } from 'lodash';

import type { Lookup } from '../contract/records';
import type { Client } from '../transport/send';
import { isForbidden, type HintSink } from '../userError';
import type { ServiceRecord } from '../values/json';

interface Remembered {
	contact: Promise<ServiceRecord | undefined>;
	/** How many writes of the run had ended when it was read. */
	writes: number;
}

/** Each contact is read once, until the run writes anything: a lead that is sent may change its contact as well. */
export class ContactMemory {
	private readonly remembered = new Map<string, Remembered>();

	/** Why the key may not read contacts, which holds for all of them. */
	private forbidden?: unknown;

	constructor(private readonly client: Pick<Client, 'writes'>) {}

	/**
	 * Returns the contact at a path, undefined for one that does not exist. No failure is remembered but that the key may not read
	 * contacts: an outage may be over when the item is tried again.
	 *
	 * @param isFresh whether it must be read now, because it is written next
	 */
	async read(
		path: string,
		read: () => Promise<ServiceRecord | undefined>,
		isFresh = false,
	): Promise<ServiceRecord | undefined> {
		if (this.forbidden) throw this.forbidden;
		const { writes } = this.client;
		const known = this.remembered.get(path);
		if (known?.writes === writes && !isFresh) return await known.contact;
		const entry = { contact: read(), writes };
		this.remembered.set(path, entry);
		return await entry.contact.catch((reason: unknown) => {
			if (isForbidden(reason)) this.forbidden = reason;
			if (this.remembered.get(path) === entry) this.remembered.delete(path);
			throw reason;
		});
	}
}

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
