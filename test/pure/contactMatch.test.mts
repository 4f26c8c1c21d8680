import { contactHas, searchTerms } from '../../nodes/IntegrationLeads/contract/contactMatch';

const phone = '+5511987654321';
const other = '+551130000001';

type Row = [what: string, contact: Record<string, unknown>];

describe('a contact has the phone', () => {
	it.each<Row>([
		['as it was asked for', { phone }],
		['in another spelling', { phone: '+55 (11) 98765-4321' }],
		['as a number', { phone: 5511987654321 }],
		['without the 9', { phone: '551187654321@c.us' }],
		['without its country', { phone: '11 98765-4321' }],
		['without its area', { phone: '98765-4321' }],
		['with zeros before it', { phone: '0011987654321' }],
		['in wide characters', { phone: '\uff0b\uff15\uff1511987654321' }],
	])('%s', (_, record) => {
		expect(contactHas({ id: 'c', ...record }, 'phone', phone, 'found')).toBe(true);
	});

	it.each([
		['+5491112345678', '+541112345678'],
		['+541112345678', '91112345678'],
		['+5215512345678', '+525512345678'],
		['+551130000001', '(11) 3000-0001'],
		['+390612345678', '+39 (0)6 12345678'],
		['12345678', '+65 12345678'],
	])('%s is %s', (asked, stated) => {
		expect(contactHas({ phone: stated }, 'phone', asked, 'found')).toBe(true);
	});
});

it.each<Row>([
	['one digit differs', { phone: '+5511987654322' }],
	['another area', { phone: '+55 21 98765-4321' }],
	['one of eight digits', { phone: '3000-0001' }],
	['spaces', { phone: '11 3000 0001' }],
	['fifteen digits', { phone: '123456789012345' }],
	['en dashes', { phone: '11\u20133000\u20130001' }],
])('a contact with another phone is refused: %s', (_, record) => {
	expect(contactHas({ id: 'x', ...record }, 'phone', phone, 'found')).toBe(false);
});

it.each<Row>([
	['none', {}],
	['null', { phone: null }],
	['blank', { phone: ' ' }],
	['a word', { phone: 'unknown' }],
	['hidden in part', { phone: '+55 11 *****-4321' }],
	['two in one field', { phone: '11 3000-0001 / 3000-0002' }],
	['another mobile only', { mobile: '+351912345678' }],
	['too short', { phone: '3000-000' }],
	['too long', { phone: '1234567890123456' }],
	['numbered', { phone: '#1 11 98765-4321' }],
	['a 0 of seven digits', { phone: 0 }],
])('a contact without a plain phone is undecided: %s', (_, record) => {
	expect(contactHas({ id: 'c', ...record }, 'phone', phone, 'found')).toBeUndefined();
});

describe('emails', () => {
	const email = 'a@example.com';

	it.each<[boolean | undefined, string, Record<string, unknown>]>([
		[true, 'the same', { email }],
		[true, 'in capitals', { email: ' A@Example.com ' }],
		[true, 'one of two', { email: 'b@example.com; a@example.com' }],
		[true, 'after a name', { email: 'Contact A <a@example.com>' }],
		[true, 'in a link', { email: 'MAILTO:a@example.com' }],
		[true, 'in a link after text', { email: 'to:mailto:a@example.com' }],
		[false, 'another', { email: 'b@x.com' }],
		[undefined, 'another, with a name', { email: 'B <b@x.com>' }],
		[undefined, 'two others', { email: 'b@x.com, c@x.com' }],
		[undefined, 'none', { email: 'none' }],
		[undefined, 'hidden by asterisks', { email: 'a***@example.com' }],
		[undefined, 'hidden by dots', { email: 'a..@example.com' }],
		[undefined, 'hidden by bullets', { email: 'a\u2022\u2022@example.com' }],
		[undefined, 'hidden by an ellipsis', { email: 'a\u2026@example.com' }],
		[undefined, 'hidden by #', { email: 'a##@example.com' }],
		[undefined, 'null', { email: null }],
	])('%s: %s', (expected, _, record) => {
		expect(contactHas({ id: 'c', ...record }, 'email', email, 'found')).toBe(expected);
	});
});

describe('exactly this phone or email', () => {
	it.each<[boolean | undefined, string, Record<string, unknown>]>([
		[true, 'as it was asked for', { phone }],
		[true, 'in another spelling', { phone: '+55 (11) 98765-4321' }],
		[true, 'without the 9', { phone: '551187654321@c.us' }],
		[undefined, 'without its country', { phone: '11 98765-4321' }],
		[undefined, 'without its area', { phone: '98765-4321' }],
		[false, 'another', { phone: other }],
		[false, 'none', { phone: null }],
		[undefined, 'not shown', { name: 'A' }],
	])('%s: the phone is %s', (expected, _, contact) => {
		expect(contactHas(contact, 'phone', phone, 'whole')).toBe(expected);
	});

	it.each<[boolean | undefined, Record<string, unknown>]>([
		[true, { email: 'Ana@Firma.com' }],
		[false, { email: 'mariana@firma.com' }],
		[undefined, { email: 'a***@firma.com' }],
		[false, { email: null }],
		[undefined, {}],
	])('%s: an email in %j', (expected, contact) => {
		expect(contactHas(contact, 'email', 'ana@firma.com', 'whole')).toBe(expected);
	});
});

it('emails are searched as given and in lower case, phones by their end, whole and by their variants', () => {
	expect(searchTerms('email', 'Ana@firma.com')).toEqual(['Ana@firma.com', 'ana@firma.com']);
	expect(searchTerms('email', 'ana@firma.com')).toEqual(['ana@firma.com']);
	expect(searchTerms('phone', phone)).toEqual(['87654321', phone, '+551187654321']);
});
