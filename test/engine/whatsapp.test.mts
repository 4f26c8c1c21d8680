/** Message > Log From WhatsApp: whose lead a message belongs to, what is logged once, and what may be answered. */
import { DataDeduplicationService } from 'n8n-core';
import type { IDataDeduplicator, IDataObject } from 'n8n-workflow';

import { clock } from '#built/nodes/IntegrationLeads/transport/clock';
import { called, fastClock, useLab } from '../helpers/lab.mts';
import type { FaultRule } from '../../sandbox/faults.mts';
import {
	chatwoot as chatwootOf,
	echo as echoOf,
	evolution as evolutionOf,
	message,
	meta,
} from '../helpers/webhooks.mts';
import type { RunOptions } from '../helpers/engine.mts';

const lab = useLab({ seed: 0, rpm: 0 }, () => fastClock(500));

const NUMBER = '5511970000001';
const USER_ID = 'BR.1000000000000001';
const LOG = 'message.logFromWhatsApp';
const SENT_BY_API = { fromMe: true, id: `3EB0${'A'.repeat(36)}` };

/** By Meta's Cloud API. */
const text = (body: string, more: IDataObject = {}) =>
	message(body, { from: NUMBER, from_user_id: USER_ID, ...more });
const echo = (body: string) => echoOf(body, { to: NUMBER, to_user_id: USER_ID });
const evolution = (body: string, key: IDataObject = {}) => evolutionOf(NUMBER, body, key);
const sender = { id: 14, name: 'Example Contact', phone_number: `+${NUMBER}` };
const chatwoot = (content: string, more: IDataObject = {}) =>
	chatwootOf(content, { meta: { sender } }, more);
/** Runs the operation with each of `input` as an item, and returns what came out and the requests that it took. */
async function log(input: IDataObject[], options: RunOptions & { parameters?: IDataObject } = {}) {
	const { parameters, ...more } = options;
	lab.sandbox.controls.clearRequests();
	const ran = await lab.engine.run(called(LOG, parameters ?? {}), { input, ...more });
	const requests = lab.sandbox.controls.requests();
	return { ...ran, json: ran.items.map(({ json }) => json), requests };
}
const leads = () => [...lab.sandbox.store.leads.values()];
const conversations = () => [...lab.sandbox.store.conversations.values()];
const contents = () => [...lab.sandbox.store.messages.values()].map(({ content }) => content);
const contactOf = (leadId: unknown) => {
	const { store } = lab.sandbox;
	return store.contact(store.leads.get(String(leadId))!.contactId);
};
const pathsOf = ({ requests }: { requests: Array<{ method: string; path: string }> }) =>
	requests.map(({ method, path }) => `${method} ${path.replace(/[\da-f]{8}-[\da-f-]+/g, '*')}`);

