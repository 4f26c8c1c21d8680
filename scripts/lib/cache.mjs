import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { withLock } from './lock.mjs';
import { Problem } from './problem.mjs';
import { manifest } from './repository.mjs';

/** Outside the checkout, so that a new clone does not download gigabytes again. */
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
 * A folder of the cache, filled once. It is filled under a temporary name and renamed at the end, so an interrupted
 * download is never used.
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

/** Removes what killed runs left behind. Only the holder of the lock may call this. */
async function removeLeftOvers(target) {
	const prefix = `${basename(target)}.tmp-`;
	const leftOvers = (await readdir(dirname(target))).filter((name) => name.startsWith(prefix));
	for (const name of leftOvers) {
		// A folder that cannot be removed now (npm may still write to it) does no harm.
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
