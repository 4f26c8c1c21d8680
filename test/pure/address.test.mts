import { contactHas, searchTerms } from '../../nodes/IntegrationLeads/contract/samePerson';

const phone = '+5511987654321';
const email = 'a@example.com';

it.each<[shown: unknown, asked?: string]>([
	[phone],
	['+55 (11) 98765-4321'],
	[5511987654321],
	['551187654321@c.us'],
	['+541112345678', '+5491112345678'],
	['+525512345678', '+5215512345678'],
	['+39 (0)6 12345678', '+390612345678'],
])('the phone %j is the one asked for, in any spelling', (shown, asked = phone) => {
	expect(contactHas({ id: 'c', phone: shown }, 'phone', asked)).toBe(true);
});

it.each<[what: string, phone: unknown]>([
	['one digit differs', '+5511987654322'],
	['one of eight digits', '3000-0001'],
	['en dashes', '11\u20133000\u20130001'],
	['none', null],
	['blank', ''],
])('a contact with another phone, or none, is refused: %s', (_, shown) => {
	expect(contactHas({ id: 'x', phone: shown }, 'phone', phone)).toBe(false);
});

it.each<[what: string, record: object]>([
	['not shown', { mobile: '+351912345678' }],
	['without its country', { phone: '11 98765-4321' }],
	['hidden in part', { phone: '+55 11 *****-4321' }],
	['two in one field', { phone: '11 3000-0001 / 3000-0002' }],
	['too long', { phone: '1234567890123456' }],
	['numbered', { phone: '#1 11 98765-4321' }],
])('a contact without a whole phone is undecided: %s', (_, record) => {
	expect(contactHas({ id: 'c', ...record }, 'phone', phone)).toBeUndefined();
});

it.each<[boolean | undefined, string, Record<string, unknown>]>([
	[true, 'in capitals', { email: ' A@Example.com ' }],
	[true, 'one of two', { email: 'b@example.com; a@example.com' }],
	[true, 'in a link', { email: 'MAILTO:a@example.com' }],
	[false, 'another', { email: 'b@x.com' }],
	[false, 'none', { email: null }],
	[undefined, 'not shown', {}],
	[undefined, 'two others', { email: 'b@x.com, c@x.com' }],
	[undefined, 'hidden by asterisks', { email: 'a***@example.com' }],
	[undefined, 'hidden by dots', { email: 'a..@example.com' }],
	[undefined, 'hidden by bullets', { email: 'a\u2022\u2022@example.com' }],
])('%s: the email is %s', (expected, _, record) => {
	expect(contactHas({ id: 'c', ...record }, 'email', email)).toBe(expected);
});

it('emails are searched as given and in lower case, phones by their end, whole and by their variants', () => {
	expect(searchTerms('email', 'Ana@firma.com')).toEqual(['Ana@firma.com', 'ana@firma.com']);
	expect(searchTerms('email', 'ana@firma.com')).toEqual(['ana@firma.com']);
	expect(searchTerms('phone', phone)).toEqual(['87654321', phone, '+551187654321']);
});
