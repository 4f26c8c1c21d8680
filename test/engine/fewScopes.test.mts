/** What a key with the scopes `leads:read` and `leads:write` alone can do for people who come back. */
import type { IDataObject } from 'n8n-workflow';

import { by, called, useLab, writes } from '../helpers/lab.mts';

const lab = useLab({ seed: 0, rpm: 0 });
const few = () =>
	lab.withKey(lab.sandbox.controls.addKey({ scopes: ['leads:read', 'leads:write'] }).key);
const COLUMNS = { mappingMode: 'autoMapInputData', value: null };
const form = called('lead.upsert', { specifyLead: 'columns', lead: COLUMNS });
const leads = () => [...lab.sandbox.store.leads.values()];

const EMAIL = 'ana@example.com';
const PHONE = '+5511900000001';
const ANA = { Name: 'Ana Souza', Email: EMAIL, Phone: PHONE };
const UNREAD =
	/^(?:Items? [\d, and]+: )?Phones were not compared: the API key lacks .*contacts:read/;

test.each<[string, IDataObject, hints: number]>([
	['the same', ANA, 0],
	['without the name', { Email: EMAIL, Phone: PHONE }, 1],
	['with another name', { ...ANA, Name: 'A. S.' }, 1],
	['with another phone', { ...ANA, Phone: '+5511900000002' }, 0],
	['with the email alone', { Email: EMAIL }, 0],
])('a person who comes back is the same lead: %s', async (_, again, count) => {
	const engine = few();
	const first = await engine.run(form, { input: [ANA] });
	const second = await engine.run(form, { input: [again, again] });
	expect([first.error, second.error, leads().length]).toEqual([undefined, undefined, 1]);
	expect(second.items.map(({ json }) => json.created)).toEqual([false, false]);
	const unread = second.hints.filter(({ message }) => UNREAD.test(message));
	expect(unread).toHaveLength(count);
});

test('a person who gave only the phone is found by the external ID', async () => {
	const engine = few();
	const input = [{ Name: 'Ana Souza', Phone: PHONE }];
	await engine.run(form, { input });
	const { items, error, hints } = await engine.run(form, { input });
	expect([error, leads().length]).toEqual([undefined, 1]);
	expect(items[0].json).toMatchObject({ externalId: PHONE, created: false });
	expect(JSON.stringify(hints)).not.toContain('Phones were not compared');
});

test('rows of a push without IDs share a request where they are new, and take about two where they are known', async () => {
	const parameters = { specifyLeads: 'fields', lead: COLUMNS };
	const { key } = lab.sandbox.controls.addKey({ scopes: ['leads:read', 'leads:write', 'sync'] });
	const input = Array.from({ length: 20 }, (_, n) => {
		return { Name: `Ana ${n}`, Email: `ana${n}@example.com`, Phone: `+3519120001${10 + n}` };
	});
	const counts = [];
	for (const Value of ['', 7]) {
		lab.sandbox.controls.clearRequests();
		const rows = input.map((row) => ({ ...row, Value }));
		const { error } = await lab.withKey(key).run(called('sync.push', parameters), { input: rows });
		expect(error).toBeUndefined();
		counts.push(lab.sandbox.controls.requests().length);
	}
	// Each is searched by email, and by two forms of its phone where it is new. Up to ten contacts are asked for before the first is
	// refused, to compare and to fill.
	expect(counts[0]).toBe(61);
	expect(counts[1]).toBeLessThan(41 + 20);
	expect(leads().map(({ estimatedValue }) => estimatedValue)).toEqual(Array(20).fill(7));
});

test('answers that the key may not note are said in each item, with the scopes', async () => {
	const input = [{ ...ANA, Mensagem: 'Oi' }];
	for (const options of [{}, { output: 'inputWithResult' }]) {
		const { items } = await few().run({ ...form, options }, { input });
		const { differences, result } = items[0].json;
		expect(result ?? differences).toMatch(
			/Other columns or answers were not noted: the API key needs the scopes "interactions:read" and "inter/,
		);
	}
});

test('a phone alone that only the contact shows fails, and names the scope', async () => {
	const engine = few();
	await engine.run(form, { input: [ANA] });
	lab.sandbox.controls.clearRequests();
	const { error } = await engine.run(form, { input: [{ Phone: PHONE }] });
	expect(error?.message).toBe('The API key does not permit: Find contact by ID');
	expect(error?.description).toContain('contacts:read');
	// A key that lacks several is mended once.
	expect(error?.description).toContain(
		'In all, this operation uses leads:write, leads:read, contacts:read, contacts:write, interactions:read, interactions:write;',
	);
	expect(writes(lab.sandbox)).toEqual([]);
});

