/** The example "Sales → leads": each sale of a sheet or a CSV file in the one lead it belongs to, once, whatever happens. */
import assert from 'node:assert/strict';

import { withAccounts, withCredential } from '../../scripts/lib/examples.mts';
import type { Credential, Workflow } from '../../scripts/lib/workflow.mts';
import {
	casesOf,
	errorOf,
	exampleNamed,
	includes,
	jsonOf,
	nodeOf,
	recordsAt,
	succeeded,
	type Runs,
} from './flow.mts';
import { GoogleSheet, SHEET_ID } from './googleSheet.mts';
import type { ListedLead, ShownContact, ShownLead } from './records.mts';
import { ownWorld, type OwnWorld } from './restartable.mts';
import type { CaseWorld } from './world.mts';

const NAME = 'Sales → leads';
const SHEETS = 'n8n-nodes-base.googleSheets';
const SHEET = { document: 'sales', title: 'Sales' };
const HEADINGS = ['Pedido', 'ID externo', 'Telefone', 'E-mail', 'Valor', 'Data', 'result'];
const RESULT = HEADINGS.indexOf('result');
const won = { status: 'closed_won' };

/**
 * As users choose the CSV file: the line to it is drawn in place of the other, and the nodes of the sheet are deleted. With
 * that line left, deleting the node would make n8n draw one over the gap, to "Record the sales".
 */
function withFile(workflow: Workflow): Workflow {
	const { nodes, connections } = workflow;
	connections['Every night'].main[0][0].node = 'Download the CSV';
	connections['Record the sales'].main[0] = connections['Record the sales'].main[0].filter(
		({ node }) => node !== 'Write the results',
	);
	delete connections['Read the sheet'];
	return { ...workflow, nodes: nodes.filter(({ type }) => type !== SHEETS) };
}

/** Runs the workflow. @returns what became of the execution: `success`, or the message of its failure */
async function run({ client }: OwnWorld, id: string): Promise<string | undefined> {
	const execution = await client.runWorkflow(id, 'Every night');
	return execution.status === 'success' ? 'success' : errorOf(execution)?.message;
}

/** The first case begins it. */
let account: Credential | undefined;

/** An account without leads but these, and a sheet of sales. */
async function ready(world: CaseWorld, rows: string[][] = []) {
	const own = await ownWorld(world);
	const { client, credential, sandbox } = own;
	for (const { id } of await recordsAt<ListedLead>(own, '/leads'))
		await sandbox.control('deleteLead', { id });
	const sheet = new GoogleSheet({ ...SHEET, rows: [HEADINGS, ...rows] });
	world.standIns.serve('sheets.googleapis.com', sheet.answer);
	world.standIns.serve('oauth2.googleapis.com', () => ({
		body: { access_token: 'google-token', expires_in: 3600, token_type: 'Bearer' },
	}));
	const oauthTokenData = { access_token: 'google-token', token_type: 'Bearer' };
	const sheets = (account ??= await client.createCredential('Sheets', 'googleSheetsOAuth2Api', {
		clientId: 'client',
		clientSecret: 'secret',
		oauthTokenData,
	}));
	const save = async (change = (workflow: Workflow) => workflow) => {
		const example = withCredential(structuredClone(exampleNamed(NAME)), credential);
		const workflow = withAccounts(example, { [SHEETS]: sheets });
		// By list, as people do; the other node takes it from there.
		const { parameters } = nodeOf(workflow, 'Read the sheet');
		parameters.documentId = { __rl: true, mode: 'list', value: SHEET.document };
		parameters.sheetName = { __rl: true, mode: 'list', value: SHEET_ID };
		return (await client.createWorkflow(change(workflow))).id;
	};
	/** A lead that is open, with a contact of its own if it has an email. */
	const enter = async ({
		email,
		...lead
	}: {
		email?: string;
		externalId?: string;
		contactId?: string;
	}) => {
		const given = { name: 'Example Contact', email };
		const contact = email ? await sandbox.post<ShownContact>('/contacts', given) : undefined;
		const fields = { status: 'open', contactId: contact?.id ?? null, ...lead };
		return (await sandbox.control('createLead', fields)).id;
	};
	/** The requests since the last call that changed a lead. */
	const writes = async () => {
		const requests = await sandbox.control('requests');
		await sandbox.control('clearRequests');
		return requests.filter(({ method }) => method !== 'GET').length;
	};
	await writes();
	return { ...own, sheet, rows, save, enter, writes };
}

