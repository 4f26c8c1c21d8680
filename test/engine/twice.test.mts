/** What n8n or people do twice: an item is tried again after an outage, and two executions write one lead. */
import type { IDataObject } from 'n8n-workflow';

import { by, called, simulatedClock, useLab, writes } from '../helpers/lab.mts';
import { evolution } from '../helpers/webhooks.mts';

const lab = useLab({ seed: 5, rpm: 0 }, simulatedClock);
const TRIES = [{ mode: 'webhook' as const }, { retry: true }];
const unavailable = (times: number) => ({
	kind: 'status' as const,
	status: 503,
	times,
	match: { method: 'POST', path: 'leads$', nth: 2 },
});

test.each(TRIES)('a sale is recorded in the lead that an earlier try created: %j', async (how) => {
	const body = {
		event: 'PURCHASE_APPROVED',
		version: '2.0.0',
		data: {
			product: { id: 1 },
			buyer: { name: 'Ana Souza', email: 'ana@example.com' },
			purchase: {
				approved_date: 1755543671489,
				price: { value: 287, currency_value: 'BRL' },
				status: 'APPROVED',
				transaction: 'HP1',
			},
		},
	};
	const sale = { specifySale: 'webhook', ifNoLead: 'create', checkoutBody: JSON.stringify(body) };
	lab.sandbox.controls.fault(unavailable(5));
	const { error } = await lab.engine.run(called('lead.recordSale', sale), how);
	expect(error).toBeUndefined();
	const lead = lab.sandbox.store.leadByExternalId('ana@example.com');
	expect(lead).toMatchObject({ estimatedValue: 287, status: 'closed_won' });
});

test.each(TRIES)('a message is logged although the answer to its link is lost: %j', async (how) => {
	lab.sandbox.controls.createLead({ protocol: 'ML-AA11-BB22' });
	// The first POST asks for the code, the second one links.
	lab.sandbox.controls.fault(unavailable(1));
	const payload = JSON.stringify(evolution('5511987654321', 'Oi ML-AA11-BB22'));
	const { error } = await lab.engine.run(called('message.logFromWhatsApp', { payload }), how);
	expect(error).toBeUndefined();
	const logged = writes(lab.sandbox).filter(({ path }) => path.endsWith('/messages'));
	expect(logged).toHaveLength(1);
});

describe('an empty answer to a lead with a tracking code', () => {
	const upsert = (parameters: IDataObject) => called('lead.upsert', parameters);
	beforeEach(() => {
		const { controls } = lab.sandbox;
		controls.createLead({ externalId: 'crm-a', protocol: 'ML-AA11-BB22' });
		controls.variant({ status: 204 });
	});

	test('is not taken for that of the external ID, nor gets that lead the note', async () => {
		const { id } = lab.sandbox.controls.createLead({ externalId: 'crm-b' });
		const columns = upsert({ specifyLead: 'columns', options: { noteColumns: true } });
		const row = { Protocolo: 'ML-AA11-BB22', 'External ID': 'crm-b', Loja: 'Centro' };
		const { items } = await lab.engine.run(columns, { input: [row] });
		expect(items[0].json.id).not.toBe(id);
		expect(items[0].json.differences).toMatch(/were not noted/);
		expect(writes(lab.sandbox).map(({ path }) => path)).toEqual(['/leads']);
	});
});

test('what may have been recorded and cannot be read is said to be so', async () => {
	lab.sandbox.controls.variant({ status: 204 });
	lab.sandbox.controls.fault({ kind: 'status', status: 500, times: 90, match: { method: 'GET' } });
	const { error } = await lab.engine.run(called('lead.upsert', { externalId: 'new' }));
	expect(error?.message).toMatch(/may have been recorded and could not be read/);
});

test('a tag that another execution adds meanwhile stays', async () => {
	const { store, controls } = lab.sandbox;
	const { id: contactId } = store.createContact({ email: 'ana@example.com', name: 'Ana' });
	const { id } = controls.createLead({ contactId, tags: ['old'] });
	let isLed = () => {};
	const led = new Promise<void>((resolve) => (isLed = resolve));
	controls.fault({
		kind: 'slow',
		when: 'later',
		ms: 1500,
		match: { method: 'PUT', path: 'leads/' },
	});
	const input = [{ Nome: 'Ana', Email: 'ana@example.com', Tags: 'one' }];
	const upsert = lab.engine.run(called('lead.upsert', { specifyLead: 'columns' }), { input });
	const watch = setInterval(() => {
		if (controls.requests().some(({ method }) => method === 'PUT')) isLed();
	}, 5);
	await Promise.race([led, upsert]);
	clearInterval(watch);
	await lab.engine.run(called('lead.addTags', { leadId: by('id', id), tags: 'two' }));
	await upsert;
	expect([...(store.leads.get(id)?.tags ?? [])].sort()).toEqual(['old', 'one', 'two']);
});

test('two items that an email and a phone lead to one lead add their tags to it', async () => {
	const { store, controls } = lab.sandbox;
	const ana = { email: 'ana@example.com', phone: '+5511987654321' };
	const { id: contactId } = store.createContact(ana);
	const { id } = controls.createLead({ contactId, tags: ['old'] });
	const input = [
		{ Email: ana.email, Tags: 'one' },
		{ Telefone: ana.phone, Tags: 'two' },
	];
	await lab.engine.run(called('lead.upsert', { specifyLead: 'columns' }), { input });
	expect([...(store.leads.get(id)?.tags ?? [])].sort()).toEqual(['old', 'one', 'two']);
});

test('notes that another execution writes meanwhile are named where they are replaced', async () => {
	const { store, controls } = lab.sandbox;
	const ana = { email: 'ana@example.com', phone: '+5511987654321' };
	controls.createLead({ externalId: 'crm-1', contactId: store.createContact(ana).id });
	controls.fault({ kind: 'slow', when: 'later', ms: 300, match: { method: 'POST' } });
	const rows = [
		{ Email: ana.email, Notas: 'first' },
		{ Telefone: ana.phone, Notas: 'second' },
	];
	const run = async (row: IDataObject) =>
		await lab.engine.run(called('lead.upsert', { specifyLead: 'columns' }), { input: [row] });
	const ran = await Promise.all(rows.map(run));
	expect(ran.map(({ items }) => items[0].json.differences)).toContain(
		'The notes were replaced. Before: "first".',
	);
});
