import lockfile from 'proper-lockfile';

/** Longer than a live owner takes to renew its lock, even while it compiles. */
const ABANDONED_MS = 60_000;

/**
 * Runs work that only one process of this machine may do at a time.
 * @param name path of what is locked; its folder exists
 */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
	const retries = { forever: true, maxTimeout: 1000 };
	const release = await lockfile.lock(name, { realpath: false, stale: ABANDONED_MS, retries });
	return await work().finally(release);
}
