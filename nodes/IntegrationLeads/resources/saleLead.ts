/** Finds the lead of a sale. */
import { compact } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { addressesIn } from '../fields/check';
import type { RunContext } from '../operation';
import { byExternalId } from './leadRequests';

export const leadOfSale = (
	{ leadId, externalId: externalIdOfLead, contact }: IDataObject,
	context: Pick<RunContext, 'countryCode'>,
) =>
	compact([
		leadId && { label: 'Lead ID', by: 'id' as const, value: String(leadId) },
		externalIdOfLead && byExternalId(externalIdOfLead),
		...addressesIn(contact, context),
	]);
