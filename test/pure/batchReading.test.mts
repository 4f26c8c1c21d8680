/** Leads that the answer to a batch leaves open: which these are, and what reading them shows. */
import type { ServiceRecord } from '../../nodes/IntegrationLeads/values/json';
import { parseBatchAnswer } from '../../nodes/IntegrationLeads/contract/batchAnswer';
import { sync } from '../../nodes/IntegrationLeads/resources/sync';
import { heldReader } from '../../nodes/IntegrationLeads/requests/confirm';
import type { RequestPlan } from '../../nodes/IntegrationLeads/prepare/plan';
import type { RunServices } from '../../nodes/IntegrationLeads/requests/services';

const LETTERS = { recorded: 'y', refused: 'n', unconfirmed: '?', batchAccepted: 'A' };
const stored = { id: '7', createdAt: '2026-01-31T12:00:00Z' };

/** One letter for each lead. */
const kindsOf = (answer: unknown, ids: string) => {
	const sent = [...ids].map((externalId) => ({ externalId }));
	return parseBatchAnswer(answer, sent)
		.map(({ kind }) => LETTERS[kind])
		.join('');
};

const refusal = { status: 'error', message: 'bad' };
test.each<[string, string, unknown]>([
	...['error', 'failed', 'FAILURE', 'rejected', 'invalid'].map(
		(result): [string, string, unknown] => [
			'?n',
			'ab',
			[{ externalId: 'b', result, message: 'bad' }],
		],
	),
	[
		'yn',
		'ab',
		[
			{ externalId: 'a', ok: true },
			{ externalId: 'b', ...refusal },
		],
	],
	['yn', 'ab', { results: { a: 'created', b: 'failed' } }],
	// A lead may have the word as its own status.
	[
		'y?',
		'ab',
		[
			{ externalId: 'a', ok: true },
			{ externalId: 'b', status: 'rejected', ...stored },
		],
	],
	[
		'y?',
		'ab',
		[
			{ externalId: 'a', ok: true },
			{ externalId: 'b', status: 'rejected', ok: true },
		],
	],
	[
		'?y',
		'ab',
		[
			{ externalId: 'a', ok: true, contact: { status: 'failed' } },
			{ externalId: 'b', ok: true },
		],
	],
	// About the whole, it names no lead unless there is only one.
	['??', 'ab', refusal],
	['n', 'a', refusal],
	['??', 'ab', { ...refusal, created: ['a', 'b'] }],
	['??', 'ab', { created: ['a', 'b'], rest: [{ externalId: 'z', ...refusal }] }],
	['??', 'ab', { ok: true, status: 'failed', leads: [{ externalId: 'a', ...stored }] }],
	['??', 'ab', [{ externalId: 'a', contact: { status: 'failed' } }]],
	['??', 'ab', { status: 'failed', leads: [{ externalId: 'a', ...stored }] }],
])('a word of failure as an outcome refuses, %s of %s: %j', (expected, ids, answer) => {
	expect(kindsOf(answer, ids)).toBe(expected);
});

test.each<[string, string, unknown]>([
	['??', '12', { errors: { 1: 'bad' } }],
	['??', '12', { created: ['1', '2'], errors: { 1: 'bad' } }],
	['??', '21', { created: ['2', '1'], skipped: { 1: 'bad' } }],
	['??', 'ab', { created: ['a', 'b'], skipped: { 0: 'bad' } }],
	['??', 'ab', { created: ['a', 'b'], skipped: { 2: 'bad' } }],
	['yn', '79', { created: ['7'], errors: { 9: 'bad' } }],
	['n', '1', { errors: { 1: 'bad' } }],
])('a small number as a key is an index, %s of %s: %j', (expected, ids, answer) => {
	expect(kindsOf(answer, ids)).toBe(expected);
});

