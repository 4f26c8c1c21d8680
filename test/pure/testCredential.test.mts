import { testCredential } from '#built/nodes/IntegrationLeads/transport/testCredential';

const data = { baseUrl: 'https://leads.example.com', apiKey: 'sk_test_of_nobody' };
const testIt = (request: () => Promise<unknown>, given: Partial<typeof data> = {}) =>
	testCredential.call({ helpers: { request } } as never, {
		id: '',
		name: '',
		type: 'integrationLeadsApi',
		data: { ...data, ...given },
	});

test.each([
	['ECONNREFUSED', 'nothing accepts connections at its address'],
	['ENOTFOUND', 'its host name was not found'],
	['EPROTO', 'it does not use HTTPS at this address'],
	['ECONNABORTED', 'it did not answer in time'],
])('explains %s, with the base URL to be checked', async (code, words) => {
	const { status, message } = await testIt(async () => await Promise.reject({ code }));
	expect({ status, message }).toEqual({
		status: 'Error',
		message: expect.stringContaining(`The leads service could not be reached: ${words} (${code}).`),
	});
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
