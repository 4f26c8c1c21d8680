/** The examples "Google Sheet → leads" and "Upload form → leads", to the result of each row. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { switchedOn, withCredential } from '../../scripts/lib/examples.mts';
import type { Execution, SavedWorkflow } from '../../scripts/lib/workflow.mts';
import { openEditor } from './editor.mts';
import { UPLOADS, type FileContent } from './uploads.mts';
import {
	casesOf,
	exampleNamed,
	includes,
	nodeOf,
	succeeded,
	type Place,
	type Runs,
	until,
} from './flow.mts';
import { GoogleSheet, SHEET_ID, serviceAccount } from './googleSheet.mts';
import type { ShownContact, ShownLead } from './records.mts';
import type { CaseWorld } from './world.mts';

export const needsBrowser = true;

const sheetExample = exampleNamed('Google Sheet');
const formExample = exampleNamed('Upload form');
const SHEET = { document: 'document-of-the-tests', title: 'Leads' };
const REFUSED = '"Data da venda" must be a date: "sexta passada"';

/** The example of the sheet, with its user's choices made. */
async function readySheet({ client, credential }: Place): Promise<SavedWorkflow> {
	const googleApi = await serviceAccount(client);
	const workflow = switchedOn(withCredential(sheetExample, credential), {
		'Read the sheet': { googleApi },
		'Write into the sheet': { googleApi },
	});
	for (const node of workflow.nodes.filter(({ type }) => type.endsWith('.googleSheets'))) {
		node.parameters.authentication = 'serviceAccount';
	}
	// By list, as people do; the other node takes it from there.
	const { parameters } = nodeOf(workflow, 'Read the sheet');
	parameters.documentId = { __rl: true, mode: 'list', value: SHEET.document };
	parameters.sheetName = { __rl: true, mode: 'list', value: SHEET_ID };
	return await client.createWorkflow(workflow);
}

const runHourly = async ({ client }: Place, id: string): Promise<Execution> =>
	succeeded(await client.runWorkflow(id, 'Every hour'));

const pushesOf = async ({ sandbox }: CaseWorld): Promise<number> =>
	(await sandbox.control('requests')).filter(({ route }) => route === 'POST /sync').length;

const HEADINGS = 'External ID;Nome;E-mail;Telefone;Data da venda;Observação;Loja'.split(';');

/** Thirty rows as people keep them, of which three cannot be sent, and a blank one. */
function thirtyRows(prefix: string): string[][] {
	const rows = Array.from({ length: 30 }, (_, index) => {
		const number = String(index + 1).padStart(2, '0');
		const person = `${prefix}-${number};João ${number};${prefix}${number}@example.com`;
		return `${person};+55 11 93000-00${number};31/12/2025;Ligação às 9h;Sé`.split(';');
	});
	rows[4][3] = '93000-0005';
	rows[11][4] = 'sexta passada';
	rows[20][3] = '93000-0021';
	return [HEADINGS, ...rows.slice(0, 25), HEADINGS.map(() => ''), ...rows.slice(25)];
}

/** A sheet of a workbook. */
interface Sheet {
	[cell: string]: unknown;
}
interface Workbook {
	Sheets: Record<string, Sheet>;
}
/** What is used of n8n's reader and writer of workbooks. */
interface Excel {
	read(file: Buffer): Workbook;
	write(book: Workbook, options: { type: 'buffer'; bookType: 'xlsx' }): Buffer;
	utils: {
		book_new(): Workbook;
		book_append_sheet(book: Workbook, sheet: Sheet, name?: string): void;
		aoa_to_sheet(cells: unknown[][]): Sheet;
		json_to_sheet(rows: object[]): Sheet;
		sheet_to_json(sheet: Sheet): Array<Record<string, string>>;
	};
}

/** What n8n itself reads workbooks with: before 2.0 under its first name. */
function excelOf({ host }: CaseWorld): Excel {
	const load = createRequire(host.n8n);
	try {
		return load('@e965/xlsx') as Excel;
	} catch {
		return load('xlsx') as Excel;
	}
}

/** A file to upload: its content and its name. */
type Upload = [content: Buffer, name: string];

const workbook = (world: CaseWorld, sheet: Sheet): Upload => {
	const { utils, write } = excelOf(world);
	const book = utils.book_new();
	utils.book_append_sheet(book, utils.aoa_to_sheet([['Relatório de leads']]), 'Capa');
	utils.book_append_sheet(book, sheet);
	return [write(book, { type: 'buffer', bookType: 'xlsx' }), 'leads.xlsx'];
};