describe('a person', () => {
	test('who is new gets a lead and a conversation, in eight requests', async () => {
		const ran = await log([meta(text('Hello'))]);
		expect(ran.error).toBeUndefined();
		const [{ id }] = leads();
		expect(ran.json).toEqual([
			{
				name: 'Example Contact',
				phone: `+${NUMBER}`,
				text: 'Hello',
				kind: 'text',
				sentAt: expect.any(String),
				answer: true,
				created: true,
				linked: false,
				externalId: `whatsapp-${USER_ID}`,
				replyTo: { messaging_product: 'whatsapp', recipient_type: 'individual', to: NUMBER },
				replyVia: '100000000000001',
				leadId: id,
				conversationId: conversations()[0].id,
				messageId: expect.stringMatching(/^wamid\./),
			},
		]);
		expect(pathsOf(ran)).toEqual([
			`GET /leads/whatsapp-${USER_ID}`,
			`GET /leads/whatsapp-${NUMBER}`,
			'GET /leads',
			'GET /leads',
			'GET /leads',
			'POST /leads',
			'POST /leads/*/conversations',
			'POST /conversations/*/messages',
		]);
		expect(leads()).toMatchObject([{ source: 'whatsapp' }]);
		expect(contents()).toEqual(['Hello']);
	});

	test('who is known takes three requests', async () => {
		const [before] = (await log([meta(text('Hello'))])).json;
		const ran = await log([meta(text('Are you there?'))]);
		expect(pathsOf(ran)).toEqual([
			`GET /leads/whatsapp-${USER_ID}`,
			'GET /leads/*/conversations',
			'POST /conversations/*/messages',
		]);
		const { leadId, conversationId } = before;
		expect(ran.json).toMatchObject([{ leadId, conversationId, created: false, answer: true }]);
	});

	test.each([
		['gets the ID of WhatsApp, if it has none', null, `whatsapp-${USER_ID}`],
		['keeps its own ID', 'form-1', 'form-1'],
	])('whose phone one lead has is that lead, which %s', async (_, externalId, after) => {
		const { store, controls } = lab.sandbox;
		const { id: contactId } = store.createContact({ phone: '+55 11 7000-0001' });
		const { id } = controls.createLead({ contactId, externalId });
		const ran = await log([meta(text('I filled your form'))]);
		expect(ran.error).toBeUndefined();
		expect(ran.json).toMatchObject([{ leadId: id, created: false, externalId: after }]);
		expect(store.leads.get(id)).toMatchObject({ externalId: after });
	});

	test('whose phone several leads have is none of them', async () => {
		const { store, controls } = lab.sandbox;
		const { id: contactId } = store.createContact({ phone: `+${NUMBER}` });
		const both = [1, 2].map((n) => controls.createLead({ contactId, externalId: `f${n}` }).id);
		const { json } = await log([meta(text('Hello'))]);
		expect(json).toMatchObject([{ created: true }]);
		expect(both).not.toContain(json[0].leadId);
	});

	test('whose number is hidden at first gets it later, and takes three requests again', async () => {
		const [{ leadId }] = (await log([meta(text('Hello', { from: undefined }))])).json;
		expect(contactOf(leadId)?.phone).toBeNull();
		const from = '5511970000099';
		await log([meta(text('Here is my number', { from }))]);
		expect(contactOf(leadId)).toMatchObject({ name: 'Example Contact', phone: `+${from}` });
		expect((await log([meta(text('Hello', { from }))])).requests).toHaveLength(3);
	});

	test('who came by a tracking link belongs to the lead of the code', async () => {
		const { store, controls } = lab.sandbox;
		const { id } = controls.createLead({ protocol: 'ML-AB12-CD34', createdAt: '2026-01-01' });
		const begun = { ...store.stamp(clock.now()), contactId: null, extra: {} };
		store.conversations.add({ ...begun, leadId: id });
		const ran = await log([meta(text('Hello, my code is ML-AB12-CD34'))]);
		expect(ran.json).toMatchObject([{ leadId: id, created: false, protocol: 'ML-AB12-CD34' }]);
		expect((await log([meta(text('Hello'))])).json).toMatchObject([{ leadId: id, linked: false }]);
		expect([leads().length, conversations().length]).toEqual([1, 1]);
	});

	const CODE = 'ML-AB12-CD34';
	const button = { type: 'button', text: undefined, button: { text: 'Yes', payload: CODE } };
	const referral = { ctwa_clid: 'click', source_url: 'https://fb.me/x' };
	test.each<[string, IDataObject, string?]>([
		['in lower case', text('Hi, ml-ab12-cd34')],
		['in lower case, as the service has it', text('Hi, ml-ab12-cd34'), 'ml-ab12-cd34'],
		['with other hyphens', text('Hi, ML–AB12‑CD34')],
		['with spaces', text('Hi, ML - AB12 - CD34')],
		['behind a word', text('HiML-AB12-CD34')],
		['before a word', text('ML-AB12-CD34hi')],
		['behind another code', text('ML-ZZ99-YY88, no: ML-AB12-CD34')],
		['that is a name', text('Hi, ML-ANUNCIO-2024'), 'ML-ANUNCIO-2024'],
		['in a button', text('', button)],
		[
			'behind a word in a button',
			text('', { ...button, button: { text: 'Yes', payload: `lead_${CODE}` } }),
		],
		['in the text of an ad', text('Hi', { referral: { ...referral, body: `Offer ${CODE}` } })],
		[
			'in the address of an ad',
			text('Hi', { referral: { source_url: `https://e.co/?c=${CODE}` } }),
		],
		[
			'in the welcome message of an ad',
			text('Hi', { referral: { ...referral, welcome_message: { text: `Hi, ${CODE}` } } }),
		],
	])('whose code stands %s belongs to its lead', async (_, said, protocol = CODE) => {
		const { controls } = lab.sandbox;
		const { id } = controls.createLead({ protocol, createdAt: '2026-01-01' });
		const { json, error } = await log([meta(said)]);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ leadId: id, protocol, linked: true }]);
		expect(leads()).toHaveLength(1);
	});

	test.each(['ML-ANUNCIO-2024', 'We need 500 ml - 250g', 'plan-b2'])(
		'who writes "%s", which no lead has as its code, wrote no code',
		async (said) => {
			const { json } = await log([meta(text(said))]);
			expect(json).toMatchObject([{ created: true, linked: false, text: said }]);
			expect(json[0]).not.toHaveProperty('protocol');
		},
	);

	const LID = '103899771998284@lid';
	const waha = (payload: IDataObject) => ({
		event: 'message',
		session: 'default',
		payload: { id: `false_${String(payload.from)}_3EB0`, body: 'Hi', fromMe: false, ...payload },
	});
	const zapi = (more: IDataObject) => ({
		type: 'ReceivedCallback',
		instanceId: 'x',
		text: { message: 'Hi' },
		...more,
	});
	test.each<[string, IDataObject, IDataObject, IDataObject, string]>([
		[
			"Meta's Cloud API",
			meta(text('Hi', { from_user_id: undefined })),
			meta(text('Hi')),
			meta(text('Hi', { from: undefined })),
			USER_ID,
		],
		[
			'Evolution API',
			evolution('Hi'),
			evolution('Hi', { remoteJid: LID, remoteJidAlt: `${NUMBER}@s.whatsapp.net` }),
			evolution('Hi', { remoteJid: LID }),
			'lid-103899771998284',
		],
		[
			'WAHA',
			waha({ from: `${NUMBER}@c.us` }),
			waha({ from: LID, _data: { key: { remoteJidAlt: `${NUMBER}@s.whatsapp.net` } } }),
			waha({ from: LID }),
			'lid-103899771998284',
		],
		[
			'Z-API',
			zapi({ phone: NUMBER }),
			zapi({ phone: NUMBER, senderLid: LID }),
			zapi({ phone: LID }),
			'lid-103899771998284',
		],
		[
			'Chatwoot',
			evolution('Hi'),
			chatwoot('Hi'),
			chatwootOf('Hi', { meta: { sender: { id: 14, name: 'Example Contact' } } }),
			'chatwoot-14',
		],
	])(
		'who comes by number, then with the hidden ID, then by that alone is one lead: %s',
		async (_, byNumber, withBoth, byHiddenId, externalId) => {
			const [{ leadId }] = (await log([byNumber])).json;
			for (const webhook of [withBoth, byHiddenId, byNumber]) {
				const { json } = await log([webhook]);
				expect(json).toMatchObject([{ leadId, created: false }]);
			}
			expect(leads()).toMatchObject([{ id: leadId, externalId: `whatsapp-${externalId}` }]);
			expect((await log([byHiddenId])).requests).toHaveLength(3);
		},
	);

	test('whose lead keeps its external ID is logged, and the output says what follows from it', async () => {
		const [{ leadId }] = (await log([waha({ from: `${NUMBER}@c.us` })])).json;
		const match = { method: 'PUT', path: '^/leads/' };
		lab.sandbox.controls.fault({ kind: 'status', status: 422, match });
		const both = waha({ from: LID, _data: { key: { remoteJidAlt: `${NUMBER}@s.whatsapp.net` } } });
		const [{ differences }] = (await log([both])).json;
		expect(differences).toMatch(
			/^The lead did not get the external ID "whatsapp-lid-103899771998284"/,
		);
		expect(contents()).toHaveLength(2);
		// The next message tries again.
		expect((await log([both])).json).toMatchObject([{ leadId }]);
		expect(leads()).toMatchObject([{ externalId: 'whatsapp-lid-103899771998284' }]);
	});

	test.each([
		['Teo', /^The sender has the name "Teo" in WhatsApp, .* "Kátia Lima": it may be a nickname/],
		['Maria Lima', /"Maria Lima" in WhatsApp/],
		['Katia', undefined],
		['Kátia | Doces 🌸', undefined],
		['🌸', undefined],
	])('who calls themselves %s writes to the lead of Kátia Lima', async (pushName, expected) => {
		const contactId = lab.sandbox.store.createContact({
			name: 'Kátia Lima',
			phone: `+${NUMBER}`,
		}).id;
		const { id } = lab.sandbox.controls.createLead({ contactId });
		const webhook = evolution('Hello');
		(webhook.data as IDataObject).pushName = pushName;
		const [{ leadId, differences }] = (await log([webhook])).json;
		expect(leadId).toBe(id);
		if (expected) expect(differences).toMatch(expected);
		else expect(differences).toBeUndefined();
		// A nickname is no news with every message.
		const next = evolution('Hello again');
		(next.data as IDataObject).pushName = pushName;
		expect((await log([next])).json[0]).not.toHaveProperty('differences');
	});

	test.each([
		['from ML-QQ99-QQ88', 'No lead has the tracking code ML-QQ99-QQ88.'],
		['500 ml - 250g', undefined],
		['plan-b2', undefined],
	])('with a code that no lead has: %s', async (said, differences) => {
		const [logged] = (await log([meta(text(said))])).json;
		expect([logged.created, logged.differences]).toEqual([true, differences]);
	});

	test('who forwards a tracking code does not take others into the own lead', async () => {
		const { controls } = lab.sandbox;
		const { id } = controls.createLead({ protocol: 'ML-QQ11-WW77', createdAt: '2026-01-01' });
		const said = 'Hello ML-QQ11-WW77';
		expect((await log([meta(text(said))])).json).toMatchObject([{ leadId: id, linked: true }]);
		const other = { from: '5511970000099', from_user_id: 'BR.2' };
		const [forwarded] = (await log([meta(text(said, other))])).json;
		expect(forwarded).toMatchObject({ created: true, linked: false });
		expect(forwarded.differences).toMatch(
			/^The tracking code belongs to the lead of another person/,
		);
		expect(forwarded.leadId).not.toBe(id);
		const later = [text('Again ML-QQ11-WW77', other), text('Hello', other)];
		for (const message of later) {
			const { json } = await log([meta(message)]);
			expect(json).toMatchObject([{ leadId: forwarded.leadId, linked: false }]);
		}
		expect(lab.sandbox.store.leads.get(id)?.externalId).toBe(`whatsapp-${USER_ID}`);
		expect((await log([meta(text('Hello'))])).json).toMatchObject([{ leadId: id }]);
	});

	test('whose name and text have characters that a database refuses is logged without them', async () => {
		const webhook = meta(text('Quer\u0000 comprar \ud83d'));
		webhook.entry[0].changes[0].value.contacts = [
			{ profile: { name: 'Ana\u0000 Souza \ud83d' }, wa_id: NUMBER, user_id: USER_ID },
		];
		const { json } = await log([webhook]);
		expect(json).toMatchObject([{ name: 'Ana Souza', text: 'Quer comprar' }]);
		expect(json[0]).not.toHaveProperty('differences');
		expect(contactOf(json[0].leadId)).toMatchObject({ name: 'Ana Souza' });
		expect(contents()).toEqual(['Quer comprar']);
	});

	test('without any ID fails, and nothing is sent', async () => {
		const ran = await log([meta(text('?', { from: '', from_user_id: '' }))]);
		expect(ran.error?.message).toMatch(/^The message does not say who wrote it/);
		expect(ran.requests).toEqual([]);
	});
});

