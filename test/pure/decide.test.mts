/** What is done with a write that may have been carried out already. */
import { createdIn, decide, type Decision } from '../../nodes/IntegrationLeads/contract/outcome';
import type { ServiceRecord } from '../../nodes/IntegrationLeads/values/json';

const lead = { id: 'l-1' };

/** Of a write: when it was first sent, and what was found. Of its request: whether it is repeatable, and listed. */
it.each<[string, number | undefined, ServiceRecord | null | undefined, boolean, boolean, Decision]>(
	[
		['never sent', undefined, undefined, false, false, 'send'],
		['never sent, to a record that was looked up', undefined, lead, false, true, 'send'],
		['an update by PUT', 1, undefined, true, false, 'send'],
		['a create of which a search has found nothing since', 1, null, false, true, 'send'],
		['a create of which a search has found the record since', 1, lead, false, true, 'done'],
		['a link to a lead that was looked up again', 1, lead, false, false, 'send'],
		['a link by a code, without a lead of the external ID', 1, null, false, false, 'refuse'],
		['a create whose records are listed', 1, undefined, false, true, 'lookUp'],
		['a write of which no list tells', 1, undefined, false, false, 'refuse'],
	],
)('%s', (_, firstSentAt, existing, isRepeatable, isListed, decision) => {
	expect(decide({ firstSentAt, existing }, { isRepeatable, isListed })).toBe(decision);
});

describe('the record that a request has created whose answer was lost', () => {
	const SINCE = Date.parse('2026-01-31T12:00:00.000Z');
	const sent = { content: 'Oi' };
	const at = (seconds: number, fields: ServiceRecord = sent): ServiceRecord => ({
		id: `m${seconds}`,
		createdAt: new Date(SINCE + seconds * 1000).toISOString(),
		...fields,
	});
	const other = { content: 'Bom dia' };
	const hidden = { text: 'Oi' };

	// Lost before it was carried out, or after, beside another record from before, from between or from after.
	it.each<[string, ServiceRecord[], string | null | undefined]>([
		['an empty list', [], null],
		['another message, a moment before', [at(-3, other)], null],
		['another message, since then', [at(2, other)], null],
		['an equal message, a moment before', [at(-3)], null],
		['an equal message, long before', [at(-86_400)], null],
		['its own message', [at(1)], 'm1'],
		['two equal messages since then', [at(2), at(1)], 'm1'],
		['its own message, after an equal one', [at(-3), at(1)], 'm1'],
		['its own message, between others', [at(-3, other), at(1), at(2, other)], 'm1'],
		['a message that does not show its content, from before', [at(-3, hidden)], null],
		['a message that does not show its content, since then', [at(1, hidden)], undefined],
		['an equal message without a time', [{ id: 'm', ...sent }], undefined],
		['another message without a time', [{ id: 'm', ...other }], null],
	])('in a list with %s', (_, records, expected) => {
		const found = createdIn(sent, records, SINCE);
		expect(found ? found.id : found).toBe(expected);
	});

	it('is unknown where the service shows no clock', () => {
		expect(createdIn(sent, [at(1)], undefined)).toBeUndefined();
	});
});