/** The rows as Excel in Brazil saves them. */
const csv = (rows: string[][]): Upload => [
	Buffer.from(rows.map((row) => row.join(';')).join('\r\n'), 'latin1'),
	'leads.csv',
];

/** Publishes the form for as long as `use` takes, which is given its address. */
async function withForm(world: CaseWorld, use: (url: string) => Promise<void>): Promise<void> {
	const { id } = await world.client.createWorkflow(withCredential(formExample, world.credential));
	await world.client.publishWorkflow(id);
	try {
		await use(`${world.n8n.url}/form/upload-leads`);
	} finally {
		await world.client.unpublishWorkflow(id);
	}
}

/** A browser without a login, and without what the editor needs in its storage, which the form's pages may not use. */
async function newVisitor(world: CaseWorld): Promise<Page> {
	const editor = await openEditor(world);
	const browser = editor.page.context().browser();
	assert.ok(browser);
	const page = await browser.newPage();
	await page.route(/fonts\.googleapis|favicon/, async (route) => await route.abort());
	return page;
}

/** The button of the first page, before the language of the file is known. */
const CHECK = 'Check · Conferir · Revisar';

/** Chooses a file and presses the button. */
async function upload(page: Page, [buffer, name]: Upload, button = CHECK): Promise<void> {
	await page.locator('input[type=file]').setInputFiles({ name, buffer, mimeType: '' });
	await page.getByRole('button', { name: button }).click();
}

/** The text of the page that asks, once it is there. */
async function askedOn(page: Page): Promise<string> {
	const title =
		/Nada foi enviado ainda|Nothing was sent yet|Todavía no se envió nada|(?:was|foi|se) (?:not sent|enviado|envió)/;
	await page.getByText(title).first().waitFor();
	return await page.locator('body').innerText();
}

const SEND = /^(?:Send|Enviar) \d/;

function assertPortuguese(shown: string): void {
	assert.doesNotMatch(shown, /Options|Settings|Map /, 'an uploader has no editor');
	const english = /\b(?:is|was|must|cannot|give|write)\b/i;
	assert.doesNotMatch(shown, english, 'all of it is in Portuguese');
}

/** Uploads a file in the browser, corrects the results that are downloaded, and uploads those. */
async function walk(world: CaseWorld, url: string): Promise<void> {
	const page = await newVisitor(world);
	/** Pictures at the width of a phone and of a screen. */
	const pictures = async (name: string) => {
		for (const width of [1280, 420]) {
			await page.setViewportSize({ width, height: 900 });
			const needed = await page.evaluate(() => document.documentElement.scrollWidth);
			assert.ok(needed <= width, `${name} needs ${needed} pixels of ${width}`);
			await page.screenshot({ path: join(world.output, `${name}-${width}.png`) });
		}
	};
	const send = async (file: Upload) => {
		await page.goto(url);
		await pictures('spreadsheet-form');
		await upload(page, file);
		const asked = await askedOn(page);
		await pictures('spreadsheet-asking');
		const results = page.waitForEvent('download');
		await page.getByRole('button', { name: SEND }).click();
		return { asked, file: await readFile(await (await results).path()) };
	};
	const { read, utils } = excelOf(world);
	const { asked, file } = await send(csv(thirtyRows('walk')));
	const { Sheets } = read(file);
	const [ofData] = /Linha 13: .*/.exec(asked) ?? [];
	assert.match(String(ofData), /"Data da venda" deve ser uma data: "sexta passada"/);
	for (const says of ['Leads novos: 29', 'Linhas que seriam recusadas: 1']) {
		assert.ok(asked.includes(says), asked);
	}
	assertPortuguese(asked);
	await page.getByText('Resultado de 30 linhas').waitFor();
	await page.getByText('27 × criado').waitFor();
	await page.getByText('Colunas não enviadas: "Loja"').waitFor();
	const { notes, contact } = await world.sandbox.get<ShownLead>('/leads/walk-30');
	assert.deepEqual([notes, contact?.name], ['Ligação às 9h', 'João 30']);
	await pictures('spreadsheet-ending');
	const shown = await page.locator('body').innerText();
	assertPortuguese(shown);

	const rows = utils.sheet_to_json(Object.values(Sheets)[0]);
	const refused = rows.filter(({ result }) => result.startsWith('refused: '));
	assert.equal(refused.length, 1);
	const leftOut = rows.filter(({ result }) => result.includes(' was left out: '));
	assert.equal(leftOut.length, 2);
	for (const [index, row] of [...refused, ...leftOut].entries()) {
		Object.assign(row, { Telefone: `+55 11 93000-009${index}`, 'Data da venda': '30/12/2025' });
	}
	await send(workbook(world, utils.json_to_sheet(rows)));
	await page.getByText('Resultado de 3 linhas').waitFor();
	await page.getByText('Aba "Capa" não foi lida').waitFor();
	await page.getByText('1 × criado').waitFor();
	await page.getByText('2 × atualizado').waitFor();
	const email = encodeURIComponent(leftOut[0]['E-mail']);
	const { phone } = await world.sandbox.get<ShownContact>(`/contacts/lookup?email=${email}`);
	assert.equal(phone, '+5511930000091', 'a correction arrives');
	await page.close();
}

