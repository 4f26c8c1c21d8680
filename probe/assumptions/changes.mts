import {
	after,
	answered,
	couldNotTell,
	every,
	list,
	record,
	saysNothing,
	verdict,
	type Check,
} from '../assumption.mts';
import type { Evidence } from '../evidence.mts';
import {
	answerOf,
	dataOf,
	isJson,
	isSuccess,
	idOf,
	onlyArray,
	recordOf,
	type Json,
} from '../reply.mts';
import { tagsOf } from './lead.mts';
import { byWriting, kept } from './writing.mts';

/** Whether a field of the only message is what was sent with another request. */
const messageHas = (name: string, field: string, sentWith: string): Check =>
	after(
		[sentWith],
		list(name, ([first], _, { named }) => {
			const sent = named(sentWith)?.sent.body?.[field];
			return verdict(first?.[field] === sent, `${field}: ${JSON.stringify(first?.[field])}`);
		}),
	);

const tagsSent = (evidence: Evidence, name: string) =>
	tagsOf(evidence.named(name)?.sent.body ?? {});

const written = ({ replies }: Evidence) =>
	replies.filter((reply) => reply.sent.method !== 'GET' && isSuccess(reply));

/** What writing does, seen on records that the probe creates. */
export const changes = byWriting([
	{
		id: 'status-created',
		says: 'What creates something answers 201',
		notReliedOn: true,
		check: (evidence) =>
			every(
				written(evidence).filter(({ creates, operation }) => creates && operation !== 'sync.push'),
				({ status }) => status === 201,
				{ all: '201', none: 'nothing was created', but: answerOf },
			),
	},
	{
		id: 'status-changed',
		says: 'What changes something answers 200',
		notReliedOn: true,
		check: (evidence) =>
			every(
				written(evidence).filter(({ creates }) => !creates),
				({ status }) => status === 200,
				{ all: '200', none: 'nothing was changed', but: answerOf },
			),
	},
	{
		id: 'write-answers',
		says: 'What creates or changes something answers with it',
		notReliedOn: true,
		check: (evidence) =>
			every(
				written(evidence).filter(({ sent }) => sent.method !== 'DELETE'),
				({ body }) => body !== undefined,
				{ all: 'with a body', none: 'nothing was written', but: answerOf },
			),
	},
	{
		id: 'status-set',
		says: 'PATCH …/status changes the status',
		stated: '4.4',
		check: kept('lead updated', 'status', 'lead.updateStatus'),
	},
	{
		id: 'put-changes',
		says: 'PUT /leads/{leadId} changes the fields that are sent',
		check: kept('lead updated', 'notes', 'lead.update'),
	},
	{
		id: 'put-keeps',
		says: 'PUT /leads/{leadId} keeps the fields that are not sent',
		check: kept('lead updated', 'estimatedValue', 'same externalId', 'lead.update'),
	},
	{
		id: 'tags-added',
		says: 'Tags that are added join those the lead has',
		check: after(
			['lead.upsert', 'lead.addTags'],
			record('lead updated', (lead, _, evidence) => {
				const sent = [...tagsSent(evidence, 'lead.upsert'), ...tagsSent(evidence, 'lead.addTags')];
				const tags = tagsOf(lead);
				return verdict(
					sent.every((tag) => tags.includes(tag)),
					`tags: ${tags.join(', ')}`,
				);
			}),
		),
	},
	{
		id: 'tag-removed',
		says: 'A tag that is removed leaves the others on the lead',
		check: after(
			['lead.addTags', 'lead.removeTag'],
			record('lead without tag', (lead, _, evidence) => {
				const [gone] = tagsSent(evidence, 'lead.upsert');
				const [stays] = tagsSent(evidence, 'lead.addTags');
				const tags = tagsOf(lead);
				const right = !tags.includes(gone) && tags.includes(stays);
				return verdict(right, `tags: ${tags.join(', ')}`);
			}),
		),
	},
	{
		id: 'metadata',
		says: 'Interactions are listed with their metadata',
		check: after(
			['interaction.create'],
			list('interactions made', ([first], _, { named }) => {
				const sent = named('interaction.create')?.sent.body?.metadata as Json;
				const found = first?.metadata;
				const same = isJson(found) && Object.keys(sent).every((key) => found[key] === sent[key]);
				return verdict(same, first ? `metadata: ${JSON.stringify(found)}` : 'not listed');
			}),
		),
	},
	{
		id: 'contact-changed',
		says: 'PUT /contacts/{contactId} changes what is sent',
		check: kept('contact updated', 'name', 'contact.update'),
	},
	{
		id: 'contact-kept',
		says: 'PUT /contacts/{contactId} keeps what is not sent',
		check: kept('contact updated', 'email', 'contact.create', 'contact.update'),
	},
	{
		id: 'contact-made-phone',
		says: 'A new contact is found by its phone',
		check: after(
			['made by email'],
			record('made by phone', ({ id }, _, { named }) =>
				verdict(id === idOf(recordOf(named('made by email'))), `found ${String(id)}`),
			),
		),
	},
	{
		id: 'conversations-listed',
		says: "A lead's conversations are listed, however they were created",
		check: after(
			['conversation.create', 'conversation.createForLead'],
			list('conversations made', ({ length }) => verdict(length === 2, `${length} of 2`)),
		),
	},
	{
		id: 'messages-listed',
		says: 'A new message is listed with its content',
		check: messageHas('messages made', 'content', 'message.create'),
	},
	{
		id: 'message-status',
		says: 'PATCH /messages/{messageId}/status changes the status',
		check: messageHas('messages read', 'status', 'message.updateStatus'),
	},
	{
		id: 'sync-results',
		says: 'POST /sync answers one result for each lead, with its externalId',
		notReliedOn: true,
		check: answered('sync.push', (reply) => {
			if (!isSuccess(reply) || reply.body === undefined)
				return couldNotTell(`${answerOf(reply)}, without results`);
			const sent = (reply.sent.body?.leads as Json[]).map(({ externalId }) => externalId);
			const results = onlyArray(dataOf(reply)) ?? [];
			const told = results.map((each) => (isJson(each) ? each.externalId : undefined));
			return verdict(
				sent.every((externalId) => told.includes(externalId)) && told.length === sent.length,
				JSON.stringify(results[0] ?? dataOf(reply)),
			);
		}),
	},
	{
		id: 'sync-get',
		says: 'GET /sync/{externalId} answers with the lead that was pushed',
		check: record('sync.get', ({ externalId }, { sent }) =>
			verdict(
				sent.path.endsWith(encodeURIComponent(String(externalId))),
				`externalId: ${JSON.stringify(externalId)}`,
			),
		),
	},
	{
		id: 'sync-delete',
		says: 'DELETE /sync/{externalId} deletes the lead, however it was created',
		check: ({ of, named }) => {
			const tried = of('sync.delete').filter((reply) => !saysNothing(reply));
			const read = tried.flatMap(({ name }) => named(name.replace('delete', 'deleted')) ?? []);
			return every(
				read.filter((reply) => !saysNothing(reply)),
				({ status }) => status === 404,
				{ all: 'gone', none: 'no lead was deleted, or it could not be looked for', but: answerOf },
			);
		},
	},
]);
