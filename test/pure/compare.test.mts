/** What was written against what came back: every other value is stated, and nothing that means the same. */
import fc from 'fast-check';

import type { ServiceRecord } from '../../nodes/IntegrationLeads/values/json';
import { noteDifferences } from '../../nodes/IntegrationLeads/contract/differences';
import { showContact, showLead } from '../../sandbox/show.mts';
import { Store } from '../../sandbox/store.mts';
import { upsertLead } from '../../sandbox/upsert.mts';

/** The differences and hints after a write with this body. */
function after(sent: ServiceRecord, record: ServiceRecord) {
	const hints = new Set<string>();
	const differences = noteDifferences(sent, record, hints, true);
	return { differences, hints: [...hints] };
}

const SOLD = '2026-01-31T13:00:00.000Z';
const person = (fields: object) => ({ contact: { id: 'c', ...fields } });
const contact = (fields: object) => ({ contact: fields });
const [phone, other] = ['+5511988880001', '+5521988880001'];

describe('the same', () => {
	test.each<[what: string, sent: object, shown: object]>([
		['what is not shown', { notes: 'a', ...contact({ phone }) }, person({ name: 'A' })],
		['a contact in another form', contact({ name: 'A' }), { contact: 'c' }],
		['an email in another case', contact({ email: 'A@b.co' }), person({ email: 'a@B.co' })],
		['a hidden email', contact({ email: 'ana@b.co' }), person({ email: 'a**@b.co' })],
		['a phone as written', contact({ phone }), person({ phone: '(11) 98888-0001' })],
		['a phone without the 9', contact({ phone }), person({ phone: '+551188880001' })],
		['a status in words', { status: 'closed_won' }, { status: 'Closed Won' }],
		['an outcome under status', { status: 'open' }, { status: 'created' }],
		['an amount as text', { estimatedValue: 1500.5 }, { estimatedValue: '1500.50' }],
		['another zone', { saleDate: SOLD }, { saleDate: '2026-01-31T10:00:00-03:00' }],
		['cut to seconds', { saleDate: SOLD.replace('.000', '.999') }, { saleDate: SOLD }],
		['the order of tags, and more of them', { tags: ['a', 'b'] }, { tags: ['b', 'c', 'a'] }],
		['tags as records', { tags: ['VIP'] }, { tags: [{ id: 't', name: 'vip' }] }],
		['a tag without accents', { tags: ['Größe'] }, { tags: ['GROSSE'] }],
		['line breaks and outer spaces', { notes: ' a\r\nb ' }, { notes: 'a\nb' }],
		['the fallback of a protocol', { externalId: 'a', protocol: 'ML-1' }, { externalId: 'b' }],
		['a setting', { createContactIfNotFound: false }, { createContactIfNotFound: true }],
		['the ID of the contact', { contactId: 'c' }, person({})],
		['emptied', { notes: '', saleDate: null }, { notes: null, saleDate: '' }],
		['more in a list in metadata', { m: { a: [{ n: 1 }] } }, { m: { a: [{ n: '1', id: 2 }] } }],
	])('%s', (_, sent, shown) => {
		expect(after({ ...sent }, { ...shown })).toEqual({ differences: undefined, hints: [] });
	});
});

describe('different', () => {
	const x50 = 'x'.repeat(50);
	test.each<[sent: object, shown: object, text: string]>([
		[contact({ name: 'Ana' }), person({ name: 'Bia' }), 'Contact Name is "Bia", not "Ana".'],
		[contact({ email: 'a@b' }), person({ email: null }), 'Contact Email is empty, not "a@b".'],
		[contact({ phone }), person({ phone: other }), `Contact Phone is "${other}", not "${phone}".`],
		[contact({ name: 'Ana' }), { contact: null }, 'Contact is empty, not "{"name":"Ana"}".'],
		[{ contactId: 'c' }, person({ id: 'd' }), 'Contact ID is "d", not "c".'],
		[{ contactId: 'c' }, { contactId: 'd', contact: { id: 'c' } }, 'Contact ID is "d", not "c".'],
		[{ estimatedValue: 1.55 }, { estimatedValue: 1 }, 'Estimated Value is "1", not "1.55".'],
		...[SOLD.replace('Z', '-03:00'), SOLD.replace('0.0', '1.0'), '7'].map(
			(saleDate): [object, object, string] => {
				return [{ saleDate: SOLD }, { saleDate }, `Sale Date is "${saleDate}", not "${SOLD}".`];
			},
		),
		[{ notes: `${x50}${x50}` }, { notes: x50 }, `Notes is "${x50}", not "${x50}xxxxxxxxxx…".`],
		[{ notes: '007' }, { notes: '7' }, 'Notes is "7", not "007".'],
		[{ externalId: 'e-1' }, { externalId: 'e-2' }, 'External ID is "e-2", not "e-1".'],
		[{ tags: ['a', 'b'] }, { tags: ['a'] }, 'Tags is "a", not "a, b".'],
		[{ tags: [] }, { tags: ['a'] }, 'Tags is "a", not empty.'],
		[{ notes: '' }, { notes: 'a' }, 'Notes is "a", not empty.'],
		[{ email: '' }, { email: 'não tem' }, 'Email is "não tem", not empty.'],
		[{ a: 'A', b: 'a' }, { a: 'B', b: 'b' }, 'A is "B", not "A". B is "b", not "a".'],
	])('%j is %j', (sent, shown, text) => {
		expect(after({ ...sent }, { ...shown }).differences).toBe(text);
	});
});

describe('any write', () => {
	const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((each) => each.trim() !== '');
	const local = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9.]{0,5}[a-z0-9]$/);
	// Several dots in a row may stand for characters that are not shown.
	const email = local.map((each) => `${each}@example.com`.replace(/\.+/g, '.'));
	const phone = fc.integer({ min: 900_000_000, max: 999_999_999 }).map((n) => `+5511${n}`);
	const lead = {
		status: text,
		priority: text,
		source: text,
		estimatedValue: fc.float({ min: 0, noNaN: true, noDefaultInfinity: true }).map((n) => n || 1),
		saleDate: fc
			.date({ noInvalidDate: true, min: new Date(0), max: new Date(1e14) })
			.map((date) => new Date(Math.floor(+date / 2000) * 2000).toISOString()),
		notes: text,
		tags: fc.array(text, { minLength: 1 }),
	};
	const contact = { name: text, email, phone };
	const write = fc.record(
		{ ...lead, externalId: fc.constant('e-1'), contact: fc.record(contact, { requiredKeys: [] }) },
		{ requiredKeys: ['externalId'] },
	);
	const parsed = (record: object) => JSON.parse(JSON.stringify(record)) as ServiceRecord;

	/** The lead as the sandbox returns it, with the whole contact. */
	function written(body: ServiceRecord): ServiceRecord {
		const store = new Store(() => Date.parse(SOLD));
		const { lead: made } = upsertLead(store, parsed(body));
		const of = store.contact(made.contactId);
		return parsed({ ...showLead(made, store), contact: of && showContact(of) });
	}

	test('comes back without a difference', () => {
		fc.assert(
			fc.property(write, (body) => {
				expect(after(body, written(body)).differences).toBeUndefined();
			}),
		);
	});
});
