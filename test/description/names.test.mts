/** One name for one thing, and no word of our own where the field has one (CONTRIBUTING.md, "Words"). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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
	const declared = new Map<string, string[]>();
	for (const { file, text } of sources) {
		for (const [, name] of text.matchAll(
			/^(?:export )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm,
		)) {
			declared.set(name, [...(declared.get(name) ?? []), file]);
		}
	}
	expect(declared.size).toBeGreaterThan(100);
	expect([...declared].filter(([, files]) => files.length > 1)).toEqual([]);
});

/** Words that this code once had meanings of its own for, whole or as a part of a name. */
const GONE =
	/\b(over)?(crowd(s|ed)?|carv(es?|ed|ing)|cold|sweeps?|echo(es)?|opaque|joiners?|calm|frozen|contested|calibrat(es?|ed|ion)|heeds?)\b/gi;

test('words that only this code would have stay out of it', () => {
	const found = sources.flatMap(({ file, text }) =>
		[
			...text
				.replace(/([a-z])(?=[A-Z])/g, '$1 ')
				.replaceAll('_', ' ')
				.matchAll(GONE),
		].map(([word]) => `${file}: ${word}`),
	);
	expect([...new Set(found)]).toEqual([]);
});

test('CONTRIBUTING explains at most 25 words, each of which the code has', () => {
	const [, words] = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split('\n## Words\n');
	const rows = words
		.split('\n## ')[0]
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.slice(2);
	const terms = rows.map((row) => row.split('|')[1].trim());
	expect(terms.length).toBeLessThanOrEqual(25);
	const code = sources.map(({ text }) => text.toLowerCase()).join('\n');
	expect(terms.filter((term) => !code.includes(term))).toEqual([]);
});
