import { setTimeout as sleep } from 'node:timers/promises';

import { CommandError, lastLines } from '../../scripts/lib/commandError.mts';
import { run } from '../../scripts/lib/processes.mts';
import { fromRoot, root } from '../../scripts/lib/repository.mts';
import type { SavedWorkflow, Workflow } from '../../scripts/lib/workflow.mts';
import { save } from '../../test/e2e/flow.mts';
import type { BenchControls, Setup } from './service.mts';
import type { BenchWorld, Report } from './world.mts';

/** No limit of speed: a run that hangs must not hang the command. */
const RUN_LIMIT_MS = 300_000;
/** For what n8n does after an execution. */
const REST_MS = 300;
/** The first warms the service up. */
const ALONE_ROUNDS = 3;
const READER = fromRoot('bench', 'n8n', 'reader.mts');

/** The items that a run begins with: rows of a spreadsheet, or the IDs of leads. */
export type InputRows = Array<Record<string, unknown>>;

/** A way to do something: a workflow, or requests with axios outside of n8n. */
export type Way = ((world: BenchWorld, rows: InputRows) => Workflow) | { parallel: number };

/** What became of the leads. */
export interface Outcome {
	lost: number;
	repeated: number;
}

/** What every way has to do. */
export interface Task {
	/** What the service holds and how it behaves. */
	setup: Partial<Setup>;
	/** What a run begins with; `ids`: of the leads that the service holds. */
	rows?: (ids: string[]) => InputRows;
	/** @param run `ids`: of the output; `expected`: of the leads that were there all the time */
	check(run: {
		rows: InputRows;
		counts: ReturnType<BenchControls['counts']>;
		ids: string[];
		expected: string[];
	}): Partial<Outcome>;
}

/** Seconds of wall and CPU time, requests, and what became of the leads; the longest stretch in ms. */
export interface Figures extends Partial<Outcome> {
	wall: number;
	cpu: number;
	longestMs?: number;
	/** Whether the workflow stopped with an error: 1. */
	stopped: number;
	requests: number;
	peak?: number;
	own?: number;
}

/** Pages of 100 leads that the service can answer in a second, without latency and without n8n. */
export async function serviceAlone(world: BenchWorld): Promise<number> {
	const task = { setup: { leads: 50_000 }, check: () => ({}) };
	let most = 0;
	for (let round = 0; round < ALONE_ROUNDS; round += 1) {
		const { requests, wall } = await measure(world, task, { parallel: 32 });
		most = Math.max(most, requests / wall);
	}
	return Math.round(most);
}

/** Prepares the service, does the task in one way, and compares the leads with what was to become of them. */
export async function measure(
	world: BenchWorld,
	{ setup, rows, check }: Task,
	way: Way,
): Promise<Figures> {
	const { sandbox } = world;
	await sandbox.control('prepare', setup);
	const input = rows?.(await sandbox.control('ids')) ?? [];
	const figures =
		typeof way === 'function'
			? await runInN8n(world, way(world, input))
			: await runReader(world, way);
	const counts = await sandbox.control('counts');
	const expected = await sandbox.control('stayed');
	const { ids, wall, cpu, longestMs, error, peak, own } = figures;
	return {
		...{ wall, cpu, longestMs, peak, own },
		stopped: Number(error !== undefined),
		requests: counts.requests,
		...check({ rows: input, counts, ids, expected }),
	};
}

async function runInN8n(world: BenchWorld, workflow: Workflow): Promise<Measured> {
	const saved = await save(world, workflow);
	const figures = await nextReport(world, saved, async () => {
		await world.client.startWorkflow(saved.id, 'Start');
	});
	await sleep(REST_MS);
	return figures;
}

type Measured = Report & { wall: number };

/** The figures of the next execution or poll of a workflow, which `begin` may cause. */
export async function nextReport(
	{ reports }: BenchWorld,
	{ id, name }: SavedWorkflow,
	begin = async () => {},
): Promise<Measured> {
	const report = reports.next(id);
	await begin();
	const late = sleep(RUN_LIMIT_MS, undefined, { ref: false });
	const figures = await Promise.race([report, late]);
	if (!figures) throw new CommandError(`"${name}" has not ended after ${RUN_LIMIT_MS / 1000} s.`);
	const { wall, error } = figures;
	if (wall === undefined) throw new CommandError(`"${name}" failed: ${error}`);
	return { ...figures, wall };
}

/** What is used of a {@link BenchWorld}. */
interface ReaderWorld {
	host: { node: string };
	axios: string;
	sandbox: { url: string };
	keys: Record<string, string>;
}

/** Reads all leads with axios in a process of its own. */
export async function runReader(
	{ host, axios, sandbox, keys }: ReaderWorld,
	{ parallel }: { parallel: number },
): Promise<Measured> {
	const args = ['--import', 'tsx', READER, axios, sandbox.url, keys.full, String(parallel)];
	const { code, stdout, output } = await run(host.node, args, { cwd: root });
	if (code !== 0) throw new CommandError(`Reading with axios failed:\n${lastLines(output)}`);
	return JSON.parse(stdout) as Measured;
}
