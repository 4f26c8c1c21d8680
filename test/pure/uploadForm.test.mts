/** The example "Upload form → leads": its Code nodes, run as n8n runs them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Info } from 'luxon';

import { differencesIn } from '../../nodes/IntegrationLeads/contract/differences';
import { toServiceError } from '../../nodes/IntegrationLeads/transport/errors';
import type { Unsuccessful } from '../../nodes/IntegrationLeads/transport/request';

type Json = Record<string, unknown>;
interface Item {
	json: Json;
	binary?: Json;
	pairedItem?: unknown;
}

const FILE = join(__dirname, '../../examples/upload-form-to-leads.json');
const { nodes } = JSON.parse(readFileSync(FILE, 'utf8')) as {
	nodes: Array<{ name: string; parameters: { jsCode?: string; jsonOutput?: string } }>;
};
const parametersOf = (wanted: string) => nodes.find(({ name }) => name === wanted)?.parameters;

/** The table of words: each text and each part of a reason in English, with the others. */
const WORDS = JSON.parse(String(parametersOf('Words')?.jsonOutput)) as {
	languages: Record<string, string>;
	texts: Record<string, Record<string, string>>;
	reasons: Record<string, Record<string, string>>;
};

const itemsOf = (all: Json[]): Item[] => all.map((json) => ({ json }));

/**
 * Runs a Code node.
 *
 * @param of the items of other nodes by their names
 * @param bytes of the file that its input has; n8n keeps none of an empty one
 */
async function runNode(
	name: string,
	input: Item[],
	of: Record<string, Item[]> = {},
	bytes?: Buffer,
): Promise<Item[]> {
	const code = new Function(
		'$',
		'$input',
		`return (async () => {${parametersOf(name)?.jsCode}}).call(this)`,
	);
	const read = (items: Item[] = []) => ({ all: () => items, first: () => items[0] });
	const sources: Record<string, Item[]> = { Words: [{ json: WORDS }], ...of };
	const nodeNamed = (each: string) => ({ ...read(sources[each]), isExecuted: each in sources });
	const getBinaryDataBuffer = async () => await (bytes ?? Promise.reject(new Error('No data')));
	const helpers = { getBinaryDataBuffer };
	return (await code.call({ helpers }, nodeNamed, read(input))) as Item[];
}

/** What "Rows of the file" reads of a file. */
interface ReadFile {
	rows: Json[];
	/** Why it cannot be sent. */
	why?: string;
	words: Record<string, string>;
	notes?: string[];
	places?: string[];
	reasons?: Record<string, string>;
}

/**
 * @param bytes n8n keeps none of an empty file
 * @param book what n8n reads the file as; with `sheets`, the rows of each
 */
async function readFile(
	bytes?: Buffer,
	book: Json[] = [{ error: 'no workbook' }],
	sheets: Record<string, unknown[][]> = {},
): Promise<ReadFile> {
	const names = Object.keys(sheets);
	const rows = Object.values(sheets).flatMap((own, item) =>
		own.map((row) => ({ json: { row }, pairedItem: { item } })),
	);
	// The file, under whatever name its field has.
	const uploaded = [{ json: {}, binary: { Arquivo: {} } }];
	const of = {
		'As an archive': await runNode('As an archive', uploaded, {}, bytes),
		'Sheets of the file': itemsOf((names.length > 0 ? names : ['']).map((sheet) => ({ sheet }))),
	};
	const read = names.length > 0 ? rows : itemsOf(book);
	// Of the items that it is given itself, n8n no longer says from which sheet they are.
	const input = read.map(({ json }, item) => ({ json, pairedItem: { item } }));
	const [{ json }] = await runNode('Rows of the file', input, { ...of, 'Read the workbook': read });
	return json as Json & ReadFile;
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
	expect((await readFile(Buffer.from(file as string))).rows).toEqual(expected);
});

