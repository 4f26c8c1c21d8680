/** The example "Spreadsheet → leads", from a sheet and an uploaded file to the result of each row. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { switchedOn, withCredential } from '../../scripts/lib/examples.mjs';
import { openEditor } from './editor.mjs';
import { casesOf, exampleNamed, includes, jsonOf, runTwice, succeeded } from './flow.mjs';
import { chooseSheet, GoogleSheet, serviceAccount } from './googleSheet.mjs';

export const needsBrowser = true;

const example = exampleNamed('Spreadsheet');
const SHEET = { document: 'document-of-the-tests', title: 'Leads' };
const REFUSED = '"Data da venda" must be a date: "sexta passada"';
const LIMIT_MS = 60_000;

/** The example with everything switched on, and its user's choices made. */
async function ready({ client, credential }) {
	const googleApi = await serviceAccount(client);
	const workflow = switchedOn(withCredential(example, credential), {
		'Read the sheet': { googleApi },
		'Write into the sheet': { googleApi },
	});
	for (const node of workflow.nodes.filter(({ type }) => type.endsWith('.googleSheets'))) {
		node.parameters.authentication = 'serviceAccount';
		chooseSheet(node, SHEET);
	}
	return await client.createWorkflow(workflow);
}

const runHourly = async ({ client }, id) => succeeded(await client.runWorkflow(id, 'Every hour'));

const pushesOf = async ({ sandbox }) =>
	(await sandbox.control('requests')).filter(({ route }) => route === 'POST /sync').length;

/** Uploads a file by the form, and returns its ending page. */
async function upload(url, file, fileName) {
	const form = new FormData();
	form.set('field-0', new Blob([file]), fileName);
	const { formWaitingUrl } = await (await fetch(url, { method: 'POST', body: form })).json();
	const page = new URL(formWaitingUrl);
	const status = new URL(`${page.pathname}/n8n-execution-status${page.search}`, page);
	for (const limit = Date.now() + LIMIT_MS; ; await sleep(100)) {
		const state = (await (await fetch(status)).text()).trim();
		if (state === 'form-waiting') break;
		assert.ok(['running', 'new', 'waiting'].includes(state) && Date.now() < limit, state);
	}
	const html = await (await fetch(page)).text();
	await fetch(page, { method: 'POST' });
	return html;
}

const HEADINGS = 'External ID;Nome;E-mail;Telefone;Data da venda;Observação;Loja'.split(';');

