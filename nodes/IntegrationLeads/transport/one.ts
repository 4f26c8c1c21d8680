/** Reads one record. */
import type { ServiceRecord } from '../contract/envelope';
import { readRecord } from '../contract/envelope';
import type { About, Client } from './send';

/**
 * @param path below the prefix
 * @param singular the name under which the service may return the record
 * @returns without `record` where it does not exist (404), or where the answer holds none
 * @throws NodeApiError in words for the user, on any other refusal
 */
export async function readOne(
	client: Client,
	path: string,
	singular: string,
	about: About,
): Promise<{ record?: ServiceRecord; status: number }> {
	const { data, status } = await client.send(
		{ method: 'GET', path, query: {}, repeatable: true, mayBeMissing: true },
		about,
	);
	return { record: readRecord(data, singular), status };
}
