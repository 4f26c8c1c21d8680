import { setTimeout as sleep } from 'node:timers/promises';

import lodash from 'lodash';

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

/** More failures than this are not the machine's. */
const MOST_REPEATED = 5;

/**
 * Runs cases one after another; a failed case does not stop the others.
 * A few that failed run once more at the end: a machine that stands still for a moment exceeds time limits of n8n,
 * such as 250 ms for a regular expression. What fails twice has failed.
 */
export async function runCases<World>(cases: Array<Case<World>>, world: World): Promise<Counts> {
	const [skipped, wanted] = lodash.partition(cases, ({ skip }) => skip);
	for (const { name, skip } of skipped) console.log(`skip  ${name} (${skip})`);
	let failed = await failedOf(wanted, world);
	if (failed.length > 0 && failed.length <= MOST_REPEATED) {
		console.log(`again ${failed.map(({ name }) => name).join('\n      ')}`);
		failed = await failedOf(failed, world);
	}
	return {
		passed: wanted.length - failed.length,
		failed: failed.length,
		skipped: skipped.length,
	};
}

/** Runs cases. @returns those that failed */
async function failedOf<World>(
	cases: Array<Case<World>>,
	world: World,
): Promise<Array<Case<World>>> {
	const failed: Array<Case<World>> = [];
	for (const each of cases) {
		const { name, hangMs } = each;
		const begun = performance.now();
		try {
			await failWhenHanging(each.run(world), hangMs);
			const seconds = Math.round((performance.now() - begun) / 1000);
			console.log(`ok    ${name}${seconds > 0 ? ` (${seconds} s)` : ''}`);
		} catch (error) {
			if (isInterrupted()) throw error;
			failed.push(each);
			console.log(`FAIL  ${name}\n${indent(stackOf(error))}`);
		}
	}
	return failed;
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
