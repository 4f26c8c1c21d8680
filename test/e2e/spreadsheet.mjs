/** The example "Spreadsheet → leads", from a sheet and an uploaded file to the result of each row. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import {
	readExamples,
	startNode,
	switchedOn,
	withCredential,
} from '../../scripts/lib/examples.mjs';
import { errorOf, includes, jsonOf } from './flow.mjs';
import { GoogleSheet } from './googleSheet.mjs';

const example = readExamples().find(({ name }) => name.startsWith('Spreadsheet'));
const DOCUMENT = 'document-of-the-tests';
const REFUSED = '"Data da venda" must be a date: "sexta passada"';
const LIMIT_MS = 60_000;

/** The example with everything switched on, and its user's choices made. */
async function ready({ client, credential }) {
	const { privateKey } = generateKeyPairSync('rsa', {
		modulusLength: 2048,
		publicKeyEncoding: { type: 'spki', format: 'pem' },
		privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
	});
	const account = { email: 'sheets@example.com', privateKey, region: 'us-central1' };
	const googleApi = await client.createCredential('Google', 'googleApi', account);
	const workflow = switchedOn(withCredential(example, credential), {
		'Read the sheet': { googleApi },
		'Write into the sheet': { googleApi },
	});
	for (const { parameters, type } of workflow.nodes) {
		if (!type.endsWith('.googleSheets')) continue;
		parameters.authentication = 'serviceAccount';
		parameters.documentId = { __rl: true, mode: 'id', value: DOCUMENT };
		parameters.sheetName = { __rl: true, mode: 'name', value: 'Leads' };
	}
	return await client.createWorkflow(workflow);
}

async function runHourly({ client }, id) {
	const execution = await client.runWorkflow(id, 'Every hour');
	assert.equal(execution.status, 'success', errorOf(execution)?.message);
	return execution;
}

const pushesOf = async ({ sandbox }) =>
	(await sandbox.control('requests')).filter(({ route }) => route === 'POST /sync').length;

/** Uploads a file by the form, and returns its ending page. */
async function upload(url, file, separator) {
	const form = new FormData();
	form.set('field-0', new Blob([file], { type: 'text/csv' }), 'leads.csv');
	form.set('field-1', separator);
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

export const cases = [
	{
		name: 'the example is tried with one click, twice the same way, and says why a row is refused',
		async run(world) {
			const { id } = await world.client.createWorkflow(withCredential(example, world.credential));
			for (const time of ['first', 'second']) {
				const execution = await world.client.runWorkflow(id, startNode(example));
				assert.equal(execution.status, 'success', `${time} run: ${errorOf(execution)?.message}`);
				const [one, two, three, ...more] = jsonOf(execution, 'Only shown');
				assert.deepEqual([one.Result, two.Result, more], ['sent', 'sent', []], time);
				assert.match(three.Result, /"Sale date" must be a date: "last Friday"/);
			}
			const lead = await world.sandbox.get('/leads/example-row-2');
			includes(lead, { status: 'closed_won', estimatedValue: 1500.5 });
			assert.deepEqual(lead.tags.toSorted(), ['newsletter', 'spring campaign']);
		},
	},
	{
		name: 'each row of a sheet is sent once, and a refused one again after it is corrected',
		async run(world) {
			const { standIns, sandbox } = world;
			const rows = [
				['ID externo', 'Nome', 'E-mail', 'Celular', 'Situação', 'Valor', 'Data da venda'],
				['sheet-1', 'Example Contact 1', 'sheet1@example.com', '+55 (11) 91000-0001', 'open'],
				[
					'sheet-2',
					'Example Contact 2',
					'sheet2@example.com',
					'',
					'closed_won',
					'R$ 1.500,50',
					'sexta passada',
				],
				['sheet-3', 'Example Contact 3', 'sheet3@example.com', '', 'closed_won', 900, '31/12/2025'],
			];
			standIns.serve('oauth2.googleapis.com', () => ({ body: { access_token: 'google-token' } }));
			const sheet = new GoogleSheet({ document: DOCUMENT, title: 'Leads', rows });
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
			assert.deepEqual([rows[1][7], rows[3][7]], ['sent', 'sent']);
			assert.ok(rows[2][7].includes(REFUSED), rows[2][7]);
			assert.equal((await sandbox.get('/leads/sheet-3')).estimatedValue, 900);
			assert.equal(await pushesOf(world), before + 1);

			await runHourly(world, id);
			assert.equal(await pushesOf(world), before + 1, 'nothing is sent again');

			rows[2][6] = '30/12/2025';
			await runHourly(world, id);
			assert.equal(rows[2][7], 'sent');
			includes(await sandbox.get('/leads/sheet-2'), { estimatedValue: 1500.5 });
			assert.equal(await pushesOf(world), before + 2);

			const calls = standIns.requestsTo('sheets.googleapis.com').length;
			await runHourly(world, id);
			const later = standIns.requestsTo('sheets.googleapis.com').slice(calls);
			assert.deepEqual([...new Set(later.map(({ method }) => method))], ['GET']);
			assert.equal(later[0].headers.authorization, 'Bearer google-token');
		},
	},
	...[
		['Comma', ','],
		['Semicolon', ';'],
	].map(([separator, character]) => ({
		name: `a file that is uploaded is sent, and the ending page has the result of each row: ${separator}`,
		async run(world) {
			const file = `\uFEFF${[
				['External ID', 'Nome', 'E-mail', 'Telefone', 'Data da venda'],
				[`file${character}1`, 'Example Contact 1', 'file1@example.com', '+55 11 92000-0001', ''],
				['file-2', 'Example Contact 2', 'file2@example.com', '', 'sexta passada'],
			]
				.map((row) => row.map((cell) => `"${cell}"`).join(character))
				.join('\r\n')}`;
			const { id } = await ready(world);
			await world.client.publishWorkflow(id);
			const html = await upload(`${world.n8n.url}/form/upload-leads`, file, separator);
			await world.client.request('POST', `/rest/workflows/${id}/deactivate`, {});

			assert.ok(html.includes('1 of 2 rows were sent'), html.slice(0, 500));
			assert.match(html, /Line 3: .*sexta passada/);
			const [encoded] = /(%5B)?%7B%22data[^"']*/.exec(html);
			// Versions that show only one file make no list of it.
			const [{ data, fileName }] = [JSON.parse(decodeURIComponent(encoded))].flat();
			assert.equal(fileName, 'leads-with-results.csv');
			const text = typeof data === 'string' ? data : Buffer.from(data.data).toString();
			assert.match(text, /External ID,Nome,E-mail,Telefone,Data da venda,Line,Result/);
			assert.match(text, /file1@example\.com.*sent/);
			const lead = await world.sandbox.get(`/leads/${encodeURIComponent(`file${character}1`)}`);
			assert.equal(lead.contact.email, 'file1@example.com');
		},
	})),
];
