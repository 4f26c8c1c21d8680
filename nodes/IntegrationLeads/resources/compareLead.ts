/** Reads whose lead it is, and refuses another person's. */
import { isEmpty, isNil, some } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import {
	contactHas,
	isDecidedByRest,
	type PersonFacts,
	PHONES_UNREAD,
	refuseOther,
	REMEDIES,
} from '../contract/samePerson';
import { describeLookup, leadLabel, LOOKUP_LABELS } from '../contract/shown';
import { contactLookups, comparesFirst, byExternalId } from '../contract/leadKey';
import { text } from '../fields/options';
import type { ComposeContext, StepFunctions, Values } from '../operation';
import { isAmbiguous, UserError } from '../userError';
import { toIdentifier } from '../values/convert';
import { isEmail } from '../values/identity';
import { toRecord, type ServiceRecord } from '../values/json';
import { getContact } from './contactRequests';
import { findOtherOwner } from './fillContact';
import { findLead, getLead } from './leadRequests';

export const compareSteps = { readContact: getContact };

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
	{ ifPermitted }: Pick<ComposeContext, 'ifPermitted'>,
): Promise<PersonFacts> {
	const shown = toRecord(contact);
	const person = { ...shown, externalId };
	if (isNil(shown.id) || !isDecidedByRest(sought, person)) return person;
	const path = { contactId: String(shown.id) };
	const read = await ifPermitted(PHONES_UNREAD, async () => await readContact({ path }));
	return { ...shown, ...read?.record, externalId };
}

/**
 * Makes sure that a lead is not another person's.
 *
 * @param which the value that led to it, such as `external ID "crm-1"`
 * @param sought the person who is meant
 * @throws UserError with both people
 */
async function refuseOthersLead(
	which: string,
	lead: ServiceRecord,
	sought: PersonFacts,
	steps: CompareSteps,
	context: Pick<ComposeContext, 'ifPermitted'>,
	remedy = REMEDIES.externalId,
): Promise<void> {
	refuseOther(which, sought, await readPersonOf(lead, sought, steps, context), remedy);
}

/** The person whose lead an agent changes by its ID, in operations that send nothing else about the person. */
export const personOfLead = text('Name or Email', 'person', {
	displayOptions: { show: { '@tool': [true] } },
	convert: (value, context) => ({
		[isEmail(value) ? 'email' : 'name']: toIdentifier(value, context),
	}),
	placeholder: 'e.g. Ana Souza',
	description:
		'Name or email of the person whose lead it is. It is only compared: a lead of another person is not changed.',
});

export const agentSteps = { ...compareSteps, getLead };
export const ownerSteps = { ...agentSteps, findLead };

/**
 * Makes sure that an agent does not change another person's lead, where it says who is meant: an ID that it gives may be of another
 * lead.
 *
 * @throws UserError with both people
 */
export async function refuseAgent(
	{ path, body, settings }: Pick<Values, 'path' | 'body' | 'settings'>,
	steps: StepFunctions<typeof agentSteps>,
	context: Pick<ComposeContext, 'tool' | 'lookup' | 'ifPermitted'>,
): Promise<void> {
	const sought = { ...toRecord(body.contact), ...toRecord(settings.person) };
	if (!context.tool || isEmpty(sought)) return;
	const lead = (await steps.getLead({ path })).record ?? {};
	const foundBy = context.lookup ?? ({ by: 'id', value: path.leadId } as const);
	const remedy = `Correct the ${LOOKUP_LABELS[foundBy.by]}: Lead > Get Many finds the lead of this person.`;
	await refuseOthersLead(describeLookup(foundBy), lead, sought, steps, context, remedy);
}

/**
 * Makes sure that an email or a phone in an update is not that of another lead. The service looks for an existing contact by both, so
 * the lead would become that of the other person.
 *
 * @throws UserError with the other lead
 */
