/** Leads that change their status, reported to Meta: each stage once, whatever fails. */
import assert from 'node:assert/strict';

import type { Workflow } from '../../scripts/lib/workflow.mts';
import { WHATSAPP } from './advertisers.mts';
import {
	advertisingCases,
	CHOICES,
	daysAgo,
	enter,
	failureOf,
	PURCHASE,
	replaced,
	runNight,
	salesOf,
	STAGES,
	tagsOf,
	TO_META,
	type LeadFields,
} from './advertisingWorld.mts';
import { errorOf, includes, jsonOf, succeeded, until } from './flow.mts';
import type { OwnWorld } from './restartable.mts';

/** Reports to ads that open WhatsApp. */
const withWhatsApp = (workflow: Workflow) =>
	replaced(workflow, {
		'"whatsappAccountId":""': `"whatsappAccountId":"${WHATSAPP.account}"`,
		'"name":"whatsappDataset","type":"string","value":""': `"name":"whatsappDataset","type":"string","value":"${WHATSAPP.dataset}"`,
	});

/** Adds an interaction, as *WhatsApp message → lead* does. */
const addClick = async ({ sandbox }: OwnWorld, leadId: string, metadata: object) => {
	const click = { type: 'CUSTOM', title: 'Came from an ad', metadata };
	await sandbox.post(`/leads/${leadId}/interactions`, click);
};

export const cases = advertisingCases({
	async 'stages reach Meta once, also when it fails at first, and those after an ad in WhatsApp by the click'(
		world,
	) {
		const { client, meta, sandbox, save, contacts } = world;
		const id = await save(STAGES, withWhatsApp);
		const tried = succeeded(await client.runWorkflow(id, 'When a status changes'));
		assert.deepEqual(jsonOf(tried, 'One to send?'), []);
		assert.deepEqual(meta.attempts, []);
		const open = { status: 'open', createdAt: daysAgo(1) };
		const plain = await enter(sandbox, { contactId: contacts[0], ...open });
		const clicked = await enter(sandbox, { contactId: contacts[1], ...open });
		const unsold = await enter(sandbox, { contactId: contacts[1], ...open });
		await addClick(world, clicked, { ctwa_clid: 'ARA1' });
		await client.publishWorkflow(id);
		let failures = 1;
		meta.instead = () => (failures-- > 0 ? { status: 500, body: 'Internal error' } : undefined);
		const change = async (lead: string, status: string, sale?: LeadFields) =>
			await sandbox.control('changeLead', { id: lead, status, ...sale });
		const tagged = async (lead: string, tag: string) =>
			await until(async () => (await tagsOf(world, lead)).includes(tag));
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
			errorOf(await failureOf(world, id))?.message ?? '',
			/No event was made of Example Contact, because Sale Date .* missing/,
		);
		const sale = { saleDate: new Date().toISOString(), estimatedValue: 100 };
		await change(clicked, 'closed_won', sale);
		await tagged(clicked, PURCHASE);
		await client.unpublishWorkflow(id);
		assert.deepEqual([sent(plain).length, sent(clicked).length], [1, 1]);
		assert.equal(salesOf(world, clicked).length, 1);
		// What was sent here is left out at night.
		assert.match((await runNight(world, await save(TO_META))).line, /^0 to be sent to Meta\./);
	},
	async 'of twelve stages Meta refuses one: the others are sent once and tagged, and a retry sends that one'(
		world,
	) {
		const { client, meta, sandbox, save, contacts } = world;
		const id = await save(STAGES);
		const open = { contactId: contacts[0], status: 'open', createdAt: daysAgo(1) };
		const leads: string[] = [];
		for (let n = 0; n < 12; n++) leads.push(await enter(sandbox, open));
		const [refused, ...others] = leads;
		meta.refuses = ({ event_id: event }) => event.startsWith(refused);
		meta.received = [];
		await client.publishWorkflow(id);
		for (const lead of leads) {
			await sandbox.control('changeLead', { id: lead, status: 'in_progress' });
		}
		const { id: failed } = await failureOf(world, id);
		for (const lead of others) {
			await until(async () => (await tagsOf(world, lead)).includes('Meta: QualifiedLead'));
		}
		await client.unpublishWorkflow(id);
		const timesOf = (lead: string) =>
			meta.received.filter((event) => event.startsWith(lead)).length;
		assert.deepEqual(others.map(timesOf), Array(11).fill(1));
		assert.deepEqual([timesOf(refused), await tagsOf(world, refused)], [2, []]);
		meta.refuses = () => false;
		await client.retryExecution(failed);
		await until(async () => (await tagsOf(world, refused)).includes('Meta: QualifiedLead'));
		assert.deepEqual(leads.map(timesOf), [3, ...Array(11).fill(1)]);
	},
	async 'an expired token is one line with its remedy, and a retry sends all once it is renewed'(
		world,
	) {
		const { client, meta, sandbox, save, contacts } = world;
		const id = await save(STAGES);
		const open = { contactId: contacts[0], status: 'open', createdAt: daysAgo(1) };
		const leads = [await enter(sandbox, open), await enter(sandbox, open)];
		const error = { message: 'Session has expired', type: 'OAuthException', code: 190 };
		meta.instead = () => ({ status: 401, body: { error } });
		await client.publishWorkflow(id);
		for (const lead of leads) {
			await sandbox.control('changeLead', { id: lead, status: 'in_progress' });
		}
		const failed = await failureOf(world, id);
		await client.unpublishWorkflow(id);
		assert.match(
			errorOf(failed)?.message ?? '',
			/^Not sent to Meta: (Example Contact(, )?)+: Session has expired\. Enter a new access token in the credential\. Then open this execution .* sent\.$/,
		);
		meta.instead = () => undefined;
		for (const { id: each, status } of await client.listExecutions(id)) {
			if (status === 'error') await client.retryExecution(each);
		}
		for (const lead of leads) {
			await until(async () => (await tagsOf(world, lead)).includes('Meta: QualifiedLead'));
			assert.equal(meta.eventsOf(`${lead}:QualifiedLead`).length, 1);
		}
	},
	async 'a stage that failed for want of a dataset is sent by a retry once its ID is entered'(
		world,
	) {
		const { client, sandbox, save, contacts } = world;
		const id = await save(STAGES, undefined, { choices: {} });
		const open = { contactId: contacts[0], status: 'open', createdAt: daysAgo(1) };
		const lead = await enter(sandbox, open);
		await client.publishWorkflow(id);
		await sandbox.control('changeLead', { id: lead, status: 'in_progress' });
		const failed = await failureOf(world, id);
		await client.unpublishWorkflow(id);
		assert.match(
			errorOf(failed)?.message ?? '',
			/^Not sent to Meta: Example Contact: .*ENTER_YOUR_DATASET_ID_IN_WHICH_EVENT.* Check the ID/,
		);
		const { nodes, versionId } = await client.workflow(id);
		const corrected = { nodes: replaced(nodes, CHOICES), versionId };
		await client.request('PATCH', `/rest/workflows/${id}`, corrected);
		await client.retryExecution(failed.id, { loadWorkflow: true });
		await until(async () => (await tagsOf(world, lead)).includes('Meta: QualifiedLead'));
	},
});
