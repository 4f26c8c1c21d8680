/** The first poll, or the first after what is watched has changed. */
import type { Page } from '../transport/paginate';
import { isWhole } from '../transport/paginate';
import { UNIT } from '../windows/bounds';
import type { Listed } from '../windows/listed';
import type { Lead } from './lead';
import type { Session } from './session';
import type { State } from './state';
import { watchedOf, watchesStatus } from './state';
import { DAY_MS, LOOK_BACK_MS } from './timeline';

/** How fast this machine's clock may be. */
const CLOCK_SKEW_MS = 10 * 60_000;

/** The service's clock when it answered, or an earlier time where answers do not state it (ms). */
export function serverTime({ serverNow }: Page, now: number): number {
	return serverNow ?? now - CLOCK_SKEW_MS;
}

/**
 * Creates a timeline that was never read: the past, and the open interval, which is read first.
 *
 * @param first there was no state at all, so that existing leads are emitted if that is wanted
 * @returns undefined when the service could not be asked; `page` is the answer for the open interval, if known
 */
export async function begin(
	session: Session,
	now: number,
	first: boolean,
): Promise<{ state: State; page?: Listed<Lead> } | undefined> {
	const { bounds, settings } = session;
	const { watchWithinDays, emitExisting } = settings;
	const emitsExisting = first && emitExisting;
	// A whole day, which is a bound that means the same to every service.
	const day = Math.floor(now / DAY_MS) - watchWithinDays;
	const oldest = watchWithinDays > 0 ? day * DAY_MS : -Infinity;
	const all = { start: oldest, end: Infinity };
	const page = await session.list(session.query(all));
	if (!page) return undefined;
	const state = (...starts: number[]): State => ({
		watched: watchedOf(settings),
		statuses: [],
		unit: bounds.unit ?? null,
		// Of what exists, nothing is new.
		activated: emitsExisting ? null : Infinity,
		turn: 0,
		buckets: starts.map((start) => ({ start, readAt: null, turn: 0, revision: 0, entries: '' })),
		lastEvents: [],
	});
	if (isWhole(page)) return { state: state(oldest), page };
	await bounds.findUnit(session.readSpan, page);
	if (bounds.unit === undefined) return undefined;
	const open = bounds.floor(serverTime(page, now) - LOOK_BACK_MS);
	if (bounds.unit === UNIT.none || open <= oldest) return { state: state(oldest), page };
	return { state: watchesStatus(settings) || emitsExisting ? state(oldest, open) : state(open) };
}
