/** Codes of the system and of the HTTP client in words. The first that matches counts. */
const WORDS: Array<[code: RegExp, words: string]> = [
	[/^ECONNREFUSED$/, 'nothing accepts connections at its address'],
	[/^(ENOTFOUND|EAI_AGAIN)$/, 'its host name was not found'],
	[/^(EHOSTUNREACH|ENETUNREACH)$/, 'no network route leads to it'],
	[/TIMEDOUT|TIMEOUT|^ECONNABORTED$/, 'it did not answer in time'],
	[/^(ECONNRESET|EPIPE)$/, 'the connection was closed before it answered'],
	[/CERT|^UNABLE_TO_|^ERR_TLS_/, 'its certificate was not accepted'],
	[/^(EPROTO|ERR_SSL_.*)$/, 'it does not use HTTPS at this address'],
];

/** e.g. `it did not answer in time (ETIMEDOUT)` */
export function explainCode(code: string): string {
	const words = WORDS.find(([pattern]) => pattern.test(code))?.[1] ?? 'the connection did not work';
	return `${words} (${code})`;
}
