/** What became of one lead of a batch: what the answer says, what the service holds, and what passes. */
import {
	heldOf,
	verdictOf,
	type BatchFacts,
	type Held,
} from '../../nodes/IntegrationLeads/push/verdict';

const record = { id: '1', externalId: 'a', name: 'Ana' };
const HELD: Record<Held['is'], Held> = {
	new: { is: 'new', record },
	same: { is: 'same', record },
	different: { is: 'different', differences: 'Name is "Bia", not "Ana".' },
	hidden: { is: 'hidden', fields: ['Notes'] },
	shared: { is: 'shared', record },
	missing: { is: 'missing' },
};
const facts: BatchFacts = { failed: false, isAcceptedOnly: false, reads: true };

type States = Parameters<typeof verdictOf>[0];

test.each<[States, Held['is'] | 'unread', Partial<BatchFacts>, string]>([
	['recorded', 'unread', {}, 'recorded'],
	['recorded', 'missing', {}, 'recorded'],
	['unclear', 'new', {}, 'recorded'],
	['unclear', 'same', {}, 'recorded'],
	['unclear', 'different', {}, 'unknown'],
	['unclear', 'hidden', {}, 'unknown'],
	['unclear', 'missing', {}, 'unknown'],
	['unclear', 'shared', {}, 'unknown'],
	['nothing', 'shared', {}, 'unknown'],
	['unclear', 'unread', {}, 'unknown'],
	['unclear', 'unread', { reads: false }, 'passed'],
	['unclear', 'unread', { reads: false, failed: true }, 'refused'],
	['nothing', 'unread', {}, 'passed'],
	['nothing', 'missing', {}, 'unknown'],
	['nothing', 'missing', { isAcceptedOnly: true }, 'passed'],
	['nothing', 'same', {}, 'recorded'],
	['refused', 'unread', {}, 'refused'],
	['refused', 'unread', { failed: true }, 'refused'],
])('%s, held: %s, %j: %s', (states, held, more, is) => {
	const own = held === 'unread' ? undefined : HELD[held];
	const verdict = verdictOf(states, own, { ...facts, ...more });
	expect(verdict.is).toBe(is);
});

test('a request that was refused is not this lead', () => {
	const refused = verdictOf('unclear', undefined, {
		...facts,
		failed: true,
	});
	expect(refused).toEqual({ is: 'refused', isOfRequest: true });
});

const createdAt = '2026-01-31T12:00:00.000Z';
const [sentAt] = [Date.parse(createdAt)];
test.each<[sent: object, found: object | undefined, since: number | undefined, is: Held['is']]>([
	[{ name: 'Ana' }, undefined, sentAt, 'missing'],
	[{ name: 'Ana' }, { name: 'Bia', createdAt }, sentAt - 1000, 'new'],
	[{ name: 'Ana' }, { name: 'Bia', createdAt }, undefined, 'different'],
	// Another client may have created it within the second of the request.
	[{ name: 'Ana' }, { name: 'Bia', createdAt }, sentAt, 'different'],
	[{ name: 'Ana' }, { name: 'Bia', createdAt }, sentAt + 500, 'different'],
	[{ name: 'Ana', notes: 'x' }, { name: 'Ana', createdAt }, sentAt, 'new'],
	[{ name: 'Ana' }, { name: 'Ana', createdAt }, sentAt + 1e6, 'same'],
	[{ name: 'Ana', notes: 'x' }, { name: 'Ana', createdAt }, sentAt + 1e6, 'hidden'],
])('of %j, %j is held since %d: %s', (sent, found, since, is) => {
	expect(heldOf({ ...sent }, found && { ...found }, since).is).toBe(is);
});
