import lodash from 'lodash';

import { isRecord, type ServiceRecord } from '../../nodes/IntegrationLeads/contract/envelope.ts';
import * as judge from '../assumption.mts';
import type { Check } from '../assumption.mts';
import type { Survey } from '../survey/survey.mts';
import * as read from '../reply.mts';
import type { Reply } from '../reply.mts';
import { tagsOf } from './lists.mts';
import { isInPath } from './records.mts';

const { after, answered, couldNotTell, every, list, record, refused, verdict } = judge;

/** Whether a field of what was read holds what was sent with one request, also after another one. */
const kept = (name: string, field: string, sentWith: string, changedBy = sentWith): Check =>
	after(
		[sentWith, changedBy],
		answered(name, (reply, survey) => {
			const found = read.recordOf(reply) ?? read.listOf(reply)?.[0] ?? {};
			const seen = `${field}: ${JSON.stringify(found[field])}`;
			return verdict(lodash.isMatch(found, lodash.pick(sent(survey, sentWith), field)), seen);
		}),
	);

/** Judges by the first of several checks that does not hold. */
const both =
	(...checks: Check[]): Check =>
	(survey) =>
		checks.map((check) => check(survey)).find(({ outcome }) => outcome !== 'holds') ??
		judge.holds('both');

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
	'rule-1-absent': refused('no reference'),
	'rule-1-unknown': refused('unknown protocol'),
	'rule-3': answered('unknown protocol and externalId', (reply) =>
		verdict(read.isSuccess(reply), read.outcomeOf(reply)),
	),
	'rule-4-unknown': refused('unknown contact', 404),
	'rule-4-known': after(['made by email'], isForContact),
	'rule-5-same': isOneLead,
	'rule-5-value': kept('lead upserted', 'estimatedValue', 'same externalId'),
	'status-created': all(
		({ creates, operation }) => creates && operation !== 'pushLeads',
		({ status }) => status === 201,
	),
	'status-changed': all(
		({ creates }) => !creates,
		({ status }) => status === 200,
	),
	'write-answers': all(({ sent: { method } }) => method !== 'DELETE', read.hasBody),
	'status-set': kept('lead updated', 'status', 'updateLeadStatus'),
	'put-changes': kept('lead updated', 'notes', 'updateLead'),
	'put-keeps': kept('lead updated', 'estimatedValue', 'same externalId', 'updateLead'),
	'tags-added': both(
		kept('lead updated', 'tags', 'createLead', 'addLeadTags'),
		kept('lead updated', 'tags', 'addLeadTags'),
	),
	'tag-removed': both(
		kept('lead without tag', 'tags', 'addLeadTags', 'removeLeadTag'),
		after(['createLead'], isTagGone),
	),
	metadata: kept('interactions made', 'metadata', 'addInteraction'),
	'contact-changed': kept('contact updated', 'name', 'updateContact'),
	'contact-kept': kept('contact updated', 'email', 'createContact', 'updateContact'),
	'conversations-listed': after(
		['createConversation', 'createLeadConversation'],
		list('conversations made', ({ length }) => verdict(length === 2, `${length} of 2`)),
	),
	'messages-listed': kept('messages made', 'content', 'createMessage'),
	'message-status': kept('messages read', 'status', 'updateMessageStatus'),
	'sync-results': resultForEach,
	'sync-get': record('getSynced', ({ externalId }, reply) => isInPath(externalId, reply)),
	'sync-delete': isGone,
};
