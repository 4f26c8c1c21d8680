import { useSandbox } from './client.mts';

const bench = useSandbox({ seed: 0 });
let contactId: string;
let trackedId: string;
let knownId: string;

beforeEach(async () => {
	const { controls, store } = bench.sandbox;
	const contact = { name: 'Contact A', email: 'a@example.com', phone: '+5511 9' };
	contactId = store.createContact(contact).id;
	trackedId = controls.createLead({ protocol: 'ML-AAAA-0001', contactId }).id;
	knownId = controls.createLead({ externalId: 'known', notes: 'kept', tags: ['old'] }).id;
});

const upsert = (body: unknown) => bench.call('POST /leads', body);

/** Of a known contact only. */
const known = { externalId: 'x', createContactIfNotFound: false };

/** What is sent; the status; how many leads and contacts there are more after it. */
test.each<[string, object, status: number, leads: number, contacts: number]>([
	['1: neither protocol nor externalId', { status: 'open' }, 400, 0, 0],
	['1: protocol unknown, no externalId', { protocol: 'ML-NO' }, 400, 0, 0],
	['2: protocol known', { protocol: 'ML-AAAA-0001', externalId: 'x' }, 200, 0, 0],
	['3: protocol unknown, externalId', { protocol: 'ML-NO', externalId: 'x' }, 201, 1, 0],
	['4: no contact named', known, 404, 0, 0],
	['4: contact unknown', { ...known, contact: { email: 'b@example.com' } }, 404, 0, 0],
	['4: lead known, but without a contact', { ...known, externalId: 'known' }, 404, 0, 0],
	['4: contact by e-mail', { ...known, contact: { email: 'A@example.com' } }, 201, 1, 0],
	['4: contact by phone', { ...known, contact: { phone: '+55119' } }, 201, 1, 0],
	['4: contact by id', { ...known, contactId: ':contactId' }, 201, 1, 0],
	['4: contact by protocol', { ...known, protocol: 'ML-AAAA-0001' }, 200, 0, 0],
	['5: externalId known', { externalId: 'known', estimatedValue: 10 }, 200, 0, 0],
	['new contact', { externalId: 'x', contact: { name: 'Contact B' } }, 201, 1, 1],
	['contact id unknown', { externalId: 'x', contactId: 'nobody' }, 404, 0, 0],
	['wrong type', { externalId: 'x', estimatedValue: '10' }, 400, 0, 0],
	['wrong date', { externalId: 'x', saleDate: '2026-02-31T25:00:00Z' }, 400, 0, 0],
	['unknown status and field', { externalId: 'x', status: 'paused', more: 1 }, 201, 1, 0],
])('rule %s', async (_, body, status, leads, contacts) => {
	const { store } = bench.sandbox;
	const before = [store.leads.size, store.contacts.size];
	const sent = JSON.parse(JSON.stringify(body).replace(':contactId', contactId)) as object;
	expect((await upsert(sent)).status).toBe(status);
	expect([store.leads.size, store.contacts.size]).toEqual([
		before[0] + leads,
		before[1] + contacts,
	]);
});

test('a linked lead takes the data, an updated one keeps what was not sent', async () => {
	bench.sandbox.controls.variant({ record: 'named-with-siblings' });
	const linked = await upsert({ protocol: 'ML-AAAA-0001', externalId: 'x', notes: 'linked' });
	expect(linked.body.data).toMatchObject({
		lead: { id: trackedId, externalId: 'x', notes: 'linked', contact: { id: contactId } },
		created: false,
		linked: true,
	});
	const update = { externalId: 'known', saleDate: '2026-01-31T10:00:00Z', tags: ['new'] };
	expect((await upsert(update)).body.data).toMatchObject({
		lead: { id: knownId, saleDate: update.saleDate, notes: 'kept', tags: ['old', 'new'] },
		created: false,
		linked: false,
	});
	const cleared = await upsert({ externalId: 'known', notes: '', saleDate: null });
	expect(cleared.body.data.lead).toMatchObject({ notes: '', saleDate: null });
});

test('the tracking link decides, and takes no externalId that another lead has', async () => {
	bench.sandbox.controls.variant({ record: 'named-with-siblings' });
	const { body } = await upsert({ protocol: 'ML-AAAA-0001', externalId: 'known' });
	expect(body.data).toMatchObject({ lead: { id: trackedId, externalId: null }, linked: true });
});

test('defaults of a new lead (spec part 2)', async () => {
	const { body } = await upsert({ externalId: 'x' });
	expect(body.data).toMatchObject({ status: 'open', priority: 'medium', contact: null, tags: [] });
});
