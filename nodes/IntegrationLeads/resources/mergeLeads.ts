/**
 * Carries out *Lead > Merge Into*: joins two leads of one person by requests that exist, since the service shows none for it
 * (spec 4). Everything is read and checked before the first write. Every run reads what the kept lead has already and writes what
 * is missing, so that nothing is copied twice, also if an earlier run was killed.
 */
import { compact, isEmpty, isNil, map, sortBy, uniq } from 'lodash';

import { byLeadId } from '../contract/leadKey';
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
import { conversationSteps, findOrCreateConversation, newestOpen } from './conversation';
import { fillLeadContact, fillSteps, NOT_FILLED } from './fillContact';
import { createInteraction, getInteractions } from './interaction';
import { deleteLead, deleteSteps } from './leadDelete';
import { findLead } from './leadRequests';
import { updateStatus } from './leadStatus';
import { ensureTags, tagSteps } from './leadTags';
import { moveExternalId } from './mergeExternalId';
import {
	hasNoteOfMerge,
	missingCopies,
	planMerge,
	type MergePlan,
	type WholeLead,
} from './mergeParts';
import { createMessage, getMessages } from './message';

const mergeSteps = {
	find: findLead,
	getInteractions,
	getMessages,
	createInteraction,
	createMessage,
	close: updateStatus,
	...tagSteps,
	...fillSteps,
	...conversationSteps,
	...deleteSteps,
};

type MergeSteps = StepFunctions<typeof mergeSteps>;

/** It was looked for just now, so it is sent also where an earlier try has sent another one. */
const IS_MISSING = { existing: null };

const SALE_LEAVES_REPORTS =
	'Once the merged lead is closed or deleted, no report or export of won leads has that sale any more.';