// What each of these would become as a lead is wrong without looking so.
test.each<[string, Buffer | undefined, RegExp]>([
	['accents of UTF-8 read as Windows-1252', Buffer.from('A;B\nx;JoÃ£o'), /accents/],
	['accents of MS-DOS', Buffer.from('A;B\nx;Jo\u00c6o;a\u0087a', 'latin1'), /accents/],
	['accents that were lost', Buffer.from('A;B\nx;Jo\ufffdo'), /accents/],
	['more cells than headings', Buffer.from('A;B\nx;y;z'), /^Row 2 has more cells/],
	['headings alone', Buffer.from('A;B\n;\n'), /no rows/],
	['nothing', Buffer.from(''), /is empty/],
	['nothing that n8n would keep', undefined, /is empty/],
	['bytes that are no text', Buffer.from('%PDF\0'), /not a CSV/],
	['a PDF of text', Buffer.from('%PDF-1.4\n1 0 obj'), /not a CSV/],
	['a picture', Buffer.from('ÿØÿà\0\u0010JFIF', 'latin1'), /is a picture/],
	[
		'no headings',
		Buffer.from('Ana;ana@example.com\nBia;b@example.com'),
		/no headings: "ana@example.com" in row 1 is a value/,
	],
	['rows that were all recorded', Buffer.from('A;result\nx;created\ny;unclear: no'), /before/],
])('refuses a file with %s', async (_, bytes, reason) => {
	const { why, rows } = await readFile(bytes);
	expect(why).toMatch(reason);
	expect(rows).toEqual([]);
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
	const { rows } = await readFile(Buffer.from(start, 'latin1'), book);
	expect(rows).toEqual([{ A: 46053, B: 'x', row_number: 3 }]);
});

test.each<[string, Json[], RegExp]>([
	['is no workbook, or a locked one', [{ error: 'no ZIP' }], /not a CSV or Excel file/],
	['is empty', [{}], /is empty/],
])('says that a file of Excel %s', async (_, book, reason) => {
	expect((await readFile(Buffer.from('PK\u0003\u0004'), book)).why).toMatch(reason);
});

/** A file with these rows, as "Rows of the file" reads it. */
const fileWith = async (rows: Json[]): Promise<Json> => {
	const headings = ['A', ...new Set(rows.flatMap(Object.keys))].join(';');
	return { ...(await readFile(Buffer.from(`${headings}\nx`))), rows };
};

/** A page with a field for a file. */
interface Page {
	title: string;
	button: string;
	/** What is above the field. */
	html: string;
	/** Each text in it. */
	texts: string[];
	/** As they are given to n8n. */
	fields: string;
	file: { fieldLabel: string; requiredField: boolean };
}

/** @param checked what the node said of the rows @param others the nodes that ran besides */
async function pageOf(file: Json, checked: Json[], others: string[] = []): Promise<Page> {
	const of = Object.fromEntries(others.map((name) => [name, []]));
	const rows = itemsOf([file]);
	const [{ json }] = await runNode('What would be sent', itemsOf(checked), {
		...of,
		'Rows of the file': rows,
	});
	const [{ html }, field] = JSON.parse(String(json.fields)) as [{ html: string }, Page['file']];
	const texts = html
		.replaceAll(/<[^>]+>/g, '\n')
		.split(/\n+/)
		.filter(Boolean);
	return { ...(json as Json & Page), html, texts, file: field };
}

const askedOf = async (rows: Json[], checked: Json[]): Promise<Page> =>
	await pageOf(await fileWith(rows), checked);

/** What the ending page says of the rows as they were sent. */
async function endingOf(sent: Json[], file: Json): Promise<string[]> {
	const of = { 'Rows of the file': itemsOf([file]), 'Push the leads': itemsOf(sent) };
	const results = { results: { fileName: 'leads-with-results.xlsx' } };
	const [{ json, binary }] = await runNode(
		'What became of the rows',
		[{ json: {}, binary: results }],
		of,
	);
	expect(binary).toEqual(results);
	return [String(json.title), ...String(json.message).split('\n\n')];
}

