/** Which record is chosen among those that searches have found. */
import { attempt } from 'lodash';

import { listedLead, type Lookup } from '../../nodes/IntegrationLeads/contract/records';
import { choose, type Searched } from '../../nodes/IntegrationLeads/find/choice';

const client = { scrub: (text: string) => text };

/** A search, with the IDs of what it has found. One with a question mark may not have the value. */
const searched = (by: Lookup['by'], ...ids: string[]): Searched => ({
	lookup: { record: listedLead, label: by, by, value: by },
	candidates: ids.map((id) => ({
		record: { id: id.replace('?', '') },
		hasValue: !id.endsWith('?'),
	})),
});

const UNCLEAR = 'It is unclear which lead is meant';

it.each<[what: string, results: Searched[], chosen: string | undefined]>([
	['no record is none', [searched('email'), searched('phone')], undefined],
	['one of an email', [searched('email', 'a')], 'a'],
	['one that may have the phone', [searched('phone', 'a?')], UNCLEAR],
	['several with an email', [searched('email', 'a', 'b')], UNCLEAR],
	['a phone without a record is no error', [searched('email', 'a'), searched('phone')], 'a'],
	['one of both', [searched('email', 'a'), searched('phone', 'a?')], 'a'],
	['two of an email and a phone', [searched('email', 'a'), searched('phone', 'b')], UNCLEAR],
	['an ID decides', [searched('externalId', 'b'), searched('email', 'a', 'b')], 'b'],
	['no ID of another', [searched('externalId', 'c'), searched('email', 'a', 'b')], UNCLEAR],
	[
		'an ID of none',
		[searched('externalId'), searched('email', 'a')],
		'No lead has the external ID',
	],
])('%s', (_, results, expected) => {
	const chosen: unknown = attempt(() => choose(results, {}, client)?.record.id);
	const shown = chosen instanceof Error ? chosen.message : chosen;
	if (chosen instanceof Error) expect(shown).toContain(expected);
	else expect(shown).toBe(expected);
	const orNone: unknown = attempt(() => choose(results, { orNone: true }, client)?.record.id);
	expect(orNone).toBe(chosen instanceof Error ? undefined : chosen);
});

it('none is an error where one is required', () => {
	const results = [searched('email'), searched('phone')];
	expect(() => choose(results, { required: true }, client)).toThrow(
		'No lead has the email "email" or the phone "phone"',
	);
});
