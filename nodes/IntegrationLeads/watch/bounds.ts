/** Finds out how finely the service compares the bounds of a list, which the documentation does not say. */
import { uniq } from 'lodash';

import type { CreationBounds } from '../transport/paginate';
import { within, type Lead, type LeadPage, type ReadSpan, type Span } from './leads';

/** Units of time in which bounds may be compared, in ms. A service that ignores bounds has none. */
export const UNIT = { second: 1000, day: 86_400_000, none: 0 } as const;

export class Bounds {
	/** @param unit undefined until it is known */
	constructor(public unit?: number) {}

	/** The start of the unit of time that a time is in. */
	floor(time: number): number {
		const unit = this.unit || UNIT.second;
		return Math.floor(time / unit) * unit;
	}

	/** The bounds to send for an interval, in ms. If the service compares coarsely, a few leads outside of it come as well. */
	toQuery({ start, end }: Span): CreationBounds {
		if (this.unit === UNIT.none) return {};
		// One less, because a bound may exclude itself.
		return {
			...(start !== -Infinity && { after: start - 1 }),
			...(end !== Infinity && { countBefore: end }),
		};
	}

	/**
	 * Where to cut an interval of which a page shows a part: in the middle of what it shows. In a long list that is sorted by time,
	 * this is near one end, so there it is the end of the page that is further inside.
	 *
	 * @returns undefined if no bound can separate the leads
	 */
	cut({ leads, records, total = Infinity }: LeadPage, span: Span): number | undefined {
		if (this.unit === UNIT.none) return undefined;
		const { start, end } = span;
		const unit = this.unit || UNIT.second;
		const times = within(leads, span).map(({ createdAt }) => this.floor(createdAt));
		const isInside = (time: number) => time > start && time < end;
		const points = uniq(times)
			.sort((a, b) => a - b)
			.filter(isInside);
		const isSorted = (sign: number) =>
			times.every((time, index) => index === 0 || sign * (time - times[index - 1]) >= 0);
		if (points.length === 0) {
			// All leads are in one unit, or outside of the interval: cutting off its edge leaves them out.
			const isAfter = times.length === 0 && leads.some(({ createdAt }) => createdAt >= end);
			const edge = isAfter ? end - unit : (times[0] ?? start) + unit;
			return isInside(edge) ? edge : undefined;
		}
		if (total > 2 * records.length && isSorted(-1)) return points[1] ?? points[0];
		if (total > 2 * records.length && isSorted(1)) return points[points.length - 1];
		return points[points.length >> 1];
	}

	/** Leads far outside of an interval show that bounds are compared more coarsely than was thought. */
	notice(leads: Lead[], { start, end }: Span): void {
		const { unit } = this;
		const isFar = ({ createdAt }: Lead) => createdAt < start - 1 - unit! || createdAt > end + unit!;
		if (unit && leads.some(isFar)) this.unit = coarser(unit);
	}

	/** Finds the finest unit in which a known lead is still listed between bounds close around it. */
	async probeUnit(read: ReadSpan, leads: Lead[]): Promise<void> {
		// Two leads, since one may leave the list meanwhile.
		for (const sample of uniq([leads[0], leads[leads.length - 1]])) {
			for (let unit: number = UNIT.second; sample && unit !== UNIT.none; unit = coarser(unit)) {
				this.unit = unit;
				const start = this.floor(sample.createdAt);
				const span = { start, end: start + unit };
				const answer = await read(span, 1);
				if (!answer) {
					this.unit = undefined;
					return;
				}
				this.notice(answer.leads, span);
				if (this.unit === unit && answer.leads.some(({ id }) => id === sample.id)) return;
			}
		}
		this.unit = UNIT.none;
	}
}

function coarser(unit: number): number {
	return unit === UNIT.second ? UNIT.day : UNIT.none;
}
