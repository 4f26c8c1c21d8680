/** Lead > Delete: the service deletes by external ID only, and what is deleted is named. */
import { by, called, simulatedClock, useLab, writes } from '../helpers/lab.mts';

const lab = useLab({ seed: 0, rpm: 0 }, simulatedClock);

function createAna(externalId: string | null): string {
	const { store, controls } = lab.sandbox;
	const { id: contactId } = store.createContact({ name: 'Ana Souza', email: 'ana@example.com' });
	const { id } = controls.createLead({ contactId, externalId });
	controls.clearRequests();
	return id;
}
const remove = (mode: Parameters<typeof by>[0], value: string) =>
	called('lead.delete', { leadId: by(mode, value) });
const sent = () => writes(lab.sandbox).map(({ method, path }) => `${method} ${path}`);

test.each([
	['id', 'crm 1/é', 1],
	['externalId', 'crm-1', 1],
	['emailOrPhone', 'crm-1', 1],
	['id', null, 2],
] as const)('by %s, with the external ID %s: it is gone, and named', async (mode, own, count) => {
	const id = createAna(own);
	const value = { id, externalId: String(own), emailOrPhone: 'ana@example.com' }[mode];
	const { items, error } = await lab.engine.run(remove(mode, value));
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json)).toEqual([
		{ deleted: true, name: 'Ana Souza', id, ...(own && { externalId: own }) },
	]);
	expect(sent()).toHaveLength(count);
	expect(lab.sandbox.store.leads.get(id)).toBeUndefined();
});

test.each(['crm-1', null])('Only Check, with the external ID %s, deletes nothing', async (own) => {
	const id = createAna(own);
	const parameters = { ...remove('id', id), options: { onlyCheck: true } };
	const { items, error } = await lab.engine.run(parameters);
	expect(error).toBeUndefined();
	expect(items[0].json).toMatchObject({ would: 'delete', found: { id } });
	expect(items[0].json.result).toContain('would delete: Ana Souza');
	expect(sent()).toEqual([]);
});

test('an external ID in place of the ID deletes nothing', async () => {
	createAna('crm-1');
	const { error } = await lab.engine.run(remove('id', 'crm-1'));
	expect(error?.message).toContain('No lead has the ID "crm-1"');
	expect(sent()).toEqual([]);
});

test('a service that takes no external ID for it: nothing is deleted, and the item says so', async () => {
	const id = createAna(null);
	lab.sandbox.controls.fault({ kind: 'status', status: 422, match: { method: 'PUT' } });
	const { error } = await lab.engine.run(remove('id', id));
	expect(error?.message).toContain('the service did not take one for it');
	expect(sent()).toEqual([`PUT /leads/${id}`]);
});

test('a lead that is still there after the deletion fails the item', async () => {
	const id = createAna('crm-1');
	const body = { success: true };
	lab.sandbox.controls.fault({ kind: 'status', status: 200, body, match: { method: 'DELETE' } });
	const { error } = await lab.engine.run(remove('id', id));
	expect(error?.message).toContain('still has the lead: Ana Souza');
});

test('what an earlier try deleted is deleted', async () => {
	const id = createAna('crm-1');
	const match = { method: 'DELETE', path: '/sync' };
	lab.sandbox.controls.fault({ kind: 'reset', when: 'after', match });
	lab.sandbox.controls.fault({ kind: 'status', status: 503, match, times: 4 });
	const { items, error } = await lab.engine.run(remove('id', id), { retry: true });
	expect(error).toBeUndefined();
	expect(items).toMatchObject([{ json: { deleted: true, id } }]);
});

const row = '={{ $json.id }}';
const ofRow = `${row}@example.com`;
test.each([
	['lead.delete', { leadId: by('externalId', row) }],
	['lead.delete', { leadId: by('emailOrPhone', ofRow) }],
	[
		'contact.update',
		{ contactId: by('emailOrPhone', ofRow), updateFields: { email: `${row}@example.org` } },
	],
])('%s of what an earlier try deleted, or gave another email: %j', async (name, parameters) => {
	const input = ['a', 'b', 'c'].map((id) => ({ id }));
	const { store, controls } = lab.sandbox;
	for (const { id } of input) {
		const { id: contactId } = store.createContact({ email: `${id}@example.com` });
		controls.createLead({ externalId: id, contactId });
	}
	const method = name === 'lead.delete' ? 'DELETE' : 'PUT';
	controls.fault({ kind: 'status', status: 422, match: { method, nth: 3 } });
	const { items, error } = await lab.engine.run(called(name, parameters), { input, retry: true });
	expect([error?.message, items.length, sent().length]).toEqual([undefined, 3, 4]);
});
