import { contactHas, searchTerms } from '../../nodes/IntegrationLeads/contract/samePerson.ts';
import type { ContactKey } from '../../nodes/IntegrationLeads/contract/records.ts';
import { isRecord, type ServiceRecord } from '../../nodes/IntegrationLeads/values/json.ts';
import { toInternational } from '../../nodes/IntegrationLeads/values/phone.ts';
import { idOf, isText, listOf, recordOf, type Reply } from '../reply.mts';
import type { Survey } from './survey.mts';

/** The documented page sizes (spec part 8). */
export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;

const limit = MAX_LIMIT;
const text = (value: unknown) => (isText(value) && value ? value : undefined);
const contactOf = ({ contact }: ServiceRecord) => (isRecord(contact) ? contact : {});

/** Asks everything that can be asked by reading. `connect` has read the first leads already. */
export async function read(survey: Survey): Promise<void> {
	const leads = await survey.list('listLeads', { as: 'limit 100', query: { limit } });
	await readPages(survey, leads.length);
	await readBounds(survey, leads);
	await readContacts(survey);
	const tags = await survey.list('listTags', { query: { limit } });
	await readFiltered(survey, leads, tags);
	const lead = leads.find(({ externalId }) => text(externalId)) ?? leads[0];
	await survey.ask('getLead', { path: { leadId: idOf(lead) } });
	const externalId = text(lead?.externalId);
	await survey.ask('getLead', { as: 'lead by externalId', path: { leadId: externalId } });
	const contactId = leads.map((each) => idOf(contactOf(each))).find(Boolean);
	await survey.ask('getContact', { as: 'contact of lead', path: { contactId } });
	await readSearched(survey);
	await readConversations(survey, idOf(leads[0]));
	await readRefused(survey);
}

async function readPages(survey: Survey, leads: number): Promise<void> {
	await survey.ask('listLeads', { as: 'limit 101', query: { limit: limit + 1 } });
	const size = Math.min(DEFAULT_LIMIT, Math.floor(leads / 2)) || undefined;
	await survey.ask('listLeads', { as: 'page 2', query: { page: 2, limit: size } });
	await survey.ask('listLeads', { as: 'far page', query: { page: 100_000, limit } });
}

/** Asks for what was created around, from and up to the very millisecond of one lead. */
async function readBounds(survey: Survey, leads: ServiceRecord[]): Promise<void> {
	const time = leads.map(({ createdAt }) => Date.parse(String(createdAt))).find(Boolean);
	const bound = (ms: number) => (time ? new Date(time + ms).toISOString() : undefined);
	const between = (as: string, from: number, to: number) =>
		survey.ask('listLeads', {
			as,
			query: { createdAfter: bound(from), createdBefore: bound(to), limit },
		});
	await between('created around', -1, 1);
	await between('created after', 0, 1);
	await between('created before', -1, 0);
}

async function readContacts(survey: Survey): Promise<void> {
	const contacts = await survey.list('listContacts', { query: { limit } });
	const { email, phone } = contacts.find((each) => text(each.email) && text(each.phone)) ?? {};
	await survey.ask('lookupContact', { query: { email: text(email) } });
	await survey.ask('lookupContact', { as: 'by phone', query: { phone: text(phone) } });
	await survey.ask('listContacts', { as: 'contacts found', query: { search: text(email), limit } });
	await survey.ask('getContact', { path: { contactId: idOf(contacts[0]) } });
}

/** The name of a request that searches as the node does; terms count from 1. */
export const searchName = (operation: string, trait: ContactKey, term = 1) =>
	`${operation} by ${trait}, term ${term}`;

/** What is searched for: the email and the phone of a contact that has a lead, as the node sends them. */
export function searchedContact(survey: Survey) {
	const leads = listOf(survey.named('limit 100')) ?? [];
	const ids = new Set(leads.map((lead) => idOf(contactOf(lead))));
	const phoneOf = ({ phone }: ServiceRecord) => toInternational(text(phone) ?? '');
	const isWhole = (each: ServiceRecord) => idOf(each) && text(each.email) && phoneOf(each);
	const contact =
		listOf(survey.named('listContacts'))?.find((each) => ids.has(idOf(each)) && isWhole(each)) ??
		recordOf(survey.named('contact of lead')) ??
		{};
	return { id: idOf(contact), email: text(contact.email), phone: phoneOf(contact) };
}

/** Whether that contact, or a lead of it, is in the answer. */
export function isSearched(reply: Reply | undefined, survey: Survey, trait: ContactKey): boolean {
	const { id, [trait]: value = '' } = searchedContact(survey);
	return (listOf(reply) ?? []).some((each) =>
		reply?.operation === 'listLeads'
			? idOf(contactOf(each)) === id
			: contactHas(each, trait, value) === true,
	);
}

/** Searches as run/lookup.ts does: for one term after another, until the record is found. */
async function readSearched(survey: Survey): Promise<void> {
	const contact = searchedContact(survey);
	for (const operation of ['listLeads', 'listContacts']) {
		for (const trait of ['email', 'phone'] as const) {
			const { [trait]: value } = contact;
			const terms = value === undefined ? [undefined] : searchTerms(trait, value);
			for (const [index, search] of terms.entries()) {
				const as = searchName(operation, trait, index + 1);
				const reply = await survey.ask(operation, { as, query: { search, limit } });
				if (isSearched(reply, survey, trait)) break;
			}
		}
	}
}

async function readFiltered(survey: Survey, leads: ServiceRecord[], tags: ServiceRecord[]) {
	const tag = leads.flatMap((lead) => (Array.isArray(lead.tags) ? lead.tags : [])).find(text);
	const filters: Record<string, ServiceRecord> = {
		'filter status': { status: text(leads[0]?.status) },
		'filter priority': { priority: text(leads[0]?.priority) },
		// Lists do not show the source: one that no lead has is the better test.
		'filter source': { source: 'probe-none' },
		'filter tag': { tag },
		'filter tag id': { tag: idOf(tags.find(({ name }) => name === tag)) },
		'filter search': { search: text(leads.map((lead) => contactOf(lead).email).find(text)) },
	};
	for (const [as, query] of Object.entries(filters)) {
		await survey.ask('listLeads', { as, query: { ...query, limit } });
	}
}

/** Conversations and interactions, of a lead that has some if there is one. */
async function readConversations(survey: Survey, anyLeadId: string | undefined): Promise<void> {
	const all = await survey.list('listConversations', { query: { limit } });
	const leadId = all.map((each) => text(each.leadId)).find(Boolean) ?? anyLeadId;
	const conversationId = idOf(all[0]);
	await survey.ask('listLeadConversations', { path: { leadId }, query: { limit } });
	await survey.ask('listInteractions', { path: { leadId }, query: { limit } });
	await survey.ask('getConversation', { path: { conversationId } });
	await survey.ask('listMessages', { path: { conversationId }, query: { limit } });
}

/** Requests that have to be refused. */
async function readRefused(survey: Survey): Promise<void> {
	const path = { leadId: 'probe-no-such-lead' };
	await survey.ask('getLead', { as: 'missing lead', path, provokes: true });
	for (const key of ['false', 'none'] as const) {
		await survey.ask('listLeads', { as: `${key} key`, query: { limit: 1 }, key, provokes: true });
	}
}
