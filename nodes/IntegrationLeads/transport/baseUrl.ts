/** Tidies the base URL and the key of a credential. */
import { trimEnd } from 'lodash';

/** Every path of the service starts with this (spec, introduction and part 9). */
export const API_PREFIX = '/api/v1/integration';

/** Hosts that may be reached without TLS: this machine, and names that only private networks resolve. */
const PLAIN_HTTP_HOST =
	/^(127(\.\d{1,3}){3}|\[::1\]|10(\.\d{1,3}){3}|192\.168(\.\d{1,3}){2}|172\.(1[6-9]|2\d|3[01])(\.\d{1,3}){2}|[a-z0-9-]+|[a-z0-9.-]+\.(localhost|local|test|internal))$/;

/**
 * Tidies the base URL of the credential: removes surrounding space and quotes, trailing slashes and a pasted
 * `/api/v1/integration` with what follows it, and checks what remains.
 *
 * @returns the base without a trailing slash, e.g. `https://leads.example.com`
 * @throws Error with a sentence for the user when the key must not be sent to such an address
 */
export function tidyBaseUrl(raw: unknown): string {
	const text = unquoted(String(raw ?? ''));
	if (text === '') reject('is empty. Enter the address of the leads service');
	if (!URL.canParse(text)) {
		reject('is not a web address. Enter it in full, e.g. https://leads.example.com');
	}
	const { protocol, username, password, hostname, origin, pathname } = new URL(text);
	if (protocol !== 'https:' && protocol !== 'http:') reject('must start with https://');
	if (username !== '' || password !== '') {
		reject('must not contain a user name or password. The API key has its own field');
	}
	if (/[?#]/.test(text)) reject('must not contain "?" or "#". Keep only the part before it');
	if (protocol === 'http:' && !PLAIN_HTTP_HOST.test(hostname)) {
		reject(
			'must start with https://, because http:// would send the API key unencrypted. Only local and private test hosts may use http://',
		);
	}
	const [base] = pathname.split(API_PREFIX);
	if (/\/api\/v\d+\/*$/.test(base)) {
		reject(`must not end with ${base}. Leave it out: ${API_PREFIX} is added for you`);
	}
	return origin + trimEnd(base, '/');
}

function reject(reason: string): never {
	throw new Error(`Base URL ${reason}.`);
}

/**
 * Tidies a pasted key: removes surrounding space and quotes and a leading "Bearer", and keeps the prefix (spec 5.3, 5.4).
 *
 * @throws Error with a sentence for the user, without the key, when it cannot be a key
 */
export function tidyApiKey(raw: unknown): string {
	const key = unquoted(unquoted(String(raw ?? '')).replace(/^Bearer(\s+|$)/i, ''));
	if (key === '') throw new Error('API Key is empty. Enter a key of the leads service.');
	if (/[^\x21-\x7e]/.test(key)) {
		throw new Error('API Key contains a space or another character no key has. Copy it again.');
	}
	return key;
}

/** A text without space and quotes around it. */
const unquoted = (text: string) =>
	text.trim().replace(/^["'`\u2018\u201c]|["'`\u2019\u201d]$/g, '');