/** Thirty rows as people keep them, of which three cannot be sent, and a blank one. */
function thirtyRows(prefix) {
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

/** What n8n itself reads workbooks with. */
const excelOf = ({ host }) => createRequire(host.n8n)('@e965/xlsx');
const workbook = (world, sheet) => {
	const { utils, write } = excelOf(world);
	return [write(utils.book_new(sheet), { type: 'buffer', bookType: 'xlsx' }), 'leads.xlsx'];
};

/** The same rows as Excel saves them: the bytes, and the name of the file. */
const FILES = {
	'CSV of Excel in Brazil': (rows) => [
		Buffer.from(rows.map((row) => row.join(';')).join('\r\n'), 'latin1'),
		'leads.csv',
	],
	'a workbook': (rows, world) => workbook(world, excelOf(world).utils.aoa_to_sheet(rows)),
};

/** Publishes the form for as long as `use` takes, which is given its address. */
async function withForm(world, use) {
	const { id } = await ready(world);
	await world.client.publishWorkflow(id);
	await use(`${world.n8n.url}/form/upload-leads`);
	await world.client.unpublishWorkflow(id);
}

/** Uploads a file in the browser, corrects the results that are downloaded, and uploads those. */
async function walk(world, url) {
	const editor = await openEditor(world);
	// Not logged in, and without what the editor needs in its storage, which the form's pages may not use.
	const page = await editor.page.context().browser().newPage();
	await page.route(/fonts\.googleapis|favicon/, async (route) => await route.abort());
	/** Pictures at the width of a phone and of a screen. */
	const pictures = async (name) => {
		for (const width of [1280, 420]) {
			await page.setViewportSize({ width, height: 900 });
			const needed = await page.evaluate(() => document.documentElement.scrollWidth);
			assert.ok(needed <= width, `${name} needs ${needed} pixels of ${width}`);
			await page.screenshot({ path: join(world.output, `${name}-${width}.png`) });
		}
	};
	const send = async ([buffer, name]) => {
		await page.goto(url);
		await page.locator('input[type=file]').setInputFiles({ name, buffer, mimeType: '' });
		await pictures('spreadsheet-form');
		const results = page.waitForEvent('download');
		await page.getByRole('button', { name: 'Submit' }).click();
		return await readFile(await (await results).path());
	};
	const { read, utils } = excelOf(world);
	const { Sheets } = read(await send(FILES['CSV of Excel in Brazil'](thirtyRows('walk'))));
	await page.getByText('27 of 30 rows were sent').waitFor();
	await pictures('spreadsheet-ending');

	const rows = utils.sheet_to_json(Object.values(Sheets)[0]);
	const refused = rows.filter(({ Result }) => Result !== 'created');
	assert.equal(refused.length, 3);
	for (const row of refused) {
		Object.assign(row, { Telefone: '+55 11 93000-0099', 'Data da venda': '30/12/2025' });
	}
	await send(workbook(world, utils.json_to_sheet(rows)));
	await page.getByText('3 of 3 rows were sent').waitFor();
	await page.close();
}

const RUNS = {
	async 'the example is tried with one click, twice the same way, and says why a row is refused'(
		world,
	) {
		const [first, second] = await runTwice(world, example);
		for (const [execution, result] of [
			[first, 'created'],
			[second, 'updated'],
		]) {
			const [one, two, three, ...more] = jsonOf(execution, 'Only shown');
			assert.deepEqual([one.Result, two.Result, more], [result, result, []]);
			assert.match(three.Result, /"Sale date" must be a date: "last Friday"/);
		}
		const lead = await world.sandbox.get('/leads/example-row-2');
		includes(lead, { status: 'closed_won', estimatedValue: 1500.5 });
		assert.deepEqual(lead.tags.toSorted(), ['newsletter', 'spring campaign']);
	},
	async 'each row of a sheet is sent once, and a refused one again after it is corrected'(world) {
		const { standIns, sandbox } = world;
		const rows = [
			['ID externo', 'Nome', 'E-mail', 'Celular', 'Situação', 'Valor', 'Data da venda'],
			['sheet-1', 'One', 'sheet1@example.com', '+55 (11) 91000-0001', 'open'],
			['sheet-2', 'Two', 'sheet2@example.com', '', 'closed_won', 'R$ 1.500,50', 'sexta passada'],
			['sheet-3', 'Three', 'sheet3@example.com', '', 'closed_won', 900, '31/12/2025'],
		];
		standIns.serve('oauth2.googleapis.com', () => ({ body: { access_token: 'google-token' } }));
		const sheet = new GoogleSheet({ ...SHEET, rows });
		standIns.serve('sheets.googleapis.com', sheet.answer);
		const { id } = await ready(world);
		const before = await pushesOf(world);
		const seen = standIns.requests.length;

		await runHourly(world, id);
		assert.equal(rows[0][7], 'Result');
		const written = standIns.requests.slice(seen).flatMap(({ json }) => json?.data ?? []);
		assert.deepEqual(
			written.map(({ range }) => range),
			['Leads!H2', 'Leads!H3', 'Leads!H4'],
			'no other cell is written',
		);
		assert.deepEqual([rows[1][7], rows[3][7]], ['created', 'created']);
		assert.ok(rows[2][7].includes(REFUSED), rows[2][7]);
		assert.equal((await sandbox.get('/leads/sheet-3')).estimatedValue, 900);
		assert.equal(await pushesOf(world), before + 1);

		await runHourly(world, id);
		assert.equal(await pushesOf(world), before + 1, 'nothing is sent again');

		rows[2][6] = '30/12/2025';
		await runHourly(world, id);
		assert.equal(rows[2][7], 'created');
		includes(await sandbox.get('/leads/sheet-2'), { estimatedValue: 1500.5 });
		assert.equal(await pushesOf(world), before + 2);

		const calls = standIns.requestsTo('sheets.googleapis.com').length;
		await runHourly(world, id);
		const later = standIns.requestsTo('sheets.googleapis.com').slice(calls);
		assert.deepEqual([...new Set(later.map(({ method }) => method))], ['GET']);
		assert.equal(later[0].headers.authorization, 'Bearer google-token');
	},
	async 'a file that cannot be read is not sent, and the ending page says why'(world) {
		const before = await pushesOf(world);
		await withForm(world, async (url) => {
			const pdf = Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 1, 2]);
			assert.match(await upload(url, pdf, 'leads.csv'), /no CSV and no Excel file/);
			const workbook = await upload(url, 'a workbook by its name alone\0', 'leads.xlsx');
			assert.match(workbook, /was not read|0 of \d+ rows? were sent/);
		});
		assert.equal(await pushesOf(world), before);
	},
	async 'a newcomer uploads a file on a phone, corrects what was refused, and uploads the result'(
		world,
	) {
		await withForm(world, async (url) => await walk(world, url));
	},
};

export const cases = [
	...casesOf(RUNS),
	...Object.entries(FILES).map(([program, save], index) => ({
		name: `an uploaded file is sent, and the ending page says what of each row: ${program}`,
		async run(world) {
			const prefix = `file${index}`;
			await withForm(world, async (url) => {
				const html = await upload(url, ...save(thirtyRows(prefix), world));
				for (const part of [
					/27 of 30 rows were sent/,
					/<b>27<\/b> created, <b>3<\/b> refused/,
					/Not sent:<\/b> Loja \(27 rows\)/,
					/Row 6: "Telefone" is not clearly [^\n]*93000-0005[^\n]*\nRow 22: [^\n]*93000-0021/,
					/Row 13: "Data da venda" must be a date: "sexta passada"\n<i>Give it as/,
				]) {
					assert.match(html, part, html.slice(-3000));
				}
				assert.equal(html.split('<i>').length - 1, 2, 'what to do is said once for equal mistakes');
			});
			includes(await world.sandbox.get(`/leads/${prefix}-30`), { notes: 'Ligação às 9h' });
			const { contact } = await world.sandbox.get(`/leads/${prefix}-01`);
			assert.equal(contact.name, 'João 01');
		},
	})),
];
