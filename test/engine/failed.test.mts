/** What an error workflow gets of an item that failed: the texts of its error. */
import { called, useLab } from '../helpers/lab.mts';

const lab = useLab({ seed: 5, rpm: 0 });
const call = called('lead.upsert', {
	externalId: '={{ $json.id }}',
	name: '={{ $json.name }}',
	email: '={{ $json.email }}',
});
const ANA = { id: 'crm-1', name: 'Ana', email: 'ana@example.com' };
const BIA = { id: 'crm-2', name: 'Bia', email: 'bia@example.com', row_number: 7 };

test.each<[what: string, input: Array<typeof ANA>, which: string]>([
	[
		'one of several',
		[ANA, { ...BIA, row_number: undefined } as typeof ANA],
		'Item 2 (crm-2, bia@example.com)',
	],
	['a row of a sheet', [ANA, BIA], 'Row 7 (crm-2, bia@example.com)'],
	['the only one', [BIA], 'Row 7 (crm-2, bia@example.com)'],
])('%s that the service refuses is named, with its lead', async (_, input, which) => {
	const match = { method: 'POST', nth: input.length };
	lab.sandbox.controls.fault({ kind: 'status', status: 422, match });
	const { error } = await lab.engine.run(call, { input });
	expect(error?.message.split(': ')[0]).toBe(which);
	expect(error?.description).not.toContain(which);
});
