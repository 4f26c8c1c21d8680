import { isEmpty, isNil } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../values/json';
import { isRecord } from '../values/json';
import { listedLead } from '../contract/leadRecord';
import type { Lookup, Operation, Result } from '../operation';
import { InputError, UserError } from '../userError';
import { isBlank, refusePlaceholder } from '../values/convert';
import { inOneForm, isByAddress, refuseHalfEmpty, toEmail } from '../values/identity';
import { toPhone } from '../values/phone';

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

/** Rule 1 of 4.3: an external ID or a protocol identifies the lead, or else an address. */
export const requireIdentifier: Operation['check'] = ({ body, settings }) => {
	const { externalId, protocol, contactId, contact } = body;
	const { email, phone } = isRecord(contact) ? contact : {};
	// JSON that users write has not been converted.
	refuseHalfEmpty(externalId, 'External ID');
	refusePlaceholder(contactId, 'Contact ID');
	refusePlaceholder(email, 'Email');
	refusePlaceholder(phone, 'Phone');
	if (protocol || externalId) return;
	if (isByAddress(settings)) {
		// Which may be JSON that users write: what cannot be read is named before anything is sent.
		if (email || phone) return void addressesIn({ email, phone });
		throw new InputError(
			'"Email" and "Phone" are empty, and the lead is found by one of them',
			'Give at least one of the two, or check what their expressions give.',
		);
	}
	throw missingId(settings);
};

const NO_ROW_NUMBER = 'Not the row number, which changes when rows are sorted or deleted.';
const NO_COLUMN = '"External ID" is missing: no column of the row is the ID of the lead';
const MAP_IT =
	'Map it to the field with your own unique ID of the lead, and check what its expression gives.';
/** What is missing and the way out, by what the panel shows: how *Create or Update* and *Push Leads* take leads. */
const MISSING_IDS: Record<string, [message: string, wayOut: string]> = {
	externalId: [
		'"External ID" is empty',
		`Give your own unique ID of the lead: the ID of the form submission, the order or the conversation. ${NO_ROW_NUMBER} Where there is none, choose Email or Phone under "Identify Lead By".`,
	],
	protocol: [
		'"Protocol" contains no code, and "External ID" is empty',
		'A code looks like ML-AB12-CD34. For messages without one, give the External ID: the ID of the conversation, else the phone or the email.',
	],
	columns: [
		NO_COLUMN,
		`Switch on "Options > Find by Email or Phone", or name the column with the ID under "Options > External ID Column", e.g. Order. ${NO_ROW_NUMBER}`,
	],
	fields: [
		NO_COLUMN,
		`Name the column with the ID under "Options > External ID Column", e.g. Order or Email. ${NO_ROW_NUMBER}`,
	],
	mapped: ['"External ID" is empty', `${MAP_IT} ${NO_ROW_NUMBER}`],
	mappedColumns: [
		'"External ID" is empty',
		`${MAP_IT} Where there is none, switch on "Options > Find by Email or Phone". ${NO_ROW_NUMBER}`,
	],
	json: [
		'"externalId" is missing in the lead',
		'Add your own unique ID of the lead to its JSON, or "protocol" with the code of its tracking link.',
	],
};

function missingId({ identifyBy, specifyLeads, mappingMode, options }: IDataObject): InputError {
	const isMapped = mappingMode === 'defineBelow';
	const mapped = identifyBy === 'columns' ? 'mappedColumns' : 'mapped';
	const mode = isMapped ? mapped : String(identifyBy ?? specifyLeads);
	const [message, wayOut] = MISSING_IDS[mode] ?? MISSING_IDS.externalId;
	const column = isRecord(options) ? options.externalIdColumn : undefined;
	const isNamed = message === NO_COLUMN && !isBlank(column);
	return new InputError(isNamed ? `"${String(column)}" has no ID of the lead` : message, wayOut);
}

/** The email and the phone of a lead's contact, in one form, so that items of one person keep their order. */
export function addressesIn({ email, phone }: ServiceRecord): Lookup[] {
	const given = [
		['Email', 'email', toEmail, email],
		['Phone', 'phone', toPhone, phone],
	] as const;
	return (
		given
			// `true` stands for one that could not be read, see `convertOrNote`.
			.filter(([, , , address]) => !isBlank(address) && address !== true)
			.map(([label, by, convert, address]) => {
				const value = inOneForm(String(convert(address, { label, timezone: 'UTC' })));
				return { record: listedLead, label, by, value };
			})
	);
}

/** An external ID sent again updates the same lead; a protocol links once more (4.3). */
export const isUpsertByExternalId = ({ body }: { body?: unknown }): boolean =>
	isRecord(body) && !body.protocol;

/** The ID of the record that a step returned, for the next one. Throws UserError if the service does not show it. */
export function requireId(result: Result | undefined, singular: string): string {
	const id = result?.record?.id;
	if (!isNil(id)) return String(id);
	throw new UserError(
		`The ${singular} has no "id", so nothing was added to it`,
		'Use the resource "API Request" to see the answer as it is, and tell the authors of this node.',
	);
}
