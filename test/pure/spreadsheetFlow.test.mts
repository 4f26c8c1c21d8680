/** The example "Spreadsheet → leads": its Code nodes, run as n8n runs them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Json = Record<string, unknown>;

const FILE = join(__dirname, '../../examples/spreadsheet-to-leads.json');
const { nodes } = JSON.parse(readFileSync(FILE, 'utf8')) as {
	nodes: Array<{ name: string; parameters: { jsCode?: string } }>;
};

/** A Code node as a function of its input, of the bytes of the file, and of the output of other nodes. */
async function run(
	name: string,
	input: unknown[],
	bytes?: Buffer,
	others: Record<string, Json[]> = {},
) {
	const source = nodes.find((node) => node.name === name)?.parameters.jsCode ?? '';
	const code = new Function('$input', '$', `return (async () => {${source}}).call(this)`);
	const helpers = { getBinaryDataBuffer: async () => await Promise.resolve(bytes) };
	const allOf = (other: string) => ({ all: () => others[other].map((json) => ({ json })) });
	return (await code.call({ helpers }, { all: () => input }, allOf)) as unknown;
}

const rowsOf = async (bytes: Buffer) => {
	const items = await run('Rows of the file', [{ json: {}, binary: { File: {} } }], bytes);
	return (items as Array<{ json: Json }>).map(({ json }) => json);
};

const EXPECTED = [{ Nome: 'João', Obs: 'às 9h', row_number: 2 }];
const TEXT = 'Nome;Obs\nJoão;às 9h';
const WINDOWS = TEXT.replace('\n', '\r\n');
const LINES = 'separators, "quotes"\nand lines';

test.each<[string, string | Buffer, Json[]]>([
	['UTF-8', TEXT, EXPECTED],
	['a byte order mark, and line ends of Windows', `\uFEFF${WINDOWS}\r\n`, EXPECTED],
	['Windows-1252', Buffer.from(TEXT, 'latin1'), EXPECTED],
	['UTF-16', Buffer.from(`\uFEFF${TEXT}`, 'utf16le'), EXPECTED],
	['commas', TEXT.replaceAll(';', ','), EXPECTED],
	['tabs', TEXT.replaceAll(';', '\t'), EXPECTED],
	['a line that names the separator', `sep=;\n${TEXT}`, [{ ...EXPECTED[0], row_number: 3 }]],
	['commas in cells', 'A, B;C\n1, 2, 3;5', [{ 'A, B': '1, 2, 3', C: '5', row_number: 2 }]],
	[
		'cells in quotes',
		`A,B\n"${LINES.replaceAll('"', '""')}","12"" wide"`,
		[{ A: LINES, B: '12" wide', row_number: 2 }],
	],
	['a quote that is never closed', 'A;B\n"x;y', [{ A: '"x', B: 'y', row_number: 2 }]],
	['a title and blank rows', 'Leads;\n;\nA;B\n;\nx;y', [{ A: 'x', B: 'y', row_number: 5 }]],
	['a short row', 'A;B;C\nx', [{ A: 'x', B: '', C: '', row_number: 2 }]],
	[
		'two columns of one heading, and one without',
		'A;A;\nx;y;z',
		[{ A: 'x', 'A (column 2)': 'y', 'Column 3': 'z', row_number: 2 }],
	],
	['one column', 'E-mail\na@example.com', [{ 'E-mail': 'a@example.com', row_number: 2 }]],
	['sound accents', 'A;B\nMAÇÃ;D’Á…que', [{ A: 'MAÇÃ', B: 'D’Á…que', row_number: 2 }]],
])('reads a file with %s', async (_, file, expected) => {
	expect(await rowsOf(Buffer.from(file as string))).toEqual(expected);
});

// What each of these would become as a lead is wrong without looking so.
test.each<[string, Buffer, number, RegExp]>([
	['accents of UTF-8 read as Windows-1252', Buffer.from('A;B\nx;JoÃ£o'), 0, /accents/],
	['accents of MS-DOS', Buffer.from('A;B\nx;Jo\u00c6o;a\u0087a', 'latin1'), 0, /accents/],
	['accents that were lost', Buffer.from('A;B\nx;Jo\ufffdo'), 0, /accents/],
	['more cells than headings', Buffer.from('A;B\nx;y;z'), 2, /more cells/],
	['headings alone', Buffer.from('A;B\n;\n'), 0, /no rows/],
	['nothing', Buffer.from(''), 0, /no rows/],
	['bytes that are no text', Buffer.from('%PDF\0'), 0, /no CSV/],
	['rows that were all sent', Buffer.from('A;Result\nx;created\ny;updated'), 0, /sent before/],
])('refuses a file with %s', async (_, bytes, number, reason) => {
	expect(await rowsOf(bytes)).toEqual([
		{ row_number: number, Problem: expect.stringMatching(reason) },
	]);
});

test('reads the rows of a workbook, and says when it could not be opened', async () => {
	const row = (...cells: unknown[]) => ({ json: { row: cells } });
	const read = await run('Rows of the file', [row('A', 'B'), row(), row(46053, 'x')]);
	expect(read).toEqual([{ json: { A: 46053, B: 'x', row_number: 3 } }]);
	const failed = await run('Rows of the file', [{ json: { error: 'no workbook' } }]);
	expect(failed).toEqual([
		{ json: { row_number: 0, Problem: expect.stringMatching(/cannot be opened/) } },
	]);
});

test('the ending page counts rows, groups equal mistakes, and names columns that were not sent', async () => {
	const refused = Array.from({ length: 9 }, (_, index) => ({
		row_number: index + 4,
		Result: index < 7 ? `"Fone" has no country code: "${index}"` : '"External ID" is <required>',
	}));
	const rows = [
		{ row_number: 2, Result: 'created' },
		{ row_number: 3, Result: 'updated' },
		...refused,
	];
	const pushed = [
		{ notSent: ['Loja', 'Result'] },
		{ notSent: ['Loja'] },
		...refused.map(({ Result: error }, index) => ({
			error,
			message: index < 7 ? 'Begin with +.' : 'Give one.',
		})),
	];
	const page = await run('What happened', [], undefined, {
		'Push the leads': pushed,
		'Result of each row': rows,
	});
	const { title, message } = (page as { json: Record<string, string> }).json;
	expect(title).toBe('2 of 11 rows were sent');
	expect(message.split('\n\n').slice(0, 4)).toEqual([
		'<b>1</b> created, <b>1</b> updated, <b>9</b> refused',
		'<b>Not sent:</b> Loja (2 rows). A lead has no field of this name.',
		[
			...[0, 1, 2, 3, 4].map((index) => `Row ${index + 4}: "Fone" has no country code: "${index}"`),
			'The same in row 9, 10',
			'<i>Begin with +.</i>',
		].join('\n'),
		'Rows 11, 12: "External ID" is &lt;required>\n<i>Give one.</i>',
	]);
});
