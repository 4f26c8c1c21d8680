/** Checks what the values of an item require of each other. Nothing else is decided here: what passes is sent as it is. */
import { isEmpty, isNil } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Operation, Result } from '../operation';
import { InputError, reportAnswer, UserError } from '../userError';

/** An update must have at least one field, also in Additional Body. */
export const requireUpdate: Operation['check'] = ({ body }) => {
	if (!isEmpty(body)) return;
	throw new InputError('Nothing to update was given', {
		all: 'Give a value for at least one field. A blank one stays as it is.',
		panel: 'The fields are under "Update Fields". To empty one, name it in "Fields to Clear".',
	});
};

/** The fields that n8n's Form Trigger adds to the answers. */
export const FORM_TRIGGER_FIELDS = ['submittedAt', 'formMode'];

/** Whether the item comes from n8n's Form Trigger. */
export const isOfForm = (input: IDataObject) => FORM_TRIGGER_FIELDS.every((name) => name in input);

/** The ID of the record that a step returned, for the next one. Throws UserError if the service does not show it. */
export function requireId(result: Result | undefined, singular: string): string {
	const id = result?.record?.id;
	if (!isNil(id)) return String(id);
	throw new UserError(`The ${singular} has no "id", so nothing was added to it`, reportAnswer);
}
