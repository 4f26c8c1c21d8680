/**
 * Message > Log From WhatsApp: who wrote, into which conversation it belongs, and whether it may be answered. All state is
 * in the service: the lead has the external ID of the person, and a tag while people answer.
 */
import { compact, get, isEmpty, isNil, isUndefined, omitBy, pickBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isRecord, shorten } from '../values/json';
import { contactHas } from '../contract/contactMatch';
import { hasTag, whatsAppMessage } from '../contract/records';
import { requireId } from '../fields/check';
import { additionalBody } from '../fields/common';
import { flag, json, options, text, type WithOptions } from '../fields/options';
import type { ComposeContext, ComposedOperation, Result, StepFunctions } from '../operation';
import { compose } from '../operation';
import { addRemarks, ServiceError, UserError } from '../userError';
import { isBlank, toObject, toProtocol } from '../values/convert';
import type { Person, WhatsAppMessage } from '../whatsapp/message';
import { parseWebhook } from '../whatsapp/services';
import { fillSteps } from './contact';
import { conversationSteps, findOrCreateConversation } from './conversation';
import { fillLeadContact } from './fillContact';
import { createInteraction } from './interaction';
import { byExternalId, findLead, sendLead, updateLead } from './leadRequests';
import { createMessage } from './message';
import { tagSteps, ensureTags } from './leadTags';

const DEFAULT_TAG = 'with a person';

const logSteps = {
	...conversationSteps,
	createMessage,
	findLead,
	/** The code alone: a lead that has it is returned as it is, and without one the service refuses (4.3, rules 1 and 2). */
	findByCode: sendLead,
	sendLead,
	updateLead,
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

/** Oldest first. */
function splitWebhook(values: LogValues): MessageValues[] {
	const { settings, options: chosen } = values;
	const messages = parseWebhook(settings.payload, chosen.answerOpen);
	// What the API has sent was logged by who sent it.
	const toLog = messages.filter(({ from }) => from !== 'bot');
	return toLog.map((message) => ({ ...values, message }));
}

const EXTERNAL_ID_PREFIX = 'whatsapp-';

/** The external IDs by which the lead of a person may be known. The first is that of a new one. */
function externalIdsOf({ hiddenId, chatwootContact, phone }: Person): string[] {
	const ids = [hiddenId, chatwootContact && `chatwoot-${chatwootContact}`, phone?.slice(1)];
	return compact(ids).map((id) => `${EXTERNAL_ID_PREFIX}${id}`);
}

/** Carries out one message. */
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
		throw addRemarks(reason as UserError, [
			`It is the message ${which}: "${shorten(message.text)}"`,
		]);
	}
}

