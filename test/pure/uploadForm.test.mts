/** The example "Upload form → leads": its Code node, run as n8n runs it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Json = Record<string, unknown>;

const FILE = join(__dirname, '../../examples/upload-form-to-leads.json');
const { nodes } = JSON.parse(readFileSync(FILE, 'utf8')) as {
	nodes: Array<{ name: string; parameters: { jsCode?: string } }>;
};
const parametersOf = (wanted: string) => nodes.find(({ name }) => name === wanted)?.parameters;
const source = parametersOf('Rows of the file')?.jsCode ?? '';
const code = new Function('$', '$input', `return (async () => {${source}}).call(this)`);
/** The file, under whatever name its field has. */
const uploaded = { first: () => ({ binary: { Arquivo: {} } }) };

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
	const items = (await code.call(
		{ helpers },
		(name: string) => ({ all: () => nodes[name] }),
		uploaded,
	)) as Array<{ json: Json }>;
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
	['blank rows', ';\nA;B\n;\nx;y', [{ A: 'x', B: 'y', row_number: 4 }]],
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
			{ A: 'x', result: 'refused: no', row_number: 3 },
			{ A: 'y', result: '', row_number: 4 },
			{ A: 'z', result: 'won', row_number: 5 },
			{ A: 'v', result: 'created; "A" was left out: no', row_number: 6 },
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
	expect(rows).toEqual([{ A: 46053, B: 'x', row_number: 3 }]);
});

test.each<[string, Json[], RegExp]>([
	['is no workbook, or a locked one', [{ error: 'no ZIP' }], /no CSV or Excel file/],
	['is empty', [{}], /no rows below its headings/],
])('says that a file of Excel %s', async (_, book, reason) => {
	await expect(run(Buffer.from('PK\u0003\u0004'), book)).rejects.toThrow(reason);
});

/** Runs a Code node on items. `of` has the items of other nodes by their names. */
function runOn(node: string, sent: Json[], of: Record<string, Json[]>): Json[] {
	const items = (all: Json[]) => all.map((json) => ({ json }));
	const read = (name: string) => ({ all: () => items(of[name]), first: () => items(of[name])[0] });
	const input = { all: () => items(sent), first: () => items(sent)[0] };
	const own = new Function('$', '$input', parametersOf(node)?.jsCode ?? '');
	return (own(read, input) as Array<{ json: Json }>).map(({ json }) => json);
}

/** What the page that asks says. @param checked what the node said of the rows */
function askedOf(
	rows: Json[],
	checked: Json[],
): Record<'title' | 'button' | 'html' | 'label', string> & Json {
	const [page] = runOn('What would be sent', checked, { 'Rows of the file': rows });
	const [{ html }, file] = JSON.parse(String(page.fields)) as [{ html: string }, Json];
	return {
		...page,
		title: String(page.title),
		button: String(page.button),
		html,
		label: String(file.fieldLabel),
		file,
	};
}

/** What the ending page says, of the rows as they were sent and as they were read. */
function pageOf(sent: Json[], read: Json[] = []): string[] {
	const rows = read.length > 0 ? read : sent;
	const [asked] = runOn('What would be sent', [], { 'Rows of the file': rows });
	const of = { 'Rows of the file': read.length > 0 ? read : [{}], 'What would be sent': [asked] };
	const [{ title, message }] = runOn('What became of the rows', sent, of);
	return [String(title), ...String(message).split('\n\n')];
}

test('the ending page counts what was recorded, and says of each other row its value and what to do', () => {
	const refused =
		'refused: "Data" must be a date: "soon". Give it as 2026-01-31, 2026-01-31T14:30:00Z or 31/01/2026 14:30';
	const leftOut = 'created; "Fone" was left out: "3000-1" cannot be read';
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
		'Linha 5: recusado: "Data" deve ser uma data: "soon". Escreva como 31/01/2026',
		'Linha 6: criado; "Fone" ficou de fora: "3000-1" não pode ser lido',
		'Linha 7: não se sabe se foi registrado: procure-o no serviço de leads',
	]);
	const many = Array.from({ length: 300 }, (_, n) => ({ result: refused, row_number: n }));
	expect(pageOf(many).slice(201)).toEqual([
		`Row 199: ${refused}`,
		'The file has the result of all rows.',
	]);
});

test('the reasons that the pages translate are those of the node', () => {
	const [{ reasons: table }] = runOn('What would be sent', [], {
		'Rows of the file': [{ Nome: 'Ana' }],
	});
	const folder = join(__dirname, '../../nodes/IntegrationLeads');
	const files = (readdirSync(folder, { recursive: true }) as string[]).filter((name) =>
		name.endsWith('.ts'),
	);
	const shipped = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
	const reasons = Object.keys(table as object).map((reason) =>
		reason.trim().replace(/ rows?$/, ''),
	);
	expect(reasons.filter((reason) => !shipped.includes(reason))).toEqual([]);
});

