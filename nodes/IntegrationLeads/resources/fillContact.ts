/**
 * Fills blank fields of a contact that exists, since people often give their name, email or phone later and elsewhere. A value
 * that is there and differs is kept, and the output reports the difference.
 */
import { compact, get, isEmpty, isNil, pick } from 'lodash';

import { noteDifferences } from '../contract/differences';
import type { ComposeContext, RequestDeclaration, Result, StepFunctions } from '../operation';
import { isRefused } from '../userError';
import { isBlank } from '../values/convert';
import { isRecord, type ServiceRecord } from '../values/json';

type One = RequestDeclaration & { output: { kind: 'one' } };

interface FillOptions {
	/** Requests about contacts, which the operation has to declare as its steps. */
	steps: StepFunctions<{ readContact: One; updateContact: One }>;
	context: Pick<ComposeContext, 'inTurn' | 'ifPermitted' | 'hints'>;
	/** Whether to read the contact if it does not show a field that is given: leads show no phones (spec 2). */
	reads?: boolean;
}

export const NOT_FILLED =
	'Contacts lack a name, an email or a phone that was given. To add it, the API key needs the scopes "contacts:read" and "contacts:write".';

/**
 * Fills blank fields of a contact. May be called again, because the contact is read just before it is written.
 *
 * @param found the contact, as far as it is shown
 * @param given `name`, `email` and `phone`, converted
 * @returns the contact as it is afterwards, and in `differences` the values that it still does not have
 * @throws ServiceError if the service is not available
 */
export async function fillContact(
	found: Result,
	given: unknown,
	{ steps, context: { inTurn, ifPermitted, hints }, reads = false }: FillOptions,
): Promise<Result> {
	const { record: shown = {}, extra } = found;
	const fields = ['name', 'email', 'phone'].filter((field) => !isBlank(get(given, field)));
	const lackedBy = (contact: ServiceRecord) =>
		pick(
			given,
			fields.filter((field) => field in contact && isBlank(contact[field])),
		);
	const isHidden = reads && fields.some((field) => !(field in shown));
	const remarks = [extra.differences];
	let contact = shown;
	if ((isHidden || !isEmpty(lackedBy(shown))) && !isNil(shown.id)) {
		const path = { contactId: String(shown.id) };
		const fill = async () => {
			contact = { ...shown, ...(await steps.readContact({ path }, { isFresh: true })).record };
			const body = lackedBy(contact);
			if (isEmpty(body)) return;
			remarks.push((await steps.updateContact({ path, body })).extra.differences);
			contact = { ...contact, ...body };
		};
		// A lead may have the same ID as a contact.
		const fillOnce = async () => await inTurn(`contact ${path.contactId}`, fill);
		await ifPermitted(NOT_FILLED, fillOnce).catch((reason: unknown) => {
			if (!isRefused(reason)) throw reason;
			remarks.push(`"Contact" was left out: ${reason.message}.`);
		});
	}
	remarks.push(noteDifferences({ contact: pick(given, fields) }, { contact }, hints));
	const differences = compact(remarks).join(' ');
	return { ...found, record: contact, extra: { ...extra, ...(differences && { differences }) } };
}

/**
 * Fills the contact of a lead, see {@link fillContact}.
 *
 * @param lead as it was sent or found
 * @param before the lead as a search found it, which may show more of the contact
 */
export async function fillLeadContact(
	lead: Result,
	given: unknown,
	how: FillOptions,
	before?: Result,
): Promise<Result> {
	const [after, known] = [lead, before].map((each) => {
		const contact = each?.record?.contact;
		return isRecord(contact) ? contact : {};
	});
	const isSame = isNil(after.id) || String(after.id) === String(known.id);
	const shown = { record: isSame ? { ...known, ...after } : after, extra: lead.extra };
	const { record: contact, extra } = await fillContact(shown, given, how);
	const record = lead.record && { ...lead.record, ...(!isEmpty(after) && { contact }) };
	return { ...lead, record, extra };
}
