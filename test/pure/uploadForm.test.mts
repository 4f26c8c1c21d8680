/** The example "Upload form → leads": its Code node, run as n8n runs it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Json = Record<string, unknown>;

const FILE = join(__dirname, '../../examples/upload-form-to-leads.json');
const { nodes } = JSON.parse(readFileSync(FILE, 'utf8')) as {
	nodes: Array<{ name: string; parameters: { jsCode?: string } }>;
};
const parametersOf = (wanted: string) => nodes.find(({ name }) => name === wanted)?.parameters;
const source = parametersOf('Rows of the file')?.jsCode ?? '';
const code = new Function('$', `return (async () => {${source}}).call(this)`);

/**
 * @param bytes n8n keeps none of an empty file
 * @param book what n8n reads the file as; with `sheets`, the rows of each
 */
async function run(
	bytes?: Buffer,
	book: Json[] = [{ error: 'no workbook' }],
	sheets: Record<string, unknown[][]> = {},
): Promise<Json[]> {
	const getBinaryDataBuffer = async () => await (bytes ?? Promise.reject(new Error('No data')));
	const helpers = { getBinaryDataBuffer };
	const names = Object.keys(sheets);
	const rows = Object.values(sheets).flatMap((own, item) =>
		own.map((row) => ({ json: { row }, pairedItem: { item } })),
	);
	const nodes: Json = {
		'Sheets of the file': (names.length > 0 ? names : ['']).map((sheet) => ({ json: { sheet } })),
		'Read the workbook': names.length > 0 ? rows : book.map((json) => ({ json })),
	};
	const items = (await code.call({ helpers }, (name: string) => ({
		all: () => nodes[name],
	}))) as Array<{ json: Json }>;
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
	['a line that names the separator', `sep=;\n${TEXT}`, EXPECTED],
	['commas in cells', 'A, B;C\n1, 2, 3;5', [{ 'A, B': '1, 2, 3', C: '5', row_number: 2 }]],
	[
		'cells in quotes',
		`A,B\n"${LINES.replaceAll('"', '""')}","12"" wide"`,
		[{ A: LINES, B: '12" wide', row_number: 2 }],
	],
	['a quote that is never closed', 'A;B\n"x;y', [{ A: '"x', B: 'y', row_number: 2 }]],
	['blank rows', ';\nA;B\n;\nx;y', [{ A: 'x', B: 'y', row_number: 2 }]],
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
		'A;result;row_number\nw;"created; not sent: ""B""";7\nx;refused: no;8\ny;;9\nz;won;10\nv;"created; ""A"" was left out: no";11',
		[
			{ A: 'x', result: 'refused: no', row_number: 2 },
			{ A: 'y', result: '', row_number: 3 },
			{ A: 'z', result: 'won', row_number: 4 },
			{ A: 'v', result: 'created; "A" was left out: no', row_number: 5 },
		],
	],
])('reads a file with %s', async (_, file, expected) => {
	expect(await run(Buffer.from(file as string))).toEqual(expected);
});

// What each of these would become as a lead is wrong without looking so.
test.each<[string, Buffer | undefined, RegExp]>([
	['accents of UTF-8 read as Windows-1252', Buffer.from('A;B\nx;JoÃ£o'), /accents/],
	['accents of MS-DOS', Buffer.from('A;B\nx;Jo\u00c6o;a\u0087a', 'latin1'), /accents/],
	['accents that were lost', Buffer.from('A;B\nx;Jo\ufffdo'), /accents/],
	['more cells than headings', Buffer.from('A;B\nx;y;z'), /^Row 2 has more cells/],
	['headings alone', Buffer.from('A;B\n;\n'), /no rows/],
	['nothing', Buffer.from(''), /no rows/],
	['nothing that n8n would keep', undefined, /no rows/],
	['bytes that are no text', Buffer.from('%PDF\0'), /no CSV/],
	['a PDF of text', Buffer.from('%PDF-1.4\n1 0 obj'), /no CSV/],
	['a picture', Buffer.from('ÿØÿà\0\u0010JFIF', 'latin1'), /is a picture/],
	[
		'no headings',
		Buffer.from('Ana;ana@example.com\nBia;b@example.com'),
		/no headings: "ana@example.com" in row 1 is a value/,
	],
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
	expect(rows).toEqual([{ A: 46053, B: 'x', row_number: 2 }]);
});

test.each<[string, Json[], RegExp]>([
	['is no workbook, or a locked one', [{ error: 'no ZIP' }], /no CSV or Excel file/],
	['is empty', [{}], /no rows below its headings/],
])('says that a file of Excel %s', async (_, book, reason) => {
	await expect(run(Buffer.from('PK\u0003\u0004'), book)).rejects.toThrow(reason);
});

/** What the ending page says, of the rows as they were sent and as they were read. */
function pageOf(sent: Json[], [first = {}]: Json[] = []): string[] {
	const own = parametersOf('What became of the rows')?.jsCode ?? '';
	const read = { first: () => ({ json: first }) };
	const input = { all: () => sent.map((json) => ({ json })) };
	const [{ json }] = new Function('$', '$input', own)(() => read, input) as Array<{ json: Json }>;
	return [String(json.title), ...String(json.message).split('\n\n')];
}

