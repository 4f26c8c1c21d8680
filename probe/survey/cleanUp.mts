import { isSuccess } from '../reply.mts';
import type { Made, Survey } from './survey.mts';

/**
 * Deletes the leads that were created, and makes sure of each. Never throws: what cannot be deleted, or
 * may not have been, is left.
 *
 * @returns what is left; no other kind of record can be deleted (spec 4.6)
 */
export async function cleanUp(survey: Survey): Promise<readonly Made[]> {
	survey.signal = undefined;
	for (const entry of survey.made) {
		// Without an answer the other leads are tried all the same.
		const isGone = entry.externalId && (await deleted(survey, entry.externalId).catch(() => false));
		if (isGone) survey.forget(entry);
	}
	return survey.made;
}

async function deleted(survey: Survey, externalId: string): Promise<boolean> {
	const reply = await survey.ask('deleteSynced', {
		as: `delete ${externalId}`,
		path: { externalId },
	});
	const path = { leadId: externalId };
	const after = await survey.ask('getLead', { as: `deleted ${externalId}`, path, provokes: true });
	// A key that may not read leads has to believe the answer to the DELETE.
	return after?.status === 404 || (after?.status === 403 && !!reply && isSuccess(reply));
}
