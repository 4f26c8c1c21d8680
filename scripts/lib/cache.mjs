import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { withLock } from './lock.mjs';
import { Problem } from './problem.mjs';
import { manifest } from './repository.mjs';

/** Outside the checkout, so that a new clone does not download gigabytes again. */
const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), manifest.name);

/**
 * A folder of the cache, filled once. It is filled under a temporary name and renamed at the end, so an interrupted
 * download is never used.
 * @param {string} name
 * @param {(folder: string) => Promise<void>} fill
 * @returns {Promise<string>} the folder
 */
export async function cached(name, fill) {
	const target = join(cacheFolder, name);
	if (existsSync(target)) return target;
	await mkdir(cacheFolder, { recursive: true }).catch((error) => {
		throw new Problem(
			`The cache folder ${cacheFolder} cannot be created (${error.code}).`,
			'Set XDG_CACHE_HOME to a folder you may write to.',
		);
	});
	return await withLock(target, async () => {
		if (existsSync(target)) return target;
		const unfinished = `${target}.tmp`;
		await rm(unfinished, { recursive: true, force: true });
		await mkdir(unfinished);
		await fill(unfinished);
		await rename(unfinished, target);
		return target;
	});
}

/**
 * What `npm ci` would install, and a hash of it: of the contents, since line ends and indentation may differ between
 * checkouts.
 * @param {string} folder
 * @returns {{packages: Record<string, {version: string}>, hash: string}}
 */
export function readLock(folder) {
	const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
	const hash = createHash('sha256').update(JSON.stringify(lock)).digest('hex').slice(0, 12);
	return { packages: lock.packages, hash };
}

/** Makes a folder ready for `npm ci`. @param {string} from @param {string} to */
export async function copyLock(from, to) {
	for (const file of ['package.json', 'package-lock.json'])
		await copyFile(join(from, file), join(to, file));
}