describe('a webhook', () => {
	test('holds several messages, each an item of its own, also beside those of another service', async () => {
		const ran = await log([
			meta(text('1'), text('2')),
			{ body: evolution('3', { remoteJid: '5511980000002@s.whatsapp.net' }) },
		]);
		expect(ran.items.map(({ json, pairedItem }) => [json.text, pairedItem])).toEqual([
			['1', { item: 0 }],
			['2', { item: 0 }],
			['3', { item: 1 }],
		]);
		expect([leads().length, conversations().length]).toEqual([2, 2]);
	});

	// Both are in the body: https://doc.evolution-api.com/v2/en/configuration/webhooks and
	// https://developer.z-api.io/en/webhooks/introduction (26 Nov 2026).
	test.each(['apikey', 'token', 'clientToken'])('keeps its secret "%s" to itself', async (name) => {
		const SECRET = 'B6D711FCDE4D4FD5936544120E713976';
		const webhook = { ...evolution('Hello'), [name]: SECRET, sender: { [name]: SECRET } };
		const { json, hints, requests } = await log([webhook, { body: webhook }]);
		expect(json).toHaveLength(1);
		expect(JSON.stringify([json, hints, requests, leads()])).not.toContain(SECRET);
	});

	test('of what the API has sent, which logged it, gives no item and sends nothing', async () => {
		const ran = await log([evolution('Hi', SENT_BY_API)]);
		expect([ran.error, ran.items, ran.requests]).toEqual([undefined, [], []]);
	});

	test('finds what was created with answers without a body', async () => {
		lab.sandbox.controls.variant({ status: 204 });
		const { json } = await log([meta(text('Hello'))]);
		const [{ id: leadId }] = leads();
		const [{ id: conversationId }] = conversations();
		expect(json).toMatchObject([{ leadId, conversationId, created: true, answer: true }]);
		expect(contents()).toEqual(['Hello']);
	});
});

