import { isRecord } from '../contract/envelope';
import { contact } from '../contract/records';
import { somethingToUpdate } from '../fields/check';
import { additionalBody, listParameters, options } from '../fields/common';
import {
	contactBody,
	contactFilters,
	contactId,
	contactUpdateFields,
	lookupFields,
} from '../fields/contact';
import type { Resource } from '../operation';
import { InputProblem } from '../problem';

export const contacts: Resource = {
	name: 'Contact',
	description: 'A person who can be reached by email or phone',
	defaultOperation: 'create',
	operations: {
		create: {
			name: 'Create',
			action: 'Create contact',
			description: 'Create a contact',
			scope: 'contacts:write',
			route: 'POST /contacts',
			repeatable: false,
			parameters: [...contactBody, additionalBody, options()],
			output: { kind: 'one', record: contact },
			check: ({ body }) => {
				if (isRecord(body) && Object.keys(body).length > 0) return;
				throw new InputProblem(
					'The contact has no data',
					'Give at least one of "Name", "Email" and "Phone".',
				);
			},
		},
		get: {
			name: 'Get',
			action: 'Get contact',
			description: 'Get one contact',
			scope: 'contacts:read',
			route: 'GET /contacts/{contactId}',
			repeatable: true,
			parameters: [contactId, options()],
			output: { kind: 'one', record: contact },
		},
		getAll: {
			name: 'Get Many',
			action: 'Get many contacts',
			description: 'Get a list of contacts',
			scope: 'contacts:read',
			route: 'GET /contacts',
			repeatable: true,
			parameters: [...listParameters, contactFilters, options()],
			output: { kind: 'many', record: contact },
		},
		lookup: {
			name: 'Lookup',
			action: 'Look up contact',
			description: 'Find the contact that has an email or a phone',
			scope: { assumed: 'contacts:read' },
			route: 'GET /contacts/lookup',
			repeatable: true,
			parameters: [...lookupFields, options()],
			output: { kind: 'one', record: contact },
			check: ({ query }) => {
				if (Object.keys(query).length === 1) return;
				throw new InputProblem(
					'A contact is looked up by "Email" or by "Phone"',
					'Give one of the two and leave the other empty.',
				);
			},
			notFound: ({ query }) => ({
				message: `No contact has the ${Object.entries(query).flat().join(' ')}`,
				description:
					'Nothing was changed. Check how the value is written: a phone is in international format with a leading +.',
			}),
		},
		update: {
			name: 'Update',
			action: 'Update contact',
			description: 'Change fields of a contact',
			scope: 'contacts:write',
			route: 'PUT /contacts/{contactId}',
			repeatable: true,
			parameters: [contactId, contactUpdateFields, additionalBody, options()],
			output: { kind: 'one', record: contact },
			check: somethingToUpdate,
		},
	},
};
