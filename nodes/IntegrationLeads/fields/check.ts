/** Checks what the values of an item require of each other. Nothing else is decided here: what passes is sent as it is. */
import { isEmpty, isNil } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { contactLookups, hasLeadKey } from '../contract/leadKey';
import type { Operation, Result } from '../operation';
import { InputError, reportAnswer, UserError } from '../userError';
import { isRecord } from '../values/json';
import { assertNotPlaceholder, isBlank } from '../values/convert';
import { assertCompleteId } from '../values/identity';

/** An update must have at least one field, also in Additional Body. */
export const requireUpdate: Operation['check'] = ({ body }) => {
	if (!isEmpty(body)) return;
	throw new InputError('Nothing to update was given', {
		all: 'Give a value for at least one field. A blank one stays as it is.',
		panel: 'The fields are under "Update Fields". To empty one, name it in "Fields to Clear".',
	});
};

/** A lead must be identified by an external ID or a protocol (rule 1 of 4.3), or by an email or a phone. */
export const requireLead: Operation['check'] = ({ body, settings }, context) => {
	const { input = {} } = context;
	const { externalId, contactId, contact } = body;
	const { email, phone } = isRecord(contact) ? contact : {};
	// An ID such as "undefined" would make one lead of many people. JSON that users write has not been converted.
	assertCompleteId(externalId, 'External ID');
	assertNotPlaceholder(contactId, 'Contact ID');
	assertNotPlaceholder(email, 'Email');
	assertNotPlaceholder(phone, 'Phone');
	// What cannot be read is named now, also where an ID finds the lead: its contact is filled when the lead has been written.
	contactLookups(contact, context);
	if (hasLeadKey(body) || !isBlank(email) || !isBlank(phone)) return;
	if (settings.specifyLead === 'columns' && isOfForm(input)) throw anonymousForm(input);
	const { specifyLead, specifyLeads, mappingMode } = settings;
	const ofColumns = specifyLead === 'columns' || specifyLeads === 'fields';
	throw ofColumns && mappingMode !== 'defineBelow'
		? new InputError('The row has no email, no phone and no ID of the lead', {
				panel:
					'Name the column with the ID under "Options > External ID Column", e.g. Order, map the columns by hand, or fill in one of the three. Not the row number, which changes when rows are sorted or deleted.',
			})
		: new InputError(
				mappingMode === 'defineBelow' && isEmpty(body)
					? 'No field of the lead is mapped, or all are empty'
					: '"Email", "Phone" and "External ID" are empty, and the lead is found by one of them',
				{
					all: 'Give at least one of "Email", "Phone" and "External ID", or "Protocol" with the code of a tracking link. An External ID is your own: of the record, the order or the conversation, not the row number.',
					panel: `Check the values of the expressions.${specifyLead === 'fields' ? ' To take them from a form or a sheet, choose "Using Columns of the Input" under "Specify Lead".' : ''}`,
				},
			);
};

/** The fields that n8n's Form Trigger adds to the answers. */
export const FORM_TRIGGER_FIELDS = ['submittedAt', 'formMode'];

/** Whether the item comes from n8n's Form Trigger. */
export const isOfForm = (input: IDataObject) => FORM_TRIGGER_FIELDS.every((name) => name in input);

const ADDRESS_FIELD = /mail|correo|fone|phone|whats|zap|celular|m[oó]vil|tel/i;

/** The error in the words of a form, whose visitors see no rows and columns. */
function anonymousForm(input: IDataObject): InputError {
	const names = Object.keys(input).filter((name) => ADDRESS_FIELD.test(name));
	const remedy =
		names.length > 0
			? `Make ${names.map((name) => `"${name}"`).join(' or ')} required in your form`
			: 'Add a field "E-mail" or "WhatsApp" to your form, and make it required';
	return new InputError(
		'The form was sent without an email and without a phone',
		`${remedy}: without one of them, the person cannot be found again. What was written is in this execution.`,
	);
}

/** The ID of the record that a step returned, for the next one. Throws UserError if the service does not show it. */
export function requireId(result: Result | undefined, singular: string): string {
	const id = result?.record?.id;
	if (!isNil(id)) return String(id);
	throw new UserError(`The ${singular} has no "id", so nothing was added to it`, reportAnswer);
}
