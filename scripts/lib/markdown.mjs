import { Problem } from './problem.mjs';

/** A table with escaped cells. The first row is the head. */
export function markdownTable([head, ...rows]) {
	return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}

const line = (cells) =>
	`| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;

/**
 * A page with its generated part replaced: what stands between `<!-- name:begin -->` and `<!-- name:end -->`.
 * @param {string} page
 * @param {string} name
 * @param {string} text
 */
export function withGenerated(page, name, text) {
	const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
	const [before, rest] = page.split(begin);
	const after = rest?.split(end)[1];
	if (after === undefined) {
		throw new Problem(`The page has no place for what is generated: ${begin} … ${end}.`);
	}
	return `${before}${begin}\n\n${text}\n\n${end}${after}`;
}
