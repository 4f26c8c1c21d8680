import {
	answered,
	couldNotTell,
	differs,
	every,
	holds,
	list,
	record,
	verdict,
	type Assumption,
	type Verdict,
} from '../assumption.mts';
import type { Kind } from '../operations.mts';
import {
	idOf,
	isJson,
	isSuccess,
	isText,
	listOf,
	outcomeOf,
	recordOf,
	type Json,
} from '../reply.mts';

const isNumber = (value: unknown) => typeof value === 'number';
const isTextList = (value: unknown) => Array.isArray(value) && value.every(isText);
const isUtcMs = (value: unknown) =>
	isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
const isInstant = (value: unknown) => isText(value) && !Number.isNaN(Date.parse(value));

/** What a value is, without showing it: it may be personal. */
const typeNameOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);

/** What the values of fields must be, where they are not null. */
type Fields = Record<string, (value: unknown) => boolean>;

/** Judges fields: each occurs, an id always, and its values are what they should be. */
function haveFields(records: Json[], fields: Fields): Verdict {
	if (!records.length) return couldNotTell('no such record');
	const names = Object.keys(fields);
	const absent = names.filter((name) => records.every((each) => each[name] === undefined));
	if (absent.length)
		return differs(`no ${absent.join(', ')} in ${Object.keys(records[0]).join(', ')}`);
	const wrong = (each: Json) =>
		names.find((name) => !fields[name](each[name]) && (name === 'id' || each[name] != null));
	return every(records, (each) => !wrong(each), {
		all: names.join(', '),
		none: '',
		but: (each) => `${wrong(each)} is ${typeNameOf(each[wrong(each) ?? ''])}`,
	});
}

const leadFields: Fields = {
	id: isText,
	externalId: isText,
	status: isText,
	priority: isText,
	contact: isJson,
	tags: isTextList,
	createdAt: isInstant,
};

const recordFields: Array<[kind: Kind, fields: Fields]> = [
	['contact', { id: isText, name: isText, email: isText, phone: isText }],
	['tag', { id: isText, name: isText }],
	[
		'interaction',
		{ id: isText, type: isText, title: isText, description: isText, metadata: isJson },
	],
	['conversation', { id: isText }],
	['message', { id: isText, content: isText, status: isText }],
];

const sameText = (a: unknown, b: unknown) => String(a).toLowerCase() === String(b).toLowerCase();
/** Phones are the same however they are grouped. */
const digits = (phone: unknown) => String(phone).replace(/\D/g, '');

/** The fields of records, and by what records are found. */
export const records: Assumption[] = [
	{
		id: 'lead-fields',
		says: 'A listed lead has the documented fields',
		stated: '4.1',
		check: ({ answersWith }) =>
			haveFields(
				answersWith('many', 'lead').flatMap((reply) => listOf(reply) ?? []),
				leadFields,
			),
	},
	{
		id: 'lead-contact',
		says: "A lead's contact has id, name and email",
		stated: '4.1',
		check: (evidence) =>
			haveFields(
				evidence
					.records('lead')
					.map(({ contact }) => contact)
					.filter(isJson),
				{ id: isText, name: isText, email: isText },
			),
	},
	{
		id: 'created-at',
		says: 'createdAt of a lead is ISO 8601, in UTC, with milliseconds',
		stated: '2',
		notReliedOn: true,
		check: (evidence) =>
			every(
				evidence.records('lead').flatMap(({ createdAt }) => createdAt ?? []),
				isUtcMs,
				{ all: 'as documented', none: 'no such field', but: JSON.stringify },
			),
	},
	{
		id: 'lead-whole',
		says: 'A lead read by itself also has source, estimatedValue, saleDate and notes',
		check: ({ of }) =>
			haveFields(of('lead.get').map(recordOf).filter(isJson), {
				source: isText,
				estimatedValue: isNumber,
				saleDate: isInstant,
				notes: isText,
			}),
	},
	...recordFields.map(
		([kind, fields]): Assumption => ({
			id: `${kind}-fields`,
			says: `${kind === 'interaction' ? 'An' : 'A'} ${kind} has ${Object.keys(fields).join(', ')}`,
			check: (evidence) => haveFields(evidence.records(kind), fields),
		}),
	),
	{
		id: 'lead-by-id',
		says: 'A lead is found by its id',
		stated: '4.2',
		check: record('lead.get', ({ id }, { sent }) =>
			verdict(sent.path.endsWith(encodeURIComponent(String(id))), `found ${String(id)}`),
		),
	},
	{
		id: 'lead-by-external-id',
		says: 'A lead is found by its externalId',
		stated: '4.2',
		check: record('lead by externalId', ({ id, externalId }, { sent }) =>
			verdict(sent.path.endsWith(encodeURIComponent(String(externalId))), `found ${String(id)}`),
		),
	},
	{
		id: 'contact-by-email',
		says: 'A contact is found by email',
		check: record('contact.lookup', ({ id, email }, { sent }) =>
			verdict(sameText(email, sent.query.email), `found ${String(id)}`),
		),
	},
	{
		id: 'contact-by-phone',
		says: 'A contact is found by phone',
		check: record('by phone', ({ id, phone }, { sent }) =>
			verdict(digits(phone) === digits(sent.query.phone), `found ${String(id)}`),
		),
	},
	{
		id: 'contact-search',
		says: 'search filters contacts',
		check: list('contacts found', (items, { sent }) => {
			const strangers = items.filter(({ email }) => !sameText(email, sent.query.search));
			if (!items.length) return differs('no contact for an email that one has');
			return strangers.length
				? differs(`${strangers.length} of ${items.length} have another email`)
				: holds(`${items.length} found`);
		}),
	},
	{
		id: 'contact-of-lead',
		says: "A lead's contact is found among the contacts, by its id",
		check: answered('contact of lead', (reply) => {
			const id = idOf(recordOf(reply));
			const own = id !== undefined && reply.sent.path.endsWith(encodeURIComponent(id));
			if (isSuccess(reply)) return verdict(own, `found ${String(id)}`);
			return differs(outcomeOf(reply));
		}),
	},
];
