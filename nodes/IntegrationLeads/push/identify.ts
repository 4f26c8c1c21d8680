/** Finds the external ID of a row without one, so that it shares a request as rows with an ID do. */
import { isEmpty } from 'lodash';

import { differencesIn, hiddenIn } from '../contract/differences';
import { contactLookups } from '../contract/leadKey';
import type { RequestStep } from '../operation';
import type { PlannedItem } from '../prepare/plan';
import { scopeOfItem, type RunScope } from '../run/runScope';
import { isForbidden, UserError } from '../userError';
import { isBlank } from '../values/convert';
import { toRecord, type ServiceRecord } from '../values/json';
import { toBatched, type BatchedItem } from './batch';

/**
 * Finds the external ID of the lead of an item that has an email or a phone; of a new lead, it is the email, or else the phone.
 *
 * @returns the item with its request; without one if *Create or Update* has to decide: the lead has no external ID, may be one
 * of several, or has a contact that lacks or contradicts a value of the row, or that the key may not read
 * @throws ServiceError
 */
export async function identify(
	item: PlannedItem,
	step: RequestStep,
	runScope: RunScope,
): Promise<PlannedItem | BatchedItem> {
	const { context, values } = item.plan;
	const { body } = values;
	const person = toRecord(body.contact);
	const lookups = contactLookups(person, context);
	// Each look-up has a place of its own in the queue.
	const { finder } = scopeOfItem(runScope, false, runScope.hintsOf(item.itemIndex));
	const decideItem = async () => {
		const found = await finder.find(lookups, { person });
		if (found && !(await isComplete(found, person, finder))) return { ...item, existing: found };
		const externalId = String(found ? found.externalId : lookups[0].value);
		return toBatched(item, step, externalId, { existing: found ?? null });
	};
	return await decideItem().catch((reason: unknown) => {
		if (!(reason instanceof UserError) && !isForbidden(reason)) throw reason;
		return item;
	});
}

/** Whether a lead has an external ID and a contact with all values of the row, as far as the key may read it. */
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
