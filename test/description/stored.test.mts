/** A workflow saved with a released version works with this one: nothing that it relies on is gone or changed. */
import { version } from '../../package.json';
import { evaluate } from '../helpers/script.mts';
import stored from './stored.json';

type Facts = Record<string, Record<string, string[]>>;

test('every parameter, stored value, default and output field of the released version is there', () => {
	const expression = `missingFacts(${JSON.stringify(stored.facts)}, storedFacts())`;
	expect(evaluate('stored.mjs', ['missingFacts', 'storedFacts'], expression)).toEqual([]);
});

test('the list is of this version: `npm run stored` writes it for a new one', () => {
	expect(stored.version).toBe(version);
});

const limit = 'limit: number, 50';
const fact = { leads: { [limit]: ['lead.getAll', 'tag.getAll'] } };
const gone = ['leads lead.getAll limit: number, 50', 'leads tag.getAll limit: number, 50'];
const changes: Array<[string, Facts, string[]]> = [
	['nothing', fact, []],
	['a new operation', { leads: { [limit]: ['lead.getAll', 'new', 'tag.getAll'] } }, []],
	['a new parameter', { leads: { ...fact.leads, 'new: string, ""': [''] } }, []],
	['a parameter of one operation', { leads: { [limit]: ['lead.getAll'] } }, [gone[1]]],
	['another default', { leads: { 'limit: number, 9': ['lead.getAll', 'tag.getAll'] } }, gone],
	['a node that is gone', {}, gone],
];
test('what is gone or changed is reported, and what is new is not', () => {
	const of = ([what, current]: (typeof changes)[number]) =>
		`[${JSON.stringify(what)}, missingFacts(${JSON.stringify(fact)}, ${JSON.stringify(current)})]`;
	const found = evaluate('stored.mjs', ['missingFacts'], `[${changes.map(of).join()}]`);
	expect(found).toEqual(changes.map(([what, , expected]) => [what, expected]));
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
