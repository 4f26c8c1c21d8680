/** Moves the external ID of a lead that is merged, as far as the service lets it: two leads cannot have the same one. */
import { CHAT_ID_PREFIX, contactHas } from '../contract/samePerson';
import type { StepFunctions } from '../operation';
import { isRefused } from '../userError';
import { isBlank } from '../values/convert';
import type { ServiceRecord } from '../values/json';
import type { updateLead } from './leadRequests';
import { staysWithMerged } from './mergeParts';

interface Side {
	lead: ServiceRecord;
	path: { leadId: string };
	contact: ServiceRecord;
}

/**
 * Moves an external ID to a lead that has none. One of WhatsApp is given up also where the kept lead has another: the phone finds
 * that lead, so that the person's next message does not go to the merged one.
 *
 * @returns the external ID that the merged lead has then, and a remark if it was not moved
 */
export async function moveExternalId(
	from: Side,
	to: Side,
	deletes: boolean,
	{ update }: StepFunctions<{ update: typeof updateLead }>,
): Promise<{ externalId: ServiceRecord[string]; remark?: string }> {
	const { externalId: shown } = from.lead;
	if (isBlank(shown)) return { externalId: shown };
	// An earlier try may have freed the ID. The ID of the lead in it makes that unmistakable.
	const prefix = `merged-${from.path.leadId}-`;
	const isFreed = String(shown).startsWith(prefix);
	const original = String(shown).slice(isFreed ? prefix.length : 0);
	const freed = prefix + original;
	const { externalId: kept } = to.lead;
	const isMoved = kept === original;
	const isFree = kept !== undefined && isBlank(kept);
	const stays = { externalId: shown, remark: staysWithMerged('external ID', original, deletes) };
	if (!isMoved && !isFree && (deletes || !isFoundByPhone(original, from, to))) return stays;
	/** Whether the service has taken the ID. An answer that does not show it is believed. */
	const set = async ({ path }: Side, externalId: string) => {
		const written = update({ path, body: { externalId } }, { existing: null });
		return await written.then(
			({ record }) => (record?.externalId ?? externalId) === externalId,
			isRefusal,
		);
	};
	if (!isFreed && !(await set(from, freed))) return stays;
	if (isMoved) return { externalId: freed };
	if (!isFree) {
		return {
			externalId: freed,
			remark: `The external ID "${original}" was taken off the merged lead, and this lead keeps "${String(kept)}": the phone finds it.`,
		};
	}
	if (await set(to, original)) return { externalId: freed };
	await set(from, original);
	return { ...stays, externalId: original };
}

/** Whether the messages that come with an external ID of WhatsApp find the kept lead by their phone. */
function isFoundByPhone(externalId: string, { contact: { phone } }: Side, to: Side): boolean {
	return (
		externalId.startsWith(CHAT_ID_PREFIX) &&
		!isBlank(phone) &&
		contactHas(to.contact, 'phone', String(phone)) === true
	);
}

function isRefusal(reason: unknown): false {
	if (!isRefused(reason)) throw reason;
	return false;
}
