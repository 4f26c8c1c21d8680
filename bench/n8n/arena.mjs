import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { CommandError, lastLines } from '../../scripts/lib/commandError.mts';
import { run } from '../../scripts/lib/processes.mts';
import { fromRoot } from '../../scripts/lib/repository.mts';
import { bringUp } from '../../scripts/lib/world.mts';
import { save } from '../../test/e2e/flow.mts';

/** Not a bar: a run that hangs must not hang the command. */
const RUN_LIMIT_MS = 300_000;
/** For what n8n does after an execution. */
const REST_MS = 300;
/** The first warms the service up. */
const ALONE_ROUNDS = 3;
const READER = fromRoot('bench', 'n8n', 'reader.mjs');

/** Receives what hook.cjs reports of each execution. */
async function startReports() {
	const waiting = new Map();
	const server = createServer(async (request, response) => {
		const { workflowId, ...figures } = await json(request);
		response.end();
		waiting.get(workflowId)?.(figures);
		waiting.delete(workflowId);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${server.address().port}`,
		next: (workflowId) => new Promise((resolve) => waiting.set(workflowId, resolve)),
	};
}

/** A real n8n with the packed package, the service under the benchmark, and credentials for both kinds of nodes. */
export async function openArena() {
	const reports = await startReports();
	const world = await bringUp({
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
	const { version } = JSON.parse(readFileSync(join(n8nFolder, 'package.json'), 'utf8'));
	const { stdout } = await run(node, ['--version']);
	return {
		...world,
		headerCredential,
		reports,
		axios: join(n8nFolder, '..', 'axios', 'index.js'),
		versions: { n8n: version, node: stdout.trim().slice(1) },
	};
}

/** Pages of 100 leads that the service can answer in a second, without latency and without n8n. */
export async function serviceAlone(arena) {
	const row = { scene: { leads: 50_000 }, check: () => ({}) };
	let most = 0;
	for (let round = 0; round < ALONE_ROUNDS; round += 1) {
		const { requests, wall } = await measure(arena, row, { parallel: 32 });
		most = Math.max(most, requests / wall);
	}
	return Math.round(most);
}

/**
 * One run of one way: the service is prepared, the way is run, and what it took and what became of the leads is
 * compared.
 * @returns {Promise<object>} seconds of wall and CPU time, requests, lost, repeated; the longest stretch in ms
 */
export async function measure(arena, { scene, rows, check }, way) {
	const { sandbox } = arena;
	await sandbox.control('prepare', scene);
	const rowsGiven = rows?.(await sandbox.control('ids'));
	const figures =
		typeof way === 'function'
			? await runInN8n(arena, way(arena, rowsGiven))
			: await runReader(arena, way);
	const counts = await sandbox.control('counts');
	const expected = await sandbox.control('stayed');
	const { ids, error, ...taken } = figures;
	return {
		...taken,
		stopped: Number(error !== undefined),
		requests: counts.requests,
		...check({ rows: rowsGiven, counts, ids, expected }),
	};
}

async function runInN8n(arena, workflow) {
	const saved = await save(arena, workflow);
	const figures = await nextReport(arena, saved, async () => {
		await arena.client.startWorkflow(saved.id, 'Start');
	});
	await sleep(REST_MS);
	return figures;
}

/** The figures of the next execution or poll of a workflow, which `begin` may cause. */
export async function nextReport({ reports }, { id, name }, begin = async () => {}) {
	const report = reports.next(id);
	await begin();
	const late = sleep(RUN_LIMIT_MS, undefined, { ref: false });
	const figures = await Promise.race([report, late]);
	if (!figures) throw new CommandError(`"${name}" has not ended after ${RUN_LIMIT_MS / 1000} s.`);
	if (figures.wall === undefined) throw new CommandError(`"${name}" failed: ${figures.error}`);
	return figures;
}

/** Reads all leads with axios in a process of its own. */
export async function runReader({ host, axios, sandbox, keys }, { parallel }) {
	const args = [READER, axios, sandbox.url, keys.full, String(parallel)];
	const { code, stdout, output } = await run(host.node, args);
	if (code !== 0) throw new CommandError(`Reading with axios failed:\n${lastLines(output)}`);
	return JSON.parse(stdout);
}
