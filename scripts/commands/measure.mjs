import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import ts from 'typescript';

import { readArguments } from '../lib/arguments.mjs';
import { runCommand } from '../lib/command.mjs';
import { exampleFigures } from '../lib/flows.mjs';
import { fromRoot, root } from '../lib/repository.mjs';
import { table } from '../lib/table.mjs';

const USAGE = `Counts what a newcomer has to read: lines, exported names, types, what one item passes through, words of documentation, and what is in the example workflows.

  npm run measure`;

/** Where each begins; what it imports, directly or not, is what its reader may have to open. */
const PATHS = {
	'One item': 'run/execute.ts',
	'One poll': 'trigger/run.ts',
	'One Return All': 'find/list.ts',
	'One push': 'requests/batch.ts',
};

/** How an operation is declared, and what is known of an item before anything is sent. */
const TYPES = { Operation: 'operation.ts', Plan: 'prepare/plan.ts' };

const linesIn = (text) => text.split('\n').length - 1;
const read = (file) => readFileSync(file, 'utf8');
const matches = (files, pattern) =>
	files.reduce((sum, file) => sum + (read(file).match(pattern)?.length ?? 0), 0);

/** The file and all that it imports from this package. */
function withImports(file, seen = new Set()) {
	if (seen.has(file)) return seen;
	seen.add(file);
	for (const [, path] of read(file).matchAll(/^(?:import|export)\s[^;]*?from '(\.[^']+)'/gm)) {
		const imported = join(dirname(file), path);
		const target = [`${imported}.ts`, join(imported, 'index.ts')].find((each) => existsSync(each));
		if (target) withImports(target, seen);
	}
	return seen;
}

/** Distinct members of each of the types, also of one that is a union or extends others. */
function members() {
	const fileOf = (path) => fromRoot('nodes', 'IntegrationLeads', ...path.split('/'));
	const program = ts.createProgram(Object.values(TYPES).map(fileOf), { skipLibCheck: true });
	const checker = program.getTypeChecker();
	return Object.entries(TYPES).map(([name, path]) => {
		const module = checker.getSymbolAtLocation(program.getSourceFile(fileOf(path)));
		const symbol = checker.getExportsOfModule(module).find((each) => each.name === name);
		const type = checker.getDeclaredTypeOfSymbol(symbol);
		const properties = (type.isUnion() ? type.types : [type]).flatMap((part) =>
			part.getProperties().map((property) => property.name),
		);
		return { what: `Members of ${name}`, count: new Set(properties).size };
	});
}

/** As `wc -w` counts them. */
const wordsIn = (files) =>
	files.reduce((sum, file) => sum + read(file).split(/\s+/).filter(Boolean).length, 0);

await runCommand(async () => {
	readArguments(USAGE, {});
	const filesIn = (folder, ending) =>
		readdirSync(fromRoot(folder), { recursive: true })
			.filter((file) => ending.test(file))
			.map((file) => fromRoot(folder, file));
	const shipped = ['nodes', 'credentials'].flatMap((folder) => filesIn(folder, /\.ts$/));
	const tests = filesIn('test', /\.(?:mts|mjs|js|cjs)$/);
	const pages = [
		[
			'documentation',
			['.', 'docs'].flatMap((folder) =>
				readdirSync(fromRoot(folder))
					.filter((file) => file.endsWith('.md') && file !== 'LICENSE.md')
					.map((file) => fromRoot(folder, file)),
			),
		],
		...['docs/guide.md', 'CONTRIBUTING.md'].map((page) => [page, [fromRoot(page)]]),
	];
	const counts = (files) => ({
		files: files.length,
		lines: files
			.map(read)
			.map(linesIn)
			.reduce((a, b) => a + b, 0),
	});
	const rows = [
		{ what: 'nodes/ and credentials/', ...counts(shipped) },
		{ what: 'Tests', ...counts(tests) },
		{ what: 'run/', ...counts(shipped.filter((file) => /[\\/]run[\\/]/.test(file))) },
		...Object.entries(PATHS).map(([what, entry]) => ({
			what: `${what} (${entry})`,
			...counts([...withImports(fromRoot('nodes', 'IntegrationLeads', ...entry.split('/')))]),
		})),
	];
	console.log(table(rows));
	console.log();
	console.log(
		table([
			{ what: 'Exported names', count: matches(shipped, /^export /gm) },
			{
				what: 'Types and classes',
				count: matches(shipped, /^(?:export )?(?:abstract )?(?:interface|type|class) /gm),
			},
			...members(),
			...pages.map(([what, files]) => ({ what: `Words of ${what}`, count: wordsIn(files) })),
		]),
	);
	console.log();
	console.log(
		table(
			exampleFigures().map(({ file, nodes, code, expression, tables, note }) => ({
				example: file,
				nodes,
				'lines of code': code,
				'longest expression': expression,
				'data tables': tables,
				'words of its longest note': note,
			})),
		),
	);
	return 0;
});
