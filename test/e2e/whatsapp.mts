/** The example "WhatsApp message → lead", from real webhooks to the service. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

import { withCredential } from '../../scripts/lib/examples.mts';
import { evolution } from '../helpers/webhooks.mts';
import { errorOf, itemsOf, jsonOf, nodeOf, runTwice, until } from './flow.mts';
import { restartableN8n } from './restartable.mts';
import {
	casesOfExample,
	conversationsOf,
	flowOf,
	leadOf,
	logs,
	newPhone,
	post,
} from './whatsappWorld.mts';

export const cases = casesOfExample(logs, {
	async 'is tried with one click, twice'(world) {
		for (const execution of await runTwice(world, logs)) {
			const items = jsonOf(execution, 'Log the messages');
			assert.deepEqual(
				items.map(({ text, answer }) => [text, answer]),
				[
					['Hello, I come from the link ML-AB12-CD34', true],
					['Book a visit', true],
					['How much is this one?', true],
					['Are you open on Saturdays?', true],
				],
			);
		}
	},
	async 'an outage of 20 seconds costs none of 20 messages'(world) {
		const flow = await flowOf(world, logs);
		const people = Array.from({ length: 20 }, newPhone);
		await world.sandbox.control('fault', { kind: 'status', status: 503, times: 10_000 });
		await Promise.all(people.map((phone) => post(flow.others, evolution(phone, 'Hello'))));
		await sleep(20_000);
		await world.sandbox.control('clearFaults');
		const ended = await flow.ended(people.length);
		assert.deepEqual(new Set(ended.map(({ status }) => status)), new Set(['success']));
		for (const phone of people) {
			assert.deepEqual(await conversationsOf(world, await leadOf(world, phone)), [['Hello']]);
		}
	},
	// The service has its answer, so it does not deliver the message again; if it does, it is left out.
	async 'logs a message during which n8n was killed when its execution is retried'(world) {
		const n8n = await restartableN8n(world, 'killed');
		const { client, credential } = n8n;
		const example = withCredential(structuredClone(logs), credential);
		delete nodeOf(example, 'Evolution, Chatwoot, WAHA or Z-API').disabled;
		const { id } = await client.createWorkflow(example);
		await client.publishWorkflow(id);
		const url = `${client.url}/webhook/whatsapp`;
		const phone = newPhone();
		const message = evolution(phone, 'Killed');
		await world.sandbox.control('latency', { ms: 1500 });
		await post(url, message);
		await until(async () => (await world.sandbox.control('traffic')).inFlight > 0);
		await n8n.kill();
		await world.sandbox.control('latency', { ms: 0 });
		await n8n.start();
		await post(url, message);
		const again = await client.nextExecution(id, '1');
		assert.deepEqual(itemsOf(again, 'Log the messages'), []);
		assert.equal((await client.finishedExecution('1')).status, 'crashed');
		await client.retryExecution('1', { loadWorkflow: true });
		const retried = await client.nextExecution(id, again.id);
		assert.equal(retried.status, 'success', errorOf(retried)?.message);
		assert.deepEqual(await conversationsOf(world, await leadOf(world, phone)), [['Killed']]);
		await n8n.stop();
	},
});
