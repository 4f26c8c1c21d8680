/**
 * Knows what identifies a lead, and by what the service finds the one that is sent (spec 4.3): a tracking code, an external ID, or
 * else the email and the phone of its contact. Pure.
 */
import { isEqual } from 'lodash';

import { MISTAKEN } from '../userError';
import type { ConvertContext } from '../values/context';
import { isBlank } from '../values/convert';
import { addressesOf, canonicalAddress, toEmail } from '../values/identity';
import { isRecord, toRecord, type ServiceRecord } from '../values/json';
import { toPhone } from '../values/phone';
import { listedLead, type ContactKey, type Lookup } from './records';

/** Whether a lead has a value by which the service itself finds it. */
export const hasLeadKey = ({ externalId, protocol }: ServiceRecord): boolean =>
	!isBlank(externalId) || !isBlank(protocol);

/** What identifies a lead among those of a run, in words: its ID, then its external ID. */
export const leadIdsOf = ({ id, externalId }: ServiceRecord): string[] => [
	...(isBlank(id) ? [] : [`ID ${String(id)}`]),
	...(isBlank(externalId) ? [] : [`external ID ${String(externalId)}`]),
];

/** The lookup for an external ID. */
export const byExternalId = (id: unknown) =>
	({ label: 'External ID', by: 'externalId', value: String(id) }) as const;

/** The lookup for the ID of a lead. */
export const byLeadId = (value: string) => ({ label: 'Lead', by: 'id', value }) as const;

/**
 * The lookups for the email and the phone of a lead's contact.
 *
 * @param context.countryCode for phones in JSON that users write, which have not been converted
 * @throws InputError for a value that cannot be read
 */
export function contactLookups(
	contact: unknown,
	{ countryCode }: Pick<ConvertContext, 'countryCode'>,
): Array<Lookup & { by: ContactKey }> {
	const known = toRecord(contact);
	const traits = [
		{ by: 'email', label: 'Email', convert: toEmail },
		{ by: 'phone', label: 'Phone', convert: toPhone },
	] as const;
	return traits.flatMap(({ by, label, convert }) => {
		if (isBlank(known[by]) || known[by] === MISTAKEN) return [];
		const value = canonicalAddress(
			String(convert(known[by], { label, timezone: 'UTC', countryCode })),
		);
		return [{ record: listedLead, label, by, value }];
	});
}

/**
 * Whether sending the lead again has the same effect: an external ID updates the same one, a protocol links once more, and a
 * protocol without data only shows its lead.
 */
export const isSafeToRepeat = ({ body }: { body?: unknown }): boolean =>
	isRecord(body) && (!body.protocol || isEqual(Object.keys(body), ['protocol']));

/**
 * Whether the service may give the lead another contact if it exists: it is sent by its external ID, with an email or a phone that
 * may lead elsewhere.
 */
export const mayMoveContact = ({ externalId, protocol, contact }: ServiceRecord): boolean =>
	!isBlank(externalId) && isBlank(protocol) && addressesOf(toRecord(contact)).length > 0;

/**
 * The hint of a push by external IDs. Which contact the service takes is not documented (spec 4.3), and the answer does not show
 * which one the lead had.
 */
export const NOT_COMPARED =
	'Leads with an External ID were not looked up first. If the email or the phone of a row is not that of its lead, the service may have kept the contact, or given the lead another one: set the right one with Lead > Update. "Options > Look First" compares before anything is sent.';

/**
 * Whether the lead of an external ID is read and compared before it is sent: where a model may have made the ID up, the user
 * wants it, or an earlier run left something out.
 */
export const comparesFirst = (
	{ externalId }: ServiceRecord,
	{ tool, isCorrection }: { tool?: boolean; isCorrection?: boolean },
	lookFirst: unknown,
): boolean =>
	!isBlank(externalId) && (tool === true || isCorrection === true || lookFirst === true);
