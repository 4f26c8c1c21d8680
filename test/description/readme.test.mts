/** What the documentation says about the repository is true. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '../..');
const { repository, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	repository: Record<string, string>;
	scripts: Record<string, string>;
};
const documents = [root, join(root, 'docs')].flatMap((folder) =>
	readdirSync(folder)
		.filter((name) => name.endsWith('.md'))
		.map((name) => relative(root, join(folder, name))),
);

const sources = ['credentials', 'nodes'].flatMap((folder) =>
	(readdirSync(join(root, folder), { recursive: true }) as string[]).map(
		(file) => `${folder}/${file}`,
	),
);

function matches(text: string, pattern: RegExp): string[] {
	return [...new Set([...text.matchAll(pattern)].map(([, found]) => found))];
}

/** Headings as GitHub names them in links. */
function anchors(markdown: string): string[] {
	return matches(markdown, /^#+ (.+)$/gm).map((heading) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replaceAll(' ', '-'),
	);
}

describe('the README', () => {
	const readme = readFileSync(join(root, 'README.md'), 'utf8');
	const template =
		/^## (Installation|Operations|Credentials|Compatibility|Usage|Resources|Version history)$/gm;
	const examples = readdirSync(join(root, 'examples')).map((file) => {
		const { name } = JSON.parse(readFileSync(join(root, 'examples', file), 'utf8')) as {
			name: string;
		};
		return { name, file };
	});

	test("has the sections of n8n's template, and fits on a landing page", () => {
		expect(matches(readme, template)).toHaveLength(7);
		expect(readme.split('\n').length).toBeLessThanOrEqual(220);
	});

	// npm makes addresses of the repository of Markdown links, but not of all in HTML.
	test('has links that work on npm too', () => {
		expect(readme).not.toMatch(/<(a|img)\b|^\[[^\]]+\]: /im);
		expect(repository).toEqual({
			type: 'git',
			url: expect.stringMatching(/^git\+https:\/\/github\.com\/[^/]+\/[^/]+\.git$/),
		});
	});

	const recipes = readFileSync(join(root, 'docs/recipes.md'), 'utf8');
	test.each(examples)(
		'leads to the example "$name", by its name and its file',
		({ name, file }) => {
			expect(recipes).toContain(`- [${name}](../examples/${file})`);
		},
	);
});

test('the versions under Compatibility are those that are tested', () => {
	const read = (name: string) =>
		(
			JSON.parse(readFileSync(join(root, 'scripts', name, 'package.json'), 'utf8')) as {
				dependencies: Record<string, string>;
			}
		).dependencies;
	const engines = Object.keys(read('n8n-engines')).map((name) => name.replace('n8n-', ''));
	const [, section] = readFileSync(join(root, 'README.md'), 'utf8').split('\n## Compatibility\n');
	const rows = matches(section.split('\n## ')[0], /^\| (\d[\d., ]+) \|/gm);
	expect(rows.join(', ').split(', ')).toEqual([...engines, read('n8n-host').n8n]);
});

test('the code in CONTRIBUTING is the code there is', () => {
	const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
	const diffs = [...contributing.matchAll(/^```diff\n--- .+\n\+\+\+ b\/(.+)\n@@.*\n([^`]+)```$/gm)];
	expect(diffs).toHaveLength(1);
	for (const [, file, lines] of diffs) {
		const added = lines.replace(/^\+/gm, '');
		expect(readFileSync(join(root, file), 'utf8')).toContain(added);
	}
});

describe.each(documents)('%s', (document) => {
	const text = readFileSync(join(root, document), 'utf8');

	test('names only commands there are', () => {
		const named = matches(text, /(?:`|^|&& )npm (?:run )?([a-z][a-z0-9:-]*)/gm);
		const npmItself = ['audit', 'ci', 'install', 'pack', 'login', 'publish', 'version'];
		const unknown = named.filter((name) => !(name in scripts) && !npmItself.includes(name));
		expect(unknown).toEqual([]);
	});

	test('links only to what is there', () => {
		const links = matches(text, /\]\(([^)\s]+)\)/g).filter((link) => !/^[a-z]+:/.test(link));
		const broken = links.filter((link) => {
			const [path, anchor] = link.split('#');
			const target = path ? join(root, dirname(document), path) : join(root, document);
			if (!existsSync(target)) return true;
			return anchor !== undefined && !anchors(readFileSync(target, 'utf8')).includes(anchor);
		});
		expect(broken).toEqual([]);
	});

	test('names only files there are', () => {
		const files = matches(
			text,
			/`((?:nodes|credentials|sandbox|examples|bench|scripts|test|docs)\/[\w./-]*)`/g,
		);
		const tests = matches(text, /`([a-z]+\/[\w./-]+\.m[jt]s)`/g).map((file) => `test/${file}`);
		const missing = [...files, ...tests.filter((file) => !files.includes(file.slice(5)))].filter(
			(file) => !existsSync(join(root, file)),
		);
		expect(missing).toEqual([]);
		// Those of the node are named without the folders that the page states once.
		const ofNode = matches(text, /`((?:[\w-]+\/)*[\w-]+\.ts)`/g);
		expect(
			ofNode.filter((file) => !sources.some((each) => `/${each}`.endsWith(`/${file}`))),
		).toEqual([]);
	});
});
