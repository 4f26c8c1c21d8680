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

const limit = 'limit: number, 50';
const fact = { leads: { [limit]: ['lead.getAll', 'tag.getAll'] } };
const gone = ['leads lead.getAll limit: number, 50', 'leads tag.getAll limit: number, 50'];
test.each<[string, Facts, string[]]>([
	['nothing', fact, []],
	['a new operation', { leads: { [limit]: ['lead.getAll', 'new', 'tag.getAll'] } }, []],
	['a new parameter', { leads: { ...fact.leads, 'new: string, ""': [''] } }, []],
	['a parameter of one operation', { leads: { [limit]: ['lead.getAll'] } }, [gone[1]]],
	['another default', { leads: { 'limit: number, 9': ['lead.getAll', 'tag.getAll'] } }, gone],
	['a node that is gone', {}, gone],
])('%s is reported as it should be', (_, current, expected) => {
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
