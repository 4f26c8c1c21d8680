/** Folders that hold a manifest and a lock file of what `npm ci` installs in the cache. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';

const MANIFEST = 'package.json';
const LOCK = 'package-lock.json';

/**
 * What `npm ci` would install, and a hash of it: of the contents, since line ends and indentation may differ between
 * checkouts.
 * @param {string} folder
 * @returns {{packages: Record<string, {version: string}>, hash: string}}
 */
export function readLock(folder) {
	const lock = JSON.parse(readFileSync(join(folder, LOCK), 'utf8'));
	const hash = createHash('sha256').update(JSON.stringify(lock)).digest('hex').slice(0, 12);
	return { packages: lock.packages, hash };
}

/** Makes a folder ready for `npm ci`. @param {string} from @param {string} to */
export async function copyLock(from, to) {
	for (const file of [MANIFEST, LOCK]) await copyFile(join(from, file), join(to, file));
}
