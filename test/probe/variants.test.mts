/** In every way in which the sandbox can answer, the probe names what differs, and nothing else. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { specVariant, type Variant } from '../../sandbox/variant.mts';
import { operations, rules } from '../../openapi.mts';
import { assumptions } from '../../probe/assumptions/index.mts';
import { isLong } from '../helpers/long.mts';
import { idsOf, probed, useSandbox } from './bench.mts';

const bench = useSandbox();

const notPaged = ['leads-pagination', 'lists-pagination'];
const notNamed = ['leads-named', 'lists-named'];
const bounds = ['created-after', 'created-before'];
const created = ['created-at', 'created-ms'];
const notFound = ['filter-tag-id', 'getConversation', 'lead-by-id'];
const KINDS = ['contact', 'conversation', 'interaction', 'lead', 'message', 'tag'];
const FIELDS = KINDS.map((kind) => `${kind}-fields`);

/** What differs, and what can then not be determined. */
const ROWS: Array<[variant: Partial<Variant>, differs: string[], couldNotTell?: string[]]> = [
	[{}, []],
	[{ envelope: 'bare' }, ['envelope']],
	[{ record: 'named' }, ['record-bare']],
	[{ record: 'named-with-siblings' }, ['record-bare']],
	[{ list: 'array' }, [...notNamed, ...notPaged]],
	[{ list: 'items' }, notNamed],
	[{ pagination: 'beside' }, notPaged],
	[{ pagination: 'none' }, notPaged, ['pagination-numbers', 'total']],
	[{ numbers: 'string' }, ['pagination-numbers']],
	[{ status: 200 }, ['status-created']],
	[{ status: 201 }, ['status-changed']],
	[{ status: 204 }, ['status-created', 'status-changed', 'write-answers'], ['sync-results']],
	[{ order: 'asc' }, ['order']],
	[{ order: 'random' }, ['order']],
	[{ bounds: 'inclusive' }, bounds],
	[{ boundGranularityMs: 1000 }, ['created-ms'], bounds],
	[{ boundGranularityMs: 86_400_000 }, ['created-ms'], bounds],
	[{ ignorePage: true }, ['page-respected', 'page-past-end']],
	[{ maxPage: 10 }, ['page-default', 'page-hundred']],
	[{ maxPage: 50 }, ['page-hundred']],
	[{ maxPage: 200 }, ['page-more']],
	[{ resetFormat: 'milliseconds' }, ['rate-reset']],
	[{ resetFormat: 'delta' }, ['rate-reset']],
	[{ dateHeader: false }, []],
	[{ contactsAsOf: 'arrival' }, []],
	[{ createdAt: 'seconds' }, created, bounds],
	[{ createdAt: 'none' }, ['lead-fields'], [...bounds, ...created, 'created-listed', 'order']],
	[{ listIds: false }, [...FIELDS, 'page-respected'], notFound],
	[{ texts: 'lowercase' }, ['contact-changed', 'messages-listed']],
	[{ rateHeaders: false }, ['rate-headers'], ['rate-reset', 'rate-window', 'rate-remaining']],
];

/** The documented form, and those in which most differs. */
const SOME = ROWS.filter(([, differs]) => differs.length === 0 || differs.length > 2);

test.each(isLong ? ROWS : SOME)('%j', async (variant, differs, couldNotTell = []) => {
	bench.sandbox.controls.variant(variant);
	const outcome = await probed(bench.sandbox);
	expect(idsOf(outcome, 'differs').sort()).toEqual([...differs].sort());
	expect(idsOf(outcome, 'could not tell').sort()).toEqual([...couldNotTell].sort());
	expect(outcome.stopped).toBeUndefined();
});

test('every variant has a row', () => {
	const tried = ROWS.flatMap(([variant]) => Object.keys(variant));
	expect(tried).toEqual(expect.arrayContaining(Object.keys(specVariant)));
});

/** Rules that only answers which the documentation does not show could confirm. */
const UNCHECKED = ['bareAnswer', 'otherFailure', 'values'];

test('every rule of the node is backed by what the probe checks', () => {
	const backed = assumptions.map(({ rule }) => rule as string);
	expect([...new Set([...backed, ...UNCHECKED])].sort()).toEqual(Object.keys(rules).sort());
});

test('every assumption can be judged, and has an id of its own', () => {
	const ids = assumptions.map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	expect(assumptions.filter(({ check }) => typeof check !== 'function')).toEqual([]);
	expect(ids).toEqual(expect.arrayContaining(operations.map(({ id }) => id)));
});

test.each(Object.entries(rules))('%s: the code that relies on it is there', (_, { where }) => {
	expect(existsSync(join(__dirname, '../../nodes/IntegrationLeads', where))).toBe(true);
});