test('what a file is that cannot be read is said in both languages, and else in that of its headings', async () => {
	await expect(run(Buffer.from('%PDF-1.4'))).rejects.toThrow(
		/has a password\. Não é um arquivo CSV/,
	);
	await expect(run(Buffer.from('Contato;Fone\n;'))).rejects.toThrow(/^Não tem linhas abaixo/);
	await expect(run(Buffer.from('Name;Phone\n;'))).rejects.toThrow(
		/^It has no rows below its headings$/,
	);
});

test('a sheet whose headings only contain the letters of another word is none of leads', async () => {
	const rows = await run(BOOK, [], {
		Leads: [
			['Nome', 'Celular'],
			['Ana', '1'],
		],
		Financeiro: [
			['Parcela', 'Hotel'],
			['1', 'x'],
		],
	});
	expect(rows).toHaveLength(1);
});

test('a title above the headings and a total below the rows are no leads, and are named', async () => {
	const text =
		'Leads;;Outubro;\n\nNome;Fone;Valor;Obs;Loja\nAna;1;10;x;y\nTotal Lima;2;5;@;\nTOTAL;;15;;';
	const rows = await run(Buffer.from(text));
	const note = 'Linha 1 está acima dos cabeçalhos. Linha 6 é um total. Não enviado.';
	expect(rows.map(({ Nome, row_number }) => [Nome, row_number])).toEqual([
		['Ana', 4],
		['Total Lima', 5],
	]);
	expect(pageOf([{ result: 'created', row_number: 4 }], rows)).toEqual([
		'Resultado de 1 linha',
		note,
		'1 × criado',
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
		['Ana', undefined, '2 (Janeiro)'],
		['Bia', undefined, '3 (Janeiro)'],
		['Eva', 5, '3 (Fevereiro)'],
	]);
	expect(pageOf([{ result: 'created' }], rows).slice(1, 5)).toEqual([
		'Linha 1 (Fevereiro) está acima dos cabeçalhos. Não enviado.',
		'Aba "Janeiro": linhas 2–3 do arquivo que volta',
		'Aba "Fevereiro": linha 4 do arquivo que volta',
		'Aba "Capa" não foi lida: nenhum cabeçalho é um e-mail, um telefone ou um ID.',
	]);
});

/** The names of the sheets, from a file in the workbook, or from the workbook itself. */
async function sheetsOf(workbook: Buffer, fileName = '', content = ''): Promise<unknown[]> {
	const runNode = async (name: string, binary: object, bytes: Buffer, archive: Json = {}) => {
		const own = new Function(
			'$',
			'$input',
			`return (async () => {${parametersOf(name)?.jsCode}}).call(this)`,
		);
		const helpers = { getBinaryDataBuffer: async () => await Promise.resolve(bytes) };
		const first = () => ({ binary, json: archive });
		const items = (await own.call({ helpers }, () => ({ first }), { first })) as Json[];
		return items.map(({ json }) => json as Json);
	};
	const [archive] = await runNode('As an archive', { File: {} }, workbook);
	const unpacked = fileName ? { file_0: { fileName } } : {};
	const items = await runNode('Sheets of the file', unpacked, Buffer.from(content), archive);
	return items.map(({ sheet }) => sheet);
}

/** As [MS-XLS] 2.4.28 has it. */
const boundSheet = (name: string, { isHidden = false } = {}) => {
	const text = Buffer.from(name, 'utf16le');
	const head = [0x85, 0, 8 + text.length, 0, 1, 2, 3, 0, Number(isHidden), 0, name.length, 1];
	return Buffer.concat([Buffer.from(head), text]);
};

test.each<[string, Parameters<typeof sheetsOf>, string[]]>([
	[
		'.xlsx',
		[
			BOOK,
			'workbook.xml',
			'<sheets><sheet name="Jan &amp; Fev" sheetId="1" r:id="a"/><sheet name="x" state="hidden"/><x:sheet sheetId="3" name="Mar&#231;o"/></sheets>',
		],
		['Jan & Fev', 'Março'],
	],
	[
		'.ods',
		[
			BOOK,
			'content.xml',
			'<table:table table:name="Jan" table:style-name="ta1"><table:table-row/></table:table><table:table table:style-name="a" table:name="Fev"/>',
		],
		['Jan', 'Fev'],
	],
	[
		'.xls',
		[
			Buffer.concat([
				Buffer.from('\u00d0\u00cf\u0011', 'latin1'),
				boundSheet('Janeiro'),
				boundSheet('x', { isHidden: true }),
				boundSheet('Março'),
			]),
		],
		['Janeiro', 'Março'],
	],
	['.csv', [Buffer.from('Nome;Fone'), 'other.xml'], ['']],
])(
	'the sheets of an %s are named by its list, without those that are hidden',
	async (_, given, expected) => {
		expect(await sheetsOf(...given)).toEqual(expected);
	},
);

