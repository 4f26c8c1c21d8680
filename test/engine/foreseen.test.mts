/** Only Check says what the output of the real run would say of the contact, in the same words. */
import type { IDataObject } from 'n8n-workflow';

import { called, useLab, writes } from '../helpers/lab.mts';

const lab = useLab({ seed: 0, rpm: 0 });

const FABIO = { name: 'Fabio Reis', email: 'fabio@example.com', phone: '+5511911111111' };
const ANA = { name: 'Ana Souza', email: 'ana@example.com', phone: '+5511922222222' };
const COLUMNS = { mappingMode: 'autoMapInputData', value: null };
const upsert = called('lead.upsert', { specifyLead: 'columns', lead: COLUMNS });
const push = called('sync.push', { lead: COLUMNS });
const find = called('contact.findOrCreate', { ...FABIO, name: 'Fabio' });

function createBoth(externalId: string | undefined, lacks: object) {
	const { store, controls } = lab.sandbox;
	for (const [contact, id] of [
		[{ ...FABIO, ...lacks }, externalId],
		[ANA, 'crm-2'],
	] as const) {
		const contactId = store.createContact(contact).id;
		controls.createLead({ externalId: id, contactId, createdAt: '2026-01-01' });
	}
	controls.clearRequests();
}

const NAME = { ...FABIO, name: 'Bia Lima' };
const rows: Array<[string, string | undefined, object, IDataObject]> = [
	['another name', 'crm-1', {}, NAME],
	['another name, without an external ID', undefined, {}, NAME],
	['another phone', 'crm-1', {}, { ...FABIO, phone: '+5511933333333' }],
	['another email', 'crm-1', {}, { ...FABIO, email: 'reis@example.com' }],
	['the phone of another lead', 'crm-1', { phone: null }, { ...FABIO, phone: ANA.phone }],
	['another name and a blank email', 'crm-1', { email: null }, NAME],
	['by external ID', 'crm-1', {}, { ...ANA, phone: undefined, 'External ID': 'crm-1' }],
	['nothing', 'crm-1', {}, FABIO],
	['a blank phone', 'crm-1', { phone: null }, FABIO],
	[
		'a form with the phone of another lead',
		'crm-1',
		{},
		{
			submittedAt: 'x',
			formMode: 'production',
			Mensagem: 'Oi',
			name: 'Bia Lima',
			email: 'bia@example.com',
			phone: ANA.phone,
		},
	],
];

describe.each<[string, IDataObject]>([
	['Create or Update', upsert],
	['Push Leads', push],
])('%s', (_, parameters) => {
	const isPush = parameters === push;
	test.each(rows)('%s', async (what, externalId, lacks, row) => {
		// A push is not for forms, and the answer to a batch may show no contact.
		if (isPush && (row.formMode || row['External ID'])) return;
		const run = async (onlyCheck: boolean, output?: string) => {
			createBoth(externalId, lacks);
			const ran = await lab.engine.run(
				{ ...parameters, options: { onlyCheck, output } },
				{ input: [row] },
			);
			expect([ran.error, onlyCheck && writes(lab.sandbox).length > 0]).toEqual([undefined, false]);
			lab.sandbox.controls.reset();
			return ran.items[0].json;
		};
		const { differences } = await run(true);
		expect(differences).toBe((await run(false)).differences);
		expect(differences === undefined).toBe(['nothing', 'a blank phone'].includes(what));
		const { result } = await run(true, 'inputWithResult');
		expect(result).toContain(String(differences ?? 'would update: Fabio').replace(/\.$/, ''));
	});
});

test('Find or Create, with a field to fill', async () => {
	createBoth('crm-1', { phone: null });
	const { items } = await lab.engine.run({ ...find, options: { onlyCheck: true } });
	expect(items[0].json).toMatchObject({
		would: 'update',
		differences: 'Contact Name is "Fabio Reis", not "Fabio".',
	});
});

test('what would be sent with a tracking code has the fields of the item', async () => {
	const fields = { protocol: 'ml-aa11-bb22', ...ANA };
	const { items } = await lab.engine.run(
		called('lead.upsert', { ...fields, options: { onlyCheck: true } }),
	);
	expect(items[0].json).toMatchObject({ would: 'link', wouldSend: { contact: ANA } });
	expect(writes(lab.sandbox)).toEqual([]);
});

test('a second sale of a lead is checked against the first', async () => {
	lab.sandbox.controls.createLead({ externalId: 'crm-1' });
	const input = [100, 200, 100].map((value) => ({
		'External ID': 'crm-1',
		Data: '2026-03-01',
		Valor: value,
	}));
	const run = async (onlyCheck: boolean) => {
		const options = { output: 'inputWithResult', onlyCheck };
		const sale = called('lead.recordSale', { specifySale: 'columns', options });
		const { items } = await lab.engine.run(sale, { input });
		return items.map(({ json }) => String(json.result));
	};
	const checked = await run(true);
	const done = await run(false);
	expect(checked).toEqual([
		expect.stringMatching(/^would record/),
		expect.stringMatching(/would change nothing: not recorded: .*another sale/),
		expect.stringMatching(/would change nothing: already recorded/),
	]);
	expect(done).toEqual([
		expect.stringMatching(/^recorded/),
		expect.stringMatching(/^not recorded: .*another sale/),
		expect.stringMatching(/^already recorded/),
	]);
});