test('a person with another email is a second lead, which a hint says', async () => {
	const engine = few();
	await engine.run(form, { input: [ANA] });
	const other = { ...ANA, Email: 'souza@example.com' };
	const { items, error, hints } = await engine.run(form, { input: [other] });
	expect([error, items[0].json.externalId]).toEqual([undefined, other.Email]);
	expect(hints.map(({ message }) => message)).toContainEqual(expect.stringMatching(UNREAD));
});

test('a person whom a second email made a second lead is not refused for good', async () => {
	const engine = few();
	const other = { ...ANA, Email: 'souza@example.com' };
	for (const item of [ANA, other]) await engine.run(form, { input: [item] });
	for (const run of [engine, lab.engine]) {
		const { items, error } = await run.run(form, { input: [ANA] });
		expect([error, items[0].json.externalId]).toEqual([undefined, EMAIL]);
		expect(items[0].json.differences).toMatch(/^Several leads have the email or the phone\./);
	}
});

test('several leads of which none has the email as its external ID are refused', async () => {
	const { store, controls } = lab.sandbox;
	const { id: contactId } = store.createContact({ email: EMAIL });
	for (const externalId of ['order-1', 'order-2']) controls.createLead({ externalId, contactId });
	const { error } = await few().run(form, { input: [ANA] });
	expect(error?.message).toMatch(/^It is unclear which lead is meant/);
});

test('a sale by email and phone goes to the lead of the email', async () => {
	const engine = few();
	await engine.run(form, { input: [ANA] });
	const sale = called('lead.recordSale', { soldOn: '2026-01-31', saleValue: '10' });
	const { items, error } = await engine.run({ ...sale, email: EMAIL, phone: PHONE });
	expect([error, items[0].json.estimatedValue]).toEqual([undefined, 10]);
});

test('a lead is chosen by a phone that is its external ID', async () => {
	const engine = few();
	await engine.run(form, { input: [{ Name: 'Ana Souza', Phone: PHONE }] });
	const { items, error } = await engine.run(
		called('lead.get', { leadId: by('emailOrPhone', PHONE) }),
	);
	expect([error, items[0].json.externalId]).toEqual([undefined, PHONE]);
});

test('what was not compared before a write is said: a status in words, and the phone of a lead with an ID', async () => {
	lab.sandbox.controls.createLead({
		externalId: 'crm-1',
		contactId: lab.sandbox.store.createContact({ name: 'Ana Souza', phone: PHONE }).id,
	});
	const options = { lookFirst: true };
	const given = { externalId: 'crm-1', name: 'Bia Lima', phone: '+5511900000002' };
	const ran = await few().run(called('lead.upsert', { ...given, options }));
	expect(ran.hints.map(({ message }) => message)).toContainEqual(expect.stringMatching(UNREAD));
	const { key } = lab.sandbox.controls.addKey({ scopes: ['leads:write'] });
	const { items, hints } = await lab
		.withKey(key)
		.run(called('lead.updateStatus', { leadId: by('id', leads()[0].id), status: 'perdido' }));
	expect(items[0].json.status).toBe('perdido');
	expect(hints.map(({ message }) => message)).toContainEqual(
		expect.stringMatching(
			/^The status and the priority were not compared with those of other leads: /,
		),
	);
});

test('Only Check passes with a key that may only write, and says what it could not look up', async () => {
	const { key } = lab.sandbox.controls.addKey({ scopes: ['leads:write'] });
	const options = { onlyCheck: true };
	const call = called('lead.upsert', { externalId: 'crm-1', options });
	const { items, error, hints } = await lab.withKey(key).run(call);
	expect([error, items.map(({ json }) => json.result)]).toEqual([undefined, ['would send']]);
	expect(JSON.stringify(hints)).toContain('lacks the scope');
});

test('a lead that a lost request of a push has created is new when n8n runs the node again', async () => {
	const parameters = { specifyLeads: 'fields', lead: COLUMNS };
	const { key } = lab.sandbox.controls.addKey({ scopes: ['leads:read', 'leads:write', 'sync'] });
	const match = { method: 'POST', path: '/sync' };
	lab.sandbox.controls.fault({ kind: 'reset', when: 'after', match });
	lab.sandbox.controls.fault({ kind: 'status', status: 503, times: 3, match });
	const push = called('sync.push', parameters);
	const { items, error } = await lab.withKey(key).run(push, { input: [ANA], retry: true });
	expect([error, leads().length]).toEqual([undefined, 1]);
	expect(items.map(({ json }) => json.created)).toEqual([true]);
});
