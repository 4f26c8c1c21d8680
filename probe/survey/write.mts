import type { ServiceRecord } from '../../nodes/IntegrationLeads/contract/envelope.ts';
import { idOf, isSuccess, listOf, recordOf, type Reply } from '../reply.mts';
import type { Survey } from './survey.mts';

const succeeded = (reply?: Reply) => reply !== undefined && isSuccess(reply);
const firstId = (reply?: Reply) => idOf(listOf(reply)?.[0]);

/**
 * Exercises every write on records of its own, all named after `prefix`, and reads them back. Where an
 * answer does not tell the id of what was created, it is found by reading.
 *
 * No lead gets a sale date or is closed: the service reports those to advertising platforms (spec part 1).
 *
 * @param at epoch milliseconds; makes addresses that nobody else has
 */
export async function write(survey: Survey, prefix: string, at: number): Promise<void> {
	const tags = await makeTags(survey, [`${prefix}-a`, `${prefix}-b`]);
	const contact = await makeContact(survey, `${prefix}@example.com`, at);
	const lead = await makeLead(survey, prefix, contact, tags);
	await talk(survey, lead, contact.id);
	await tryRules(survey, prefix, at);
	const externalIds = [`${prefix}-sync-1`, `${prefix}-sync-2`];
	const leads = externalIds.map((externalId) => ({ externalId, notes: prefix }));
	await survey.ask('pushLeads', { body: { leads }, creates: 'pushed' });
	await survey.ask('getSynced', { path: { externalId: externalIds[0] } });
}

interface OwnTag {
	name: string;
	id?: string;
}

/** The tags, as far as they could be created. */
async function makeTags(survey: Survey, names: string[]): Promise<OwnTag[]> {
	const tags: OwnTag[] = [];
	for (const name of names) {
		const as = tags.length ? 'second tag' : undefined;
		const reply = await survey.ask('createTag', { as, body: { name }, creates: name });
		if (succeeded(reply)) tags.push({ name, id: idOf(recordOf(reply)) });
	}
	if (tags.every(({ id }) => id)) return tags;
	const all = await survey.ask('listTags', { as: 'tags made', query: { limit: 100 } });
	for (const tag of tags) tag.id ??= idOf(listOf(all)?.find(({ name }) => name === tag.name));
	survey.ledger.identify(
		'tag',
		tags.flatMap(({ id }) => id ?? []),
	);
	return tags;
}

interface OwnContact {
	/** Undefined when it could not be created. */
	email?: string;
	id?: string;
}

async function makeContact(survey: Survey, email: string, at: number): Promise<OwnContact> {
	// No telephone has the area code 555.
	const phone = `+1555${String(at).slice(-7)}`;
	const body = { name: 'Probe Contact', email, phone };
	const made = await survey.ask('createContact', { body, creates: email });
	const known = succeeded(made) ? { email, phone } : {};
	const { email: ownEmail, phone: ownPhone } = known as Partial<typeof body>;
	const byEmail = await survey.ask('lookupContact', {
		as: 'made by email',
		query: { email: ownEmail },
	});
	await survey.ask('lookupContact', { as: 'made by phone', query: { phone: ownPhone } });
	const id = idOf(recordOf(made)) ?? idOf(recordOf(byEmail));
	if (id) survey.ledger.identify('contact', [id]);
	await survey.ask('updateContact', {
		path: { contactId: id },
		body: { name: 'Probe Contact B' },
	});
	await survey.ask('getContact', { as: 'contact updated', path: { contactId: id } });
	return { email: ownEmail, id };
}

