/** What was written against what came back: every other value is stated, and nothing that means the same. */
import type { ServiceRecord } from '../../nodes/IntegrationLeads/values/json';
import {
	hiddenIn,
	noteDifferences,
	remarkReplaced,
} from '../../nodes/IntegrationLeads/contract/differences';

/** The differences and hints after a write with this body. */
function after(sent: ServiceRecord, record: ServiceRecord) {
	const hints = new Set<string>();
	const differences = noteDifferences(sent, record, hints, true);
	return { differences, hints: [...hints] };
}

const SOLD = '2026-01-31T13:00:00.000Z';
const LATER = '2026-01-31T13:00:01.000Z';
const person = (fields: object) => ({ contact: { id: 'c', ...fields } });
const contact = (fields: object) => ({ contact: fields });
const [phone, other] = ['+5511988880001', '+5521988880001'];

describe('the same', () => {
	test.each<[what: string, sent: object, shown: object]>([
		['what is not shown', { notes: 'a', ...contact({ phone }) }, person({ name: 'A' })],
		['an email in another case', contact({ email: 'A@b.co' }), person({ email: 'a@B.co' })],
		['a hidden email', contact({ email: 'ana@b.co' }), person({ email: 'a**@b.co' })],
		['a phone as written', contact({ phone }), person({ phone: '(11) 98888-0001' })],
		['a phone without the 9', contact({ phone }), person({ phone: '+551188880001' })],
		['an outcome under status', { status: 'open' }, { status: 'created' }],
		['an amount as text', { estimatedValue: 1500.5 }, { estimatedValue: '1500.50' }],
		['another zone', { saleDate: SOLD }, { saleDate: '2026-01-31T10:00:00-03:00' }],
		['cut to seconds', { saleDate: SOLD.replace('.000', '.999') }, { saleDate: SOLD }],
		['the order of tags, and more of them', { tags: ['a', 'b'] }, { tags: ['b', 'c', 'a'] }],
		['tags as records', { tags: ['VIP'] }, { tags: [{ id: 't', name: 'vip' }] }],
		['line breaks and outer spaces', { notes: ' a\r\nb ' }, { notes: 'a\nb' }],
		['the fallback of a protocol', { externalId: 'a', protocol: 'ML-1' }, { externalId: 'b' }],
		['a setting', { createContactIfNotFound: false }, { createContactIfNotFound: true }],
		['the ID of the contact', { contactId: 'c' }, person({})],
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
		[{ contactId: 'c' }, { contactId: 'd', contact: { id: 'c' } }, 'Contact ID is "d", not "c".'],
		[{ estimatedValue: 1.55 }, { estimatedValue: 1 }, 'Estimated Value is "1", not "1.55".'],
		[{ saleDate: SOLD }, { saleDate: '7' }, `Sale Date is "7", not "${SOLD}".`],
		[{ saleDate: SOLD }, { saleDate: LATER }, `Sale Date is "${LATER}", not "${SOLD}".`],
		[{ notes: `${x50}${x50}` }, { notes: x50 }, `Notes is "${x50}", not "${x50}xxxxxxxxxx…".`],
		[{ externalId: 'e-1' }, { externalId: 'e-2' }, 'External ID is "e-2", not "e-1".'],
		[{ tags: ['a', 'b'] }, { tags: ['a'] }, 'Tags is "a", not "a, b".'],
		[{ notes: '' }, { notes: 'a' }, 'Notes is "a", not empty.'],
		[{ a: 'A', b: 'a' }, { a: 'B', b: 'b' }, 'A is "B", not "A". B is "b", not "a".'],
	])('%j is %j', (sent, shown, text) => {
		expect(after({ ...sent }, { ...shown }).differences).toBe(text);
	});
});

test('what is not shown is known', () => {
	const sent = { externalId: 'a', protocol: 'ML-1', notes: 'n', ...contact({ name: 'A', phone }) };
	expect(hiddenIn(sent, person({ name: 'A' }))).toEqual(['Notes', 'Contact Phone']);
	expect(hiddenIn({ contactId: 'c' }, person({}))).toEqual([]);
});

describe('a lead that was won', () => {
	test.each<[sent: object, existing: object, text: string | undefined]>([
		[
			{ estimatedValue: 5 },
			{ status: 'closed_won' },
			'The lead was won: its value is now "5" (the service does not show what it was).',
		],
		[{ status: 'Won', tags: ['a'] }, { status: 'Venda ganha', tags: [] }, undefined],
		[{ status: 'open' }, { status: 'Ganado', saleDate: null }, expect.stringMatching(/"Ganado"/)],
		[{ status: 'open' }, { status: 'Perdido' }, undefined],
	])('%j of %j', (sent, existing, text) => {
		const hints = new Set<string>();
		expect(remarkReplaced({ ...sent }, { ...existing }, hints)).toEqual(text);
		// What is not known is no reason to look at the whole run.
		expect(hints.size).toBe(text === undefined || 'estimatedValue' in sent ? 0 : 1);
	});
});
