/**
 * docs/pt-BR.md is one page with what README.md, docs/recipes.md and docs/troubleshooting.md say: the same sections with
 * the same commands, pictures and rows.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Sections of README.md that are in English only; docs/pt-BR.md links to them. */
const ENGLISH_ONLY = [
	'Docker and queue mode',
	'Operations',
	'Compatibility',
	'Limits',
	'What is not known',
	'Resources',
	'Version history',
	'Development',
];

interface Section {
	heading: string;
	level: number;
	text: string;
}

const text = (file: string) => readFileSync(join(__dirname, '../..', file), 'utf8');

/** The sections of a page, as part of a page with headings above them, without those that are in English only. */
function read(file: string, above = 0): Section[] {
	const sections = text(file)
		.split(/^(?=#{1,3} )/m)
		.filter((text) => text.startsWith('#'))
		.map((text) => {
			const [, marks, heading] = /^(#+) (.+)/.exec(text) ?? [];
			return { heading, level: marks.length + above, text };
		});
	let leftAt: number | undefined;
	return sections.filter(({ heading, level }) => {
		if (leftAt !== undefined && level > leftAt) return false;
		leftAt = ENGLISH_ONLY.includes(heading) ? level : undefined;
		return leftAt === undefined;
	});
}

const all = (text: string, pattern: RegExp) =>
	[...text.matchAll(pattern)].map(([, found]) => found);

/** What must not differ: everything that is not prose. */
const shape = ({ level, text }: Section) => ({
	level,
	commands: all(text, /^( *```[^`]+```)$/gm),
	pictures: all(text, /!\[[^\]]+\]\(([^)]+)\)/g).map((path) => basename(path)),
	examples: all(text, /\((?:\.\.\/)?examples\/([^)]+)\)/g),
	steps: all(text, /^(\d+)\. /gm),
	points: all(text, /^(- )/gm).length,
	// n8n shows messages in English, so they are in English in both.
	rows: all(text, /^\| ([^|]+) \|/gm).slice(1),
	labels: new Set(all(text, /\*\*([A-Z][\w ]+ > [\w ]+)\*\*/g)),
});

const english = [
	...read('README.md'),
	...read('docs/recipes.md', 1),
	...read('docs/troubleshooting.md', 1),
];
const portuguese = read('docs/pt-BR.md');

test('both have the same sections', () => {
	expect(portuguese.map(({ level }) => level)).toEqual(english.map(({ level }) => level));
	expect(english.length).toBeGreaterThan(10);
});

test.each(english.map((section, n) => ({ ...section, translated: portuguese[n] })))(
	'"$heading" has the same commands, pictures and rows in both',
	({ translated, ...section }) => expect(shape(translated)).toEqual(shape(section)),
);

test.each(ENGLISH_ONLY)('"%s", which is in English only, is linked', (heading) => {
	const anchor = heading.toLowerCase().replaceAll(' ', '-');
	expect(text('docs/pt-BR.md')).toContain(`(../README.md#${anchor})`);
});
