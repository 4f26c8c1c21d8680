/** Runs work in parallel, or one piece after another. */
import { compact } from 'lodash';

import { clock } from './clock';
import { MAX_IN_FLIGHT, STARTING_PACE } from './pace';

/**
 * Works on `jobs` in parallel. Starts with the rate limiter's initial concurrency. Each job that ends starts two more, until
 * {@link MAX_IN_FLIGHT} run; after that, one. The first job that throws keeps the rest from starting.
 * Not `p-limit`: it starts everything that is queued, so stopping at a failure would be as many lines around it, and
 * bundling it would add a bundler to a build that only compiles.
 *
 * @returns false when `work` asked to stop by returning false
 */
export async function inParallel<T>(
	jobs: T[],
	work: (job: T) => Promise<boolean | void>,
): Promise<boolean> {
	let next = 0;
	let stopped = false;
	let workers = STARTING_PACE.concurrency;
	const worker = async (): Promise<void> => {
		while (!stopped && next < jobs.length) {
			const job = jobs[next];
			next += 1;
			let goOn: boolean | void = false;
			try {
				goOn = await work(job);
			} finally {
				if (goOn === false) stopped = true;
			}
			if (workers < MAX_IN_FLIGHT) {
				workers += 1;
				await Promise.all([worker(), worker()]);
			}
		}
	};
	await Promise.all(Array.from({ length: workers }, worker));
	return !stopped;
}

/** Work that shares a key runs one after another, in the order of the calls. */
export class KeyedMutex {
	private readonly lastOfKey = new Map<string, Promise<unknown>>();

	/**
	 * Runs `work` after all earlier work with one of its keys, even if that failed. Resolves or rejects as `work` does.
	 *
	 * @param work `hasWaited`: there was such work, which may have changed what this one knows
	 * @param signal ends the wait early, and then `work` is not called
	 */
	async take<T>(
		keys: string[],
		work: (hasWaited: boolean) => Promise<T>,
		signal?: AbortSignal,
	): Promise<T> {
		const earlier = compact(keys.map((key) => this.lastOfKey.get(key)));
		let isWaiting = earlier.length > 0;
		const begin = async () => {
			isWaiting = false;
			signal?.throwIfAborted();
			return await work(earlier.length > 0);
		};
		const begun = isWaiting ? Promise.allSettled(earlier).then(begin) : begin();
		const end = () => {
			for (const key of keys) if (this.lastOfKey.get(key) === begun) this.lastOfKey.delete(key);
		};
		for (const key of keys) this.lastOfKey.set(key, begun);
		begun.then(end, end);
		if (!isWaiting || !signal) return await begun;
		const aborted = new Promise<never>((_, reject) => {
			const stop = () => isWaiting && reject(signal.reason);
			signal.addEventListener('abort', stop, { once: true });
			begun
				.then(
					() => {},
					() => {},
				)
				.finally(() => signal.removeEventListener('abort', stop));
		});
		return await Promise.race([begun, aborted]);
	}
}

/**
 * For the items of all executions in this process: each of eight messages that a person writes at once is an execution of its
 * own, and all eight would find no lead and create one.
 */
export const recordLocks = new KeyedMutex();

const MAX_BLOCKING_MS = 20;

/**
 * For long loops: awaited before each step, the function that this returns lets n8n do other things every 20 ms. Not before the
 * first step: a run of one item would lose its place to another that comes after it.
 */
export function yielder(): () => Promise<void> {
	let since: number | undefined;
	return async () => {
		// Not `clock`, whose time tests simulate: this is about the real process.
		if (since !== undefined && Date.now() - since >= MAX_BLOCKING_MS) {
			await clock.sleep(1);
			since = undefined;
		}
		since ??= Date.now();
	};
}
