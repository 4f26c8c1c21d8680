/** Finds the items of a run that would give one lead two people, before anything is sent. Pure. */
import { attempt, isError } from 'lodash';

import { refuseOther, REMEDIES, type PersonFacts } from '../contract/samePerson';
import { isBlank } from '../values/convert';
import { addressesOf } from '../values/identity';
import { toRecord } from '../values/json';
import { onlyReads } from '../operation';
import type { PlannedItem } from './plan';

/**
 * Compares each item with the first one that has the same external ID, or the same email or phone. Items with different external
 * IDs may share an address, and what visitors of a form wrote is not refused.
 *
 * @returns the error of each item that is another person's
 */
export function otherPeopleIn(items: PlannedItem[]): Map<PlannedItem, Error> {
	const refused = new Map<PlannedItem, Error>();
	const firsts = new Map<string, PersonFacts>();
	for (const item of items.length > 1 ? items : []) {
		const { plan } = item;
		if (onlyReads(plan.operation)) continue;
		const { externalId, contact } = plan.values.body;
		const facts = { ...toRecord(contact), externalId };
		const id = isBlank(externalId) ? [] : [`external ID "${String(externalId)}"`];
		const addresses = addressesOf(facts).map(
			(address) => `${address.includes('@') ? 'email' : 'phone'} "${address}"`,
		);
		const isForm = plan.values.extracted.isForm === true;
		for (const key of isForm ? [] : id.length > 0 ? id : addresses) {
			const first = firsts.get(key);
			const found =
				first &&
				attempt(refuseOther, key, facts, first, REMEDIES[id.length > 0 ? 'externalId' : 'email']);
			if (isError(found)) refused.set(item, found);
		}
		for (const key of [...id, ...addresses]) {
			if (!firsts.has(key)) firsts.set(key, facts);
		}
	}
	return refused;
}
