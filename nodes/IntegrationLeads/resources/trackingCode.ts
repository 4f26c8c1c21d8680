/** Which lead has the code of a tracking link, and whose lead it is: a code can be forwarded. */
import { isEmpty, isNil, omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isSamePerson } from '../contract/contactMatch';
import { contactLabel } from '../contract/shown';
import type { Result, StepFunctions } from '../operation';
import { isForbidden, isRefused, UserError } from '../userError';
import { isBlank } from '../values/convert';
import { isRecord, type ServiceRecord } from '../values/json';
import type { CodeForm } from '../values/context';
import { fillSteps } from './contact';
import { sendLead } from './leadRequests';

export const codeSteps = {
	/**
	 * The service has no look-up by code. It is sent the code alone, without data: a lead that has it is returned as it is (assumed),
	 * and without one the service refuses, as an external ID is missing (spec 4.3, rules 1 and 2).
	 */
	findByCode: sendLead,
	readContact: fillSteps.readContact,
};

type CodeSteps = StepFunctions<typeof codeSteps>;

/** @returns undefined where no lead has the code; without a record where the service does not show it */
async function leadOfCode(code: string, { findByCode }: CodeSteps): Promise<Result | undefined> {
	return await findByCode({ body: { protocol: code } }).catch((reason: unknown) => {
		if (!isRefused(reason)) throw reason;
		return undefined;
	});
}

/**
 * The leads of the codes in a text, in the order of the codes. Each is asked for when it is needed.
 *
 * @param forms see values/protocol.ts
 */
export async function* leadsOfCodes(
	forms: CodeForm[],
	steps: CodeSteps,
): AsyncGenerator<{ code: string; lead: Result }> {
	for (const { code } of forms) {
		const lead = await leadOfCode(code, steps);
		if (lead) yield { code, lead };
	}
}

/**
 * The contact of a lead. It is read where the lead does not show one of the fields (spec 2 shows no phone) and the key may read it.
 *
 * @returns undefined where the lead does not show a contact
 */
export async function readContactOf(
	{ contactId, contact = { id: contactId } }: ServiceRecord,
	fields: string[],
	{ readContact }: Pick<CodeSteps, 'readContact'>,
): Promise<ServiceRecord | undefined> {
	if (!isRecord(contact) || isNil(contact.id)) return isRecord(contact) ? contact : undefined;
	if (fields.every((field) => field in contact)) return contact;
	const path = { contactId: String(contact.id) };
	const read = await readContact({ path }).catch((reason: unknown) => {
		if (!isForbidden(reason)) throw reason;
		return undefined;
	});
	return { ...contact, ...read?.record };
}

/**
 * The contact of a lead in words, if it is another person than the one of whom an email, a phone or a name is given, see
 * {@link isSamePerson}.
 */
async function otherPerson(
	lead: ServiceRecord,
	given: ServiceRecord,
	steps: Pick<CodeSteps, 'readContact'>,
): Promise<string | undefined> {
	const fields = ['name', 'email', 'phone'].filter((field) => !isBlank(given[field]));
	const contact = await readContactOf(lead, fields, steps);
	return contact && isSamePerson(contact, given) === false ? contactLabel(contact) : undefined;
}

/**
 * Makes sure that an agent's external ID is not one that it made up and that somebody else has: "12345" of two people would be
 * one lead.
 *
 * @param lead the one that has the external ID
 * @throws UserError with both people
 */
export async function refuseOtherPerson(
	lead: ServiceRecord,
	{ contact, externalId }: IDataObject,
	steps: Pick<CodeSteps, 'readContact'>,
): Promise<void> {
	const given = isRecord(contact) ? contact : {};
	const other = await otherPerson(lead, given, steps);
	if (other === undefined) return;
	throw new UserError(
		`The external ID "${String(externalId)}" is that of another lead: ${other}, not ${contactLabel(given)}`,
		'Leave out the external ID if you do not know the one of this person: the lead is then found by email or phone. Change the email, phone or name of a contact with Contact > Update.',
	);
}

/**
 * A tracking code is sent in the form in which a lead has it. The user decides that the data belongs to the lead of the code, also
 * where its contact is another person: the output then says whose lead it was before that.
 *
 * @param found the forms of the code in the body, if there are several or it may be none
 * @returns the body to send, and the ID of the lead of the code where it was looked for and found
 */
export async function chooseCode(
	body: IDataObject,
	found: unknown,
	steps: CodeSteps,
): Promise<{ body: IDataObject; leadId?: unknown; remark?: string }> {
	const given = isRecord(body.contact) ? body.contact : {};
	const forms = codeFormsOf(body.protocol, found);
	const isCompared = !isBlank(given.email) || !isBlank(given.phone);
	if (isEmpty(forms) || (forms.length === 1 && forms[0].isCertain && !isCompared)) return { body };
	for await (const { code, lead } of leadsOfCodes(forms, steps)) {
		const other = lead.record && (await otherPerson(lead.record, omit(given, 'name'), steps));
		const remark =
			other && `The tracking code ${code} was that of the lead of another person: ${other}.`;
		return { body: { ...body, protocol: code }, leadId: lead.record?.id, remark };
	}
	const [first] = forms;
	// What may be no code is left out where something else says whose lead it is.
	const isNeeded = isBlank(body.externalId) && !isCompared;
	return { body: first.isCertain || isNeeded ? body : omit(body, 'protocol') };
}

/** The forms of the code that is sent: what users write in JSON is sent as it is. */
function codeFormsOf(protocol: unknown, found: unknown): CodeForm[] {
	if (typeof protocol !== 'string') return [];
	const forms = (found ?? []) as CodeForm[];
	return forms[0]?.code === protocol ? forms : [{ code: protocol, isCertain: true }];
}
