/** Declares the operations of contacts. */
import type { IDataObject } from 'n8n-workflow';

import { contact, foundOrCreatedContact, type ContactKey, type Lookup } from '../contract/records';
import { describeLookup, joinParts } from '../contract/shown';
import { additionalBody } from '../fields/common';
import { contactAddresses, contactFields } from '../fields/contactFields';
import { options } from '../fields/options';
import { compose, list, single, type Parameter, type Resource } from '../operation';
import { InputError, UserError } from '../userError';
import type { ServiceRecord } from '../values/json';
import {
	createContact,
	findContactByLookup,
	getContact,
	getContacts,
	updateContact,
} from './contactRequests';
import { fillContact, fillSteps } from './fillContact';

type ContactLookup = Pick<Lookup, 'label' | 'value'> & { by: ContactKey };

/** Lookups by phone and by email. */
function lookupsOf({ phone, email }: IDataObject): ContactLookup[] {
	const lookups = [
		{ label: 'Phone', by: 'phone', value: phone },
		{ label: 'Email', by: 'email', value: email },
	] as const;
	return lookups
		.filter(({ value }) => value)
		.map((lookup) => ({ ...lookup, value: String(lookup.value) }));
}

const CONTACTS_NOT_COMPARED = {
	scopes: ['contacts:read'],
	hint: 'Emails and phones were not compared with those of other contacts: the API key needs the scope "contacts:read".',
};

/** The error for an email or a phone that would lead to two contacts. */
const ofOtherContact = (lookup: ContactLookup, { id, name, email, phone }: ServiceRecord) =>
	new UserError(
		`The ${describeLookup(lookup)} is that of another contact: ${joinParts(name, email, phone)} (ID ${String(id)})`,
		'Nothing was changed, since two contacts would be found by it. If both are one person, remove it from the other contact first.',
		'ambiguous',
	);

export const contacts: Resource = {
	name: 'Contact',
	description: 'A person, with an email or a phone',
	defaultOperation: 'create',
	operations: {
		create: single(createContact),
		findOrCreate: compose({
			name: 'Find or Create',
			action: 'Find or create contact',
			description: 'Find a contact by phone and by email, and create it if there is none',
			when: 'Use it whenever a contact is needed and only the phone or email of the person is known.',
			scope: 'contacts:write',
			otherScopes: { 'find the contact': ['contacts:read'] },
			parameters: [...contactFields, options([additionalBody])],
			output: { kind: 'one', record: foundOrCreatedContact },
			check: ({ body }) => {
				if (body.phone || body.email) return;
				throw new InputError(
					'"Phone" and "Email" are empty, and a contact is found by one of them',
					'Give at least one of the two, or use Contact > Create.',
				);
			},
			steps: { find: findContactByLookup, create: createContact, ...fillSteps },
			fillsContact: true,
			run: async ({ body }, steps, context) => {
				const found = await steps.find(lookupsOf(body), { person: body });
				return found
					? await fillContact(found, body, { steps, context, reads: true })
					: await steps.create({ body }, { existing: null });
			},
		}),
		get: single(getContact),
		getAll: list(getContacts),
		update: compose({
			...updateContact,
			otherScopes: { 'check whose an email or a phone is': ['contacts:read'] },
			steps: { request: updateContact, find: findContactByLookup },
			run: async ({ path, body }, steps, context) => {
				await context.ifPermitted(CONTACTS_NOT_COMPARED, async () => {
					for (const lookup of lookupsOf(body)) {
						const { record } = (await steps.find([lookup])) ?? {};
						if (record && String(record.id) !== path.contactId)
							throw ofOtherContact(lookup, record);
					}
				});
				return await steps.request({ path, body });
			},
		}),
		lookup: compose({
			name: 'Look Up',
			action: 'Look up contact',
			description: 'Find the contact with an email or a phone',
			when: 'Use it to check whether a person is among the contacts. Give either the email or the phone.',
			scope: 'contacts:read',
			parameters: contactAddresses.map((field): Parameter => ({ ...field, in: 'query' })),
			output: { kind: 'one', record: contact },
			check: ({ query }) => {
				if (Object.keys(query).length === 1) return;
				throw new InputError(
					'A contact is looked up by either "Email" or "Phone", and both or none are given',
					{
						all: 'Give one of the two. Contact > Find or Create takes both.',
						panel: 'Check the values of their expressions.',
					},
				);
			},
			steps: { find: findContactByLookup },
			run: async ({ query }, steps) => {
				const found = await steps.find(lookupsOf(query), { required: true });
				return { extra: {}, ...found };
			},
		}),
	},
};
