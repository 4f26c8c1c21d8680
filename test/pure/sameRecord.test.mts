/** Which record of a list is the one that an item sent, and when it is certain that none is. */
import fc from 'fast-check';
import { flow, mapValues, omit } from 'lodash';

import type { ServiceRecord } from '../../nodes/IntegrationLeads/values/json';
import { RecordIndex } from '../../nodes/IntegrationLeads/run/recordIndex';
import {
	CreatedList,
	formsOfText,
	hasSent,
	keyOf,
} from '../../nodes/IntegrationLeads/run/sameRecord';

const fields = {
	comparable: ['type', 'title', 'description', 'metadata', 'phone', 'email'],
	texts: ['title', 'description', 'phone', 'email'],
};
const sentOf = (body: ServiceRecord) => ({ body, ...fields });
const long = 'A text that is so long that a service might cut it somewhere';

const VERDICTS = { equal: true, different: false, unclear: undefined };

const SINCE = Date.parse('2026-01-31T12:00:00.500Z');
const iso = (offset: number) => new Date(SINCE + offset).toISOString();
const metadata = (inside: unknown) => ({ metadata: inside });
const phone = '+5511900000001';
/** Each may be shown as another one of them. */
const ODD_VALUES = [
	...[phone, '11 90000-0001', 5511900000001, '', null, undefined, 0, '0', true, 1, '1.0', false],
	...[{ a: 1 }, [1], iso(0), iso(700), SINCE, String(SINCE), '👍', '👍'.repeat(30), '—', 'NaN'],
	...[
		long,
		`${long}…`,
		long.slice(0, 50),
		`${'-'.repeat(60)}A`,
		'<b></b>',
		'&amp;',
		'a&b',
		'a&amp;b',
	],
];

test.each<[what: string, sent: ServiceRecord, shown: ServiceRecord, keyof typeof VERDICTS]>([
	['all fields equal', { type: 'NOTE', title: 'A' }, { type: 'NOTE', title: 'A' }, 'equal'],
	['fields of the service besides', { title: 'A' }, { title: 'A', leadId: 'l', n: 1 }, 'equal'],
	['another title', { title: 'A' }, { title: 'B' }, 'different'],
	['another number in the title', { title: 'Call 1' }, { title: 'Call 10' }, 'different'],
	['no title', { title: 'A' }, { title: null }, 'different'],
	['title not listed', { title: 'A' }, {}, 'unclear'],
	['title not listed, another type', { type: 'NOTE', title: 'A' }, { type: 'CALL' }, 'different'],
	['a text that was not sent', { type: 'NOTE' }, { type: 'NOTE', title: 'A' }, 'unclear'],
	['an empty text that was not sent', { type: 'NOTE' }, { type: 'NOTE', title: null }, 'equal'],
	['metadata that was not sent', { type: 'NOTE' }, { type: 'NOTE', metadata: { a: 1 } }, 'equal'],
	['empty is null', { title: '' }, { title: null }, 'equal'],
	['empty is absent', metadata({}), {}, 'equal'],
	['null is filled', { title: null }, { title: 'Untitled' }, 'unclear'],
	['another case', { title: 'A Call' }, { title: 'a call' }, 'unclear'],
	['other spaces', { title: ' A  call ' }, { title: 'A call' }, 'unclear'],
	['without accents', { title: 'Reunião' }, { title: 'Reuniao' }, 'unclear'],
	['without emoji', { title: 'Call 👍' }, { title: 'Call ?' }, 'unclear'],
	['nothing but emoji, without them', { title: '👍' }, { title: null }, 'unclear'],
	['in capital letters', { title: 'Größe' }, { title: 'GRÖSSE' }, 'unclear'],
	[
		'in another form of Unicode',
		{ title: 'Ti\u1ebfng' },
		{ title: 'Tie\u0302\u0301ng' },
		'unclear',
	],
	['with HTML', { title: 'A & <B>' }, { title: '<p>A &amp; &lt;B&gt;</p>' }, 'unclear'],
	['cut', { title: `${long} and more` }, { title: `${long}…` }, 'unclear'],
	['cut in white space', { title: `${long}\n\n${long}` }, { title: `${long}\n\nA te` }, 'unclear'],
	['shorter, but not cut', { title: 'Call again' }, { title: 'Call' }, 'different'],
	['a phone in another form', { phone }, { phone: '11 90000-0001' }, 'unclear'],
	['a phone without the 9', { phone }, { phone: '+551100000001' }, 'unclear'],
	['another phone', { phone }, { phone: '+5511900000002' }, 'different'],
	['an email in another case', { email: 'A@b.co' }, { email: 'a@b.co' }, 'unclear'],
	['a number as text', metadata({ n: 1 }), metadata({ n: '1' }), 'unclear'],
	['a number with zeros', metadata({ n: 7.5 }), metadata({ n: '7.50' }), 'unclear'],
	['a flag as a number', metadata({ ok: true }), metadata({ ok: 1 }), 'unclear'],
	['another number', metadata({ n: 1 }), metadata({ n: 2 }), 'different'],
	['keys in another order', metadata({ a: 1, b: 2 }), metadata({ b: 2, a: 1 }), 'equal'],
	['more keys', metadata({ a: 1 }), metadata({ a: 1, by: 'api' }), 'unclear'],
	['fewer keys', metadata({ a: 1, b: 2 }), metadata({ a: 1 }), 'unclear'],
	['deep equality', metadata({ a: [{ b: null }] }), metadata({ a: [{ b: null }] }), 'equal'],
	['a list in another order', metadata([1, 2]), metadata([2, 1]), 'unclear'],
	['a list of other values', metadata({ a: [1] }), metadata({ a: [2] }), 'unclear'],
	['an object as text', metadata({ a: 1 }), metadata('{"a":1}'), 'unclear'],
	['another zone', metadata(iso(0)), metadata('2026-01-31T09:00:00.500-03:00'), 'unclear'],
	['no time', metadata(iso(0)), metadata('never'), 'different'],
	['a time as a number', metadata(iso(0)), metadata(SINCE / 1000), 'unclear'],
	['a field that the service may replace', { status: 'new' }, { status: 'sent' }, 'unclear'],
	['a free field that is equal', { channel: 'web' }, { channel: 'web' }, 'equal'],
	['nothing sent', {}, { leadId: 'l' }, 'equal'],
])('%s', (_, body, record, likeness) => {
	expect(hasSent(sentOf(body), { id: 'r', ...record })).toBe(VERDICTS[likeness]);
});