const ROWS: Json[] = [
	{
		Nome: 'Ana',
		'E-mail': 'ana@example.com',
		Valor: 'R$ 10',
		Loja: '<b>Sul</b>',
		Obs: '',
		row_number: 4,
	},
	{ Nome: 'Bia', 'E-mail': 'bia@example.com', Valor: 'dez', row_number: 5 },
	{ Nome: 'Bia', 'E-mail': 'bia@example.com', row_number: 6 },
	{ Nome: 'Eva', 'E-mail': 'eva@example.com', row_number: 7 },
];
const READ = { Nome: 'name', 'E-mail': 'email', Valor: 'estimatedValue' };
const CHECKED: Json[] = [
	{
		would: 'update',
		wouldSend: {
			externalId: 'a',
			estimatedValue: 10,
			contact: { name: 'Ana', email: 'ana@example.com' },
		},
		read: READ,
		notSent: ['Loja'],
	},
	{
		would: 'refuse',
		result:
			'would refuse: "Valor" must be a number: "dez". Write it in digits, e.g. 1500 or 1500.50',
		read: READ,
	},
	{
		would: 'create',
		wouldSend: { contact: { name: 'Bia', email: 'bia@example.com' } },
		read: { Nome: 'name', 'E-mail': 'email (by its value)' },
	},
	{
		would: 'create',
		wouldSend: { contact: { name: 'Bia', email: 'bia@example.com' } },
		leftOut: { Telefone: '"3000-1" cannot be read' },
	},
];

test('the page that asks says how columns were read, what would be sent, and what would be refused', () => {
	const { title, button, label, html, fields } = askedOf(ROWS, CHECKED);
	expect([title, button]).toEqual(['Nada foi enviado ainda: está certo?', 'Enviar 3 linhas']);
	expect(label).toMatch(/^Ou escolha um arquivo corrigido/);
	const texts = html
		.replaceAll(/<[^>]+>/g, '\n')
		.split(/\n+/)
		.filter(Boolean);
	expect(texts).toEqual([
		// Two rows about one new lead are one lead.
		'Leads novos: 1',
		'Leads que seriam atualizados: 2',
		'Linhas que seriam recusadas: 1',
		'O que seria recusado',
		'Linha 5: &#34;Valor&#34; deve ser um número: &#34;dez&#34;. Escreva em algarismos, por exemplo 1500,50',
		'O que ficaria de fora',
		'Linha 7: &#34;Telefone&#34; ficou de fora: &#34;3000-1&#34; não pode ser lido',
		'Como cada coluna foi lida',
		...['Coluna', 'Campo do lead', 'Nome', 'nome', 'E-mail', 'e-mail, e-mail, pelos valores'],
		...['Valor', 'valor', 'Loja', 'não é enviada', 'Obs', 'vazia'],
		'As primeiras linhas, como seriam enviadas',
		...['nome', 'e-mail', 'ID externo', 'valor', 'Ana', 'ana@example.com', 'a', '10'],
		...['Bia', 'bia@example.com', 'Bia', 'bia@example.com'],
	]);
	// n8n replaces a part of a text by the fields, where $& would be that part.
	expect(String(fields)).not.toContain('$');
});

test('what a file holds is text on the page that asks, not HTML', () => {
	const heading = '<img src="x">&{{ 1 }}';
	const { html } = askedOf(
		[{ [heading]: 'x', row_number: 2 }],
		[{ would: 'create', wouldSend: { notes: '<i>$&' } }],
	);
	expect(html).not.toMatch(/<img|<i>|\$|\{/);
	expect(html).toContain('&#60;img src=&#34;x&#34;&#62;&#38;&#123;&#123; 1 }}');
});

test('the page that asks sends nothing if all rows would be refused, and wants a file', () => {
	const { button, file } = askedOf(
		[{ Name: 'x', row_number: 2 }],
		[{ would: 'refuse', result: 'would refuse: no' }],
	);
	expect([button, file]).toEqual(['Check it', expect.objectContaining({ requiredField: true })]);
});

test('rows are sent only after the button was pressed, numbered as in the file that comes back', () => {
	const of = { 'Rows of the file': ROWS };
	const sent = runOn('Rows to send', [{ submittedAt: '2026-11-28T12:00:00Z' }], of);
	expect(sent.map(({ row_number }) => row_number)).toEqual([2, 3, 4, 5]);
	// A page that is left open for a day continues with what n8n gave it.
	expect(runOn('Rows to send', [{ title: 'x' }], of)).toEqual([]);
});
