import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../contract/envelope';
import { contact, foundContact, foundOrCreatedContact } from '../contract/records';
import { assumed } from '../contract/shape';
import { somethingToUpdate } from '../fields/check';
import { additionalBody, listParameters, options } from '../fields/common';
import {
	contactBody,
	contactFilters,
	contactId,
	contactUpdateFields,
	defaultCountryCode,
	lookupFields,
	lookupSteps,
	tryNinthDigit,
} from '../fields/contact';
import type { Resource } from '../operation';
import { InputError } from '../userError';

/** The spec names no scope for it. */
const lookupScope = { assumed: 'contacts:read' };

export const contacts: Resource = {
	name: 'Contact',
	description: 'A person who can be reached by email or phone',
	defaultOperation: 'create',
	operations: {
		create: {
			name: 'Create',
			action: 'Create contact',
			description: 'Create a contact, without looking for an existing one',
			when: 'Use it for a person who is known not to be among the contacts; finding or creating the contact avoids a second record of the same person.',
			scope: 'contacts:write',
			route: 'POST /contacts',
			sends: assumed('the contact fields of part 2'),
			repeatable: false,
			parameters: [...contactBody, additionalBody, options([defaultCountryCode])],
			output: { kind: 'one', record: contact },
			check: ({ body }) => {
				if (isRecord(body) && Object.keys(body).length > 0) return;
				throw new InputError(
					'The contact has no data',
					'Give at least one of "Name", "Email" and "Phone".',
				);
			},
		},
		findOrCreate: {
			name: 'Find or Create',
			action: 'Find or create contact',
			description: 'Find a contact by phone, then by email, and create it when there is none',
			when: 'Use it whenever a contact is needed and only the phone or the email of the person is known.',
			scope: 'contacts:write',
			route: 'POST /contacts',
			sends: assumed('the contact fields of part 2'),
			repeatable: false,
			parameters: [...contactBody, additionalBody, options([defaultCountryCode, tryNinthDigit])],
			output: { kind: 'one', record: foundOrCreatedContact },
			check: ({ body }) => {
				if (isRecord(body) && (body.phone || body.email)) return;
				throw new InputError(
					'A contact is looked for by "Phone" and by "Email", and both are empty',
					'Give at least one of the two, or choose the operation Create.',
				);
			},
			steps: (request, chosen) => [
				...lookupSteps(request.body as IDataObject, chosen, lookupScope).map((step) => ({
					...step,
					adds: { created: false, ...step.adds },
				})),
				{ request, adds: { created: true } },
			],
		},
		get: {
			name: 'Get',
			action: 'Get contact',
			description: 'Get one contact by its ID',
			when: 'Use it when the ID is known; with a phone or an email, look the contact up instead.',
			scope: 'contacts:read',
			route: 'GET /contacts/{contactId}',
			sends: assumed('nothing but the path'),
			repeatable: true,
			parameters: [contactId, options()],
			output: { kind: 'one', record: contact },
		},
		getAll: {
			name: 'Get Many',
			action: 'Get many contacts',
			description: 'Get a list of contacts, or of those that match a search',
			when: 'Use it to browse contacts, or to find one by a part of the name.',
			scope: 'contacts:read',
			route: 'GET /contacts',
			sends: assumed('page, limit and search, as in 4.1'),
			repeatable: true,
			parameters: [...listParameters, contactFilters, options()],
			output: { kind: 'many', record: contact },
		},
		lookup: {
			name: 'Lookup',
			action: 'Look up contact',
			description: 'Find the one contact that has an email or a phone',
			when: 'Use it to find out who a person is, or whether the person is known. Give either the email or the phone.',
			scope: lookupScope,
			route: 'GET /contacts/lookup',
			sends: assumed(
				'email or phone in the query; part 2 says that contacts are looked up by them',
			),
			repeatable: true,
			parameters: [...lookupFields, options([defaultCountryCode, tryNinthDigit])],
			output: { kind: 'one', record: foundContact },
			check: ({ query }) => {
				if (Object.keys(query).length === 1) return;
				throw new InputError(
					'A contact is looked up by "Email" or by "Phone"',
					'Give one of the two and leave the other empty.',
				);
			},
			steps: ({ query }, chosen) => lookupSteps(query, chosen, lookupScope),
			notFound: ({ query }) => ({
				message: `No contact has the ${Object.entries(query).flat().join(' ')}`,
				description:
					'Nothing was changed. Check how the value is written: a phone is in international format with a leading +.',
			}),
		},
		update: {
			name: 'Update',
			action: 'Update contact',
			description: 'Change the name, email or phone of a contact',
			when: 'Use it when the ID of the contact is known and something about the person has changed. Give only the fields that change.',
			scope: 'contacts:write',
			route: 'PUT /contacts/{contactId}',
			sends: assumed('the contact fields of part 2; fields not sent stay as they are'),
			repeatable: true,
			parameters: [contactId, contactUpdateFields, additionalBody, options([defaultCountryCode])],
			output: { kind: 'one', record: contact },
			check: somethingToUpdate,
		},
	},
};
