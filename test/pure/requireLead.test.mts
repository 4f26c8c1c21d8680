/** What is said of a row that identifies no lead because it is meant for another operation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { requireLead } from '../../nodes/IntegrationLeads/resources/requireLead';
import type { InputError } from '../../nodes/IntegrationLeads/userError';

const failureOf = (input: IDataObject, body: IDataObject = {}) => {
	const values = { path: {}, query: {}, body, options: {}, settings: { specifyLead: 'columns' } };
	const failure: unknown = attempt(
		requireLead as never,
		values as never,
		{ label: 'Lead', timezone: 'UTC', input } as never,
	);
	return failure as InputError | undefined;
};
const payloads = (file: string) =>
	readFileSync(join(__dirname, '..', file), 'utf8')
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as { body: IDataObject; expect?: unknown });

const change = { field: 'leadgen', value: { leadgen_id: '123', form_id: '1' } };
const notice = { object: 'page', entry: [{ id: '1', time: 1, changes: [change] }] };
const message = {
	event: 'messages.upsert',
	instance: 'loja',
	data: {
		key: { remoteJid: '5511987654321@s.whatsapp.net', fromMe: false, id: 'A1' },
		pushName: 'Ana Souza',
		message: { conversation: 'Oi' },
		messageType: 'conversation',
		messageTimestamp: 1769880600,
	},
};

it.each<[string, IDataObject, string]>([
	['a notice of Meta', { body: notice }, 'Facebook Lead Ads Trigger'],
	['the same alone', notice, 'Facebook Lead Ads Trigger'],
	['a message', message, 'Message > Log From WhatsApp'],
	['a message in body', { headers: {}, body: message }, 'Message > Log From WhatsApp'],
	['a list', { rows: [{ Nome: 'Ana Souza', Email: 'ana@example.com' }] }, 'Split Out'],
	['a list in body', { body: { rows: [{ Nome: 'Ana' }] } }, 'body.rows'],
	['a row', { Nome: 'Ana Souza' }, 'External ID Column'],
	['a misspelt heading', { Nmoe: 'Ana', Emial: 'ana@example.com' }, 'Not read: \\"Emial\\"'],
	['the phone of another', { Nome: 'Ana', 'Fone do vendedor': '+5511987654321' }, '"panel":"Name '],
	['another event', { event: 'contact_created', payload: { id: 1 } }, 'External ID Column'],
	['two lists', { a: [{ b: 1 }], c: [{ d: 1 }] }, 'External ID Column'],
])('of %s', (_, input, words) => {
	const { message: said, remedy } = failureOf(input)!;
	expect(JSON.stringify([said, remedy])).toContain(words);
});

it('of the webhook of a checkout', () => {
	const [{ body }] = payloads('checkouts/courses.jsonl');
	expect(JSON.stringify(failureOf(body)?.remedy)).toContain('From the Webhook of a Checkout');
});

it('nothing, where the row has an email', () => {
	expect(failureOf(message, { contact: { email: 'ana@example.com' } })).toBeUndefined();
});
