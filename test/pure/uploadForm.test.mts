/** The example "Upload form → leads": its Code node, run as n8n runs it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Json = Record<string, unknown>;

const FILE = join(__dirname, '../../examples/upload-form-to-leads.json');
const { nodes } = JSON.parse(readFileSync(FILE, 'utf8')) as {
	nodes: Array<{
		name: string;
		parameters: { jsCode?: string; assignments?: { assignments: Array<{ value: string }> } };
	}>;
};
const parametersOf = (wanted: string) => nodes.find(({ name }) => name === wanted)?.parameters;
const source = parametersOf('Rows of the file')?.jsCode ?? '';
const code = new Function('$', `return (async () => {${source}}).call(this)`);

/** @param book what n8n reads the file as */
async function run(bytes: Buffer, book: Json[] = [{ error: 'no workbook' }]): Promise<Json[]> {
	const helpers = { getBinaryDataBuffer: async () => await Promise.resolve(bytes) };
	const read = { all: () => book.map((json) => ({ json })) };
	const items = (await code.call({ helpers }, () => read)) as Array<{ json: Json }>;
	return items.map(({ json }) => json);
}

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
	// Only what is not recorded is sent, and a column of the user's own is no result.
	[
		'results',
		'A;result;row_number\nw;"created; not sent: ""B""";7\nx;refused: no;8\ny;;9\nz;won;10',
		[
			{ A: 'x', result: 'refused: no', row_number: 3 },
			{ A: 'y', result: '', row_number: 4 },
			{ A: 'z', result: 'won', row_number: 5 },
		],
	],
])('reads a file with %s', async (_, file, expected) => {
	expect(await run(Buffer.from(file as string))).toEqual(expected);
});

// What each of these would become as a lead is wrong without looking so.
test.each<[string, Buffer, RegExp]>([
	['accents of UTF-8 read as Windows-1252', Buffer.from('A;B\nx;JoÃ£o'), /accents/],
	['accents of MS-DOS', Buffer.from('A;B\nx;Jo\u00c6o;a\u0087a', 'latin1'), /accents/],
	['accents that were lost', Buffer.from('A;B\nx;Jo\ufffdo'), /accents/],
	['more cells than headings', Buffer.from('A;B\nx;y;z'), /^Row 2 has more cells/],
	['headings alone', Buffer.from('A;B\n;\n'), /no rows/],
	['nothing', Buffer.from(''), /no rows/],
	['bytes that are no text', Buffer.from('%PDF\0'), /no CSV/],
	['a PDF of text', Buffer.from('%PDF-1.4\n1 0 obj'), /no CSV/],
	['a picture', Buffer.from('ÿØÿà\0\u0010JFIF', 'latin1'), /no CSV/],
	['rows that were all recorded', Buffer.from('A;result\nx;created\ny;unclear: no'), /before/],
])('refuses a file with %s', async (_, bytes, reason) => {
	await expect(run(bytes)).rejects.toThrow(reason);
});

test.each([
	['Excel', 'PK\u0003\u0004'],
	['old Excel', '\u00d0\u00cf\u0011'],
	['a table of a web page', '<html>'],
])('takes what n8n reads of %s, whatever the name of the file', async (_, start) => {
	const book = [
		['A', 'B'],
		['', ''],
		[46053, 'x'],
	].map((row) => ({ row }));
	const rows = await run(Buffer.from(start, 'latin1'), book);
	expect(rows).toEqual([{ A: 46053, B: 'x', row_number: 3 }]);
});

const ZIP = Buffer.from('PK\u0003\u0004');

test.each<[string, Json, RegExp]>([
	['is no workbook, or a locked one', { error: 'Unsupported ZIP file' }, /no CSV or Excel file/],
	['is empty', {}, /no rows below its headings/],
])('says that a file of Excel %s', async (_, read, reason) => {
	await expect(run(ZIP, [read])).rejects.toThrow(reason);
});

const [reason] = parametersOf('Reasons alone')?.assignments?.assignments ?? [];
const reasonOf = new Function('$json', `return ${reason?.value.slice(4, -3)}`) as (
	json: Json,
) => string;

test('says that an empty file has no rows, of which n8n keeps nothing', async () => {
	const helpers = { getBinaryDataBuffer: async () => await Promise.reject(new Error('No data')) };
	const reading = code.call({ helpers }, () => ({ all: () => [] })) as Promise<unknown>;
	await expect(reading).rejects.toThrow(/no rows below its headings/);
});

test('90 rows with the same mistake are one reason on the ending page', () => {
	const reasons = Array.from({ length: 90 }, (_, n) =>
		reasonOf({ result: `refused: "Fone" has no country code: "3000-${n}". Write it with +` }),
	);
	expect(new Set(reasons)).toEqual(
		new Set(['refused: "Fone" has no country code: …. Write it with +']),
	);
});

test.each([
	['created; not sent: "Loja", "Vendedor"', 'created; not sent: "Loja", "Vendedor"'],
	[
		'refused: The leads service did not accept the lead "row-7": bad phone',
		'refused: The leads service did not accept the lead …: bad phone',
	],
	[
		'created; "Lead Status" was left out: "Paid" is not documented; not sent: "Loja"',
		'created; "Lead Status" was left out: … is not documented; not sent: "Loja"',
	],
	[
		'created; "Status" was left out: "won" may mean something else. Rename the column to "Lead Status"',
		'created; "Status" was left out: … may mean something else. Rename the column to "Lead Status"',
	],
	[
		'refused: "Email" and "Phone" are empty, and the lead is found by one of them',
		'refused: "Email" and "Phone" are empty, and the lead is found by one of them',
	],
])('%j is counted with its columns, and without its values', (result, expected) => {
	expect(reasonOf({ result })).toBe(expected);
});
