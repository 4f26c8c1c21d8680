import type { ServiceRecord } from '../../nodes/IntegrationLeads/values/json.ts';
import { idOf, isSuccess, recordOf, type Reply } from '../reply.mts';
import type { Survey } from './survey.mts';

const succeeded = (reply?: Reply) => reply !== undefined && isSuccess(reply);
const idIn = (reply?: Reply) => idOf(recordOf(reply));

/**
 * Exercises every write on records of its own, all named after `prefix`, and reads them back. Where an
 * answer does not hold the id of what was created, it is found by reading.
 *
 * No lead gets a sale date or is closed: the service reports those to advertising platforms (spec part 1).
 *
 * @param now epoch milliseconds; makes addresses that nobody else has
 */
export async function write(survey: Survey, prefix: string, now: number): Promise<void> {
	const tags = await makeTags(survey, [`${prefix}-a`, `${prefix}-b`]);
	const contact = await makeContact(survey, `${prefix}@example.com`, now);
	const leadId = await makeLead(survey, prefix, contact.email, tags);
	await converse(survey, leadId, contact.id);
	await tryRules(survey, prefix, `ML-PROBE-${now.toString(36).toUpperCase()}`);
	const externalIds = [`${prefix}-sync-1`, `${prefix}-sync-2`];
	const leads = externalIds.map((externalId) => ({ externalId, notes: prefix }));
	await survey.ask('pushLeads', { body: { leads }, creates: 'pushed' });
	await survey.ask('getSynced', { path: { externalId: externalIds[0] } });
}

type OwnTag = { name: string; id?: string };

/** The tags, as far as they could be created. */
async function makeTags(survey: Survey, names: string[]): Promise<OwnTag[]> {
	const tags: OwnTag[] = [];
	for (const name of names) {
		const as = tags.length ? 'second tag' : undefined;
		const reply = await survey.ask('createTag', { as, body: { name }, creates: name });
		if (succeeded(reply)) tags.push({ name, id: idIn(reply) });
	}
	const all = await survey.list('listTags', { as: 'tags made', query: { limit: 100 } });
	for (const tag of tags) tag.id ??= idOf(all.find(({ name }) => name === tag.name));
	survey.identify('tag', tags);
	return tags;
}

/** @returns its email when it could be created, and its id as far as it is known */
async function makeContact(survey: Survey, email: string, now: number) {
	// No telephone has the area code 555.
	const phone = `+1555${String(now).slice(-7)}`;
	const body = { name: 'Probe Contact', email, phone };
	const made = await survey.ask('createContact', { body, creates: email });
	const own = succeeded(made) ? { email, phone } : { email: undefined, phone: undefined };
	const byEmail = { as: 'made by email', query: { email: own.email } };
	const found = await survey.ask('lookupContact', byEmail);
	await survey.ask('lookupContact', { as: 'made by phone', query: { phone: own.phone } });
	const id = idIn(made) ?? idIn(found);
	survey.identify('contact', [{ id }]);
	const path = { contactId: id };
	await survey.ask('updateContact', { path, body: { name: 'Probe Contact B' } });
	await survey.ask('getContact', { as: 'contact updated', path });
	return { email: own.email, id };
}

/** Creates the lead, changes it in every way, and gives its id. */
async function makeLead(survey: Survey, externalId: string, email?: string, tags: OwnTag[] = []) {
	const [first, second] = tags;
	const body: ServiceRecord = {
		externalId,
		estimatedValue: 1,
		...(email && { contact: { email }, createContactIfNotFound: false }),
		...(first && { tags: [first.name] }),
	};
	const reply = await survey.ask('createLead', { body, creates: 'lead' });
	const known = succeeded(reply) ? externalId : undefined;
	const leadId = idIn(await survey.ask('getLead', { as: 'lead made', path: { leadId: known } }));
	survey.identify('lead', [{ id: leadId }]);
	const own = leadId && externalId;
	const byExternalId = { leadId: own };
	const path = { leadId };
	const again = { externalId: own, estimatedValue: 2 };
	await survey.ask('createLead', { as: 'same externalId', body: again });
	await survey.ask('getLead', { as: 'lead upserted', path: byExternalId });
	await survey.ask('updateLeadStatus', { path, body: { status: 'in_progress' } });
	await survey.ask('updateLead', { path, body: { notes: `${externalId} updated` } });
	await survey.ask('addLeadTags', { path, body: { tags: second && [second.name] } });
	await survey.ask('getLead', { as: 'lead updated', path: byExternalId });
	await survey.ask('removeLeadTag', { path: { leadId, tagId: first?.id } });
	await survey.ask('getLead', { as: 'lead without tag', path: byExternalId });
	return leadId;
}

/** Interactions, conversations and messages of a lead. */
async function converse(survey: Survey, leadId?: string, contactId?: string): Promise<void> {
	const path = { leadId };
	const metadata = { durationSeconds: 60, result: 'reached' };
	const written = 'Written by the probe';
	const note = { type: 'NOTE', title: 'Probe', description: written, metadata };
	await survey.ask('addInteraction', { path, body: note, creates: 'interaction' });
	const notes = await survey.list('listInteractions', { as: 'interactions made', path });
	survey.identify('interaction', notes);

	const body = { leadId, ...(contactId && { contactId }) };
	await survey.ask('createConversation', { body, creates: 'conversation' });
	await survey.ask('createLeadConversation', { path, body: {}, creates: 'conversation' });
	const made = { as: 'conversations made', path };
	survey.identify('conversation', await survey.list('listLeadConversations', made));
	const conversationId = survey.made.find(({ kind }) => kind === 'conversation')?.id;

	const within = { path: { conversationId } };
	const message = { ...within, body: { content: written }, creates: 'message' };
	const sent = await survey.ask('createMessage', message);
	const messages = await survey.list('listMessages', { as: 'messages made', ...within });
	survey.identify('message', messages);
	const messageId = idIn(sent) ?? idOf(messages[0]);
	await survey.ask('updateMessageStatus', { path: { messageId }, body: { status: 'read' } });
	await survey.ask('listMessages', { as: 'messages read', ...within });
}

/**
 * The rules of creation (spec 4.3). Rule 2, a protocol that matches, is left out: the lead of a tracking
 * link is none of ours.
 */
async function tryRules(survey: Survey, prefix: string, protocol: string): Promise<void> {
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
	const body = { protocol, externalId: `${prefix}-fallback` };
	const as = 'unknown protocol and externalId';
	await survey.ask('createLead', { as, body, creates: 'lead' });
}
