import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { say } from './progress.mjs';

const HEARTBEAT_MS = 5_000;
const STALE_MS = 60_000;

/**
 * Runs work that only one process at a time may do. A lock is a folder, since creating one is atomic. Its owner updates
 * its modification time; a lock whose owner died is taken over.
 * @template T
 * @param {string} lock path of the folder; its parent exists
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(lock, work) {
	for (let waits = 0; !(await tryLock(lock)); waits++) {
		if (await isAbandoned(lock)) {
			await rm(lock, { recursive: true, force: true });
			continue;
		}
		if (waits % 10 === 0) say('  … waiting for another run to finish');
		await sleep(1_000);
	}
	const heartbeat = setInterval(() => {
		const now = new Date();
		utimes(lock, now, now).catch(() => {});
	}, HEARTBEAT_MS);
	try {
		return await work();
	} finally {
		clearInterval(heartbeat);
		await rm(lock, { recursive: true, force: true });
	}
}

const ownerFile = (lock) => join(lock, 'owner.json');

async function tryLock(lock) {
	try {
		await mkdir(lock);
	} catch (error) {
		if (error.code === 'EEXIST') return false;
		throw error;
	}
	await writeFile(ownerFile(lock), JSON.stringify({ pid: process.pid, host: hostname() }));
	return true;
}

async function isAbandoned(lock) {
	try {
		const { mtimeMs } = await stat(lock);
		if (Date.now() - mtimeMs > STALE_MS) return true;
		const { pid, host } = JSON.parse(await readFile(ownerFile(lock), 'utf8'));
		return host === hostname() && !isAlive(pid);
	} catch {
		// Just released, or its owner has not written the file yet.
		return false;
	}
}

function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}
