/** Whose record it is: what is known of both sides, and what is decided from it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	decidePerson,
	isDecidedByRest,
	matchPerson,
	mayFill,
	type PersonFacts,
	type PersonMatch,
} from '../../nodes/IntegrationLeads/contract/samePerson';

const ANA = {
	name: 'Ana Souza',
	email: 'ana@example.com',
	phone: '+5511911111111',
	externalId: 'crm-1',
};

const BIA = { name: 'Bia', email: 'bia@example.com', phone: '+5511922222222', externalId: 'crm-2' };

const valuesOf = (facts: PersonFacts, ...names: string[]) =>
	Object.fromEntries(names.map((name) => [name, facts[name]]));
const ana = (...names: string[]) => valuesOf(ANA, ...names);
const bia = (...names: string[]) => valuesOf(BIA, ...names);

test.each<[PersonMatch, PersonFacts]>([
	['same', ana('email')],
	['same', ana('phone')],
	['same', ana('externalId')],
	['same', { ...ana('email'), ...bia('externalId') }],
	['same', { name: 'Dona Ana', ...bia('email', 'phone') }],
	['same', { name: 'Ana Lima' }],
	['unknown', {}],
	['unknown', bia('externalId')],
	['unknown', { ...ana('email'), ...bia('name') }],
	['unknown', { ...ana('phone'), ...bia('name') }],
	['unknown', { ...ana('externalId'), ...bia('name') }],
	['unknown', { ...ana('externalId'), ...bia('email') }],
	['unknown', { ...ana('email'), ...bia('phone') }],
	['other', bia('name')],
	['other', bia('email')],
	['other', bia('phone')],
	['other', bia('name', 'email', 'phone')],
	['other', { ...ana('email'), ...bia('name', 'phone') }],
	['other', { ...ana('phone'), ...bia('name', 'email') }],
	['other', { ...ana('externalId'), ...bia('name', 'email') }],
])('a record of Ana is that of the %s person: %j', (expected, given) => {
	expect(matchPerson(given, ANA)).toBe(expected);
});

test.each<[PersonMatch, PersonFacts, PersonFacts]>([
	// Who has no address is nobody yet.
	['unknown', bia('name'), ana('name')],
	['other', bia('name'), ana('name', 'email')],
	['other', bia('name', 'phone'), ana('name', 'email')],
	['unknown', { ...bia('name', 'phone'), ...ana('email') }, ana('name', 'email')],
	['unknown', bia('phone'), { ...ANA, phone: '+55 11 *****-1111' }],
])('%s: %j, of whom the record shows %j', (expected, given, record) => {
	expect(matchPerson(given, record)).toBe(expected);
});

describe('who writes in WhatsApp', () => {
	const user = 'whatsapp-BR.1';
	const lid = 'whatsapp-lid-1';
	const number = 'whatsapp-5511911111111';
	const masked = '+55 11 *****-1111';

	test.each<[PersonMatch, string[], PersonFacts]>([
		['same', [user, number], { externalId: user, name: 'Bia' }],
		['same', [user, number], { externalId: number }],
		['other', [user, number], { externalId: 'whatsapp-BR.2', phone: ANA.phone }],
		['other', [user, number], { externalId: 'whatsapp-5511922222222', phone: ANA.phone }],
		['other', [user], { externalId: number, name: 'Ana' }],
		['other', [user, number], { externalId: 'whatsapp-lid-2', phone: masked }],
		['same', [number], { externalId: user, phone: ANA.phone, name: 'Bia' }],
		['same', [lid, number], { externalId: user, phone: ANA.phone }],
		['same', [user, number], { externalId: 'crm-1', phone: ANA.phone, name: 'Bia' }],
		['other', [user, number], { externalId: 'crm-1', phone: BIA.phone, name: 'Ana' }],
		['other', [user], { phone: ANA.phone, name: 'Ana' }],
		['other', [user, number], { name: 'Bia', email: BIA.email }],
		['same', [user, number], { name: 'Ana', email: BIA.email }],
		['unknown', [user, number], { name: 'Bia' }],
		['unknown', [user, number], { phone: masked }],
		['unknown', [user, number], {}],
	])('a record is that of the %s person: %j, %j', (expected, chatIds, record) => {
		const phone = chatIds.includes(number) ? ANA.phone : undefined;
		expect(matchPerson({ name: 'Ana', phone, chatIds }, record)).toBe(expected);
	});
});

test('what is done with the record of another person follows from how it was found', () => {
	const found = (['found', 'code', 'messageCode', 'messageNumber'] as const).map((by) => [
		decidePerson(by, ana('email'), ANA),
		decidePerson(by, {}, ANA),
		decidePerson(by, BIA, ANA),
	]);
	expect(found).toEqual([
		['use', 'use', 'refuse'],
		['use', 'use', 'say'],
		['use', 'use', 'leave'],
		['use', 'use', 'say'],
	]);
});

test.each<[boolean, PersonFacts, PersonFacts]>([
	[true, { ...ana('email'), ...bia('name', 'phone') }, ana('name', 'email')],
	[false, ana('name', 'email', 'phone'), ana('name', 'email')],
	[false, { ...ana('email'), ...bia('name', 'phone') }, ANA],
	[false, { ...ana('email'), ...bia('name') }, ana('name', 'email')],
])('the contact is read before the decision: %s', (expected, given, shown) => {
	expect(isDecidedByRest(given, shown)).toBe(expected);
});

describe('the table in docs/guide.md, for a record of Ana', () => {
	const guide = readFileSync(join(__dirname, '../../docs/guide.md'), 'utf8');
	const [, section] = guide.split('## Whose record it is');
	const rows = [
		...section
			.split(/\n## |<!-- persons/)[0]
			.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$/gm),
	]
		.map(([, ...cells]) => cells)
		.slice(2);
	const WORDS: Array<[RegExp, PersonMatch]> = [
		[/^that of the same/, 'same'],
		[/^of an unknown/, 'unknown'],
		[/^another/, 'other'],
	];
	const VALUES = ['same', 'other', 'blank'] as const;
	type Value = (typeof VALUES)[number];
	const cells = VALUES.flatMap((name) =>
		VALUES.flatMap((email) =>
			VALUES.flatMap((phone) => VALUES.map((externalId) => ({ name, email, phone, externalId }))),
		),
	);

	/** The row of the page for a cell. */
	const rowOf = (name: Value, addresses: Value[]) => {
		const [agrees, differs] = [addresses.includes('same'), addresses.includes('other')];
		const named = { same: 'agrees', other: 'differs', blank: 'not given' }[name];
		const fits = (text: string) =>
			({
				any: true,
				'one agrees, none differs': agrees && !differs,
				'one agrees, another differs': agrees && differs,
				'none agrees, one differs': !agrees && differs,
				'one differs': differs,
				'none can be compared': !agrees && !differs,
			})[text];
		return rows.find(([first, second]) => first === named && fits(second));
	};

	test('has seven rows', () => expect(rows).toHaveLength(7));

	test.each(cells)('name $name, email $email, phone $phone, external ID $externalId', (cell) => {
		const given = Object.fromEntries(
			Object.entries(cell).flatMap(([field, value]) =>
				value === 'blank'
					? []
					: [[field, (value === 'same' ? ANA : BIA)[field as keyof typeof ANA]]],
			),
		);
		const found = matchPerson(given, ANA);
		const row = rowOf(cell.name, [cell.email, cell.phone]);
		const hasId = cell.externalId === 'same';
		// Nothing but the external ID, or not even that, can be compared.
		if (!row) return expect(found).toBe(hasId ? 'same' : 'unknown');
		const word = WORDS.find(([words]) => words.test(row[2]))![1];
		const isTrusted = hasId && row[3].includes('With your own external ID, it is used');
		expect(found).toBe(isTrusted ? 'unknown' : word);
	});
});

test.each<[given: PersonFacts, record: PersonFacts, fills: boolean]>([
	[
		{ name: 'Ana', email: 'new@example.com' },
		{ name: 'Ana Souza', email: 'ana@example.com' },
		true,
	],
	[{ email: 'ana@example.com' }, { name: 'Ana Souza', phone: '+5511911111111' }, true],
	[{ name: 'Bia', phone: '+5511911111111' }, { name: 'Ana', phone: '+5511911111111' }, false],
	[
		{ name: 'Bia', email: 'a@example.com', phone: '+5511911111111' },
		{ phone: '+5511922222222' },
		false,
	],
])('whether what is blank is filled, of %j in %j: %s', (given, record, fills) => {
	expect(mayFill(given, record)).toBe(fills);
});
