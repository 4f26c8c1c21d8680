import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';

import { describeParameters, MAIN } from './describe';
import { triggerParameters } from './panels/trigger';
import { listSearch, loadOptions } from './pickers/search';
import { testCredential } from './transport/testCredential';
import { pollLeads } from './trigger/run';

const SHORT_NAMES = [
	['lead.created', 'new leads'],
	['lead.statusChanged', 'status changes'],
	['lead.tagged', 'tags'],
];

/** Names the chosen events. An expression may give them as text. */
const EVENTS_IN_WORDS = `={{ [${SHORT_NAMES.map(([event, name]) => `["${event}", "${name}"]`).join(', ')}]
	.filter(([event]) => $parameter["triggerOn"].includes(event)).map(([, name]) => name).join(", ") }}`;

export class IntegrationLeadsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Integration Leads Trigger',
		name: 'integrationLeadsTrigger',
		icon: {
			light: 'file:../../icons/integrationLeads.svg',
			dark: 'file:../../icons/integrationLeads.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: EVENTS_IN_WORDS,
		description: 'Starts a workflow when a lead is created, changes its status or gets a tag',
		// n8n shows both as they are: they cannot name what was chosen, so they have to be true of every choice.
		eventTriggerDescription: 'Waiting for the events chosen in "Trigger On"',
		activationMessage:
			'From now on, the events chosen in "Trigger On" start this workflow. Existing leads do not, unless an option says so.',
		defaults: {
			name: 'Integration Leads Trigger',
		},
		polling: true,
		builderHint: {
			searchHint:
				'Each item is one event, with name, email, phone, status, leadId and externalId; other fields are inside its field lead. After a restart of n8n the last events come again, with the same eventId and redelivered true: remove repeats by eventId where they do harm. Events come with the next poll, not at once.',
		},
		inputs: [],
		outputs: [MAIN],
		credentials: [
			{
				name: 'integrationLeadsApi',
				required: true,
				testedBy: 'testCredential',
			},
		],
		properties: describeParameters(triggerParameters),
	};

	methods = { credentialTest: { testCredential }, listSearch, loadOptions };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollLeads(this);
	}
}
