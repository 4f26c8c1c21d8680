/**
 * A later row that is about a lead with a sale, such as another deal of the person, is sent: that the lead is no longer won is said,
 * and so are notes that it replaces.
 */
import type { IDataObject } from 'n8n-workflow';

import { called, useLab } from '../helpers/lab.mts';

const lab = useLab({ seed: 5 });
const EMAIL = 'ana@example.com';
const WON = {
	status: 'closed_won',
	saleDate: '2026-01-31T03:00:00.000Z',
	estimatedValue: 12_000,
};

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

const send = async (operation: string, row: IDataObject) => {
	const { items, hints, error } = await lab.engine.run(OPERATIONS[operation], { input: [row] });
	expect(error).toBeUndefined();
	const said = hints.map(({ message }) => message).filter((text) => text.includes('was won'));
	return { differences: items[0].json.differences, said };
};

describe.each(Object.keys(OPERATIONS))('%s', (operation) => {
	it.each<[IDataObject, RegExp]>([
		[
			{ Email: EMAIL, 'Lead status': 'Aberto', Valor: '10' },
			/^The lead was won: its status is now "open" instead of "closed_won", its value is now "10"\.$/,
		],
		[
			{ Email: EMAIL, 'Lead status': 'Perdido' },
			/^The lead was won: its status is now "closed_lost" instead of "closed_won"\.$/,
		],
		[{ Email: EMAIL, Valor: '300' }, /^The lead was won: its value is now "300"\.$/],
	])('says that the lead of %j is no longer won', async (row, expected) => {
		await create(WON);
		const { differences, said } = await send(operation, row);
		expect(differences).toMatch(expected);
		expect(said).toEqual([expect.stringMatching(/set them back with Lead > Update/)]);
	});

	it.each<[IDataObject, IDataObject]>([
		[{ Email: EMAIL, 'Lead status': 'Ganho' }, WON],
		[{ Email: EMAIL, Tags: 'vip' }, WON],
		[{ Email: EMAIL, 'Lead status': 'Aberto' }, { status: 'in_progress' }],
		[{ Email: 'new@example.com', 'Lead status': 'Aberto' }, WON],
	])('says nothing of %j', async (row, fields) => {
		await create(fields);
		expect(await send(operation, row)).toEqual({ differences: undefined, said: [] });
	});
});

it('shows the value before where the lead was read first', async () => {
	await create(WON);
	const row = { 'External ID': 'crm-1', Email: EMAIL, 'Lead status': 'Aberto', Valor: '10' };
	const { differences } = await send('Push Leads, Look First', row);
	expect(differences).toMatch(/, its value is now "10" instead of "12000"\.$/);
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
