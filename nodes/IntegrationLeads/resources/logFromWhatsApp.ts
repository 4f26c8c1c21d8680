/**
 * Carries out *Message > Log From WhatsApp*: finds who wrote, adds the message to their conversation, and decides whether a bot may answer.
 * All state is in the service: the lead has the person's ID as its external ID, and a tag while people answer.
 */
import { compact, get, isEmpty, isNil, isUndefined, map, omitBy, pickBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isRecord, shorten, toRecord } from '../values/json';
import { withRemark } from '../contract/differences';
import { hasTag, whatsAppMessage } from '../contract/records';
import { requireId } from '../fields/check';
import { additionalBody } from '../fields/common';
import { flag, json, options, text, type WithOptions } from '../fields/options';
import type { ComposeContext, Result, StepFunctions } from '../operation';
import { compose } from '../operation';
import { addRemarks, isExplained, isLostAnswer } from '../userError';
import { isBlank, toObject } from '../values/convert';
import { addressesOf } from '../values/identity';
import { codeForms, type Person, type WhatsAppMessage } from '../whatsapp/message';
import { parseWebhook } from '../whatsapp/services';
import { WITHOUT_WORDS } from '../whatsapp/words';
import { conversationSteps, findOrCreateConversation } from './conversation';
import { fillSteps, fillLeadContact } from './fillContact';
import { createInteraction } from './interaction';
import { createMessage } from './message';
import { tagSteps, ensureTags } from './leadTags';
import { externalIdsOf, leadOfMessage, chatSteps, type ChatLead } from './leadOfChat';

const DEFAULT_TAG = 'with a person';

const logSteps = {
	...conversationSteps,
	createMessage,
	...chatSteps,
	...fillSteps,
	...tagSteps,
	note: createInteraction,
};

type WhatsAppSteps = StepFunctions<typeof logSteps>;

const logOptions = [
	additionalBody,
	text('Tag When a Person Answers', 'takeoverTag', {
		default: DEFAULT_TAG,
		description:
			'The tag that the lead gets when somebody of the business writes to it. While the lead has it, "answer" is false; whoever removes it hands back to the bot.',
	}),
	flag('Answer Open Chatwoot Conversations', 'answerOpen', false, {
		description:
			'Whether "answer" may be true in an open conversation of Chatwoot that nobody has taken, and not only in a pending one',
	}),
];

type LogValues = WithOptions<typeof logOptions>;

/** The values of one message. */
type MessageValues = LogValues & { message: WhatsAppMessage };

/** The messages of a webhook that are to be logged, oldest first. */
function splitWebhook(values: LogValues): MessageValues[] {
	const { settings, options: chosen } = values;
	const messages = parseWebhook(settings.payload, chosen.answerOpen);
	// Messages sent through the API were logged by the workflow that sent them.
	const toLog = messages.filter(({ from }) => from !== 'bot');
	return toLog.map((message) => ({ ...values, message }));
}

/** Logs one message, unless an earlier execution did. */
async function logWhatsApp(
	values: MessageValues,
	steps: WhatsAppSteps,
	context: ComposeContext,
): Promise<Result> {
	const { message } = values;
	const { id, from, person } = message;
	const log = async () => [await logMessage(values, steps, context)];
	try {
		const items = await (id ? context.unlessProcessed(id, log) : log());
		return { data: items ?? [], extra: {} };
	} catch (reason) {
		// A webhook may hold the messages of several people.
		const who =
			compact([person.name, person.phone ?? person.hiddenId]).join(' ') || 'somebody unknown';
		const which = `${from === 'team' ? 'to' : 'from'} ${who}`;
		const remark = `It is the message ${which}: "${shorten(message.text)}"`;
		throw isExplained(reason) ? addRemarks(reason, [remark]) : reason;
	}
}

async function logMessage(
	{ message, body, options: { takeoverTag } }: MessageValues,
	steps: WhatsAppSteps,
	context: ComposeContext,
): Promise<IDataObject> {
	const { id, person, text: written, kind, sentAt, ad, replyTo, replyVia } = message;
	const isTeam = message.from === 'team';
	const lead = await leadOfMessage(message, { ...steps, ...context });
	const { protocol } = lead;
	const leadId = requireId(lead, 'lead');
	const path = { leadId };
	const { isNew = false } = lead;
	const tag = takeoverTag ?? DEFAULT_TAG;
	// Undefined where the service does not show the tags.
	const isTagged = hasTag(lead.record ?? {}, tag) ?? (isNew ? false : undefined);
	// First, so that the bot is silent even if a later step fails.
	if (isTeam && !isTagged) await ensureTags({ path, body: { tags: [tag] } }, steps);
	const opened = await findOrCreateConversation({ path, body: {} }, steps, isNew);
	const conversationId = requireId(opened, 'conversation');
	const content = isTeam ? `[by the team] ${written}` : written;
	await steps.createMessage({ path: { conversationId }, body: { content, ...body } });
	// What comes after the message must not fail it, or a new delivery would log it again.
	const unnoted = ad && (await noteAd(ad, path, steps));
	const filled = await fillPerson(lead, person, steps, context).catch((reason: unknown) => {
		return withRemark(lead, `"Contact" was left out: ${messageOf(reason)}.`);
	});
	const { record = {}, created, extra } = withRemark(filled, unnoted);
	const silence = silenceOf(message, isTagged, tag, context.now);
	const logged = {
		name: person.name ?? get(record, 'contact.name') ?? undefined,
		phone: person.phone,
		text: written,
		kind,
		sentAt,
		protocol,
		ad,
		answer: silence === undefined && !WITHOUT_WORDS.includes(kind),
		silence,
		created,
		linked: protocol ? lead.extra.linked : false,
		differences: extra.differences,
		externalId: record.externalId,
		replyTo,
		replyVia,
		leadId,
		conversationId,
		messageId: id || undefined,
	};
	return omitBy(logged, isUndefined);
}

