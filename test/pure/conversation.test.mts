/** Which conversation of a lead is open, and which of several is the newest. */
import { isOpen, newestConversation } from '../../nodes/IntegrationLeads/contract/openConversation';

const at = '2026-03-01T10:00:00.000Z';

const WORDS = 'closed RESOLVED finished completed archived ended'.split(' ');
const TIMES = 'closedAt endedAt finishedAt archivedAt resolvedAt'.split(' ');
const CLOSED = [
	...WORDS.map((status) => ({ status })),
	...TIMES.map((time) => ({ [time]: at })),
	...[{ state: 'ended' }, { archivedAt: 1772359200 }, { status: 'open', closedAt: at }],
	...[{ closed: true }, { isClosed: 'True' }, { open: false }, { isOpen: 'false' }],
];
const OPEN = [
	...[{}, { status: 'open' }, { status: 'waiting' }, { title: 'closed' }, { closedAt: '' }],
	// Not the state of the conversation.
	...[{ status: { name: 'closed' } }, { status: 'not closed' }, { status: null, closedAt: null }],
	...[
		{ closed: false, isClosed: null },
		{ open: true, isOpen: '' },
	],
];
test.each([
	...CLOSED.map((fields) => [fields, false] as const),
	...OPEN.map((fields) => [fields, true] as const),
])('that %j is open is %s', (fields, expected) => {
	expect(isOpen({ id: 'c', ...fields })).toBe(expected);
});

test.each<[string, Array<{ createdAt?: unknown }>, number | undefined]>([
	['there is none', [], undefined],
	['it is the only one, without a time', [{}], 0],
	['it is first in the list', [{ createdAt: at }, { createdAt: '2026-02-28T23:00:00Z' }], 0],
	['it is last in the list', [{ createdAt: '2026-02-28T23:00:00Z' }, { createdAt: at }], 1],
	['times have time zones', [{ createdAt: at }, { createdAt: '2026-03-01T09:00:00-03:00' }], 1],
	['one has no time', [{ createdAt: at }, {}], undefined],
	['none has a time', [{}, {}], undefined],
	['two are equally new', [{ createdAt: at }, { createdAt: at }], undefined],
])('the newest conversation when %s', (_, conversations, expected) => {
	expect(newestConversation(conversations)).toBe(
		expected === undefined ? undefined : conversations[expected],
	);
});
