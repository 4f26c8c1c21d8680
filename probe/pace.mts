import { errorOf, type Answer } from './reply.mts';

/** Left for others who use the same key. */
const RESERVE = 5;
const LONGEST_WAIT_MS = 120_000;

type Headers = Answer['headers'];

/** A header as a number; undefined when it is missing or none. */
export function numberIn(headers: Headers, name: string): number | undefined {
	const text = headers[name]?.trim();
	return text && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

/** What a number in X-RateLimit-Reset must be, by its size. */
export function resetFormat(reset: number) {
	if (reset < 1e8) return 'seconds from now';
	return reset < 1e11 ? 'Unix seconds' : 'Unix milliseconds';
}

/** Milliseconds until the window ends, by the service's own clock; undefined when it does not say. */
export function msUntilReset({ headers, at }: Answer): number | undefined {
	const reset = numberIn(headers, 'x-ratelimit-reset');
	if (reset === undefined) return undefined;
	const format = resetFormat(reset);
	if (format === 'seconds from now') return reset * 1000;
	const now = Date.parse(headers.date ?? '') || at;
	return (format === 'Unix seconds' ? reset * 1000 : reset) - now;
}

/** Milliseconds to wait before the next request, after this answer. */
export function waitAfter(answer: Answer): number {
	if (answer.status === 429) {
		const { retryAfter } = errorOf(answer);
		const told = numberIn(answer.headers, 'retry-after') ?? Number(retryAfter);
		return limited(Number.isFinite(told) ? told * 1000 : (msUntilReset(answer) ?? 60_000));
	}
	const remaining = numberIn(answer.headers, 'x-ratelimit-remaining') ?? Infinity;
	return remaining > RESERVE ? 0 : limited(msUntilReset(answer) ?? 60_000);
}

/** The service's date has no parts of a second: up to one more may have to pass. */
const limited = (ms: number) => Math.min(Math.max(ms, 0) + 1000, LONGEST_WAIT_MS);
