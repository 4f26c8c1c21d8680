import { groupBy, sortBy } from 'lodash';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import { tidyApiKey, tidyBaseUrl } from '../nodes/IntegrationLeads/transport/baseUrl';

/** Regions with their calling codes (ITU-T E.164); of those that share one, the largest. */
const COUNTRIES =
	'AC247 AD376 AE971 AF93 AL355 AM374 AO244 AR54 AT43 AU61 AW297 AZ994 BA387 BD880 BE32 BF226 BG359 BH973 BI257 BJ229 BN673 BO591 BR55 BT975 ' +
	'BW267 BY375 BZ501 CA1 CD243 CF236 CG242 CH41 CI225 CK682 CL56 CM237 CN86 CO57 CR506 CU53 CV238 CW599 CY357 CZ420 DE49 DJ253 DK45 DO1 DZ213 ' +
	'EC593 EE372 EG20 ER291 ES34 ET251 FI358 FJ679 FK500 FM691 FO298 FR33 GA241 GB44 GE995 GF594 GH233 GI350 GL299 GM220 GN224 GP590 GQ240 GR30 ' +
	'GT502 GW245 GY592 HK852 HN504 HR385 HT509 HU36 ID62 IE353 IL972 IN91 IO246 IQ964 IR98 IS354 IT39 JM1 JO962 JP81 KE254 KG996 KH855 KI686 ' +
	'KM269 KP850 KR82 KW965 KZ7 LA856 LB961 LI423 LK94 LR231 LS266 LT370 LU352 LV371 LY218 MA212 MC377 MD373 ME382 MG261 MH692 MK389 ML223 MM95 ' +
	'MN976 MO853 MQ596 MR222 MT356 MU230 MV960 MW265 MX52 MY60 MZ258 NA264 NC687 NE227 NF672 NG234 NI505 NL31 NO47 NP977 NR674 NU683 NZ64 OM968 ' +
	'PA507 PE51 PF689 PG675 PH63 PK92 PL48 PM508 PR1 PS970 PT351 PW680 PY595 QA974 RE262 RO40 RS381 RU7 RW250 SA966 SB677 SC248 SD249 SE46 SG65 ' +
	'SH290 SI386 SK421 SL232 SM378 SN221 SO252 SR597 SS211 ST239 SV503 SY963 SZ268 TD235 TG228 TH66 TJ992 TK690 TL670 TM993 TN216 TO676 TR90 TT1 ' +
	'TV688 TW886 TZ255 UA380 UG256 US1 UY598 UZ998 VE58 VN84 VU678 WF681 WS685 XK383 YE967 ZA27 ZM260 ZW263';

/** One entry for each code, since a drop-down shows only one of several with the same value. */
function countryCodes(): INodePropertyOptions[] {
	const names = new Intl.DisplayNames('en', { type: 'region' });
	const byCode = groupBy(COUNTRIES.split(' '), (country) => country.slice(2));
	const entries = Object.entries(byCode).map(([value, countries]) => {
		const shown = countries.map((country) => names.of(country.slice(0, 2)));
		return { name: `${shown.join(', ')} (+${value})`, value };
	});
	return sortBy(entries, 'name');
}

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
			type: 'options',
			options: [{ name: 'None', value: '' }, ...countryCodes()],
			default: '',
			description:
				'The country that your data is from. Phones written without a country code get it, and dates and numbers are read as that country writes them.',
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
