/** Sales on their way into the service, to Meta and to Google: each of them once, whatever fails. In an n8n and a sandbox of their own. */
import assert from 'node:assert/strict';

import { withAccounts, withCredential } from '../../scripts/lib/examples.mjs';
import { DataManager, DATASET, GoogleAds, Meta, SHEET, WHATSAPP } from './advertisers.mjs';
import {
	casesOf,
	errorOf,
	exampleNamed,
	includes,
	jsonOf,
	nodeOf,
	recordsAt,
	succeeded,
	until,
} from './flow.mjs';
import { chooseSheet, GoogleSheet, serviceAccount } from './googleSheet.mjs';
import { ownWorld } from './restartable.mjs';
import { pollTimes } from './trigger.mjs';

const HTTP = 'n8n-nodes-base.httpRequest';
const DAY_MS = 24 * 3600 * 1000;
const TO_META = 'Nightly conversions → Meta';
const STAGES = 'Lead stages → Meta';
const TO_GOOGLE = 'Nightly conversions → Google Data Manager';

/** The settings that a user makes. */
const CHOICES = { datasetId: DATASET, accountId: '1112223334', conversionActionId: '987654321' };

/** As n8n runs it at night: a run by hand is a try, which these runs all are for n8n. */
const atNightTime = (workflow) =>
	JSON.parse(JSON.stringify(workflow).replaceAll("$execution.mode === 'test'", 'false'));

/** Changes settings of a workflow. */
const withSettings = (settings) => (workflow) => {
	const { assignments } = nodeOf(workflow, 'Settings').parameters.assignments;
	for (const each of assignments) each.value = settings[each.name] ?? each.value;
	return workflow;
};
const OF_WHATSAPP = { whatsappAccountId: WHATSAPP.account, whatsappDatasetId: WHATSAPP.dataset };

/** The examples with the choices that a user makes: accounts, settings, and the sheet, which is activated. */
function configured({ credential, accounts, google }, name) {
	const chosen = { ...accounts, ...(name === TO_GOOGLE && { [HTTP]: google }) };
	const workflow = withAccounts(withCredential(exampleNamed(name), credential), chosen);
	if (nodeOf(workflow, 'Settings')) withSettings(CHOICES)(workflow);
	const sheet = nodeOf(workflow, 'Add to the sheet');
	if (sheet) chooseSheet(Object.assign(sheet, { disabled: false }), SHEET);
	const trigger = nodeOf(workflow, 'When a status changes');
	if (trigger) Object.assign(trigger.parameters, { pollTimes, triggerOn: ['lead.statusChanged'] });
	return workflow;
}

/** The first case begins it. */
let begun;
const platforms = async (world) => (begun ??= begin(world));

