/** What n8n's resource mapper offers to map. */
import type { ResourceMapperFields } from 'n8n-workflow';

import { leadColumns } from '../fields/sync';

export const resourceMapping = {
	/** The fields of a lead that Sync takes. They are known without asking the service. */
	async getLeadColumns(): Promise<ResourceMapperFields> {
		return { fields: leadColumns };
	},
};
