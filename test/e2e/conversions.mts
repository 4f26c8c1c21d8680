/** Sales on their way to Meta and to Google: each of them once, whatever fails. In an n8n and a sandbox of their own. */
import assert from 'node:assert/strict';

import { withAccounts, withCredential } from '../../scripts/lib/examples.mts';
import type { Controls } from '../../sandbox/controls.mts';
import type { Sandbox } from '../../scripts/lib/sandbox.mts';
import type { Credential, Execution, Workflow } from '../../scripts/lib/workflow.mts';
import { DataManager, DATASET, Meta, SHEET, WHATSAPP } from './advertisers.mts';
import {
	casesOf,
	errorOf,
	exampleNamed,
	findNode,
	includes,
	jsonOf,
	recordsAt,
	succeeded,
	until,
} from './flow.mts';
import { chooseSheet, GoogleSheet, serviceAccount } from './googleSheet.mts';
import type { ListedLead, ShownContact, ShownLead } from './records.mts';
import { ownWorld, type OwnWorld } from './restartable.mts';
import { pollTimes } from './trigger.mts';
import type { CaseWorld } from './world.mts';

const HTTP = 'n8n-nodes-base.httpRequest';
const DAY_MS = 24 * 3600 * 1000;
const TO_META = 'Nightly conversions → Meta';
const STAGES = 'Lead stages → Meta';
const TO_GOOGLE = 'Nightly conversions → Google Data Manager';

/** What a user fills in, by its placeholder. */
type Choices = Record<string, string>;

/** Replaces texts of a workflow or of its nodes, such as placeholders. */
const replaced = <T,>(workflow: T, values: Choices): T => {
	let text = JSON.stringify(workflow);
	for (const [before, after] of Object.entries(values)) text = text.replaceAll(before, after);
	return JSON.parse(text) as T;
};

const CHOICES: Choices = {
	ENTER_YOUR_DATASET_ID_IN_WHICH_EVENT: DATASET,
	YOUR_DATASET_ID: DATASET,
	YOUR_ACCOUNT_ID: '1112223334',
	YOUR_CONVERSION_ACTION: '987654321',
};

/** As n8n runs it at night: a run by hand is a try, which these runs all are for n8n. */
const atNightTime = (workflow: Workflow) =>
	replaced(workflow, { "$execution.mode === 'test'": 'false' });

/** Reports to ads that open WhatsApp. */
const withWhatsApp = (workflow: Workflow) =>
	replaced(workflow, {
		'"whatsappAccountId":""': `"whatsappAccountId":"${WHATSAPP.account}"`,
		'"name":"whatsappDataset","type":"string","value":""': `"name":"whatsappDataset","type":"string","value":"${WHATSAPP.dataset}"`,
	});

/** Credentials of a user: for the leads, for nodes by their type, and for Google where it is another. */
interface Accounts {
	credential: Credential;
	accounts: Record<string, Credential>;
	google: Credential;
}

/** The examples with the choices that a user makes: accounts, placeholders, and the sheet, which is activated. */
function configured(
	{ credential, accounts, google }: Accounts,
	name: string,
	choices = CHOICES,
): Workflow {
	const chosen = { ...accounts, ...(name === TO_GOOGLE && { [HTTP]: google }) };
	const example = replaced(exampleNamed(name), choices);
	const workflow = withAccounts(withCredential(example, credential), chosen);
	const sheet = findNode(workflow, 'Add to the sheet');
	if (sheet) chooseSheet(Object.assign(sheet, { disabled: false }), SHEET);
	const trigger = findNode(workflow, 'When a status changes');
	if (trigger) Object.assign(trigger.parameters, { pollTimes, triggerOn: ['lead.statusChanged'] });
	// Not six hours.
	const wait = findNode(workflow, 'Wait six hours') ?? findNode(workflow, 'Wait');
	if (wait) Object.assign(wait.parameters, { amount: 1, unit: 'seconds' });
	return workflow;
}

