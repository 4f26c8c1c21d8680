/**
 * Every operation in every shape in which the service might answer: what the spec leaves open must make no
 * difference to what comes out.
 */
import type { IDataObject } from 'n8n-workflow';

import { onlyReads } from '#built/nodes/IntegrationLeads/operation';
import { resources } from '#built/nodes/IntegrationLeads/resources/index';
import { by, called, useLab } from '../helpers/lab.mts';
import { onlyLong } from '../helpers/long.mts';
import operations from '../helpers/operations.json';
import { VARIANTS } from '../helpers/variants.mts';
import { call } from '../sandbox/client.mts';

const lab = useLab({ seed: 130 });
let ids: Record<string, string>;
const SOLD = '2026-03-08T12:00:00.000Z';

/** Something to work on, made while the service still answers as the spec shows. */
async function prepare(): Promise<void> {
	const { controls, store } = lab.sandbox;
	controls.reset();
	const { id: leadId } = controls.createLead({ externalId: 'known', tags: ['old'] });
	const sold = { externalId: 'sold', status: 'sold', saleDate: SOLD, estimatedValue: 7 };
	const { id: soldId } = controls.createLead(sold);
	const make = async (path: string, body: object) => {
		const { body: answer } = await call(lab.sandbox, `POST ${path}`, body);
		return String(answer.data.id);
	};
	const contactId = await make('/contacts', { name: 'Contact A', email: 'a@example.com' });
	// Two leads of one person.
	const { id: mergedId } = controls.createLead({ contactId });
	controls.changeLead({ id: soldId, contactId });
	const { id: deletedId } = controls.createLead({ externalId: 'deleted' });
	const conversationId = await make(`/leads/${leadId}/conversations`, {});
	const messageId = await make(`/conversations/${conversationId}/messages`, { content: 'first' });
	await make(`/leads/${leadId}/interactions`, { type: 'NOTE', title: 'first' });
	const tagId = [...store.tags.values()].find(({ name }) => name === 'old')?.id ?? '';
	ids = { leadId, mergedId, deletedId, contactId, conversationId, messageId, tagId };
}

/** Parameters, and what the output must hold: fields, a number of items, or the name of the list that is read whole. */
type Case = [parameters: IDataObject, holds: IDataObject | number | string];
const CASES = operations as unknown as Record<string, Case>;