const CASES: Runs = {
	async 'sales of a sheet get to the one lead they belong to, once; what is not recorded fails the run with its reason'(
		world,
	) {
		const rows = [
			['1', 'sale-1', '', '', 'R$ 1.500,50', '31/01/2026'],
			['2', '', '', 'sheet1@example.com', '900', '2026-02-01'],
			['3', '', '', 'nobody@example.com', '900', '2026-02-01'],
			['4', '', '', 'twin@example.com', '900', '2026-02-01'],
			['5', 'sale-1', '', '', '20,00', '2026-02-01'],
			['6', 'sale-1', '', 'sheet1@example.com', '20,00', '2026-02-01'],
		];
		const own = await ready(world, rows);
		const { sandbox, save, enter, writes } = own;
		const byId = await enter({ externalId: 'sale-1' });
		const byEmail = await enter({ email: 'sheet1@example.com' });
		const twin = await enter({ email: 'twin@example.com', externalId: 'twin-1' });
		const { contact } = await sandbox.get<ShownLead>(`/leads/${twin}`);
		await enter({ externalId: 'twin-2', contactId: contact?.id });
		await writes();
		const id = await save();
		// Also with the nodes for a file, which nothing leads to yet.
		await own.client.publishWorkflow(id);
		await own.client.unpublishWorkflow(id);
		const before = JSON.stringify(rows.map((row) => row.slice(0, RESULT)));

		const failure = await run(own, id);
		const results = rows.map((row) => row[RESULT]);
		assert.deepEqual(results.slice(0, 2), ['recorded; the same lead as rows 6, 7', 'recorded']);
		assert.equal(results[2], 'refused: No lead has the email "nobody@example.com"');
		assert.match(results[3], /^refused: It is unclear which lead is meant: .* leads to 2 leads/);
		assert.equal(
			results[4],
			'not recorded: the lead sale-1 has another sale: 1500.5 on 2026-01-31, not 20 on 2026-02-01. A second sale needs a lead of its own: create it with the number of the order as External ID, and give that ID with the sale; the same lead as rows 2, 7',
		);
		assert.match(results[5], /^refused: It is unclear which lead is meant/);
		assert.equal(JSON.stringify(rows.map((row) => row.slice(0, RESULT))), before);
		assert.match(
			failure ?? '',
			/^Not recorded:\n- Row 4: refused: No lead has .*\n- Row 5: refused: .*\n- Row 7: refused: /,
		);
		includes(await sandbox.get(`/leads/${byId}`), { ...won, estimatedValue: 1500.5 });
		includes(await sandbox.get(`/leads/${byEmail}`), { ...won, estimatedValue: 900 });
		// Two sales, and a note of the order of each.
		assert.equal(await writes(), 4);

		// The lead comes after its sale; the others are corrected.
		const late = await enter({ email: 'nobody@example.com' });
		own.sheet.rows.splice(4, 3);
		rows[1][RESULT] = '';
		await writes();
		assert.equal(await run(own, id), 'success');
		assert.deepEqual(
			rows.slice(0, 3).map((row) => row[RESULT]),
			['recorded; the same lead as rows 6, 7', 'already recorded', 'recorded'],
		);
		includes(await sandbox.get(`/leads/${late}`), { ...won, estimatedValue: 900 });
		assert.equal(await writes(), 2);

		assert.equal(await run(own, id), 'success');
		assert.deepEqual(
			await sandbox.control('requests'),
			[],
			'nothing is asked about what is recorded',
		);
	},
	async 'sales of a CSV file, in place of the sheet'(world) {
		const own = await ready(world);
		const { sandbox, client, save, enter, writes } = own;
		const lead = await enter({ externalId: 'sale-1' });
		const csv = (date: string) => `Pedido;ID externo;Valor;Data\r\n1;sale-1;1.500,50;${date}\r\n`;
		const serve = (text: string) =>
			world.standIns.serve('erp.example.com', () => ({
				body: Buffer.from(text, 'latin1'),
				headers: { 'content-type': 'text/csv' },
			}));
		serve(csv('31/01/2026'));
		await writes();
		const id = await save(withFile);
		assert.equal(await run(own, id), 'success');
		includes(await sandbox.get(`/leads/${lead}`), { ...won, estimatedValue: 1500.5 });
		const again = succeeded(await client.runWorkflow(id, 'Every night'));
		assert.equal(jsonOf(again, 'Record the sales')[0].result, 'already recorded');
		assert.equal(await writes(), 2);
		serve(csv('01/02/2026'));
		assert.equal(await run(own, id), 'success', 'a repeat customer is no failure');
		assert.equal(await writes(), 0);
	},
};

export const cases = casesOf(CASES, { hangMs: 300_000 });
