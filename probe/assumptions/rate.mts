import { parseRateLimit } from '../../nodes/IntegrationLeads/transport/response.ts';
import { every, type Check } from '../assumption.mts';
import type { Reply } from '../reply.mts';

/** A window ends within a minute; dates and resets are rounded to seconds. */
const WINDOW_MS = 62_000;
const RESET = 'x-ratelimit-reset';

const isNumber = (text: string | undefined) => /^\d+(\.\d+)?$/.test(text?.trim() ?? '');
/** What the node reads of the headers; undefined without a reset. */
const windowOf = ({ headers, receivedAt }: Reply) =>
	headers[RESET] ? parseRateLimit(headers, receivedAt) : undefined;

/** What a number in X-RateLimit-Reset must be, by its size. */
function formatOf(reset: string): string {
	if (Number(reset) < 1e8) return 'seconds from now';
	return Number(reset) < 1e11 ? 'Unix seconds' : 'Unix milliseconds';
}

const remainingFalls: Check = ({ replies }) => {
	const own = replies.filter(({ ownKey }) => ownKey);
	const pairs = own.slice(1).flatMap((reply, i) => {
		const [before, now] = [windowOf(own[i]), windowOf(reply)];
		return before && now && reply.headers[RESET] === own[i].headers[RESET] ? [{ before, now }] : [];
	});
	return every(
		pairs,
		({ before, now }) => now.remaining < before.remaining,
		({ before, now }) => `${before.remaining}, then ${now.remaining}`,
	);
};

/** The rate-limit headers (spec part 8). The limit itself is never tried. */
export const rate: Record<string, Check> = {
	'rate-headers': ({ replies }) =>
		every(
			replies.map(({ headers }) =>
				['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`]),
			),
			(values) => values.every(isNumber),
			JSON.stringify,
		),
	'rate-window': ({ replies }) =>
		every(
			replies.flatMap((reply) => (windowOf(reply)?.resetAt ?? NaN) - reply.receivedAt || []),
			(ms) => ms <= WINDOW_MS,
			(ms) => `${Math.round(ms / 1000)} s away`,
		),
	'rate-remaining': remainingFalls,
	'rate-reset': ({ replies }) =>
		every(
			replies.map(({ headers }) => headers[RESET]).filter(isNumber),
			(reset) => formatOf(reset) === 'Unix seconds',
			(reset) => `${reset}: ${formatOf(reset)}`,
		),
};
