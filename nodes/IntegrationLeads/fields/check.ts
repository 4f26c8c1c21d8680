import { isEmpty, isNil } from 'lodash';

import type { ServiceRecord } from '../values/json';
import { isRecord } from '../values/json';
import { listedLead } from '../contract/leadRecord';
import type { Lookup, Operation, Result } from '../operation';
import { InputError, UserError } from '../userError';
import { isBlank, refusePlaceholder } from '../values/convert';
import { inOneForm, refuseHalfEmpty, toEmail } from '../values/identity';
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

/** Refuses what would make one lead of many people. JSON that users write has not been converted. */
function refusePlaceholders({ externalId, contactId, contact }: ServiceRecord): void {
	const { email, phone } = isRecord(contact) ? contact : {};
	refuseHalfEmpty(externalId, 'External ID');
	refusePlaceholder(contactId, 'Contact ID');
	refusePlaceholder(email, 'Email');
	refusePlaceholder(phone, 'Phone');
}

const NO_ROW_NUMBER = 'Not the row number, which changes when rows are sorted or deleted.';

/** *Create or Update*: an external ID or a protocol identifies the lead (rule 1 of 4.3), or else an address. */
export const requireLead: Operation['check'] = ({ body, settings }) => {
	const { externalId, protocol, contact } = body;
	refusePlaceholders(body);
	if (protocol || externalId) return;
	const { email, phone } = isRecord(contact) ? contact : {};
	// What cannot be read is named before anything is sent.
	if (email || phone) return void addressesIn({ email, phone });
	const isRow = settings.specifyLead === 'columns' && settings.mappingMode !== 'defineBelow';
	throw isRow
		? new InputError(
				'No column of the row is the email, the phone or the ID of the lead',
				`Name the column with the ID under "Options > External ID Column", e.g. Order, or map the columns by hand. ${NO_ROW_NUMBER}`,
			)
		: new InputError(
				'"Email", "Phone" and "External ID" are empty, and the lead is found by one of them',
				`Give at least one of the three, or "Protocol" with the code of a tracking link, and check what the expressions give. An External ID is your own: of the form submission, the order or the conversation. ${NO_ROW_NUMBER}`,
			);
};

const NO_COLUMN = '"External ID" is missing: no column of the row is the ID of the lead';
/** What is missing and the way out, by what the panel of *Push Leads* shows. */
const MISSING_IDS: Record<string, [message: string, wayOut: string]> = {
	fields: [
		NO_COLUMN,
		`Name the column with the ID under "Options > External ID Column", e.g. Order or Email. ${NO_ROW_NUMBER}`,
	],
	mapped: [
		'"External ID" is empty',
		`Map it to the field with your own unique ID of the lead, and check what its expression gives. ${NO_ROW_NUMBER}`,
	],
	json: [
		'"externalId" is missing in the lead',
		'Add your own unique ID of the lead to its JSON, or "protocol" with the code of its tracking link.',
	],
};

/** *Push Leads*: rule 1 of 4.3. */
export const requireIdentifier: Operation['check'] = ({ body, settings, options }) => {
	refusePlaceholders(body);
	if (body.protocol || body.externalId) return;
	const mode = settings.mappingMode === 'defineBelow' ? 'mapped' : String(settings.specifyLeads);
	const [message, wayOut] = MISSING_IDS[mode] ?? MISSING_IDS.mapped;
	const column = options.externalIdColumn;
	const isNamed = message === NO_COLUMN && !isBlank(column);
	throw new InputError(isNamed ? `"${String(column)}" has no ID of the lead` : message, wayOut);
};

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
