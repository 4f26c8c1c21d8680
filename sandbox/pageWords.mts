/** What the page for people says in words. */
import lodash from 'lodash';
import type { Contact, Lead } from './records.mts';
import type { LoggedRequest } from './requestLog.mts';
import { routes } from './routes.mts';
import type { Store } from './store.mts';

const { lowerCase, upperFirst } = lodash;

/** `in_progress` is "In progress"; a status that an account has named itself stays. */
export const statusWords = (status: string) =>
	/^[a-z]+(_[a-z]+)*$/.test(status) ? upperFirst(status.replaceAll('_', ' ')) : status;

export const count = (number: number) => number.toLocaleString('en');

/** As Brazil writes it: R$ 1.500,00. */
export const money = (value: number) =>
	`R$ ${value.toLocaleString('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

/** In UTC, as the service has it. */
const dateWords = (ms: number) =>
	Number.isNaN(ms) ? 'no date' : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

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
	const { route, method, path, query, body } = request;
	const operation = routes.find((each) => route === `${each.method} ${each.path}`);
	if (!operation) return `Unknown request: ${method} ${path}`;
	const names = operation.path.split('/');
	const ids = path.split('/').filter((_, i) => names[i].startsWith('{'));
	const { contact, ...fields } = lodash.isPlainObject(body)
		? (body as Record<string, unknown>)
		: {};
	const person = lodash.isPlainObject(contact)
		? Object.values(contact as object).find(Boolean)
		: '';
	const subjects = [...ids.map((id) => nameOf(decode(id), store)), person];
	const sent = pairs({ ...lodash.omit(query, 'limit'), ...lodash.mapValues(fields, brief) });
	const doing = upperFirst(lowerCase(operation.id));
	return [doing, ...subjects, sent].filter(Boolean).join(' · ');
}

/** What people call the record with this ID. */
function nameOf(id: string, store: Store): string {
	const lead = store.leads.get(id) ?? store.leadByExternalId(id);
	const contactId = store.conversations.get(id)?.contactId ?? id;
	return lead
		? leadName(lead, store)
		: (contactName(store.contact(contactId)) ?? store.tagName(id));
}

/** What is short stays; of other lists and objects, how much they hold. */
const brief = (value: unknown) => {
	if (!lodash.isObject(value)) return value;
	const texts = Object.values(value).filter((each) => typeof each === 'string');
	return texts.length === lodash.size(value) ? texts.join(', ') : count(lodash.size(value));
};

function decode(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

const OUTCOMES: Record<number, string> = {
	0: 'No answer',
	201: 'Created',
	401: 'Key not accepted',
	403: 'Not permitted',
	404: 'Not found',
	429: 'Over the rate limit',
};

/** What came of a request. A word for people; the number for those who know it. */
export function outcomeWords({ status, fault }: LoggedRequest): string {
	if (status === null) return 'Running';
	const word = status < 300 ? 'Done' : fault || status >= 500 ? 'Failed' : 'Refused';
	return `${OUTCOMES[status] ?? word}${status ? ` · ${status}` : ''}`;
}

/** Digits of what may be a phone, without what stands before a country or an area code. */
const digits = (text: string) => text.replace(/\D/g, '').replace(/^0+/, '');

/** The leads with this text, or with this phone however it is typed. */
export function findLeads(store: Store, search = ''): Lead[] {
	const part = search.trim().toLowerCase();
	const phone = /[\p{L}@]/u.test(part.replace(/^tel:/, '')) ? '' : digits(part);
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
