/** What became of one lead of a batch: what the answer states, what the service has, and what is output as unconfirmed. */
import {
	compareStored,
	outcomeOfLead,
	type StoredLead,
} from '../../nodes/IntegrationLeads/push/leadOutcome';

const record = { id: '1', externalId: 'a', name: 'Ana' };
const STORED: Record<StoredLead['kind'], StoredLead> = {
	confirmed: { kind: 'confirmed', record },
	different: { kind: 'different', reason: 'It has other values.' },
	hidden: { kind: 'hidden', reason: 'It does not show Notes.' },
	ambiguous: { kind: 'ambiguous', reason: 'It has several IDs.' },
	missing: { kind: 'missing', reason: 'There is none.' },
};
type Facts = Parameters<typeof outcomeOfLead>[2];

const facts: Facts = {
	failed: false,
	isSentBefore: false,
	isAcceptedOnly: false,
	isToRead: true,
};

type Statement = Parameters<typeof outcomeOfLead>[0];

test.each<[Statement, StoredLead['kind'] | 'unread', Partial<Facts>, string]>([
	['recorded', 'unread', {}, 'recorded'],
	['recorded', 'missing', {}, 'recorded'],
	['unclear', 'confirmed', {}, 'recorded'],
	['unclear', 'different', {}, 'unclear'],
	['unclear', 'hidden', {}, 'unclear'],
	['unclear', 'missing', {}, 'unclear'],
	['unclear', 'ambiguous', {}, 'unclear'],
	['nothing', 'ambiguous', {}, 'unclear'],
	['unclear', 'unread', {}, 'unclear'],
	['unclear', 'unread', { isToRead: false }, 'unconfirmed'],
	['unclear', 'unread', { isToRead: false, failed: true }, 'refused'],
	['nothing', 'unread', {}, 'unconfirmed'],
	['nothing', 'missing', {}, 'unclear'],
	['nothing', 'missing', { isAcceptedOnly: true }, 'unconfirmed'],
	['nothing', 'confirmed', {}, 'recorded'],
	['refused', 'unread', {}, 'refused'],
	['refused', 'unread', { failed: true }, 'refused'],
	// An earlier attempt, whose answer was lost, may have recorded it.
	['unclear', 'unread', { failed: true, isSentBefore: true }, 'unclear'],
	['unclear', 'confirmed', { failed: true, isSentBefore: true }, 'recorded'],
	['unclear', 'hidden', { failed: true, isSentBefore: true }, 'unclear'],
	['unclear', 'missing', { failed: true, isSentBefore: true }, 'refused'],
	['unclear', 'different', { failed: true, isSentBefore: true }, 'refused'],
	['refused', 'unread', { failed: true, isSentBefore: true }, 'refused'],
])('%s, stored: %s, %j: %s', (statement, kind, more, expected) => {
	const stored = kind === 'unread' ? undefined : STORED[kind];
	const outcome = outcomeOfLead(statement, stored, { ...facts, ...more });
	expect(outcome.kind).toBe(expected);
});

test('a request that was refused is not this lead', () => {
	const refused = outcomeOfLead('unclear', undefined, {
		...facts,
		failed: true,
	});
	expect(refused).toEqual({ kind: 'refused', isOfRequest: true });
});

const createdAt = '2026-01-31T12:00:00.000Z';
const [sentAt] = [Date.parse(createdAt)];
test.each<
	[sent: object, record: object | null, since: number | undefined, kind: StoredLead['kind']]
>([
	[{ name: 'Ana' }, null, sentAt, 'missing'],
	[{ name: 'Ana' }, { name: 'Bia', createdAt }, sentAt - 1000, 'confirmed'],
	[{ name: 'Ana' }, { name: 'Bia', createdAt }, undefined, 'different'],
	// Another client may have created it within the second of the request.
	[{ name: 'Ana' }, { name: 'Bia', createdAt }, sentAt, 'different'],
	[{ name: 'Ana' }, { name: 'Bia', createdAt }, sentAt + 500, 'different'],
	[{ name: 'Ana', notes: 'x' }, { name: 'Ana', createdAt }, sentAt, 'confirmed'],
	[{ name: 'Ana' }, { name: 'Ana', createdAt }, sentAt + 1e6, 'confirmed'],
	[{ name: 'Ana', notes: 'x' }, { name: 'Ana', createdAt }, sentAt + 1e6, 'hidden'],
])('of %j, %j is stored, sent at %d: %s', (sent, record, since, kind) => {
	expect(compareStored({ ...sent }, record && { ...record }, since).kind).toBe(kind);
});
