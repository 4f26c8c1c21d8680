/** README.pt-BR.md says what README.md says: the same sections with the same commands, pictures and rows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Sections that are in English only; README.pt-BR.md links to them. */
const ENGLISH_ONLY = ['Operations', 'What is not known', 'Compatibility', 'Development'];

interface Section {
	heading: string;
	level: number;
	text: string;
}

/** The sections of a page with the headings above them, without those that are in English only. */
function read(file: string): Section[] {
	const page = readFileSync(join(__dirname, '../..', file), 'utf8');
	const sections = page
		.split(/^(?=#{1,3} )/m)
		.filter((text) => text.startsWith('#'))
		.map((text) => {
			const [, marks, heading] = /^(#+) (.+)/.exec(text) ?? [];
			return { heading, level: marks.length, text };
		});
	let left = false;
	return sections.filter(({ heading, level }) => {
		if (level < 3) left = ENGLISH_ONLY.includes(heading);
		return !left;
	});
}

const all = (text: string, pattern: RegExp) =>
	[...text.matchAll(pattern)].map(([, found]) => found);

/** What must not differ: everything that is not prose. */
const shape = ({ level, text }: Section) => ({
	level,
	commands: all(text, /^( *```[^`]+```)$/gm),
	pictures: all(text, /!\[[^\]]+\]\(([^)]+)\)/g),
	examples: all(text, /\(examples\/([^)]+)\)/g),
	steps: all(text, /^(\d+)\. /gm),
	points: all(text, /^(- )/gm).length,
	// n8n shows messages in English, so they are in English in both.
	rows: all(text, /^\| ([^|]+) \|/gm).slice(1),
	labels: new Set(all(text, /\*\*([A-Z][\w ]+ > [\w ]+)\*\*/g)),
});

const english = read('README.md');
const portuguese = read('README.pt-BR.md');

test('both have the same sections', () => {
	expect(portuguese.map(({ level }) => level)).toEqual(english.map(({ level }) => level));
	expect(english.length).toBeGreaterThan(10);
});

test.each(english.map((section, n) => ({ ...section, translated: portuguese[n] })))(
	'"$heading" has the same commands, pictures and rows in both',
	({ translated, ...section }) => expect(shape(translated)).toEqual(shape(section)),
);

test('what is in English only is linked', () => {
	const page = readFileSync(join(__dirname, '../../README.pt-BR.md'), 'utf8');
	for (const heading of ENGLISH_ONLY) {
		expect(page).toContain(`(README.md#${heading.toLowerCase().replaceAll(' ', '-')})`);
	}
});
