import type { IDataObject } from 'n8n-workflow';

import type { Sale } from './sale';
import { CURRENCY } from './sale';

/** A flat row for people and spreadsheets. Nothing is hashed. */
export function toRow({ leadId, soldAt, value, contact, lead }: Sale): IDataObject {
	return {
		leadId,
		externalId: lead.externalId ?? null,
		status: lead.status ?? null,
		saleDate: soldAt.toISO(),
		estimatedValue: value,
		currency: CURRENCY,
		contactId: contact.id ?? null,
		name: contact.name ?? null,
		email: contact.email ?? null,
		phone: contact.phone ?? null,
	} as IDataObject;
}
