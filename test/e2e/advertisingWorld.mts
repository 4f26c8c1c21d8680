/** An n8n and a sandbox of their own for the examples that report to Meta and to Google, with stand-ins for both. */
import type { Controls } from '../../sandbox/controls.mts';
import type { Case } from '../../scripts/lib/cases.mts';
import { withAccounts, withCredential } from '../../scripts/lib/examples.mts';
import type { Sandbox } from '../../scripts/lib/sandbox.mts';
import type { Credential, Execution, Workflow } from '../../scripts/lib/workflow.mts';
import { DataManager, DATASET, Meta, SHEET } from './advertisers.mts';
import {
	casesOf,
	errorOf,
	exampleNamed,
	findNode,
	jsonOf,
	recordsAt,
	until,
	type Runs,
} from './flow.mts';
import { chooseSheet, GoogleSheet, serviceAccount } from './googleSheet.mts';
import type { ListedLead, ShownContact, ShownLead } from './records.mts';
import { ownWorld, type OwnWorld } from './restartable.mts';
import { pollTimes } from './trigger.mts';
import type { CaseWorld } from './world.mts';

const HTTP = 'n8n-nodes-base.httpRequest';
const DAY_MS = 24 * 3600 * 1000;
export const TO_META = 'Nightly conversions → Meta';
export const STAGES = 'Lead stages → Meta';
export const TO_GOOGLE = 'Nightly conversions → Google Data Manager';

/** What a user fills in, by its placeholder. */
type Choices = Record<string, string>;

/** Replaces texts of a workflow or of its nodes, such as placeholders. */
export const replaced = <T,>(workflow: T, values: Choices): T => {
	let text = JSON.stringify(workflow);
	for (const [before, after] of Object.entries(values)) text = text.replaceAll(before, after);
	return JSON.parse(text) as T;
};

export const CHOICES: Choices = {
	ENTER_YOUR_DATASET_ID_IN_WHICH_EVENT: DATASET,
	YOUR_DATASET_ID: DATASET,
	YOUR_ACCOUNT_ID: '1112223334',
	YOUR_CONVERSION_ACTION: '987654321',
};

/** As n8n runs it at night: a run by hand is a try, which these runs all are for n8n. */
const atNightTime = (workflow: Workflow) =>
	replaced(workflow, { "$execution.mode === 'test'": 'false' });

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
let begun: Promise<AdvertisingWorld> | undefined;
const sharedWorld = async (world: CaseWorld) => await (begun ??= begin(world));

/** What the cases share. */
export interface AdvertisingWorld extends OwnWorld {
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

async function begin(world: CaseWorld): Promise<AdvertisingWorld> {
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
	const save: AdvertisingWorld['save'] = async (
		name,
		change = (workflow) => workflow,
		options = {},
	) => {
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

export type LeadFields = Parameters<Controls['createLead']>[0];

/** Noon of the day that lies so many days before today. */
export const daysAgo = (days: number): string =>
	new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS + DAY_MS / 2).toISOString();

/** Of a lead that was there before its sale, unless its creation is given. */
export const enter = async (sandbox: Sandbox, lead: LeadFields): Promise<string> =>
	(await sandbox.control('createLead', { createdAt: daysAgo(60), ...lead })).id;

export const soldTo = (contactId: string, more?: LeadFields): LeadFields => {
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
export async function runNight({ client }: OwnWorld, id: string): Promise<Night> {
	const execution = await client.runWorkflow(id, 'Every night');
	const outcome = execution.status === 'success' ? 'success' : (errorOf(execution)?.message ?? '');
	const ran = execution.data.resultData.runData['Line of the night'];
	const line = ran ? jsonOf<{ line: string }>(execution, 'Line of the night')[0].line : outcome;
	return { execution, outcome, line };
}

/** Waits until an execution of a workflow has failed. */
export async function failureOf({ client }: OwnWorld, id: string): Promise<Execution> {
	const failures: Execution[] = [];
	await until(async () => {
		const executions = await client.executionsOf(id);
		failures.push(...executions.filter(({ status }) => status === 'error'));
		return failures.length > 0;
	});
	return failures[0];
}

export const PURCHASE = 'Meta: Purchase';
/** The tags of a lead without those of the month, by which sales are compared. */
export const tagsOf = async ({ sandbox }: OwnWorld, lead: string) =>
	(await sandbox.get<ShownLead>(`/leads/${lead}`)).tags.filter((tag) => !/: \d{4}-\d\d$/.test(tag));
/** The events of the sale of a lead that Meta counts. */
export const salesOf = ({ meta }: AdvertisingWorld, lead: string) =>
	meta.eventsOf(`${lead}:Purchase`);

/** The world without leads, and with stand-ins that accept everything again. */
async function emptied(world: CaseWorld): Promise<AdvertisingWorld> {
	const advertising = await sharedWorld(world);
	const { sandbox, meta } = advertising;
	for (const { id } of await recordsAt<ListedLead>(advertising, '/leads'))
		await sandbox.control('deleteLead', { id });
	meta.instead = () => undefined;
	meta.refuses = () => false;
	meta.attempts = [];
	return advertising;
}

/** Cases that begin with no lead of the others. */
export const advertisingCases = (runs: Runs<AdvertisingWorld>): Array<Case<CaseWorld>> =>
	casesOf(runs, { hangMs: 400_000 }).map(({ run, ...each }) => ({
		...each,
		run: async (world: CaseWorld) => await run(await emptied(world)),
	}));
