/** Recognises an item that is meant for another operation, where nothing in it identifies a lead, and names that operation. Pure. */
import { attempt, isError } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { parseCheckout } from '../checkout/parse';
import { splitOut } from '../columns/onePerson';
import { requireLead } from '../fields/check';
import type { Operation } from '../operation';
import { InputError } from '../userError';
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

/** As {@link requireLead}, but names the operation that a row without a lead is meant for. */
export const requireLeadOfRow: Operation['check'] = (values, context) => {
	const failure: unknown = attempt(() => requireLead?.(values, context));
	if (!isError(failure)) return;
	const { specifyLead, specifyLeads, mappingMode } = values.settings;
	const isRow =
		(specifyLead === 'columns' || specifyLeads === 'fields') && mappingMode !== 'defineBelow';
	const { email, phone } = toRecord(values.body.contact);
	const isUnknown = isRow && !email && !phone && !values.body.externalId;
	throw (isUnknown ? misplaced(context.input ?? {}) : undefined) ?? failure;
};
