import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { say } from './progress.mjs';

/**
 * Runs work that only one process of this machine may do at a time. A lock is a folder, since creating one is atomic; one
 * whose owner died is taken over.
 * @template T
 * @param {string} lock path of the folder; its parent exists
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(lock, work) {
	const owner = join(lock, 'pid');
	for (let waits = 0; !(await tryLock(lock)); waits++) {
		if (await isAbandoned(owner)) {
			await rm(lock, { recursive: true, force: true });
			continue;
		}
		if (waits % 10 === 0) say('  … waiting for another run to finish');
		await sleep(1_000);
	}
	try {
		await writeFile(owner, String(process.pid));
		return await work();
	} finally {
		await rm(lock, { recursive: true, force: true });
	}
}

const tryLock = (lock) =>
	mkdir(lock).then(
		() => true,
		(error) => {
			if (error.code === 'EEXIST') return false;
			throw error;
		},
	);

async function isAbandoned(owner) {
	try {
		process.kill(Number(await readFile(owner, 'utf8')), 0);
		return false;
	} catch (error) {
		// No file: just created or just released.
		return error.code === 'ESRCH';
	}
}
