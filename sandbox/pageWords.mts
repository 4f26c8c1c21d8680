/** What the page for people says in words. */
import { STATUS_CODES } from 'node:http';
import lodash from 'lodash';
import type { Contact, Lead } from './records.mts';
import type { LoggedRequest } from './requestLog.mts';
import { routes } from './routes.mts';
import type { Store } from './store.mts';

/** `updateLeadStatus` is "Update lead status", `CALL` is "Call". */
export const sentence = (name: string) => lodash.upperFirst(lodash.lowerCase(name));

/** `in_progress` is "In progress"; a status that an account has named itself stays. */
export const statusWords = (status: string) =>
	/^[a-z_]+$/.test(status) ? sentence(status) : status;

/** With commas between thousands. */
export const count = new Intl.NumberFormat('en').format;

/** As Brazil writes it: R$ 1.500,00. */
export const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' }).format;

/** In UTC, as the service has it. */
const dateWords = (ms: number) =>
	Number.isNaN(ms) ? 'no date' : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** How long ago that was; the time itself when it is an hour or more. */
export function age(at: number, now: number): string {
	const seconds = Math.max(0, Math.floor((now - at) / 1000));
	if (seconds < 60) return `${seconds} s ago`;
	return seconds < 3600 ? `${Math.floor(seconds / 60)} min ago` : dateWords(at);
}

/** Fields in a line: `channel: whatsapp, direction: inbound`. */
export const pairs = (fields: object) =>
	Object.entries(fields)
		.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
		.join(', ');

const contactName = (contact?: Contact) =>
	contact && (contact.name ?? contact.email ?? contact.phone ?? contact.id);

/** How people know a lead: by its contact, else by the ID of another system. */
export const leadName = ({ contactId, externalId, protocol, id }: Lead, store: Store): string =>
	contactName(store.contact(contactId)) ?? externalId ?? protocol ?? id;

/** The fields of a lead, as people read them. */
export const leadFields = (lead: Lead, store: Store): Record<string, string | null | undefined> => {
	const contact = store.contact(lead.contactId);
	return {
		Status: statusWords(lead.status),
		Contact: contactName(contact),
		Phone: contact?.phone,
		Email: contact?.email,
		Value: lead.estimatedValue === null ? null : money(lead.estimatedValue),
		Sold: lead.saleDate && dateWords(Date.parse(lead.saleDate)),
		Notes: lead.notes,
		Tags: lead.tags.join(', '),
		Source: lead.source,
		Priority: lead.priority,
		'External ID': lead.externalId,
		Protocol: lead.protocol,
		ID: lead.id,
	};
};

/** A request in words: the operation, the record in its path by its name, and what was sent. */
export function requestWords(request: LoggedRequest, store: Store): string {
	const { route, method, path, params, query, body } = request;
	const operation = routes.find((each) => route === `${each.method} ${each.path}`);
	if (!operation) return `Unknown request: ${method} ${path}`;
	const fields = (lodash.isPlainObject(body) ? body : {}) as Record<string, unknown>;
	const contact = fields.contact as Record<string, unknown> | undefined;
	const subjects = Object.values(params).map((id) => nameOf(id, store));
	const sent = { ...lodash.omit(query, 'limit'), ...lodash.omit(fields, 'contact') };
	const person = lodash.find(contact, Boolean);
	const parts = [sentence(operation.id), ...subjects, person, pairs(lodash.mapValues(sent, brief))];
	return parts.filter(Boolean).join(' · ');
}

/** What people call the record with this ID. */
function nameOf(id: string, store: Store): string {
	const lead = store.leads.get(id) ?? store.leadByExternalId(id);
	if (lead) return leadName(lead, store);
	const contactId = store.conversations.get(id)?.contactId ?? id;
	return contactName(store.contact(contactId)) ?? store.tagName(id);
}

/** What is short stays; of other lists and objects, how much they hold. */
function brief(value: unknown) {
	if (!lodash.isObject(value)) return value;
	const parts = Object.values(value);
	return parts.every(lodash.isString) ? parts.join(', ') : count(parts.length);
}

/** What came of a request: its status in the words of HTTP. */
export function outcomeWords({ status }: LoggedRequest): string {
	if (status === null) return 'Running';
	return status ? `${STATUS_CODES[status] ?? 'Status'} · ${status}` : 'No answer';
}

/** The digits of a phone, without what stands before a country or an area code. */
const digits = (phone: string) => phone.replace(/\D/g, '').replace(/^0+/, '');

/** The leads with this text, or with this phone however it is typed. */
export function findLeads(store: Store, search = ''): Lead[] {
	const part = search.trim().toLowerCase();
	const phone = /^(tel:)?[^\p{L}@]*$/u.test(part) ? digits(part) : '';
	return store.leads.values().filter(({ externalId, protocol, id, contactId, tags }) => {
		const contact = store.contact(contactId);
		const texts = [externalId, protocol, id, contact?.searchText, ...tags];
		if (texts.some((text) => text?.toLowerCase().includes(part))) return true;
		const known = digits(contact?.phone ?? '');
		// Fewer digits are in many phones. Either may lack the country code.
		if (phone.length < 4 || known.length < 8) return false;
		return known.includes(phone) || phone.endsWith(known);
	});
}