/** A case with its IDs: `#leadId` is one, `@leadId` one in a resource locator. */
const filled = (given: Case) =>
	JSON.parse(JSON.stringify(given), (_, value: unknown) => {
		const [, sign, name] = /^([@#])(\w+Id)$/.exec(String(value)) ?? [];
		return name ? (sign === '@' ? by('id', ids[name]) : ids[name]) : value;
	}) as Case;

test('every operation has a case', () => {
	const declared = Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.keys(operations).map((operation) => `${resource}.${operation}`),
	);
	expect(Object.keys(CASES).sort()).toEqual(declared.sort());
});

describe.each([...VARIANTS.slice(0, -1), ...onlyLong(VARIANTS.slice(-1))])(
	'when the service answers with %j',
	(variant) => {
		test.each(Object.keys(CASES))('%s', async (name) => {
			await prepare();
			lab.sandbox.controls.variant(variant);
			lab.sandbox.controls.clearRequests();
			const [parameters, expected] = filled(CASES[name]);
			const { items, error } = await lab.engine.run(called(name, parameters));
			expect(error).toBeUndefined();
			if (typeof expected !== 'object') {
				const { store } = lab.sandbox;
				const count = typeof expected === 'number' ? expected : store[expected as 'leads'].size;
				const different = new Set(items.map(({ json }) => json.id));
				expect([items.length, different.size]).toEqual([count, count]);
				return;
			}
			const [{ method }] = lab.sandbox.controls.requests().slice(-1);
			// What the node builds itself is the same whatever is answered.
			const isBuilt = name === 'message.logFromWhatsApp';
			const isRead = method === 'GET' && name !== 'sync.push';
			const told = variant.status !== 204 || isRead || expected.deleted || isBuilt;
			// What an answer leaves open is read.
			const accepted = name === 'sync.push' ? { confirmedBy: 'reading' } : { success: true };
			const wanted = told ? expected : accepted;
			expect(items).toMatchObject([{ json: wanted, pairedItem: { item: 0 } }]);
			expect(items[0].json).not.toHaveProperty('differences');
		});
	},
);

describe('Only Check', () => {
	const writing = Object.keys(CASES).filter((name) => {
		const [resource, operation] = name.split('.');
		return !onlyReads(resources[resource].operations[operation]);
	});

	/** What an item of each operation would do, in words, and what was found for it. */
	const WORDS: Record<string, string> = {
		'apiRequest.request': 'would change nothing',
		'contact.create': 'would create',
		'contact.findOrCreate': 'would change nothing: Contact A · a@example.com',
		'contact.update': 'would update',
		'conversation.create': 'would create',
		'conversation.createForLead': 'would create',
		'conversation.findOrCreateForLead': 'would change nothing: #conversationId',
		'interaction.create': 'would create',
		'lead.addTags': 'would update',
		'lead.delete': 'would delete: open · deleted',
		'lead.mergeInto': 'would merge: Contact A · a@example.com · open',
		'lead.recordSale': 'would record: open · known',
		'lead.removeTag': 'would update',
		'lead.update': 'would update',
		'lead.updateStatus': 'would update',
		'lead.upsert': 'would create',
		'message.create': 'would create',
		'message.logForLead': 'would log',
		'message.logFromWhatsApp': 'would log',
		'message.updateStatus': 'would update',
		'sync.delete': 'would delete',
		'sync.push': 'would create',
		'tag.create': 'would create',
	};

	test.each(writing)('%s sends nothing but reads, and says what it would do', async (name) => {
		await prepare();
		lab.sandbox.controls.clearRequests();
		const [parameters] = filled(CASES[name]);
		const options = { ...(parameters.options as IDataObject), onlyCheck: true };
		const { items, error } = await lab.engine.run(called(name, { ...parameters, options }));
		expect(error).toBeUndefined();
		const words = WORDS[name]?.replace(/#(\w+)/, (_, id: string) => ids[id]);
		expect(items.map(({ json }) => json.result)).toEqual([words]);
		expect(items.map(({ json }) => json.would)).toEqual([expect.any(String)]);
		const methods = lab.sandbox.controls.requests().map(({ method }) => method);
		expect(methods.filter((method) => method !== 'GET')).toEqual([]);
	});

	test.each(['={{ $json.check }}', '={{ $json.check.toUpperCase().now }}'])(
		'nothing is sent where it is an expression: %s',
		async (onlyCheck) => {
			await prepare();
			lab.sandbox.controls.clearRequests();
			const parameters = { externalId: '={{ $json.id }}', options: { onlyCheck } };
			const input = [{ id: 'a' }, { id: 'b', check: 'true' }];
			const { error } = await lab.engine.run(called('lead.upsert', parameters), {
				input,
				onError: 'continueRegularOutput',
			});
			expect(error?.message).toBe('"Only Check" is an expression');
			expect(lab.sandbox.controls.requests()).toEqual([]);
		},
	);

	test.each<[name: string, parameters: IDataObject, words: string, found: boolean]>([
		['lead.updateStatus', { leadId: 'known', status: 'won' }, 'would update: open · known', true],
		['lead.addTags', { leadId: 'known', tags: 'vip' }, 'would update: open · known', true],
		[
			'apiRequest.request',
			{ method: 'POST', path: '/tags', body: '{"name": "a"}' },
			'would send',
			false,
		],
		['apiRequest.request', { method: 'DELETE', path: '/tags/1', body: '' }, 'would delete', false],
		[
			'lead.recordSale',
			{ externalId: 'sold', soldOn: SOLD, saleValue: '7', status: 'sold' },
			'would change nothing: already recorded: Contact A · a@example.com · sold · sold',
			true,
		],
	])('%s %j: %s', async (name, { leadId, ...parameters }, words, isFound) => {
		await prepare();
		const options = { onlyCheck: true };
		const record = leadId === undefined ? {} : { leadId: by('externalId', leadId) };
		const call = called(name, { ...record, ...parameters, options } as IDataObject);
		const { items, error } = await lab.engine.run(call);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.result)).toEqual([words]);
		expect(items.map(({ json }) => json.found !== undefined)).toEqual([isFound]);
	});

	test('rows that are no sale say why, and are not counted as refused', async () => {
		await prepare();
		const input = [
			{ 'External ID': 'sold', Date: SOLD, Value: 7, Status: 'lost' },
			{ 'External ID': 'known', Date: SOLD, Value: 7, Status: 'paid' },
		];
		const options = { onlyCheck: true, output: 'inputWithResult' };
		const call = called('lead.recordSale', { specifySale: 'columns', options });
		const { items, hints } = await lab.engine.run(call, { input });
		expect(items.map(({ json }) => json.result)).toEqual([
			expect.stringMatching(/^would change nothing: not recorded: .*"Status"/),
			'would record: open · known',
		]);
		expect(hints[0].message).toContain('2 items: 1 would be left unchanged, 1 recorded.');
	});

	test('rows say in words what would become of each, and the hint counts them', async () => {
		await prepare();
		const contact = { name: 'Ana Souza', email: 'ana@example.com' };
		await call(lab.sandbox, 'POST /leads', { externalId: 'crm-1', contact });
		const input = [
			{ 'E-mail': 'new@example.com', Nome: 'Bia Lima' },
			{ 'E-mail': 'ana@example.com', Nome: 'Ana Souza' },
			{ Nome: 'Without Address' },
		];
		const parameters = {
			specifyLead: 'columns',
			lead: { mappingMode: 'autoMapInputData', value: null },
			options: { onlyCheck: true, output: 'inputWithResult' },
		};
		const { items, error, hints } = await lab.engine.run(called('lead.upsert', parameters), {
			input,
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.result)).toEqual([
			'would create',
			expect.stringMatching(/^would update: Ana Souza · ana@example\.com/),
			expect.stringMatching(/^would refuse: The row has no email/),
		]);
		expect(hints.map(({ message }) => message)).toContain(
			'Only checked, nothing was sent. 3 items: 1 would be created, 1 updated, 1 refused. Columns read: "E-mail" as Email, "Nome" as Name. To read a column as another field, rename it (External ID, Name, Email, …), or map the columns by hand.',
		);
	});

	test.each(['lead.upsert', 'sync.push'])(
		'%s names the field of each column, and which are read by their values',
		async (name) => {
			await prepare();
			const input = [
				{ Nome: 'Bia', 'E-mail para receber a aula': 'b@example.com', Pedido: 'A-1', Loja: 'Sul' },
				{ Nome: 'Eva', WhatsApp: '+55 11 93000-0001', Pedido: 'A-2', Loja: 'Sul' },
			].map((row, index) => ({ ...row, row_number: index + 2 }));
			const parameters = {
				specifyLead: 'columns',
				specifyLeads: 'fields',
				lead: { mappingMode: 'autoMapInputData', value: null },
				options: { onlyCheck: true, externalIdColumn: 'Pedido' },
			};
			const { items, hints } = await lab.engine.run(called(name, parameters), { input });
			const email = 'E-mail para receber a aula';
			expect(items.map(({ json }) => [json.read, json.notSent])).toEqual([
				[{ Nome: 'name', [email]: 'email (by its value)', Pedido: 'externalId' }, ['Loja']],
				[{ Nome: 'name', WhatsApp: 'phone', Pedido: 'externalId' }, ['Loja']],
			]);
			expect(hints.map(({ message }) => message)).toEqual([
				`Only checked, nothing was sent. 2 items: 2 would be created. Columns read: "Nome" as Name, "${email}" as Email (by its value), "Pedido" as External ID, "WhatsApp" as Phone. Not read: "Loja". To read a column as another field, rename it (External ID, Name, Email, …), or map the columns by hand.`,
			]);
		},
	);

	test('a push refuses no ID that it would send, names the person, and gives rows of one person one ID', async () => {
		await prepare();
		const ana = { name: 'Ana Souza', email: 'ana@example.com', phone: '+351912000001' };
		await call(lab.sandbox, 'POST /leads', { externalId: 'crm-7', contact: ana });
		const input = [
			{ ID: 'crm-7', Name: 'Bia Lima', Email: 'bia@example.com', Phone: '+351912000002' },
			{ ID: 'crm-8', Email: 'caio@example.com' },
			{ ID: '', Email: 'caio@example.com' },
		];
		const results = async (options: IDataObject) => {
			const parameters = {
				specifyLeads: 'fields',
				lead: { mappingMode: 'autoMapInputData', value: null },
				options: { onlyCheck: true, externalIdColumn: 'ID', ...options },
			};
			const { items, hints } = await lab.engine.run(called('sync.push', parameters), { input });
			return [items.map(({ json }) => json.result), JSON.stringify(hints)];
		};
		const [checked, hints] = await results({});
		expect(checked).toEqual([
			'would update: Ana Souza · ana@example.com · open · crm-7',
			'would create',
			'would update: what item 2 would create',
		]);
		expect(hints).toMatch(/"crm-7\\" is that of another person: .*Look First/);
		const [lookedFirst] = await results({ lookFirst: true });
		expect(lookedFirst[0]).toMatch(/^would refuse: The external ID "crm-7" is that of another/);
	});

	test('a push shows what it would send: the whole lead, and a lead without an ID by its address', async () => {
		await prepare();
		const bia = { name: 'Bia Lima', email: 'bia@example.com' };
		await call(lab.sandbox, 'POST /leads', { externalId: 'crm-7', contact: bia });
		const input = [
			{ 'External ID': 'crm-7', Name: 'Bia Lima', Phone: '+351912000002' },
			{ Name: 'Caio Reis', Email: 'caio@example.com' },
			{ Name: 'Bia Lima', Email: 'bia@example.com' },
			{ Email: 'caio@example.com', Notes: 'again' },
		];
		const parameters = {
			specifyLeads: 'fields',
			lead: { mappingMode: 'autoMapInputData', value: null },
			options: { onlyCheck: true },
		};
		const { items, hints } = await lab.engine.run(called('sync.push', parameters), { input });
		const caio = { externalId: 'caio@example.com', contact: { email: 'caio@example.com' } };
		expect(items.map(({ json }) => [json.would, json.wouldSend])).toEqual([
			['update', { externalId: 'crm-7', contact: { name: 'Bia Lima', phone: '+351912000002' } }],
			['create', { ...caio, contact: { ...caio.contact, name: 'Caio Reis' } }],
			['update', { externalId: 'crm-7', contact: bia }],
			['update', { ...caio, notes: 'again' }],
		]);
		expect(JSON.stringify(hints)).toContain('4 items: 3 would be updated, 1 created.');
	});

	test('an item says in words what would become of it, and what to change where it would be refused', async () => {
		await prepare();
		const input = [{ 'E-mail': 'new@example.com' }, { 'E-mail': 'a@example.com', Valor: 'ten' }];
		const parameters = {
			specifyLeads: 'fields',
			lead: { mappingMode: 'autoMapInputData', value: null },
			options: { onlyCheck: true },
		};
		const { items } = await lab.engine.run(called('sync.push', parameters), { input });
		expect(items.map(({ json }) => json.result)).toEqual([
			'would create',
			'would refuse: "Valor" must be a number: "ten". Write it in digits, e.g. 1500 or 1500.50',
		]);
	});

	test('what is read by its value is all that an item says of its columns when it is sent', async () => {
		await prepare();
		const input = [{ Nome: 'Bia', 'E-mail para receber a aula': 'b@example.com' }];
		const parameters = {
			specifyLead: 'columns',
			lead: { mappingMode: 'autoMapInputData', value: null },
		};
		const { items } = await lab.engine.run(called('lead.upsert', parameters), { input });
		expect(items[0].json.read).toEqual({ 'E-mail para receber a aula': 'email' });
	});
});
