/** The option Note Other Columns: what an import has beside the fields of a lead is kept as one note. */
import type { IDataObject } from 'n8n-workflow';

import { called, useLab, writes } from '../helpers/lab.mts';

const lab = useLab({ seed: 0, rpm: 0 });
const lead = { mappingMode: 'autoMapInputData', value: null };
const on = { options: { noteColumns: true } };
const upsert = called('lead.upsert', { specifyLead: 'columns', lead });
const push = called('sync.push', { lead });
const row = {
	row_number: 2,
	Nome: 'Ana Souza',
	'E-mail': 'ana@example.com',
	Celular: '+5511900000001',
	'Celular 2': '+5511900000002',
	Responsável: 'Bia',
	'Motivo da perda': 'Preço',
	'Data de criação': '2026-01-31',
	Senha: 's3cret',
};
const NOTE = [
	'Responsável: Bia',
	'Motivo da perda: Preço',
	'Data de criação: 2026-01-31',
	'Celular 2: +5511900000002',
].join('\n');
const notes = () =>
	writes(lab.sandbox).flatMap(({ route, body }) =>
		route?.endsWith('/interactions') ? [body as IDataObject] : [],
	);

test.each([
	['Create or Update', upsert],
	['Push Leads', push],
])('%s keeps them once, and no secret', async (_, parameters) => {
	const { items, error } = await lab.engine.run({ ...parameters, ...on }, { input: [row] });
	await lab.engine.run({ ...parameters, ...on }, { input: [row] });
	expect(error).toBeUndefined();
	expect(notes()).toEqual([expect.objectContaining({ description: NOTE })]);
	expect(items[0].json).toMatchObject({ notSent: ['Senha'], noted: NOTE });
	expect([...lab.sandbox.store.leads.values()]).toHaveLength(1);
});

test.each([
	['Create or Update', upsert],
	['Push Leads', push],
])(
	'%s notes nothing of a row without it, and names columns with addresses first',
	async (_, of) => {
		const input = [{ ...row, 'Contato de cobrança': 'eva@example.com' }];
		const { hints, error } = await lab.engine.run(of, { input });
		expect([error, notes()]).toEqual([undefined, []]);
		const ignored = hints.map(({ message }) => message).find((each) => each.startsWith('Ignored'));
		expect(ignored).toMatch(/^Ignored, because they are not lead fields: "Contato de cobrança", "/);
		expect(ignored).toContain('"Options > Note Other Columns" keeps them in a note.');
	},
);

test.each([{}, { 'External ID': 'crm-1' }])(
	'they are noted in the lead that was sent, also where it is accepted only: with %j',
	async (id) => {
		const input = [{ ...row, ...id }];
		await lab.engine.run(upsert, { input });
		const match = { method: 'POST', path: '/leads' };
		const body = { success: true, data: {} };
		lab.sandbox.controls.fault({ kind: 'status', status: 202, body, match, when: 'after' });
		const { error } = await lab.engine.run({ ...upsert, ...on }, { input });
		expect(error).toBeUndefined();
		expect(notes()).toEqual([expect.objectContaining({ description: NOTE })]);
	},
);

test.each([{}, on])('another person with the same phone is refused, with %j', async (options) => {
	const input = [row, { ...row, Nome: 'Caio Reis', 'E-mail': 'caio@example.com' }];
	const { error } = await lab.engine.run({ ...push, ...options }, { input });
	expect(error?.message).toMatch(
		/^Row 2: The phone "\+5511900000001" of an earlier item is that of another person/,
	);
	expect(writes(lab.sandbox)).toEqual([]);
});

describe('what goes to the note instead of a field is named', () => {
	const deal = { ...row, 'Negócio - Etapa': 'Apresentação' };
	const named =
		'"Celular 2", "Data de criação", "Negócio - Etapa", "Responsável", "Motivo da perda"';
	const run = async (
		of: IDataObject,
		options: IDataObject,
		input: IDataObject[] = [deal],
	): Promise<IDataObject & { hint: string }> => {
		const { items, hints, error } = await lab.engine.run(
			{ ...of, options: { ...on.options, ...options } },
			{ input },
		);
		expect(error).toBeUndefined();
		return { ...items[0].json, hint: hints.map(({ message }) => message).join('\n') };
	};

	test.each([
		['Create or Update', upsert],
		['Push Leads', push],
	])('by %s in the hint, by Only Check, and in the row', async (_, of) => {
		expect((await run(of, {})).hint).toContain(
			`Left for the note, because they are not lead fields: ${named}. Rename a column`,
		);
		const checked = await run(of, { onlyCheck: true });
		expect(checked.hint).toContain(`Left for the note: ${named}. Not read: "Senha".`);
		expect(checked.noted).toContain('Negócio - Etapa: Apresentação');
		const { result } = await run(of, { output: 'inputWithResult' });
		expect(result).toContain(`; not read as fields: ${named}; not sent: "Senha"`);
	});

	test('of a form as well, once for a run', async () => {
		const form = { 'E-mail': 'ana@example.com', Mensagem: 'Quero 3' };
		const { hint } = await run(upsert, { noteColumns: false }, [form, form]);
		expect(hint).toBe(
			'Left for the note, because they are not lead fields: "Mensagem". Rename a column that is one (Lead Status, Estimated Value, Sale Date, …), or map the columns by hand.',
		);
	});
});

test('rows that share no request with others keep the order of the input', async () => {
	const input = [1, 2, 3].map((n) => ({
		'External ID': `crm-${n}`,
		...(n === 2 && { Responsável: 'Bia' }),
	}));
	const { items, error } = await lab.engine.run({ ...push, ...on }, { input });
	expect([error, items.map(({ json }) => json.externalId)]).toEqual([
		undefined,
		['crm-1', 'crm-2', 'crm-3'],
	]);
	expect(notes()).toMatchObject([{ title: 'Other columns or answers' }]);
});
