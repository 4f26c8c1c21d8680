/**
 * Makes events of Meta's Conversions API, which are entries of its `data`. CAPI is
 * https://developers.facebook.com/documentation/ads-commerce/conversions-api.
 *
 * Event: CAPI/parameters/server-event
 * Person: CAPI/parameters/customer-information-parameters
 */
import {
	castArray,
	compact,
	dropRightWhile,
	isEmpty,
	mapValues,
	omitBy,
	pickBy,
	some,
	takeRightWhile,
	uniq,
} from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { DAY_MS } from '../dates/date';
import { contactOf, CURRENCY, emailOf, idOf, phoneOf, sha256, type Sale } from './sale';
import type { ExportSettings } from './settings';

/**
 * @returns undefined without anything to find the person by. An `external_id` alone identifies only people that Meta
 *   already knows by it; whether Meta accepts such an event could not be verified, and one bad event fails a whole request.
 */
export function toMetaEvent(sale: Sale, settings: ExportSettings): IDataObject | undefined {
	const { leadId, soldAt, value, clicks } = sale;
	const contact = contactOf(sale.lead);
	const { eventName, actionSource, whatsappAccountId } = settings;
	// Digits only (`ph`).
	const ph = phoneOf(contact.phone, settings.countryCode)?.slice(1);
	const person = { em: emailOf(contact.email), ph };
	const inChat = whatsappAccountId && whatsappClick(sale, settings.now);
	const ids = inChat
		? { ctwa_clid: inChat.id, whatsapp_business_account_id: whatsappAccountId }
		: { fbc: clicks.fbc?.id, lead_id: toMetaId(clicks.lead_id?.id) };
	if (!some({ ...person, ...ids })) return undefined;
	// "Hashing recommended". Meta wants the ID of the person, not of the deal.
	const known = inChat
		? person
		: { ...person, ...splitName(contact.name), external_id: idOf(contact) };
	const custom_data = {
		...(!inChat && actionSource === 'system_generated' && FROM_CRM),
		...(value !== undefined && { currency: CURRENCY, value, order_id: leadId }),
	};
	return {
		event_name: eventName,
		// "A Unix timestamp in seconds"; rounded down, so that it is never in the future, and not before the click.
		event_time: Math.floor(Math.max(+soldAt, inChat ? +inChat.at : 0) / 1000),
		event_id: metaEventId(leadId, eventName),
		action_source: inChat ? 'business_messaging' : actionSource,
		...(inChat && { messaging_channel: 'whatsapp' }),
		user_data: { ...mapValues(omitBy(known, isEmpty), hashes), ...pickBy(ids) },
		...(!isEmpty(custom_data) && { custom_data }),
	};
}

/**
 * Of two events with the same `event_id` and `event_name` within 48 hours Meta keeps the first. Its page says so of an event
 * from the pixel or an app and one from here, not of two from here. The name is in the ID as well, so that a stage and the
 * sale of a lead are two events by either.
 */
export const metaEventId = (leadId: string, eventName = '') => `${leadId}:${eventName}`;

/** Required of every event of a CRM: CAPI/conversion-leads-integration/payload-specification (28 June 2026). */
const FROM_CRM = { event_source: 'crm', lead_event_source: 'Integration Leads' };

const hashes = (texts: string | string[] = []) => castArray(texts).map((text) => sha256(text));

/** What follows a last name without being part of it. Not `Neto` or `Filho`, which people of Brazil give as their last name. */
const SUFFIX = /^(?:jr|jnr|junior|júnior|sr|snr|ii|iii|iv|phd|md|dds|mba|esq)$/;
/** Titles before a name: Dra. Ana, Mr John, Prof. Dr. Ana. */
const TITLES_OF_NAME = /^(?:(?:sr|sra|srta|dr|dra|prof|profa|mr|mrs|ms|miss)(?:\.\s*|\s+|$))+/;
/** Words before a last name, of which they are a part for some people and forms only. */
const PARTICLE =
	/^(?:da|das|de|del|della|dela|den|der|di|do|dos|du|el|la|las|le|los|ten|ter|van|vom|von|zu)$/;

/** The legal form behind the name of a firm, which has no first and last name. `Sa` alone is a last name. */
const LEGAL_FORM =
	/[\s,](?:ltda|limitada|eireli|epp|llc|inc|ltd|gmbh|srl|s\.?r\.l|s\/a|s\.\s?a|s\.\s?l)\.?\s*$/;

/**
 * First and last name as Meta matches them (`fn`, `ln`): lower case, letters only; each may be a list. Which words are
 * which is a guess: the first and the last; a single word is a first name. With particles before it, the last name is sent
 * with and without them.
 */
function splitName(value: unknown): { fn?: string; ln: string[] } {
	const text = (typeof value === 'string' ? value : '')
		// Text in brackets describes the person, and is not part of the name.
		.replace(/[([{][^)\]}]*[)\]}]?/g, ' ')
		.normalize('NFC')
		.toLowerCase();
	if (LEGAL_FORM.test(text)) return { ln: [] };
	const [fn, ...others] = lettersByWord(firstNameFirst(text).trim().replace(TITLES_OF_NAME, ''));
	const names = dropRightWhile(others, (word) => SUFFIX.test(word));
	const last = names.pop();
	if (last === undefined) return { fn, ln: [] };
	const particles = takeRightWhile(names, (word) => PARTICLE.test(word));
	return { fn, ln: uniq([[...particles, last].join(''), last]) };
}

/** The words of a name, of which only letters count. */
const lettersByWord = (text: string) =>
	compact(text.split(/\s+/).map((word) => word.replace(/[^\p{L}\p{M}]/gu, '')));

/** Turns `Souza, Ana` round, but not `Ana Souza, Jr.` or `Ana Souza, MD`. */
function firstNameFirst(name: string): string {
	const parts = name.split(',').filter((part) => lettersByWord(part).length > 0);
	const isSuffix = (part: string) => lettersByWord(part).every((word) => SUFFIX.test(word));
	const names = dropRightWhile(parts, isSuffix);
	return names.length === 2 ? `${names[1]} ${names[0]}` : names.join(' ');
}

/** The click into WhatsApp that led to a sale, unless one of the two is too old to count (CAPI/business-messaging). */
function whatsappClick({ soldAt, clicks: { ctwa_clid: click } }: Sale, now: number) {
	const isYoung = click && Math.max(now - +soldAt, +soldAt - +click.at) <= 7 * DAY_MS;
	return isYoung ? click : undefined;
}

/** An ID as a number, as Meta has it, unless it is too large for a number in JSON. */
function toMetaId(id = ''): number | string {
	return Number.isSafeInteger(Number(id)) ? Number(id) : id;
}