describe('an answer', () => {
	test.each<[string, IDataObject]>([
		['with a person', {}],
		['humano', { takeoverTag: 'humano' }],
	])(
		'is not given while a person has taken over (%s), until the tag is removed',
		async (tag, options) => {
			const parameters = { options };
			const [{ leadId }] = (await log([meta(text('Hello'))])).json;
			const team = await log([echo('I am Example, how can I help?')], { parameters });
			expect(team.json).toMatchObject([
				{ answer: false, silence: 'A person of the business wrote', leadId },
			]);
			expect(leads()).toMatchObject([{ tags: [tag] }]);
			expect(contents()).toEqual(['Hello', '[by the team] I am Example, how can I help?']);
			const silence = `The lead has the tag "${tag}"`;
			const yes = await log([meta(text('Yes'))], { parameters });
			expect(yes.json).toMatchObject([{ answer: false, silence }]);
			// The tag is there already.
			expect(pathsOf(await log([echo('Good')], { parameters }))).not.toContain(
				'POST /leads/*/tags',
			);
			lab.sandbox.controls.changeLead({ id: String(leadId), tags: [] });
			const [after] = (await log([meta(text('Thanks'))], { parameters })).json;
			expect([after.answer, after.silence]).toEqual([true, undefined]);
		},
	);

	test('of the business to somebody unknown makes a lead with the tag, so that the bot stays silent', async () => {
		const silence = 'A person of the business wrote';
		const { json } = await log([echo('Hello, your code is ML-AB12-CD34')]);
		expect(json).toMatchObject([
			{ answer: false, silence, created: true, externalId: `whatsapp-${USER_ID}` },
		]);
		expect(json[0]).not.toHaveProperty('protocol');
		// The name in the webhook is that of the business.
		expect(json[0]).not.toHaveProperty('name');
		expect(leads()).toMatchObject([{ tags: ['with a person'], source: 'whatsapp' }]);
		expect((await log([meta(text('Yes?'))])).json).toMatchObject([{ answer: false }]);
	});

	test.each<[string, IDataObject, string]>([
		['is too old', { timestamp: '1767225600' }, 'older than the 24 hours'],
		['is of a kind that nobody knows', { type: 'hologram' }, 'The kind "hologram" is not known'],
	])('is not given where a message %s, which is logged all the same', async (_, more, silence) => {
		const { json } = await log([meta(text('Hello', more))]);
		expect(json).toMatchObject([{ answer: false, silence: expect.stringContaining(silence) }]);
		expect(contents()).toEqual([json[0].text]);
	});

	test("to a vote in a poll is the flow's own choice, unless a person has taken over", async () => {
		const vote = (id: string): IDataObject => {
			const { data, ...body } = evolution('', { id });
			const pollUpdateMessage = { vote: { selectedOptions: ['Morning'] } };
			return { ...body, data: { ...(data as IDataObject), message: { pollUpdateMessage } } };
		};
		const [first] = (await log([vote('V1')])).json;
		expect(first).toMatchObject({ kind: 'vote', text: '[vote: Morning]', answer: false });
		expect(first).not.toHaveProperty('silence');
		await log([evolution('I am here', { fromMe: true })]);
		const [second] = (await log([vote('V2')])).json;
		expect(second).toMatchObject({ answer: false, silence: expect.stringContaining('tag') });
		expect(contents()).toEqual(['[vote: Morning]', '[by the team] I am here', '[vote: Morning]']);
	});

	test('of a bot in Chatwoot is no takeover, whosever token it has', async () => {
		const [{ replyTo, ...first }] = (await log([chatwoot('Hello')])).json;
		const replyVia = 'accounts/1/conversations/9';
		expect(first).toMatchObject({ externalId: 'whatsapp-chatwoot-14', answer: true, replyVia });
		// As Chatwoot passes it on.
		const sender = { id: 1, type: 'user' };
		expect((await log([chatwoot('Hi', { ...(replyTo as object), sender })])).json).toEqual([]);
		expect((await log([chatwoot('A visit, please')])).json).toMatchObject([{ answer: true }]);
	});

	test.each([false, true])(
		'is given in an open conversation of Chatwoot if chosen: %s',
		async (answerOpen) => {
			const { conversation } = chatwoot('');
			const open = chatwoot('Hi', {
				conversation: { ...(conversation as object), status: 'open' },
			});
			const { json } = await log([open], { parameters: { options: { answerOpen } } });
			const silence = "The conversation is open: it is a person's turn";
			expect(json).toMatchObject([answerOpen ? { answer: true } : { answer: false, silence }]);
		},
	);

	test.each<[string, object, string]>([
		['no tags', {}, 'no "tags"'],
		['tags as records', { tags: [{ name: 'With a person' }] }, 'has the tag "with a person"'],
	])('is not given where the service shows %s', async (_, shown, silence) => {
		await log([meta(text('Hello'))]);
		const [{ id }] = leads();
		const body = { success: true, data: { lead: { id, ...shown } } };
		lab.sandbox.controls.fault({ kind: 'status', status: 200, body, match: { method: 'GET' } });
		expect((await log([meta(text('Hello'))])).json).toMatchObject([
			{ answer: false, silence: expect.stringContaining(silence) },
		]);
	});
});

