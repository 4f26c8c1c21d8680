/** What a release consists of agrees with itself: one version everywhere, and workflows that run what there is. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Not a dependency of ours; n8n-core brings it.
import { parse } from 'yaml';

import manifest from '../../package.json';
import lock from '../../package-lock.json';

const ROOT = join(__dirname, '../..');
const WORKFLOWS = join(ROOT, '.github/workflows');

const text = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');
const readme = text('README.md');

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, string>;
}

interface Job {
	uses?: string;
	needs?: string | string[];
	permissions?: Record<string, string>;
	strategy?: { matrix: { node: string[] } };
	steps?: Step[];
}

interface Workflow {
	on: Record<string, { tags?: string[] } | null>;
	permissions: Record<string, string>;
	jobs: Record<string, Job>;
}

const workflow = (file: string) => parse(text('.github/workflows', file)) as Workflow;

describe('the version', () => {
	const packed = new RegExp(`${manifest.name}-(\\d[\\w.-]*)\\.tgz`, 'g');

	it.each([
		['the lock file', [lock.version, lock.packages[''].version]],
		["CHANGELOG's latest entry", [/^## \[?(\S+?)\]?(\s|$)/m.exec(text('CHANGELOG.md'))?.[1]]],
		["README's installation", [...readme.matchAll(packed)].map(([, version]) => version)],
	])('is in %s that of package.json', (_, versions) => {
		expect(versions).not.toEqual([]);
		for (const version of versions) expect(version).toBe(manifest.version);
	});

	it('names the Node that development needs', () => {
		const node = manifest.engines.node.replace('>=', '');
		expect(readme).toContain(`development needs Node ${node} or newer`);
	});
});

describe.each(readdirSync(WORKFLOWS))('%s', (file) => {
	const { permissions, jobs } = workflow(file);
	const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);

	it('runs only what there is', () => {
		const runs = steps.flatMap(({ run }) => run?.split('\n') ?? []).map((line) => line.trim());
		expect(runs.length).toBeGreaterThan(0);
		const scripts = runs.flatMap((run) => [...run.matchAll(/\bnpm run ([\w:-]+)/g)]);
		for (const [, script] of scripts) expect(manifest.scripts).toHaveProperty([script]);
		const files = runs.filter((run) => run.startsWith('.')).map((run) => run.split(' ')[0]);
		for (const each of files) expect(existsSync(join(ROOT, each))).toBe(true);
	});

	it('uses actions of a fixed major version, and workflows of this repository', () => {
		const used = [...Object.values(jobs), ...steps].flatMap(({ uses }) => uses ?? []);
		expect(used).not.toEqual([]);
		for (const each of used) {
			if (each.startsWith('.')) expect(existsSync(join(ROOT, each))).toBe(true);
			else expect(each).toMatch(/^[\w-]+\/[\w-]+@v\d+/);
		}
	});

	it('may write nothing to the repository', () => {
		const granted = [permissions, ...Object.values(jobs).map((job) => job.permissions)];
		for (const each of granted) expect(each ?? permissions).toHaveProperty('contents', 'read');
	});
});

describe('publishing', () => {
	// `n8n-node release` looks for a file of this name.
	const { on, jobs } = workflow('publish.yml');

	it('begins with the tag of a version, and takes what passes the checks', () => {
		expect(Object.keys(on)).toEqual(['push']);
		expect(on.push?.tags).toEqual(['v?[0-9]+.[0-9]+.[0-9]+']);
		expect(jobs.publish.needs).toEqual(['checks', 'older-n8n']);
		expect(jobs.checks.uses).toBe('./.github/workflows/ci.yml');
		expect(workflow('ci.yml').on).toHaveProperty('workflow_call');
	});

	it('can sign where it comes from', () => {
		expect(jobs.publish.permissions).toHaveProperty('id-token', 'write');
		// npm refuses provenance for the first version of a package that does not say this.
		expect(manifest.publishConfig.access).toBe('public');
	});
});

it('CI runs on the oldest Node that package.json allows', () => {
	const versions = workflow('ci.yml').jobs.checks.strategy?.matrix.node ?? [];
	expect(versions.map((version) => `>=${version}`)).toContain(manifest.engines.node);
});
