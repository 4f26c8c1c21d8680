/**
 * What follows from the declarations, read from dist/: the output previews that n8n shows before a node has run, and
 * the operations table in README.md. `npm run build` runs it; with --check it only says whether README.md is current.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import lodash from 'lodash';
import { zodToJsonSchema } from 'zod-to-json-schema';

import { runCommand } from './lib/command.mjs';
import { Problem } from './lib/problem.mjs';
import { fromRoot } from './lib/repository.mjs';

const NODE_FOLDER = fromRoot('dist', 'nodes', 'IntegrationLeads');
const README = fromRoot('README.md');
const BEGIN = '<!-- operations:begin -->';
const END = '<!-- operations:end -->';

function readResources() {
	const built = join(NODE_FOLDER, 'resources', 'index.js');
	if (!existsSync(built)) throw new Problem('dist/ is missing.', 'Run `npm run build` first.');
	return createRequire(import.meta.url)(built).resources;
}

/** One file for each operation, where n8n looks for it: __schema__/v<version>/<resource>/<operation>.json */
async function writePreviews(resources) {
	const folder = join(NODE_FOLDER, '__schema__');
	await rm(folder, { recursive: true, force: true });
	for (const [resource, { operations }] of Object.entries(resources)) {
		for (const [operation, { output }] of Object.entries(operations)) {
			const preview = previewOf(output);
			if (!preview) continue;
			const file = join(folder, 'v1.0.0', resource, `${operation}.json`);
			await mkdir(dirname(file), { recursive: true });
			await writeFile(file, `${JSON.stringify(preview, null, '\t')}\n`);
		}
	}
}

/**
 * The fields of one output item, as n8n's own nodes describe them. Nothing for an output that may be anything: an
 * empty preview would say that there are no fields.
 */
function previewOf(output) {
	switch (output.kind) {
		case 'anything':
			return undefined;
		case 'deleted':
			return { type: 'object', properties: { deleted: { type: 'boolean' } }, version: 1 };
		default:
			return { ...toJsonSchema(output.record.schema), version: 1 };
	}
}

/** n8n's editor knows one plain type for a field: neither lists of types nor `anyOf`, which "or null" would make. */
function toJsonSchema(schema) {
	const unread = ['$schema', 'nullable', 'required', 'additionalProperties'];
	const plain = zodToJsonSchema(schema, {
		// This dialect marks "or null" with a flag of its own, which can be left out.
		target: 'openApi3',
		$refStrategy: 'none',
		postProcess: (part) => part && lodash.omit(part, unread),
	});
	return lodash.omit(plain, unread);
}

function operationsTable(resources) {
	const hasRoutes = ({ operations }) => Object.values(operations).some(({ route }) => route);
	const sections = lodash.sortBy(Object.values(resources), [(each) => !hasRoutes(each), 'name']);
	const operations = sections.flatMap((resource) => Object.values(resource.operations));
	return [
		...sections.map(section),
		...(operations.some(({ scope }) => scope?.assumed)
			? [
					'\\* The documentation of the service names no scope for this operation; this one is assumed.',
				]
			: []),
	].join('\n\n');
}

function section({ name, description, operations }) {
	const rows = lodash
		.sortBy(Object.values(operations), 'name')
		.map((operation) => [
			operation.name,
			operation.description,
			operation.route ? `\`${operation.route}\`` : 'any path',
			scopeOf(operation),
		]);
	const table = [
		['Operation', 'What it does', 'Route', 'Scope'],
		['---', '---', '---', '---'],
		...rows,
	];
	return `### ${name}\n\n${description}.\n\n${table.map(line).join('\n')}`;
}

function scopeOf({ route, scope }) {
	if (!scope) return route ? 'not documented' : "the path's own";
	return typeof scope === 'string' ? `\`${scope}\`` : `\`${scope.assumed}\` \\*`;
}

function line(cells) {
	return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** README.md with the table as it should be. */
function withTable(readme, table) {
	const [before, rest] = readme.split(BEGIN);
	const after = rest?.split(END)[1];
	if (after === undefined) {
		throw new Problem(`README.md has no place for the operations table: ${BEGIN} … ${END}.`);
	}
	return `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;
}

await runCommand(async () => {
	const resources = readResources();
	const readme = await readFile(README, 'utf8');
	const current = withTable(readme, operationsTable(resources));
	if (process.argv.includes('--check')) {
		if (readme === current) return 0;
		throw new Problem(
			'The operations table in README.md does not match the declarations.',
			'Run `npm run build`, which rewrites it, and commit README.md.',
		);
	}
	await writePreviews(resources);
	if (readme !== current) {
		await writeFile(README, current);
		console.log('README.md: the operations table was brought up to date');
	}
	return 0;
});
