import { isRecord } from '../contract/envelope';
import type { Operation } from '../operation';
import { InputError } from '../userError';
import { refusePlaceholder } from '../values/convert';

/** Rule of a change: something is sent, be it of the user's own. */
function somethingSent(message: string, description: string): Operation['check'] {
	return ({ body }) => {
		if (isRecord(body) && Object.keys(body).length > 0) return;
		throw new InputError(message, description);
	};
}

/** An update has at least one field. */
export const somethingToUpdate = somethingSent(
	'Nothing to update was given',
	'Add at least one field under "Update Fields".',
);

/** There is a tag to add. */
export const someTag = somethingSent(
	'No tag was given',
	'Choose tags under "Tags From List" or write their names under "Tags by Name", or check what the expression gives.',
);

/** Rule 1 of 4.3: what a lead is told apart by. */
export const identifiedLead: Operation['check'] = ({ body }) => {
	const { externalId, protocol, contactId, contact } = isRecord(body) ? body : {};
	const { email, phone } = isRecord(contact) ? contact : {};
	// What came by JSON has not been looked at before.
	refusePlaceholder(externalId, 'External ID');
	refusePlaceholder(contactId, 'Contact ID');
	refusePlaceholder(email, 'Email');
	refusePlaceholder(phone, 'Phone');
	if (protocol || externalId) return;
	throw new InputError(
		'"External ID" is required when there is no "Protocol"',
		'Give your own unique ID of the lead, for example the ID of the conversation or of the row. The service needs one of the two to tell leads apart. A message in "Protocol" counts only when it holds a code such as ML-AB12-CD34.',
	);
};

/** Only an external ID makes a second sending an update of the first; a protocol links anew (4.3). */
export const isUpsertByExternalId = ({ body }: { body?: unknown }): boolean =>
	isRecord(body) && Boolean(body.externalId) && !body.protocol;
