import { testCredential } from '#built/nodes/IntegrationLeads/transport/testCredential';

const data = {
	baseUrl: 'https://leads.example.com',
	apiKey: 'sk_test_of_nobody',
	defaultCountryCode: '+55',
};
const testIt = (request: () => Promise<unknown>, given: Partial<typeof data> = {}) =>
	testCredential.call({ helpers: { request } } as never, {
		id: '',
		name: '',
		type: 'integrationLeadsApi',
		data: { ...data, ...given },
	});

test.each([
	['EPROTO', 'it does not use HTTPS at this address, so correct the base URL'],
	['ENOTFOUND', 'its host name was not found'],
	['CERT_HAS_EXPIRED', 'its certificate has expired'],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host name'],
])('explains why the service cannot be reached: %s', async (code, why) => {
	const { message } = await testIt(async () => await Promise.reject({ code }));
	expect(message).toContain(`The leads service could not be reached: ${why} (${code}).`);
});

const OTHER = /^The answer did not come from the leads service/;
test.each<[statusCode: number, body: unknown, message: RegExp]>([
	[200, { success: true, data: {} }, /^Connection successful/],
	[200, { leads: [] }, /^Connection successful/],
	[403, { success: false, error: { code: 'FORBIDDEN' } }, /^Connection successful/],
	[403, { success: false, error: { code: 'API_KEY_REVOKED' } }, /^The API key has been revoked/],
	[200, { hello: 'world' }, OTHER],
	[404, { message: 'no such route' }, OTHER],
])('%d with %j', async (statusCode, body, message) => {
	const answer = { statusCode, headers: {}, body: JSON.stringify(body) };
	expect((await testIt(async () => await Promise.resolve(answer))).message).toMatch(message);
});

test('sends the key nowhere if the base URL is no address of a service', async () => {
	const request = jest.fn();
	const { message } = await testIt(request, { baseUrl: 'http://leads.example.com' });
	expect(message).toMatch(/^Base URL must start with https/);
	expect(request).not.toHaveBeenCalled();
});

test('shows no key that a refusal quotes', async () => {
	const body = { success: false, error: { code: 'VALIDATION_ERROR', message: data.apiKey } };
	const answer = { statusCode: 400, headers: {}, body: JSON.stringify(body) };
	const { message } = await testIt(async () => await Promise.resolve(answer));
	expect(message).toMatch(/^The leads service did not accept the request: \*\*\*/);
});

// What OpenSSL calls them: https://nodejs.org/api/tls.html#x509-certificate-error-codes (27 Nov 2026).
test.each([
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])('says what to do about a certificate that n8n does not know: %s', async (code) => {
	const { message } = await testIt(async () => await Promise.reject({ code }));
	expect(message).toMatch(
		/its certificate is self-signed, or .*\. Nothing was sent\. Start n8n with .*NODE_EXTRA_CA_CERTS/,
	);
});

test.each(['BR', 'Brasil', '999', '5', '55 11'])('names the country code %j', async (code) => {
	const request = jest.fn();
	const { message, status } = await testIt(request, { defaultCountryCode: code });
	expect(status).toBe('Error');
	expect(message).toMatch(
		/^"Default Country Code" .* must be a country code, not .*\. Give the digits .*55 for Brazil/,
	);
	expect(request).not.toHaveBeenCalled();
});