/** The first case begins it. */
let begun: Promise<Platforms> | undefined;
const platforms = async (world: CaseWorld) => await (begun ??= begin(world));

/** What the cases share. */
interface Platforms extends OwnWorld {
	meta: Meta;
	sheet: GoogleSheet;
	dataManager: DataManager;
	/** The IDs of two contacts. */
	contacts: string[];
	/**
	 * Saves an example. @param options `isTry`: as a run by hand, which all of these are for n8n. `choices`: what is filled in
	 * @returns its ID
	 */
	save(
		name: string,
		change?: (workflow: Workflow) => Workflow,
		options?: { isTry?: boolean; choices?: Choices },
	): Promise<string>;
}

async function begin(world: CaseWorld): Promise<Platforms> {
	const own = await ownWorld(world);
	const { client, credential, sandbox } = own;
	const [meta, sheet, dataManager] = [new Meta(), new GoogleSheet(SHEET), new DataManager()];
	world.standIns.serve('graph.facebook.com', meta.answer);
	world.standIns.serve('sheets.googleapis.com', sheet.answer);
	world.standIns.serve('datamanager.googleapis.com', dataManager.answer);
	world.standIns.serve('oauth2.googleapis.com', () => ({
		body: { access_token: 'google-token', expires_in: 3600, token_type: 'Bearer' },
	}));
	const google = await serviceAccount(client, {
		httpNode: true,
		scopes: 'https://www.googleapis.com/auth/datamanager',
	});
	const make = async (type: string, data: object) =>
		await client.createCredential(type, type, data);
	const oauthTokenData = { access_token: 'google-token', token_type: 'Bearer' };
	const ofGoogle = { clientId: 'client', clientSecret: 'secret', oauthTokenData };
	const accounts = {
		[HTTP]: await make('facebookGraphApi', { accessToken: 'meta-token' }),
		'n8n-nodes-base.googleSheets': await make('googleSheetsOAuth2Api', ofGoogle),
	};
	const save: Platforms['save'] = async (name, change = (workflow) => workflow, options = {}) => {
		const { isTry, choices } = options;
		const workflow = change(configured({ credential, accounts, google }, name, choices));
		return (await client.createWorkflow(isTry ? workflow : atNightTime(workflow))).id;
	};
	const contacts: string[] = [];
	for (const n of [1, 2]) {
		const contact = { email: `buyer${n}@example.com`, phone: `+551190000100${n}` };
		const given = { name: 'Example Contact', ...contact };
		contacts.push((await sandbox.post<ShownContact>('/contacts', given)).id);
	}
	return Object.assign(own, { meta, sheet, dataManager, save, contacts });
}

type LeadFields = Parameters<Controls['createLead']>[0];

/** Noon of the day that lies so many days before today. */
const daysAgo = (days: number): string =>
	new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS + DAY_MS / 2).toISOString();

/** Of a lead that was there before its sale, unless its creation is given. */
const enter = async (sandbox: Sandbox, lead: LeadFields): Promise<string> =>
	(await sandbox.control('createLead', { createdAt: daysAgo(60), ...lead })).id;

const soldTo = (contactId: string, more?: LeadFields): LeadFields => {
	const sale = { status: 'closed_won', saleDate: daysAgo(2), estimatedValue: 100 };
	return { contactId, ...sale, ...more };
};

/** What became of a night: its execution, its line, and `success` or the message of its failure. */
interface Night {
	execution: Execution;
	outcome: string;
	line: string;
}

/** Runs a nightly workflow. */
async function runNight({ client }: OwnWorld, id: string): Promise<Night> {
	const execution = await client.runWorkflow(id, 'Every night');
	const outcome = execution.status === 'success' ? 'success' : (errorOf(execution)?.message ?? '');
	const ran = execution.data.resultData.runData['Line of the night'];
	const line = ran ? jsonOf<{ line: string }>(execution, 'Line of the night')[0].line : outcome;
	return { execution, outcome, line };
}