test('the ending page counts what was recorded, and says of each other row its value and what to do', () => {
	const refused = 'refused: "Data" must be a date: "soon". Give it as 2026-01-31';
	const leftOut =
		'created; "Fone" was left out: "3000-1" cannot be read. Write it with its area code';
	expect(
		pageOf([
			{ Nome: 'x', result: 'created; not sent: "Loja", "Vendedor"', row_number: 2 },
			{ result: 'created; not sent: "Loja", "Vendedor"', row_number: 3 },
			{ result: 'updated', row_number: 4 },
			{ result: refused, row_number: 5 },
			{ result: `${leftOut}; not sent: "Loja", "Vendedor"`, row_number: 6 },
			// Without Input With Result, whoever changed the operation.
			{ created: true },
			{ Nome: 'x', row_number: 7 },
		]),
	).toEqual([
		'Resultado de 7 linhas',
		'3 × criado',
		'1 × atualizado',
		'1 × recusado',
		'1 × com observação',
		'1 × não se sabe se foi registrado',
		'Colunas não enviadas: "Loja", "Vendedor"',
		`Linha 5: ${refused.replace('refused', 'recusado')}`,
		`Linha 6: ${leftOut.replace('created', 'criado')}`,
		'Linha 7: não se sabe se foi registrado: whether it was recorded is not known',
	]);
	const many = Array.from({ length: 300 }, (_, n) => ({ result: refused, row_number: n }));
	expect(pageOf(many).slice(201)).toEqual([
		`Row 199: ${refused}`,
		'The file has the result of all rows.',
	]);
});

test('a title above the headings and a total below the rows are no leads, and are named', async () => {
	const text =
		'Leads;;Outubro;\n\nNome;Fone;Valor;Obs;Loja\nAna;1;10;x;y\nTotal Lima;2;5;@;\nTOTAL;;15;;';
	const rows = await run(Buffer.from(text));
	const note = 'Linha 1 está acima dos cabeçalhos. Linha 6 é um total. Não enviado.';
	expect(rows.map(({ Nome, row_number }) => [Nome, row_number])).toEqual([
		['Ana', 2],
		['Total Lima', 3],
	]);
	expect(pageOf([{ result: 'created', row_number: 4 }], rows)).toEqual([
		'Result of 1 row',
		note,
		'1 × created',
	]);
	expect(pageOf([{ result: 'created' }], [{ result: 'refused: earlier' }])).toEqual([
		'Result of 1 row',
		'1 × created',
	]);
});

const BOOK = Buffer.from('PK\u0003\u0004');

test('all sheets with leads are read, and a cover and other sheets are named', async () => {
	const rows = await run(BOOK, [], {
		Capa: [['Relatório de leads'], ['Loja Sul']],
		Janeiro: [
			['Nome', 'WhatsApp'],
			['Ana', '1'],
			['Bia', '2'],
		],
		Fevereiro: [['Leads'], ['Nome', 'Telefone', 'Valor'], ['Eva', '3', 5]],
		Vazia: [],
	});
	expect(rows.map(({ Nome, Valor, row_number }) => [Nome, Valor, row_number])).toEqual([
		['Ana', undefined, 2],
		['Bia', undefined, 3],
		['Eva', 5, 4],
	]);
	expect(pageOf([{ result: 'created' }], rows).slice(1, 5)).toEqual([
		'Linha 1 (Fevereiro) está acima dos cabeçalhos. Não enviado.',
		'Aba "Janeiro": linhas 2–3',
		'Aba "Fevereiro": linhas 4–4',
		'Aba "Capa" não foi lida: nenhum cabeçalho é um e-mail, um telefone ou um ID.',
	]);
});

test('the sheets of a workbook are named by its list, without those that are hidden', async () => {
	const list =
		'<sheets><sheet name="Jan &amp; Fev" sheetId="1" r:id="a"/><sheet name="x" state="hidden"/><x:sheet sheetId="3" name="Mar&#231;o"/></sheets>';
	const own = parametersOf('Sheets of the file')?.jsCode ?? '';
	const sheetsOf = new Function('$', '$input', `return (async () => {${own}}).call(this)`);
	const run = async (binary: object) => {
		const getBinaryDataBuffer = async () => await Promise.resolve(Buffer.from(list));
		const first = () => ({ first: () => ({ binary: { File: {} } }) });
		const input = { first: () => ({ json: {}, binary }) };
		const items = (await sheetsOf.call(
			{ helpers: { getBinaryDataBuffer } },
			first,
			input,
		)) as Json[];
		return items.map(({ json }) => (json as Json).sheet);
	};
	expect(await run({ file_0: { fileName: 'workbook.xml' } })).toEqual(['Jan & Fev', 'Março']);
	expect(await run({ file_0: { fileName: 'content.xml' } })).toEqual(['']);
});
