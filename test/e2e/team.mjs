/** A new lead on its way to the team, by Slack, Telegram and email. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';

import { startNode, withAccounts, withCredential } from '../../scripts/lib/examples.mjs';
import { casesOf, exampleNamed, nodeOf, succeeded, until } from './flow.mjs';
import { ownWorld } from './restartable.mjs';
import { eventsOf, pollTimes } from './trigger.mjs';

const TRIGGER = 'When a lead is created';
const example = exampleNamed('New lead → the team');

/** https://docs.slack.dev/reference/methods/chat.postMessage */
const slack = ({ path, headers }) =>
	path === '/api/chat.postMessage' && headers.authorization === 'Bearer slack-token'
		? { body: { ok: true, channel: 'C0123456789', ts: '1503435956.000247' } }
		: { body: { ok: false, error: 'invalid_auth' } };

/** https://core.telegram.org/bots/api#sendmessage */
const telegram = ({ path }) =>
	path === '/bottelegram-token/sendMessage'
		? { body: { ok: true, result: { message_id: 1, date: 1, chat: { id: 1, type: 'group' } } } }
		: { status: 404, body: { ok: false, error_code: 404, description: 'Not Found' } };

/** A mail server on the loopback. @returns its port, and the mails it has received */
async function mailServer({ closing }) {
	const mails = [];
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		onData: (stream, { envelope }, done) =>
			void text(stream).then((content) => {
				mails.push({ to: envelope.rcptTo.map(({ address }) => address), content });
				done();
			}, done),
	});
	server.listen(0, '127.0.0.1');
	await once(server.server, 'listening');
	closing.push(async () => await new Promise((resolve) => server.close(resolve)));
	return { mails, port: server.server.address().port };
}

/** The example with accounts at stand-ins of the three services. */
async function connected(world, { client, credential }, mailPort) {
	world.standIns.serve('slack.com', slack);
	world.standIns.serve('api.telegram.org', telegram);
	const make = async (type, data) => await client.createCredential(type, type, data);
	const mail = { host: '127.0.0.1', port: mailPort, secure: false, disableStartTls: true };
	return withAccounts(withCredential(structuredClone(example), credential), {
		'n8n-nodes-base.slack': await make('slackApi', { accessToken: 'slack-token' }),
		'n8n-nodes-base.telegram': await make('telegramApi', { accessToken: 'telegram-token' }),
		'n8n-nodes-base.emailSend': await make('smtp', mail),
	});
}

const messagesTo = ({ standIns }, host) => standIns.requestsTo(host).map(({ json }) => json);

export const cases = casesOf({
	async 'a new lead is one message in Slack, also when n8n is killed and its event comes again'(
		world,
	) {
		const own = await ownWorld(world);
		const { client, n8n, sandbox } = own;
		const workflow = await connected(world, own, 1);
		nodeOf(workflow, TRIGGER).parameters.pollTimes = pollTimes;
		const { id } = await client.createWorkflow(workflow);
		await client.publishWorkflow(id);
		const before = messagesTo(world, 'slack.com').length;
		const sent = () => messagesTo(world, 'slack.com').slice(before);

		const first = { externalId: '<!channel> & 1', priority: 'high', source: 'import' };
		await sandbox.control('createLead', first);
		await until(() => sent().length >= 1);
		await n8n.kill();
		await n8n.start();
		await sandbox.control('createLead', { externalId: 'team-2' });
		await until(async () =>
			(await eventsOf(client, id, TRIGGER)).some(({ redelivered }) => redelivered),
		);
		await until(() => sent().length >= 2);
		await client.unpublishWorkflow(id);

		const texts = sent().map(({ channel, text }) => `${channel} ${text}`);
		assert.deepEqual(texts, [
			'#new-leads New lead: &lt;!channel&gt; &amp; 1\nReach: &lt;!channel&gt; &amp; 1\nSource: import\nPriority: high\nEstimated value: -',
			'#new-leads New lead: team-2\nReach: team-2\nSource: -\nPriority: medium\nEstimated value: -',
		]);
	},
	async 'Telegram and email send the same, once activated'(world) {
		const { mails, port } = await mailServer(world);
		const workflow = await connected(world, world, port);
		for (const node of workflow.nodes) delete node.disabled;
		await world.sandbox.control('createLead', { externalId: 'Team & <Co>_1' });
		const { id } = await world.client.createWorkflow(workflow);
		succeeded(await world.client.runWorkflow(id, startNode(workflow)));

		const escaped = 'New lead: Team &amp; &lt;Co&gt;_1\n';
		assert.ok(messagesTo(world, 'slack.com').at(-1).text.startsWith(escaped));
		const [message, ...more] = messagesTo(world, 'api.telegram.org');
		assert.deepEqual([message.parse_mode, more], ['HTML', []]);
		assert.ok(message.text.startsWith(escaped), message.text);
		assert.deepEqual([mails.length, mails[0].to], [1, ['team@example.com']]);
		assert.match(mails[0].content, /^Subject: New lead: Team & <Co>_1\r$/m);
		assert.match(mails[0].content, /^Source: -\r$/m);
	},
});
