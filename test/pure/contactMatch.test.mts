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
		['by a second phone', { phone: other, phones: [other, phone] }],
		['by its mobile', { phone: other, mobile: phone }],
		...['cell', 'nr_celular', 'fone', 'movil', 'móvil', 'Tel', 'whatsapp', 'msisdn'].map(
			(name): Row => [`by its ${name}`, { [name]: phone }],
		),
		['by its WhatsApp ID', { whatsAppId: phone, phone: other }],
		['by its phone at work', { work_phone: phone, phone: other }],
		['in attributes', { additional_attributes: { Phone2: phone }, phone: other }],
		['by its JID', { jid: '5511987654321@s.whatsapp.net' }],
		...[{ name: 'Work' }, { label: 'Celular 2' }, { title: 'WhatsApp' }, { id: 7 }].map(
			(custom): Row => [
				`in a custom field ${JSON.stringify(custom)}`,
				{ phone: other, customFields: [{ ...custom, value: phone }] },
			],
		),
		['in parts', { phones: [{ label: 'work', number: '11 98765-4321' }], phone: other }],
		['deep', { phones: { a: [{ b: [{ c: phone }] }] } }],
		['with another after a slash', { phone: `${phone} / ${other}` }],
		['with another after a +', { phone: `${other} ${phone}` }],
		...[', ', ';', '|', '\n', ' e ', ' OU ', ' or ', ' and '].map(
			(between): Row => [
				`with another before "${between}"`,
				{ phone: `11 3000-0001${between}11 98765-4321` },
			],
		),
		['after a number of seven digits', { phone: '300-0001 / 11 98765-4321' }],
		['after a number of eight digits', { phone: '3000-0001/11 98765-4321' }],
		['with a slash after the area code', { phone: '11/98765-4321' }],
		...[
			' ramal 12',
			', ext. 12',
			' extension: 123456',
			' (extensão 1)',
			';extensión=1',
			' EXTN 1',
			' anexo 1 ',
			' x1',
			'#12',
		].map((extension): Row => [`with "${extension}"`, { phone: `(11) 98765-4321${extension}` }]),
		['in wide characters', { phone: '\uff0b\uff15\uff1511987654321' }],
		['at the beginning of a long text', { phone: `${phone}/${'1/'.repeat(100_000)}` }],
	])('%s', (_, record) => {
		expect(contactHas({ id: 'c', ...record }, 'phone', phone, 'found')).toBe(true);
	});

	it.each([
		['+5491112345678', '+541112345678'],
		['+541112345678', '91112345678'],
		['+5215512345678', '+525512345678'],
		['+55 11 3000-0001 ramal 12', other],
		['+551130000001', '(11) 3000-0001'],
		['+353 (0)1 000 0001', '+35310000001'],
		['+390612345678', '+39 (0)6 12345678'],
		['+65 61234567', '+65 (0)61234567'],
		['12345678', '+65 12345678'],
	])('%s is %s', (asked, stated) => {
		expect(contactHas({ phone: stated }, 'phone', asked, 'found')).toBe(true);
	});
});