/**
 * Adds a note about the ad, at most once.
 *
 * @returns why the note is missing, or may be
 */
async function noteAd(
	ad: Record<string, string>,
	path: { leadId: string },
	{ note }: WhatsAppSteps,
): Promise<string | undefined> {
	return await note({ path, body: noteOf(ad) }).then(
		() => undefined,
		(reason: unknown) => {
			const message = messageOf(reason);
			return isLostAnswer(reason as Error)
				? `The ad may not be in the history of the lead: ${message}. The service may still have recorded it.`
				: `The ad was not added to the history of the lead: ${message}.`;
		},
	);
}

/** @throws the reason itself if it is not a failure of a request, such as when the execution is cancelled */
function messageOf(reason: unknown): string {
	if (!isExplained(reason)) throw reason;
	return reason.message;
}

/** People that were compared with contacts of accounts: leads show no phones (spec 2), so each contact is read once in a process. */
const compared = new Set<string>();
const MAX_COMPARED = 10_000;

/** Adds to the contact a number that was hidden at first, or a name that was not known. */
async function fillPerson(
	lead: ChatLead,
	{ name, phone }: Person,
	steps: WhatsAppSteps,
	context: ComposeContext,
): Promise<Result> {
	const { record = {}, isNew = false } = lead;
	const contact = isRecord(record.contact) ? record.contact : {};
	// Only a missing name is filled: WhatsApp display names are arbitrary, so a different name is not reported.
	const lacksName = !isNew && 'name' in contact && isBlank(contact.name);
	const [phoneId] = externalIdsOf({ phone });
	const hasPhone = record.externalId === phoneId;
	const added = pickBy({ name: lacksName && name, phone: !hasPhone && phone });
	const key = [context.account, contact.id, added.name, added.phone].join(' ');
	if (isNil(contact.id) || isEmpty(added) || compared.has(key)) return lead;
	const filled = isNew ? lead : await fillLeadContact(lead, added, { steps, context, reads: true });
	const held = toRecord(filled.record?.contact);
	// What could not be read or written is tried again with the next message.
	if (!isNew && Object.keys(added).some((field) => isBlank(held[field]))) return filled;
	if (compared.size >= MAX_COMPARED) compared.clear();
	compared.add(key);
	return filled;
}

/** How long a message can be answered. After that, WhatsApp takes only templates, which cost. */
const ANSWERABLE_MS = 24 * 60 * 60 * 1000;

/** Why the message must not be answered; undefined if it may be. */
function silenceOf(
	{ from, silence, sentAt }: WhatsAppMessage,
	isTagged: boolean | undefined,
	tag: string,
	now: number,
): string | undefined {
	if (from === 'team') return 'A person of the business wrote';
	// A bot that talks over a colleague is worse than a missing answer.
	if (isTagged === undefined)
		return 'The service does not show whether a person has taken over: the lead has no "tags"';
	if (isTagged) return `The lead has the tag "${tag}"`;
	if (silence) return silence;
	const isOld = sentAt !== undefined && now - Date.parse(sentAt) > ANSWERABLE_MS;
	return isOld ? 'It is older than the 24 hours in which an answer is free' : undefined;
}

/** Makes the note about an ad, in the form in which Get Conversions reads clicks from the history. */
function noteOf(ad: Record<string, string>): IDataObject {
	const { headline, source_id: id, source_url: url } = ad;
	const which = compact([headline && `"${headline}"`, id && `(ID ${id})`]).join(' ');
	const description = compact([`Came from the ad ${which}`.trim(), url]).join(': ');
	return { type: 'CUSTOM', title: 'Came from an ad', description, metadata: { ...ad } };
}

export const logFromWhatsApp = compose({
	name: 'Log From WhatsApp',
	action: 'Log message from WhatsApp',
	description:
		'Put each message of a WhatsApp webhook into the conversation with its lead; finds or creates both',
	when: 'Use it only with the whole body of a webhook. It sends nothing to WhatsApp.',
	scope: 'conversations:write',
	otherScopes: {
		'find the open conversation': ['conversations:read'],
		'find or create the lead': ['leads:read', 'leads:write', 'contacts:read'],
		'fill blank fields of its contact': ['contacts:write'],
		'note the ad': ['interactions:write'],
	},
	parameters: [
		json('Webhook Body', 'payload', '={{ $json }}', {
			convert: toObject,
			required: true,
			description:
				'The whole body of the webhook as it came, or the item of the Webhook node that has it in "body"',
		}),
		options(logOptions),
	],
	output: { kind: 'many', record: whatsAppMessage },
	would: 'log',
	steps: logSteps,
	fillsContact: true,
	// Who owns a code and who forwards it may write at the same moment, and who fills in a form that leads on to WhatsApp.
	keys: ({ message }) => [
		...externalIdsOf(message.person),
		...addressesOf({ phone: message.person.phone }),
		...map(codeForms(message), 'code'),
	],
	split: splitWebhook,
	// The sender has the answer to its webhook, and will not deliver it again.
	run: logWhatsApp,
});