/** `pending`: what other items sent. */
type Known = { since?: number; onlyNew?: boolean; complete?: boolean; pending?: ServiceRecord[] };
/** The ID of the record that is found, else whether it may be in the list. */
function findIn(
	records: ServiceRecord[],
	{ pending = [], complete = true, ...known }: Known = {},
	body: ServiceRecord = { type: 'NOTE', title: 'A' },
) {
	const list = new CreatedList();
	for (const each of [body, ...pending]) list.pending.set(keyOf({ body: each }), sentOf(each));
	const when = { since: SINCE, onlyNew: false, ...known };
	const finding = list.match(sentOf(body), { records, complete }, when);
	return finding.kind === 'recorded' ? finding.record.id : finding.kind;
}
const equal = { id: 'r', type: 'NOTE', title: 'A', createdAt: iso(10) };

const before = { ...equal, id: 'old', createdAt: iso(-3_600_000) };
const at = (createdAt: unknown) => [{ ...equal, createdAt }];

test.each<[what: string, listed: ServiceRecord[], Known, found: string]>([
	['an empty list', [], {}, 'none'],
	['an equal record', [equal], {}, 'r'],
	['at the very time', at(iso(0)), {}, 'r'],
	['in the same second, cut', at('2026-01-31T12:00:00Z'), {}, 'r'],
	['in the same second, cut to zeros', at(iso(-500)), {}, 'r'],
	['a second earlier, cut', at('2026-01-31T11:59:59Z'), {}, 'unclear'],
	['with an offset', at('2026-01-31T09:00:01-03:00'), {}, 'r'],
	['a moment earlier', at(iso(-1)), {}, 'unclear'],
	['long before', [before], {}, 'none'],
	['long before, and since', [before, equal], {}, 'r'],
	['without a time', at(undefined), {}, 'unclear'],
	['a day only', at('2026-01-31'), {}, 'unclear'],
	['a time without a zone', at('2026-01-31T12:00:01'), {}, 'unclear'],
	['a number as time', at(SINCE + 10), {}, 'unclear'],
	['without the clock of the service', [equal], { since: undefined }, 'unclear'],
	['long before, without the clock', [before], { since: undefined }, 'unclear'],
	['without the clock, new', [equal], { since: undefined, onlyNew: true }, 'r'],
	['without a time, new', at(null), { onlyNew: true }, 'r'],
	['new, but a moment earlier', at(iso(-1)), { onlyNew: true }, 'unclear'],
	['without an ID', [{ ...equal, id: undefined }], {}, 'unclear'],
	['an ID of null', [{ ...equal, id: null }], {}, 'unclear'],
	['two equal records', [equal, { ...equal, id: 'r2' }], {}, 'r'],
	['an equal record without a time first', [...at(1), equal], {}, 'r'],
	['one that may be of another item', [equal], { pending: [{ title: 'A' }] }, 'unclear'],
	['one beside what another item sent', [equal], { pending: [{ title: 'B' }] }, 'r'],
	['a similar record', [{ ...equal, title: 'a' }], {}, 'unclear'],
	['a part of the list', [], { complete: false }, 'unclear'],
	['a similar record, long before', [{ ...before, title: 'a' }], {}, 'none'],
	['another record', [{ ...equal, title: 'B', createdAt: undefined }], {}, 'none'],
])('the record of an item: %s', (_, records, more, expected) => {
	expect(findIn(records, more)).toBe(expected);
});

