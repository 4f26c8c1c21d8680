/**
 * Checks what is published, and that files, functions and the panel stay easy to look through. `PRINT_BUDGETS=1 npx jest test/description/budgets` prints today's figures.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sumBy, uniqBy } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';
import ts from 'typescript';

import { onlyReads } from '../../nodes/IntegrationLeads/operation';
import { resources } from '../../nodes/IntegrationLeads/resources';
import manifest, { n8n } from '../../package.json';
import { isOf, registered } from './nodes.mts';

const MAX_PACKAGE_KB = 270;
/** Entries under Options and the like, of all operations together, without Only Check, which every operation that writes has. */
const MAX_OPTIONS = 122;
const MAX_FILE_LINES = 350;
const MAX_FUNCTION_LINES = 60;

const ROOT = join(__dirname, '../..');

interface Packed {
	/** Bytes. */
	size: number;
	files: Array<{ path: string }>;
}
/** The package as npm would publish it. */
const [packed] = JSON.parse(
	execFileSync('npm', ['pack', '--dry-run', '--json', '--offline', '--loglevel=error'], {
		cwd: ROOT,
		encoding: 'utf8',
		// npm is a script there.
		shell: process.platform === 'win32',
	}),
) as Packed[];

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const linesIn = (file: string): number => read(file).split('\n').length - 1;
function filesIn(folder: string, ending: RegExp, recursive = true): string[] {
	const names = readdirSync(join(ROOT, folder), { recursive }) as string[];
	return names.filter((name) => ending.test(name)).map((name) => join(folder, name));
}

/** What "Add option" and its like offer: each name once, also where it has several forms. */
function offered(
	properties: INodeProperties[],
	of: (property: INodeProperties) => boolean,
): number {
	const collections = properties.filter((each) => each.type === 'collection').filter(of);
	return sumBy(
		collections,
		({ options = [] }) => uniqBy((options as INodeProperties[]).filter(of), 'displayName').length,
	);
}

const shipped = ['nodes', 'credentials'].flatMap((folder) => filesIn(folder, /\.ts$/));

/** Functions with a body, by name; the one whose lines they are is the outermost. */
function functionsIn(file: string): Array<{ name: string; lines: number }> {
	const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
	const found: Array<{ name: string; lines: number }> = [];
	const visit = (node: ts.Node): void => {
		if (ts.isFunctionLike(node) && 'body' in node && node.body) {
			const [start, end] = [node.getStart(), node.getEnd()].map(
				(position) => source.getLineAndCharacterOfPosition(position).line,
			);
			const { line } = source.getLineAndCharacterOfPosition(node.getStart());
			found.push({ name: `${file}:${line + 1}`, lines: end - start + 1 });
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

function optionsOfOperations(): number {
	const { properties } = registered[0].node.description;
	const operations = Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.keys(operations).map((operation) => isOf(resource, operation)),
	);
	const writing = Object.values(resources)
		.flatMap(({ operations: all }) => Object.values(all))
		.filter((operation) => !onlyReads(operation));
	return sumBy(operations, (of) => offered(properties, of)) - writing.length;
}

describe('what there is to read and to look through', () => {
	const totals: Array<[what: string, count: number, limit: number]> = [
		['kB of the package', Math.ceil(packed.size / 1000), MAX_PACKAGE_KB],
		['options of all operations', optionsOfOperations(), MAX_OPTIONS],
	];
	if (process.env.PRINT_BUDGETS)
		process.stdout.write(totals.map(([what, count]) => `${what}: ${count}\n`).join(''));

	it.each(totals)('%s: %d, at most %d', (_, count, limit) => {
		expect(count).toBeLessThanOrEqual(limit);
	});

	it('no file is too long to be read at a sitting', () => {
		const long = shipped.filter((file) => linesIn(file) > MAX_FILE_LINES);
		expect(long).toEqual([]);
	});

	it('no function is too long to be read at a look', () => {
		const long = shipped.flatMap(functionsIn).filter(({ lines }) => lines > MAX_FUNCTION_LINES);
		expect(long).toEqual([]);
	});
});

describe('the package', () => {
	const files = packed.files.map(({ path }) => path);

	it('holds the build, and nothing that a user of the nodes does not need', () => {
		const beside = files.filter((file) => !file.startsWith('dist/'));
		// In English only, as n8n wants it of what is verified.
		expect(beside.sort()).toEqual(['LICENSE.md', 'README.md', 'package.json']);
		const built = files.filter((file) => file.startsWith('dist/'));
		const known = /^dist\/((nodes|credentials)\/.+\.(js|json)|icons\/[\w.]+\.svg)$/;
		const foreign = built.filter((file) => !known.test(file));
		expect(foreign).toEqual([]);
	});

	it.each([
		[n8n.nodes[0], 'WhatsApp Chatwoot WAHA Meta conversion protocolo sale venda sheet planilha'],
		[n8n.nodes[1], ''],
	])('%s is found by the words that people use for it', (built, own) => {
		const file = built.replace(/^dist\//, '').replace(/\.js$/, '.json');
		const { alias } = JSON.parse(read(file)) as { alias: string[] };
		const words = `CRM lead bulk pipeline funnel funil cliente contato etiqueta mensagem ${own}`;
		expect(alias).toEqual(expect.arrayContaining(words.trim().split(' ')));
	});

	it('holds all that it registers', () => {
		expect(files).toEqual(expect.arrayContaining([...n8n.nodes, ...n8n.credentials]));
	});

	it('needs nothing but what n8n gives it', () => {
		for (const field of [
			'dependencies',
			'optionalDependencies',
			'bundledDependencies',
			'overrides',
		])
			expect(manifest).not.toHaveProperty(field);
	});
});
