/**
 * Carries out *Lead > Merge Into*: joins two leads of one person by requests that exist, since the service shows none for it
 * (spec 4). Everything is read and checked before the first write. What the kept lead has already is read in every try, so that
 * nothing is copied twice; what cannot be moved is in the output.
 */
import { compact, isEmpty, isNil, map, sortBy, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { matchPerson } from '../contract/samePerson';
import { hasTag, leadAfterMerge, MERGED_INTO, mergedTagOf } from '../contract/records';
import { contactLabel, leadLabel } from '../contract/shown';
import { requireId } from '../fields/check';
import { leadId, status } from '../fields/leadFields';
import { choice, options } from '../fields/options';
import type { ComposeContext, Parameter, Result, StepFunctions, Values } from '../operation';
import { compose } from '../operation';
import { UserError } from '../userError';
import { isBlank } from '../values/convert';
import { toRecord, type ServiceRecord } from '../values/json';
import { fillSteps } from './contact';
import { conversationSteps, findOrCreateConversation, newestOpen } from './conversation';
import { fillLeadContact, NOT_FILLED } from './fillContact';
import { createInteraction, getInteractions } from './interaction';
import { deleteLead, deleteSteps } from './leadDelete';
import { byLeadId, findLead, updateLead } from './leadRequests';
import { readLeads, sendStatus, withKnownStatus } from './leadStatus';
import { ensureTags, tagSteps } from './leadTags';
import { idSteps, moveExternalId } from './mergeExternalId';
import {
	copyOfInteraction,
	copyOfMessage,
	fieldsToMove,
	hasNoteOfMerge,
	missingCopies,
	missingTags,
	noteOfMerge,
	showsContent,
} from './mergeParts';
import { createMessage, getMessages } from './message';

const mergeSteps = {
	find: findLead,
	getInteractions,
	getMessages,
	note: createInteraction,
	copyInteraction: createInteraction,
	copyMessage: createMessage,
	updateFields: updateLead,
	close: sendStatus,
	readLeads,
	...tagSteps,
	tagMerged: tagSteps.addTags,
	...fillSteps,
	...conversationSteps,
	...idSteps,
	...deleteSteps,
};

type MergeSteps = StepFunctions<typeof mergeSteps>;

/** It was looked for just now, so it is sent also where an earlier try has sent another one. */
const IS_MISSING = { found: null };

/** A lead with what belongs to it. */
interface WholeLead {
	lead: ServiceRecord;
	path: { leadId: string };
	/** With its phone, if the key may read it. */
	contact: ServiceRecord;
	interactions: ServiceRecord[];
	conversations: number;
	openConversation?: Result;
	/** Those of the open conversation. */
	messages: ServiceRecord[];
}

async function readLeadWhole(
	lead: ServiceRecord,
	steps: MergeSteps,
	{ ifPermitted }: ComposeContext,
): Promise<WholeLead> {
	const path = { leadId: String(lead.id) };
	const shown = toRecord(lead.contact);
	const contactPath = { contactId: String(shown.id) };
	const read = async () => await steps.readContact({ path: contactPath }, { mayBeMissing: true });
	const whole = isNil(shown.id) ? undefined : await ifPermitted(NOT_FILLED, read);
	const conversations = await steps.listConversations({ path });
	const openConversation = newestOpen(conversations);
	const conversationId = openConversation && requireId(openConversation, 'conversation');
	const messages = conversationId ? await steps.getMessages({ path: { conversationId } }) : [];
	return {
		lead,
		path,
		contact: { ...shown, ...whole?.record },
		interactions: oldestFirst(await steps.getInteractions({ path })),
		conversations: conversations.length,
		openConversation,
		messages: oldestFirst(messages),
	};
}

const oldestFirst = (results: Result[]) =>
	sortBy(compact(map(results, 'record')), ({ createdAt }) => Date.parse(String(createdAt)) || 0);

/** What there is to copy, and in `left` what cannot be copied, in sentences. */
function copiesOf(from: WholeLead, to: WholeLead, timezone: string) {
	const interactions = from.interactions.filter(showsContent);
	const messages = from.messages.filter(({ content }) => !isBlank(content));
	const others = from.conversations - (from.openConversation ? 1 : 0);
	const counts = {
		'interactions whose content the service does not show':
			from.interactions.length - interactions.length,
		'messages without text, such as files': from.messages.length - messages.length,
		'conversations besides the one that was opened last': others,
	};
	const left = Object.entries(counts).flatMap(([what, count]) =>
		count > 0 ? `Not copied: ${count} ${what}.` : [],
	);
	return {
		interactions: interactions.map((record) => copyOfInteraction(record, timezone)),
		messages: messages.map((record) => copyOfMessage(record, timezone)),
		tags: missingTags(from.lead, to.lead),
		left,
	};
}

/**
 * Makes sure that two leads can be merged.
 *
 * @param isFinal whether the one that is merged is deleted, or a model chose both: then they must plainly be of one person
 * @returns a remark, where it is unknown whether they are
 * @throws UserError if they must not be merged
 */
function requireMergeable(from: WholeLead, to: WholeLead, isFinal: boolean): string | undefined {
	const isSameContact = !isBlank(to.contact.id) && to.contact.id === from.contact.id;
	const match = isSameContact ? 'same' : matchPerson(from.contact, to.contact);
	const [one, other] = [from, to].map((side) => contactLabel(side.contact) || leadLabel(side.lead));
	if (match === 'other') {
		throw new UserError(
			`The leads are those of two people: ${one}, and ${other}`,
			'If it is one person, change one of the contacts with Contact > Update first.',
		);
	}
	const unknown = `The contacts do not show whether the leads are of one person: ${one}, and ${other}`;
	if (match === 'unknown' && isFinal) {
		throw new UserError(unknown, {
			all: 'Correct the contacts with Contact > Update first.',
			panel: 'Or choose Close, which can be undone.',
		});
	}
	for (const { lead } of [from, to]) {
		const tag = mergedTagOf(lead);
		if (tag === undefined || (lead === from.lead && tag === mergedTag(to))) continue;
		throw new UserError(
			`The lead ${leadLabel(lead)} was merged before: it has the tag "${tag}"`,
			'Choose the lead that the tag names, or remove the tag first.',
		);
	}
	return match === 'unknown' ? `${unknown}.` : undefined;
}

const mergedTag = ({ path }: WholeLead) => `${MERGED_INTO}${path.leadId}`;

/** @throws UserError if records would be lost with the lead */
function requireNothingLost(left: string[]): void {
	if (left.length === 0) return;
	throw new UserError(
		`With the lead, the service would delete what cannot be copied. ${left.join(' ')}`,
		'Choose Close instead of Delete.',
	);
}

/**
 * Copies all records of a lead that the kept one does not have yet.
 *
 * @returns values that came back otherwise
 */
async function copyAll(
	from: WholeLead,
	to: WholeLead,
	copies: ReturnType<typeof copiesOf>,
	steps: MergeSteps,
): Promise<unknown[]> {
	const { path } = to;
	const added: Result[] = [];
	// First, because Only Check shows the first write, and this one has all that is known of the lead.
	if (!hasNoteOfMerge(to.interactions, from.lead))
		added.push(await steps.note({ path, body: noteOfMerge(from.lead, from.contact) }, IS_MISSING));
	const { tags } = copies;
	if (tags.length > 0) await ensureTags({ path, body: { tags } }, steps);
	for (const body of missingCopies(copies.interactions, to.interactions))
		added.push(await steps.copyInteraction({ path, body }, IS_MISSING));
	const messages = missingCopies(copies.messages, to.messages);
	if (messages.length > 0) {
		const opened =
			to.openConversation ?? (await findOrCreateConversation({ path, body: {} }, steps, true));
		const conversationId = requireId(opened, 'conversation');
		for (const body of messages)
			added.push(await steps.copyMessage({ path: { conversationId }, body }, IS_MISSING));
	}
	return map(added, 'extra.differences');
}

/** Fills the fields and the contact of the kept lead. Returns the lead with that contact. */
async function fillKept(
	to: WholeLead,
	body: ServiceRecord,
	from: WholeLead,
	steps: MergeSteps,
	context: ComposeContext,
): Promise<{ kept: WholeLead; differences: unknown[] }> {
	const { path, lead, contact } = to;
	const written = isEmpty(body) ? undefined : await steps.updateFields({ path, body }, IS_MISSING);
	const differences = [written?.extra.differences];
	if (isBlank(contact.id)) return { kept: { ...to, contact: from.contact }, differences };
	if (contact.id === from.contact.id) return { kept: to, differences };
	const shown = { record: { ...lead, contact }, extra: {} };
	const filled = await fillLeadContact(shown, from.contact, { steps, context, reads: true });
	const kept = { ...to, contact: toRecord(filled.record?.contact) };
	return { kept, differences: [...differences, filled.extra.differences] };
}

const NOT_MOVED =
	'The service shows no way to move a conversation: its messages were copied as text, without their status and who wrote them.';

async function merge(
	{ path, body, settings }: Values,
	steps: MergeSteps,
	context: ComposeContext,
): Promise<Result> {
	if (path.leadId === path.intoLeadId)
		throw new UserError(
			'"Lead" and "Into Lead" are the same lead',
			'Choose two leads of one person.',
		);
	const deletes = settings.afterwards === 'delete';
	// An earlier try of this execution may have deleted it, as its last step.
	const mayBeGone = deletes && context.attempt.firstSentAt !== undefined;
	const merged = await steps.find([byLeadId(path.leadId)], { required: !mayBeGone });
	const kept = await steps.find([byLeadId(path.intoLeadId)], { required: true });
	if (!merged?.record) return { extra: {}, ...kept };
	const from = await readLeadWhole(merged.record, steps, context);
	const to = await readLeadWhole(toRecord(kept?.record), steps, context);
	const remark = requireMergeable(from, to, deletes || context.tool === true);
	const copies = copiesOf(from, to, context.timezone);
	if (deletes) requireNothingLost(copies.left);
	const closing = deletes ? undefined : await withKnownStatus(body, steps, context);

	const { body: fields, left } = fieldsToMove(from.lead, to.lead);
	const differences = [remark, ...(await copyAll(from, to, copies, steps))];
	const filled = await fillKept(to, fields, from, steps, context);
	differences.push(...filled.differences);
	const tag = mergedTag(to);
	if (!hasTag(from.lead, tag))
		await ensureTags(
			{ path: from.path, body: { tags: [tag] } },
			{ ...steps, addTags: steps.tagMerged },
		);
	const { externalId, remark: ofId } = await moveExternalId(from, filled.kept, deletes, steps);
	if (closing) await steps.close({ path: from.path, body: closing }, IS_MISSING);
	else await deleteLead({ ...from.lead, externalId }, steps);

	const after = await steps.getLead({ path: to.path });
	return { ...after, extra: reportOf(from, copies, [...left, ofId], differences) };
}

function reportOf(
	{ lead: { id, externalId, contact } }: WholeLead,
	{ tags, interactions, messages, left }: ReturnType<typeof copiesOf>,
	others: unknown[],
	remarks: unknown[],
): IDataObject {
	const differences = uniq(compact(remarks)).join(' ');
	return {
		merged: { id, externalId, name: toRecord(contact).name },
		copied: { tags: tags.length, interactions: interactions.length, messages: messages.length },
		notMoved: compact([...left, messages.length > 0 && NOT_MOVED, ...others]) as string[],
		...(differences && { differences }),
	};
}

const ofClose = { show: { afterwards: ['close'] } };

const mergeParameters: Parameter[] = [
	{ ...leadId, description: 'The lead that is merged, and then closed or deleted' },
	{
		...leadId,
		displayName: 'Into Lead',
		name: 'intoLeadId',
		description: 'The other lead of the same person, which is kept',
	},
	choice('Then', 'afterwards', 'close', {
		options: [
			{ name: 'Close', value: 'close', description: 'Give the merged lead the status below' },
			{
				name: 'Delete',
				value: 'delete',
				description: 'Delete the merged lead, if all that belongs to it could be copied',
			},
		],
		description: 'What becomes of the lead that was merged',
	}),
	{
		...status,
		displayName: 'Closing Status',
		displayOptions: ofClose,
		required: true,
		// No status of lost leads is documented (spec 2).
		default: '',
		description:
			'The status that the merged lead gets, such as that of lost leads. Use an expression for a value that is not listed.',
	},
	options(),
];

export const mergeInto = compose({
	name: 'Merge Into',
	action: 'Merge lead into another',
	description:
		'Copy what a lead has to another lead of the same person, and close or delete the first',
	when: 'Use it only when told to merge these two leads, with their exact IDs. Never guess an ID.',
	scope: 'leads:write',
	otherScopes: {
		'find both leads': ['leads:read'],
		'compare their contacts and fill blank fields': ['contacts:read', 'contacts:write'],
		'copy interactions': ['interactions:read', 'interactions:write'],
		'copy messages': ['conversations:read', 'conversations:write'],
		'delete the merged lead': ['sync'],
	},
	parameters: mergeParameters,
	output: { kind: 'one', record: leadAfterMerge },
	would: 'merge',
	steps: mergeSteps,
	fillsContact: true,
	run: merge,
});
