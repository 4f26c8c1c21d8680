import lodash from 'lodash';

import { isRecord, type ServiceRecord } from '../../nodes/IntegrationLeads/values/json.ts';
import * as judge from '../assumption.mts';
import type { Check } from '../assumption.mts';
import type { Survey } from '../survey/survey.mts';
import * as read from '../reply.mts';
import type { Reply } from '../reply.mts';
import { tagsOf } from './lists.mts';
import { isInPath } from './records.mts';

const { after, answered, couldNotTell, every, list, record, verdict } = judge;

/** Whether a field of what was read holds what was sent with one request, also after another one. */
export const kept = (name: string, field: string, sentWith: string, changedBy = sentWith): Check =>
	after(
		[sentWith, changedBy],
		answered(name, (reply, survey) => {
			const found = read.recordOf(reply) ?? read.listOf(reply)?.[0] ?? {};
			const seen = `${field}: ${JSON.stringify(found[field])}`;
			return verdict(lodash.isMatch(found, lodash.pick(sent(survey, sentWith), field)), seen);
		}),
	);

const sent = (survey: Survey, name: string) => survey.named(name)?.sent.body ?? {};

/** Judges all writes that succeeded, of those chosen. */
const all =
	(chosen: (reply: Reply) => boolean, fits: (reply: Reply) => boolean): Check =>
	({ replies }) => {
		const written = replies.filter((each) => each.sent.method !== 'GET' && read.isSuccess(each));
		return every(written.filter(chosen), fits, read.answerOf);
	};

const isTagGone = record('lead without tag', (lead, _, survey) => {
	const [gone] = tagsOf(sent(survey, 'createLead'));
	return verdict(!tagsOf(lead).includes(gone), `tags: ${tagsOf(lead).join(', ')}`);
});

const idOf = (survey: Survey, name: string) => read.idOf(read.recordOf(survey.named(name)));

const isForContact = record('lead made', ({ contact }, _, survey) => {
	const id = isRecord(contact) ? contact.id : undefined;
	return verdict(id === idOf(survey, 'made by email'), `contact ${String(id)}`);
});

const isOneLead = record('lead upserted', ({ id }, _, survey) => {
	const ids = ['lead made', 'same externalId'].flatMap((name) => idOf(survey, name) ?? []);
	return verdict(
		ids.every((each) => each === id),
		`ids: ${[id, ...ids].join(', ')}`,
	);
});

const resultForEach = answered('pushLeads', (reply) => {
	if (!read.isSuccess(reply) || !read.hasBody(reply)) return couldNotTell(read.answerOf(reply));
	const results = read.listOf(reply) ?? [];
	const leads = reply.sent.body?.leads as ServiceRecord[];
	const isEach = leads.every(({ externalId }) =>
		results.some((it) => it.externalId === externalId),
	);
	const shown = JSON.stringify(results[0] ?? read.dataOf(reply));
	return verdict(isEach && results.length === leads.length, shown);
});

const isGone: Check = (survey) => {
	const tried = survey.of('deleteSynced').filter((reply) => !judge.isInconclusive(reply));
	const reads = tried.flatMap(({ name }) => survey.named(name.replace('delete', 'deleted')) ?? []);
	const conclusive = reads.filter((reply) => !judge.isInconclusive(reply));
	return every(conclusive, ({ status }) => status === 404, read.answerOf);
};

/**
 * What writes do, seen on records that the probe creates. Rule 2 of 4.3, a protocol that matches, is not tried: the
 * lead of a tracking link is none of the probe's own.
 */
export const writes: Record<string, Check> = {
	'lead-defaults': record('lead made', ({ status, priority }) =>
		verdict(status === 'open' && priority === 'medium', `${String(status)}, ${String(priority)}`),
	),
	'rule-3': answered('unknown protocol and externalId', (reply) =>
		verdict(read.isSuccess(reply), read.outcomeOf(reply)),
	),
	'rule-4-known': after(['made by email'], isForContact),
	'rule-5-same': isOneLead,
	'status-created': all(
		({ creates, operation }) => creates && operation !== 'pushLeads',
		({ status }) => status === 201,
	),
	'status-changed': all(
		({ creates }) => !creates,
		({ status }) => status === 200,
	),
	'write-answers': all(({ sent: { method } }) => method !== 'DELETE', read.hasBody),
	'tag-removed': after(['createLead', 'removeLeadTag'], isTagGone),
	'conversations-listed': after(
		['createConversation', 'createLeadConversation'],
		list('conversations made', ({ length }) => verdict(length === 2, `${length} of 2`)),
	),
	'created-listed': after(
		['addInteraction'],
		list('interactions made', ([made]) => {
			if (!made) return judge.differs('the list is empty');
			const { createdAt } = made;
			if (createdAt === undefined) return couldNotTell('no createdAt');
			return verdict(!Number.isNaN(Date.parse(String(createdAt))), String(createdAt));
		}),
	),
	'sync-results': resultForEach,
	'sync-get': record('getSynced', ({ externalId }, reply) => isInPath(externalId, reply)),
	'sync-delete': isGone,
};
