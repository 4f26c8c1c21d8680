/** Merges two readings of a contact: of a list or a lead, and of the contact itself. Pure. */
import { compact, pickBy, uniq } from 'lodash';

import { idOf } from '../conversion/sale';
import { isBlank } from '../values/convert';
import type { ServiceRecord } from '../values/json';

/** Blank fields of the later reading do not replace values, unless it is another contact. */
export function mergeContacts(earlier: ServiceRecord, after: ServiceRecord): ServiceRecord {
	const ids = uniq(compact([idOf(earlier), idOf(after)]));
	return ids.length > 1 ? after : { ...earlier, ...pickBy(after, (value) => !isBlank(value)) };
}

/** Whether reading the contact may show more of the person: the spec shows no phone in a lead (2). */
export const lacksOfPerson = (contact: ServiceRecord): boolean =>
	['name', 'email', 'phone'].some((name) => isBlank(contact[name]));

/** The hint where the key may not read the contacts of leads. */
export const NO_PHONES = {
	scopes: ['contacts:read'],
	hint: 'Phones were not read: the API key lacks the scope "contacts:read", and leads show none.',
};
