import { say } from '../../scripts/lib/progress.mts';
import type { Workflow } from '../../scripts/lib/workflow.mts';
import { save } from '../../test/e2e/flow.mts';
import { medians, type PollFigures } from './figures.mts';
import { watchByCode, watchOurs } from './flows.mts';
import { nextReport } from './measure.mts';
import { LATENCY_MS } from './rows.mts';
import type { BenchWorld } from './world.mts';

interface WatchingWay {
	workflow: (world: BenchWorld) => Workflow;
	/** Polls until all leads are known. */
	settling: number;
}

const WAYS: Record<string, WatchingWay> = {
	'ours, a poll': { workflow: watchOurs(3), settling: 8 },
	'Schedule and Code node': { workflow: watchByCode(15), settling: 1 },
};

/** Polls of an account in which one lead is created before each. @returns medians by way */
export async function measureWatching(
	world: BenchWorld,
	{ leads, polls }: { leads: number; polls: number },
): Promise<Record<string, PollFigures>> {
	const results: Record<string, PollFigures> = {};
	for (const [name, way] of Object.entries(WAYS)) {
		results[name] = await watch(world, leads, polls, way);
	}
	return results;
}

async function watch(
	world: BenchWorld,
	leads: number,
	count: number,
	{ workflow, settling }: WatchingWay,
): Promise<PollFigures> {
	const { client, sandbox } = world;
	await sandbox.control('prepare', { leads, latencyMs: LATENCY_MS });
	const saved = await save(world, workflow(world));
	await client.publishWorkflow(saved.id);
	const polls: Array<Omit<PollFigures, 'lost'> & { found: number }> = [];
	for (let poll = 0; poll < settling + count; poll += 1) {
		const { requests: before } = await sandbox.control('counts');
		if (poll >= settling) await sandbox.control('createLead', { externalId: `watched-${poll}` });
		const { wall, cpu, stateBytes, ids } = await nextReport(world, saved);
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