/** Creates the lead, changes it in every way, and gives its id. */
async function makeLead(
	survey: Survey,
	externalId: string,
	contact: OwnContact,
	tags: OwnTag[],
): Promise<string | undefined> {
	const linked = { contact: { email: contact.email }, createContactIfNotFound: false };
	const [first, second] = tags;
	const body: ServiceRecord = {
		externalId,
		estimatedValue: 1,
		...(contact.email && linked),
		...(first && { tags: [first.name] }),
	};
	const upserted = await survey.ask('createLead', { body, creates: 'lead' });
	const known = succeeded(upserted) ? externalId : undefined;
	const made = await survey.ask('getLead', { as: 'lead made', path: { leadId: known } });
	const leadId = idOf(recordOf(made));
	if (leadId) survey.ledger.identify('lead', [leadId]);
	const path = { leadId: leadId && externalId };
	const again = { externalId: leadId && externalId, estimatedValue: 2 };
	await survey.ask('createLead', { as: 'same externalId', body: again });
	await survey.ask('getLead', { as: 'lead upserted', path });
	await survey.ask('updateLeadStatus', { path: { leadId }, body: { status: 'in_progress' } });
	await survey.ask('updateLead', { path: { leadId }, body: { notes: `${externalId} updated` } });
	await survey.ask('addLeadTags', {
		path: { leadId },
		body: { tags: second && [second.name] },
	});
	await survey.ask('getLead', { as: 'lead updated', path });
	await survey.ask('removeLeadTag', { path: { leadId, tagId: first?.id } });
	await survey.ask('getLead', { as: 'lead without tag', path });
	return leadId;
}

async function talk(survey: Survey, leadId?: string, contactId?: string): Promise<void> {
	const { ledger } = survey;
	const path = { leadId };
	const metadata = { durationSeconds: 60, result: 'reached' };
	const interaction = {
		type: 'NOTE',
		title: 'Probe',
		description: 'Written by the probe',
		metadata,
	};
	await survey.ask('addInteraction', { path, body: interaction, creates: 'interaction' });
	const interactions = await survey.ask('listInteractions', { as: 'interactions made', path });
	ledger.identify('interaction', idsOf(interactions));

	const whom = { leadId, ...(contactId && { contactId }) };
	await survey.ask('createConversation', { body: whom, creates: 'conversation' });
	await survey.ask('createLeadConversation', { path, body: {}, creates: 'conversation' });
	const conversations = await survey.ask('listLeadConversations', {
		as: 'conversations made',
		path,
	});
	ledger.identify('conversation', idsOf(conversations));
	const conversationId = ledger.made.find(({ kind }) => kind === 'conversation')?.id;

	const inIt = { path: { conversationId } };
	const message = { body: { content: 'Written by the probe' }, creates: 'message' };
	const sent = await survey.ask('createMessage', { ...inIt, ...message });
	const messages = await survey.ask('listMessages', { as: 'messages made', ...inIt });
	ledger.identify('message', idsOf(messages));
	const messageId = idOf(recordOf(sent)) ?? firstId(messages);
	await survey.ask('updateMessageStatus', { path: { messageId }, body: { status: 'read' } });
	await survey.ask('listMessages', { as: 'messages read', ...inIt });
}

const idsOf = (reply?: Reply) => (listOf(reply) ?? []).flatMap((record) => idOf(record) ?? []);

/**
 * The rules of creation (spec 4.3). Rule 2, a protocol that matches, is left out: the lead of a tracking
 * link is none of ours.
 */
async function tryRules(survey: Survey, prefix: string, at: number): Promise<void> {
	const protocol = `ML-PROBE-${at.toString(36).toUpperCase()}`;
	const refused: Record<string, ServiceRecord> = {
		'no reference': { notes: prefix },
		'unknown protocol': { protocol, notes: prefix },
		'unknown contact': {
			externalId: `${prefix}-refused`,
			contact: { email: `${prefix}-nobody@example.com` },
			createContactIfNotFound: false,
		},
	};
	for (const [as, body] of Object.entries(refused)) {
		await survey.ask('createLead', { as, body, creates: `with ${as}`, provokes: true });
	}
	const fallback = { protocol, externalId: `${prefix}-fallback` };
	const as = 'unknown protocol and externalId';
	await survey.ask('createLead', { as, body: fallback, creates: 'lead' });
}