/** A run in which n8n is killed when Meta has taken the sales and not yet answered. */
async function runKilledNight({ client, n8n, meta }: Platforms, id: string): Promise<void> {
	let killed = false;
	meta.taken = async () => {
		await n8n.kill();
		killed = true;
	};
	await client.startWorkflow(id, 'Every night');
	await until(() => killed);
	await n8n.start();
}

/** Waits until an execution of a workflow has failed. */
async function failureOf({ client }: OwnWorld, id: string): Promise<Execution> {
	const failures: Execution[] = [];
	await until(async () => {
		const executions = await client.executionsOf(id);
		failures.push(...executions.filter(({ status }) => status === 'error'));
		return failures.length > 0;
	});
	return failures[0];
}

const PURCHASE = 'Meta: Purchase';
const tagsOf = async ({ sandbox }: OwnWorld, lead: string) =>
	(await sandbox.get<ShownLead>(`/leads/${lead}`)).tags;
/** The events of the sale of a lead that Meta counts. */
const salesOf = ({ meta }: Platforms, lead: string) => meta.eventsOf(`${lead}:Purchase`);

/** Begins with no lead of the other cases. */
async function alone(world: CaseWorld): Promise<Platforms> {
	const run = await platforms(world);
	for (const { id } of await recordsAt<ListedLead>(run, '/leads'))
		await run.sandbox.control('deleteLead', { id });
	run.meta.instead = () => undefined;
	run.meta.refuses = () => false;
	run.meta.attempts = [];
	return run;
}

/** Adds an interaction, as *WhatsApp message → lead* does. */
const addClick = async ({ sandbox }: OwnWorld, leadId: string, metadata: object) => {
	const click = { type: 'CUSTOM', title: 'Came from an ad', metadata };
	await sandbox.post(`/leads/${leadId}/interactions`, click);
};

/** How a line of what is sent again ends. */
const AGAIN = 'It is sent again the next night. If it fails again, correct the lead.';

