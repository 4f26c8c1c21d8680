/** What an upsert says to have happened: only what the answer shows. */
import { upsertOutcome } from '../../nodes/IntegrationLeads/contract/upsertOutcome';

const ML = 'ML-AB12-CD34';
const SENT = Date.parse('2026-03-02T12:00:00.000Z');
const before = (seconds: number) => new Date(SENT - seconds * 1000).toISOString();

type Row = [what: string, sent: object, answered: object | undefined, status: number, is: object];

test.each<Row>([
	['201', { externalId: 'a' }, { externalId: 'a' }, 201, { created: true }],
	['201 without a body', { externalId: 'a' }, undefined, 201, { created: true }],
	['200', { externalId: 'a' }, { externalId: 'a' }, 200, {}],
	['204', { externalId: 'a' }, undefined, 204, {}],
	['a flag', { externalId: 'a' }, { created: true }, 200, { created: true }],
	['a flag against 201', { externalId: 'a' }, { created: false }, 201, { created: false }],
	['an update', { externalId: 'a' }, { updated: true }, 201, { created: false }],
	['a word', { externalId: 'a' }, { result: 'created' }, 200, { created: true }],
	['another word', { externalId: 'a' }, { action: 'updated' }, 200, { created: false }],
	['words that are not of an outcome', { externalId: 'a' }, { status: 'created' }, 200, {}],
	['a time named created', { externalId: 'a' }, { created: before(0) }, 200, {}],
	['a new lead', { externalId: 'a' }, { createdAt: before(59) }, 200, {}],
	['a new lead and 201', { externalId: 'a' }, { createdAt: before(59) }, 201, { created: true }],
	['an old lead', { externalId: 'a' }, { createdAt: before(61) }, 200, { created: false }],
	['an old lead and 201', { externalId: 'a' }, { createdAt: before(61) }, 201, { created: false }],
	['another ID, no code', { externalId: 'a' }, { externalId: 'A-1' }, 200, {}],
])('without a code: %s', (_, sent, answered, status, is) => {
	expect(upsertOutcome({ ...sent }, answered && { ...answered }, { status, sentAt: SENT })).toEqual(
		is,
	);
});

test.each<Row>([
	['alone, it found a lead (rule 1)', {}, { id: '1' }, 200, { created: false, linked: true }],
	['alone, whatever the status', {}, undefined, 201, { created: false, linked: true }],
	['alone, but created', {}, { created: true }, 200, { created: true, linked: false }],
	['another lead', { externalId: 'a' }, { externalId: 'b' }, 200, { created: false, linked: true }],
	[
		'a lead without ID',
		{ externalId: 'a' },
		{ externalId: null },
		200,
		{ created: false, linked: true },
	],
	['the same ID', { externalId: 'a' }, { externalId: 'a' }, 200, {}],
	['the same ID, trimmed', { externalId: ' A ' }, { externalId: 'a' }, 200, {}],
	['the same ID, a number', { externalId: '7' }, { externalId: 7 }, 200, {}],
	['an ID that is not stated', { externalId: 'a' }, { id: '1' }, 200, {}],
	[
		'a created lead',
		{ externalId: 'a' },
		{ externalId: 'a' },
		201,
		{ created: true, linked: false },
	],
	['a flag', { externalId: 'a' }, { linked: false }, 200, { linked: false }],
	[
		'a flag against the ID',
		{ externalId: 'a' },
		{ externalId: 'b', linked: false },
		200,
		{ linked: false },
	],
	['a word', { externalId: 'a' }, { result: 'linked' }, 200, { created: false, linked: true }],
	['an update of either', { externalId: 'a' }, { result: 'updated' }, 200, { created: false }],
])('with a code: %s', (_, sent, answered, status, is) => {
	const found = upsertOutcome({ ...sent, protocol: ML }, answered && { ...answered }, { status });
	expect(found).toEqual({ ...is, sentProtocol: ML });
});
