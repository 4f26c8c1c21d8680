/** The examples that need no other service, run as a whole: n8n's own nodes are part of them. */
import assert from 'node:assert/strict';

import type { Case } from '../../scripts/lib/cases.mts';
import { readExamples, missingChoice } from '../../scripts/lib/examples.mts';
import type { Execution } from '../../scripts/lib/workflow.mts';
import { exampleNamed, itemsOf, jsonOf, recordsAt, runTwice } from './flow.mts';
import type { ShownContact } from './records.mts';
import type { CaseWorld } from './world.mts';

const DAY_MS = 24 * 60 * 60 * 1000;

const examples = readExamples();
const nightly = exampleNamed('Nightly conversions → Google Ads');
/** These run in cases of their own, those that need a model in agent.mts, and those that need other services in team.mts, conversions.mts and stages.mts. */
const others = [nightly.name, 'WhatsApp message → lead', 'WhatsApp assistant', 'Checkout → leads'];
const runnable = examples.filter((each) => !missingChoice(each) && !others.includes(each.name));
/** The item with the line of the night, after those of incomplete leads. */
const reportOf = (execution: Execution) =>
	jsonOf<{ summary: { text: string; exported: number } }>(execution, 'Report of the night').slice(
		-1,
	)[0];

export const cases: Array<Case<CaseWorld>> = [
	...runnable.map((example) => ({
		name: `"${example.name}" runs, twice the same way`,
		run: async (world: CaseWorld) => void (await runTwice(world, example)),
	})),
	{
		name: `"${nightly.name}" puts the sales of the days before today in one file`,
		async run(world: CaseWorld) {
			const contacts = await recordsAt<ShownContact>(world, '/contacts');
			const contactId = contacts.find(({ email }) => email)?.id;
			const saleDate = new Date(Date.now() - 2 * DAY_MS).toISOString();
			const createdAt = new Date(Date.now() - 3 * DAY_MS).toISOString();
			const sale = { status: 'closed_won', estimatedValue: 1500, saleDate, contactId, createdAt };
			const { id } = await world.sandbox.control('createLead', sale);
			const execution = (await runTwice(world, nightly))[1];
			const rows = jsonOf(execution, 'Get the sales of 30 days');
			assert.equal(rows.filter((row) => row['Order ID'] === id).length, 1);
			assert.ok(rows.length > 2, 'the sandbox has sales of these days from the start');
			const { text, exported } = reportOf(execution).summary;
			assert.equal(exported, rows.filter((row) => row['Order ID']).length);
			assert.match(text, /^\d+ of \d+ won leads were sold from /);
			const [{ binary }, ...more] = itemsOf(execution, 'Make a CSV file');
			assert.deepEqual(more, []);
			assert.match(binary?.data.fileName ?? '', /^conversions-\d{4}-\d\d-\d\d\.csv$/);
		},
	},
];
