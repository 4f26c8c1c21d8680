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
	const known = { status, sentAt: SENT };
	const outcome = upsertOutcome({ ...sent }, answered && { ...answered }, known);
	expect(outcome).toEqual({ linked: false, ...is });
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

type LookRow = [
	what: string,
	sent: object,
	answered: object | undefined,
	had: object | null,
	is: object,
];

test.each<LookRow>([
	[
		'a lead with the ID',
		{ externalId: 'a' },
		{ id: 1 },
		{ id: '1' },
		{ created: false, linked: false },
	],
	['no lead with the ID', { externalId: 'a' }, undefined, null, { created: true, linked: false }],
	[
		'none, but the one that came back is old',
		{ externalId: 'a' },
		{ createdAt: before(61) },
		null,
		{ created: false, linked: false },
	],
	[
		'none, but the answer says so',
		{ externalId: 'a' },
		{ updated: true },
		null,
		{ created: false, linked: false },
	],
	[
		'the same lead',
		{ externalId: 'a', protocol: ML },
		{ id: '1', externalId: 'a' },
		{ id: '1' },
		{ created: false, linked: false },
	],
	[
		'another lead',
		{ externalId: 'a', protocol: ML },
		{ id: '2' },
		{ id: '1' },
		{ created: false, linked: true },
	],
	[
		'a lead, and none comes back',
		{ externalId: 'a', protocol: ML },
		undefined,
		{ id: '1' },
		{ created: false },
	],
	[
		'none, and an old one was given the ID',
		{ externalId: 'a', protocol: ML },
		{ externalId: 'a', createdAt: before(61) },
		null,
		{ created: false, linked: true },
	],
	[
		'none, and it is not known whether one was',
		{ externalId: 'a', protocol: ML },
		{ externalId: 'a' },
		null,
		{},
	],
])('after a look: %s', (_, sent, answered, existing, is) => {
	const known = { status: 200, sentAt: SENT, existing: existing && { ...existing } };
	expect(upsertOutcome({ ...sent }, answered && { ...answered }, known)).toMatchObject(is);
	const shown = Object.keys(upsertOutcome({ ...sent }, answered && { ...answered }, known));
	expect(shown.filter((name) => name !== 'sentProtocol')).toEqual(Object.keys(is));
});
