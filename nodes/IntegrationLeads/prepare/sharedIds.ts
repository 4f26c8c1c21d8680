/** Gives the items of a run that are about one person one external ID, before anything is sent. Pure. */
import { compact, groupBy, map, mapValues, uniq } from 'lodash';

import { matchPerson } from '../contract/samePerson';
import { hasLeadKey } from '../contract/leadKey';
import { isBlank } from '../values/convert';
import { addressesOf } from '../values/identity';
import { toRecord } from '../values/json';
import type { PlannedItem } from './plan';

/**
 * Gives rows without an ID the external ID of another row of the same person, if there is just one: written by the same ID, the
 * rows of a lead keep their order. Pure.
 */
export function withSharedIds(items: PlannedItem[]): PlannedItem[] {
	if (items.every(({ plan }) => hasLeadKey(plan.values.body))) return items;
	// With a tracking code, the lead is that of the code, whatever its external ID is (spec 4.3, rule 3).
	const withId = items.filter(({ plan: { values } }) => {
		const { externalId, protocol } = values.body;
		return !isBlank(externalId) && isBlank(protocol);
	});
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
		if (hasLeadKey(values.body)) return item;
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
