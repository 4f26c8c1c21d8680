/** The first poll, or the first after what is watched has changed. */
import type { Listed, Session } from './session';
import { isWhole, UNIT } from './session';
import { calibrate } from './bounds';
import { LOOK_BACK_MS } from './explore';
import type { Opened } from './state';
import { follows, scopeOf, STATE_VERSION } from './state';
import type { Settings, Steps } from './types';

const DAY_MS = 86_400_000;
/** How fast a clock may be. */
export const CLOCK_SKEW_MS = 10 * 60_000;

/**
 * Lays out a timeline of which nothing has been read: the past, and the open interval, which is read first.
 *
 * @param first there was no state at all, so that existing leads are announced if that is wanted
 * @returns undefined when the service could not be asked; `page` is the answer for the open interval, if known
 */
export function* begin(
	session: Session,
	settings: Settings,
	now: number,
	first: boolean,
): Steps<{ state: Opened; page?: Listed } | undefined> {
	const { watchWithinDays } = settings;
	// A whole day, which is a bound that means the same to every service.
	const day = Math.floor(now / DAY_MS) - watchWithinDays;
	const oldest = watchWithinDays > 0 ? day * DAY_MS : -Infinity;
	const [page] = yield* session.list([session.query(oldest, Infinity)]);
	if (!page) return undefined;
	const state = (starts: number[], newSince: number): Opened => ({
		version: STATE_VERSION,
		scope: scopeOf(settings),
		statuses: [],
		unit: session.unit ?? null,
		inclusive: session.inclusive,
		newSince,
		newest: 0,
		// A clock in seconds: what was created in the rest of this second was there before.
		activated: (page.serverNow ?? session.newest) + 1000,
		existing: first && settings.emitExisting,
		hotPosition: null,
		roundNewest: 0,
		position: null,
		waiting: [],
		offsets: [],
		buckets: starts.map((start) => ({ start, revision: 0, unread: true, codes: '' })),
	});
	const clock = page.serverNow ?? now;
	if (!isWhole(page)) {
		// The end of the list is either the newest or the oldest, or as good a sample as any.
		const size = Math.max(1, page.length);
		const number = Math.ceil((page.total ?? 2 * size) / size);
		const [lastPage] = yield* session.list([session.query(oldest, Infinity, { page: number })]);
		if (!lastPage) return undefined;
		yield* calibrate(session, page);
		if (session.unit === undefined) return undefined;
	}
	const open = session.floor(Math.min(clock, session.newest) - LOOK_BACK_MS);
	const newSince = activatedAt(session, page, now) - LOOK_BACK_MS;
	if (isWhole(page) || session.unit === UNIT.none || open <= oldest) {
		return { state: state([oldest], newSince), page };
	}
	const watchesPast = follows(settings) || (first && settings.emitExisting);
	return { state: state(watchesPast ? [oldest, open] : [open], newSince) };
}

/**
 * When the trigger began, by the service's clock. Where the service does not show it: the newest lead tells, unless a
 * filter may hide it; then it is our clock, which may be fast.
 */
function activatedAt(session: Session, page: Listed, now: number): number {
	const filtered = Object.values(session.settings.filters).some(Boolean);
	return page.serverNow ?? (filtered ? now - CLOCK_SKEW_MS : session.newest);
}
