import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { withLock } from './lock.mjs';
import { Problem } from './problem.mjs';
import { manifest } from './repository.mjs';

/** Outside the checkout: a fresh clone should not fetch gigabytes again. */
export const cacheFolder = join(
	process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
	manifest.name,
);

const GIGABYTE = 1024 ** 3;

/** Bytes free on the disk that holds the cache. */
export async function freeBytes() {
	const { bavail, bsize } = await statfs(cacheFolder);
	return bavail * bsize;
}

/**
 * A folder of the cache, filled once. The work happens in a temporary sibling that gets the real
 * name at the very end, so an interrupted one is never taken for a good one.
 * @param {string} name
 * @param {{gigabytes: number, fill: (folder: string) => Promise<void>}} options `gigabytes`: disk it takes
 * @returns {Promise<string>} the folder
 */
export async function cached(name, { gigabytes, fill }) {
	const target = join(cacheFolder, name);
	if (existsSync(target)) return target;
	await mkdir(cacheFolder, { recursive: true }).catch((error) => {
		throw new Problem(
			`The cache folder ${cacheFolder} cannot be created (${error.code}).`,
			'Set XDG_CACHE_HOME to a folder you may write to.',
		);
	});
	return await withLock(`${target}.lock`, async () => {
		if (existsSync(target)) return target;
		await removeLeftOvers(target);
		await requireSpace(gigabytes);
		const unfinished = `${target}.tmp-${process.pid}`;
		await mkdir(unfinished);
		try {
			await fill(unfinished);
			await rename(unfinished, target);
			await removeLeftOvers(target);
		} catch (error) {
			await rm(unfinished, { recursive: true, force: true });
			throw error;
		}
		return target;
	});
}

/** What runs that were killed left behind; only the holder of the lock may call this. */
async function removeLeftOvers(target) {
	const prefix = `${basename(target)}.tmp-`;
	const leftOvers = (await readdir(dirname(target))).filter((name) => name.startsWith(prefix));
	for (const name of leftOvers) {
		// What cannot be removed now (its npm may still write) is in nobody's way.
		await rm(join(dirname(target), name), { recursive: true, force: true }).catch(() => {});
	}
}

async function requireSpace(gigabytes) {
	const free = (await freeBytes()) / GIGABYTE;
	if (free >= gigabytes) return;
	throw new Problem(
		`Too little disk: ${cacheFolder} needs about ${gigabytes} GB, and ${free.toFixed(1)} GB are free.`,
		'Free some space, or set XDG_CACHE_HOME to a folder on a larger disk.',
	);
}