async function readLeadWhole(
	lead: ServiceRecord,
	steps: MergeSteps,
	{ ifPermitted }: ComposeContext,
): Promise<WholeLead> {
	const path = { leadId: String(lead.id) };
	const shown = toRecord(lead.contact);
	const contactPath = { contactId: String(shown.id) };
	const read = async () => await steps.readContact({ path: contactPath }, { mayBeMissing: true });
	const whole = isNil(shown.id)
		? undefined
		: await ifPermitted({ ...NOT_FILLED, scopes: ['contacts:read'] }, read);
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

/**
 * Makes sure that two leads can be merged.
 *
 * @param mustBeSame whether it must be plain that they are of one person
 * @returns a remark, where it is unknown whether they are
 * @throws UserError if they must not be merged
 */
function requireMergeable(from: WholeLead, to: WholeLead, mustBeSame: boolean): string | undefined {
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
	if (match === 'unknown' && mustBeSame) {
		throw new UserError(unknown, {
			all: 'If it is, give both contacts the same name, email or phone with Contact > Update first.',
			panel: 'Or set "After Merging" to Close.',
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

async function addTagsTo(
	path: WholeLead['path'],
	tags: string[],
	steps: MergeSteps,
): Promise<void> {
	const add: MergeSteps['addTags'] = async (values) => await steps.addTags(values, IS_MISSING);
	await ensureTags({ path, body: { tags } }, { ...steps, addTags: add });
}

/**
 * Copies what the kept lead does not have yet.
 *
 * @returns the kept lead with its contact, and values that came back otherwise
 */
async function copyAll(
	from: WholeLead,
	to: WholeLead,
	plan: MergePlan,
	steps: MergeSteps,
	context: ComposeContext,
): Promise<{ kept: WholeLead; differences: unknown[] }> {
	const { path } = to;
	const added: Result[] = [];
	const addInteraction = async (body: ServiceRecord) =>
		added.push(await steps.createInteraction({ path, body }, IS_MISSING));
	// First, because Only Check shows the first write, and the note says what is copied and what is not.
	if (!hasNoteOfMerge(to.interactions, from.path.leadId)) await addInteraction(plan.note);
	if (!plan.tags.every((tag) => hasTag(to.lead, tag))) await addTagsTo(path, plan.tags, steps);
	for (const body of missingCopies(plan.interactions, to.interactions)) await addInteraction(body);
	const messages = missingCopies(plan.messages, to.messages);
	if (messages.length > 0) {
		const opened =
			to.openConversation ?? (await findOrCreateConversation({ path, body: {} }, steps, true));
		const conversationId = requireId(opened, 'conversation');
		for (const body of messages)
			added.push(await steps.createMessage({ path: { conversationId }, body }, IS_MISSING));
	}
	if (!isEmpty(plan.fields))
		added.push(await steps.update({ path, body: plan.fields }, IS_MISSING));
	const { contact, lead } = to;
	let kept = isBlank(contact.id) ? { ...to, contact: from.contact } : to;
	if (!isBlank(contact.id) && !isEmpty(plan.contact)) {
		const shown = { record: { ...lead, contact }, extra: {} };
		const filled = await fillLeadContact(shown, plan.contact, { steps, context, reads: true });
		added.push(filled);
		kept = { ...to, contact: toRecord(filled.record?.contact) };
	}
	return { kept, differences: map(added, 'extra.differences') };
}

async function merge(
	{ path, body, settings }: Values,
	steps: MergeSteps,
	context: ComposeContext,
): Promise<Result> {
	if (path.leadId === path.intoLeadId) {
		throw new UserError(
			'"Lead" and "Into Lead" are the same lead',
			'Choose two leads of one person by their IDs: once they are merged, an email, a phone or an external ID finds the kept one.',
		);
	}
	const deletes = settings.afterwards === 'delete';
	const kept = await steps.find([byLeadId(path.intoLeadId)], { required: true });
	const to = await readLeadWhole(toRecord(kept?.record), steps, context);
	// The note is written first, and the lead deleted last: by an earlier run, if there is one without the other.
	const isOptional = hasNoteOfMerge(to.interactions, path.leadId);
	const merged = await steps.find([byLeadId(path.leadId)], { required: !isOptional });
	if (!merged?.record) return { extra: {}, ...kept };
	const from = await readLeadWhole(merged.record, steps, context);
	const remark = requireMergeable(from, to, deletes || context.tool === true);
	const plan = planMerge(from, to, deletes, context.timezone);
	if (deletes && plan.lost.length > 0) {
		throw new UserError(
			`With the lead, the service would delete what cannot be copied. ${plan.lost.join(' ')}`,
			{ all: 'A lead that is closed keeps it.', panel: 'Set "After Merging" to Close.' },
		);
	}
	if (plan.saleLeft) context.hints.add(`${plan.saleLeft} ${SALE_LEAVES_REPORTS}`);

	const copied = await copyAll(from, to, plan, steps, context);
	if (!hasTag(from.lead, mergedTag(to))) await addTagsTo(from.path, [mergedTag(to)], steps);
	if (!deletes) await steps.close({ path: from.path, body }, IS_MISSING);
	// After the closing: from here on, the external ID leads to the kept lead.
	const moved = await moveExternalId(from, copied.kept, deletes, steps);
	if (deletes) await deleteLead({ ...from.lead, externalId: moved.externalId }, steps);

	const after = await steps.getLead({ path: to.path });
	const { id, externalId, contact } = from.lead;
	const differences = uniq(compact([remark, ...copied.differences])).join(' ');
	const extra = {
		merged: { id, externalId, name: toRecord(contact).name },
		copied: {
			tags: plan.tags.length,
			interactions: plan.interactions.length,
			messages: plan.messages.length,
		},
		notMoved: compact([...plan.notMoved, moved.remark]),
		...(differences && { differences }),
	};
	return { ...after, extra };
}

const mergeParameters: Parameter[] = [
	{ ...leadId, description: 'The lead that is merged, and then closed or deleted' },
	{
		...leadId,
		displayName: 'Into Lead',
		name: 'intoLeadId',
		description: 'The other lead of the same person, which is kept',
	},
	choice('After Merging', 'afterwards', 'close', {
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
		displayOptions: { show: { afterwards: ['close'] } },
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