export async function refuseOtherOwner(
	{ path, body }: Pick<Values, 'path' | 'body'>,
	steps: StepFunctions<typeof ownerSteps>,
	{
		found,
		ifPermitted,
		countryCode,
	}: Pick<ComposeContext, 'found' | 'ifPermitted' | 'countryCode'>,
): Promise<void> {
	const lookups = contactLookups(body.contact, { countryCode });
	if (lookups.length === 0) return;
	const hasPhone = some(lookups, { by: 'phone' });
	const scopes = ['leads:read', ...(hasPhone ? ['contacts:read'] : [])];
	await ifPermitted({ scopes, hint: ADDRESSES_NOT_COMPARED }, async () => {
		const lead = found ?? (await steps.getLead({ path })).record ?? {};
		const contact = toRecord(lead.contact);
		const { contactId = contact.id } = lead;
		const isHidden = hasPhone && !('phone' in contact);
		const reads = isHidden && !isNil(contactId);
		const read =
			reads && (await steps.readContact({ path: { contactId: String(contactId) } })).record;
		for (const lookup of lookups) {
			const { by, value } = lookup;
			if (contactHas({ ...contact, ...read }, by, value)) continue;
			const owner = { leadId: lead.id, contactId };
			const other = await findOtherOwner(lookup, steps.findLead, owner);
			if (!other) continue;
			throw new UserError(
				`The ${by} "${value}" is that of another lead: ${leadLabel(other)}`,
				OTHER_OWNER,
				'ambiguous',
			);
		}
	});
}

const OTHER_OWNER = {
	all: 'Nothing was changed, since the lead would become that of the other person.',
	panel:
		'To join two leads of one person, use Lead > Merge Into. To give this lead the other contact all the same, choose it under Contact ID.',
};

const ADDRESSES_NOT_COMPARED =
	'Emails and phones were not compared with those of other leads: the API key needs the scopes "leads:read" and "contacts:read".';

type LookOptions = Pick<ComposeContext, 'tool' | 'isCorrection' | 'hints' | 'ifPermitted'> & {
	lookFirst?: boolean;
	onlyCheck?: unknown;
};

/**
 * Looks up the lead with the external ID of a body, if it is compared first (see {@link comparesFirst}). *Only Check* looks
 * every ID up, and refuses none that would be sent.
 *
 * @returns null if there is none, undefined if it was not looked up
 * @throws UserError if it is another person's
 */
export async function findLeadOfId(
	{ externalId, contact }: IDataObject,
	steps: StepFunctions<typeof compareSteps & { findLead: typeof findLead }>,
	{ lookFirst, onlyCheck, hints, ifPermitted, ...context }: LookOptions,
): Promise<ServiceRecord | null | undefined> {
	const isCompared = comparesFirst({ externalId }, context, lookFirst);
	if (!isCompared && !onlyCheck) return undefined;
	const search = async () => ({
		found: (await steps.findLead([byExternalId(externalId)]))?.record,
	});
	const looked = isCompared ? await search() : await ifPermitted(NOT_LOOKED_UP, search);
	if (!looked?.found) return looked && null;
	const { found } = looked;
	// A person chose the ID, while a model may have made it up.
	const id = context.tool ? undefined : found.externalId;
	const compared = refuseOthersLead(
		describeLookup(byExternalId(externalId)),
		found,
		{ ...toRecord(contact), externalId: id },
		steps,
		{ ifPermitted },
	);
	await compared.catch((reason: unknown) => {
		if (isCompared || !isAmbiguous(reason)) throw reason;
		hints.add(`${(reason as Error).message}. ${SENT_UNCOMPARED}`);
	});
	return found;
}

const NOT_LOOKED_UP = {
	scopes: ['leads:read'],
	hint: 'Leads with an External ID were not looked up, because the API key lacks the scope "leads:read": each would be created, or updated if it exists.',
};

const SENT_UNCOMPARED =
	'It would be sent all the same, because the ID decides. To refuse it, switch on "Options > Look First".';
