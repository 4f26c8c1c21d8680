/**
 * What is published, and that what a newcomer has to read and a user has to look through does not grow unnoticed. Whoever raises a limit writes the
 * reason beside it. `PRINT_BUDGETS=1 npx jest test/description/budgets` prints the numbers as they are now.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sum, sumBy, uniqBy } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import { resources } from '../../nodes/IntegrationLeads/resources';
import manifest, { n8n } from '../../package.json';
import { isOf, registered } from './nodes.mts';

const LIMITS: Record<string, number> = {
	'lines of nodes/ and credentials/': 13613,
	'lines of columns/': 768,
	'lines of contract/': 993,
	'lines of conversion/': 580,
	'lines of dates/': 144,
	'lines of fields/': 726,
	'lines of find/': 274,
	// A row says what became a note.
	'lines of output/': 241,
	'lines of panels/': 237,
	'lines of pickers/': 143,
	'lines of prepare/': 477,
	'lines of requests/': 777,
	'lines of resources/': 1974,
	'lines of run/': 851,
	'lines of transport/': 1878,
	'lines of trigger/': 561,
	'lines of values/': 643,
	'lines of watch/': 787,
	'lines of whatsapp/': 706,
	'exported names': 449,
	'types and classes': 158,
	'files one item passes': 50,
	'lines one item passes': 6473,
	'files one push passes': 42,
	'lines one push passes': 5557,
	'files one list passes': 38,
	'lines one list passes': 4767,
	'files one poll passes': 44,
	'lines one poll passes': 5408,
	'kB of the package': 132,
	'options of all operations': 110,
	'options of apiRequest.request': 1,
	'options of contact.create': 3,
	'options of contact.findOrCreate': 3,
	'options of contact.get': 1,
	'options of contact.getAll': 4,
	'options of contact.lookup': 0,
	'options of contact.update': 6,
	'options of conversation.create': 2,
	'options of conversation.createForLead': 2,
	'options of conversation.findOrCreateForLead': 2,
	'options of conversation.get': 1,
	'options of conversation.getAll': 1,
	'options of conversation.getAllForLead': 1,
	'options of interaction.create': 3,
	'options of interaction.getAll': 1,
	'options of lead.addTags': 3,
	'options of lead.upsert': 16,
	'options of lead.get': 1,
	'options of lead.getAll': 10,
	'options of lead.recordSale': 5,
	'options of lead.removeTag': 0,
	'options of lead.update': 13,
	'options of lead.updateStatus': 2,
	'options of lead.getConversion': 4,
	'options of lead.getConversions': 5,
	'options of message.create': 2,
	'options of message.getAll': 1,
	'options of message.logForLead': 2,
	'options of message.logFromWhatsApp': 4,
	'options of message.updateStatus': 1,
	'options of sync.delete': 0,
	'options of sync.get': 1,
	'options of sync.push': 6,
	'options of tag.create': 2,
	'options of tag.getAll': 1,
	'options of the trigger': 6,
	// All tests of lists trust those of the sandbox, which had lost its rows.
	'lines of tests': 17064,
	'lines of scripts/': 2479,
	// What led nowhere in walks through the recipes is named in them.
	'words of pages': 17650,
};

const ROOT = join(__dirname, '../..');
const NODE = 'nodes/IntegrationLeads';

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

/** Where each begins; what it imports, directly or not, is what its reader may have to open. */
const PATHS = {
	item: 'run/execute.ts',
	push: 'requests/batch.ts',
	list: 'run/listItems.ts',
	poll: 'trigger/run.ts',
};

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const linesIn = (files: string[]): number =>
	sumBy(files, (file) => read(file).split('\n').length - 1);
const wordsIn = (files: string[]): number =>
	sumBy(files, (file) => read(file).split(/\s+/).filter(Boolean).length);
const matches = (files: string[], pattern: RegExp): number =>
	sumBy(files, (file) => read(file).match(pattern)?.length ?? 0);

function filesIn(folder: string, ending: RegExp, recursive = true): string[] {
	const names = readdirSync(join(ROOT, folder), { recursive }) as string[];
	return names.filter((name) => ending.test(name)).map((name) => join(folder, name));
}

/** The file and all that it imports from this package. */
function withImports(file: string, seen = new Set<string>()): string[] {
	if (seen.has(file)) return [];
	seen.add(file);
	for (const [, path] of read(file).matchAll(/^(?:import|export)\s[^;]*?from '(\.[^']+)'/gm)) {
		const imported = join(dirname(file), path);
		const target = [`${imported}.ts`, `${imported}/index.ts`].find((each) =>
			existsSync(join(ROOT, each)),
		);
		if (target) withImports(target, seen);
	}
	return [...seen];
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

function figures(): Record<string, number> {
	const shipped = ['nodes', 'credentials'].flatMap((folder) => filesIn(folder, /\.ts$/));
	const rooms = readdirSync(join(ROOT, NODE), { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => name);
	const [node, trigger] = registered.map((each) => each.node.description.properties);
	const options = Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.keys(operations).map((operation): [string, number] => [
			`options of ${resource}.${operation}`,
			offered(node, isOf(resource, operation)),
		]),
	);
	return {
		'lines of nodes/ and credentials/': linesIn(shipped),
		...Object.fromEntries(
			rooms.map((room) => [`lines of ${room}/`, linesIn(filesIn(`${NODE}/${room}`, /\.ts$/))]),
		),
		'exported names': matches(shipped, /^export /gm),
		'types and classes': matches(shipped, /^(?:export )?(?:abstract )?(?:interface|type|class) /gm),
		...Object.fromEntries(
			Object.entries(PATHS).flatMap(([one, entry]) => {
				const files = withImports(`${NODE}/${entry}`);
				return [
					[`files one ${one} passes`, files.length],
					[`lines one ${one} passes`, linesIn(files)],
				];
			}),
		),
		'kB of the package': Math.ceil(packed.size / 1000),
		'options of all operations': sum(options.map(([, count]) => count)),
		...Object.fromEntries(options),
		'options of the trigger': offered(trigger, () => true),
		'lines of tests': linesIn(filesIn('test', /\.(?:mts|mjs|js)$/)),
		'lines of scripts/': linesIn(
			filesIn('scripts', /\.m[jt]s$/).filter((file) => !file.includes('node_modules')),
		),
		'words of pages': wordsIn(
			['.', 'docs'].flatMap((folder) => filesIn(folder, /(?<!LICENSE)\.md$/, false)),
		),
	};
}

it('no number has grown beyond its limit', () => {
	const found = Object.entries(figures());
	if (process.env.PRINT_BUDGETS) {
		const quoted = (what: string) => (/\W/.test(what) ? `'${what}'` : what);
		process.stdout.write(found.map(([what, count]) => `\t${quoted(what)}: ${count},\n`).join(''));
	}
	const grown = found.filter(([what, count]) => count > (LIMITS[what] ?? 0));
	expect(
		grown.map(([what, count]) => `${what}: ${count}, the limit is ${LIMITS[what] ?? 'missing'}`),
	).toEqual([]);
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
