const MAX_CELL = 100;

const cell = (value: unknown): string => {
	const text = String(value ?? '').replace(/\s+/g, ' ');
	return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text;
};

/** A plain text table; the columns are the keys of the first row. */
export function table(rows: Array<Record<string, unknown>>): string {
	if (rows.length === 0) return '';
	const columns = Object.keys(rows[0]);
	const lines = [columns, ...rows.map((row) => columns.map((column) => cell(row[column])))];
	const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i].length)));
	return lines.map((line) => line.map((text, i) => text.padEnd(widths[i])).join('  ')).join('\n');
}
