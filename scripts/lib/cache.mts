import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { CommandError, codeOf } from './commandError.mts';
import { withLock } from './lock.mts';
import { manifest } from './repository.mts';

/** Outside the checkout, so that a new clone does not download gigabytes again. */
const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), manifest.name);

/**
 * A folder of the cache, filled once. It is filled under a temporary name and renamed at the end, so an interrupted
 * download is never used.
 * @returns the folder
 */
export async function cached(
	name: string,
	fill: (folder: string) => Promise<void>,
): Promise<string> {
	const target = join(cacheFolder, name);
	if (existsSync(target)) return target;
	await mkdir(cacheFolder, { recursive: true }).catch((error: unknown) => {
		throw new CommandError(
			`The cache folder ${cacheFolder} cannot be created (${codeOf(error)}).`,
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

interface LockFile {
	packages: Record<string, { version: string }>;
}

/**
 * What `npm ci` would install, and a hash of it: of the contents, since line ends and indentation may differ between
 * checkouts.
 */
export function readLock(folder: string): LockFile & { hash: string } {
	const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as LockFile;
	const hash = createHash('sha256').update(JSON.stringify(lock)).digest('hex').slice(0, 12);
	return { packages: lock.packages, hash };
}

/** Makes a folder ready for `npm ci`. */
export async function copyLock(from: string, to: string): Promise<void> {
	for (const file of ['package.json', 'package-lock.json'])
		await copyFile(join(from, file), join(to, file));
}
