/** Webhooks of WhatsApp as Meta's Cloud API, Evolution API and Chatwoot post them, each message of the first two with an ID of its own. */
import type { IDataObject } from 'n8n-workflow';

let messages = 0;
const seconds = () => Math.floor(Date.now() / 1000);

/** A webhook of Meta. */
type MetaWebhook = {
	object: string;
	entry: Array<{ id: string; changes: Array<{ field: string; value: IDataObject }> }>;
};

/** What Meta reports of one field. */
export const change = (field: string, value: IDataObject): MetaWebhook => {
	const metadata = { phone_number_id: '100000000000001' };
	const whole = { messaging_product: 'whatsapp', metadata, ...value };
	return {
		object: 'whatsapp_business_account',
		entry: [{ id: '1', changes: [{ field, value: whole }] }],
	};
};

/** One of Meta's messages. @param more such as `from` and `from_user_id` */
export const message = (body: string, more: IDataObject): IDataObject => ({
	id: `wamid.T${(messages += 1)}`,
	timestamp: String(seconds()),
	type: 'text',
	text: { body },
	...more,
});

/** Messages of the person who sent the first. */
export const meta = (...messages: IDataObject[]): MetaWebhook => {
	const [{ from, from_user_id: userId }] = messages;
	const contact = { profile: { name: 'Example Contact' }, wa_id: from, user_id: userId };
	return change('messages', { contacts: [contact], messages });
};

/** A person of the business wrote in the WhatsApp Business app. @param whom `to` and `to_user_id` */
export const echo = (body: string, whom: IDataObject): MetaWebhook =>
	change('smb_message_echoes', {
		contacts: [{ profile: { name: 'Example Shop' }, wa_id: '5511900000000' }],
		message_echoes: [message(body, { from: '5511900000000', ...whom })],
	});

/** By Evolution API. */
export const evolution = (phone: string, body: string, key: IDataObject = {}): IDataObject => ({
	event: 'messages.upsert',
	instance: 'example',
	data: {
		key: {
			remoteJid: `${phone}@s.whatsapp.net`,
			fromMe: false,
			id: `3EB0T${(messages += 1)}`,
			...key,
		},
		pushName: 'Example Contact',
		messageTimestamp: seconds(),
		message: { conversation: body },
	},
});

/**
 * By Chatwoot, for a message to an inbox of WhatsApp.
 *
 * @param conversation such as `meta.sender`
 * @param more fields of the message, such as its ID
 */
export const chatwoot = (
	content: string,
	conversation: IDataObject,
	more: IDataObject = {},
): IDataObject => ({
	event: 'message_created',
	content,
	message_type: 'incoming',
	created_at: new Date().toISOString(),
	account: { id: 1 },
	conversation: { id: 9, channel: 'Channel::Whatsapp', status: 'pending', ...conversation },
	...more,
});
