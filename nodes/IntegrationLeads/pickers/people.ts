/** With whom conversations are. */
import { compact, uniqBy } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import { readOne } from '../transport/read';
import { inParallel } from '../transport/paginate';
import { encodeSegment } from '../transport/path';
import type { Client } from '../transport/send';

interface Reference {
	field: 'contactId' | 'leadId';
	id: string;
}

/**
 * A function that adds the field `contact` to conversations that hold only the ID of a contact or a lead, as far as the key
 * may read it. Each contact or lead is read once.
 */
export function peopleReader(client: Client) {
	const known = new Map<string, ServiceRecord | undefined>();

	const read = async ({ field, id }: Reference): Promise<boolean> => {
		if (known.has(id)) return true;
		const singular = field === 'leadId' ? 'lead' : 'contact';
		const path = `/${singular}s/${encodeSegment(id, 'ID', true)}`;
		try {
			const about = { action: 'Read names', targets: [] };
			const { record } = await readOne(client, path, singular, about);
			known.set(id, singular === 'lead' ? record && contactOf(record) : record);
			return true;
		} catch {
			// The key lacks the scope, or the service is not available: the list is shown without names.
			return false;
		}
	};

	return async (records: ServiceRecord[]): Promise<ServiceRecord[]> => {
		const references = records.map(referenceOf);
		await inParallel(uniqBy(compact(references), 'id'), read);
		return records.map((record, index) => ({
			...record,
			contact: known.get(references[index]?.id ?? '') ?? contactOf(record),
		}));
	};
}

/** Undefined if the record shows the person. */
function referenceOf(record: ServiceRecord): Reference | undefined {
	if (contactOf(record)) return undefined;
	const { contactId, leadId } = record;
	if (contactId) return { field: 'contactId', id: String(contactId) };
	return leadId ? { field: 'leadId', id: String(leadId) } : undefined;
}

function contactOf({ contact, lead }: ServiceRecord): ServiceRecord | undefined {
	const found = contact ?? (isRecord(lead) ? lead.contact : undefined);
	return isRecord(found) ? found : undefined;
}