async function begin(world) {
	const own = await ownWorld(world);
	const { client, credential, sandbox } = own;
	const [meta, sheet, dataManager] = [new Meta(), new GoogleAds(SHEET), new DataManager()];
	world.standIns.serve('graph.facebook.com', meta.answer);
	world.standIns.serve('sheets.googleapis.com', (request) =>
		(request.path.includes(SHEET.document) ? sheet : own.salesSheet).answer(request),
	);
	world.standIns.serve('datamanager.googleapis.com', dataManager.answer);
	world.standIns.serve('oauth2.googleapis.com', () => ({
		body: { access_token: 'google-token', expires_in: 3600, token_type: 'Bearer' },
	}));
	const google = await serviceAccount(client, {
		httpNode: true,
		scopes: 'https://www.googleapis.com/auth/datamanager',
	});
	const make = async (type, data) => await client.createCredential(type, type, data);
	const oauthTokenData = { access_token: 'google-token', token_type: 'Bearer' };
	const ofGoogle = { clientId: 'client', clientSecret: 'secret', oauthTokenData };
	const accounts = {
		[HTTP]: await make('facebookGraphApi', { accessToken: 'meta-token' }),
		'n8n-nodes-base.googleSheets': await make('googleSheetsOAuth2Api', ofGoogle),
	};
	/** Saves an example. @param {boolean} [isTry] as a run by hand, which all of these are for n8n */
	const save = async (name, change = (workflow) => workflow, isTry = false) => {
		const workflow = change(configured({ credential, accounts, google }, name));
		return (await client.createWorkflow(isTry ? workflow : atNightTime(workflow))).id;
	};
	const contacts = [];
	for (const n of [1, 2]) {
		const contact = { email: `buyer${n}@example.com`, phone: `+551190000100${n}` };
		contacts.push((await sandbox.post('/contacts', { name: 'Example Contact', ...contact })).id);
	}
	return Object.assign(own, { meta, sheet, dataManager, save, contacts });
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
	'at the moment': { sold: 3, entered: 3 },
	'killed night': { sold: 4, entered: 4 },
	late: { sold: 2, entered: 5 },
	'with the refused': { sold: 6, entered: 6 },
	// Corrected on the next day.
	negative: { sold: 6, entered: 6, value: (night) => (night > 6 ? 100 : -1) },
	refused: { sold: 6, entered: 6, value: (night) => (night > 6 ? 100 : 666) },
	'too old': { sold: -4, entered: 6 },
	last: { sold: 7, entered: 7 },
};
const [FAILED, KILLED] = [3, 4];

/** Enters, moves and corrects sales as of a night. @param {Record<string, string>} leads IDs by name */
async function atNight(night, { sandbox, contacts, meta }, leads) {
	meta.now = (night * DAY_MS) / 1000;
	for (const [name, { sold, entered, value = () => 100 }] of Object.entries(WEEK)) {
		if (entered > night) continue;
		const saleDate = daysAgo(night + 1 - sold);
		const sale = { status: 'closed_won', saleDate, estimatedValue: value(night) };
		const id = leads[name];
		if (id) await sandbox.control('changeLead', { id, ...sale });
		else leads[name] = await enter(sandbox, { contactId: contacts[0], ...sale });
	}
}

/** Of a lead that was there before its sale, unless its creation is given. */
const enter = async (sandbox, lead) =>
	(await sandbox.control('createLead', { createdAt: daysAgo(60), ...lead })).id;

const soldTo = (contactId, more) => {
	const sale = { status: 'closed_won', saleDate: daysAgo(2), estimatedValue: 100 };
	return { contactId, ...sale, ...more };
};

/** Runs a nightly workflow. @returns its execution, its line, and `success` or the message of its failure */
async function runNight({ client }, id) {
	const execution = await client.runWorkflow(id, 'Every night');
	const outcome = execution.status === 'success' ? 'success' : errorOf(execution)?.message;
	const ran = execution.data.resultData.runData['Line of the night'];
	const line = ran ? jsonOf(execution, 'Line of the night')[0].line : outcome;
	return { execution, outcome, line };
}

/** A run in which n8n is killed when Meta has taken the sales and not yet answered. */
async function runKilledNight({ client, n8n, meta }, id) {
	let killed = false;
	meta.taken = async () => {
		await n8n.kill();
		killed = true;
	};
	await client.startWorkflow(id, 'Every night');
	await until(() => killed);
	await n8n.start();
	return { outcome: 'killed' };
}