test('the ad that was tapped is in the history, as Get Conversions reads it', async () => {
	const referral = {
		ctwa_clid: 'click',
		source_id: '7',
		source_url: 'https://fb.me/x',
		headline: 'House',
	};
	const { json, requests } = await log([meta(text('Hello', { referral }))]);
	expect(json).toMatchObject([{ ad: referral }]);
	expect(requests).toHaveLength(9);
	expect([...lab.sandbox.store.interactions.values()].slice(-1)).toMatchObject([
		{
			type: 'CUSTOM',
			title: 'Came from an ad',
			description: 'Came from the ad "House" (ID 7): https://fb.me/x',
			metadata: referral,
		},
	]);
});

describe('in different executions', () => {
	/** n8n's store of processed entries, which is in its database. */
	const entries = new Set<unknown>();
	const store = {
		checkProcessedAndRecord: async (given: unknown[]) => {
			const isNew = (each: unknown) => !entries.has(each);
			const checked = {
				new: given.filter(isNew),
				processed: given.filter((each) => !isNew(each)),
			};
			// Written back as they were read.
			const read = [...entries];
			await new Promise(setImmediate);
			entries.clear();
			for (const each of [...read, ...given]) entries.add(each);
			return checked;
		},
		removeProcessed: async (given: unknown[]) => {
			for (const each of given) entries.delete(each);
			return await Promise.resolve();
		},
	} as unknown as IDataDeduplicator;
	const mode = 'webhook';

	test('without the store, a message is logged each time, and a hint says so', async () => {
		const message = meta(text('Hello'));
		const { hints, error } = await log([message], { mode });
		expect(error).toBeUndefined();
		expect(hints[0].message).toContain("n8n's store of processed entries did not answer");
		await log([message], { mode });
		expect(contents()).toEqual(['Hello', 'Hello']);
	});

	// chatwoot 11901 (26 Nov 2026): the same event comes twice.
	test.each(['webhook', 'manual'] as const)(
		'without the store, a message that comes twice in one execution (%s) is logged and answered once',
		async (how) => {
			const message = chatwoot('Hello', { id: 7 });
			const { items, hints } = await log([message, message], { mode: how });
			expect([items.length, contents()]).toEqual([1, ['Hello']]);
			expect(hints.map((hint) => hint.message)).toContain(
				'Skipped: this execution already logged this message.',
			);
		},
	);

	describe('with the store', () => {
		beforeAll(async () => await DataDeduplicationService.init(store));

		test('a message that is delivered again, also at the same moment, is logged and output once', async () => {
			const message = meta(text('Hello'));
			const both = await Promise.all([log([message], { mode }), log([message], { mode })]);
			expect(both.map(({ json }) => json.length).sort()).toEqual([0, 1]);
			const again = await log([message], { mode });
			expect([again.json, again.requests]).toEqual([[], []]);
			expect(again.hints[0].message).toBe(
				'Skipped: another execution has logged this message, or is still trying to.',
			);
			const twice = meta(text('2'));
			expect((await log([twice, twice], { mode })).json).toMatchObject([{ text: '2' }]);
			expect(contents()).toEqual(['Hello', '2']);
		});

		test('of several people at once, none is forgotten', async () => {
			const remoteJid = '5511980000002@s.whatsapp.net';
			const people = [evolution('1'), evolution('2', { remoteJid })];
			expect((await log(people, { mode })).json).toHaveLength(2);
			expect((await log(people, { mode })).json).toEqual([]);
		});

		test('a message whose contact cannot be filled in an outage is logged once, and the output says it', async () => {
			await log([meta(text('Hi', { from: undefined }))], { mode });
			const match = { path: '/contacts/' };
			lab.sandbox.controls.fault({ kind: 'status', status: 503, times: 1000, match });
			const message = meta(text('Hello', { from: '5511970000098' }));
			const { error, json } = await log([message], { mode });
			expect([error, contents()]).toEqual([undefined, ['Hi', 'Hello']]);
			const differences = expect.stringMatching(/^"Contact" was left out: .*503\)\.$/) as unknown;
			expect(json).toMatchObject([{ answer: true, differences }]);
			expect((await log([message], { mode })).json).toEqual([]);
			expect(contents()).toEqual(['Hi', 'Hello']);
		});

		test('a message that failed says that a second delivery may have been skipped, and what brings it', async () => {
			const match = { method: 'POST', path: 'messages$' };
			lab.sandbox.controls.fault({ kind: 'status', status: 422, match });
			const message = meta(text('Hello'));
			const [first, second] = await Promise.all([
				log([message], { mode }),
				log([message], { mode }),
			]);
			expect(first.error?.description).toContain(
				'If it was delivered again meanwhile, that was skipped: Retry in the list of executions logs it.',
			);
			// In one process, messages of one person wait for each other.
			expect([second.json.length, contents()]).toEqual([1, ['Hello']]);
		});

		test('a message that failed is logged when it is delivered again, and each time by hand', async () => {
			const message = meta(text('Hello'));
			const match = { method: 'POST', path: 'messages$' };
			lab.sandbox.controls.fault({ kind: 'status', status: 422, match });
			expect((await log([message], { mode })).error).toBeDefined();
			expect((await log([message], { mode })).json).toMatchObject([{ text: 'Hello' }]);
			expect(contents()).toEqual(['Hello']);
			expect((await log([message])).json).toHaveLength(1);
		});
	});
});

