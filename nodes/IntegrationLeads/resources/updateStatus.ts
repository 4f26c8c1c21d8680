/**
 * Lead > Update Status. The list of statuses is open (spec 2), and a status that a model guesses would move the lead: an agent
 * sends one that is documented or that leads have, or reads which there are.
 */
import { compact, omit, uniq } from 'lodash';

import { parseList } from '../contract/envelope';
import { documentedValues, lead } from '../contract/leadRecord';
import { options } from '../fields/options';
import { leadId, status } from '../fields/leadFields';
import type { ComposedOperation, Parameter, RequestOperation, StepFunctions } from '../operation';
import { compose } from '../operation';
import { UserError } from '../userError';
import { isSameWord } from '../values/sameWord';

/** The status as the only field of an operation. */
const newStatus: Parameter = {
	...status,
	displayName: 'New Status',
	required: true,
	// Nothing is preselected: a status that nobody chose would be written unseen.
	default: '',
};

const send = {
	name: 'Update Status',
	action: 'Update lead status',
	description: 'Change the status of a lead',
	when: 'Use it when the ID of the lead is known and only its status changes.',
	scope: 'leads:write',
	route: 'PATCH /leads/{leadId}/status',
	repeatable: true,
	parameters: [leadId, newStatus, options()],
	output: { kind: 'one', record: lead },
} satisfies RequestOperation;

/** One page, as it comes. */
const readLeads = {
	...send,
	scope: 'leads:read',
	route: 'GET /leads',
	output: { kind: 'anything' },
} satisfies RequestOperation;

export const statusSteps = { send, readLeads };

export const updateStatus: ComposedOperation = {
	...omit(send, 'route', 'repeatable'),
	compose: compose({
		steps: statusSteps,
		run: async ({ path, body }, { send: sendStatus, readLeads: read }, { isTool }) => {
			const known = isTool ? await knownStatus(String(body.status), read) : body.status;
			return await sendStatus({ path, body: { status: known } });
		},
	}),
};

/** A status as the account spells it. Throws UserError with all that are known if no lead has it. */
async function knownStatus(
	given: string,
	read: StepFunctions<typeof statusSteps>['readLeads'],
): Promise<string> {
	const { status: documented } = documentedValues;
	if (documented.includes(given)) return given;
	const statusesOf = async (query: { status?: string; limit: number }) => {
		const list = parseList((await read({ query })).data, 'leads', {});
		return compact(list?.records.map((each) => each.status)).map(String);
	};
	const isGiven = (each: string) => isSameWord(each, given);
	const own = (await statusesOf({ status: given, limit: 1 })).find(isGiven);
	if (own !== undefined) return own;
	const seen = uniq([...documented, ...(await statusesOf({ limit: 100 }))]);
	const spelled = seen.find(isGiven);
	if (spelled !== undefined) return spelled;
	throw new UserError(
		`No lead has the status "${given}"`,
		`Choose one of those that leads have: ${seen.join(', ')}.`,
	);
}
