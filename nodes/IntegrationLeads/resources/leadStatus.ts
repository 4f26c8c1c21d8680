import { compact, isNil, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { translatedFrom } from '../columns/documented';
import { parseList } from '../contract/envelope';
import { documentedValues, movedLead } from '../contract/records';
import { options } from '../fields/options';
import { leadId, MANY_LEADS, status } from '../fields/leadFields';
import type { ComposeContext, Operation, RequestDeclaration, StepFunctions } from '../operation';
import { compose } from '../operation';
import { unlessForbidden, UserError } from '../userError';
import { isSameWord } from '../values/words';
import { ownerSteps, personOfLead, refuseAgent, refuseOtherOwner } from './compareLead';
import { getLeads } from './leadRequests';

export const sendStatus = {
	name: 'Update Status',
	action: 'Update lead status',
	description: 'Change the status of a lead',
	when: 'Use it when the ID of the lead is known and only its status changes. Give the name or email of the person as well.',
	scope: 'leads:write',
	route: 'PATCH /leads/{leadId}/status',
	repeatable: true,
	parameters: [
		leadId,
		{
			...status,
			displayName: 'New Status',
			hint: MANY_LEADS,
			required: true,
			// Nothing is preselected: a status that nobody chose would be written unseen.
			default: '',
		},
		personOfLead,
		options(),
	],
	output: { kind: 'one', record: movedLead },
} satisfies RequestDeclaration;

/** Reads one page of leads, unchanged. */
export const readLeads = { ...getLeads, output: { kind: 'raw' } } satisfies RequestDeclaration;

/** Makes an operation that writes a status check it first; see {@link withKnownStatus}. */
export function withStatus(send: RequestDeclaration): Operation {
	return compose({
		...send,
		otherScopes: {
			'check a status in words, whose an email or a phone is, and what an agent gives': [
				'leads:read',
				'contacts:read',
			],
		},
		steps: { send, readLeads, ...ownerSteps },
		run: async ({ path, body, settings }, steps, context) => {
			await refuseAgent({ path, body, settings }, steps, context);
			await refuseOtherOwner({ path, body }, steps, context);
			const sent = await steps.send({ path, body: await withKnownStatus(body, steps, context) });
			const { status: previousStatus } = context.attempt.found ?? {};
			const isKnown = !isNil(body.status) && !isNil(previousStatus);
			return { ...sent, extra: { ...sent.extra, ...(isKnown && { previousStatus }) } };
		},
	});
}

/** Whether leads of the account have a status. True where the key may not read leads: it is sent as it was given. */
async function isOfAccount(
	status: string,
	read: (query: IDataObject) => Promise<string[]>,
): Promise<boolean> {
	const equal = (await unlessForbidden(read({ status, limit: 1 }))) ?? [status];
	return equal.some((known) => isSameWord(known, status));
}

/**
 * Spells the status in a body as the account does. A Portuguese or Spanish word for a known status, such as `perdido`, is that
 * status unless leads of the account have it: sent as it is, it would be a new one. An English word may be a status of the
 * service. The list of statuses is open (spec 2), so the service might accept one that a model made up: an agent may only send a
 * status that is documented or that a lead has.
 *
 * @throws UserError naming all known statuses
 */
export async function withKnownStatus(
	body: IDataObject,
	{ readLeads: read }: StepFunctions<{ readLeads: typeof readLeads }>,
	{ tool }: Pick<ComposeContext, 'tool'>,
): Promise<IDataObject> {
	const { status: documented } = documentedValues;
	const status = String(body.status);
	if (isNil(body.status) || documented.includes(status)) return body;
	const statusesOf = async (query: IDataObject) => {
		const list = parseList((await read({ query })).data, 'leads', {});
		return compact(list?.records.map((lead) => lead.status)).map(String);
	};
	if (!tool) {
		const meant = translatedFrom('status', status);
		if (meant === undefined || (await isOfAccount(status, statusesOf))) return body;
		return { ...body, status: meant };
	}
	const equal = await statusesOf({ status: status, limit: 1 });
	const seen = uniq([...documented, ...equal, ...(await statusesOf({ limit: 100 }))]);
	const spelled = seen.find((known) => isSameWord(known, status));
	if (spelled !== undefined) return { ...body, status: spelled };
	throw new UserError(
		`No lead has the status "${status}"`,
		`Choose one of those that leads have: ${seen.join(', ')}.`,
	);
}
