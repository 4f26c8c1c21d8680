import { couldNotTell, every, type Assumption } from '../assumption.mts';
import { msUntilReset, numberIn, resetFormat } from '../pace.mts';
import { nameOf } from '../reply.mts';

const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
/** A window ends within a minute; dates and resets are rounded to seconds. */
const WINDOW_MS = 62_000;

/** The rate-limit headers (spec part 8). The limit itself is never tried. */
export const rate: Assumption[] = [
	{
		id: 'rate-headers',
		says: 'Every answer has X-RateLimit-Limit, -Remaining and -Reset, as numbers',
		stated: '8',
		notReliedOn: true,
		check: ({ replies }) =>
			every(
				replies,
				({ headers }) => names.every((name) => numberIn(headers, name) !== undefined),
				{
					all: 'every answer',
					none: 'no answer',
					but: (reply) => `${nameOf(reply)}: ${JSON.stringify(names.map((n) => reply.headers[n]))}`,
				},
			),
	},
	{
		id: 'rate-reset',
		says: 'X-RateLimit-Reset is a Unix timestamp in seconds',
		stated: '8',
		notReliedOn: true,
		check: ({ replies }) =>
			every(
				replies.flatMap(({ headers }) => numberIn(headers, 'x-ratelimit-reset') ?? []),
				(reset) => resetFormat(reset) === 'Unix seconds',
				{
					all: 'Unix seconds',
					none: 'no such header',
					but: (reset) => `${reset}: ${resetFormat(reset)}`,
				},
			),
	},
	{
		id: 'rate-window',
		says: 'X-RateLimit-Reset is at most a minute away',
		stated: '8',
		check: ({ replies }) =>
			every(
				replies.flatMap((reply) => msUntilReset(reply) ?? []),
				(ms) => ms <= WINDOW_MS,
				{
					all: 'within a minute',
					none: 'no such header',
					but: (ms) => `${Math.round(ms / 1000)} s away`,
				},
			),
	},
	{
		id: 'rate-remaining',
		says: 'X-RateLimit-Remaining falls with every request until the reset',
		stated: '8',
		check: ({ replies }) => {
			const own = replies.filter(({ ownKey }) => ownKey);
			const read = own.map(({ headers }) => ({
				remaining: numberIn(headers, 'x-ratelimit-remaining'),
				reset: headers['x-ratelimit-reset'],
			}));
			const pairs = read
				.map(({ remaining: now, reset }, i) => ({ now, reset, before: read[i - 1] }))
				.filter(({ now, reset, before }) => now !== undefined && before?.reset === reset);
			if (!pairs.length) return couldNotTell('no two answers of one window');
			return every(pairs, ({ now = 0, before }) => now < (before.remaining ?? 0), {
				all: 'falls',
				none: '',
				but: ({ now, before }) => `${String(before.remaining)}, then ${String(now)}`,
			});
		},
	},
];