async function week(run) {
	const { client, sandbox, meta, sheet, save, contacts } = run;
	const toGoogle = await save('Nightly conversions → Google Ads');
	const toMeta = await save(TO_META);
	// The trigger knows this lead from the start; won and sold on day 3, it is sent before the night.
	const won = await enter(sandbox, { contactId: contacts[0], status: 'open' });
	const atOnce = await save(STAGES);
	await client.publishWorkflow(atOnce);

	const leads = { 'at the moment': won };
	const nights = [];
	meta.refuses = ({ custom_data: custom }) => custom.value === 666;
	meta.keepsValid = true;
	for (let night = 1; night <= 7; night++) {
		await atNight(night, run, leads);
		if (night === WEEK['at the moment'].entered) {
			await until(() => meta.eventsOf(won).length > 0);
		}
		const down = night === FAILED ? { status: 503, body: 'Service Unavailable' } : undefined;
		meta.instead = () => down;
		sheet.instead = (method, path) => (path.endsWith(':append') ? down : undefined);
		const google = await runNight(run, toGoogle);
		sheet.import();
		const sent = night === KILLED ? await runKilledNight(run, toMeta) : await runNight(run, toMeta);
		nights.push({ google, meta: sent });
	}
	await client.unpublishWorkflow(atOnce);
	return { leads, nights };
}

/** Begins with no lead of the other cases. */
async function alone(world) {
	const run = await platforms(world);
	for (const { id } of await recordsAt(run, '/leads'))
		await run.sandbox.control('deleteLead', { id });
	run.meta.instead = () => undefined;
	run.meta.refuses = () => false;
	run.meta.keepsValid = false;
	run.meta.attempts = [];
	return run;
}

/** Adds an interaction, as *WhatsApp message → lead* does. */
const addClick = async ({ sandbox }, leadId, metadata) => {
	const click = { type: 'CUSTOM', title: 'Came from an ad', metadata };
	await sandbox.post(`/leads/${leadId}/interactions`, click);
};

/** Their tables are created by the workflow, by an action of the node that 2.2.0 lacks and 2.3.5 has. */
const needs = { n8n: '2.3.5', for: 'node that creates data tables' };

