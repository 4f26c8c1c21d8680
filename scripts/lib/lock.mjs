import lockfile from 'proper-lockfile';

/** Less often than an owner that lives renews its lock, also while it compiles. */
const ABANDONED_MS = 60_000;

/**
 * Runs work that only one process of this machine may do at a time.
 * @template T
 * @param {string} name path of what is locked; its folder exists
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, work) {
	const retries = { forever: true, maxTimeout: 1000 };
	const release = await lockfile.lock(name, { realpath: false, stale: ABANDONED_MS, retries });
	return await work().finally(release);
}
