/** The example "WhatsApp assistant", from real webhooks to the service and to the answer. */
import assert from 'node:assert/strict';

import { echo, evolution, message, meta } from '../helpers/webhooks.mts';
import { errorOf, exampleNamed, itemsOf, jsonOf, recordsAt, runTwice, until } from './flow.mts';
import type { ListedLead } from './records.mts';
import {
	casesOfExample,
	conversationsOf,
	flowOf,
	leadOf,
	logs,
	metaOf,
	newPhone,
	post,
} from './whatsappWorld.mts';
import type { CaseWorld } from './world.mts';

const assistant = exampleNamed('WhatsApp assistant');
const said = (from: string, text: string) => meta(message(text, { from }));

const thanks = (text: string) => `Thank you! We received: "${text}". We will answer you here.`;
/** An answer as it is in the conversation. */
const logged = (text: string) => `[by the assistant] ${thanks(text)}`;

/** Delivers webhooks to the assistant at once, waits for the ends of their executions, and returns what people got. */
async function answersTo(
	world: CaseWorld,
	bodies: object[],
	status = 'success',
): Promise<Array<[to: string, text: string]>> {
	const flow = await flowOf(world, assistant);
	const messenger = metaOf(world);
	const before = messenger.delivered.length;
	await Promise.all(bodies.map((body) => post(flow.meta, body)));
	for (const execution of await flow.ended(bodies.length)) {
		assert.equal(execution.status, status, errorOf(execution)?.message);
	}
	assert.deepEqual(messenger.refused, []);
	return messenger.delivered.slice(before).map(({ to, text }) => [String(to), String(text)]);
}

