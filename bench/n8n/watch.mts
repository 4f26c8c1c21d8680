import { say } from '../../scripts/lib/progress.mts';
import { save } from '../../test/e2e/flow.mts';
import type { Workflow } from '../../scripts/lib/workflow.mts';
import { nextReport, type Arena } from './arena.mts';
import { medians, type PollFigures } from './figures.mts';
import { watchByCode, watchOurs } from './flows.mts';
import { LATENCY_MS } from './rows.mts';

interface WatchingWay {
	workflow: (arena: Arena) => Workflow;
	/** Polls until all leads are known. */
	settling: number;
}

const WAYS: Record<string, WatchingWay> = {
	'ours, a poll': { workflow: watchOurs(3), settling: 8 },
	'Schedule and Code node': { workflow: watchByCode(15), settling: 1 },
};

/** Polls of an account in which one lead is created before each. @returns medians by way */
export async function measureWatching(
	arena: Arena,
	{ leads, polls }: { leads: number; polls: number },
): Promise<Record<string, PollFigures>> {
	const results: Record<string, PollFigures> = {};
	for (const [name, way] of Object.entries(WAYS)) {
		results[name] = await watch(arena, leads, polls, way);
	}
	return results;
}

async function watch(
	arena: Arena,
	leads: number,
	count: number,
	{ workflow, settling }: WatchingWay,
): Promise<PollFigures> {
	const { client, sandbox } = arena;
	await sandbox.control('prepare', { leads, latencyMs: LATENCY_MS });
	const saved = await save(arena, workflow(arena));
	await client.publishWorkflow(saved.id);
	const polls: Array<Omit<PollFigures, 'lost'> & { found: number }> = [];
	for (let poll = 0; poll < settling + count; poll += 1) {
		const { requests: before } = await sandbox.control('counts');
		if (poll >= settling) await sandbox.control('createLead', { externalId: `watched-${poll}` });
		const { wall, cpu, stateBytes, ids } = await nextReport(arena, saved);
		const { requests } = await sandbox.control('counts');
		const figures = { wall, cpu, stateBytes, requests: requests - before };
		const found = ids.length;
		polls.push({ ...figures, found });
		say(`  ${saved.name}: ${JSON.stringify(figures)}, ${found} found`);
	}
	await client.unpublishWorkflow(saved.id);
	const measured = polls.slice(settling);
	const found = measured.reduce((sum, each) => sum + each.found, 0);
	return { ...medians(measured), lost: count - found };
}
