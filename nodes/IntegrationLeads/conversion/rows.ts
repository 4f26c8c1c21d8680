import type { IDataObject } from 'n8n-workflow';

import type { Sale } from './sale';
import { CURRENCY } from './sale';

/** A sale as a flat row, readable by people and spreadsheets; nothing in it is hashed. */
export function toRow({ leadId, at, value, contact, lead }: Sale): IDataObject {
	return {
		leadId,
		externalId: lead.externalId ?? null,
		status: lead.status ?? null,
		saleDate: at.toISO(),
		estimatedValue: value,
		currency: CURRENCY,
		contactId: contact.id ?? null,
		name: contact.name ?? null,
		email: contact.email ?? null,
		phone: contact.phone ?? null,
	} as IDataObject;
}
