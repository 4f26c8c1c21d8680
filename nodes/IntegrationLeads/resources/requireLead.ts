/**
 * Requires that the values of an item say whose lead it is. An item that is meant for another operation is recognised, and the
 * error names that operation. Pure.
 */
import { attempt, isEmpty } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { parseCheckout } from '../checkout/parse';
import { splitOut } from '../columns/onePerson';
import { isOfOther } from '../columns/headings';
import { contactLookups, hasLeadKey } from '../contract/leadKey';
import { isOfForm } from '../fields/check';
import type { Operation } from '../operation';
import { InputError } from '../userError';
import { assertNotPlaceholder, isBlank } from '../values/convert';
import { assertCompleteId, isLikeAddress } from '../values/identity';
import { isRecord, toRecord } from '../values/json';
import { parseWebhook } from '../whatsapp/services';

const NONE_SENT = 'Nothing was sent.';

/** The notice of Meta that a form was sent. It has the ID of the lead, and none of its answers. */
const isNoticeOfMeta = ({ object, entry }: IDataObject) =>
	object === 'page' &&
	[entry]
		.flat()
		.filter(isRecord)
		.flatMap(({ changes }) => changes)
		.some((change) => toRecord(change).field === 'leadgen');

/** The only key of an item whose value is a list of objects. */
function onlyListOf(item: IDataObject): string | undefined {
	const [list, ...others] = Object.keys(item).filter((key) => {
		const value = item[key];
		return Array.isArray(value) && value.length > 0 && value.every(isRecord);
	});
	return others.length === 0 ? list : undefined;
}

/** Whether an item is the webhook of a checkout, if only one that cannot be read. */
export const isOfCheckout = (item: IDataObject): boolean =>
	attempt(parseCheckout, item) !== undefined;

/** What an item plainly is instead of a lead. */
function misplaced(item: IDataObject): InputError | undefined {
	const body = isRecord(item.body) ? (item.body as IDataObject) : item;
	if (isNoticeOfMeta(body)) {
		return new InputError("The item is Meta's notice of a new lead, which has only the ID of it", {
			all: NONE_SENT,
			panel:
				'Read the lead first: use the Facebook Lead Ads Trigger instead of the webhook, or a request to the Graph API before this node.',
		});
	}
	const messages: unknown = attempt(parseWebhook, item);
	if (Array.isArray(messages) && messages.length > 0) {
		return new InputError('The item is a webhook of WhatsApp, not a row of a lead', {
			all: `${NONE_SENT} To log a message, use Message > Log From WhatsApp.`,
		});
	}
	if (isOfCheckout(item)) {
		return new InputError('The item is a webhook of a checkout, not a row of a lead', {
			all: `${NONE_SENT} To record a sale, use Lead > Record Sale > From the Webhook of a Checkout.`,
		});
	}
	const list = onlyListOf(body);
	if (list === undefined) return undefined;
	const path = body === item ? list : `body.${list}`;
	return new InputError(`"${path}" is a list, and an item is one lead`, splitOut(path));
}

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

/** Names the columns that may have been meant, if their headings are of nobody else. */
function unreadIn(input: IDataObject): string {
	const names = Object.keys(input).filter((key) => isLikeAddress(input[key]) && !isOfOther(key));
	if (names.length === 0) return '';
	return `Not read: ${names.map((name) => `"${name}"`).join(', ')}. If it has an email or a phone of the person, rename it "Email" or "Phone". `;
}

/** A lead must be identified by an external ID or a protocol (rule 1 of 4.3), or by an email or a phone. */
export const requireLead: Operation['check'] = ({ body, settings }, context) => {
	const { input = {} } = context;
	const { externalId, contactId, contact } = body;
	const { email, phone } = toRecord(contact);
	// An ID such as "undefined" would make one lead of many people. JSON that users write has not been converted.
	assertCompleteId(externalId, 'External ID');
	assertNotPlaceholder(contactId, 'Contact ID');
	assertNotPlaceholder(email, 'Email');
	assertNotPlaceholder(phone, 'Phone');
	// What cannot be read is named now, also where an ID finds the lead: its contact is filled when the lead has been written.
	contactLookups(contact, context);
	// A row that names a lead may have anything else beside it.
	if (hasLeadKey(body) || !isBlank(email) || !isBlank(phone)) return;
	const { specifyLead, specifyLeads, mappingMode } = settings;
	const isByHand = mappingMode === 'defineBelow';
	const isRow = (specifyLead === 'columns' || specifyLeads === 'fields') && !isByHand;
	const other = isRow && misplaced(input);
	if (other) throw other;
	if (specifyLead === 'columns' && isOfForm(input)) throw anonymousForm(input);
	if (isRow) {
		throw new InputError('The row has no email, no phone and no ID of the lead', {
			panel: `${unreadIn(input)}Name the column with the ID under "Options > External ID Column", e.g. Order, map the columns by hand, or fill in one of the three. Not the row number, which changes when rows are sorted or deleted.`,
		});
	}
	throw new InputError(
		isByHand && isEmpty(body)
			? 'No field of the lead is mapped, or all are empty'
			: '"Email", "Phone" and "External ID" are empty, and the lead is found by one of them',
		{
			all: 'Give at least one of "Email", "Phone" and "External ID", or "Protocol" with the code of a tracking link. An External ID is your own: of the record, the order or the conversation, not the row number.',
			panel: `Check the values of the expressions.${specifyLead === 'fields' ? ' To take them from a form or a sheet, choose "Using Columns of the Input" under "Specify Lead".' : ''}`,
		},
	);
};
