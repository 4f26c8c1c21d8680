/** How finely the service compares the bounds of a list; the documentation does not say. */
import type { Listed, Session } from './session';
import { INCLUSIVE, isWhole, UNIT } from './session';
import type { Steps } from './types';

/** Leads outside of what was asked for tell how bounds are compared: more coarsely than was thought, or inclusively. */
export function noticeBounds(session: Session, page: Listed, start: number, end: number): void {
	const { unit } = session;
	if (!unit || page.leads.length === 0) return;
	const first = page.leads[0].createdAt;
	const last = page.leads[page.leads.length - 1].createdAt;
	if (first < start - 1 - unit || last > end + unit) {
		session.unit = unit === UNIT.day ? UNIT.none : UNIT.day;
	} else if (unit === UNIT.day) {
		if (first < start) session.inclusive |= INCLUSIVE.after;
		if (last >= end) session.inclusive |= INCLUSIVE.before;
	}
}

/** Finds out how finely bounds are compared: whether a lead is listed between bounds that are close around it. */
export function* calibrate(session: Session, page: Listed): Steps<void> {
	const { leads } = page;
	const samples = [leads[Math.floor(leads.length / 2)], leads[0]].filter(Boolean);
	for (const unit of [UNIT.second, UNIT.day]) {
		for (const { id, createdAt } of samples) {
			session.unit = unit;
			const start = session.floor(createdAt);
			const [answer] = yield* session.list([session.query(start, start + unit)]);
			if (!answer) {
				session.unit = undefined;
				return;
			}
			noticeBounds(session, answer, start, start + unit);
			if (session.unit !== unit) break;
			if (!isWhole(answer) || answer.leads.some((lead) => lead.id === id)) return;
		}
	}
	session.unit = UNIT.none;
}
