/** The lead of a person who wrote in WhatsApp: by an external ID that is made of the person's IDs, by phone, or by a tracking code. */
import { compact, isNil, isUndefined, omitBy } from 'lodash';

import { contactHas } from '../contract/contactMatch';
import { requireId } from '../fields/check';
import type { Result, StepFunctions } from '../operation';
import { isRefused, UserError } from '../userError';
import { isBlank } from '../values/convert';
import type { ServiceRecord } from '../values/json';
import { codeForms, type Person, type WhatsAppMessage } from '../whatsapp/message';
import { byExternalId, findLead, sendLead, updateLead } from './leadRequests';
import { codeSteps, readContactOf, leadsOfCodes } from './trackingCode';

export const personSteps = { findLead, sendLead, updateLead, ...codeSteps };

type PersonSteps = StepFunctions<typeof personSteps>;

/** The lead of a message. */
export interface PersonLead extends Result {
	/** Created just now, so it has nothing yet. What an earlier try created is found, and may have a conversation. */
	isNew?: boolean;
	/** The tracking code in the message. */
	protocol?: string;
}

const EXTERNAL_ID_PREFIX = 'whatsapp-';

/** The external IDs by which the lead of a person may be known. The first is that of a new one. */
export function externalIdsOf({ hiddenId, chatwootContact, phone }: Person): string[] {
	const ids = [hiddenId, chatwootContact && `chatwoot-${chatwootContact}`, phone?.slice(1)];
	return compact(ids).map((id) => `${EXTERNAL_ID_PREFIX}${id}`);
}

/**
 * The lead of a message, found or sent.
 *
 * @throws ServiceError, or UserError where the message does not say who wrote it
 */
export async function leadOfMessage(
	message: WhatsAppMessage,
	steps: PersonSteps,
): Promise<PersonLead> {
	const { person } = message;
	const [ownId] = externalIdsOf(person);
	if (ownId === undefined) {
		throw new UserError(
			'The message does not say who wrote it: it has no number and no ID of the person',
			'Nothing was logged. Look for the message in WhatsApp, and report the body of the webhook to the authors of this node.',
		);
	}
	const known = await findLeadOf(person, steps);
	const { protocol, isOfAnother } = await codeOf(message, steps);
	if (known && !protocol) return known;
	if (known && isOfAnother) return withoutLink({ ...known, protocol });
	const externalId = String(known?.record?.externalId ?? ownId);
	const contact = omitBy({ name: person.name, phone: person.phone }, isUndefined);
	const body = {
		protocol: isOfAnother ? undefined : protocol,
		externalId,
		contact,
		source: known ? undefined : 'whatsapp',
	};
	const sent = await steps.sendLead(
		{ body: omitBy(body, isUndefined) },
		// A link that is sent twice leads to the same lead (4.3, rule 2), while a message that is not logged is lost.
		{ found: known?.record ?? null },
	);
	// A service may create a record and answer without it.
	const record = isNil(sent.record?.id)
		? (await steps.findLead([byExternalId(externalId)], { orNone: true }))?.record
		: sent.record;
	const shown = { ...record, externalId: record?.externalId ?? externalId };
	const isNew = sent.created === true;
	const lead = withRemark({ ...sent, record: shown, isNew, protocol }, known?.extra.differences);
	return isOfAnother ? withoutLink(lead) : lead;
}

const CODE_OF_ANOTHER =
	'The tracking code belongs to the lead of another person, who may have forwarded it. That lead was left as it is.';

const withoutLink = (lead: PersonLead): PersonLead =>
	withRemark({ ...lead, extra: { ...lead.extra, linked: false } }, CODE_OF_ANOTHER);

export function withRemark<L extends Result>(lead: L, remark: unknown): L {
	const differences = compact([lead.extra.differences, remark]).join(' ');
	return { ...lead, extra: { ...lead.extra, ...(differences && { differences }) } };
}

/**
 * The tracking code of a message: the first that leads to a lead which may be this person's. This is asked before anything is
 * linked, which cannot be undone. A code that no lead has is sent all the same if it is certain to be one, as the service may
 * refuse a code alone for another reason.
 */
async function codeOf(
	message: WhatsAppMessage,
	steps: PersonSteps,
): Promise<{ protocol?: string; isOfAnother?: boolean }> {
	// A code that somebody of the business writes is meant for the person.
	if (message.from === 'team') return {};
	const forms = codeForms(message);
	let ofAnother: string | undefined;
	for await (const { code, lead } of leadsOfCodes(forms, steps)) {
		if (!lead.record || !(await isOfAnother(lead.record, message.person, steps))) {
			return { protocol: code };
		}
		ofAnother ??= code;
	}
	if (ofAnother) return { protocol: ofAnother, isOfAnother: true };
	return { protocol: forms.find(({ isCertain }) => isCertain)?.code };
}

/** Whether the lead of a code is plainly that of another person: a code can be forwarded. */
async function isOfAnother(
	lead: ServiceRecord,
	person: Person,
	steps: PersonSteps,
): Promise<boolean> {
	const externalId = String(lead.externalId ?? '');
	if (externalIdsOf(person).includes(externalId)) return false;
	const contact = await readContactOf(lead, ['phone'], steps);
	if (isBlank(contact?.phone)) return externalId.startsWith(EXTERNAL_ID_PREFIX);
	return person.phone === undefined || contactHas(contact!, 'phone', person.phone) === false;
}

async function findLeadOf(person: Person, steps: PersonSteps): Promise<Result | undefined> {
	const ids = externalIdsOf(person);
	for (const id of ids) {
		const found = await steps.findLead([byExternalId(id)], { orNone: true });
		if (found) return await withFirstId(found, ids, steps);
	}
	if (!person.phone) return undefined;
	const own = { label: 'Phone', by: 'phone', value: person.phone } as const;
	const found = await steps.findLead([own], { orNone: true });
	return found && (await withFirstId(found, ids, steps));
}

/**
 * Gives a lead the first external ID of the person, if it has none or another of theirs: who hides the number later is found by
 * the hidden ID only, and the number by the phone of the contact. An ID of the user stays.
 */
async function withFirstId(lead: Result, ids: string[], steps: PersonSteps): Promise<Result> {
	const { externalId } = lead.record ?? {};
	const isOwn = externalId === null || externalId === '' || ids.includes(String(externalId));
	if (!isOwn || externalId === ids[0]) return lead;
	const path = { leadId: requireId(lead, 'lead') };
	const body = { externalId: ids[0] };
	const updated = { ...lead, record: { ...lead.record, ...body } };
	return await steps.updateLead({ path, body }).then(
		() => updated,
		(reason: unknown) => {
			if (!isRefused(reason)) throw reason;
			// The message is logged all the same.
			return withRemark(
				lead,
				`The lead did not get the external ID "${ids[0]}", so this person may become a second lead: ${reason.message}.`,
			);
		},
	);
}