const CASES: Record<string, (run: Platforms) => Promise<void>> = {
	async 'a sale reaches Meta and Google Ads once, also after a night that failed and one that was killed'(
		run,
	) {
		const { meta, sheet, sandbox, save, contacts } = run;
		const lead = await enter(sandbox, soldTo(contacts[0]));
		const [toMeta, toGoogle] = [
			await save(TO_META),
			await save('Nightly conversions → Google Ads'),
		];
		const down = { status: 503, body: 'Service Unavailable' };
		meta.instead = () => down;
		sheet.instead = (method, path) => (path.endsWith(':append') ? down : undefined);
		assert.match(
			(await runNight(run, toMeta)).outcome,
			/- Example Contact, 100\.00 BRL, sold on .*: Service Unavailable/,
		);
		assert.notEqual((await runNight(run, toGoogle)).outcome, 'success');
		meta.instead = () => undefined;
		sheet.instead = () => undefined;
		await runKilledNight(run, toMeta);
		assert.deepEqual(await tagsOf(run, lead), []);
		for (const _ of [1, 2]) {
			assert.equal((await runNight(run, toMeta)).outcome, 'success');
			assert.equal((await runNight(run, toGoogle)).outcome, 'success');
		}
		assert.deepEqual([meta.attempts.length, salesOf(run, lead).length], [2, 1]);
		assert.deepEqual(await tagsOf(run, lead), [PURCHASE]);
		const rows = sheet.records.map((row) => row['Order ID']);
		assert.deepEqual(rows, [lead], 'one row for each sale');
	},
	async 'an empty night leaves a line, and a placeholder fails in red without a tag'(run) {
		const placeholders: Array<[example: string, tag: string, reason: RegExp]> = [
			[TO_META, PURCHASE, /YOUR_DATASET_ID.*\nEnter the ID of your dataset in "Your datasets"\./],
			[TO_GOOGLE, 'Google: counted', /YOUR_ACCOUNT_ID/],
		];
		for (const [name, tag, reason] of placeholders) {
			const empty = await runNight(run, await run.save(name));
			assert.equal(empty.outcome, 'success');
			assert.match(empty.line, /^0 to be sent to \w+\. No lead has the chosen status/);
			const lead = await enter(run.sandbox, soldTo(run.contacts[0]));
			const unfilled = await runNight(run, await run.save(name, undefined, { choices: {} }));
			assert.match(unfilled.outcome, reason);
			assert.deepEqual(await tagsOf(run, lead), []);
			assert.equal((await runNight(run, await run.save(name))).outcome, 'success');
			assert.deepEqual(await tagsOf(run, lead), [tag]);
			await run.sandbox.control('deleteLead', { id: lead });
		}
	},
	async 'stages reach Meta once, also when it fails at first, and those after an ad in WhatsApp by the click'(
		run,
	) {
		const { client, meta, sandbox, save, contacts } = run;
		const id = await save(STAGES, withWhatsApp);
		const tried = succeeded(await client.runWorkflow(id, 'When a status changes'));
		assert.deepEqual(jsonOf(tried, 'One to send?'), []);
		assert.deepEqual(meta.attempts, []);
		const open = { status: 'open', createdAt: new Date(Date.now() - DAY_MS).toISOString() };
		const plain = await enter(sandbox, { contactId: contacts[0], ...open });
		const clicked = await enter(sandbox, { contactId: contacts[1], ...open });
		const unsold = await enter(sandbox, { contactId: contacts[1], ...open });
		await addClick(run, clicked, { ctwa_clid: 'ARA1' });
		await client.publishWorkflow(id);
		let failures = 1;
		meta.instead = () => (failures-- > 0 ? { status: 500, body: 'Internal error' } : undefined);
		const change = async (lead: string, status: string, sale?: LeadFields) =>
			await sandbox.control('changeLead', { id: lead, status, ...sale });
		const tagged = async (lead: string, tag: string) =>
			await until(async () => (await tagsOf(run, lead)).includes(tag));
		for (const lead of [plain, clicked]) await change(lead, 'in_progress');
		for (const lead of [plain, clicked]) await tagged(lead, 'Meta: QualifiedLead');
		const sent = (lead: string) => meta.eventsOf(`${lead}:QualifiedLead`);
		includes(sent(plain)[0], { event_name: 'QualifiedLead', action_source: 'system_generated' });
		includes(sent(clicked)[0], { action_source: 'business_messaging' });
		assert.equal(sent(clicked)[0].user_data.ctwa_clid, 'ARA1');
		// Once, also if it comes to the stage again.
		await change(clicked, 'open');
		await tagged(clicked, 'Meta: LeadSubmitted');
		await change(clicked, 'in_progress');
		await change(unsold, 'closed_won');
		assert.match(
			errorOf(await failureOf(run, id))?.message ?? '',
			/No event was made of Example Contact, because Sale Date .* missing/,
		);
		const sale = { saleDate: new Date().toISOString(), estimatedValue: 100 };
		await change(clicked, 'closed_won', sale);
		await tagged(clicked, PURCHASE);
		await client.unpublishWorkflow(id);
		assert.deepEqual([sent(plain).length, sent(clicked).length], [1, 1]);
		assert.equal(salesOf(run, clicked).length, 1);
		// What was sent here is left out at night.
		assert.match((await runNight(run, await save(TO_META))).line, /^0 to be sent to Meta\./);
	},
	async 'of twelve stages Meta refuses one: the others are sent once and tagged, and a retry sends that one'(
		run,
	) {
		const { client, meta, sandbox, save, contacts } = run;
		const id = await save(STAGES);
		const createdAt = new Date(Date.now() - DAY_MS).toISOString();
		const open = { contactId: contacts[0], status: 'open', createdAt };
		const leads: string[] = [];
		for (let n = 0; n < 12; n++) leads.push(await enter(sandbox, open));
		const [refused, ...others] = leads;
		meta.refuses = ({ event_id: event }) => event.startsWith(refused);
		meta.received = [];
		await client.publishWorkflow(id);
		for (const lead of leads) {
			await sandbox.control('changeLead', { id: lead, status: 'in_progress' });
		}
		const { id: failed } = await failureOf(run, id);
		for (const lead of others) {
			await until(async () => (await tagsOf(run, lead)).includes('Meta: QualifiedLead'));
		}
		await client.unpublishWorkflow(id);
		const timesOf = (lead: string) =>
			meta.received.filter((event) => event.startsWith(lead)).length;
		assert.deepEqual(others.map(timesOf), Array(11).fill(1));
		assert.deepEqual([timesOf(refused), await tagsOf(run, refused)], [2, []]);
		meta.refuses = () => false;
		await client.retryExecution(failed);
		await until(async () => (await tagsOf(run, refused)).includes('Meta: QualifiedLead'));
		assert.deepEqual(leads.map(timesOf), [3, ...Array(11).fill(1)]);
	},
	async 'a stage that failed for want of a dataset is sent by a retry once its ID is entered'(run) {
		const { client, sandbox, save, contacts } = run;
		const id = await save(STAGES, undefined, { choices: {} });
		const open = { contactId: contacts[0], status: 'open', createdAt: daysAgo(1) };
		const lead = await enter(sandbox, open);
		await client.publishWorkflow(id);
		await sandbox.control('changeLead', { id: lead, status: 'in_progress' });
		const failed = await failureOf(run, id);
		await client.unpublishWorkflow(id);
		assert.match(errorOf(failed)?.description ?? '', /ENTER_YOUR_DATASET_ID_IN_WHICH_EVENT/);
		const { nodes, versionId } = await client.workflow(id);
		const corrected = { nodes: replaced(nodes, CHOICES), versionId };
		await client.request('PATCH', `/rest/workflows/${id}`, corrected);
		await client.retryExecution(failed.id, { loadWorkflow: true });
		await until(async () => (await tagsOf(run, lead)).includes('Meta: QualifiedLead'));
	},
	async 'what Meta answers without having received it is not tagged, and named'(run) {
		const { sandbox, meta, save, contacts } = run;
		const lead = await enter(sandbox, soldTo(contacts[0]));
		meta.instead = () => ({ body: { events_received: 0, messages: [] } });
		const night = await runNight(run, await save(TO_META));
		assert.match(
			night.outcome,
			/- Example Contact, 100\.00 BRL, sold on .*: Meta received no event/,
		);
		assert.deepEqual(await tagsOf(run, lead), []);
	},
	async 'a try sends only the oldest sale to Meta, which is not sent again'(run) {
		const { sandbox, meta, save, contacts } = run;
		const newer = await enter(sandbox, soldTo(contacts[0]));
		const oldest = await enter(sandbox, soldTo(contacts[1], { saleDate: daysAgo(3) }));
		const tried = await runNight(run, await save(TO_META, undefined, { isTry: true }));
		assert.equal(tried.outcome, 'success');
		assert.deepEqual(meta.attempts, [1]);
		assert.deepEqual(await tagsOf(run, oldest), [PURCHASE]);
		await runNight(run, await save(TO_META));
		assert.deepEqual(meta.attempts, [1, 1]);
		assert.deepEqual(
			[newer, oldest].map((id) => salesOf(run, id).length),
			[1, 1],
		);
	},
	async 'of two runs at once both send, each sale counts once, and one that Meta refuses holds back no other'(
		run,
	) {
		const { client, sandbox, meta, save, contacts } = run;
		const before = meta.counted.length;
		meta.refuses = ({ custom_data: custom }) => custom.value === 4;
		const leads: string[] = [];
		for (let n = 0; n < 12; n++) {
			leads.push(await enter(sandbox, soldTo(contacts[0], { estimatedValue: n })));
		}
		// Neither run goes on, and tags what was sent, before both have sent their sales.
		meta.taken = async () => await until(() => meta.attempts.length === 24);
		const id = await save(TO_META);
		const started: string[] = [];
		for (const _ of [1, 2]) started.push(await client.startWorkflow(id, 'Every night'));
		for (const each of started) {
			const message = errorOf(await client.finishedExecution(each))?.message;
			assert.match(
				message ?? '',
				/- Example Contact, 4\.00 BRL, sold on [^-]*: Not this one\. It is sent again.*\n$/,
			);
		}
		assert.equal(meta.counted.length - before, 11);
		meta.refuses = () => false;
		assert.match((await runNight(run, id)).line, /^1 to be sent to Meta\..* tag: 11\./);
		assert.equal(meta.counted.length - before, 12);
	},
	async 'sales are sent to Google side by side, and tagged by what became of them'(run) {
		const { sandbox, dataManager, save, contacts } = run;
		const [counted, refused, twice, waiting, early, unknown, denied] = await Promise.all(
			[1, 2, 3, 4, 5, 6, 7].map((n) => enter(sandbox, soldTo(contacts[0], { estimatedValue: n }))),
		);
		dataManager.refuses = ({ transactionId }) => transactionId === refused;
		const warning = { field: 'events[0].currency', reason: 'INVALID', description: 'Unknown.' };
		dataManager.warnings = ({ transactionId: id }) => (id === counted ? [warning] : []);
		const outcomes: Record<string, string> = {
			[twice]: 'DUPLICATE_TRANSACTION_ID',
			[early]: 'TOO_RECENT_CLICK',
			[counted]: 'SUCCESS',
			[denied]: 'DENIED_CONSENT',
		};
		dataManager.outcome = ({ transactionId: id }) => outcomes[id];
		dataManager.loses = ({ transactionId: id }) => id === unknown;
		dataManager.calls = [];
		const id = await save(TO_GOOGLE);
		const first = await runNight(run, id);
		assert.match(first.line, /^7 to be sent to Google\./);
		// A line for each: whose sale, what amount, which day, and why.
		const lines = first.outcome.trim().split('\n');
		assert.equal(lines[0], 'Not all counted:');
		for (const [amount, why] of [
			[1, 'Google took it without events[0].currency: Unknown. It counts.'],
			[2, `There was a problem with the request. events[0].currency is not valid. ${AGAIN}`],
			[4, `Google has not decided yet. ${AGAIN}`],
			[5, `Google did not count it: too recent click. ${AGAIN}`],
			[6, `The request was not found. ${AGAIN}`],
			[
				7,
				'Google did not count it: denied consent. Correct the lead and remove its tag: then it is sent again.',
			],
		]) {
			const own = lines.filter((line) => line.includes(`, ${amount}.00 BRL, sold on `));
			assert.equal(own.length, 1, first.outcome);
			assert.ok(own[0].startsWith('- ') && own[0].endsWith(`: ${why}`), own[0]);
		}
		assert.ok(!/[{}"]/.test(first.outcome), first.outcome);
		assert.equal(jsonOf(first.execution, 'Counted?', 1).length, 5, 'one has a warning');
		assert.equal(jsonOf(first.execution, 'Send to Google', 1).length, 1, 'one is refused');
		const all = [counted, twice, denied, refused, waiting, early, unknown];
		const tags = async () => await Promise.all(all.map(async (lead) => await tagsOf(run, lead)));
		const settled = [['Google: counted'], ['Google: counted'], ['Google: not counted']];
		assert.deepEqual(await tags(), [...settled, [], [], [], []]);

		dataManager.refuses = () => false;
		dataManager.loses = () => false;
		dataManager.outcome = () => 'SUCCESS';
		dataManager.calls = [];
		const second = await runNight(run, id);
		assert.equal(second.outcome, 'success');
		assert.match(second.line, /^4 to be sent to Google\..* tag: 3\./);
		assert.equal(dataManager.calls.length, 4);
		assert.deepEqual(await tags(), [...settled, ...Array(4).fill(['Google: counted'])]);
	},
};

export const cases = casesOf(CASES, { hangMs: 400_000 }).map(({ run, ...each }) => ({
	...each,
	run: async (world: CaseWorld) => await run(await alone(world)),
}));
