/** Compares the people of the items of a run with each other, before anything is sent. Pure. */
import { attempt, compact, groupBy, isEmpty, isError, map, mapValues, uniq } from 'lodash';

import { hasLeadKey } from '../contract/leadKey';
import { matchPerson, refuseOther, REMEDIES, type PersonFacts } from '../contract/samePerson';
import { onlyReads } from '../operation';
import { isBlank } from '../values/convert';
import { addressesOf } from '../values/identity';
import { toRecord } from '../values/json';
import type { PlannedItem } from './plan';

/**
 * Refuses the items that would give one lead two people. In a push, rows of one person without an ID then get that of the others.
 *
 * @returns the other items, and the error of each that is refused
 */
export function comparePeople(items: PlannedItem[]): {
	items: PlannedItem[];
	refused: Map<PlannedItem, Error>;
} {
	if (items.length === 1 || items.some(({ plan }) => onlyReads(plan.operation)))
		return { items, refused: new Map() };
	const refused = otherPeopleIn(items);
	const others = items.filter((item) => !refused.has(item));
	const sharing = new Set(rowsOfSharedAddress(others));
	const marked = others.map((item) =>
		sharing.has(item) ? { ...item, sharesAddress: true } : item,
	);
	return { items: withSharedIds(marked), refused };
}

/** The person whom an item is about, and their email and phone in the form in which they are compared. */
function personOfItem({ plan: { values } }: PlannedItem) {
	const { externalId, contact, protocol, leadId } = values.body;
	const person: PersonFacts = toRecord(contact);
	return {
		/** Its lead is given by an ID or a code, and not by the person. */
		isGiven: !isEmpty(values.path) || !isBlank(protocol) || !isBlank(leadId),
		person,
		addresses: addressesOf(person),
		externalId: isBlank(externalId) ? undefined : String(externalId),
	};
}

/**
 * Compares each item with the earlier ones that have the same external ID, or the same email or phone. Items with different IDs
 * may share an address, and what visitors of a form wrote is not refused. That the earlier one will be refused by what the service
 * has is not known here: to wait for it would rest on searches that show at once what it has created.
 */
function otherPeopleIn(items: PlannedItem[]): Map<PlannedItem, Error> {
	const refused = new Map<PlannedItem, Error>();
	const earlier = new Map<string, PersonFacts[]>();
	for (const item of items) {
		const { person, addresses, externalId, isGiven } = personOfItem(item);
		if (isGiven && externalId === undefined) continue;
		const facts = { ...person, externalId };
		const ids = externalId === undefined ? [] : [`external ID "${externalId}"`];
		const named = addresses.map(
			(address) => `${address.includes('@') ? 'email' : 'phone'} "${address}"`,
		);
		const isForm = item.plan.values.extracted.isForm === true;
		for (const key of isForm ? [] : ids.length > 0 ? ids : named) {
			const remedy = REMEDIES[ids.length > 0 ? 'externalId' : 'email'];
			const compared = earlier
				.get(key)
				?.map((one) => attempt(refuseOther, `${key} of an earlier item`, facts, one, remedy));
			const failure = compared?.find(isError);
			if (failure) refused.set(item, failure);
		}
		for (const key of [...ids, ...named]) {
			if (!refused.has(item)) earlier.set(key, [...(earlier.get(key) ?? []), facts]);
		}
	}
	return refused;
}

/**
 * The rows with an external ID whose email or phone the first row that has it gives another person, under another ID: the service may
 * give their leads the contact of that person, and an answer about many leads does not show it.
 */
function rowsOfSharedAddress(items: PlannedItem[]): PlannedItem[] {
	const firstOf = new Map<string, ReturnType<typeof personOfItem>>();
	return items.filter((item) => {
		const row = personOfItem(item);
		if (row.externalId === undefined) return false;
		for (const address of row.addresses) if (!firstOf.has(address)) firstOf.set(address, row);
		return row.addresses.some((address) => {
			const { externalId, person } = firstOf.get(address)!;
			return externalId !== row.externalId && matchPerson(row.person, person) !== 'same';
		});
	});
}

/**
 * Gives rows without an ID the external ID of another row of the same person, if there is just one: written by the same ID, the
 * rows of a lead keep their order.
 */
function withSharedIds(items: PlannedItem[]): PlannedItem[] {
	const isBatch = items.some(({ plan }) => plan.operation.batch);
	if (!isBatch || items.every(({ plan }) => hasLeadKey(plan.values.body))) return items;
	// With a tracking code, the lead is that of the code, whatever its external ID is (spec 4.3, rule 3).
	const rows = items
		.filter(({ plan }) => isBlank(plan.values.body.protocol))
		.flatMap((item) => {
			const { person, addresses, externalId } = personOfItem(item);
			return addresses.flatMap((address) =>
				externalId === undefined ? [] : { address, externalId, person },
			);
		});
	const byAddress = mapValues(groupBy(rows, 'address'), (sharing) => ({
		ids: uniq(map(sharing, 'externalId')),
		people: map(sharing, 'person'),
	}));
	return items.map((item) => {
		const { values } = item.plan;
		if (hasLeadKey(values.body)) return item;
		const { person, addresses } = personOfItem(item);
		const sharing = compact(addresses.map((address) => byAddress[address]));
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
