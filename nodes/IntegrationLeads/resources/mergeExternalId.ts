/** Moves the external ID of a lead that is merged, as far as the service lets it: two leads cannot have the same one. */
import { contactHas } from '../contract/contactMatch';
import { CHAT_ID_PREFIX } from '../contract/samePerson';
import type { Result, StepFunctions } from '../operation';
import { isRefused } from '../userError';
import { isBlank } from '../values/convert';
import type { ServiceRecord } from '../values/json';
import { updateLead } from './leadRequests';

export const idSteps = { freeId: updateLead, moveId: updateLead, restoreId: updateLead };

/** The external ID of a merged lead that gave up its own begins with it. */
const FREED = 'merged-';

interface Side {
	lead: ServiceRecord;
	path: { leadId: string };
	contact: ServiceRecord;
}

/**
 * Moves an external ID to a lead that has none. One of WhatsApp is given up also where the kept lead has another: the phone finds
 * that lead, so that the person's next message does not go to the merged one.
 *
 * @returns the external ID that the merged lead has then, and a remark if its own was not moved
 */
export async function moveExternalId(
	from: Side,
	to: Side,
	deletes: boolean,
	steps: StepFunctions<typeof idSteps>,
): Promise<{ externalId: ServiceRecord[string]; remark?: string }> {
	const { externalId: shown } = from.lead;
	if (isBlank(shown)) return { externalId: shown };
	const isFreed = String(shown).startsWith(FREED);
	const original = String(shown).slice(isFreed ? FREED.length : 0);
	const freed = FREED + original;
	const kept = to.lead.externalId;
	if (kept === original) return { externalId: shown };
	const isFree = kept !== undefined && isBlank(kept);
	const { phone } = from.contact;
	const isFoundByPhone =
		original.startsWith(CHAT_ID_PREFIX) &&
		!isBlank(phone) &&
		contactHas(to.contact, 'phone', String(phone)) === true;
	const later = deletes
		? `what comes with "${original}" later makes a new lead, unless its email or phone is searched`
		: `what comes with "${original}" still goes to the merged lead`;
	const remark = `The external ID "${original}" was not moved: ${later}.`;
	if (!isFree && (deletes || !isFoundByPhone)) return { externalId: shown, remark };
	const set = async (step: (typeof steps)['moveId'], { path }: Side, externalId: string) => {
		const written = step({ path, body: { externalId } }, { found: null });
		return await written.then((result) => holds(result, externalId), isRefusal);
	};
	if (!isFreed && !(await set(steps.freeId, from, freed))) return { externalId: shown, remark };
	if (!isFree) {
		return {
			externalId: freed,
			remark: `The external ID "${original}" was taken off the merged lead, and this lead keeps "${String(kept)}": the phone finds it.`,
		};
	}
	if (await set(steps.moveId, to, original)) return { externalId: freed };
	await set(steps.restoreId, from, original);
	return { externalId: original, remark };
}

/** Whether a lead came back with the external ID. An answer that does not show it is believed. */
const holds = ({ record }: Result, externalId: string) =>
	(record?.externalId ?? externalId) === externalId;

function isRefusal(reason: unknown): false {
	if (!isRefused(reason)) throw reason;
	return false;
}
