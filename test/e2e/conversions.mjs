/** Sales on their way to Meta and Google Ads: each of them once, whatever fails. In an n8n and a sandbox of their own. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

import { readExamples, withAccounts, withCredential } from '../../scripts/lib/examples.mjs';
import { errorOf, jsonOf } from './flow.mjs';
import { DATASET, GoogleSheet, Meta, SHEET } from './platforms.mjs';
import { ownWorld, until } from './restartable.mjs';
import { pollTimes } from './trigger.mjs';

const DAY_MS = 24 * 3600 * 1000;

const named = (name) => readExamples().find((example) => example.name === name);
const nodeOf = ({ nodes }, name) => nodes.find((node) => node.name === name);

/** The examples with the choices that a user makes: accounts, dataset, and the sheet, which is activated. */
function configured({ credential, accounts }, name) {
	const workflow = withAccounts(withCredential(named(name), credential), accounts);
	const settings = nodeOf(workflow, 'Settings');
	if (settings) settings.parameters.assignments.assignments[0].value = DATASET;
	const sheet = nodeOf(workflow, 'Add to the sheet');
	if (sheet) {
		sheet.disabled = false;
		sheet.parameters.documentId = { __rl: true, mode: 'id', value: SHEET.document };
		sheet.parameters.sheetName = { __rl: true, mode: 'name', value: SHEET.title };
	}
	const trigger = nodeOf(workflow, 'When a lead is won');
	if (trigger) trigger.parameters.pollTimes = pollTimes;
	return workflow;
}

/** The first case begins it. */
let begun;
const platforms = async (world) => (begun ??= begin(world));

async function begin(world) {
	const own = await ownWorld(world);
	const { client, credential, sandbox } = own;
	const [meta, sheet] = [new Meta(), new GoogleSheet()];
	world.standIns.serve('graph.facebook.com', meta.answer);
	world.standIns.serve('sheets.googleapis.com', sheet.answer);
	const accounts = {
		'n8n-nodes-base.httpRequest': await client.createCredential('Meta', 'facebookGraphApi', {
			accessToken: 'meta-token',
		}),
		'n8n-nodes-base.googleSheets': await client.createCredential(
			'Google',
			'googleSheetsOAuth2Api',
			{
				clientId: 'client',
				clientSecret: 'secret',
				oauthTokenData: { access_token: 'google-token', token_type: 'Bearer' },
			},
		),
	};
	const save = async (name, change = (workflow) => workflow) =>
		(await client.createWorkflow(change(configured({ credential, accounts }, name)))).id;
	return { ...own, meta, sheet, save, contacts: await contactsOf(sandbox) };
}

/** IDs of contacts whose email and phone the platforms can match. */
async function contactsOf(sandbox) {
	const { full } = await sandbox.keys();
	return await Promise.all(
		[1, 2].map(async (n) => {
			const body = {
				name: 'Example Contact',
				email: `buyer${n}@example.com`,
				phone: `+551190000100${n}`,
			};
			const response = await fetch(`${sandbox.url}/api/v1/integration/contacts`, {
				method: 'POST',
				headers: { authorization: `Bearer ${full}`, 'content-type': 'application/json' },
				body: JSON.stringify(body),
			});
			const { data } = await response.json();
			return (data.contact ?? data).id;
		}),
	);
}

/** Noon of the day that lies so many days before today. */
const daysAgo = (days) =>
	new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS + DAY_MS / 2).toISOString();

/**
 * The week: `sold` and `entered` are days, the night after day 1 is night 1. n8n's clock cannot be moved, so every
 * night all sale dates are moved back by a day instead; for the workflows that is the same.
 */
const WEEK = {
	first: { sold: 1, entered: 1 },
	'same day': { sold: 1, entered: 1 },
	'in time': { sold: 2, entered: 2 },
	'failed night': { sold: 3, entered: 3 },
	'at the moment': { sold: 3, entered: 3, won: true },
	'killed night': { sold: 4, entered: 4 },
	late: { sold: 2, entered: 5 },
	'with the refused': { sold: 6, entered: 6 },
	refused: { sold: 6, entered: 6, estimatedValue: -1, corrected: 7 },
	'too old': { sold: -4, entered: 6 },
	last: { sold: 7, entered: 7 },
};
const [FAILED, KILLED] = [3, 4];

