import { isSuccess } from '../reply.mts';
import type { Made } from './ledger.mts';
import type { Survey } from './survey.mts';

/**
 * Deletes the leads that were created, and makes sure of each. Never throws: what cannot be deleted, or
 * may not have been, is left.
 *
 * @returns what is left; no other kind of record can be deleted (spec 4.6)
 */
export async function cleanUp(survey: Survey): Promise<readonly Made[]> {
	survey.ignoreCancel();
	const { ledger } = survey;
	for (const entry of ledger.made) {
		if (entry.externalId && (await deleted(survey, entry.externalId))) ledger.forget(entry);
	}
	return ledger.made;
}

async function deleted(survey: Survey, externalId: string): Promise<boolean> {
	try {
		const path = { externalId };
		const reply = await survey.ask('deleteSynced', { as: `delete ${externalId}`, path });
		const read = {
			as: `deleted ${externalId}`,
			path: { leadId: externalId },
			provokes: true,
		} as const;
		const after = await survey.ask('getLead', read);
		if (!reply || !after) return false;
		// A key that may not read leads has to believe the answer to the DELETE.
		return after.status === 404 || (after.status === 403 && isSuccess(reply));
	} catch {
		// No answer came. The other leads are tried all the same.
		return false;
	}
}
