import { say } from '../../scripts/lib/progress.mts';
import { save } from '../../test/e2e/flow.mts';
import { nextReport } from './arena.mjs';
import { medians } from './figures.mjs';
import { watchByCode, watchOurs } from './flows.mjs';
import { LATENCY_MS } from './rows.mjs';

/** `settling`: polls until all leads are known. */
const WAYS = {
	'ours, a poll': { workflow: watchOurs(3), settling: 8 },
	'Schedule and Code node': { workflow: watchByCode(15), settling: 1 },
};

/**
 * Polls of an account in which one lead is created before each.
 * @returns {Promise<object>} by way, medians: seconds of wall and CPU time, requests, bytes of state; leads lost in all
 */
export async function measureWatching(arena, { leads, polls }) {
	const results = {};
	for (const [name, way] of Object.entries(WAYS)) {
		results[name] = await watch(arena, leads, polls, way);
	}
	return results;
}

async function watch(arena, leads, count, { workflow, settling }) {
	const { client, sandbox } = arena;
	await sandbox.control('prepare', { leads, latencyMs: LATENCY_MS });
	const saved = await save(arena, workflow(arena));
	await client.publishWorkflow(saved.id);
	const polls = [];
	for (let poll = 0; poll < settling + count; poll += 1) {
		const { requests: before } = await sandbox.control('counts');
		if (poll >= settling) await sandbox.control('createLead', { externalId: `watched-${poll}` });
		const { wall, cpu, stateBytes, ids } = await nextReport(arena, saved);
		const { requests } = await sandbox.control('counts');
		polls.push({ wall, cpu, stateBytes, requests: requests - before, found: ids.length });
		const { found, ...figures } = polls.at(-1);
		say(`  ${saved.name}: ${JSON.stringify(figures)}, ${found} found`);
	}
	await client.unpublishWorkflow(saved.id);
	const measured = polls.slice(settling);
	const found = measured.reduce((sum, each) => sum + each.found, 0);
	return { ...medians(measured), lost: count - found };
}
