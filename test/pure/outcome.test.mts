/** What became of a record: only what is shown. */
import { isUndefined, omitBy } from 'lodash';

import { outcomeOf, type Evidence } from '../../nodes/IntegrationLeads/contract/outcome';

const ML = 'ML-AB12-CD34';
const SENT = Date.parse('2026-03-02T12:00:00.000Z');
const before = (seconds: number) => new Date(SENT - seconds * 1000).toISOString();

/** The lead that was sent: with an external ID, with a code, with both. */
const ID = { externalId: 'a' };
const CODE = { protocol: ML };
const BOTH = { ...ID, ...CODE };
const NEW = { created: true, linked: false };
const UPDATED = { created: false, linked: false };
const LINKED = { created: false, linked: true };
const OLD = { createdAt: before(61) };
const YOUNG = { createdAt: before(59) };
const FRESH = { createdAt: before(0) };
/** The status of the answer, or the lead that was found before with the external ID. */
type Known = number | { id: string } | null;

test.each<[what: string, sent: object, answered: object | undefined, known: Known, is: object]>([
	['201', ID, ID, 201, NEW],
	['200', ID, ID, 200, { linked: false }],
	['a flag', ID, { created: true }, 200, NEW],
	['a flag against 201', ID, { created: false }, 201, UPDATED],
	['a word', ID, { result: 'created' }, 200, NEW],
	['a time named created', ID, { created: before(0) }, 200, { linked: false }],
	['an old lead', ID, OLD, 200, UPDATED],
	['a new lead and 201', ID, YOUNG, 201, NEW],
	['an old lead and 201', ID, OLD, 201, UPDATED],
	['another ID, no code', ID, { externalId: 'A-1' }, 200, { linked: false }],
	['a code alone, which found a lead (rule 1)', CODE, { id: '1' }, 200, LINKED],
	['a code alone, but created', CODE, { created: true }, 200, NEW],
	['a code, another lead', BOTH, { externalId: 'b' }, 200, LINKED],
	['a code, a lead without ID', BOTH, { externalId: null }, 200, LINKED],
	['a code, the same ID, trimmed', { ...BOTH, externalId: ' A ' }, ID, 200, {}],
	['a code, an ID that is not stated', BOTH, { id: '1' }, 200, {}],
	['a code, a created lead', BOTH, ID, 201, NEW],
	['a flag against the ID', BOTH, { externalId: 'b', linked: false }, 200, { linked: false }],
	['a code, a word', BOTH, { outcome: 'linked' }, 200, LINKED],
	['a code, an update of either', BOTH, { result: 'updated' }, 200, { created: false }],
	['a lead found before', ID, { id: 1 }, { id: '1' }, UPDATED],
	['none found before', ID, undefined, null, NEW],
	['none found before, but the one that came back is old', ID, OLD, null, UPDATED],
	['a code, the lead found before', BOTH, { ...ID, id: '1' }, { id: '1' }, UPDATED],
	['a code, another than found before', BOTH, { id: '2' }, { id: '1' }, LINKED],
	['a code, one found before, none comes back', BOTH, undefined, { id: '1' }, { created: false }],
	['a code, an old lead was given the ID', BOTH, { ...ID, ...OLD }, null, LINKED],
])('%s', (_, sent, answered, known, is) => {
	const shown = typeof known === 'number' ? { status: known } : { status: 200, existing: known };
	const record = answered && { ...answered };
	const outcome = outcomeOf({
		by: 'upsert',
		sent: { ...sent },
		record,
		...shown,
		serverSentAt: SENT,
	});
	expect(omitBy(outcome, isUndefined)).toEqual(is);
});

const AGAIN = { by: 'upsert', record: { updated: true }, isSentBefore: true } as const;

test.each<[what: string, evidence: Evidence, created: boolean | undefined]>([
	['found', { by: 'found', record: YOUNG }, false],
	['sent to be created', { by: 'create', status: 200 }, true],
	['sent, but the service had it', { by: 'create', record: OLD }, false],
	[
		'created by an attempt without answer',
		{ by: 'upsert', record: FRESH, isSentBefore: true },
		true,
	],
	['in a second that is cut', { ...AGAIN, record: FRESH, serverSentAt: SENT + 500 }, true],
	['so', { by: 'upsert', record: { ...FRESH, created: false }, isSentBefore: true }, true],
	['old, of an attempt without answer', { by: 'upsert', record: OLD, isSentBefore: true }, false],
	['created by the next attempt', { by: 'upsert', status: 201, isSentBefore: true }, true],
	['an update of what it may have created', { ...AGAIN, status: 201 }, undefined],
	['the same, which was looked for before', { ...AGAIN, existing: null }, true],
	['the same, which was found before', { ...AGAIN, existing: { id: '1' } }, false],
])('%s', (_, evidence, created) => {
	expect(outcomeOf({ serverSentAt: SENT, ...evidence }).created).toBe(created);
});
