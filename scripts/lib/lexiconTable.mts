/** Writes the words of nodes/IntegrationLeads/lexicon/headings.ts for docs/reading.md. */
import type * as lexiconModule from '../../nodes/IntegrationLeads/lexicon/headings.ts';

type Lexicon = typeof lexiconModule;

const START = /<!-- words: .*-->\n/;
const END = '<!-- /words -->';

/** Puts the words between the two marks of the page. */
export function withWords(page: string, lexicon: Lexicon): string {
	const [start] = START.exec(page) ?? [''];
	const [before, rest] = page.split(start);
	const after = rest.slice(rest.indexOf(END));
	return `${before}${start}\n${wordsOf(lexicon)}\n\n${after}`;
}

function wordsOf(lexicon: Lexicon): string {
	const { HEADINGS, PARTS, SALE_HEADINGS } = lexicon;
	const rows = (fields: Record<string, string>) =>
		Object.values(fields).map((headings) => {
			const [label, ...others] = headings.split(', ');
			return `| ${label} | ${others.join(', ')} |`;
		});
	const lists: Array<[string, Set<string>]> = [
		['People of the row', new Set([...lexicon.BUYER, ...lexicon.OTHER_ROLES, ...lexicon.PERSON])],
		['Small words, which leave a heading what it is', lexicon.FILLERS],
		['Words for work and home', lexicon.SHARED],
		['Other people', lexicon.OTHER_PEOPLE],
	];
	return [
		'| Field | Headings |',
		'| --- | --- |',
		...rows(HEADINGS),
		...rows(PARTS),
		...rows(SALE_HEADINGS).map((row) => row.replace('| ', '| *Record Sale:* ')),
		'',
		...lists.map(([title, words]) => `- **${title}**: ${[...words].join(', ')}`),
	].join('\n');
}
