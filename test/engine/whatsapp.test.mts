/** Message > Log From WhatsApp: whose lead a message belongs to, what is logged once, and what may be answered. */
import type { IDataObject } from 'n8n-workflow';

import { called, fastClock, useLab } from '../helpers/lab.mts';

const lab = useLab({ seed: 5, rpm: 0 }, () => fastClock(500));

const NUMBER = '5511970000001';
const USER_ID = 'BR.1000000000000001';
let next = 0;

/** A message of a person by Meta's Cloud API. */
const text = (body: string, more: IDataObject = {}): IDataObject => ({
	from: NUMBER,
	from_user_id: USER_ID,
	id: `wamid.${(next += 1)}`,
	timestamp: String(Math.floor(Date.now() / 1000)),
	type: 'text',
	text: { body },
	...more,
});
const meta = (...messages: IDataObject[]): IDataObject => change('messages', { messages });
const change = (field: string, value: IDataObject): IDataObject => ({
	object: 'whatsapp_business_account',
	entry: [
		{
			id: '1',
			changes: [
				{
					field,
					value: {
						messaging_product: 'whatsapp',
						metadata: { phone_number_id: '100000000000001' },
						contacts: [
							{ profile: { name: 'Example Contact' }, wa_id: NUMBER, user_id: USER_ID },
						],
						...value,
					},
				},
			],
		},
	],
});
const evolution = (body: string, key: IDataObject = {}): IDataObject => ({
	event: 'messages.upsert',
	instance: 'example',
	data: {
		key: { remoteJid: `${NUMBER}@s.whatsapp.net`, fromMe: false, id: `3EB${(next += 1)}`, ...key },
		pushName: 'Example Contact',
		messageTimestamp: Math.floor(Date.now() / 1000),
		message: { conversation: body },
	},
});

const log = (parameters: IDataObject = {}) => called('message.logFromWhatsApp', parameters);
const run = async (
	input: IDataObject[],
	parameters: IDataObject = {},
	more: Parameters<typeof lab.engine.run>[1] = {},
) => {
	lab.sandbox.controls.clearRequests?.();
	return await lab.engine.run(log(parameters), { input, ...more });
};

test('try', async () => {
	const first = await run([meta(text('Hello'))]);
	console.log(first.error, JSON.stringify(first.items, null, 1));
	console.log(lab.sandbox.controls.requests().map(({ method, path }) => `${method} ${path}`));
	const second = await run([meta(text('Hello again')), evolution('x')]);
	console.log(second.error, JSON.stringify(second.items, null, 1));
	console.log(lab.sandbox.controls.requests().map(({ method, path }) => `${method} ${path}`));
});