it.each<Row>([
	['one digit differs', { phone: '+5511987654322' }],
	['another area', { phone: '+55 21/98765-4321' }],
	['another extension does not count', { phone: `${other} ext 12` }],
	['two others', { phones: ['+351912345678', 14155550100] }],
	['one of eight digits', { phone: '3000-0001' }],
	['the owner has it', { phone: other, owner: { phone } }],
	['the company has it', { phone: other, organisation: { phone }, company: [{ phone }] }],
	['the creator has it', { phone: other, createdBy: { phone }, updatedBy: { phone } }],
	['others have it', { phone: other, agent: { phone }, user: { phone }, seller: { phone } }],
	['the author has it', { phone: other, author: { phone }, manager: { phone } }],
	['the responsible has it', { phone: other, responsible: { phone }, assignee: { phone } }],
	['a referrer has it', { phone: other, referrer: { phone }, organization: { phone } }],
	['the company has it in a field beside', { phone: other, companyPhone: phone }],
	['an emergency contact has it', { phone: other, emergencyContactPhone: phone }],
	['a parent has it', { phone: other, parentPhone: phone, guardian_phone: phone }],
	['a spouse has it', { phone: other, spouse: { phone }, emergency_contact: { phone } }],
	...['emergencyContactPhone', 'Spouse', 'Telefone do responsável', 'parent phone', 'Guardian'].map(
		(name): Row => [
			`it is in the custom field ${name}`,
			{
				phone: other,
				customFields: [
					{ name, value: phone },
					{ label: name, value: phone },
				],
			},
		],
	),
	['it is in a note', { phone: other, notes: phone, list: [phone], nested: { text: phone } }],
	['it is too deep', { phone: other, a: { b: { c: { d: { e: { f: { phone } } } } } } }],
	['it is far behind in a text', { phone: other, phones2: `${'x'.repeat(400)} ${phone}` }],
	['a blank one beside it', { phone: other, phones: ['', ' '] }],
	['it is too deep in lists', { phone: other, phones: [[[[[[[phone]]]]]]] }],
	['a label and a slash before it', { phone: 'casa / 11 3000-0001' }],
	['spaces', { phone: '11 3000 0001' }],
	['fifteen digits', { phone: '123456789012345' }],
	['en dashes', { phone: '11\u20133000\u20130001' }],
])('a contact with another phone is refused: %s', (_, record) => {
	expect(contactHas({ id: 'x', ...record }, 'phone', phone, 'found')).toBe(false);
});

it.each<Row>([
	['none', {}],
	['null', { phone: null }],
	['blank', { phone: ' ', phones: [] }],
	['a word', { phone: 'unknown' }],
	['hidden in part', { phone: '+55 11 *****-4321' }],
	['two in one field', { phone: '11 3000-0001 / 3000-0002' }],
	['another mobile only', { mobile: '+351912345678' }],
	['too short', { phone: '3000-000' }],
	['too long', { phone: '1234567890123456' }],
	['numbered', { phone: '#1 11 98765-4321' }],
	['one plain, one not', { phones: [other, 'ask'] }],
	['a 0 of seven digits', { phone: 0 }],
])('a contact without a plain phone is undecided: %s', (_, record) => {
	expect(contactHas({ id: 'c', ...record }, 'phone', phone, 'found')).toBeUndefined();
});

describe('emails', () => {
	const email = 'a@example.com';

	it.each<[boolean | undefined, string, Record<string, unknown>]>([
		[true, 'the same', { email }],
		[true, 'in capitals', { email: ' A@Example.com ' }],
		[true, 'a second one', { email: 'b@example.com', secondaryEmail: email }],
		[true, 'one of two', { email: 'b@example.com; a@example.com' }],
		[true, 'after a name', { email: 'Contact A <a@example.com>' }],
		[true, 'in quotes', { email: '"a@example.com"' }],
		[true, 'in a link', { email: 'MAILTO:a@example.com' }],
		[true, 'in a link after text', { email: 'to:mailto:a@example.com' }],
		[true, 'in a list', { emails: [{ value: email }] }],
		[true, 'after a bar, a slash or an apostrophe', { email: "x|y/'a@example.com'" }],
		[false, 'another', { email: 'b@x.com' }],
		[false, 'another, with a name', { email: 'B <b@x.com>' }],
		[false, 'that of the owner', { email: 'b@x.com', ownerEmail: email }],
		[false, 'that of another', { email: 'b@x.com', assignedToEmail: email, companyEmail: email }],
		[undefined, 'that of the owner, and no other', { ownerEmail: email }],
		[false, 'the phone field has it', { email: 'b@x.com', phone: email }],
		[false, 'far behind', { email: `b@x.com ${'x'.repeat(400)} ${email}` }],
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

	it('with marks of their own', () => {
		const odd = "o'neil/x@example.com";
		expect(contactHas({ email: odd }, 'email', odd, 'found')).toBe(true);
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
