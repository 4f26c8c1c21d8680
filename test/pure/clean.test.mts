/** What is removed from texts, and which names are repaired; test/corpus/reports.jsonl has them in rows. */
import type { IDataObject } from 'n8n-workflow';

import { convertParameter } from '../../nodes/IntegrationLeads/fields/converter';
import type { Parameter } from '../../nodes/IntegrationLeads/operation';
import { toAmount } from '../../nodes/IntegrationLeads/values/amount';
import { cleanName, cleanText, cleanValue } from '../../nodes/IntegrationLeads/values/clean';
import { toObject } from '../../nodes/IntegrationLeads/values/convert';
import { isSecretName } from '../../nodes/IntegrationLeads/values/secrets';

const context = { label: 'Field', timezone: 'UTC' };

it.each([
	['a\u0000b', 'ab'],
	['a\ud83d', 'a'],
	['\udc00a', 'a'],
	['\ud83d\ude00', '\ud83d\ude00'],
	['a\tb\r\nc', 'a\tb\r\nc'],
	['a\u0001\u0007\u001b\u007f\u0085\u009fb', 'ab'],
	['João, 名前, \u00a0\u200f', 'João, 名前, \u00a0\u200f'],
	['👨‍👩‍👧', '👨‍👩‍👧'],
])('%j becomes %j', (text, cleaned) => {
	expect(cleanText(text)).toBe(cleaned);
	expect(cleanValue({ [text]: [{ deep: text }] })).toEqual({ [cleaned]: [{ deep: cleaned }] });
	expect(cleanName(`Ana ${text}`)).toBe(`Ana ${cleaned}`);
});

it('JSON that a user typed has no character that cannot be sent, and no prototype', () => {
	const typed = '{"__proto__": {"title": "x"}, "a": ["b\\u0000", {"c": "\\ud83d"}]}';
	const object = toObject(typed, context) as IDataObject;
	expect(object).toEqual({ a: ['b', { c: '' }] });
	expect(object.title).toBeUndefined();
});

it('values of every parameter are cleaned', () => {
	const any: Parameter = { displayName: 'Metadata', name: 'metadata', type: 'json', default: {} };
	expect(convertParameter(any, { a: 'b\u0000' }, context)).toEqual({ a: 'b' });
});

it.each([1e21, '1e21', '1e400', '9'.repeat(20)])('%s is no amount', (value) => {
	expect(() => toAmount(value, context)).toThrow('"Field"');
});

// What captchas add, and words for authentication in any form.
it.each([
	...[
		'basic_authentication',
		'cf-turnstile-response',
		'g-recaptcha-response',
		'h-captcha-response',
	],
	...['autenticação', 'Autenticacion', 'authToken', 'x-auth', 'senha', 'apiKey', 'hottok', 'otp'],
	...['author_token', 'credentials', 'passwd', 'Palavra-chave', 'honeypot'],
])('%s names a secret', (name) => {
	expect(isSecretName(name)).toBe(true);
});
it.each([
	'author',
	'Autor',
	'autoria',
	'passo',
	'Passagem',
	'monkey',
	'Tokyo',
	'keyboard',
	'pinha',
])('%s names none', (name) => {
	expect(isSecretName(name)).toBe(false);
});