describe('an outage', () => {
	// Two minutes take longer than what a busy machine does with requests.
	beforeAll(() => fastClock(50));
	afterAll(() => fastClock(500));

	const mode = 'webhook';
	const person = (n: number) => ({ remoteJid: `551198000${1000 + n}@s.whatsapp.net` });

	test.each<FaultRule>([{ kind: 'status', status: 503 }, { kind: 'reset' }])(
		'of 20 seconds (%j) costs none of 20 messages, and the order of one person stays',
		async (fault) => {
			await log([evolution('0')], { mode });
			const { controls } = lab.sandbox;
			controls.fault({ ...fault, times: 10_000 });
			const end = clock.now() + 20_000;
			const watch = setInterval(() => clock.now() > end && controls.clearFaults(), 1);
			const ran = await Promise.all(
				Array.from({ length: 20 }, async (_, n) => {
					const body = evolution(String(n + 1), n < 10 ? {} : person(n));
					return await lab.engine.run(called(LOG, {}), { input: [body], mode });
				}),
			);
			clearInterval(watch);
			expect(ran.map(({ error }) => error?.message)).toEqual(Array(20).fill(undefined));
			expect(contents()).toHaveLength(21);
			const [{ id }] = conversations();
			const own = [...lab.sandbox.store.messages.values()].filter(
				({ conversationId }) => conversationId === id,
			);
			expect(own.map(({ content }) => Number(content))).toEqual([...Array(11).keys()]);
		},
	);

	test('that begins while a contact is read costs no message', async () => {
		await lab.engine.run(called('lead.upsert', { phone: `+${NUMBER}`, name: 'Example Contact' }));
		// All attempts of one reading fail.
		const match = { method: 'GET', path: '/contacts/' };
		lab.sandbox.controls.fault({ kind: 'status', status: 503, times: 3, match });
		const ran = await log([evolution('Hello')], { mode });
		expect([ran.error, contents()]).toEqual([undefined, ['Hello']]);
	});

	test('a long message of somebody stays before a short one that comes right after it', async () => {
		const first = log([evolution('a '.repeat(50_000))], { mode });
		await new Promise(setImmediate);
		await Promise.all([first, log([evolution('b')], { mode })]);
		expect(contents().map((each) => String(each)[0])).toEqual(['a', 'b']);
	});

	test('is not waited for by somebody who runs the workflow by hand', async () => {
		lab.sandbox.controls.fault({ kind: 'status', status: 503, times: 10_000 });
		const { error, requests } = await log([evolution('1')]);
		expect([error?.message, requests.length]).toEqual([expect.any(String), 3]);
	});

	test('a message that is refused stops none of those beside it, and Retry outputs all of them once', async () => {
		const match = { method: 'POST', path: 'messages$', nth: 1 };
		lab.sandbox.controls.fault({ kind: 'status', status: 422, match });
		const input = [meta(text('1'), text('2'), text('3'))];
		const { error, stored } = await log(input, { mode });
		expect(error?.description).toMatch(/It is the message from Example Contact \+5\d+: "1"/);
		expect(contents()).toEqual(['2', '3']);
		const retried = await log(input, { mode: 'retry', retryOf: stored });
		expect(retried.json.map((each) => each.text)).toEqual(['1', '2', '3']);
		expect(contents()).toEqual(['2', '3', '1']);
	});
});

