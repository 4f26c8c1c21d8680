/** With whom conversations are. */
import { compact, uniq } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import { readOne } from '../transport/read';
import { inParallel } from '../transport/paginate';
import { encodeSegment } from '../transport/path';
import type { Client } from '../transport/send';

/**
 * A function that adds the field `contact` to conversations that hold only the ID of a contact or a lead, as far as the key
 * may read it. Each contact or lead is read once.
 */
export function peopleReader(client: Client) {
	/** By the path of the contact or lead. */
	const known = new Map<string, ServiceRecord | undefined>();

	const read = async (path: string): Promise<boolean> => {
		if (known.has(path)) return true;
		const singular = path.startsWith('/leads') ? 'lead' : 'contact';
		try {
			const about = { action: 'Read names', targets: [] };
			const { record } = await readOne(client, path, singular, about);
			known.set(path, singular === 'lead' ? record && contactOf(record) : record);
			return true;
		} catch {
			// The key lacks the scope, or the service is not available: the list is shown without names.
			return false;
		}
	};

	return async (records: ServiceRecord[]): Promise<ServiceRecord[]> => {
		const paths = records.map(pathOf);
		await inParallel(uniq(compact(paths)), read);
		return records.map((record, index) => ({
			...record,
			contact: known.get(paths[index] ?? '') ?? contactOf(record),
		}));
	};
}

/** Undefined if the record shows the person, or neither a contact nor a lead. */
function pathOf(record: ServiceRecord): string | undefined {
	if (contactOf(record)) return undefined;
	const { contactId, leadId } = record;
	if (contactId) return `/contacts/${encodeSegment(String(contactId), 'ID', true)}`;
	return leadId ? `/leads/${encodeSegment(String(leadId), 'ID', true)}` : undefined;
}

function contactOf({ contact, lead }: ServiceRecord): ServiceRecord | undefined {
	const found = contact ?? (isRecord(lead) ? lead.contact : undefined);
	return isRecord(found) ? found : undefined;
}
