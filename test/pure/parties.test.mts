/** Of two people in an item, the contact has the values of one: a lead with the name of one and the phone of another is worse than none. */
import fc from 'fast-check';
import { mapKeys, pick, upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { toMappedLead } from '../../nodes/IntegrationLeads/columns/columns';
import { parseConventions } from '../../nodes/IntegrationLeads/values/context';
import { draws } from '../helpers/long.mts';

const PEOPLE = [
	{ name: 'Ana Souza', email: 'ana@example.com', phone: '+5511911111111' },
	{ name: 'Bia Lima', email: 'bia@example.com', phone: '+5521922222222' },
];
type Person = (typeof PEOPLE)[number];

const WORDS =
	'customer aluno guest contact lead user person responsavel vendedor owner billing cadastro venda deal conversation'.split(
		' ',
	);
const CONTAINERS = ['data', 'payload', 'fields', 'properties', 'custom_fields'];
const SPELLINGS: Array<Record<keyof Person, string>> = [
	{ name: 'name', email: 'email', phone: 'phone' },
	{ name: 'Nome', email: 'E-mail corporativo', phone: 'Deixe seu WhatsApp' },
	{ name: 'Nombre', email: 'Correo', phone: 'Celular' },
];

/** The values of a person by the keys of programs or of people, without the email or the phone, or with both. */
type Values = (spelling: number) => Record<string, string>;

/** Where programs put a person. */
const PLACES: Array<(values: Values, word: string, container: string, spelling: number) => object> =
	[
		(values, _, __, spelling) => values(spelling),
		(values, word, _, spelling) => ({ [word]: values(spelling) }),
		(values, _, container, spelling) => ({ [container]: values(spelling) }),
		(values, word, container, spelling) => ({ [container]: { [word]: values(spelling) } }),
		(values, word, container, spelling) => ({ [word]: { [container]: values(spelling) } }),
		(values, word) => mapKeys(values(0), (_, key) => `${word}_${key}`),
		(values, word) => mapKeys(values(0), (_, key) => `${word}${upperFirst(key)}`),
		(values, word) => mapKeys(values(2), (_, key) => `${key} de ${word}`),
		(values, word, _, spelling) => ({ [`${word}s`]: [values(spelling)] }),
		(values, _, __, spelling) => ({
			answers: Object.entries(values(spelling)).map(([question, answer]) => ({ question, answer })),
		}),
	];

const placed = (person: Person) =>
	fc
		.record({
			place: fc.constantFrom(...PLACES),
			word: fc.constantFrom(...WORDS),
			container: fc.constantFrom(...CONTAINERS),
			spelling: fc.nat(SPELLINGS.length - 1),
			fields: fc.constantFrom<Array<keyof Person>>(
				['name', 'email'],
				['name', 'phone'],
				['name', 'email', 'phone'],
			),
		})
		.map(({ place, word, container, spelling, fields }) => {
			const values: Values = (index) =>
				mapKeys(pick(person, fields), (_, field) => SPELLINGS[index][field as keyof Person]);
			return { word, item: place(values, word, container, spelling) };
		});

it('two people never become one', () => {
	fc.assert(
		fc.property(placed(PEOPLE[0]), placed(PEOPLE[1]), (one, other) => {
			const keys = Object.keys(one.item);
			fc.pre(
				one.word !== other.word && Object.keys(other.item).every((key) => !keys.includes(key)),
			);
			const { contact = {} } = toMappedLead(
				{ mappingMode: 'autoMapInputData' },
				{
					...parseConventions('55'),
					label: 'Fields',
					timezone: 'UTC',
					input: { ...one.item, ...other.item } as IDataObject,
				},
			) as { contact?: Partial<Person> };
			const values = Object.values(contact);
			const found = PEOPLE.filter((person) =>
				Object.values(person).some((value) => values.includes(value)),
			);
			expect(found.length).toBeLessThan(2);
		}),
		{ numRuns: draws(1000) },
	);
});