describe('once', () => {
	test('eight messages at once, each an execution of its own, make one lead and one conversation', async () => {
		lab.sandbox.controls.latency({ ms: 5 });
		const texts = [...'12345678'];
		const ran = await Promise.all(texts.map(async (n) => await log([meta(text(n))])));
		expect(ran.map(({ error }) => error)).toEqual(Array(8).fill(undefined));
		expect([leads().length, conversations().length]).toEqual([1, 1]);
		expect(contents().sort()).toEqual(texts);
	});

	const referral = { ctwa_clid: 'click' };
	/** Leads, conversations, messages and notes. */
	const counts = () => {
		const { interactions } = lab.sandbox.store;
		const notes = [...interactions.values()].filter(({ title }) => title === 'Came from an ad');
		return [leads(), conversations(), contents(), notes].map((each) => each.length);
	};

	// n8n repeats the node where it fails.
	test.each<[string, FaultRule]>([
		['^/leads$', { kind: 'reset', when: 'after' }],
		['conversations$', { kind: 'reset', when: 'after' }],
		['messages$', { kind: 'reset', when: 'after' }],
		['messages$', { kind: 'status', status: 422 }],
	])('a message is logged once when POST %s meets %j', async (path, fault) => {
		lab.sandbox.controls.fault({ ...fault, match: { method: 'POST', path } });
		const ran = await log([meta(text('Hello', { referral }))], { retry: true });
		expect([ran.error, ran.json.map((each) => each.text)]).toEqual([undefined, ['Hello']]);
		expect(ran.json[0].created).not.toBe(false);
		expect(counts()).toEqual([1, 1, 1, 1]);
	});

	const REFUSED = /^The ad was not added to the history of the lead: /;
	const UNKNOWN = /^The ad may not be in the history of the lead: .* may still have recorded it\.$/;
	test.each<[FaultRule, number, RegExp | undefined]>([
		[{ kind: 'reset', when: 'before', times: 1 }, 1, undefined],
		[{ kind: 'reset', when: 'after', times: 1 }, 1, undefined],
		// Here the list that would show the note is refused as well.
		[{ kind: 'reset', when: 'after' }, 1, UNKNOWN],
		[{ kind: 'status', status: 503, times: 100 }, 0, REFUSED],
		[{ kind: 'status', status: 403 }, 0, REFUSED],
		[{ kind: 'status', status: 422 }, 0, REFUSED],
	])(
		'the ad is noted at most once when that meets %j, and never fails the message',
		async (fault, notes, differences) => {
			const path = 'interactions$';
			lab.sandbox.controls.fault({ ...fault, match: { method: 'POST', path } });
			if (differences === UNKNOWN) {
				const match = { method: 'GET', path };
				lab.sandbox.controls.fault({ kind: 'status', status: 403, match, times: 9 });
			}
			const ran = await log([meta(text('Hello', { referral }))], { retry: true, mode: 'webhook' });
			expect(ran.error).toBeUndefined();
			expect(ran.json).toMatchObject([{ text: 'Hello', answer: true, ad: referral }]);
			if (differences) expect(ran.json[0].differences).toMatch(differences);
			else expect(ran.json[0]).not.toHaveProperty('differences');
			expect(counts()).toEqual([1, 1, 1, notes]);
		},
	);

	test('a message whose answer is lost is logged, though the chat has others of the last minute', async () => {
		for (const words of ['Hello', 'How much?']) await log([meta(text(words))]);
		const match = { method: 'POST', path: 'messages$' };
		lab.sandbox.controls.fault({ kind: 'status', status: 503, match });
		const { error } = await log([meta(text('Are you there?'))]);
		expect(error).toBeUndefined();
		expect(contents()).toEqual(['Hello', 'How much?', 'Are you there?']);
	});

	test('a message that may have been logged is named', async () => {
		const match = { method: 'POST', path: 'messages$' };
		lab.sandbox.controls.fault({ kind: 'reset', match, times: 3 });
		lab.sandbox.controls.fault({
			kind: 'status',
			status: 403,
			match: { method: 'GET', path: 'messages$' },
			times: 9,
		});
		const { error } = await log([meta(text('Hello', { from: undefined }))]);
		expect(error?.description).toContain(
			`It is the message from Example Contact ${USER_ID}: "Hello"`,
		);
	});

	test('the tag is set first, so that the bot is silent whatever fails after it', async () => {
		const [{ leadId }] = (await log([meta(text('Hello'))])).json;
		const match = { method: 'POST', path: 'messages$' };
		lab.sandbox.controls.fault({ kind: 'status', status: 422, match });
		expect((await log([echo('Hi')])).error).toBeDefined();
		expect(lab.sandbox.store.leads.get(String(leadId))?.tags).toEqual(['with a person']);
	});
});
