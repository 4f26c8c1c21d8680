import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { tidyApiKey, tidyBaseUrl } from '../nodes/IntegrationLeads/transport/baseUrl';

const RATE_LIMITED =
	'The rate limit of this API key is used up. The key works; try again in a minute.';

const NOT_AVAILABLE = [500, 502, 503, 504].map((status) => [
	status,
	`The leads service is not available right now (HTTP ${status}). Try again later.`,
]);

/** Statuses for which n8n reads `responseCode` rules; the others are distinguished by their body. */
const MESSAGES: Record<number, string> = {
	401: 'The API key was not accepted. Paste a key that is valid at this base URL; test and production keys are different keys.',
	404: 'This host answers, but not as the leads service. Check the base URL.',
	429: RATE_LIMITED,
	...Object.fromEntries(NOT_AVAILABLE),
};

/**
 * Before 2.11 n8n ignores the exceptions of `ignoreHttpStatusErrors`, so an answer of any status is judged by its body. A
 * rule can only compare for equality: every code but FORBIDDEN is told by its first letter.
 */
const OTHER_CODES = [...'ABCDEGHIJKLMNOPQRSTUVWXYZ'].map((letter) => ({
	key: 'error.code[0]',
	value: letter,
	message:
		'The leads service did not accept the test, or is not available right now. Check the base URL; if it is right, try again later.',
}));

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
				'The country that your data is from: dates and numbers are read as it writes them. Phones without a country code get it if they are of Argentina, Brazil, Chile, Colombia, Mexico, Peru, Portugal, Spain, the United Kingdom, the United States or Uruguay; all others need a +.',
		},
	];

	/** Adds the header of spec part 5. Also tidies the base URL where n8n, not the node, builds the address. */
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
	 * Reads one lead. For a key without `leads:read` the service answers 403 FORBIDDEN, which no rule matches: the
	 * key is fine, and counts as connected.
	 */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl }}',
			url: '/api/v1/integration/leads',
			qs: { limit: 1 },
			json: true,
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
			ignoreHttpStatusErrors: { ignore: true, except: Object.keys(MESSAGES).map(Number) },
			timeout: 15_000,
		},
		// n8n reads rules of both kinds in one list, although its type allows one kind only.
		rules: [
			...Object.entries(MESSAGES).map(([status, message]) => ({
				type: 'responseCode',
				properties: { value: Number(status), message },
			})),
			...[
				{ key: 'error.code', value: 'UNAUTHORIZED', message: MESSAGES[401] },
				{
					key: 'error.code',
					value: 'API_KEY_REVOKED',
					message:
						'This API key has been revoked. Create a new key in the leads service and paste it here.',
				},
				{ key: 'error.code', value: 'RATE_LIMIT_EXCEEDED', message: RATE_LIMITED },
				...OTHER_CODES,
				{
					key: 'success',
					value: undefined,
					message:
						'The answer did not come from the leads service. Check the base URL; if it is right, try again later.',
				},
			].map((properties) => ({ type: 'responseSuccessBody', properties })),
		] as ICredentialTestRequest['rules'],
	};
}
