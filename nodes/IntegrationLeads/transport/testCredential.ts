/** Tests a credential when it is saved, with the messages that a run would show. */
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { compact } from 'lodash';

import { toRecord } from '../values/json';
import { parseList } from '../contract/envelope';
import { parseConventions } from '../values/context';
import { parseException, parseResponse } from './response';
import { API_PREFIX, tidyApiKey, tidyBaseUrl } from './baseUrl';
import { clock } from './clock';
import { scrubber, toServiceError } from './errors';
import type { ExchangeResult } from './request';

/** Short, because a dialog waits for the result. */
const TIMEOUT_MS = 15_000;

/** Reads one lead. A key without the scope `leads:read` is refused as FORBIDDEN (spec part 7), but it is valid. */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	let [baseUrl, apiKey] = ['', ''];
	try {
		[baseUrl, apiKey] = [tidyBaseUrl(data.baseUrl), tidyApiKey(data.apiKey)];
		parseConventions(data.defaultCountryCode);
	} catch (error) {
		const { message, description } = toRecord(error);
		return { status: 'Error', message: compact([message, description]).join('. ') };
	}
	// n8n offers credential tests no other function for HTTP.
	const { helpers } = this;
	const request = helpers.request({
		uri: `${baseUrl}${API_PREFIX}/leads`,
		qs: { limit: 1 },
		headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}` },
		timeout: TIMEOUT_MS,
		// As in response.ts: the status decides, and a redirect would take the key along.
		simple: false,
		followRedirect: false,
		resolveWithFullResponse: true,
	}) as Promise<IN8nHttpFullResponse>;
	const result = await request.then(parseLeads, parseException);
	if (result.kind === 'accepted' || (result.kind === 'refused' && result.code === 'FORBIDDEN')) {
		return { status: 'OK', message: 'Connection successful!' };
	}
	const errorContext = {
		action: 'Test credential',
		targets: [],
		repeatable: true,
		attempts: 1,
		baseUrl,
	};
	const { message, description } = toServiceError(result, errorContext, scrubber(apiKey));
	return { status: 'Error', message: `${message}. ${description}` };
}

/** Parses the answer. A server that answers without leads, or does not know the path, is not the service. */
function parseLeads(response: IN8nHttpFullResponse): ExchangeResult {
	const result = parseResponse('GET', response, clock.now());
	const isOther =
		result.kind === 'accepted'
			? result.envelope.success !== true && !parseList(result.data, 'leads', {})
			: result.kind === 'refused' && result.status === 404;
	return isOther ? { kind: 'otherServer', status: response.statusCode, shown: 'no leads' } : result;
}
