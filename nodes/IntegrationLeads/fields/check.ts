import { isEmpty, isNil, omit, union } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import { listedLead } from '../contract/leadRecord';
import type { Lookup, Operation } from '../operation';
import { InputError } from '../userError';
import { refusePlaceholder } from '../values/convert';
import { inOneForm, isByAddress, refuseHalfEmpty, toEmail, toWholePhone } from '../values/identity';

/** The body, including Additional Body, must have a field. */
export function requireBody(message: string, description: string): Operation['check'] {
	return ({ body }) => {
		if (isEmpty(body)) throw new InputError(message, description);
	};
}

export const requireUpdate = requireBody(
	'Nothing to update was given',
	'Give a value for at least one field under "Update Fields". A blank one stays as it is; to empty it, name it in "Fields to Clear".',
);

/** Rule 1 of 4.3: an external ID or a protocol identifies the lead, or else an address, see {@link identifyByAddress}. */
export const requireIdentifier: Operation['check'] = ({ body }, read) => {
	const { externalId, protocol, contactId, contact } = isRecord(body) ? body : {};
	const { email, phone } = isRecord(contact) ? contact : {};
	// JSON that users write has not been converted.
	refuseHalfEmpty(externalId, 'External ID');
	refusePlaceholder(contactId, 'Contact ID');
	refusePlaceholder(email, 'Email');
	refusePlaceholder(phone, 'Phone');
	if (protocol || externalId) return;
	if (isByAddress(read)) {
		if (email || phone) return;
		throw new InputError(
			'"Email" and "Phone" are empty, and the lead is found by one of them',
			'Give at least one of the two, or another identifier of the lead.',
		);
	}
	throw new InputError(
		'"External ID" is required when there is no "Protocol"',
		'Give your own unique ID of the lead: the ID of the form submission, the order or the conversation. Where there is none, give the email or the phone, but not the row number, which changes when rows are sorted or deleted. If a column has it under another name, such as ID, Code or Order, enter that name under Options > External ID Column, or rename the column to External ID. A message in "Protocol" counts only if it contains a code such as ML-AB12-CD34.',
	);
};

/**
 * Identifies a lead by the email of its contact, or by the phone if there is no email. The lead that has it is updated by its
 * external ID or, if it has none, by its ID; where none has it, one is created with this address as its external ID.
 */
export const identifyByAddress: Operation['identify'] = (request, read, find) => {
	const body = isRecord(request.body) ? request.body : {};
	if (!isByAddress(read) || body.externalId || body.protocol) return request;
	const lookup = lookupOf(isRecord(body.contact) ? body.contact : {});
	const lead = find({ record: listedLead, optional: true, ...lookup });
	const { externalId, id, tags } = lead ?? { externalId: lookup.value };
	if (!isNil(externalId) && externalId !== '') {
		return { ...request, body: { ...body, externalId: String(externalId) } };
	}
	// What an update does with tags that are not sent is not documented (4.6).
	const kept = Array.isArray(tags) && Array.isArray(body.tags) && { tags: union(tags, body.tags) };
	return {
		...request,
		method: 'PUT',
		path: `/leads/${encodeURIComponent(String(id))}`,
		body: { ...omit(body, 'createContactIfNotFound'), ...kept },
	};
};

/** The address in one form, so that items of one person keep their order. */
function lookupOf({ email, phone }: ServiceRecord): Pick<Lookup, 'label' | 'by' | 'value'> {
	const [label, by, convert] = email
		? (['Email', 'email', toEmail] as const)
		: (['Phone', 'phone', toWholePhone] as const);
	const value = convert(email || phone, { label, timezone: 'UTC' });
	return { label, by, value: inOneForm(String(value)) };
}

/** An external ID sent again updates the same lead; a protocol links once more (4.3). */
export const isUpsertByExternalId = ({ body }: { body?: unknown }): boolean =>
	isRecord(body) && !body.protocol;
