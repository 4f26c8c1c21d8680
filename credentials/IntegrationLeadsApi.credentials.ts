import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { tidyApiKey } from '../nodes/IntegrationLeads/transport/baseUrl';

export class IntegrationLeadsApi implements ICredentialType {
	name = 'integrationLeadsApi';

	displayName = 'Integration Leads API';

	documentationUrl =
		'https://github.com/n8n-nodes-integration-leads/n8n-nodes-integration-leads#credentials';

	icon: Icon = {
		light: 'file:../icons/integrationLeads.svg',
		dark: 'file:../icons/integrationLeads.dark.svg',
	};

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://leads.example.com',
			description: 'Address of your leads service. The part /api/v1/integration is added for you.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'Key from the settings of the leads service. Use separate keys for testing and production.',
		},
		{
			displayName: 'Default Country Code',
			name: 'defaultCountryCode',
			type: 'string',
			default: '',
			placeholder: 'e.g. 55 for Brazil',
			description:
				'The country that your data is from: dates and numbers are read as it writes them. Phones without a country code get it; those of other countries need a +.',
		},
	];

	/** Adds the header of spec part 5. The nodes test the credential, see transport/testCredential.ts. */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => ({
		...requestOptions,
		headers: {
			...requestOptions.headers,
			Authorization: `Bearer ${tidyApiKey(credentials.apiKey)}`,
		},
	});
}