/** Enters, moves and corrects sales as of a night. */
async function atNight(night, { sandbox, contacts, meta }, leads) {
	meta.now = (night * DAY_MS) / 1000;
	for (const [name, { sold, entered, won, estimatedValue = 100, corrected }] of Object.entries(
		WEEK,
	)) {
		if (entered > night) continue;
		const saleDate = daysAgo(night + 1 - sold);
		if (!leads[name]) {
			const contactId = contacts[Object.keys(leads).length % contacts.length];
			const status = won ? 'open' : 'closed_won';
			const lead = { contactId, status, saleDate, estimatedValue, externalId: name };
			leads[name] = (await sandbox.control('createLead', lead)).id;
		} else {
			const value = corrected === night ? { estimatedValue: 100 } : {};
			await sandbox.control('changeLead', { id: leads[name], saleDate, ...value });
		}
	}
}

/** What one night's runs say: `success`, or the message of the failure. */
async function runNight({ client }, id) {
	const execution = await client.runWorkflow(id, 'Try it');
	return execution.status === 'success' ? 'success' : errorOf(execution)?.message;
}

/** A run in which n8n is killed when Meta has taken the sales and not yet answered. */
async function runKilledNight({ client, n8n, meta }, id) {
	let killed = false;
	meta.taken = async () => {
		await n8n.kill();
		killed = true;
	};
	await client.startWorkflow(id, 'Try it');
	await until(() => killed);
	await n8n.start();
	return 'killed';
}

async function week(world) {
	const run = await platforms(world);
	const { client, sandbox, meta, sheet, save } = run;
	const toGoogle = await save('Nightly conversions → Google Ads');
	const toMeta = await save('Nightly conversions → Meta');
	await client.publishWorkflow(await save('Lead won → Meta'));

	const leads = {};
	const nights = [];
	for (let night = 1; night <= 7; night++) {
		await atNight(night, run, leads);
		if (night === WEEK['at the moment'].entered) {
			const id = leads['at the moment'];
			await sandbox.control('changeLead', { id, status: 'closed_won' });
			await until(() => meta.counted.some(({ event_id }) => event_id === id));
			await sleep(1000);
		}
		const down = night === FAILED ? { status: 503, body: 'Service Unavailable' } : undefined;
		meta.instead = () => down;
		sheet.instead = (method, path) => (path.endsWith(':append') ? down : undefined);
		const google = await runNight(run, toGoogle);
		sheet.import();
		const sent = night === KILLED ? await runKilledNight(run, toMeta) : await runNight(run, toMeta);
		nights.push({ google, meta: sent });
	}
	return { ...run, leads, nights };
}

export const cases = [
	{
		name: 'each sale reaches Meta and Google Ads once in a week with a failed night, a killed n8n and late sales',
		async run(world) {
			const { meta, sheet, leads, nights } = await week(world);
			const names = new Map(Object.entries(leads).map(([name, id]) => [id, name]));
			const all = Object.keys(WEEK).sort();
			const inMeta = meta.counted.map(({ event_id }) => names.get(event_id));
			assert.deepEqual(
				inMeta.toSorted(),
				all.filter((name) => name !== 'too old'),
			);
			assert.deepEqual(sheet.counted.map((id) => names.get(id)).toSorted(), all);
			assert.equal(sheet.records.length, all.length, 'one row for each sale');

			assert.deepEqual(
				nights.map(({ google }) => google === 'success'),
				[true, true, false, true, true, true, true],
			);
			const outcomes = nights.map(({ meta: outcome }) => outcome);
			assert.deepEqual(
				[0, 1, 4].map((n) => outcomes[n]),
				['success', 'success', 'success'],
			);
			assert.match(
				outcomes[FAILED - 1],
				/^Meta did not take these sales, which are tried again in the next run/,
			);
			assert.match(
				outcomes[5],
				new RegExp(`The value of a purchase is negative \\(${leads.refused}\\)`),
			);
			assert.match(
				outcomes[6],
				new RegExp(`^Sales entered more than 7 days after .*: ${leads['too old']}$`),
			);
		},
	},
];
