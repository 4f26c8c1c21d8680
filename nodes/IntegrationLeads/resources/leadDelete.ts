/** Carries out *Lead > Delete*. The service deletes a lead only by its external ID (spec 4.6), so one without gets one first. */
import { isNil, omitBy } from 'lodash';

import { leadLabel } from '../contract/shown';
import { leadId } from '../fields/leadFields';
import { options } from '../fields/options';
import { compose, type StepFunctions } from '../operation';
import { isRefused, UserError } from '../userError';
import { isBlank } from '../values/convert';
import { toRecord, type ServiceRecord } from '../values/json';
import { byLeadId, findLead, getLead, updateLead } from './leadRequests';
import { deleteSynced } from './sync';

export const deleteSteps = {
	giveId: updateLead,
	deleteById: deleteSynced,
	readAgain: getLead,
};

const NO_ID =
	'The service deletes a lead by its external ID. This one has none, and the service did not take one for it';

/**
 * Deletes a lead, and makes sure that it is gone.
 *
 * @param lead as it was just read
 * @throws UserError if it is still there
 */
export async function deleteLead(
	{ id, externalId: shown, contact, status }: ServiceRecord,
	{ giveId, deleteById, readAgain }: StepFunctions<typeof deleteSteps>,
): Promise<void> {
	const path = { leadId: String(id) };
	const externalId = isBlank(shown) ? `delete-${path.leadId}` : String(shown);
	if (isBlank(shown)) {
		const written = await giveId({ path, body: { externalId } }).catch((reason: unknown) => {
			if (!isRefused(reason)) throw reason;
			throw new UserError(`${NO_ID}: ${reason.message}`, 'Delete it in the leads service.');
		});
		const { externalId: held = externalId } = written.record ?? {};
		if (held !== externalId) throw new UserError(NO_ID, 'Delete it in the leads service.');
	}
	await deleteById({ path: { externalId } });
	const { record } = await readAgain({ path }, { mayBeMissing: true });
	if (!record) return;
	throw new UserError(
		`The service accepted the deletion, and still has the lead: ${leadLabel({ externalId, contact, status })}`,
		'Look at the lead in the leads service. Running the item again does no harm.',
	);
}

export const deleteLeadOperation = compose({
	name: 'Delete',
	action: 'Delete lead',
	description: 'Delete a lead, also one without an external ID, and output whose it was',
	when: 'Use it only when told to delete this very lead, with its exact ID. Never guess the ID.',
	scope: { assumed: 'sync' },
	otherScopes: {
		'find the lead, and make sure that it is gone': ['leads:read'],
		'give it an external ID if it has none': ['leads:write'],
	},
	parameters: [leadId, options()],
	output: { kind: 'deleted' },
	steps: { find: findLead, ...deleteSteps },
	run: async ({ path }, { find, ...steps }, { attempt }) => {
		// An earlier try of this execution may have deleted it.
		const mayBeGone = attempt.firstSentAt !== undefined;
		const found = await find([byLeadId(path.leadId)], { required: !mayBeGone });
		const { record: lead } = found ?? {};
		if (lead) await deleteLead(lead, steps);
		const { id = path.leadId, externalId, contact } = lead ?? {};
		const { name } = toRecord(contact);
		return { extra: omitBy({ name, externalId, id }, isNil) };
	},
});
