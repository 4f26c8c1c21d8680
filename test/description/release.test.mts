/** What a release consists of agrees with itself: one version everywhere, and workflows that run what there is. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Not a dependency of ours; n8n-core brings it.
import { parse } from 'yaml';
import { z } from 'zod';

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

/** GitHub's page "Syntax for issue forms": a form that is wrong is not offered, without a word. */
const words = z.string().trim().min(1);
const field = { label: words, description: words.optional(), placeholder: words.optional() };
const formElement = <T extends string, S extends z.ZodRawShape>(type: T, attributes: S) =>
	z.strictObject({
		type: z.literal(type),
		id: z
			.string()
			.regex(/^[\w-]+$/)
			.optional(),
		attributes: z.strictObject(attributes),
		validations: z.strictObject({ required: z.boolean() }).optional(),
	});
const issueForm = z.strictObject({
	name: words,
	description: words,
	labels: z.array(words),
	body: z.array(
		z.discriminatedUnion('type', [
			formElement('markdown', { value: words }),
			formElement('input', field),
			formElement('textarea', { ...field, render: words.optional() }),
			formElement('dropdown', { ...field, options: z.array(words).min(1) }),
		]),
	),
});

describe.each(readdirSync(join(ROOT, '.github/ISSUE_TEMPLATE')))('the issue form %s', (file) => {
	const source = text('.github/ISSUE_TEMPLATE', file);

	it('is one that GitHub takes', () => {
		const fields = issueForm.parse(parse(source)).body.filter(({ type }) => type !== 'markdown');
		expect(fields).not.toEqual([]);
		expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
	});

	it('names commands there are', () => {
		for (const [, script] of source.matchAll(/npm run ([\w:-]+)/g)) {
			expect(manifest.scripts).toHaveProperty([script]);
		}
	});
});

it.each([
	'README.md',
	'credentials/IntegrationLeadsApi.credentials.ts',
	...readdirSync(join(ROOT, 'nodes/IntegrationLeads')).flatMap((file) =>
		file.endsWith('.node.json') ? [`nodes/IntegrationLeads/${file}`] : [],
	),
	...readdirSync(join(ROOT, '.github/ISSUE_TEMPLATE')).map(
		(file) => `.github/ISSUE_TEMPLATE/${file}`,
	),
])('%s links to the repository of package.json, and to what is in it', (file) => {
	const repository = manifest.repository.url.replace(/^git\+|\.git$/g, '');
	const links = text(file).match(/https:\/\/github\.com\/[^)'"\s]+/g) ?? [];
	expect(links).not.toEqual([]);
	for (const link of links) {
		const [, path] = link.split(repository);
		if (path.startsWith('/blob/HEAD/')) {
			expect(existsSync(join(ROOT, path.replace('/blob/HEAD/', '')))).toBe(true);
		} else expect(['#readme', '#credentials', '/issues']).toContain(path);
	}
});

it('CI runs on the oldest Node that package.json allows', () => {
	const versions = workflow('ci.yml').jobs.checks.strategy?.matrix.node ?? [];
	expect(versions.map((version) => `>=${version}`)).toContain(manifest.engines.node);
});
