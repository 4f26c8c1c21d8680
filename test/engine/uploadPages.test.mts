/** What the pages of *Upload form → leads* say of rows that cannot be sent as they are, in the language of the file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mapKeys, mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { called, useLab } from '../helpers/lab.mts';

const lab = useLab({ seed: 0, rpm: 0 });
const EXAMPLE = join(__dirname, '../../examples/upload-form-to-leads.json');

interface Example {
	nodes: Array<{ name: string; parameters: { jsCode?: string; jsonOutput?: string } }>;
}
const { nodes } = JSON.parse(readFileSync(EXAMPLE, 'utf8')) as Example;
const parametersOf = (name: string) => nodes.find((node) => node.name === name)!.parameters;
const { texts, reasons } = JSON.parse(parametersOf('Words').jsonOutput!) as Record<
	'texts' | 'reasons',
	Record<string, Record<string, string>>
>;

/** Runs a Code node on what the node before it output. */
function runCode(name: string, items: IDataObject[], others: Record<string, IDataObject[]>) {
	const asNode = (records: IDataObject[] = []) => ({
		first: () => ({ json: records[0] }),
		all: () => records.map((json) => ({ json })),
		isExecuted: records.length > 0,
	});
	const code = new Function('$input', '$', parametersOf(name).jsCode!) as (
		input: unknown,
		node: unknown,
	) => Array<{ json: IDataObject }>;
	return code(asNode(items), (wanted: string) => asNode(others[wanted]))[0].json;
}

/** The text of both pages about these rows. */
async function pagesOf(rows: IDataObject[], language: string): Promise<string[]> {
	const of = (table: typeof texts) =>
		mapValues(table, (others, english) => others[language] ?? english);
	const file = {
		rows,
		notes: [],
		places: [],
		words: of(texts),
		...(language !== 'en' && { reasons: of(reasons) }),
	};
	const input = rows.map((row, index) => ({ ...row, row_number: index + 2 }));
	const lead = { mappingMode: 'autoMapInputData', value: null };
	const push = async (options: IDataObject) => {
		const { items } = await lab.engine.run(called('sync.push', { lead, options }), { input });
		return items.map(({ json }) => json);
	};
	const others = { 'Rows of the file': [{ ...file, rows: input }] };
	const before = runCode('What would be sent', await push({ onlyCheck: true }), others);
	const after = runCode('What became of the rows', [{}], {
		...others,
		'Push the leads': await push({ output: 'inputWithResult' }),
	});
	const fields = JSON.parse(String(before.fields)) as Array<{ html?: string }>;
	return [fields[0].html ?? '', String(after.message)]
		.flatMap((page) => page.split(/<\/?(?:li|h2|tr)>|\n+/))
		.map((line) =>
			line
				.replace(/<[^>]*>/g, ' ')
				.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
		);
}

const PORTUGUESE: Record<string, string> = {
	Correo: 'E-mail',
	Teléfono: 'Telefone',
	Importe: 'Valor',
	'Fecha de venta': 'Data da venda',
	'Correo 2': 'E-mail 2',
	'Teléfono 2': 'Telefone 2',
	'Estado del lead': 'Status do lead',
	'Nombre de la esposa': 'Nome da esposa',
	'Celular de la esposa': 'Celular da esposa',
};
const ANA = { Cliente: 'Ana Souza' };
const SPOUSE = { 'Nombre de la esposa': 'Bia Lima', 'Celular de la esposa': '+34612345679' };
const IN_SPANISH: IDataObject[] = [
	{ ...ANA, Correo: 'ana@', Teléfono: '+34612345678' },
	{ ...ANA, Correo: 'a1@example.com', Teléfono: '12', Importe: '12 dólares' },
	{ ...ANA, Correo: 'a2@example.com', Importe: '12,345', 'Fecha de venta': '01/02/2099' },
	{ ...ANA, Correo: 'a3@example.com', Importe: 'mucho', 'Fecha de venta': '99/99/2026' },
	{ ...ANA, Correo: '' },
	{ ...ANA, Correo: 'a4@example.com', 'Correo 2': 'b@example.com', 'Teléfono 2': '-' },
	{ ...ANA, Correo: 'a5@example.com', 'Estado del lead': 'wonn', 'ID externo': '1,23E+15' },
	{ ...ANA, Correo: 'a6@example.com', Importe: '5', 'Estado del lead': 'Ganado' },
	{ ...ANA, Correo: 'a6@example.com', Importe: '6', 'Estado del lead': 'Abierto' },
	{ ...ANA, Correo: 'a7@example.com', ...SPOUSE },
	{ Cliente: 'Cliente', Correo: 'Correo' },
	{ ...ANA, Correo: 'a8@example.com', 'Fecha de venta': '1899-12-30', Importe: '99999999999999' },
];
const IN_PORTUGUESE = IN_SPANISH.map((row) =>
	mapKeys(row, (_, heading) => PORTUGUESE[heading] ?? heading),
);

// A reason that the page has no words for is left out: what is in quotes is of the file, and says where to look.
test.each([
	['es', IN_SPANISH],
	['pt', IN_PORTUGUESE],
])(
	'the pages about a file in %s have no English but what is in the file',
	async (language, rows) => {
		const pages = await pagesOf(rows, language);
		const english =
			/\b(?:the|is|are|was|were|not|and|or|to|of|it|be|by|may|name|write|read|sent|column)\b/i;
		const ours = pages.map((line) => line.replace(/"[^"]*"|\S+@\S+/g, ''));
		expect(ours.filter((line) => english.test(line))).toEqual([]);
		expect(pages.join('\n')).toMatch(
			language === 'es' ? / se leyó como Nombre/ : / foi lido como Nome/,
		);
		expect(pages.filter((line) => /wonn/.test(line))).toHaveLength(2);
	},
);

test('the pages about a file in English are as the node says it', async () => {
	const pages = await pagesOf(
		[{ Client: 'Ana', Email: 'a@example.com', 'Estimated Value': 'much' }],
		'en',
	);
	expect(pages.join('\n')).toMatch(
		/Row 2: "Estimated Value" must be a number: "much"\. Write it in digits/,
	);
});

const WON_IN: Record<string, [checked: string, sent: string]> = {
	pt: ['Linha 2: ', 'O lead estava ganho: o valor agora é "5" em vez de "12000"'],
	es: ['Fila 2: ', 'El lead estaba ganado: su valor ahora es "5" en lugar de "12000"'],
};

test.each(Object.keys(WON_IN))('both pages in %s say that a lead was won', async (language) => {
	const contact = { name: 'Ana Souza', email: 'won@example.com' };
	const { items } = await lab.engine.run(called('contact.create', contact));
	const sold = {
		contactId: String(items[0].json.id),
		status: 'closed_won',
		estimatedValue: 12_000,
	};
	lab.sandbox.controls.createLead({ externalId: 'crm-1', ...sold });
	const pages = await pagesOf([{ Correo: contact.email, Importe: '5' }], language);
	const [row, remark] = WON_IN[language];
	expect(pages.filter((line) => line.includes(remark))).toEqual([
		`${row}${remark}.`,
		`${row}${texts.updated[language]}; ${remark}`,
	]);
});
