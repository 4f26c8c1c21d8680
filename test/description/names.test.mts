/** One name for one thing (CONTRIBUTING.md, "Style"). */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { filter, groupBy } from 'lodash';

const ROOT = join(__dirname, '../..');

const sources = ['nodes', 'credentials'].flatMap((folder) =>
	(readdirSync(join(ROOT, folder), { recursive: true }) as string[])
		.filter((file) => file.endsWith('.ts'))
		.map((file) => ({
			file: `${folder}/${file}`,
			text: readFileSync(join(ROOT, folder, file), 'utf8'),
		})),
);

test('no two types or classes have the same name, exported or not', () => {
	const declaration = /^(?:export )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm;
	const declared = sources.flatMap(({ file, text }) =>
		[...text.matchAll(declaration)].map(([, name]) => ({ name, file })),
	);
	expect(declared.length).toBeGreaterThan(100);
	expect(filter(groupBy(declared, 'name'), ({ length }) => length > 1)).toEqual([]);
});

test('no two files of the node have the same name', () => {
	const named = sources.map(({ file }) => ({ name: basename(file), file }));
	expect(filter(groupBy(named, 'name'), ({ length }) => length > 1)).toEqual([]);
});
