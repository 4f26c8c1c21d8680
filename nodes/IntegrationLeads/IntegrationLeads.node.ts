import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { describe } from './describe';
import { resourceMapping } from './pickers/columns';
import { listSearch } from './pickers/search';
import { resources } from './resources';
import { execute } from './run/execute';

export class IntegrationLeads implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Integration Leads',
		name: 'integrationLeads',
		icon: {
			light: 'file:../../icons/integrationLeads.svg',
			dark: 'file:../../icons/integrationLeads.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Work with leads, contacts and conversations of your lead-management service',
		defaults: {
			name: 'Integration Leads',
		},
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'integrationLeadsApi',
				required: true,
			},
		],
		properties: describe(resources),
	};

	methods = { listSearch, resourceMapping };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, resources);
	}
}
