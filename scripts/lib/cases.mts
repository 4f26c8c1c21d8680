import { setTimeout as sleep } from 'node:timers/promises';

import { stackOf } from './commandError.mts';
import { isInterrupted } from './processes.mts';

/** Not a performance limit: a case that hangs must not hang the run. */
const HANG_MS = 180_000;

/** One check of the package in a real n8n. */
export interface Case<World> {
	/** What it checks. */
	name: string;
	/** Throws if the check fails. */
	run(world: World): Promise<void>;
	/** Why it cannot run here. */
	skip?: string;
	/** After which time it counts as hanging, if it takes longer than most. */
	hangMs?: number;
}

/** How many cases ended in each way. */
export interface Counts {
	passed: number;
	failed: number;
	skipped: number;
}

/** Runs cases one after another; a failed case does not stop the others. */
export async function runCases<World>(cases: Array<Case<World>>, world: World): Promise<Counts> {
	const counts = { passed: 0, failed: 0, skipped: 0 };
	for (const each of cases) {
		const { name, skip, hangMs } = each;
		if (skip) {
			counts.skipped++;
			console.log(`skip  ${name} (${skip})`);
			continue;
		}
		const begun = performance.now();
		try {
			await failWhenHanging(each.run(world), hangMs);
			counts.passed++;
			const seconds = Math.round((performance.now() - begun) / 1000);
			console.log(`ok    ${name}${seconds > 0 ? ` (${seconds} s)` : ''}`);
		} catch (error) {
			if (isInterrupted()) throw error;
			counts.failed++;
			console.log(`FAIL  ${name}\n${indent(stackOf(error))}`);
		}
	}
	return counts;
}

async function failWhenHanging(work: Promise<void>, hangMs = HANG_MS): Promise<void> {
	const timer = new AbortController();
	const hang = sleep(hangMs, undefined, { signal: timer.signal }).then(
		() => Promise.reject(new Error(`Still running after ${hangMs / 1000} s`)),
		() => {},
	);
	try {
		await Promise.race([work, hang]);
	} finally {
		timer.abort();
	}
}

const indent = (text: string): string => text.replace(/^/gm, '      ');
