import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { toNodeProperties, MAIN } from './describe';
import { listSearch, loadOptions, resourceMapping } from './pickers/search';
import { resources } from './resources';
import { execute } from './execute';
import { testCredential } from './transport/testCredential';

const OPERATIONS = Object.entries(resources).flatMap(([resource, { name, operations }]) =>
	Object.entries(operations).map(([key, operation]) => [
		`${resource}.${key}`,
		`${name} > ${operation.name}`,
	]),
);

/** Names the operation as the panel does: n8n names a node by its operation, but people rename it. */
const OPERATION_IN_WORDS = `={{ ${JSON.stringify(Object.fromEntries(OPERATIONS))}[$parameter["resource"] + "." + $parameter["operation"]] ?? "" }}`;

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
		subtitle: OPERATION_IN_WORDS,
		description: 'Work with leads, contacts and conversations of your lead-management service',
		defaults: {
			name: 'Integration Leads',
		},
		usableAsTool: true,
		builderHint: {
			searchHint:
				'To create or update single leads, use Lead: Create or Update; it finds existing leads, so no lookup is needed before it. For many leads use Sync: Push Leads, which sends all input items in a few requests; do not loop over Create or Update. To export sales to advertising platforms use Lead: Get Conversions.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-integration-leads.integrationLeadsTrigger',
					relationHint: 'Starts a workflow when a lead is created or its status changes',
				},
			],
		},
		inputs: [MAIN],
		outputs: [MAIN],
		credentials: [
			{
				name: 'integrationLeadsApi',
				required: true,
				testedBy: 'testCredential',
			},
		],
		properties: toNodeProperties(resources),
	};

	methods = {
		credentialTest: { testCredential },
		listSearch,
		loadOptions,
		resourceMapping,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, resources);
	}
}
