import lodash from 'lodash';

import { contactHas } from '../../nodes/IntegrationLeads/contract/samePerson.ts';
import type { ContactKey } from '../../nodes/IntegrationLeads/contract/records.ts';
import { isRecord, type ServiceRecord } from '../../nodes/IntegrationLeads/values/json.ts';
import { createValidator, fieldsOf, openapi, type Schema } from '../../openapi.mts';
import {
	answered,
	couldNotTell,
	differs,
	every,
	holds,
	isInconclusive,
	list,
	record,
	verdict,
} from '../assumption.mts';
import type { Check, Verdict } from '../assumption.mts';
import { answerOf, idOf, isSuccess, outcomeOf, recordOf, type Reply } from '../reply.mts';
import { isSearched, searchName } from '../survey/read.mts';

const { ListedLead, Lead, ...schemas } = openapi.components.schemas;
const validator = createValidator();

/** Judges fields: each occurs, an id always, and its values fit, where they are not null. */
function haveFields(records: ServiceRecord[], fields: Record<string, Schema> = {}): Verdict {
	if (!records.length) return couldNotTell('no such record');
	const names = Object.keys(fields);
	const absent = names.filter((name) => records.every((each) => each[name] === undefined));
	const present = Object.keys(records[0]).join(', ');
	if (absent.length) return differs(`no ${absent.join(', ')} in ${present}`);
	const isWrong = (each: ServiceRecord, name: string) => {
		const value = isRecord(each[name]) ? lodash.omitBy(each[name], lodash.isNil) : each[name];
		return (name === 'id' || value != null) && !validator.validate(fields[name], value);
	};
	const wrongIn = (each: ServiceRecord) => names.find((name) => isWrong(each, name));
	// Its type, without the value: that may be personal.
	const describe = (each: ServiceRecord) =>
		`${wrongIn(each)} is ${typeof each[wrongIn(each) ?? '']}`;
	return every(records, (each) => !wrongIn(each), describe);
}

/** Whether a record is the one that the path names. */
export const isInPath = (value: unknown, { sent }: Reply) =>
	verdict(sent.path.endsWith(`/${encodeURIComponent(String(value))}`), `found ${String(value)}`);

/** Whether the node takes the contact for the one that was looked for. */
const isMatch = (name: string, trait: 'email' | 'phone'): Check =>
	record(name, (contact, { sent }) => {
		const matches = contactHas(contact, trait, String(sent.query[trait])) === true;
		return verdict(matches, `found ${String(contact.id)}`);
	});

/** Whether one of the terms that the node searches for finds the record. */
const isFound =
	(operation: string, trait: ContactKey): Check =>
	(survey) => {
		const first = searchName(operation, trait);
		const replies = survey.of(operation).filter(({ name }) => name.startsWith(first.slice(0, -1)));
		if (!replies.length) return couldNotTell(survey.whyNot(first));
		const index = replies.findIndex((reply) => isSearched(reply, survey, trait));
		if (index >= 0) return holds(`by term ${index + 1}`);
		const refusal = replies.find((reply) => !isSuccess(reply));
		if (refusal)
			return isInconclusive(refusal)
				? couldNotTell(outcomeOf(refusal))
				: differs(answerOf(refusal));
		return differs(`by none of ${replies.length} terms`);
	};

/** The fields of records, and by what records are found. */
export const records: Record<string, Check> = {
	'lead-fields': (seen) => haveFields(seen.listed('lead'), fieldsOf(ListedLead)),
	'lead-contact': (seen) => {
		const contacts = seen.records('lead').map(({ contact }) => contact);
		return haveFields(contacts.filter(isRecord), fieldsOf(ListedLead.properties?.contact ?? {}));
	},
	'lead-whole': (seen) =>
		haveFields(seen.of('getLead').map(recordOf).filter(isRecord), Lead.properties),
	...Object.fromEntries(
		['Contact', 'Tag', 'Interaction', 'Conversation', 'Message'].map((name): [string, Check] => {
			const kind = name.toLowerCase();
			return [`${kind}-fields`, (seen) => haveFields(seen.records(kind), fieldsOf(schemas[name]))];
		}),
	),
	'created-at': (seen) =>
		every(
			seen.records('lead').flatMap(({ createdAt }) => (createdAt ? String(createdAt) : [])),
			(text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text),
			String,
		),
	'lead-by-id': record('getLead', ({ id }, reply) => isInPath(id, reply)),
	'lead-by-external-id': record('lead by externalId', ({ externalId }, reply) =>
		isInPath(externalId, reply),
	),
	'contact-of-lead': answered('contact of lead', (reply) =>
		isSuccess(reply) ? isInPath(idOf(recordOf(reply)), reply) : differs(outcomeOf(reply)),
	),
	'contact-by-email': isMatch('lookupContact', 'email'),
	'contact-by-phone': isMatch('by phone', 'phone'),
	'contact-made-phone': isMatch('made by phone', 'phone'),
	'search-lead-email': isFound('listLeads', 'email'),
	'search-lead-phone': isFound('listLeads', 'phone'),
	'search-contact-email': isFound('listContacts', 'email'),
	'search-contact-phone': isFound('listContacts', 'phone'),
	'contact-search': list('contacts found', (items, { sent }) => {
		const isFound = (each: ServiceRecord) =>
			contactHas(each, 'email', String(sent.query.search)) === true;
		if (!items.length) return differs('no contact for an email that one has');
		return every(items, isFound, () => 'contacts with another email');
	}),
};
