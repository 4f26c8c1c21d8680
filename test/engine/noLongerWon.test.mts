/**
 * A later row that is about a lead with a sale, such as another deal of the person, is sent: that the lead is no longer won is said,
 * and so are notes that it replaces.
 */
import type { IDataObject } from 'n8n-workflow';

import { called, useLab } from '../helpers/lab.mts';

const lab = useLab({ seed: 5, rpm: 0 });
const EMAIL = 'ana@example.com';
const WON = {
	status: 'closed_won',
	saleDate: '2026-01-31T00:00:00.000Z',
	estimatedValue: 12_000,
};

const SAME_SALE = { Email: EMAIL, Valor: '12.000,00', 'Data da venda': '31/01/2026' };

const OPERATIONS: Record<string, IDataObject> = {
	'Create or Update': called('lead.upsert', { specifyLead: 'columns' }),
	'Push Leads': called('sync.push', {}),
	'Push Leads, Look First': called('sync.push', { options: { lookFirst: true } }),
};

async function create(fields: IDataObject) {
	const { items } = await lab.engine.run(
		called('contact.create', { name: 'Ana Souza', email: EMAIL }),
	);
	const contactId = items[0].json.id as string;
	lab.sandbox.controls.createLead({ contactId, externalId: 'crm-1', ...fields });
	lab.sandbox.controls.clearRequests();
}

const send = async (operation: string, row: IDataObject, onlyCheck = false) => {
	const { options, ...others } = OPERATIONS[operation];
	const parameters = { ...others, options: { ...(options as IDataObject), onlyCheck } };
	const { items, hints, error } = await lab.engine.run(parameters, { input: [row] });
	expect(error).toBeUndefined();
	const said = hints.map(({ message }) => message).filter((text) => text.includes('was won'));
	return { differences: items[0].json.differences, said };
};

describe.each(Object.keys(OPERATIONS))('%s', (operation) => {
	it.each<[IDataObject, RegExp, IDataObject?]>([
		[
			{ Email: EMAIL, 'Lead status': 'Aberto', Valor: '10' },
			/^The lead was won: its status is now "open" instead of "closed_won", its value is now "10" instead of "12000"\.$/,
		],
		[
			{ Email: EMAIL, 'Lead status': 'Perdido' },
			/^The lead was won: its status is now "closed_lost" instead of "closed_won"\.$/,
		],
		[
			{ Email: EMAIL, Valor: '300' },
			/^The lead was won: its value is now "300" instead of "12000"\.$/,
		],
		[
			{ Email: EMAIL, 'Lead status': 'Perdido' },
			/^The lead was won: its status is now "closed_lost" instead of "Negócio ganho"\.$/,
			{ ...WON, status: 'Negócio ganho' },
		],
		[
			{ Email: EMAIL, 'Data da venda': '31/01/2026' },
			/^The lead was won: its sale date is now "2026-01-31T[\d:.]+Z"\.$/,
			{ ...WON, saleDate: null },
		],
	])('says that the lead of %j is no longer won', async (row, expected, fields = WON) => {
		await create(fields);
		for (const onlyCheck of [true, false]) {
			const { differences, said } = await send(operation, row, onlyCheck);
			expect(differences).toMatch(expected);
			expect(said).toEqual([expect.stringMatching(/set them back with Lead > Update/)]);
		}
	});

	it.each<[IDataObject, IDataObject]>([
		[{ Email: EMAIL, 'Lead status': 'Ganho' }, WON],
		[{ Email: EMAIL, Tags: 'vip' }, WON],
		[SAME_SALE, WON],
		[
			{ ...SAME_SALE, 'Lead status': 'Vendido' },
			{ ...WON, status: 'vendido' },
		],
		[{ Email: EMAIL, 'Lead status': 'Aberto' }, { status: 'in_progress' }],
		[{ Email: 'new@example.com', 'Lead status': 'Aberto' }, WON],
	])('says nothing of %j', async (row, fields) => {
		await create(fields);
		for (const onlyCheck of [true, false]) {
			const said = await send(operation, row, onlyCheck);
			expect(said).toEqual({ differences: undefined, said: [] });
		}
	});
});

it.each<[operation: string, externalId: string | undefined]>([
	['Create or Update', undefined],
	['Create or Update', 'crm-1'],
	['Push Leads', undefined],
	['Push Leads', 'crm-1'],
])('%s says it of a sale that the item before has recorded: %s', async (operation, externalId) => {
	const { store, controls } = lab.sandbox;
	const { id: contactId } = store.createContact({ email: EMAIL, phone: '+5511987654321' });
	controls.createLead({ contactId, externalId });
	const input = [
		{ Email: EMAIL, 'Lead status': 'Ganho' },
		{ Telefone: '+5511987654321', 'Lead status': 'Perdido' },
	];
	const { items } = await lab.engine.run(OPERATIONS[operation], { input });
	expect(items.map(({ json }) => json.differences)).toEqual([
		undefined,
		'The lead was won: its status is now "closed_lost" instead of "closed_won".',
	]);
});

describe('Push Leads by External ID', () => {
	const said = async (row: IDataObject, options: IDataObject) => {
		const input = [{ 'External ID': 'crm-1', ...row }];
		const { hints } = await lab.engine.run(called('sync.push', { options }), { input });
		return hints.map(({ message }) => message).filter((text) => text.includes('If one was won'));
	};

	it.each<[IDataObject]>([
		[{ 'Lead status': 'Aberto' }],
		[{ Valor: '300' }],
		[{ 'Lead status': 'Ganho', 'Data da venda': '31/01/2026' }],
	])('says of %j that it was not looked up', async (row) => {
		await create(WON);
		expect(await said(row, {})).toEqual([expect.stringMatching(/Options > Look First/)]);
	});

	it.each<[string, IDataObject, IDataObject]>([
		['is looked up first', { Email: EMAIL, Valor: '300' }, { lookFirst: true }],
		['can only become won', { 'Lead status': 'Ganho', Tags: 'vip' }, {}],
		['is new', { 'External ID': 'crm-2', Email: 'b@example.com', Valor: '300' }, {}],
	])('says nothing of one that %s', async (_, row, options) => {
		await create(WON);
		expect(await said(row, options)).toEqual([]);
	});
});

const BEFORE = 'Called on Monday, wants two rooms.';

it.each<[operation: string, row: IDataObject, expected: string | undefined]>([
	[
		'Create or Update',
		{ Email: EMAIL, Obs: 'ok' },
		`The notes were replaced. Before: "${BEFORE}".`,
	],
	['Push Leads', { Email: EMAIL, Notas: 'ok' }, `The notes were replaced. Before: "${BEFORE}".`],
	[
		'Push Leads, Look First',
		{ 'External ID': 'crm-1', Email: EMAIL, Notes: 'ok' },
		`The notes were replaced. Before: "${BEFORE}".`,
	],
	['Create or Update', { Email: EMAIL, Notas: `${BEFORE} Paid.` }, undefined],
	['Create or Update', { Email: EMAIL, Notas: '8,5' }, undefined],
	['Create or Update', { Email: 'new@example.com', Notas: 'ok' }, undefined],
])('%s of %j says which notes it replaces', async (operation, row, expected) => {
	await create({ notes: BEFORE });
	const { items, hints } = await lab.engine.run(OPERATIONS[operation], { input: [row] });
	expect(items[0].json.differences).toBe(expected);
	const said = hints.filter(({ message }) => message.includes('Notes of a lead were replaced'));
	expect(said).toHaveLength(expected === undefined ? 0 : 1);
});
