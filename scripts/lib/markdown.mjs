/** A table with escaped cells. The first row is the head. */
export function markdownTable([head, ...rows]) {
	return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}

const line = (cells) =>
	`| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
