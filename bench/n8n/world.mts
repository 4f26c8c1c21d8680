import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';

import { serveLoopback } from '../../scripts/lib/loopback.mts';
import { run } from '../../scripts/lib/processes.mts';
import { fromRoot } from '../../scripts/lib/repository.mts';
import type { Credential } from '../../scripts/lib/workflow.mts';
import { bringUp, type World } from '../../scripts/lib/world.mts';
import type { BenchControls } from './service.mts';

/** What hook.cjs reports of an execution or a poll; `wall` is missing if nothing was measured. */
export interface Report {
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
export interface BenchWorld extends World<BenchControls> {
	headerCredential: Credential;
	reports: Reports;
	/** The path of n8n's axios. */
	axios: string;
	versions: { n8n: string; node: string };
}

export async function openBenchWorld(): Promise<BenchWorld> {
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
