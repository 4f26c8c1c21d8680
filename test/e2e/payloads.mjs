/** What WhatsApp services post to a webhook, in the documented shapes in payloads/. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

const read = (name) =>
	JSON.parse(readFileSync(new URL(`payloads/${name}.json`, import.meta.url), 'utf8'));
const meta = read('meta');
const evolution = read('evolution');
const chatwoot = read('chatwoot');

/** @typedef {{phone: string, id: string, text: string}} Content `phone`: digits only */

/** A payload with its placeholders replaced. */
const filled = (payload, content) =>
	JSON.parse(JSON.stringify(payload), (_, value) =>
		typeof value === 'string'
			? value.replace(/\{\{(\w+)\}\}/g, (whole, name) => content[name] ?? whole)
			: value,
	);

const ofMeta = (value) => {
	const { envelope } = structuredClone(meta);
	envelope.entry[0].changes[0].value = { ...meta.value, ...value };
	return envelope;
};
const metaMessage = (kind) => ofMeta({ contacts: meta.contacts, messages: [meta[kind]] });
const ofEvolution = ({ event, data, ...more }) => ({
	...evolution.envelope,
	...(event && { event }),
	data: data ?? { ...evolution.data, ...more },
});
const ofChatwoot = (more = {}) => ({ ...chatwoot.message, ...more });
const chatwootGroup = () => {
	const group = structuredClone(chatwoot.message);
	Object.assign(group.conversation.meta.sender, chatwoot.groupSender);
	return group;
};

/** By service and kind of message. `button` and `media` hold the text as title and caption, `voice` holds none. */
const PAYLOADS = {
	Meta: {
		text: metaMessage('text'),
		button: metaMessage('button'),
		'button of a template': metaMessage('templateButton'),
		list: metaMessage('list'),
		media: metaMessage('media'),
		voice: metaMessage('voice'),
		group: metaMessage('group'),
		reaction: metaMessage('reaction'),
		'change of number': metaMessage('system'),
		status: ofMeta({ statuses: meta.statuses }),
		own: ofMeta({ message_echoes: meta.message_echoes }),
	},
	Evolution: {
		text: ofEvolution(evolution.text),
		'text that quotes': ofEvolution(evolution.answer),
		button: ofEvolution(evolution.button),
		'button of a template': ofEvolution(evolution.templateButton),
		list: ofEvolution(evolution.list),
		media: ofEvolution(evolution.media),
		document: ofEvolution(evolution.document),
		voice: ofEvolution(evolution.voice),
		'text of a hidden number': ofEvolution(evolution.hiddenNumber),
		'text without a number': ofEvolution(evolution.unknownNumber),
		group: ofEvolution(evolution.group),
		reaction: ofEvolution(evolution.reaction),
		status: ofEvolution(evolution.status),
		edit: ofEvolution(evolution.edit),
		own: ofEvolution(evolution.own),
	},
	Chatwoot: {
		text: ofChatwoot(),
		media: ofChatwoot(chatwoot.media),
		voice: ofChatwoot(chatwoot.voice),
		group: chatwootGroup(),
		status: ofChatwoot(chatwoot.status),
		edit: ofChatwoot(chatwoot.edit),
		own: ofChatwoot(chatwoot.own),
	},
};

/** The kinds of messages of a service. @param {keyof typeof PAYLOADS} service */
export const kindsOf = (service) => Object.keys(PAYLOADS[service]);

/** @param {keyof typeof PAYLOADS} service @param {string} kind @param {Content} content */
export const payload = (service, kind, content) => filled(PAYLOADS[service][kind], content);

/** Meta's signature of a body. @see https://developers.facebook.com/docs/graph-api/webhooks/getting-started */
export const signature = (body, secret) =>
	`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
