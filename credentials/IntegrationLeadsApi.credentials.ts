import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { tidyApiKey, tidyBaseUrl } from '../nodes/IntegrationLeads/transport/baseUrl';

/** Statuses for which n8n reads `responseCode` rules; all others are told apart by their body. */
const TOLD_BY_STATUS = {
	401: 'The API key was not accepted. Paste a key that is valid at this base URL; test and production keys are different keys.',
	404: 'This host answers, but not as the leads service. Check the base URL.',
	429: 'The rate limit of this API key is used up. The key works; try again in a minute.',
	500: 'The leads service is not available right now (HTTP 500). Try again later.',
	502: 'The leads service is not available right now (HTTP 502). Try again later.',
	503: 'The leads service is not available right now (HTTP 503). Try again later.',
	504: 'The leads service is not available right now (HTTP 504). Try again later.',
};

const NOT_THE_SERVICE = 'The answer did not come from the leads service. Check the base URL.';

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
	];

	/** Bearer header of spec part 5. Also tidies the base URL where n8n, not the node, builds the address. */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => ({
		...requestOptions,
		...(requestOptions.baseURL !== undefined && { baseURL: tidyBaseUrl(requestOptions.baseURL) }),
		headers: {
			...requestOptions.headers,
			Authorization: `Bearer ${tidyApiKey(credentials.apiKey)}`,
		},
	});

	/**
	 * One lead is asked for. A key without `leads:read` answers 403 FORBIDDEN, which no rule matches: the key is
	 * fine, and counts as connected.
	 */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl }}',
			url: '/api/v1/integration/leads',
			qs: { limit: 1 },
			json: true,
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
			ignoreHttpStatusErrors: { ignore: true, except: Object.keys(TOLD_BY_STATUS).map(Number) },
			timeout: 15_000,
		},
		// n8n reads rules of both kinds in one list; only their type says otherwise.
		rules: [
			...Object.entries(TOLD_BY_STATUS).map(([status, message]) => ({
				type: 'responseCode' as const,
				properties: { value: Number(status), message },
			})),
			{
				type: 'responseSuccessBody' as const,
				properties: { key: 'error.code', value: 'UNAUTHORIZED', message: TOLD_BY_STATUS[401] },
			},
			{
				type: 'responseSuccessBody' as const,
				properties: {
					key: 'error.code',
					value: 'API_KEY_REVOKED',
					message:
						'This API key has been revoked. Create a new key in the leads service and paste it here.',
				},
			},
			{
				type: 'responseSuccessBody' as const,
				properties: { key: 'success', value: undefined, message: NOT_THE_SERVICE },
			},
		] as ICredentialTestRequest['rules'],
	};
}
