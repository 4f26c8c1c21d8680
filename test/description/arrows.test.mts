/** Who may import whom (docs/architecture.md): what is drawn here as arrows keeps the pure parts pure. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../..');
const NODE = 'nodes/IntegrationLeads';

/** All that n8n's rules let a package take from its host. */
const HOST = ['n8n-workflow', 'zod', 'luxon', 'lodash', 'node:crypto'];

/**
 * The rooms from the lowest to the highest, and what the files of each may import apart from their own room, {@link EVERYWHERE}
 * and packages: only rooms before it.
 */
const ARROWS: Record<string, string[]> = {
	// Words in English, Portuguese and Spanish, as data.
	lexicon: [],
	// Dates as people, programs and spreadsheets write them.
	dates: ['lexicon'],
	// How a value is parsed: the same for what users give and for what the service answers.
	values: ['dates', 'lexicon'],
	contract: ['lexicon', 'values'],
	transport: ['contract/envelope', 'values'],
	'operation.ts': ['contract', 'transport', 'values'],
	// Parameters that operations share, how their values are converted, and what one of them requires of another.
	fields: ['contract', 'values', 'operation'],
	// The lead of a row: what its columns mean, and which of their values fit.
	columns: ['lexicon', 'fields', 'contract', 'values', 'operation', 'dates'],
	// The parameters of one operation that has many of its own, or of the trigger.
	panels: ['columns', 'fields', 'contract', 'values', 'operation'],
	conversion: ['values', 'contract', 'operation', 'dates'],
	whatsapp: ['values'],
	checkout: ['values', 'dates'],
	pickers: ['columns', 'fields', 'contract', 'transport', 'values', 'dates'],
	resources: [
		'panels',
		'columns',
		'fields',
		'conversion',
		'whatsapp',
		'checkout',
		'pickers',
		'contract',
		'transport/path',
		'values',
		'operation',
		'dates',
	],
	prepare: ['fields', 'operation', 'transport', 'contract', 'values'],
	output: [
		'prepare',
		'columns/cell',
		'columns/headings',
		'operation',
		'transport',
		'contract',
		'values',
	],
	find: ['columns/documented', 'prepare/draft', 'operation', 'transport', 'contract', 'values'],
	run: ['find', 'output', 'prepare', 'operation', 'transport', 'contract', 'values'],
	push: ['run', 'find', 'output', 'prepare', 'operation', 'transport', 'contract', 'values'],
	'execute.ts': [
		'columns/headings',
		'push',
		'run',
		'output',
		'prepare',
		'fields',
		'operation',
		'transport',
		'contract',
		'values',
	],
	// What one poll of the trigger reads and reports, without n8n and without a clock.
	watch: ['contract/records', 'transport/paginate', 'values'],
	trigger: [
		'watch',
		'panels',
		'columns/documented',
		'fields',
		'operation',
		'contract',
		'transport',
		'values',
	],
};

/** Messages for users. */
const EVERYWHERE = 'userError';

interface Import {
	file: string;
	/** A package, or a path from the root without an ending. */
	what: string;
}

function importsOf(folder: string): Import[] {
	const names = readdirSync(join(ROOT, folder), { recursive: true }) as string[];
	const files = names.filter((name) => /\.m?ts$/.test(name)).map((name) => join(folder, name));
	return files.flatMap((file) => {
		const { importedFiles } = ts.preProcessFile(readFileSync(join(ROOT, file), 'utf8'), true, true);
		return importedFiles.map(({ fileName }) => {
			if (!fileName.startsWith('.')) return { file, what: fileName };
			return { file, what: relative(ROOT, join(ROOT, dirname(file), fileName)) };
		});
	});
}

const shipped = [...importsOf('nodes'), ...importsOf('credentials')];

it('sees the imports', () => {
	expect(shipped).toContainEqual({ file: `${NODE}/watch/state.ts`, what: 'zod' });
	expect(shipped).toContainEqual({
		file: `${NODE}/contract/records.ts`,
		what: `${NODE}/contract/shown`,
	});
	expect(shipped.length).toBeGreaterThan(50);
});

it.each(Object.entries(ARROWS))('%s imports only what it may', (room, allowed) => {
	const own = join(NODE, room);
	const strangers = shipped.filter(({ file, what }) => {
		if (!`${file}/`.startsWith(`${own}/`) || what.startsWith(`${own}/`)) return false;
		if (!what.startsWith(`${NODE}/`)) return false;
		const name = relative(NODE, what);
		return ![...allowed, EVERYWHERE].some((each) => name === each || name.startsWith(`${each}/`));
	});
	expect(strangers).toEqual([]);
});

it('no arrow runs up', () => {
	const rooms = Object.keys(ARROWS).map((room) => room.replace('.ts', ''));
	const up = Object.values(ARROWS).flatMap((allowed, floor) =>
		allowed.filter((each) => !rooms.slice(0, floor).includes(each.split('/')[0])),
	);
	expect(up).toEqual([]);
});

it('no file imports itself through others, not even for a type', () => {
	const importsFrom = new Map<string, string[]>();
	for (const { file, what } of shipped) {
		const name = file.replace(/\.ts$/, '');
		importsFrom.set(name, [...(importsFrom.get(name) ?? []), what]);
	}
	const done = new Set<string>();
	const visit = (name: string, path: string[]): void => {
		if (path.includes(name)) throw new Error([...path, name].join(' → '));
		if (done.has(name)) return;
		for (const what of importsFrom.get(name) ?? []) visit(what, [...path, name]);
		done.add(name);
	};
	for (const name of importsFrom.keys()) visit(name, []);
	expect(done.size).toBeGreaterThan(100);
});

it('every folder of the node has its arrows', () => {
	const entries = readdirSync(join(ROOT, NODE), { withFileTypes: true });
	const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('__'));
	for (const { name } of folders) expect(Object.keys(ARROWS)).toContain(name);
});

it('what is shipped takes from its host only what it may', () => {
	const packages = shipped.map(({ what }) => what).filter((what) => !what.startsWith('nodes/'));
	expect([...new Set(packages)].filter((what) => !HOST.includes(what))).toEqual([]);
});

it('the sandbox knows the service from its specification only', () => {
	const others = /^(nodes|credentials|dist|test|probe)\//;
	expect(importsOf('sandbox').filter(({ what }) => others.test(what))).toEqual([]);
});

it('the probe reads answers with the code of the node, but sends requests with its own', () => {
	const others = /^(nodes|credentials|dist|test|sandbox)\//;
	const pure =
		/^nodes\/IntegrationLeads\/(contract\/|values\/|transport\/(baseUrl|request|response)\.ts$)/;
	const taken = importsOf('probe').filter(({ what }) => others.test(what));
	expect(taken.filter(({ what }) => !pure.test(what))).toEqual([]);
	expect(taken).not.toEqual([]);
});
