import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { CommandError, lastLines } from '../../scripts/lib/commandError.mts';
import { serveLoopback } from '../../scripts/lib/loopback.mts';
import { run } from '../../scripts/lib/processes.mts';
import { fromRoot, root } from '../../scripts/lib/repository.mts';
import type { Credential, SavedWorkflow, Workflow } from '../../scripts/lib/workflow.mts';
import { bringUp, type World } from '../../scripts/lib/world.mts';
import { save } from '../../test/e2e/flow.mts';
import type { BenchControls, Scene } from './service.mts';

/** Not a bar: a run that hangs must not hang the command. */
const RUN_LIMIT_MS = 300_000;
/** For what n8n does after an execution. */
const REST_MS = 300;
/** The first warms the service up. */
const ALONE_ROUNDS = 3;
const READER = fromRoot('bench', 'n8n', 'reader.mts');

/** What hook.cjs reports of an execution or a poll; `wall` is missing if nothing was measured. */
interface Report {
	wall?: number;
	cpu: number;
	longestMs: number;
	stateBytes: number;
	ids: string[];
	error?: string;
	/** Of the heap, if it was measured. */
	peak?: number;
	own?: number;
}

interface Reports {
	url: string;
	next(workflowId: string): Promise<Report>;
}

/** Receives what hook.cjs reports of each execution. */
async function startReports(): Promise<Reports> {
	const waiting = new Map<string, (report: Report) => void>();
	const { url } = await serveLoopback(async (request, response) => {
		const { workflowId, ...figures } = (await json(request)) as Report & { workflowId: string };
		response.end();
		waiting.get(workflowId)?.(figures);
		waiting.delete(workflowId);
	});
	return {
		url,
		next: (workflowId) => new Promise((resolve) => waiting.set(workflowId, resolve)),
	};
}

/** A real n8n with the packed package, the service under the benchmark, and credentials for both kinds of nodes. */
export interface Arena extends World<BenchControls> {
	headerCredential: Credential;
	reports: Reports;
	/** The path of n8n's axios. */
	axios: string;
	versions: { n8n: string; node: string };
}

export async function openArena(): Promise<Arena> {
	const reports = await startReports();
	const world = await bringUp<BenchControls>({
		service: 'bench/n8n/service.mts',
		settings: {
			EXTERNAL_HOOK_FILES: fromRoot('bench', 'n8n', 'hook.cjs'),
			BENCH_REPORTS_TO: reports.url,
		},
	});
	const headerCredential = await world.client.createCredential('Header', 'httpHeaderAuth', {
		name: 'Authorization',
		value: `Bearer ${world.keys.full}`,
	});
	const { node, n8n } = world.host;
	const n8nFolder = join(dirname(n8n), '..');
	const { version } = JSON.parse(readFileSync(join(n8nFolder, 'package.json'), 'utf8')) as {
		version: string;
	};
	const { stdout } = await run(node, ['--version']);
	return {
		...world,
		headerCredential,
		reports,
		axios: join(n8nFolder, '..', 'axios', 'index.js'),
		versions: { n8n: version, node: stdout.trim().slice(1) },
	};
}

/** What a row gives to a run: rows of a spreadsheet, or the IDs of leads. */
export type Given = Array<Record<string, unknown>>;

/** A way to do something: a workflow, or requests with axios outside of n8n. */
export type Way = ((arena: Arena, rows: Given) => Workflow) | { parallel: number };

/** What became of the leads. */
export interface Outcome {
	lost: number;
	repeated: number;
}

/** What ways are compared in. */
export interface Contest {
	/** What the service holds and how it behaves. */
	scene: Partial<Scene>;
	/** The items that a run begins with. */
	rows?: (ids: string[]) => Given;
	/** @param run `ids`: of the output; `expected`: of the leads that were there all the time */
	check(run: {
		rows: Given;
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
export async function serviceAlone(arena: Arena): Promise<number> {
	const row = { scene: { leads: 50_000 }, check: () => ({}) };
	let most = 0;
	for (let round = 0; round < ALONE_ROUNDS; round += 1) {
		const { requests, wall } = await measure(arena, row, { parallel: 32 });
		most = Math.max(most, requests / wall);
	}
	return Math.round(most);
}

/** One run of one way: the service is prepared, the way is run, and what it took and what became of the leads is compared. */
export async function measure(
	arena: Arena,
	{ scene, rows, check }: Contest,
	way: Way,
): Promise<Figures> {
	const { sandbox } = arena;
	await sandbox.control('prepare', scene);
	const given = rows?.(await sandbox.control('ids')) ?? [];
	const figures =
		typeof way === 'function'
			? await runInN8n(arena, way(arena, given))
			: await runReader(arena, way);
	const counts = await sandbox.control('counts');
	const expected = await sandbox.control('stayed');
	const { ids, wall, cpu, longestMs, error, peak, own } = figures;
	return {
		...{ wall, cpu, longestMs, peak, own },
		stopped: Number(error !== undefined),
		requests: counts.requests,
		...check({ rows: given, counts, ids, expected }),
	};
}

async function runInN8n(arena: Arena, workflow: Workflow): Promise<Measured> {
	const saved = await save(arena, workflow);
	const figures = await nextReport(arena, saved, async () => {
		await arena.client.startWorkflow(saved.id, 'Start');
	});
	await sleep(REST_MS);
	return figures;
}

type Measured = Report & { wall: number };

/** The figures of the next execution or poll of a workflow, which `begin` may cause. */
export async function nextReport(
	{ reports }: Arena,
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

/** What runReader needs of an {@link Arena}. */
interface ReaderPlace {
	host: { node: string };
	axios: string;
	sandbox: { url: string };
	keys: Record<string, string>;
}

/** Reads all leads with axios in a process of its own. */
export async function runReader(
	{ host, axios, sandbox, keys }: ReaderPlace,
	{ parallel }: { parallel: number },
): Promise<Measured> {
	const args = ['--import', 'tsx', READER, axios, sandbox.url, keys.full, String(parallel)];
	const { code, stdout, output } = await run(host.node, args, { cwd: root });
	if (code !== 0) throw new CommandError(`Reading with axios failed:\n${lastLines(output)}`);
	return JSON.parse(stdout) as Measured;
}
