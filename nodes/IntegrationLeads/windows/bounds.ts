/** How finely the service compares the bounds of a list; the documentation does not say. */
import { uniq } from 'lodash';

import type { CreationBounds } from '../transport/paginate';
import type { Listed, ReadSpan, Span, TimedLead } from './listed';

/** Units of time in which bounds may be compared, in ms. A service that ignores bounds has none. */
export const UNIT = { second: 1000, day: 86_400_000, none: 0 } as const;

export class Bounds {
	/** @param unit undefined until it is needed */
	constructor(public unit?: number) {}

	/** The latest unit of time that starts at or before a time. */
	floor(time: number): number {
		const unit = this.unit || UNIT.second;
		return Math.floor(time / unit) * unit;
	}

	/** A bound after `before` and not after `after`, far from both if there is room. */
	between(before: number, after: number): number | undefined {
		const middle = this.floor(before + (after - before) / 2);
		if (middle > before) return middle;
		const last = this.floor(after);
		return last > before ? last : undefined;
	}

	/** The interval of the units of time in which some leads were created. */
	around(times: number[]): Span {
		const end = this.floor(Math.max(...times)) + (this.unit || UNIT.second);
		return { start: this.floor(Math.min(...times)), end };
	}

	/** The bounds to send, in ms, for an interval; a few more leads come where the service compares coarsely. */
	toQuery({ start, end }: Span): CreationBounds {
		if (this.unit === UNIT.none) return {};
		// One less, because a bound may exclude itself.
		return {
			...(start !== -Infinity && { after: start - 1 }),
			...(end !== Infinity && { before: end }),
		};
	}

	/** Leads far outside of an interval show that bounds are compared more coarsely than was thought. */
	notice({ leads }: Listed, { start, end }: Span): void {
		const { unit } = this;
		if (!unit || leads.length === 0) return;
		const [oldest, newest] = [leads[0].createdAt, leads[leads.length - 1].createdAt];
		if (oldest < start - 1 - unit || newest > end + unit) this.unit = coarser(unit);
	}

	/** Finds the unit: the finest in which a lead is listed between bounds that are close around it. */
	async probeUnit<L extends TimedLead>(read: ReadSpan<L>, { leads }: Listed<L>): Promise<void> {
		// A second one, since a lead may leave the list meanwhile.
		for (const sample of uniq([leads[0], leads[leads.length - 1]])) {
			for (let unit: number = UNIT.second; sample && unit !== UNIT.none; unit = coarser(unit)) {
				this.unit = unit;
				const span = this.around([sample.createdAt]);
				const answer = await read(span, 1);
				if (!answer) {
					this.unit = undefined;
					return;
				}
				this.notice(answer, span);
				const isListed = answer.leads.some(({ id }) => id === sample.id);
				if (this.unit === unit && isListed) return;
			}
		}
		this.unit = UNIT.none;
	}
}

function coarser(unit: number): number {
	return unit === UNIT.second ? UNIT.day : UNIT.none;
}
