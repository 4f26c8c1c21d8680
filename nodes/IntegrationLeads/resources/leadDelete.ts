/** Carries out *Lead > Delete*. The service deletes a lead only by its external ID (spec 4.6), so one without gets one first. */
import { omitBy, isNil } from 'lodash';

import { byLeadId } from '../contract/leadKey';
import { leadLabel } from '../contract/shown';
import { leadId } from '../fields/leadFields';
import { options } from '../fields/options';
import { compose, type StepFunctions } from '../operation';
import { isRefused, UserError } from '../userError';
import { isBlank } from '../values/convert';
import { toRecord, type ServiceRecord } from '../values/json';
import { findLead, getLead, updateLead } from './leadRequests';
import { deleteSynced } from './sync';

export const deleteSteps = {
	update: updateLead,
	deleteByExternalId: deleteSynced,
	getLead,
};

const NO_EXTERNAL_ID =
	'The service deletes a lead by its external ID. This one has none, and the service did not take one for it';

/**
 * Deletes a lead, and makes sure that it is gone.
 *
 * @param lead as it was just read
 * @throws UserError if it is still there
 */
export async function deleteLead(
	lead: ServiceRecord,
	steps: StepFunctions<typeof deleteSteps>,
): Promise<void> {
	const path = { leadId: String(lead.id) };
	const externalId = isBlank(lead.externalId) ? `delete-${path.leadId}` : String(lead.externalId);
	if (isBlank(lead.externalId)) {
		const body = { externalId };
		// As its ID is missing now, it is sent also where an earlier try has sent another update.
		const written = steps.update({ path, body }, { existing: null });
		const { record } = await written.catch((reason: unknown) => {
			if (!isRefused(reason)) throw reason;
			const message = `${NO_EXTERNAL_ID}: ${reason.message}`;
			throw new UserError(message, 'Delete it in the leads service.');
		});
		if ((record?.externalId ?? externalId) !== externalId)
			throw new UserError(NO_EXTERNAL_ID, 'Delete it in the leads service.');
	}
	await steps.deleteByExternalId({ path: { externalId } });
	const { record } = await steps.getLead({ path }, { mayBeMissing: true });
	if (!record) return;
	throw new UserError(
		`The service accepted the deletion, and still has the lead: ${leadLabel({ ...lead, externalId })}`,
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
	// Its first request may be the one that gives it an external ID.
	would: 'delete',
	steps: { find: findLead, ...deleteSteps },
	run: async ({ path }, { find, ...steps }, { mayHaveArrived }) => {
		// An earlier try of this execution may have deleted it.
		const found = await find([byLeadId(path.leadId)], { required: !mayHaveArrived });
		const { record: lead } = found ?? {};
		if (lead) await deleteLead(lead, steps);
		const { id = path.leadId, externalId, contact } = lead ?? {};
		const { name } = toRecord(contact);
		return { extra: omitBy({ name, externalId, id }, isNil) };
	},
});
