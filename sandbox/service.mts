import { FaultBook } from './faults.mts';
import { Keyring } from './keys.mts';
import { RateLimiter, type RateLimit } from './rateLimit.mts';
import { RequestLog } from './requestLog.mts';
import { seedContents } from './seed.mts';
import { Store } from './store.mts';
import { variantSchema, type Variant } from './variant.mts';

/** How the service is set up; whatever is left out has the default named. */
export interface ServiceOptions {
	/** How many leads there are at the start (1000). */
	seed?: number;
	/** Requests per minute and key (1000, spec part 8); 0 = no limiting. */
	rpm?: number;
	/** Epoch milliseconds (Date.now). */
	clock?: () => number;
	/** Gets one line for each request. */
	logger?: (line: string) => void;
}

/** How long requests take, in milliseconds. */
export interface Latency {
	ms: number;
	jitterMs: number;
}

/** Everything the service is made of. */
export interface Service {
	readonly clock: () => number;
	readonly logger?: (line: string) => void;
	readonly store: Store;
	readonly keyring: Keyring;
	readonly limiter: RateLimiter;
	readonly faults: FaultBook;
	readonly log: RequestLog;
	variant: Variant;
	latency: Latency;
	/** Brings everything back to how it was at the start. */
	restore(): void;
}

/** Sets up the service with its seed data. */
export function createService(options: ServiceOptions): Service {
	const { clock: time = Date.now, logger, seed = 1000, rpm = 1000 } = options;
	// Times are whole milliseconds everywhere, also when a test's clock runs in parts of them.
	const clock = () => Math.floor(time());
	const start = {
		contents: seedContents(seed, clock()),
		variant: variantSchema.parse({}),
		latency: { ms: 0, jitterMs: 0 } satisfies Latency,
		limit: { rpm, windowMs: 60_000 } satisfies RateLimit,
	};
	const store = new Store(clock);
	const service: Service = {
		clock,
		logger,
		store,
		keyring: new Keyring(),
		limiter: new RateLimiter(clock, start.limit),
		faults: new FaultBook(),
		log: new RequestLog(),
		variant: start.variant,
		latency: start.latency,
		restore() {
			store.load(start.contents);
			service.keyring.reset();
			service.limiter.reset();
			service.limiter.limit = start.limit;
			service.faults.clear();
			service.log.clear();
			service.variant = start.variant;
			service.latency = start.latency;
		},
	};
	service.restore();
	return service;
}
