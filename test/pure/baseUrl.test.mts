import { tidyApiKey, tidyBaseUrl } from '../../nodes/IntegrationLeads/transport/baseUrl';

describe('tidyBaseUrl', () => {
	const plain =
		'localhost:3000 127.0.0.1:3000 [::1]:3000 10.1.2.3 172.16.0.1 172.20.0.1 172.31.0.1';
	const named =
		'192.168.1.20 sandbox:3000 leads.internal leads.localhost leads.local api.leads.test';
	it.each([
		...`${plain} ${named}`.split(' ').map((host) => [`http://${host}`, `http://${host}`]),
		['  https://leads.example.com/  ', 'https://leads.example.com'],
		['"https://leads.example.com/"', 'https://leads.example.com'],
		['https://LEADS.example.com:443', 'https://leads.example.com'],
		['https://leads.example.com:8443/', 'https://leads.example.com:8443'],
		['https://leads.example.com///api/v1/integration//', 'https://leads.example.com'],
		['https://example.com/crm/', 'https://example.com/crm'],
		['https://example.com/crm/api/v1/integration', 'https://example.com/crm'],
		['https://leads.example.com/api/v1/integration/leads/', 'https://leads.example.com'],
	])('makes of %j %j', (raw, tidy) => {
		expect(tidyBaseUrl(raw)).toBe(tidy);
		expect(tidyBaseUrl(tidy)).toBe(tidy);
	});

	it.each<[string | undefined, string]>([
		[undefined, 'empty'],
		['  ', 'empty'],
		['leads.example.com', 'not a web address'],
		['ftp://leads.example.com', 'https://'],
		['javascript:alert(1)', 'https://'],
		['https://user:pass@leads.example.com', 'user name'],
		['https://sk_live_x@leads.example.com', 'user name'],
		['https://:pass@leads.example.com', 'password'],
		['https://leads.example.com/?key=1', '"?"'],
		['https://leads.example.com/?', '"?"'],
		['https://leads.example.com/#x', '"#"'],
		['https://leads.example.com/api/v1/', 'must not end with /api/v1'],
		...'leads.example.com 8.8.8.8 172.15.0.1 172.32.0.1 localhost.example.com 10.1.2.3.example.com'
			.split(' ')
			.map((host): [string, string] => [`http://${host}`, 'unencrypted']),
		// 8.8.8.8 written as one number.
		['http://134744072', 'unencrypted'],
	])('refuses %j: %s', (raw, why) => {
		expect(() => tidyBaseUrl(raw)).toThrow(/^Base URL /);
		expect(() => tidyBaseUrl(raw)).toThrow(why);
	});
});

describe('tidyApiKey', () => {
	it.each([
		['sk_live_abc', 'sk_live_abc'],
		['  sk_test_abc\n', 'sk_test_abc'],
		['Bearer sk_live_abc', 'sk_live_abc'],
		['bearer   lm_live_abc', 'lm_live_abc'],
		['bearer_abc', 'bearer_abc'],
		['"sk_live_abc"', 'sk_live_abc'],
		['“Bearer sk_live_abc”', 'sk_live_abc'],
		["Bearer 'sk_live_abc'", 'sk_live_abc'],
		['sk_live_Bearer', 'sk_live_Bearer'],
	])('makes of %j %j', (raw, key) => {
		expect(tidyApiKey(raw)).toBe(key);
	});

	it.each([
		[undefined, 'API Key is empty'],
		['Bearer ', 'API Key is empty'],
		['sk_live_abc def', 'contains a space'],
		['sk_live_\u200babc', 'contains a space or another character'],
		['sk_live_\u007fabc', 'contains a space or another character'],
		['sk_live_abc\nsk_live_def', 'contains a space'],
	])('refuses %j without repeating it', (raw, message) => {
		const refused = () => tidyApiKey(raw);
		expect(refused).toThrow(message);
		expect(refused).not.toThrow('sk_live');
	});
});
