import { setTimeout as sleep } from 'node:timers/promises';

import { isInterrupted } from './processes.mjs';

/** Not a performance limit: a case that hangs must not hang the run. */
const HANG_MS = 180_000;

/**
 * @typedef {object} Case
 * @property {string} name what it checks
 * @property {(world: any) => Promise<void>} run throws if the check fails
 * @property {string} [skip] why it cannot run here
 * @property {number} [hangMs] after which time it counts as hanging, if it takes longer than most
 */

/**
 * Runs cases one after another; a failed case does not stop the others.
 * @param {Case[]} cases
 * @param {unknown} world passed to every case
 * @returns {Promise<{passed: number, failed: number, skipped: number}>}
 */
export async function runCases(cases, world) {
	const counts = { passed: 0, failed: 0, skipped: 0 };
	for (const { name, run, skip, hangMs } of cases) {
		if (skip) {
			counts.skipped++;
			console.log(`skip  ${name} (${skip})`);
			continue;
		}
		const begun = performance.now();
		try {
			await orHang(run(world), hangMs);
			counts.passed++;
			const seconds = Math.round((performance.now() - begun) / 1000);
			console.log(`ok    ${name}${seconds > 0 ? ` (${seconds} s)` : ''}`);
		} catch (error) {
			if (isInterrupted()) throw error;
			counts.failed++;
			console.log(`FAIL  ${name}\n${indent(error.stack ?? String(error))}`);
		}
	}
	return counts;
}

async function orHang(work, hangMs = HANG_MS) {
	const timer = new AbortController();
	const hang = sleep(hangMs, undefined, timer).then(
		() => Promise.reject(new Error(`Still running after ${hangMs / 1000} s`)),
		() => {},
	);
	try {
		await Promise.race([work, hang]);
	} finally {
		timer.abort();
	}
}

const indent = (text) => text.replace(/^/gm, '      ');