const CASES = {
	async 'each sale reaches Meta and Google Ads once in a week with failed nights and late sales'(
		run,
	) {
		const { meta, sheet } = run;
		const { leads, nights } = await week(run);
		const names = new Map(Object.entries(leads).map(([name, id]) => [id, name]));
		const all = Object.keys(WEEK).sort();
		const inMeta = meta.counted.map(({ event_id }) => names.get(event_id));
		assert.deepEqual([...inMeta, 'too old'].sort(), all);
		assert.deepEqual(sheet.counted.map((id) => names.get(id)).sort(), all);
		assert.equal(sheet.records.length, all.length, 'one row for each sale');

		const failed = nights.flatMap(({ google }, n) => (google.outcome === 'success' ? [] : n + 1));
		assert.deepEqual(failed, [FAILED]);
		const [first, second, third, , fifth, sixth, seventh] = nights.map((night) => night.meta);
		assert.equal(first.outcome, 'success');
		assert.equal(first.line, '2 sales were sent to Meta; 0 not sent; 0 incomplete.');
		assert.equal(second.line, '1 sale was sent to Meta; 0 not sent; 0 incomplete.');
		assert.match(third.outcome, /^0 sales were sent to Meta; 1 not sent \(\S+ not confirmed: /);
		assert.equal(fifth.outcome, 'success');
		assert.match(sixth.outcome, /^1 sale was sent to Meta; 2 not sent \(/);
		assert.ok(sixth.outcome.includes(`${leads.refused} refused: Not this one`), sixth.outcome);
		assert.ok(sixth.outcome.includes(`${leads['too old']} too old: Sale Date is more than 7 days`));
		assert.ok(sixth.outcome.includes(`${leads.negative}: Estimated Value is negative`));
		assert.equal(seventh.line, '3 sales were sent to Meta; 0 not sent; 0 incomplete.');

		const [sent] = meta.eventsOf(leads['at the moment']);
		const made = jsonOf(nights[2].meta.execution, 'Get the sales of 62 days');
		const same = made.find(({ event_id }) => event_id === sent.event_id);
		assert.deepEqual(
			{ ...same, event_time: sent.event_time },
			sent,
			'both workflows send the same',
		);
	},
	async 'an empty night leaves a line, and what is missing is named before anything is read'(run) {
		const none = { datasetId: 'YOUR_ID', accountId: 'X', conversionActionId: 'X' };
		const incomplete = (workflow) => {
			for (const node of workflow.nodes) if (node.type === HTTP) delete node.credentials;
			return withSettings(none)(workflow);
		};
		for (const [name, line, missing] of [
			[
				TO_META,
				'0 sales were sent to Meta; 0 not sent; 0 incomplete.',
				/^Nothing was read or sent.*the ID of your dataset.*a credential of the type Facebook Graph API/s,
			],
			[
				TO_GOOGLE,
				'0 sales were accepted by Google, 0 of earlier nights counted; 0 not; 0 incomplete.',
				/^Nothing was read or sent.*your Google Ads account.*your conversion action.*Google Service Account/s,
			],
		]) {
			assert.equal((await runNight(run, await run.save(name))).line, line);
			await run.sandbox.control('clearRequests', {});
			assert.match((await runNight(run, await run.save(name, incomplete))).outcome, missing);
			assert.deepEqual(await run.sandbox.control('requests'), []);
		}
	},
	async 'stages reach Meta, those after an ad in WhatsApp by the click, and no sample of a try'(
		run,
	) {
		const { client, meta, sandbox, save, contacts } = run;
		const id = await save(STAGES, withSettings(OF_WHATSAPP));
		const tried = succeeded(await client.runWorkflow(id, 'When a status changes'));
		assert.equal(jsonOf(tried, 'Nothing to send').length, 1);
		assert.deepEqual(meta.attempts, []);
		const open = { status: 'open', createdAt: new Date(Date.now() - DAY_MS).toISOString() };
		const plain = await enter(sandbox, { contactId: contacts[0], ...open });
		const clicked = await enter(sandbox, { contactId: contacts[1], ...open });
		await addClick(run, clicked, { ctwa_clid: 'ARA1' });
		await client.publishWorkflow(id);
		for (const lead of [plain, clicked]) {
			await sandbox.control('changeLead', { id: lead, status: 'in_progress' });
		}
		const sent = (lead) => meta.eventsOf(`${lead}:QualifiedLead`)[0];
		await until(() => sent(plain) && sent(clicked));
		await client.unpublishWorkflow(id);
		includes(sent(plain), { event_name: 'QualifiedLead', action_source: 'system_generated' });
		includes(sent(clicked), { action_source: 'business_messaging' });
		assert.equal(sent(clicked).user_data.ctwa_clid, 'ARA1');
	},
	async 'a try sends one sale of your choice to Meta, which is counted and not sent again'(run) {
		const { sandbox, meta, save, contacts } = run;
		const sold = await enter(sandbox, soldTo(contacts[1]));
		const other = await enter(sandbox, soldTo(contacts[0]));
		const nothing = await runNight(run, await save(TO_META, undefined, true));
		assert.match(nothing.line, /^Nothing was sent: enter the ID of one lead /);
		assert.deepEqual(meta.attempts, []);
		const settings = { tryLeadId: sold, testEventCode: 'TEST12345' };
		const tried = await save(TO_META, withSettings(settings), true);
		assert.match((await runNight(run, tried)).line, /1 sale was sent to Meta/);
		await runNight(run, await save(TO_META, withSettings(settings)));
		const codes = [sold, other].map((id) => meta.eventsOf(id).map(({ testCode }) => testCode));
		assert.deepEqual(codes, [['TEST12345'], [undefined]]);
	},
	async 'sales after a click into WhatsApp are reported to it, one a request and once'(run) {
		const { sandbox, meta, save, contacts } = run;
		const createdAt = daysAgo(3);
		const sales = [];
		await enter(sandbox, soldTo(contacts[0], { createdAt }));
		for (const contact of contacts) {
			// A click of today counts for a sale of today only.
			const sale = soldTo(contact, { createdAt, saleDate: new Date().toISOString() });
			const id = await enter(sandbox, sale);
			await addClick(run, id, { ctwa_clid: `ARA-${id}` });
			sales.push(id);
		}
		const id = await save(TO_META, (workflow) => {
			const { parameters } = nodeOf(workflow, 'Get the sales of 62 days');
			parameters.saleDateTo = '={{ $now.plus({ minutes: 1 }).toISO() }}';
			return withSettings(OF_WHATSAPP)(workflow);
		});
		assert.match((await runNight(run, id)).line, /^3 sales were sent to Meta; 0 not sent/);
		assert.deepEqual(meta.attempts, [1, 1, 1]);
		await runNight(run, id);
		const sources = sales.map((sale) => meta.eventsOf(sale).map((event) => event.action_source));
		assert.deepEqual(sources, [['business_messaging'], ['business_messaging']]);
	},
	async 'a thousand sales go in one request, and one that Meta refuses holds back no other'(run) {
		const { sandbox, meta, save, contacts } = run;
		// Looking up and recording a thousand sales takes long, and the week shows both.
		const id = await save(TO_META, (workflow) => {
			nodeOf(workflow, 'Not done yet?').disabled = true;
			nodeOf(workflow, 'Record').disabled = true;
			return workflow;
		});
		const before = meta.counted.length;
		meta.refuses = ({ custom_data: custom }) => custom.value === 700;
		for (let n = 0; n < 1001; n++) {
			await enter(sandbox, soldTo(contacts[0], { estimatedValue: n }));
		}
		await runNight(run, id);
		meta.refuses = () => false;
		assert.equal(meta.counted.length - before, 1000);
		// The first two are sent at the same time.
		const first = meta.attempts.slice(0, 4).sort((a, b) => b - a);
		assert.deepEqual(first, [1000, 500, 500, 1]);
		assert.ok(meta.attempts.length < 25, `${meta.attempts.length} requests`);
	},
	async 'sales are sent to Google one by one, and the next night says in words what became of them'(
		run,
	) {
		const { sandbox, dataManager, save, contacts } = run;
		const [counted, refused, twice, waiting, early, unknown] = await Promise.all(
			[1, 2, 3, 4, 5, 6].map((n) => enter(sandbox, soldTo(contacts[0], { estimatedValue: n }))),
		);
		await addClick(run, counted, { gclid: 'too late' });
		dataManager.refuses = ({ transactionId }) => transactionId === refused;
		const warning = { field: 'events[0].currency', reason: 'INVALID', description: 'Unknown.' };
		dataManager.warnings = ({ transactionId: id }) => (id === counted ? [warning] : []);
		const outcomes = { [twice]: 'DUPLICATE_TRANSACTION_ID', [early]: 'TOO_RECENT_CLICK' };
		outcomes[counted] = 'SUCCESS';
		dataManager.outcome = ({ transactionId }) => outcomes[transactionId];
		const id = await save(TO_GOOGLE);
		const first = await runNight(run, id);
		assert.match(first.line, /^5 sales were accepted by Google, 0 of earlier nights counted/);
		assert.ok(first.line.includes(`${counted} accepted, without events[0].currency (Unknown.)`));
		assert.ok(first.outcome.includes(`; 1 not (${refused} refused: `), first.outcome);
		assert.deepEqual(dataManager.calls.slice(0, 6), Array(6).fill('validate'));
		assert.equal(dataManager.calls.filter((call) => call === 'send').length, 5);

		dataManager.refuses = () => false;
		dataManager.forget(unknown);
		const second = await runNight(run, id);
		assert.match(second.line, /1 of earlier nights counted/);
		assert.ok(second.line.includes(`${twice} not counted: Google has this sale already`));
		assert.ok(second.line.includes(`${unknown} without an outcome: Google knows of no such`));
		assert.ok(!second.line.includes(waiting), 'it is still processed');
		const sent = [...dataManager.accepted.values()].flat().map((each) => each.transactionId);
		const times = (lead) => sent.filter((each) => each === lead).length;
		assert.deepEqual([counted, refused, twice, waiting, unknown].map(times), [1, 1, 1, 1, 0]);
		assert.equal(times(early), 2, 'sent again');
	},
	async 'sales of a sheet and of a CSV file get to the one lead they belong to, once'(run, world) {
		const { sandbox, save, contacts } = run;
		const open = { status: 'open', contactId: null };
		const byId = await enter(sandbox, { ...open, externalId: 'sale-1' });
		const byEmail = await enter(sandbox, { ...open, contactId: contacts[0] });
		for (const externalId of ['twin-1', 'twin-2']) {
			await enter(sandbox, { ...open, contactId: contacts[1], externalId });
		}
		const rows = [
			['Pedido', 'ID externo', 'Telefone', 'E-mail', 'Valor', 'Data'],
			['1', 'sale-1', '', '', 'R$ 1.500,50', '31/01/2026'],
			['2', '', '', 'buyer1@example.com', '900', '2026-02-01'],
			['3', '', '', 'nobody@example.com', '900', '2026-02-01'],
			['4', '', '', 'buyer2@example.com', '900', '2026-02-01'],
			['5', 'sale-1', '', '', '20,00', '2026-02-01'],
		];
		const sales = { document: 'sales', title: 'Sales' };
		run.salesSheet = new GoogleSheet({ ...sales, rows });
		const saveReading = async (...names) =>
			await save('Sales → leads', (workflow) => {
				for (const name of names) {
					const node = Object.assign(nodeOf(workflow, name), { disabled: false });
					if (name.includes('sheet')) chooseSheet(node, sales);
				}
				const { options } = nodeOf(workflow, 'Record the sale').parameters;
				options.numbersAreWritten = 'commaDecimals';
				return workflow;
			});
		const writes = async () =>
			(await sandbox.control('requests')).filter(({ method }) => method === 'PUT').length;
		const before = await writes();
		const sheet = await saveReading('Read the sheet', 'Write into the sheet');
		const first = await runNight(run, sheet);
		assert.equal(first.outcome, 'success');
		const results = rows.slice(1).map((row) => row[6]);
		assert.deepEqual(results.slice(0, 2), ['recorded', 'recorded'], JSON.stringify(results));
		assert.match(results[2], /^not recorded: No lead has the email/);
		assert.match(results[3], /^not recorded: .*2 leads/);
		assert.match(results[4], /^not recorded: another row of this run/);
		assert.match(first.line, /^2 sales were recorded, 0 had been before; 3 not recorded \(5 not/);
		const won = { status: 'closed_won' };
		includes(await sandbox.get(`/leads/${byId}`), { ...won, estimatedValue: 1500.5 });
		includes(await sandbox.get(`/leads/${byEmail}`), { ...won, estimatedValue: 900 });
		assert.equal(await writes(), before + 2);

		const second = await runNight(run, sheet);
		assert.match(rows[5][6], /^not recorded: lead sale-1 has another sale already/);
		assert.match(second.line, /^0 sales were recorded/);
		assert.equal(await writes(), before + 2, 'the same rows change nothing');

		const csv = 'Pedido;ID externo;Valor;Data\r\n1;sale-1;1.500,50;31/01/2026\r\n';
		world.standIns.serve('erp.example.com', () => ({
			body: Buffer.from(csv, 'latin1'),
			headers: { 'content-type': 'text/csv' },
		}));
		const file = await saveReading('Download the CSV', 'Rows of the CSV');
		const third = await runNight(run, file);
		assert.match(third.line, /^0 sales were recorded, 1 had been before; 0 not/);
		assert.equal(await writes(), before + 2);
	},
};

export const cases = casesOf(CASES, { needs, hangMs: 400_000 }).map(({ run, ...each }) => ({
	...each,
	run: async (world) => await run(await alone(world), world),
}));