/** The body of a push. */
interface SentLeads {
	leads: object[];
}

/** Asks of each file, uploads its correction there if it has one, and sends. */
async function uploadAll(world: CaseWorld, url: string, cases: typeof UPLOADS): Promise<void> {
	const page = await newVisitor(world);
	await page.setViewportSize({ width: 1280, height: 1600 });
	const writes = async () =>
		(await world.sandbox.control('requests')).filter(({ method }) => method !== 'GET');
	const { utils, write } = excelOf(world);
	const fileOf = (file: FileContent): Upload => {
		if (Array.isArray(file)) return file;
		const names = Object.keys(file);
		if (names.length === 1 && names[0] === '') return csv(file[''] as string[][]);
		const book = utils.book_new();
		for (const sheet of names)
			utils.book_append_sheet(book, utils.aoa_to_sheet(file[sheet]), sheet);
		return [write(book, { type: 'buffer', bookType: 'xlsx' }), 'leads.xlsx'];
	};
	for (const { name, file, says, silent = [], corrected = [], leads, sent } of cases) {
		const before = await writes();
		await page.goto(url);
		await upload(page, fileOf(file));
		const check = async (step: number, expected: string[]) => {
			const text = await askedOn(page);
			await page.screenshot({
				path: join(world.output, `upload ${name} ${step}.png`),
				fullPage: true,
			});
			for (const line of expected) assert.ok(text.includes(line), `${name}: "${line}" in ${text}`);
			for (const line of silent) assert.ok(!text.includes(line), `${name}: "${line}" in ${text}`);
		};
		await check(1, says);
		for (const [index, correction] of corrected.entries()) {
			const { pathname } = new URL(page.url());
			await upload(page, fileOf(correction.file), correction.button);
			const [first] = correction.says;
			await until(async () => (await page.locator('body').innerText()).includes(first));
			assert.equal(new URL(page.url()).pathname, pathname, 'it is corrected on the same page');
			await check(index + 2, correction.says);
		}
		assert.deepEqual(await writes(), before, `${name}: nothing was written before the button`);
		const results = page.waitForEvent('download');
		await page.getByRole('button', { name: SEND }).click();
		await results;
		await page.getByText(/^Result(?:ado)? (?:of|de) /).waitFor();
		await page.screenshot({ path: join(world.output, `upload ${name} ending.png`) });
		const ending = await page.locator('body').innerText();
		for (const line of sent) assert.ok(ending.includes(line), `${name}: "${line}" in ${ending}`);
		const bodies = (await writes()).slice(before.length).map(({ body }) => body as SentLeads);
		assert.deepEqual(
			bodies.flatMap((body) => body.leads),
			leads,
			`${name}: what was sent`,
		);
	}
	await page.close();
}

