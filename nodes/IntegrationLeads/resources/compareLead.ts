/** Reads whose lead it is, and refuses another person's. */
import { isNil } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isDecidedByRest, refuseOther, type PersonFacts } from '../contract/samePerson';
import type { ComposeContext, StepFunctions } from '../operation';
import { isForbidden } from '../userError';
import { isBlank } from '../values/convert';
import { toRecord, type ServiceRecord } from '../values/json';
import { fillSteps } from './contact';
import { byExternalId, type findLead } from './leadRequests';

export const compareSteps = { readContact: fillSteps.readContact };

type CompareSteps = StepFunctions<typeof compareSteps>;

/**
 * Reads what is known of the person of a lead. The contact is read where the lead does not show a field that decides (spec 2 shows
 * no phone) and the key may read it.
 *
 * @param sought the person who is meant
 * @throws ServiceError if the service is not available
 */
export async function readPersonOf(
	{ contactId, contact = { id: contactId }, externalId }: ServiceRecord,
	sought: PersonFacts,
	{ readContact }: CompareSteps,
): Promise<PersonFacts> {
	const shown = toRecord(contact);
	const person = { ...shown, externalId };
	if (isNil(shown.id) || !isDecidedByRest(sought, person)) return person;
	const path = { contactId: String(shown.id) };
	const read = await readContact({ path }).catch((reason: unknown) => {
		if (!isForbidden(reason)) throw reason;
		return undefined;
	});
	return { ...shown, ...read?.record, externalId };
}

/**
 * Makes sure that a lead is not another person's.
 *
 * @param which the value that led to it, such as `external ID "crm-1"`
 * @param sought the person who is meant
 * @throws UserError with both people
 */
export async function refuseOthersLead(
	which: string,
	lead: ServiceRecord,
	sought: PersonFacts,
	steps: CompareSteps,
): Promise<void> {
	refuseOther(which, sought, await readPersonOf(lead, sought, steps));
}

type LookOptions = Pick<ComposeContext, 'tool' | 'isCorrection'> & {
	lookFirst?: boolean;
	onlyCheck?: unknown;
};

/**
 * Looks up the lead with the external ID of a body, where that is wanted, and where a model may have made the ID up.
 *
 * @returns null if there is none, undefined if it was not looked up
 * @throws UserError if it is another person's
 */
export async function findLeadOfId(
	{ externalId, contact }: IDataObject,
	steps: StepFunctions<typeof compareSteps & { findLead: typeof findLead }>,
	{ tool, isCorrection, lookFirst, onlyCheck }: LookOptions,
): Promise<ServiceRecord | null | undefined> {
	const sought = toRecord(contact);
	if (isBlank(externalId) || !(lookFirst || onlyCheck || isCorrection || tool)) return undefined;
	const found = (await steps.findLead([byExternalId(externalId)]))?.record ?? null;
	// A person chose the ID, while a model may have made it up.
	const person = { ...sought, ...(!tool && { externalId: found?.externalId }) };
	if (found) await refuseOthersLead(`external ID "${String(externalId)}"`, found, person, steps);
	return found;
}