test.each<[string, string, unknown]>([
	[
		'yn',
		'ab',
		[
			{ index: 0, ok: true },
			{ index: 1, ok: false },
		],
	],
	[
		'??',
		'ab',
		[
			{ index: 1, ok: false },
			{ index: 0, ok: true },
		],
	],
	[
		'??',
		'ab',
		[
			{ row: 1, ok: true },
			{ row: 2, ok: true },
		],
	],
	['??', 'ab', { created: ['a', 'b'], skipped: [{ index: 1, message: 'bad' }] }],
	[
		'yn',
		'ab',
		[
			{ index: 7, externalId: 'a', ok: true },
			{ row: 9, externalId: 'b', ok: false },
		],
	],
])('an index counts only if it is the position, %s of %s: %j', (expected, ids, answer) => {
	expect(kindsOf(answer, ids)).toBe(expected);
});

describe('heldReader', () => {
	const SENT_AT = Date.parse('2026-01-31T12:00:00Z');
	const [earlier, later] = ['2026-01-31T11:00:00Z', '2026-01-31T12:00:01Z'];
	const { push } = sync.operations;

	const planFor = (body: ServiceRecord) =>
		({
			operation: push,
			request: { method: 'POST', path: '/sync', query: {}, body, repeatable: true },
			recordKeys: ['a key'],
		}) as unknown as RequestPlan;

	/** What is found of a lead, where the service has `record`. */
	const findingOf = async (body: ServiceRecord, record?: ServiceRecord, written: string[] = []) => {
		const lookUpNow = async () => await Promise.resolve(record && { record, without: [] });
		const services = { lookups: { lookUpNow }, written: new Set(written), hints: new Set() };
		const plan = planFor({ externalId: 'a', ...body });
		const held = await heldReader(services as unknown as RunServices)([plan], SENT_AT);
		const found = held.get(plan);
		return found?.isRecorded === false ? found.finding : found;
	};

	const open = { status: 'open', notes: 'x' };
	test.each<[string, ServiceRecord, ServiceRecord]>([
		['created since', open, { createdAt: later, status: 'closed_won' }],
		['with every field', open, { ...open, createdAt: earlier }],
		['with every field that is shown', open, { status: 'open', createdAt: earlier }],
		['of unknown age with every field', open, open],
		['where only the external ID was sent', {}, { createdAt: earlier }],
		[
			'whose contact is the same',
			{ contact: { phone: '+5511900000001' } },
			{ contact: { phone: '11 90000-0001', id: 'c' } },
		],
	])('a lead %s is recorded', async (_, body, record) => {
		expect(await findingOf(body, record)).toEqual({ isRecorded: true, record });
	});

	test.each<[string, ServiceRecord, ServiceRecord | undefined, RegExp]>([
		['that is missing', open, undefined, /^No lead has this external ID\.$/],
		[
			'with another value',
			open,
			{ ...open, notes: 'y', createdAt: earlier },
			/^The service has it with other values: Notes is "y", not "x"\. Change it with Lead > Update\.$/,
		],
		['of unknown age with another value', open, { status: 'closed_won' }, /Status is "closed_won"/],
		['whose status is a word of success', open, { status: 'accepted' }, /Status is "accepted"/],
		['whose status is a number', open, { status: 3 }, /Status is "3"/],
		['that shows no field', open, { id: '1' }, /and shows none of the fields that were sent\.$/],
		[
			'that shows what finds it only',
			{ protocol: 'ML-AB12-CD34', notes: 'x' },
			{ externalId: 'a', protocol: 'ML-AB12-CD34' },
			/shows none of the fields/,
		],
	])('a lead %s is not', async (_, body, record, finding) => {
		expect(await findingOf(body, record)).toMatch(finding);
	});

	test('a lead that this run wrote before is compared, however new it is', async () => {
		const record = { createdAt: later, status: 'closed_won' };
		expect(await findingOf(open, record, ['a key'])).toMatch(/Status is "closed_won"/);
	});
});
