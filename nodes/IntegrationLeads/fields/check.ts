import { isEmpty } from 'lodash';

import { isRecord } from '../contract/envelope';
import type { Operation } from '../operation';
import { InputError } from '../userError';
import { refusePlaceholder } from '../values/convert';
import { refuseHalfEmpty } from '../values/identity';

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

/** Rule 1 of 4.3: an external ID or a protocol identifies the lead. */
export const requireIdentifier: Operation['check'] = ({ body }) => {
	const { externalId, protocol, contactId, contact } = isRecord(body) ? body : {};
	const { email, phone } = isRecord(contact) ? contact : {};
	// JSON that users write has not been converted.
	refuseHalfEmpty(externalId, 'External ID');
	refusePlaceholder(contactId, 'Contact ID');
	refusePlaceholder(email, 'Email');
	refusePlaceholder(phone, 'Phone');
	if (protocol || externalId) return;
	throw new InputError(
		'"External ID" is required when there is no "Protocol"',
		'Give your own unique ID of the lead: the ID of the form submission, the order or the conversation. Where there is none, give the email or the phone, but not the row number, which changes when rows are sorted or deleted. If a column has it under another name, such as ID, Code or Order, enter that name under Options > External ID Column, or rename the column to External ID. A message in "Protocol" counts only if it contains a code such as ML-AB12-CD34.',
	);
};

/** Checked after {@link requireIdentifier}. An external ID sent again updates the same lead; a protocol links once more (4.3). */
export const isUpsertByExternalId = ({ body }: { body?: unknown }): boolean =>
	isRecord(body) && !body.protocol;