async function logMessage(
	{ message, body, options: { takeoverTag } }: MessageValues,
	steps: WhatsAppSteps,
	context: ComposeContext,
): Promise<IDataObject> {
	const { id, person, text: said, kind, sentAt, ad, replyTo, replyVia } = message;
	const isTeam = message.from === 'team';
	const protocol = isTeam ? undefined : toProtocol(said, { label: 'Text', timezone: 'UTC' });
	const lead = await leadFor(message, protocol, steps);
	const leadId = requireId(lead, 'lead');
	const path = { leadId };
	const { isNew = false } = lead;
	const tag = takeoverTag ?? DEFAULT_TAG;
	// Undefined where the service does not show the tags.
	const isTagged = hasTag(lead.record ?? {}, tag) ?? (isNew ? false : undefined);
	// First, so that the bot is silent whatever fails after it.
	if (isTeam && !isTagged) await ensureTags({ path, body: { tags: [tag] } }, steps);
	const opened = await findOrCreateConversation({ path, body: {} }, steps, isNew);
	const conversationId = requireId(opened, 'conversation');
	const content = isTeam ? `[by the team] ${said}` : said;
	await steps.createMessage({ path: { conversationId }, body: { content, ...body } });
	// Last, and sent again if its answer is lost: two notes of one ad do no harm, a message that is not logged does.
	if (ad) await steps.note({ path, body: noteOf(ad) }, { searchedFirst: true });
	const { record = {}, created, extra } = await fillPerson(lead, person, steps, context);
	const silence = silenceOf(message, isTagged, tag, context.now);
	const logged = {
		name: person.name ?? get(record, 'contact.name') ?? undefined,
		phone: person.phone,
		text: said,
		kind,
		sentAt,
		protocol,
		ad,
		answer: silence === undefined,
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
	return omitBy(logged, isUndefined) as IDataObject;
}

/** `isNew`: created just now, so it has nothing yet. What an earlier try created is found, and may have a conversation. */
type LeadOfPerson = Result & { isNew?: boolean };

/** The lead of a message, found or sent. */
async function leadFor(
	{ person }: WhatsAppMessage,
	protocol: unknown,
	steps: WhatsAppSteps,
): Promise<LeadOfPerson> {
	const [ownId] = externalIdsOf(person);
	if (ownId === undefined) {
		throw new UserError(
			'The message does not say who wrote it: it has no number and no ID of the person',
			'Nothing was logged. Look for the message in WhatsApp, and report the body of the webhook to the authors of this node.',
		);
	}
	const known = await findLeadOf(person, steps);
	if (known && !protocol) return known;
	const coded = protocol ? await leadOfCode(protocol, person, steps) : undefined;
	if (coded?.isOfAnother && known) return withoutLink(known);
	const externalId = String(known?.record?.externalId ?? ownId);
	const contact = omitBy({ name: person.name, phone: person.phone }, isUndefined);
	const body = {
		protocol: coded?.isOfAnother ? undefined : protocol,
		externalId,
		contact,
		source: known ? undefined : 'whatsapp',
	};
	const sent = await steps.sendLead(
		{ body: omitBy(body, isUndefined) as IDataObject },
		known ? { existing: known.record } : { searchedFirst: true },
	);
	// A service may create a record and answer without it.
	const record = isNil(sent.record?.id)
		? (await steps.findLead([byExternalId(externalId)], { orNone: true }))?.record
		: sent.record;
	const shown = { ...record, externalId: record?.externalId ?? externalId };
	const lead = { ...sent, record: shown, isNew: sent.created === true };
	return coded?.isOfAnother ? withoutLink(lead) : lead;
}

const CODE_OF_ANOTHER =
	'The tracking code belongs to the lead of another person, who may have forwarded it. That lead was left as it is.';

const withoutLink = <L extends Result>(lead: L): L => ({
	...lead,
	extra: { ...lead.extra, linked: false, differences: CODE_OF_ANOTHER },
});

/**
 * Whether the lead of a tracking code is plainly that of another person: a code can be forwarded. It is asked for before anything
 * is linked, which cannot be undone.
 *
 * @returns undefined where no lead has the code
 */
async function leadOfCode(
	protocol: unknown,
	person: Person,
	{ findByCode, readContact }: WhatsAppSteps,
): Promise<{ isOfAnother: boolean } | undefined> {
	const found = await findByCode({ body: { protocol: String(protocol) } }).catch(
		(reason: unknown) => {
			const isRefusal =
				reason instanceof ServiceError &&
				reason.facts.concerns === 'request' &&
				!reason.isForbidden;
			if (!isRefusal) throw reason;
		},
	);
	if (!found?.record) return undefined;
	const { externalId, contactId, contact = { id: contactId } } = found.record;
	if (externalIdsOf(person).includes(String(externalId))) return { isOfAnother: false };
	const ofChat = String(externalId ?? '').startsWith(EXTERNAL_ID_PREFIX);
	if (!isRecord(contact) || isNil(contact.id)) return { isOfAnother: ofChat };
	const path = { contactId: String(contact.id) };
	const read = async () =>
		await readContact({ path }).catch((reason: unknown) => {
			if (!(reason instanceof ServiceError) || !reason.isForbidden) throw reason;
			return undefined;
		});
	const shown = 'phone' in contact ? contact : ((await read())?.record ?? {});
	if (isBlank(shown.phone)) return { isOfAnother: ofChat };
	const isOwn = person.phone !== undefined && contactHas(shown, 'phone', person.phone) !== false;
	return { isOfAnother: !isOwn };
}

async function findLeadOf(person: Person, steps: WhatsAppSteps): Promise<Result | undefined> {
	const ids = externalIdsOf(person);
	for (const id of ids) {
		const found = await steps.findLead([byExternalId(id)], { orNone: true });
		if (found) return found;
	}
	if (!person.phone) return undefined;
	const own = { label: 'Phone', by: 'phone', value: person.phone } as const;
	const found = await steps.findLead([own], { orNone: true });
	// One without an external ID gets that of the person, and is found even when the number is hidden later.
	const externalId = found?.record?.externalId;
	if (!found || (externalId !== null && externalId !== '')) return found;
	const path = { leadId: requireId(found, 'lead') };
	await steps.updateLead({ path, body: { externalId: ids[0] } });
	return { ...found, record: { ...found.record, externalId: ids[0] } };
}

/** People that were compared with contacts of accounts: leads show no phones (spec 2), so each contact is read once in a process. */
const compared = new Set<string>();
const MAX_COMPARED = 10_000;

/** A number that was hidden at first, or a name that nobody knew, goes into the contact. */
async function fillPerson(
	lead: LeadOfPerson,
	{ name, phone }: Person,
	steps: WhatsAppSteps,
	context: ComposeContext,
): Promise<Result> {
	const { record = {}, isNew = false } = lead;
	const contact = isRecord(record.contact) ? record.contact : {};
	// What people call themselves in WhatsApp is no mistake in a name that is there.
	const lacksName = !isNew && 'name' in contact && isBlank(contact.name);
	const [phoneId] = externalIdsOf({ phone });
	const hasPhone = record.externalId === phoneId;
	const given = pickBy({ name: lacksName && name, phone: !hasPhone && phone });
	const key = [context.account, contact.id, given.name, given.phone].join(' ');
	if (isNil(contact.id) || isEmpty(given) || compared.has(key)) return lead;
	const filled = isNew ? lead : await fillLeadContact(lead, given, { steps, context, reads: true });
	if (compared.size >= MAX_COMPARED) compared.clear();
	compared.add(key);
	return filled;
}

/** After that, WhatsApp takes only templates, which cost. */
const ANSWERABLE_MS = 24 * 60 * 60 * 1000;

/** Why the message must not be answered; undefined if it may be. */
function silenceOf(
	{ from, silence, sentAt }: WhatsAppMessage,
	isTagged: boolean | undefined,
	tag: string,
	now: number,
): string | undefined {
	if (from === 'team') return 'A person of the business wrote';
	// Talking over a colleague is worse than an answer that people miss.
	if (isTagged === undefined)
		return 'The service does not show whether a person has taken over: the lead has no "tags"';
	if (isTagged) return `The lead has the tag "${tag}"`;
	if (silence) return silence;
	const isOld = sentAt !== undefined && now - Date.parse(sentAt) > ANSWERABLE_MS;
	return isOld ? 'It is older than the 24 hours in which an answer is free' : undefined;
}

/** In the form in which Get Conversions reads clicks from the history. */
function noteOf(ad: Record<string, string>): IDataObject {
	const { headline, source_id: id, source_url: url } = ad;
	const which = compact([headline && `"${headline}"`, id && `(ID ${id})`]).join(' ');
	const description = compact([`Came from the ad ${which}`.trim(), url]).join(': ');
	return { type: 'CUSTOM', title: 'Came from an ad', description, metadata: { ...ad } };
}

/** Operation of messages. */
export const logFromWhatsApp: ComposedOperation = {
	name: 'Log From WhatsApp',
	action: 'Log message from WhatsApp',
	description:
		'Put each message of a WhatsApp webhook into the conversation with its lead; finds or creates both',
	when: 'Use it only with the whole body of a webhook. It sends nothing to WhatsApp.',
	scope: 'conversations:write',
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
	compose: compose({
		steps: logSteps,
		fillsContact: true,
		keys: ({ message }) => externalIdsOf(message.person),
		split: splitWebhook,
		// The sender has the answer to its webhook, and will not deliver it again.
		keepsTrying: true,
		run: logWhatsApp,
	}),
};
