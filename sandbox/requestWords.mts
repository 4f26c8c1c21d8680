import type { Contact, Lead } from './records.mts';
import type { LoggedRequest } from './requestLog.mts';
import type { Store } from './store.mts';

/** What the sentences are made of. Bodies and queries are whatever was sent. */
interface Parts {
	lead: string;
	contact: string;
	conversation: string;
	tag: string;
	body: Readonly<Record<string, unknown>>;
	query: Readonly<Record<string, unknown>>;
	externalId: string;
}

/** A sentence for each operation of openapi.yaml. */
const sentences: Record<string, (parts: Parts) => string> = {
	'GET /leads': ({ query }) => `Read leads${listed(query)}`,
	'POST /leads': ({ body }) => `Create or update lead ${nameIn(body)}`,
	'GET /leads/{leadId}': ({ lead }) => `Read lead ${lead}`,
	'PUT /leads/{leadId}': ({ lead, body }) => `Update lead ${lead}${fieldsOf(body)}`,
	'PATCH /leads/{leadId}/status': ({ lead, body }) => `Move lead ${lead} to ${text(body.status)}`,
	'POST /leads/{leadId}/tags': ({ lead, body }) => `Tag lead ${lead} with ${text(body.tags)}`,
	'DELETE /leads/{leadId}/tags/{tagId}': ({ lead, tag }) => `Take tag ${tag} from lead ${lead}`,
	'GET /leads/{leadId}/interactions': ({ lead }) => `Read interactions of lead ${lead}`,
	'POST /leads/{leadId}/interactions': ({ lead, body }) =>
		`Log ${text(body.type).toLowerCase()} for lead ${lead}${quoted(body.title)}`,
	'GET /leads/{leadId}/conversations': ({ lead }) => `Read conversations of lead ${lead}`,
	'POST /leads/{leadId}/conversations': ({ lead }) => `Start conversation with lead ${lead}`,
	'GET /contacts': ({ query }) => `Read contacts${listed(query)}`,
	'POST /contacts': ({ body }) => `Create contact ${personIn(body)}`,
	'GET /contacts/lookup': ({ query }) => `Look up contact${listed(query)}`,
	'GET /contacts/{contactId}': ({ contact }) => `Read contact ${contact}`,
	'PUT /contacts/{contactId}': ({ contact, body }) => `Update contact ${contact}${fieldsOf(body)}`,
	'GET /tags': ({ query }) => `Read tags${listed(query)}`,
	'POST /tags': ({ body }) => `Create tag ${text(body.name)}`,
	'GET /conversations': ({ query }) => `Read conversations${listed(query)}`,
	'POST /conversations': () => 'Start conversation',
	'GET /conversations/{conversationId}': ({ conversation }) => `Read conversation ${conversation}`,
	'GET /conversations/{conversationId}/messages': ({ conversation }) =>
		`Read messages of conversation ${conversation}`,
	'POST /conversations/{conversationId}/messages': ({ conversation, body }) =>
		`Add message to conversation ${conversation}${quoted(body.content)}`,
	'PATCH /messages/{messageId}/status': ({ body }) => `Set message to ${text(body.status)}`,
	'POST /sync': ({ body }) =>
		`Push ${Array.isArray(body.leads) ? body.leads.length : 'no'} leads in one request`,
	'GET /sync/{externalId}': ({ externalId }) => `Read what was pushed as ${externalId}`,
	'DELETE /sync/{externalId}': ({ externalId }) => `Delete what was pushed as ${externalId}`,
};

/** A request in words: what it asks for, and of whom. */
export function requestWords(request: LoggedRequest, store: Store): string {
	const { route, method, path, query, body } = request;
	const sentence = sentences[route ?? ''];
	if (!route || !sentence) return `Unknown request: ${method} ${path}`;
	const names = route.split(' ')[1].split('/');
	const values = path.split('/').map(decode);
	const value = (name: string) => values[names.indexOf(`{${name}}`)] ?? '';
	const lead = store.leads.get(value('leadId')) ?? store.leadByExternalId(value('leadId'));
	const contact = store.contact(value('contactId'));
	const conversation = store.conversations.get(value('conversationId'));
	const partner = store.contact(conversation?.contactId ?? null);
	return sentence({
		query,
		body: isObject(body) ? body : {},
		lead: lead ? leadName(lead, store) : value('leadId'),
		contact: contact ? contactName(contact) : value('contactId'),
		conversation: partner ? `with ${contactName(partner)}` : value('conversationId'),
		tag: store.tagName(value('tagId')),
		externalId: value('externalId'),
	});
}

/** What came of a request. A word for people; the number for those who know it. */
export function outcomeWords({ status, fault }: LoggedRequest): string {
	if (status === null) return 'Running';
	if (status === 0) return 'No answer';
	if (status < 300) return status === 201 ? 'Created' : 'Done';
	const words: Record<number, string> = {
		401: 'Key not accepted',
		403: 'Not permitted',
		404: 'Not found',
		429: 'Over the rate limit',
	};
	return words[status] ?? (fault || status >= 500 ? 'Failed' : 'Refused');
}

/** How people know a lead: by its contact, else by the ID of another system. */
export function leadName(lead: Lead, store: Store): string {
	const contact = store.contact(lead.contactId);
	return (
		(contact && (contact.name ?? contact.email ?? contact.phone)) ??
		lead.externalId ??
		lead.protocol ??
		lead.id
	);
}

const contactName = ({ name, email, phone, id }: Contact) => name ?? email ?? phone ?? id;

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

function text(value: unknown): string {
	if (value === undefined || value === null) return '(nothing)';
	if (Array.isArray(value)) return value.map(text).join(', ');
	return isObject(value) ? JSON.stringify(value) : String(value as string | number | boolean);
}

const quoted = (value: unknown) => (value ? `: “${text(value)}”` : '');

/** How a body names a person; blank if it does not. */
const personIn = ({ name, email, phone }: Record<string, unknown>) =>
	text(name ?? email ?? phone ?? '');

function nameIn({ externalId, protocol, contact }: Record<string, unknown>): string {
	const id = text(externalId ?? protocol ?? 'without an ID');
	const person = isObject(contact) ? personIn(contact) : '';
	return person ? `${person} (${id})` : id;
}

function fieldsOf(body: Record<string, unknown>): string {
	const names = Object.keys(body);
	return names.length === 0 ? '' : `: ${names.join(', ')}`;
}

function listed(query: Record<string, unknown>): string {
	const entries = Object.entries(query).filter(([name]) => name !== 'limit');
	return entries.map(([name, value]) => `, ${name} ${text(value)}`).join('');
}

function decode(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}