export const cases = casesOfExample(assistant, {
	// Before any other case: the table is not there yet, and each of them makes it.
	async 'answers the first eight people, who write at once'(world) {
		const phones = Array.from({ length: 8 }, newPhone);
		const answers = await answersTo(
			world,
			phones.map((phone) => said(phone, 'Hello')),
		);
		assert.deepEqual(
			answers.sort(),
			phones.map((phone) => [phone, thanks('Hello')]),
		);
	},
	async 'is tried with one click, twice, and answers nobody'(world) {
		for (const execution of await runTwice(world, assistant)) {
			const texts = jsonOf(execution, 'Answer').map(({ text }) => text);
			assert.deepEqual(texts.sort(), [
				thanks('Are you open on Saturdays?'),
				thanks('Hello, I come from the link ML-AB12-CD34'),
				thanks('How much is this one?'),
			]);
		}
	},
	async 'answers a message once, also when it is delivered again at the same moment or later'(
		world,
	) {
		const phone = newPhone();
		const hello = said(phone, 'Hello');
		assert.deepEqual(await answersTo(world, [hello, hello]), [[phone, thanks('Hello')]]);
		assert.deepEqual(await answersTo(world, [hello]), []);
		assert.deepEqual(await conversationsOf(world, await leadOf(world, phone)), [
			['Hello', logged('Hello')],
		]);
	},
	async 'gives several messages in a row one answer'(world) {
		const phone = newPhone();
		const texts = ['1', '2', '3', '4', '5', '6', '7', '8'];
		const answers = await answersTo(
			world,
			texts.map((text) => said(phone, text)),
		);
		assert.equal(answers.length, 1);
		const answer = answers[0][1];
		assert.deepEqual(await conversationsOf(world, await leadOf(world, phone)), [
			[...texts, `[by the assistant] ${answer}`],
		]);
	},
	async 'is silent when one of the business has taken over, until the tag is removed'(world) {
		const phone = newPhone();
		assert.equal((await answersTo(world, [said(phone, 'Hello')])).length, 1);
		assert.deepEqual(await answersTo(world, [echo('I am here', { to: phone })]), []);
		assert.deepEqual(await answersTo(world, [said(phone, 'Good')]), []);
		const lead = await leadOf(world, phone);
		assert.deepEqual(lead.tags, ['with a person']);
		assert.deepEqual(await conversationsOf(world, lead), [
			['Good', 'Hello', logged('Hello'), '[by the team] I am here'],
		]);
		await world.sandbox.control('changeLead', { id: lead.id, tags: [] });
		assert.equal((await answersTo(world, [said(phone, 'Thanks')])).length, 1);
	},
	async 'answers a person at most five times an hour'(world) {
		const phone = newPhone();
		const counts: number[] = [];
		for (const n of [1, 2, 3, 4, 5, 6, 7]) {
			counts.push((await answersTo(world, [said(phone, `Message ${n}`)])).length);
		}
		// An hour may begin meanwhile.
		assert.ok(
			/^1,1,1,1,1,0,0$/.test(String(counts)) || new Date().getMinutes() === 0,
			String(counts),
		);
	},
	// Of one webhook, the first is refused: the other is logged beside it, and answered with it.
	async 'logs and answers what failed when its execution is retried, each once'(world) {
		const flow = await flowOf(world, assistant);
		const phones = [newPhone(), newPhone()];
		const [delivery, other] = phones.map((phone) => said(phone, 'Hello'));
		delivery.entry[0].changes.push(...other.entry[0].changes);
		const match = { method: 'POST', path: 'messages$' };
		await world.sandbox.control('fault', { kind: 'status', status: 422, match });
		assert.deepEqual(await answersTo(world, [delivery], 'error'), []);
		const failed = flow.last();
		assert.ok(failed);
		assert.equal(failed.data.resultData.lastNodeExecuted, 'Log the messages');
		assert.match(errorOf(failed)?.message ?? '', /did not accept/);
		const messenger = metaOf(world);
		const before = messenger.delivered.length;
		await world.client.retryExecution(failed.id, { loadWorkflow: true });
		const [retried] = await flow.ended(1);
		assert.equal(retried.status, 'success', errorOf(retried)?.message);
		const answers = messenger.delivered.slice(before).map(({ to, text }) => [to, text]);
		assert.deepEqual(
			answers.sort(),
			phones.map((phone) => [phone, thanks('Hello')]),
		);
		for (const phone of phones) {
			assert.deepEqual(await conversationsOf(world, await leadOf(world, phone)), [
				['Hello', logged('Hello')],
			]);
		}
	},
	async 'answers once when Meta fails with 503, and logs what it answered as its own'(world) {
		const phone = newPhone();
		await flowOf(world, assistant);
		metaOf(world).failing = 2;
		const answers = await answersTo(world, [said(phone, 'Hello')]);
		assert.deepEqual(answers, [[phone, thanks('Hello')]]);
		const lead = await leadOf(world, phone);
		assert.deepEqual(await conversationsOf(world, lead), [['Hello', logged('Hello')]]);
		// What the API of a service has sent comes back in its webhook.
		const flow = await flowOf(world, logs);
		const key = { fromMe: true, id: `3EB0${'A'.repeat(36)}` };
		await post(flow.others, evolution(phone, thanks('Hello'), key));
		await flow.ended(1);
		assert.deepEqual((await leadOf(world, phone)).tags, lead.tags);
		assert.deepEqual(await conversationsOf(world, lead), [['Hello', logged('Hello')]]);
		assert.equal((await answersTo(world, [said(phone, 'Thanks')])).length, 1);
	},
	async 'is silent when a colleague answers while it waits'(world) {
		const flow = await flowOf(world, assistant);
		const phone = newPhone();
		const messenger = metaOf(world);
		const before = messenger.delivered.length;
		await post(flow.meta, said(phone, 'Hello'));
		const isLogged = async () =>
			(await recordsAt<ListedLead>(world, `/leads?search=${phone}`)).length > 0 &&
			(await conversationsOf(world, await leadOf(world, phone))).flat().length > 0;
		await until(isLogged);
		const { id } = await leadOf(world, phone);
		await world.sandbox.control('changeLead', { id, tags: ['with a person'] });
		const [execution] = await flow.ended(1);
		assert.equal(execution.status, 'success', errorOf(execution)?.message);
		assert.equal(itemsOf(execution, 'Look again').length, 1);
		assert.equal(messenger.delivered.length, before);
	},
	async 'answers the others of a delivery when Meta refuses one, and is red'(world) {
		const [unreachable, other] = [newPhone(), newPhone()];
		metaOf(world).unreachable.add(unreachable);
		const delivery = said(unreachable, 'One');
		delivery.entry[0].changes.push(said(other, 'Two').entry[0].changes[0]);
		const answers = await answersTo(world, [delivery], 'error');
		assert.deepEqual(answers, [[other, thanks('Two')]]);
	},
});