/** Uploads a file whose check, and then whose push, the service refuses; the same file is sent in the end. */
async function uploadRefused(world: CaseWorld, url: string): Promise<void> {
	const page = await newVisitor(world);
	const file: Upload = [Buffer.from('Nombre;Correo\nAna;up18@example.com'), 'leads.csv'];
	const refuse = async (path: string) => {
		const error = { code: 'UNAUTHORIZED', message: 'API key invalid' };
		const body = { success: false, error };
		await world.sandbox.control('fault', { kind: 'status', status: 401, body, match: { path } });
	};
	const says = async (title: string) => {
		await page.getByText(title).waitFor();
		await page.getByText('El servicio no aceptó la clave de API').waitFor();
		await page.getByText('Se trata del servicio, no del archivo').waitFor();
		await page.screenshot({ path: join(world.output, `${title}.png`) });
	};
	await refuse('/leads');
	await page.goto(url);
	await upload(page, file);
	await says('El archivo no se envió');

	await upload(page, file, 'Revisar');
	await refuse('/sync');
	await page.getByRole('button', { name: SEND }).click();
	await says('Es posible que el archivo se haya enviado solo en parte');

	await upload(page, file, 'Revisar');
	const results = page.waitForEvent('download');
	await page.getByRole('button', { name: SEND }).click();
	await results;
	await page.getByText('1 × creado').waitFor();
	await page.close();
}

const RUNS: Runs = {
	async 'each row of a sheet is sent once, and a refused one again after it is corrected'(world) {
		const { standIns, sandbox } = world;
		const rows: unknown[][] = [
			['ID externo', 'Nome', 'E-mail', 'Celular', 'Status do lead', 'Valor', 'Data da venda'],
			['sheet-1', 'One', 'sheet1@example.com', '+55 (11) 91000-0001', 'open'],
			['sheet-2', 'Two', 'sheet2@example.com', '', 'closed_won', 'R$ 1.500,50', 'sexta passada'],
			['sheet-3', 'Three', 'sheet3@example.com', '', 'closed_won', 900, '31/12/2025'],
		];
		standIns.serve('oauth2.googleapis.com', () => ({ body: { access_token: 'google-token' } }));
		const sheet = new GoogleSheet({ ...SHEET, rows });
		standIns.serve('sheets.googleapis.com', sheet.answer);
		const { id } = await readySheet(world);
		const before = await pushesOf(world);
		const seen = standIns.requestsTo('sheets.googleapis.com').length;

		await runHourly(world, id);
		assert.equal(rows[0][7], 'result');
		const written = standIns
			.requestsTo<{ data?: Array<{ range: string }> } | undefined>('sheets.googleapis.com')
			.slice(seen)
			.flatMap(({ json }) => json?.data ?? []);
		assert.deepEqual(
			written.map(({ range }) => range),
			['Leads!H2', 'Leads!H3', 'Leads!H4'],
			'no other cell is written',
		);
		assert.deepEqual([rows[1][7], rows[3][7]], ['created', 'created']);
		const refused = String(rows[2][7]);
		assert.ok(refused.startsWith(`refused: ${REFUSED}. Give it as 2026-01-31`), refused);
		assert.equal((await sandbox.get<ShownLead>('/leads/sheet-3')).estimatedValue, 900);
		assert.equal(await pushesOf(world), before + 1);

		await runHourly(world, id);
		assert.equal(await pushesOf(world), before + 1, 'nothing is sent again');

		rows[2][6] = '30/12/2025';
		await runHourly(world, id);
		assert.equal(rows[2][7], 'created');
		includes(await sandbox.get<ShownLead>('/leads/sheet-2'), { estimatedValue: 1500.5 });
		assert.equal(await pushesOf(world), before + 2);

		const calls = standIns.requestsTo('sheets.googleapis.com').length;
		await runHourly(world, id);
		const later = standIns.requestsTo('sheets.googleapis.com').slice(calls);
		assert.deepEqual([...new Set(later.map(({ method }) => method))], ['GET']);
		assert.equal(later[0].headers.authorization, 'Bearer google-token');
	},
	async 'before anything is sent, a page says how each of many files was read'(world) {
		const cases = UPLOADS.filter(({ corrected }) => !corrected);
		await withForm(world, async (url) => await uploadAll(world, url, cases));
	},
	async 'a file that cannot be sent, or was read in a wrong way, is corrected on that page'(world) {
		const cases = UPLOADS.filter(({ corrected }) => corrected);
		await withForm(world, async (url) => await uploadAll(world, url, cases));
	},
	async 'where the service refuses, the page says that it is not the file, and takes it again'(
		world,
	) {
		await withForm(world, async (url) => await uploadRefused(world, url));
	},
	async 'a newcomer uploads a file on a phone, corrects what was refused, and uploads the result'(
		world,
	) {
		await withForm(world, async (url) => await walk(world, url));
	},
};

/** Not a performance limit: a case uploads many files. */
const HANG_MS = 600_000;

export const cases = casesOf(RUNS, { hangMs: HANG_MS });