test('a record is the result of one item, and one without an ID of none', () => {
	const list = new CreatedList();
	const sent = sentOf({ type: 'NOTE', title: 'A' });
	list.claim({});
	const find = (record: ServiceRecord) =>
		list.match(sent, { records: [record], complete: true }, { since: SINCE, onlyNew: false }).kind;
	const found = [find(equal), find(equal), find({ ...equal, id: undefined })];
	expect(found).toEqual(['recorded', 'none', 'unclear']);
});

describe('whatever a service does to what it stores', () => {
	/** What services do to texts. */
	const changes: Array<(text: string) => string> = [
		(text) => text.trim(),
		(text) => text.toLowerCase(),
		(text) => text.toUpperCase(),
		(text) => text.replace(/\s+/g, ' '),
		(text) => text.normalize('NFC'),
		(text) => (text.length > 100 ? `${text.slice(0, 100)}…` : text),
		(text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
		(text) => `<p>${text}</p>`,
		(text) => text.replace(/\p{So}/gu, '?'),
	];
	const words = fc.lorem({ maxCount: 30 });
	const text = fc
		.tuple(words, fc.constantFrom('', ' & co', ' ação', ' 👍', ' "q"'))
		.map((parts) => parts.join(''));
	const body = fc.record(
		{
			type: fc.constantFrom('NOTE', 'CALL'),
			title: text,
			description: text,
			metadata: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean())),
		},
		{ requiredKeys: ['type'] },
	);
	const stored = fc.record({
		change: fc.subarray(changes),
		left: fc.subarray(['title', 'description', 'metadata', 'createdAt', 'id']),
		status: fc.option(fc.constant('new'), { nil: undefined }),
		createdAt: fc.integer({ min: 0, max: 600_000 }),
		isCut: fc.boolean(),
	});

	test('what was recorded is never taken for not recorded', () => {
		fc.assert(
			fc.property(body, stored, (given, { change, left, status, createdAt, isCut }) => {
				const changed = mapValues(given, (value, name) =>
					typeof value === 'string' && name !== 'type' ? flow(change)(value) : value,
				);
				const time = isCut ? iso(createdAt).replace(/\.\d+/, '') : iso(createdAt);
				const record = omit({ id: 'r', ...changed, status, createdAt: time }, left);
				const found = findIn([record], {}, given);
				expect(found).not.toBe('none');
				const isPlain =
					change.length === 0 &&
					left.every((name) => !(name in given) && !['createdAt', 'id'].includes(name));
				if (isPlain) expect(found).toBe('r');
			}),
		);
	});

	test('what the index leaves out is plainly another record', () => {
		const value = fc.oneof(
			text.chain((whole) => fc.constantFrom(...changes.map((change) => change(whole)), whole)),
			fc.mixedCase(fc.lorem({ mode: 'sentences', maxCount: 2 })),
		);
		const record = fc.dictionary(fc.constantFrom('type', 'title', 'description'), value);
		const lists = fc.array(record, { maxLength: 8 });
		fc.assert(
			fc.property(lists, lists, (records, items) => {
				const index = new RecordIndex(records, formsOfText);
				for (const given of [...items, ...records]) {
					const candidates = index.candidatesFor(sentOf(given));
					const left = records.filter((each) => hasSent(sentOf(given), each) !== false);
					expect(candidates).toEqual(expect.arrayContaining(left));
					expect(candidates).toEqual(records.filter((each) => candidates.includes(each)));
				}
			}),
		);
	});

	test('odd values of one field', () => {
		const records = ODD_VALUES.map((title) => ({ title }));
		const index = new RecordIndex(records, formsOfText);
		for (const sent of records.map(sentOf)) {
			const left = records.filter((each) => hasSent(sent, each) !== false);
			expect(index.candidatesFor(sent)).toEqual(expect.arrayContaining(left));
		}
	});

	test('200 items are compared with 10,000 records without comparing each with each', () => {
		const person = (n: number) => ({ title: `Contact ${n}`, email: `c.${n}@example.com` });
		const records = Array.from({ length: 10_000 }, (_, n) => ({ id: `c${n}`, ...person(n) }));
		const index = new RecordIndex(records, formsOfText);
		const counts = [5, 9_999, 20_000].map((n) => index.candidatesFor(sentOf(person(n))).length);
		expect(counts).toEqual([1, 1, 0]);
	});

	test('what is found was sent, and was created since', () => {
		const record = fc.record({
			id: fc.constantFrom('a', 'b', undefined),
			type: fc.constantFrom('NOTE', 'CALL'),
			title: fc.constantFrom('A', 'a', null),
			createdAt: fc.integer({ min: -120_000, max: 120_000 }).map(iso),
		});
		fc.assert(
			fc.property(fc.uniqueArray(record, { selector: ({ id }) => id }), (records) => {
				const id = findIn(records);
				if (id === 'none' || id === 'unclear') return;
				const { createdAt, ...found } = records.find((each) => each.id === id)!;
				expect(found).toEqual({ id: expect.any(String), type: 'NOTE', title: 'A' });
				expect(Date.parse(String(createdAt))).toBeGreaterThan(SINCE - 1000);
			}),
		);
	});
});