test('the ending page counts what was recorded, and says of each other row its value and what to do', async () => {
	const refused =
		'refused: "Data" must be a date: "soon". Give it as 2026-01-31, 2026-01-31T14:30:00Z or 31/01/2026 14:30';
	const leftOut = 'created; "Fone" was left out: "3000-1" cannot be read';
	const sent = [
		{ Nome: 'x', result: 'created; not sent: "Loja", "Vendedor"', row_number: 2 },
		{ result: 'created; not sent: "Loja", "Vendedor"', row_number: 3 },
		{ result: 'updated', row_number: 4 },
		{ result: refused, row_number: 5 },
		{ result: `${leftOut}; not sent: "Loja", "Vendedor"`, row_number: 6 },
		// Without Input With Result, whoever changed the operation.
		{ created: true },
		{ Nome: 'x', row_number: 7 },
	];
	expect(await endingOf(sent, await fileWith([{ Nome: 'x' }]))).toEqual([
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
	expect((await endingOf(many, await fileWith([{ Name: 'x' }]))).slice(201)).toEqual([
		`Row 199: ${refused}`,
		'The file has the result of all rows.',
	]);
});

test('the reasons that the pages translate are those of the node', () => {
	const folder = join(__dirname, '../../nodes/IntegrationLeads');
	const files = (readdirSync(folder, { recursive: true }) as string[]).filter((name) =>
		name.endsWith('.ts'),
	);
	const sources = files.map((name) => readFileSync(join(folder, name), 'utf8'));
	// The fields in its sentences about differences are names that it reads.
	const differences = [null, 'x'].map((now) => {
		const contactWith = (value: string | null) => ({
			contact: { name: value, email: value, phone: value },
			priority: value,
		});
		return String(differencesIn(contactWith('sent'), contactWith(now)));
	});
	// It writes a date in words to show how it can be read.
	const shipped = [...sources, ...differences, ...Info.months()].join('\n');
	const reasons = Object.keys(WORDS.reasons).map((reason) => reason.trim().replace(/ rows?$/, ''));
	expect(reasons.filter((reason) => !shipped.includes(reason))).toEqual([]);
});

test('each text is stated once, in all languages and with the same places for values', () => {
	const languages = Object.keys(WORDS.languages).sort();
	expect(languages).toEqual(['es', 'pt']);
	const places = (text: string) => (text.match(/\{\d\}/g) ?? []).sort();
	for (const [english, others] of Object.entries({ ...WORDS.texts, ...WORDS.reasons })) {
		expect([english, Object.keys(others).sort()]).toEqual([english, languages]);
		for (const text of Object.values(others)) {
			expect([text, places(text)]).toEqual([text, places(english)]);
			// A text at the edge of which words follow keeps its space.
			const edges = (each: string) => [/^ /.test(each), / $/.test(each)];
			expect([text, edges(text)]).toEqual([text, edges(english)]);
		}
	}
	const code = nodes.map(({ parameters }) => parameters.jsCode ?? '').join('\n');
	// The node's words for what became of a row.
	const outcomes = /^(created|updated|linked|(already )?recorded|refused|failed|unclear)$/;
	const texts = Object.keys(WORDS.texts).filter((text) => !outcomes.test(text));
	expect(texts.filter((text) => !code.includes(`'${text}'`))).toEqual([]);
	const said = [...code.matchAll(/(?:say|refuse)\('([^']+)'/g)].map(([, text]) => text);
	expect(said.filter((text) => !(text in WORDS.texts))).toEqual([]);
	// A node that fills a text in another way would be a second rule.
	const fillings = code.match(/^const say = .*$/gm) ?? [];
	expect([fillings.length, new Set(fillings).size]).toEqual([3, 1]);
	// A word of another language in a node would be a second table.
	expect(code).not.toMatch(/isPortuguese|\b(?:linha|fila|arquivo|archivo)\b/i);
});

/** Headings of lists in each language, and which it is. */
test.each<[string, string]>([
	['Name;Email;Phone;Deal value;Owner', 'en'],
	['Email;WhatsApp;Status', 'en'],
	['Nome;E-mail;Celular;Valor;Data da venda', 'pt'],
	['Cliente;Telefone;Origem do lead', 'pt'],
	['Contato;Fone', 'pt'],
	['Nome;Contacto;Telemóvel', 'pt'],
	['Celular;Valor', 'pt'],
	['Data de fechamento;Situação', 'pt'],
	['Nombre;Correo electrónico;Teléfono;Etiquetas', 'es'],
	['Cliente;Celular;Fecha de venta;Importe', 'es'],
	['Email del cliente;Valor', 'es'],
	['Apellido;Email;Móvil', 'es'],
])('the headings %s are in the language "%s"', async (headings, language) => {
	const { words } = await readFile(Buffer.from(`${headings}\nx`));
	expect(words['Check it']).toBe({ en: 'Check it', pt: 'Conferir', es: 'Revisar' }[language]);
});

test('what a file is that cannot be read is said in all languages, and else in that of its headings', async () => {
	expect((await readFile(Buffer.from('%PDF-1.4'))).why).toMatch(
		/has a password\. .* · Não é um arquivo CSV .* · No es un archivo CSV/,
	);
	const why = async (headings: string) => (await readFile(Buffer.from(`${headings}\n;`))).why;
	expect(await why('Contato;Fone')).toBe(
		'Não tem linhas abaixo dos cabeçalhos. Acrescente uma linha para cada lead',
	);
	expect(await why('Nombre;Correo')).toBe(
		'No tiene filas debajo de los encabezados. Agregue una fila para cada lead',
	);
	expect(await why('Name;Phone')).toBe(
		'It has no rows below its headings. Add a row for each lead',
	);
});

test('a sheet whose headings only contain the letters of another word is none of leads', async () => {
	const { rows } = await readFile(BOOK, [], {
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
	const file = await readFile(Buffer.from(text));
	expect(file.rows.map(({ Nome, row_number }) => [Nome, row_number])).toEqual([
		['Ana', 4],
		['Total Lima', 5],
	]);
	const sent = [{ result: 'created', row_number: 4 }];
	expect(await endingOf(sent, { ...file })).toEqual([
		'Resultado de 1 linha',
		'Linha 1 está acima dos cabeçalhos. Não enviado.',
		'Linha 6 é um total. Não enviado.',
		'1 × criado',
	]);
	const again = await readFile(Buffer.from('Name;result\nx;refused: earlier'));
	expect(await endingOf([{ result: 'created' }], { ...again })).toEqual([
		'Result of 1 row',
		'1 × created',
	]);
});

const BOOK = Buffer.from('PK\u0003\u0004');

test('all sheets with leads are read, and a cover and other sheets are named', async () => {
	const file = await readFile(BOOK, [], {
		Capa: [['Relatório de leads'], ['Loja Sul']],
		Janeiro: [
			['Nome', 'WhatsApp'],
			['Ana', '1'],
			['Bia', '2'],
		],
		Fevereiro: [['Leads'], ['Nome', 'Telefone', 'Valor'], ['Eva', '3', 5]],
		Vazia: [],
	});
	expect(file.rows.map(({ Nome, Valor, row_number }) => [Nome, Valor, row_number])).toEqual([
		['Ana', undefined, '2 (Janeiro)'],
		['Bia', undefined, '3 (Janeiro)'],
		['Eva', 5, '3 (Fevereiro)'],
	]);
	expect((await endingOf([{ result: 'created' }], { ...file })).slice(1, 5)).toEqual([
		'Linha 1 (Fevereiro) está acima dos cabeçalhos. Não enviado.',
		'Aba "Capa" não foi lida: nenhum cabeçalho é um e-mail, um telefone ou um ID.',
		'Aba "Janeiro": linhas 2–3 do arquivo que volta',
		'Aba "Fevereiro": linha 4 do arquivo que volta',
	]);
	// Where the rows will be in the file that comes back is of no use before it does.
	const { html } = await pageOf({ ...file }, [{ would: 'nothing' }]);
	expect(html).toContain('&#34;Capa&#34;');
	expect(html).not.toContain('Janeiro');
});

/** The names of the sheets, from a file in the workbook, or from the workbook itself. */
async function sheetsOf(workbook: Buffer, fileName = '', content = ''): Promise<unknown[]> {
	const uploaded = [{ json: {}, binary: { File: {} } }];
	const of = { 'As an archive': await runNode('As an archive', uploaded, {}, workbook) };
	const binary = fileName ? { file_0: { fileName } } : {};
	const unpacked = [{ json: {}, binary }];
	const items = await runNode('Sheets of the file', unpacked, of, Buffer.from(content));
	return items.map(({ json }) => json.sheet);
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

test('the page that asks says how columns were read, what would be sent, and what would be refused', async () => {
	const { title, button, texts, fields, file } = await askedOf(ROWS, CHECKED);
	expect([title, button]).toEqual(['Nada foi enviado ainda: está certo?', 'Enviar 3 linhas']);
	expect(file.fieldLabel).toMatch(/^Ou escolha um arquivo corrigido/);
	expect(texts).toEqual([
		// Two rows about one new lead are one lead.
		'Leads novos: 1',
		'Leads que seriam atualizados: 2',
		'Linhas que seriam recusadas: 1',
		'O que seria recusado',
		'Linha 5: &#34;Valor&#34; deve ser um número: &#34;dez&#34;. Escreva em algarismos, por exemplo 1500,50',
		'O que conferir',
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

test('the page that asks is in Spanish where the headings are', async () => {
	const rows = [
		{ Nombre: 'Ana', Correo: 'ana@example.com', Importe: 'diez', row_number: 2 },
		{ Nombre: 'Bia', Correo: 'bia@example.com', row_number: 3 },
	];
	const checked = [
		{
			would: 'refuse',
			result:
				'would refuse: "Importe" must be a number: "diez". Write it in digits, e.g. 1500 or 1500.50',
			read: { Nombre: 'name', Correo: 'email', Importe: 'estimatedValue' },
		},
		{ would: 'create', wouldSend: { contact: { name: 'Bia' } } },
	];
	const { title, button, texts, file } = await askedOf(rows, checked);
	expect([title, button]).toEqual(['Todavía no se envió nada: ¿está bien?', 'Enviar 1 fila']);
	expect(file.fieldLabel).toMatch(/^O elija un archivo corregido/);
	expect(texts).toEqual([
		'Leads nuevos: 1',
		'Filas que se rechazarían: 1',
		'Lo que se rechazaría',
		'Fila 2: &#34;Importe&#34; debe ser un número: &#34;diez&#34;. Escríbalo en cifras, por ejemplo 1500 o 1500,50',
		'Cómo se leyó cada columna',
		...['Columna', 'Campo del lead', 'Nombre', 'nombre', 'Correo', 'correo', 'Importe', 'valor'],
		'Las primeras filas, como se enviarían',
		...['nombre', 'Bia'],
	]);
	const sent = [{ result: 'created; not sent: "Tienda"' }, { result: 'refused: x', row_number: 3 }];
	expect(await endingOf(sent, await fileWith(rows))).toEqual([
		'Resultado de 2 filas',
		'1 × creado',
		'1 × rechazado',
		'Columnas que no se enviaron: "Tienda"',
		'Fila 3: rechazado: x',
	]);
});

test('what a file holds is text on the page that asks, not HTML', async () => {
	const heading = '<img src="x">&{{ 1 }}';
	const { html } = await askedOf(
		[{ [heading]: 'x', row_number: 2 }],
		[{ would: 'create', wouldSend: { notes: '<i>$&' } }],
	);
	expect(html).not.toMatch(/<img|<i>|\$|\{/);
	expect(html).toContain('&#60;img src=&#34;x&#34;&#62;&#38;&#123;&#123; 1 }}');
});

test('the page that asks sends nothing if all rows would be refused, and wants a file', async () => {
	const { button, file } = await askedOf(
		[{ Name: 'x', row_number: 2 }],
		[{ would: 'refuse', result: 'would refuse: no' }],
	);
	expect([button, file]).toEqual(['Check it', expect.objectContaining({ requiredField: true })]);
});

test('of a file that cannot be read, the page says why and takes another, which is checked as the first', async () => {
	const file = await readFile(Buffer.from('Nome;E-mail\nAna;a@example.com;x'));
	// "Each row" hands on an item without fields where there is no row.
	const refused = [{ would: 'refuse', result: 'would refuse: The row has no email' }];
	const page = await pageOf({ ...file }, refused);
	expect(page).toMatchObject({
		title: 'O arquivo não foi enviado',
		texts: [expect.stringMatching(/^A linha 2 tem mais células do que cabeçalhos\. Acrescente/)],
		button: 'Conferir',
		file: { fieldLabel: 'O arquivo corrigido', requiredField: true },
	});
	const picture = await pageOf({ ...(await readFile(Buffer.from('GIF89a'))) }, refused);
	expect(picture.title).toMatch(/^The file was not sent · O arquivo não foi .* · El archivo no/);
	expect(picture.texts).toEqual([
		expect.stringMatching(/^It is a picture/),
		expect.stringMatching(/^É uma imagem/),
		expect.stringMatching(/^Es una imagen/),
	]);
});

test('of a service that refuses, the page says that the file is not the reason, and what may have been sent', async () => {
	const file = await fileWith([{ Nombre: 'Ana', row_number: 2 }]);
	const failed = [{ error: 'The API key is not valid [item 0]' }];
	const { title, texts, file: field } = await pageOf(file, failed);
	expect(title).toBe('El archivo no se envió');
	expect(texts).toEqual([
		'The API key is not valid',
		expect.stringMatching(/^Se trata del servicio, no del archivo/),
	]);
	expect(field).toMatchObject({ fieldLabel: 'El mismo archivo, otra vez', requiredField: true });
	const later = await pageOf(file, failed, ['Push the leads']);
	expect(later.title).toBe('Es posible que el archivo se haya enviado solo en parte');
});

const refusal = (status: number, code?: string): Unsuccessful => ({
	kind: 'refused',
	status,
	code,
});
test.each<[Unsuccessful, pt: string]>([
	[refusal(401, 'UNAUTHORIZED'), 'O serviço não aceitou a chave de API'],
	[refusal(403, 'API_KEY_REVOKED'), 'A chave de API foi revogada'],
	[refusal(403, 'FORBIDDEN'), 'A chave de API não permite: Push leads'],
	[refusal(429), 'O limite de pedidos desta chave de API foi atingido'],
	[refusal(503), 'O serviço de leads não está disponível agora (HTTP 503)'],
	[{ kind: 'broken', status: 200 }, 'A resposta do serviço foi interrompida'],
	[{ kind: 'otherServer', status: 200, shown: '' }, 'A resposta não veio do serviço de leads'],
	...Object.entries({
		ECONNREFUSED: 'nada aceita conexões no seu endereço (ECONNREFUSED)',
		ENOTFOUND: 'o nome do host não foi encontrado (ENOTFOUND)',
		ETIMEDOUT: 'ele não respondeu a tempo (ETIMEDOUT)',
		ECONNRESET: 'a conexão foi encerrada antes da resposta (ECONNRESET)',
	}).map(([code, words]): [Unsuccessful, string] => [
		{ kind: 'unreachable', code, sent: false },
		`Não foi possível chegar ao serviço de leads: ${words}`,
	]),
])('says in the language of the file what the service answered: %j', async (result, expected) => {
	const context = { action: 'Push leads', targets: [], repeatable: true, attempts: 1, baseUrl: '' };
	const { message } = toServiceError(result, context, (text) => text);
	const file = await fileWith([{ Nome: 'Ana', row_number: 2 }]);
	expect((await pageOf(file, [{ error: message }])).texts[0]).toBe(expected);
});

test('rows are sent only after the button was pressed, numbered as in the uploaded file', async () => {
	const rowsToSend = async (answer: Json, rows: Json[] = ROWS) =>
		await runNode('Rows to send', itemsOf([answer]), { 'Rows of the file': itemsOf([{ rows }]) });
	const sent = await rowsToSend({ submittedAt: '2026-11-28T12:00:00Z' });
	expect(sent.map(({ json }) => json.row_number)).toEqual(ROWS.map((row) => row.row_number));
	// The rows of several sheets come back on one.
	const ofSheets = await rowsToSend({ submittedAt: 'x' }, [{ row_number: '4 (Leads)' }]);
	expect(ofSheets.map(({ json }) => json.row_number)).toEqual([2]);
	// A page that is left open for a day continues with what n8n gave it.
	expect(await rowsToSend({ title: 'x' })).toEqual([]);
});

test.each([
	['Contact Phone is "+55", not "+56".', 'O telefone do contato é "+55", e não "+56".'],
	['Contact Email is empty, not "a@b".', 'O e-mail do contato é vazio, e não "a@b".'],
])('no sentence of a result is half English: %s', (english, expected) => {
	const said = Object.entries(WORDS.reasons).reduce(
		(text, [part, { pt }]) => text.replaceAll(part, () => pt),
		english,
	);
	expect(said).toBe(expected);
});

test('a misspelt heading is named once, instead of a line for each of its rows', async () => {
	const rows = [2, 3].map((row_number) => ({ 'E-mial': `a${row_number}@example.com`, row_number }));
	const why = 'would refuse: The row has no email, no phone and no ID of the lead';
	const file = await fileWith([...rows, { Nome: 'Ana', row_number: 4 }]);
	const checked = [...rows, {}].map(() => ({ would: 'refuse', result: why }));
	const { html } = await pageOf(file, checked);
	expect(html).toContain('A coluna &#34;E-mial&#34; tem e-mails');
	const lines = html.match(/Linha \d/g);
	expect(lines).toEqual(['Linha 4']);
});
