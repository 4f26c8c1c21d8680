/** Sales on their way to Meta and to Google: each of them once, whatever fails. */
import assert from 'node:assert/strict';

import type { Workflow } from '../../scripts/lib/workflow.mts';
import {
	advertisingCases,
	daysAgo,
	enter,
	PURCHASE,
	replaced,
	runNight,
	salesOf,
	soldTo,
	tagsOf,
	TO_GOOGLE,
	TO_META,
	type AdvertisingWorld,
} from './advertisingWorld.mts';
import { errorOf, jsonOf, until } from './flow.mts';

/** A run in which n8n is killed when Meta has taken the sales and not yet answered. */
async function runKilledNight({ client, n8n, meta }: AdvertisingWorld, id: string): Promise<void> {
	let killed = false;
	meta.taken = async () => {
		await n8n.kill();
		killed = true;
	};
	await client.startWorkflow(id, 'Every night');
	await until(() => killed);
	await n8n.start();
}

/** How a line of what is sent again ends. */
const AGAIN = 'It is sent again the next night. If it fails again, correct the lead.';

export const cases = advertisingCases({
	async 'a sale reaches Meta and Google Ads once, also after a night that failed and one that was killed'(
		world,
	) {
		const { meta, sheet, sandbox, save, contacts } = world;
		const lead = await enter(sandbox, soldTo(contacts[0]));
		const [toMeta, toGoogle] = [
			await save(TO_META),
			await save('Nightly conversions → Google Ads'),
		];
		const down = { status: 503, body: 'Service Unavailable' };
		meta.instead = () => down;
		sheet.instead = (method, path) => (path.endsWith(':append') ? down : undefined);
		assert.match(
			(await runNight(world, toMeta)).outcome,
			/- Example Contact, 100\.00 BRL, sold on .*: Service Unavailable/,
		);
		assert.notEqual((await runNight(world, toGoogle)).outcome, 'success');
		meta.instead = () => undefined;
		sheet.instead = () => undefined;
		await runKilledNight(world, toMeta);
		assert.deepEqual(await tagsOf(world, lead), []);
		for (const _ of [1, 2]) {
			assert.equal((await runNight(world, toMeta)).outcome, 'success');
			assert.equal((await runNight(world, toGoogle)).outcome, 'success');
		}
		assert.deepEqual([meta.attempts.length, salesOf(world, lead).length], [2, 1]);
		assert.deepEqual(await tagsOf(world, lead), [PURCHASE]);
		const rows = sheet.records.map((row) => row['Order ID']);
		assert.deepEqual(rows, [lead], 'one row for each sale');
	},
	async 'an empty night leaves a line, and a placeholder fails in red without a tag'(world) {
		const placeholders: Array<[example: string, tag: string, reason: RegExp]> = [
			[TO_META, PURCHASE, /YOUR_DATASET_ID[^]*\nEnter the ID of your dataset in "Your datasets"\./],
			[TO_GOOGLE, 'Google: counted', /YOUR_ACCOUNT_ID/],
		];
		for (const [name, tag, reason] of placeholders) {
			const empty = await runNight(world, await world.save(name));
			assert.equal(empty.outcome, 'success');
			assert.match(empty.line, /^0 to be sent to \w+\. No lead has the chosen status/);
			const lead = await enter(world.sandbox, soldTo(world.contacts[0]));
			const unfilled = await runNight(world, await world.save(name, undefined, { choices: {} }));
			assert.match(unfilled.outcome, reason);
			assert.deepEqual(await tagsOf(world, lead), []);
			assert.equal((await runNight(world, await world.save(name))).outcome, 'success');
			assert.deepEqual(await tagsOf(world, lead), [tag]);
			await world.sandbox.control('deleteLead', { id: lead });
		}
	},
	async 'what Meta answers without having received it is not tagged, and named'(world) {
		const { sandbox, meta, save, contacts } = world;
		const lead = await enter(sandbox, soldTo(contacts[0]));
		meta.instead = () => ({ body: { events_received: 0, messages: [] } });
		const night = await runNight(world, await save(TO_META));
		assert.match(
			night.outcome,
			/- Example Contact, 100\.00 BRL, sold on .*: Meta received no event/,
		);
		assert.deepEqual(await tagsOf(world, lead), []);
	},
	async 'a try sends only the oldest sale to Meta, which is not sent again'(world) {
		const { sandbox, meta, save, contacts } = world;
		const newer = await enter(sandbox, soldTo(contacts[0]));
		const oldest = await enter(sandbox, soldTo(contacts[1], { saleDate: daysAgo(3) }));
		const tried = await runNight(world, await save(TO_META, undefined, { isTry: true }));
		assert.equal(tried.outcome, 'success');
		assert.deepEqual(meta.attempts, [1]);
		assert.deepEqual(await tagsOf(world, oldest), [PURCHASE]);
		await runNight(world, await save(TO_META));
		assert.deepEqual(meta.attempts, [1, 1]);
		assert.deepEqual(
			[newer, oldest].map((id) => salesOf(world, id).length),
			[1, 1],
		);
	},
	async 'with sendAllByHand, a run by hand sends all at once'(world) {
		const { sandbox, meta, save, contacts } = world;
		for (const n of [1, 2]) await enter(sandbox, soldTo(contacts[0], { estimatedValue: n }));
		const off = '"name":"sendAllByHand","type":"boolean","value":';
		const sendAll = (workflow: Workflow) => replaced(workflow, { [`${off}false`]: `${off}true` });
		const tried = await runNight(world, await save(TO_META, sendAll, { isTry: true }));
		assert.equal(tried.outcome, 'success');
		assert.deepEqual(meta.attempts, [1, 1]);
	},
	async 'an expired token is one line for all sales of the night'(world) {
		const { sandbox, meta, save, contacts } = world;
		for (const n of [1, 2]) await enter(sandbox, soldTo(contacts[0], { estimatedValue: n }));
		const error = { message: 'Session has expired', type: 'OAuthException', code: 190 };
		meta.instead = () => ({ status: 401, body: { error } });
		const { outcome } = await runNight(world, await save(TO_META));
		assert.match(outcome, /\n- 2 sales: Session has expired\. Enter a new access token/);
		assert.doesNotMatch(outcome, /correct the lead/);
	},
	async 'a sale that changed after it was sent is named, and Google gets the new amount once'(
		world,
	) {
		const { sandbox, dataManager, save, contacts } = world;
		dataManager.outcome = () => 'SUCCESS';
		const lead = await enter(sandbox, soldTo(contacts[0]));
		const [toMeta, toGoogle] = [await save(TO_META), await save(TO_GOOGLE)];
		for (const id of [toMeta, toGoogle]) {
			assert.equal((await runNight(world, id)).outcome, 'success');
		}
		await sandbox.control('changeLead', { id: lead, estimatedValue: 600 });
		const changed =
			/- Example Contact, 600\.00 BRL, sold on [^:]*: (Meta|Google) has 100\.00 BRL on /;
		for (const _ of [1, 2]) {
			const night = await runNight(world, toMeta);
			assert.match(night.line, changed);
			assert.match(night.line, /^0 to be sent .* Meta takes no correction/s);
		}
		assert.match((await runNight(world, toGoogle)).line, changed);
		const next = await runNight(world, toGoogle);
		assert.match(next.line, /^0 to be sent to Google\./);
		assert.doesNotMatch(next.line, changed);
	},
	async 'of two runs at once both send, each sale counts once, and one that Meta refuses holds back no other'(
		world,
	) {
		const { client, sandbox, meta, save, contacts } = world;
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
				/- Example Contact, 4\.00 BRL, sold on [^-]*: Not this one\. It is sent again.*\nTo send them now, .*\n$/,
			);
		}
		assert.equal(meta.counted.length - before, 11);
		meta.refuses = () => false;
		assert.match((await runNight(world, id)).line, /^1 to be sent to Meta\..* tag: 11\./);
		assert.equal(meta.counted.length - before, 12);
	},
	async 'sales are sent to Google side by side, and tagged by what became of them'(world) {
		const { sandbox, dataManager, save, contacts } = world;
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
		const first = await runNight(world, id);
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
		const tags = async () => await Promise.all(all.map(async (lead) => await tagsOf(world, lead)));
		const settled = [['Google: counted'], ['Google: counted'], ['Google: not counted']];
		assert.deepEqual(await tags(), [...settled, [], [], [], []]);

		dataManager.refuses = () => false;
		dataManager.loses = () => false;
		dataManager.outcome = () => 'SUCCESS';
		dataManager.calls = [];
		const second = await runNight(world, id);
		assert.equal(second.outcome, 'success');
		assert.match(second.line, /^4 to be sent to Google\..* tag: 3\./);
		assert.equal(dataManager.calls.length, 4);
		assert.deepEqual(await tags(), [...settled, ...Array(4).fill(['Google: counted'])]);
	},
});
