/** One name for one thing, and no word of our own where the field has one (CONTRIBUTING.md, "Words"). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Words that this code once had meanings of its own for, whole or as a part of a name. */
const GONE =
	/\b(over)?(crowd(s|ed)?|carv(es?|ed|ing)|cold|sweeps?|echo(es)?|opaque|joiners?|calm|frozen|contested|calibrat(es?|ed|ion)|heeds?)\b/gi;

test('words that only this code would have stay out of it', () => {
	const found = sources.flatMap(({ file, text }) => {
		const words = text.replace(/([a-z])(?=[A-Z])/g, '$1 ').replaceAll('_', ' ');
		return (words.match(GONE) ?? []).map((word) => `${file}: ${word}`);
	});
	expect(found).toEqual([]);
});

test('CONTRIBUTING explains at most 25 words, each of which the code has', () => {
	const [, words] = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split('\n## Words\n');
	const rows = words.split('\n## ')[0].matchAll(/^\| ([^|]+) \|/gm);
	const terms = [...rows].map(([, term]) => term).slice(2);
	expect(terms.length).toBeLessThanOrEqual(25);
	const code = sources.map(({ text }) => text.toLowerCase()).join('\n');
	expect(terms.filter((term) => !code.includes(term))).toEqual([]);
});
