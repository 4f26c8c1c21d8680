/**
 * What follows from the declarations, read from dist/, and from openapi.yaml: the output previews that n8n shows before
 * a node has run, the operations table in README.md, docs/contract.md, the words in docs/reading.md, and the table of people in docs/guide.md. `npm run build` runs it, with tsx.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

import lodash from 'lodash';
import { format, resolveConfig } from 'prettier';

import type * as lexiconModule from '../nodes/IntegrationLeads/lexicon/headings.ts';
import type * as operationModule from '../nodes/IntegrationLeads/operation.ts';
import type * as resourcesModule from '../nodes/IntegrationLeads/resources/index.ts';
import { dereference, outputSchema, rules, type Rule, type Schema } from '../openapi.mts';
import { runCommand } from './lib/command.mts';
import { CommandError } from './lib/commandError.mts';
import { withWords } from './lib/lexiconTable.mts';
import { withPersons } from './lib/personTable.mts';
import { fromRoot } from './lib/repository.mts';

const NODE_FOLDER = fromRoot('dist', 'nodes', 'IntegrationLeads');
const README = fromRoot('README.md');
const CONTRACT = fromRoot('docs', 'contract.md');
const READING = fromRoot('docs', 'reading.md');
const GUIDE = fromRoot('docs', 'guide.md');
const PERSONS = fromRoot('test', 'helpers', 'persons.txt');

type Operation = operationModule.Operation;
type Resources = typeof resourcesModule.resources;

/** What a module of the build exports. */
function readBuilt(...path: string[]): unknown {
	const built = join(NODE_FOLDER, ...path);
	if (!existsSync(built)) throw new CommandError('dist/ is missing.', 'Run `npm run build` first.');
	return createRequire(import.meta.url)(built);
}

/** One file for each operation, where n8n looks for it: __schema__/v<version>/<resource>/<operation>.json */
async function writePreviews(resources: Resources): Promise<void> {
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
function previewOf(output: Operation['output']): object | undefined {
	if (output.kind === 'raw') return undefined;
	const deleted = { type: 'object', properties: { deleted: { type: 'boolean' } } };
	const fields = output.kind === 'deleted' ? deleted : previewed(outputSchema(output.record));
	return { ...fields, version: 1 };
}

/** n8n's editor knows one plain type for a field: neither lists of types nor `anyOf`. */
function previewed(schema: Schema): object {
	const { type, properties, items } = dereference(schema);
	return {
		type: [type].flat()[0],
		...(properties && { properties: lodash.mapValues(properties, previewed) }),
		...(items && { items: previewed(items) }),
	};
}

/** A table with escaped cells. The first row is the head. */
const markdownTable = ([head, ...rows]: string[][]): string =>
	[head, head.map(() => '---'), ...rows]
		.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
		.join('\n');

/** The page with another text between `<!-- operations:begin -->` and `<!-- operations:end -->`. */
const withOperations = (page: string, text: string): string =>
	page.replace(/(<!-- (operations):begin -->)[^]*(<!-- \2:end -->)/, `$1\n\n${text}\n\n$3`);

function operationsTable(resources: Resources): string {
	const { routesOf } = readBuilt('operation.js') as typeof operationModule;
	const hasRoutes = ({ operations }: Resources[string]) =>
		Object.values(operations).some((operation) => routesOf(operation).length > 0);
	const sections = lodash.sortBy(Object.values(resources), [(each) => !hasRoutes(each), 'name']);
	const rows = sections.flatMap(({ name, operations }) =>
		Object.values(
			lodash.groupBy(
				lodash.sortBy(Object.values(operations), 'name'),
				(operation) => scopeOf(operation) + otherScopesOf(operation),
			),
		).map((own) => [
			name,
			lodash.map(own, 'name').join(', '),
			scopeOf(own[0]),
			otherScopesOf(own[0]),
		]),
	);
	const table = markdownTable([['Resource', 'Operations', 'Scope', 'Also, to …'], ...rows]);
	if (!table.includes('\\*')) return table;
	return `${table}\n\n\\* Assumed: the documentation of the service names no scope for these. \`interactions:read\` is not among the ten that it lists.`;
}

function scopeOf({ scope }: Operation): string {
	if (!scope) return "the path's own";
	return typeof scope === 'string' ? `\`${scope}\`` : `\`${scope.assumed}\` \\*`;
}

/** What an operation needs other scopes for, such as: find a lead: `leads:read`. */
const otherScopesOf = ({ otherScopes = {} }: Operation): string =>
	Object.entries(otherScopes)
		.map(([purpose, scopes]) => `${purpose}: ${scopes.map((scope) => `\`${scope}\``).join(', ')}`)
		.join('; ');

const CONTRACT_HEAD = `<!-- Written by \`npm run build\` from openapi.yaml. Change that, not this page. -->

# What the node takes the service to be

[openapi.yaml](../openapi.yaml) says the same of each request and record, as \`x-certainty\`. \`npm run probe\` compares all of it with a live service. The files are below \`nodes/IntegrationLeads/\`.`;

function contractPage(): string {
	const [stated, assumed] = lodash.partition(Object.values(rules), (each) => 'stated' in each);
	const line = (each: Rule) => {
		const reason = 'stated' in each ? each.stated : each.assumed;
		return `- ${each.rule} (${reason}; \`${each.where}\`)`;
	};
	return [
		CONTRACT_HEAD,
		'## Stated',
		'By the documentation of the service, in the section named.',
		stated.map(line).join('\n'),
		'## Assumed',
		'Where the documentation is silent, for the reason named: guesses that the node is written to survive.',
		assumed.map(line).join('\n'),
		'',
	].join('\n\n');
}

await runCommand(async () => {
	const { resources } = readBuilt('resources', 'index.js') as typeof resourcesModule;
	await writePreviews(resources);
	const readme = await readFile(README, 'utf8');
	const style = await resolveConfig(CONTRACT);
	const lexicon = readBuilt('lexicon', 'headings.js') as typeof lexiconModule;
	const reading = withWords(await readFile(READING, 'utf8'), lexicon);
	const guide = withPersons(await readFile(GUIDE, 'utf8'), await readFile(PERSONS, 'utf8'));
	const pages = {
		[README]: withOperations(readme, operationsTable(resources)),
		[CONTRACT]: await format(contractPage(), { ...style, parser: 'markdown' }),
		[READING]: reading,
		[GUIDE]: guide,
	};
	for (const [file, text] of Object.entries(pages)) {
		if (existsSync(file) && (await readFile(file, 'utf8')) === text) continue;
		await writeFile(file, text);
		console.log(`Brought up to date: ${relative(fromRoot(), file)}`);
	}
	return 0;
});
