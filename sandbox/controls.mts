import { z } from 'zod';
import { faultSchema, type Fault, type FaultRule } from './faults.mts';
import { parse } from './inputs.mts';
import type { ApiKey } from './keys.mts';
import type { RateWindow, RateLimit } from './rateLimit.mts';
import { found } from './operation.mts';
import type { Lead } from './records.mts';
import type { LoggedRequest } from './requestLog.mts';
import type { Latency, Service } from './service.mts';
import { variantSchema, type Variant } from './variant.mts';

/** A time in epoch milliseconds, or an ISO 8601 date. */
const time = z.union([z.number(), z.string()]).pipe(z.coerce.date()).transform(Number);

const text = z.string().nullable();
const leadChanges = z
	.object({
		externalId: text,
		protocol: text,
		status: z.string(),
		priority: z.string(),
		source: text,
		contactId: text,
		estimatedValue: z.number().nullable(),
		saleDate: text,
		notes: text,
		tags: z.array(z.string()),
	})
	.partial()
	.strict();
const newLead = leadChanges.extend({ createdAt: time.optional() });
const changedLead = leadChanges.extend({ id: z.string() });
/** A whole record will do. */
const recordId = z.object({ id: z.string() });
const newKey = z.object({ scopes: z.array(z.string()), name: z.string().optional() }).strict();
const newLimit = z
	.object({ rpm: z.number().int().nonnegative(), windowMs: z.number().int().positive() })
	.partial()
	.strict();
const newLatency = z
	.object({ ms: z.number().nonnegative(), jitterMs: z.number().nonnegative() })
	.partial()
	.strict();
type In<S extends z.ZodTypeAny> = z.input<S>;

/**
 * What tests can change behind the service. Each takes at most one argument, a plain object, and answers with
 * plain data, so that each is also an HTTP call (controlRoutes.mts). A wrong argument throws.
 */
export interface Controls {
	/** How many leads there are, and the keys. */
	state(): { leads: number; keys: ApiKey[] };
	/** The requests so far, in order of arrival; never with their keys. */
	requests(): LoggedRequest[];
	/** How many are being answered now, and how many were at most at the same time. */
	traffic(): { inFlight: number; maxConcurrent: number };
	/** Forgets the requests so far. */
	clearRequests(): void;
	/** By the name of the key: what was accepted and rejected in each rate-limit window. */
	rates(): Record<string, RateWindow[]>;
	/** Changes the rate limit from now on; the windows start anew. */
	limit(change: Partial<RateLimit>): RateLimit;
	latency(change: Partial<Latency>): Latency;
	/** Changes how the service answers; what is not named stays. */
	variant(change: In<typeof variantSchema>): Variant;
	/** Makes something go wrong (see faults.mts). */
	fault(rule: FaultRule): Fault;
	clearFaults(): void;
	addKey(given: In<typeof newKey>): { key: string; name: string };
	/** Makes a lead past all rules; with a `createdAt` before now it is one seen late. */
	createLead(fields: In<typeof newLead>): Lead;
	changeLead(fields: In<typeof changedLead>): Lead;
	deleteLead(which: In<typeof recordId>): void;
	/** Back to the start: data, settings, keys, faults, log, counters. */
	reset(): void;
}

/** The controls of a service. */
export function createControls(service: Service): Controls {
	const { store, log, limiter, faults, keyring } = service;
	return {
		state: () => ({ leads: store.leads.size, keys: keyring.list() }),
		requests: () => log.requests,
		traffic: () => ({ inFlight: log.inFlight, maxConcurrent: log.maxConcurrent }),
		clearRequests: () => log.clear(),
		rates: () => limiter.counts(),
		limit(change) {
			limiter.limit = { ...limiter.limit, ...parse(newLimit, change) };
			limiter.reset();
			return limiter.limit;
		},
		latency: (change) => (service.latency = { ...service.latency, ...parse(newLatency, change) }),
		variant: (change) =>
			(service.variant = parse(variantSchema, { ...service.variant, ...change })),
		fault(rule) {
			const fault = parse(faultSchema, rule);
			faults.add(fault);
			return fault;
		},
		clearFaults: () => faults.clear(),
		addKey(given) {
			const { key, name } = keyring.add(parse(newKey, given));
			return { key, name };
		},
		createLead(fields) {
			const { createdAt, ...rest } = parse(newLead, fields);
			return store.createLead(rest, createdAt);
		},
		changeLead(fields) {
			const { id, ...changes } = parse(changedLead, fields);
			return store.changeLead(found(store.leads, id, 'Lead'), changes);
		},
		deleteLead: (which) => store.deleteLead(found(store.leads, parse(recordId, which).id, 'Lead')),
		reset: () => service.restore(),
	};
}
