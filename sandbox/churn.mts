import { z } from 'zod';
import { below, mulberry32, type Random } from './random.mts';
import type { Lead } from './records.mts';
import type { Store } from './store.mts';

const count = z.number().int().nonnegative().max(1000).default(0);

/** What others do to the leads while they are being listed. */
export const churnSchema = z
	.object({
		/** How many leads are made, deleted and moved to another status before each list request. */
		perRequest: z.object({ create: count, delete: count, changeStatus: count }).strict(),
		/** In which order. */
		order: z
			.array(z.enum(['create', 'delete', 'changeStatus']))
			.default(['create', 'delete', 'changeStatus']),
		/** The statuses that leads are given. */
		statuses: z.array(z.string()).min(2).default(['open', 'in_progress', 'closed_won']),
		/** It ends after so many list requests. */
		requests: z.number().int().positive().max(100_000).default(1000),
	})
	.strict();

/** A churn as it is asked for. */
export type ChurnRule = z.input<typeof churnSchema>;
type ChurnPlan = z.output<typeof churnSchema>;

/** Changes the store before list requests; the same plan on the same leads does the same. */
export class Churn {
	private plan?: ChurnPlan;
	private random: Random = mulberry32(1);

	constructor(
		private readonly store: Store,
		private readonly randomSeed: number,
	) {}

	/** Starts a plan; without one, the churn ends. */
	start(plan?: ChurnPlan): void {
		this.plan = plan && { ...plan };
		this.random = mulberry32(this.randomSeed ^ 0x2545f491);
	}

	/** To be called before each list request. */
	stir(): void {
		if (!this.plan) return;
		const { perRequest, order, statuses } = this.plan;
		const steps = {
			create: () => this.store.createLead({ source: 'api', status: statuses[0] }),
			delete: () => this.withAnyLead((lead) => this.store.deleteLead(lead)),
			changeStatus: () =>
				this.withAnyLead((lead) => {
					const others = statuses.filter((status) => status !== lead.status);
					const status = others[below(this.random, others.length)];
					this.store.changeLead(lead, { status });
				}),
		};
		for (const step of order) for (let n = 0; n < perRequest[step]; n++) steps[step]();
		if (--this.plan.requests === 0) this.plan = undefined;
	}

	private withAnyLead(act: (lead: Lead) => void): void {
		const lead = this.store.leads.at(below(this.random, this.store.leads.size));
		if (lead) act(lead);
	}
}
