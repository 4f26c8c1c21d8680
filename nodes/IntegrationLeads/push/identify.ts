/** Finds the external ID of a row without one, so that it shares a request as rows with an ID do. */
import { compact, groupBy, isEmpty, map, mapValues, uniq } from 'lodash';

import { translatedFrom } from '../columns/documented';
import { differencesIn, hiddenIn } from '../contract/differences';
import { matchPerson } from '../contract/samePerson';
import { contactLookups, isNamed } from '../fields/check';
import type { Lookup } from '../operation';
import { type PlannedItem, planRequest } from '../prepare/plan';
import { scopeOfItem, type RunScope } from '../run/runScope';
import { isForbidden, UserError } from '../userError';
import { isBlank } from '../values/convert';
import { addressesOf } from '../values/identity';
import { toRecord, type ServiceRecord } from '../values/json';
import type { BatchedItem } from './batch';

/**
 * Whether *Create or Update* has to send an item: one of which an earlier run left something out, or with a status in another
 * language, which it compares with those of the account.
 */
export const needsUpsert = ({ plan: { context, values } }: PlannedItem): boolean =>
	context.isCorrection === true ||
	(!isBlank(values.body.status) &&
		translatedFrom('status', String(values.body.status)) !== undefined);

/**
 * Gives rows without an ID the external ID of another row of the same person, if there is just one: written by the same ID, the
 * rows of a lead keep their order. Pure.
 */
export function withSharedIds(items: PlannedItem[]): PlannedItem[] {
	if (items.every(({ plan }) => isNamed(plan.values.body))) return items;
	const withId = items.filter(({ plan }) => !isBlank(plan.values.body.externalId));
	const rows = withId.flatMap(({ plan: { values } }) => {
		const { externalId, contact } = values.body;
		const person = toRecord(contact);
		return addressesOf(person).map((address) => ({ address, id: String(externalId), person }));
	});
	const byAddress = mapValues(groupBy(rows, 'address'), (sharing) => ({
		ids: uniq(map(sharing, 'id')),
		people: map(sharing, 'person'),
	}));
	return items.map((item) => {
		const { values } = item.plan;
		if (isNamed(values.body)) return item;
		const person = toRecord(values.body.contact);
		const sharing = compact(addressesOf(person).map((address) => byAddress[address]));
		// An address of several IDs, such as that of an office, leads to none.
		if (sharing.some(({ ids }) => ids.length > 1)) return item;
		const [externalId, ...others] = uniq(map(sharing, 'ids').flat());
		const people = map(sharing, 'people').flat();
		const isOne = people.every((other) => matchPerson(person, other) === 'same');
		if (externalId === undefined || others.length > 0 || !isOne) return item;
		const body = { ...values.body, externalId };
		return { ...item, plan: { ...item.plan, values: { ...values, body } } };
	});
}

/**
 * Finds the external ID of an item's lead; of a new lead, it is the email, or else the phone.
 *
 * @returns the item with its request; without one if *Create or Update* has to decide: the lead has no external ID, may be one
 * of several, or has a contact that lacks or contradicts a value of the row; see also {@link needsUpsert}
 * @throws ServiceError
 */
export async function identify(
	item: PlannedItem,
	runScope: RunScope,
): Promise<PlannedItem | BatchedItem> {
	const { context, values } = item.plan;
	const { body } = values;
	const lookups = contactLookups(body.contact, context);
	if (needsUpsert(item) || isNamed(body) || lookups.length === 0) return item;
	// Each look-up has a place of its own in the queue.
	const { finder } = scopeOfItem(runScope, false);
	const search = async () => {
		const found = await finder.find(lookups, { person: body.contact });
		if (!found || (await isComplete(found, toRecord(body.contact), finder))) {
			return toBatchedItem(item, lookups, runScope, found);
		}
		return { ...item, found };
	};
	return await search().catch((reason: unknown) => {
		if (!(reason instanceof UserError) && !isForbidden(reason)) throw reason;
		return item;
	});
}

/** Whether a lead has an external ID and a contact with all values of the row. */
async function isComplete(
	lead: ServiceRecord,
	sent: ServiceRecord,
	finder: RunScope['finder'],
): Promise<boolean> {
	if (isBlank(lead.externalId)) return false;
	const shown = toRecord(lead.contact);
	const contact = isEmpty(hiddenIn(sent, shown)) ? shown : await finder.contactOf(lead);
	return differencesIn(sent, contact) === undefined && isEmpty(hiddenIn(sent, contact));
}

function toBatchedItem(
	item: PlannedItem,
	[{ value }]: Lookup[],
	{ ledger }: RunScope,
	found?: ServiceRecord,
): PlannedItem | BatchedItem {
	const { operation, values } = item.plan;
	if (!operation.batch) return item;
	const externalId = String(found ? found.externalId : value);
	const body = { ...values.body, externalId };
	const attempt = { firstSentAt: ledger.entryOf(item).firstSentAt, found: found ?? null };
	const request = planRequest(operation.batch, { ...values, body }, item.plan, attempt);
	return { ...item, request };
}
