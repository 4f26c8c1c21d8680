/** A new lead on its way to the team, by email, WhatsApp and Slack. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';

import { startNode, withAccounts, withCredential } from '../../scripts/lib/examples.mts';
import type { StandInAnswer, StandInRequest } from '../../scripts/lib/stand-ins.mts';
import type { Workflow } from '../../scripts/lib/workflow.mts';
import { casesOf, exampleNamed, nodeOf, succeeded, until, type Place } from './flow.mts';
import { ownWorld } from './restartable.mts';
import { eventsOf, pollTimes } from './trigger.mts';
import type { ShownContact } from './records.mts';
import type { CaseWorld } from './world.mts';

const TRIGGER = 'When a lead is created';
const example = exampleNamed('New lead → the team');

/** https://docs.slack.dev/reference/methods/chat.postMessage */
const slack = ({ path, headers }: StandInRequest): StandInAnswer =>
	path === '/api/chat.postMessage' && headers.authorization === 'Bearer slack-token'
		? { body: { ok: true, channel: 'C0123456789', ts: '1503435956.000247' } }
		: { body: { ok: false, error: 'invalid_auth' } };

/** https://doc.evolution-api.com/v2/api-reference/message-controller/send-text (read on 2026-11-23) */
const evolution = ({ path, headers }: StandInRequest): StandInAnswer =>
	path === '/message/sendText/team' && headers.apikey === 'evolution-key'
		? { status: 201, body: { key: { id: 'BAE5', fromMe: true }, status: 'PENDING' } }
		: { status: 401, body: { status: 401, error: 'Unauthorized' } };

interface Mail {
	to: string[];
	content: string;
}

/** A mail server on the loopback. @returns its port, and the mails it has received */
async function mailServer({ closing }: CaseWorld): Promise<{ mails: Mail[]; port: number }> {
	const mails: Mail[] = [];
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
	closing.push(async () => await new Promise<void>((resolve) => server.close(resolve)));
	return { mails, port: (server.server.address() as AddressInfo).port };
}

/** The example with accounts at stand-ins of the three services, of which these are switched on. */
async function connected(
	world: CaseWorld,
	{ client, credential }: Place,
	mailPort: number,
	...channels: string[]
): Promise<Workflow> {
	world.standIns.serve('slack.com', slack);
	world.standIns.serve('evolution.example.com', evolution);
	const make = async (type: string, data: object) =>
		await client.createCredential(type, type, data);
	const mail = { host: '127.0.0.1', port: mailPort, secure: false, disableStartTls: true };
	const workflow = structuredClone(example);
	for (const name of ['Email', 'WhatsApp', 'Slack']) {
		Object.assign(nodeOf(workflow, name), {
			disabled: !channels.includes(name),
			waitBetweenTries: 200,
		});
	}
	const addresses = { fromEmail: 'leads@example.com', toEmail: 'team@example.com' };
	Object.assign(nodeOf(workflow, 'Email').parameters, addresses);
	const { parameters } = nodeOf(workflow, 'WhatsApp');
	parameters.url = 'https://evolution.example.com/message/sendText/team';
	return withAccounts(withCredential(workflow, credential), {
		'n8n-nodes-base.slack': await make('slackApi', { accessToken: 'slack-token' }),
		'n8n-nodes-base.httpRequest': await make('httpHeaderAuth', {
			name: 'apikey',
			value: 'evolution-key',
		}),
		'n8n-nodes-base.emailSend': await make('smtp', mail),
	});
}

/** What the messages of the two services have in common, and what only one of them has. */
interface ChannelMessage {
	text: string;
	channel?: string;
	number?: string;
}

const messagesTo = ({ standIns }: CaseWorld, host: string) =>
	standIns.requestsTo<ChannelMessage>(host).map(({ json }) => json);

export const cases = casesOf<CaseWorld>({
	async 'a new lead is one message in Slack, also when n8n is killed and its event comes again'(
		world,
	) {
		const own = await ownWorld(world);
		const { client, n8n, sandbox } = own;
		const workflow = await connected(world, own, 1, 'Slack');
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
	async 'of six leads one message fails, and each lead is one message, the rest after Retry'(
		world,
	) {
		const own = await ownWorld(world);
		const { client, sandbox } = own;
		const workflow = await connected(world, own, 1, 'Slack');
		Object.assign(nodeOf(workflow, TRIGGER).parameters, { pollTimes });
		const { id } = await client.createWorkflow(workflow);
		await client.publishWorkflow(id);
		const accepted: string[] = [];
		// One is refused once, one as often as the node tries.
		const refusals: Record<string, number> = { 'six-5': 1, 'six-2': 5 };
		world.standIns.serve('slack.com', (request: StandInRequest<ChannelMessage>) => {
			const [, name] = request.json.text.match(/New lead: (\S+)/) ?? [];
			if (refusals[name]) {
				refusals[name] -= 1;
				return { status: 500, body: {} };
			}
			accepted.push(name);
			return slack(request);
		});
		const names = [1, 2, 3, 4, 5, 6].map((n) => `six-${n}`);
		// At once, so that they are the items of one poll.
		await sandbox.post('/sync', { leads: names.map((externalId) => ({ externalId })) });
		const failed = async () =>
			(await client.executionsOf(id)).find(({ status }) => status === 'error');
		await until(async () => await failed());
		await client.unpublishWorkflow(id);
		assert.ok(accepted.length < names.length);
		await client.retryExecution((await failed())?.id ?? '', { loadWorkflow: true });
		await until(() => accepted.length >= names.length);
		assert.deepEqual([[...accepted].sort(), refusals], [names, { 'six-5': 0, 'six-2': 0 }]);
	},
	async 'email, WhatsApp and Slack say the same, with the phone'(world) {
		const { mails, port } = await mailServer(world);
		const workflow = await connected(world, world, port, 'Email', 'WhatsApp', 'Slack');
		const contact = { name: 'Team & <Co>', phone: '+5511900000017' };
		const { id: contactId } = await world.sandbox.post<ShownContact>('/contacts', contact);
		await world.sandbox.control('createLead', { externalId: 'team-17', contactId });
		const { id } = await world.client.createWorkflow(workflow);
		succeeded(await world.client.runWorkflow(id, startNode(workflow)));

		const text = 'New lead: Team & <Co>\nReach: +5511900000017\nSource: -\nPriority: medium';
		const escaped = text.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;');
		assert.ok(messagesTo(world, 'slack.com').at(-1)?.text.startsWith(escaped));
		const [message, ...more] = messagesTo(world, 'evolution.example.com');
		assert.deepEqual([message.number, more], ['YOUR_NUMBER', []]);
		assert.ok(message.text.startsWith(text), message.text);
		assert.deepEqual([mails.length, mails[0].to], [1, ['team@example.com']]);
		assert.match(mails[0].content, /^Subject: New lead: Team & <Co>\r$/m);
		assert.match(mails[0].content, /^Reach: \+5511900000017\r$/m);
	},
});
