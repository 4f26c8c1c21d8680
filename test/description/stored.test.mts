/** A workflow saved with a released version works with this one: nothing that it relies on is gone or changed. */
import { version } from '../../package.json';
import { evaluate } from '../helpers/script.mts';
import stored from './stored.json';

type Facts = Record<string, Record<string, string[]>>;

const missing = (released: Facts, current?: Facts) =>
	evaluate(
		'stored.mjs',
		['missingFacts', 'storedFacts'],
		`missingFacts(${JSON.stringify(released)}, ${current ? JSON.stringify(current) : 'storedFacts()'})`,
	);

test('every parameter, stored value, default and output field of the released version is there', () => {
	expect(missing(stored.facts)).toEqual([]);
});

test('the list is of this version: `npm run stored` writes it for a new one', () => {
	expect(stored.version).toBe(version);
});

const fact = { leads: { 'limit: number, 50': ['lead.getAll', 'tag.getAll'] } };
test.each([
	['nothing', fact, []],
	['a new operation', { leads: { 'limit: number, 50': ['lead.getAll', 'new', 'tag.getAll'] } }, []],
	['a new parameter', { leads: { ...fact.leads, 'new: string, ""': [''] } }, []],
	[
		'a parameter of one operation that is gone',
		{ leads: { 'limit: number, 50': ['lead.getAll'] } },
		['leads tag.getAll limit: number, 50'],
	],
	[
		'another default',
		{ leads: { 'limit: number, 9': ['lead.getAll', 'tag.getAll'] } },
		['leads lead.getAll limit: number, 50', 'leads tag.getAll limit: number, 50'],
	],
	[
		'a node that is gone',
		{},
		['leads lead.getAll limit: number, 50', 'leads tag.getAll limit: number, 50'],
	],
])('%s is reported as it should be', (_, current: Facts, expected) => {
	expect(missing(fact, current)).toEqual(expected);
});

test.each([
	['resource = "lead"', ''],
	['operation = "upsert"', 'lead'],
	['version 1', ''],
	['additionalFields.status = "closed_won"', 'lead.upsert'],
	['leadId by emailOrPhone', 'lead.get'],
	['output contactId', 'lead.getAll'],
])('the list has %s of %s', (each, place) => {
	expect((stored.facts as Facts).integrationLeads[each]).toContain(place);
});
