import fc from 'fast-check';

import { readPushResults, tellsOfLeads } from '../../nodes/IntegrationLeads/contract/sync';
import { cutBatches } from '../../nodes/IntegrationLeads/run/batch';

describe('cutBatches', () => {
	it('takes each once, fills batches, and keeps what belongs to one record apart and in order', () => {
		const entry = fc.uniqueArray(fc.constantFrom<string[]>('a', 'b', 'c', 'd'), { maxLength: 2 });
		fc.assert(
			fc.property(
				fc.array(entry, { maxLength: 40 }),
				fc.integer({ min: 1, max: 6 }),
				(keys, size) => {
					const batches = cutBatches(keys, size);
					expect(batches.flat().sort((a, b) => a - b)).toEqual([...keys.keys()]);
					for (const batch of batches) {
						expect(batch.length).toBeGreaterThan(0);
						expect(batch.length).toBeLessThanOrEqual(size);
						expect(batch).toEqual([...batch].sort((a, b) => a - b));
						const inBatch = batch.flatMap((position) => keys[position]);
						expect(new Set(inBatch).size).toBe(inBatch.length);
					}
					const batchOf = (position: number) =>
						batches.findIndex((batch) => batch.includes(position));
					for (const key of ['a', 'b', 'c', 'd']) {
						const turns = [...keys.keys()].filter((position) => keys[position].includes(key));
						const order = turns.map(batchOf);
						expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
					}
				},
			),
			{ numRuns: 500 },
		);
	});

	it('needs no more batches than there must be', () => {
		const unlike = Array.from({ length: 10_000 }, (_, n) => [String(n)]);
		expect(cutBatches(unlike, 100)).toHaveLength(100);
		// One record twice costs no batch more while there is room behind it.
		expect(cutBatches([...unlike.slice(0, 150), ['0']], 100).map(({ length }) => length)).toEqual([
			100, 51,
		]);
		expect(cutBatches([['a'], ['a'], ['a'], ['b']], 100)).toEqual([[0, 3], [1], [2]]);
	});
});

describe('readPushResults', () => {
	const a = { externalId: 'a', id: '1', success: true };
	const b = { externalId: 'b', id: '2', success: true };
	const sent = [{ externalId: 'a' }, { externalId: 'b' }];
	const done = (record: object) => ({ kind: 'done', record });
	const error = { code: 'VALIDATION_ERROR', message: 'no' };

	it.each<[string, unknown, unknown[]]>([
		['by external ID', { results: [b, a] }, [done(a), done(b)]],
		['in a list of whatever name', { items: [a, b] }, [done(a), done(b)]],
		['in a bare list', [a, b], [done(a), done(b)]],
		['beside totals', { processed: 2, leads: [a, b] }, [done(a), done(b)]],
		['by position', [{ id: '1' }, { id: '2' }], [done({ id: '1' }), done({ id: '2' })]],
		[
			'with the lead inside',
			[{ success: true, lead: { externalId: 'b' } }],
			[undefined, done({ success: true, externalId: 'b' })],
		],
		['as numbers', [{ externalId: 7 }], [undefined, undefined]],
		// A linked lead may keep an external ID of its own.
		[
			'by position, under another external ID',
			[{ externalId: 'x' }, b],
			[done({ externalId: 'x' }), done(b)],
		],
		['for some of them', [b], [undefined, done(b)]],
		['never that of another', [b, b], [undefined, done(b)]],
		['not at all', undefined, [undefined, undefined]],
		['in numbers only', { created: 1, updated: 1 }, [undefined, undefined]],
		['in an empty list', { results: [] }, [undefined, undefined]],
		[
			'that one was refused',
			[{ externalId: 'a', success: false, error }, b],
			[{ kind: 'refused', ...error }, done(b)],
		],
		[
			'that one was refused, by its error alone',
			[{ externalId: 'a', error: 'no' }, b],
			[{ kind: 'refused', message: 'no' }, done(b)],
		],
		[
			'that one was refused, in a word',
			[{ externalId: 'a', status: 'failed', message: 'no' }, b],
			[{ kind: 'refused', message: 'no' }, done(b)],
		],
		[
			'that one was refused, by a code',
			[{ externalId: 'a', statusCode: 422, errors: [{ message: 'no' }] }, b],
			[{ kind: 'refused', message: 'no' }, done(b)],
		],
		[
			'that one has the status of a lead',
			[{ externalId: 'a', status: 'closed_lost', error: null }, b],
			[done({ externalId: 'a', status: 'closed_lost', error: null }), done(b)],
		],
		[
			'only what was refused',
			{ accepted: 1, errors: [{ externalId: 'b', message: 'no' }] },
			[undefined, { kind: 'refused', message: 'no' }],
		],
		[
			'in two lists',
			{ leads: [a], failed: [{ externalId: 'b', error }] },
			[done(a), { kind: 'refused', ...error }],
		],
	])('finds what is told %s', (_, data, results) => {
		expect(readPushResults(data, sent)).toEqual(results);
	});

	it('finds leads without an external ID by position', () => {
		expect(readPushResults([a, { id: '9' }], [sent[0], {}])).toEqual([done(a), done({ id: '9' })]);
	});

	// One lead of three is refused: which one, and how that is said.
	interface Told {
		id: string;
		index: number;
		/** A list with an entry for each lead. */
		each: (ok: object, bad: object, named?: string) => object[];
		others: string[];
	}
	const bad = 'bad email';
	const shapes: Record<string, (told: Told) => unknown> = {
		'an own list': ({ id }) => ({ created: 2, errors: [{ externalId: id, message: bad }] }),
		'a list before another mention': ({ id, each }) => ({
			errors: [{ externalId: id, message: bad }],
			leads: each({}, {}),
		}),
		'lists in an object': ({ id, others }) => ({
			results: {
				succeeded: others.map((externalId) => ({ externalId })),
				failed: [{ externalId: id, error: bad }],
			},
		}),
		'a list in an object that says no': ({ id }) => ({
			failed: { count: 1, items: [{ externalId: id, reason: bad }] },
		}),
		'a list deep inside': ({ id }) => ({
			summary: { details: { validationErrors: [{ external_id: id, detail: bad }] } },
		}),
		'an object by external ID': ({ id, others }) => ({
			results: Object.fromEntries([
				...others.map((each) => [each, { success: true }]),
				[id, { success: false, error: bad }],
			]),
		}),
		'reasons by external ID': ({ id }) => ({ errors: { [id]: [bad] } }),
		'words by external ID': ({ id, others }) => ({
			results: {
				...Object.fromEntries(others.map((each) => [each, 'ok'])),
				[id]: `failed: ${bad}`,
			},
		}),
		'texts that begin with the external ID': ({ id }) => ({ failed: [`${id}: ${bad}`] }),
		'an index': ({ index }) => ({ created: 2, errors: [{ index, message: bad }] }),
		'an index as text, beside a list': ({ index }) => ({
			leads: [{ id: '1' }, { id: '2' }],
			failures: [{ leadIndex: String(index), description: bad }],
		}),
		'an index in two notes': ({ index }) => ({
			errors: [
				{ index, field: 'email', message: bad },
				{ index, field: 'email', message: bad },
			],
		}),
		'a list in the order sent': ({ each }) => ({
			results: each({ success: true }, { success: false, error: bad }, ''),
		}),
		'a position in each entry': ({ each }) => ({
			results: each({ success: true }, { ok: 'false', error: bad }, 'position'),
		}),
		'a row in each entry, counted from 1': ({ each }) => ({
			rows: each({ success: true }, { success: false, error: bad }, 'row'),
		}),
		'an external ID in kebab case': ({ id }) => ({
			rejected: [{ 'external-id': id, reason: bad }],
		}),
		'the lead inside': ({ each }) => ({
			items: each({}, { error: { code: 'VALIDATION_ERROR', message: bad } }).map(
				({ externalId, ...rest }: { externalId?: string }) => ({ ...rest, lead: { externalId } }),
			),
		}),
		'the outcome inside': ({ each }) =>
			each({ result: { success: true } }, { result: { success: false, message: bad } }),
		...Object.fromEntries(
			['errors', 'failed', 'failures', 'rejected', 'invalid', 'unprocessed', 'failedLeads'].map(
				(name) => [
					`a list named ${name}`,
					({ id }: Told) => ({ created: 2, [name]: [{ externalId: id, reason: bad }] }),
				],
			),
		),
		...Object.fromEntries(
			[
				{ success: false },
				{ success: 'false' },
				{ ok: false },
				{ status: 'REJECTED' },
				{ status: 422 },
				{ statusCode: '400' },
				{ result: 'validation_error' },
				{ outcome: 'Failed' },
				{ action: 'rejected' },
				{ code: 'INVALID_EMAIL' },
				{ failureReason: bad },
			].map((said) => [
				`an entry with ${JSON.stringify(said)}`,
				({ each }: Told) => ({ results: each({ status: 'open' }, { ...said, message: bad }) }),
			]),
		),
	};
	const ids = ['a', 'b', 'b-2'];
	const batch = ids.map((externalId) => ({ externalId, status: 'open' }));
	const tell = (index: number): Told => ({
		id: ids[index],
		index,
		each: (ok, no, named = 'externalId') =>
			ids.map((externalId, position) => ({
				...(named === 'externalId' && { externalId }),
				...(named === 'position' && { position }),
				...(named === 'row' && { row: position + 1 }),
				...(position === index ? no : ok),
			})),
		others: ids.filter((_, position) => position !== index),
	});
	const table = Object.entries(shapes).flatMap(([name, shape]) =>
		ids.map((id, index): [string, string, unknown] => [id, name, shape(tell(index))]),
	);

	it.each(table)('sees that %s alone was refused, told by %s', (id, _, data) => {
		const index = ids.indexOf(id);
		const answers = {
			bare: data,
			enveloped: { success: true, data },
			'beside data': { success: true, data: { ok: true }, ...{ extra: data } },
		};
		for (const [where, answer] of Object.entries(answers)) {
			const results = readPushResults(answer, batch);
			const refused = results.map(
				(result) => result?.kind === 'refused' || result?.kind === 'unclear',
			);
			expect([where, refused]).toEqual([where, ids.map((each) => each === id)]);
			expect(results[index]).toMatchObject({
				kind: 'refused',
				message: expect.stringContaining(bad),
			});
		}
		// A failure as a whole that tells of each lead.
		const whole = readPushResults({ success: false, data }, batch);
		expect(whole[index]).toMatchObject({ kind: 'refused' });
		for (const [position, result] of whole.entries()) {
			if (position !== index) expect(['done', 'unclear']).toContain(result?.kind);
		}
	});

	it.each<[string, unknown]>([
		['names none', { created: 2, errors: [{ message: bad }] }],
		['names none, in a text', { created: 2, failed: [bad] }],
		['names none, beside data', { success: true, data: { created: 2 }, error: { message: bad } }],
		['names none, without data', { success: true, data: null, errors: [bad] }],
		['is one for each lead', { errors: ids.map(() => ({ field: 'email', message: bad })) }],
		['is beside a list without names', { leads: ids.map((id) => ({ id })), errors: [bad] }],
		['names another lead', { errors: [{ externalId: 'z', message: bad }] }],
		['names one by an unknown way of counting', { errors: [{ index: 7, message: bad }] }],
		['is of the whole', { success: 'false', message: bad }],
	])('lets no lead pass when a refusal %s', (_, answer) => {
		expect(readPushResults(answer, batch)).toEqual(
			batch.map(() => ({ kind: 'unclear', message: bad })),
		);
	});

	it.each<[string, unknown, string[]]>([
		['are counted only', { created: 2, failed: 1 }, ['unclear', 'unclear', 'unclear']],
		['are counted, and one is told', { errors: ['b'], errorCount: 1 }, ['', 'refused', '']],
		[
			'are counted, and fewer are told',
			{ errors: ['b'], failed: 2 },
			['unclear', 'refused', 'unclear'],
		],
		[
			'are counted as none',
			{ failed: 0, errors: [], invalid: {}, rejected: { count: 0, leads: [] }, error: null },
			['', '', ''],
		],
		['stand beside taken ones', { created: ['a'], errors: [bad] }, ['done', 'unclear', 'unclear']],
		[
			'are summed up beside those told',
			{ errors: { message: bad, code: 422, count: 1, items: [{ externalId: 'b' }] } },
			['', 'refused', ''],
		],
		[
			'are more than those told',
			{ failed: { total: 2, items: [{ externalId: 'b' }] } },
			['unclear', 'refused', 'unclear'],
		],
		[
			'are of the lead inside',
			{ success: false, lead: { externalId: 'b' } },
			['unclear', 'refused', 'unclear'],
		],
		[
			'stand beside a lead',
			{ lead: { externalId: 'a' }, errors: [{ externalId: 'b' }] },
			['done', 'refused', ''],
		],
		// Row 1 is the first or the second.
		[
			'are at a place that may be either',
			{ errors: [{ row: 1, message: bad }] },
			['unclear', 'unclear', ''],
		],
		['were but warned of', [{ externalId: 'a', success: true, errors: ['x'] }], ['done', '', '']],
	])('reads refusals that %s', (_, answer, kinds) => {
		expect(readPushResults(answer, batch).map((result) => result?.kind ?? '')).toEqual(kinds);
	});

	it.each<[string, object, string]>([
		['the status it was sent with', { status: 'rejected' }, 'done'],
		['a status of its own', { id: 1, status: 'invalid', createdAt: '2026-01-01' }, 'done'],
		['a status that is an outcome', { status: 'failed' }, 'refused'],
		['the status sent, and a reason', { status: 'rejected', message: bad }, 'refused'],
	])('reads a lead with %s', (_, record, kind) => {
		const pushed = [{ externalId: 'a', status: 'rejected' }];
		expect(readPushResults([{ externalId: 'a', ...record }], pushed)[0]?.kind).toBe(kind);
		expect(readPushResults([record], pushed)[0]?.kind).toBe(kind);
	});

	const ab = sent;
	const row = { id: '1', externalId: 'a', status: 'open', priority: 'medium', createdAt: 'x' };

	it.each<[string, unknown, string[]]>([
		// What is no refusal, though it sounds like one.
		['the only lead, with its own status', { ...row, status: 'rejected' }, ['done', '']],
		['a yes, and a status of no', [{ ...a, status: 'rejected' }], ['done', '']],
		['a yes inside', [{ externalId: 'a', status: 'failed', result: { ok: true } }], ['done', '']],
		[
			'a sentence that says no, and yes',
			[{ externalId: 'a', result: 'Protocol not found, created by externalId' }],
			['done', ''],
		],
		['a job', { jobId: 'j', status: 'queued', processed: false }, ['', '']],
		[
			'a job for each',
			ab.map((each) => ({ ...each, status: 'pending', accepted: false })),
			['', ''],
		],
		['a reason of the lead', { leads: [{ ...row, rejectionReason: 'x' }] }, ['done', '']],
		['a phone of the lead', { leads: [{ ...row, phoneInvalid: true }] }, ['done', '']],
		['a number of the lead', { leads: [{ ...row, code: 404 }] }, ['done', '']],
		['an option', { created: 2, options: { continueOnError: true } }, ['', '']],
		['an option beside', { created: 2, stopOnError: true }, ['', '']],
		['one left out without a reason', [{ externalId: 'a', result: 'skipped' }], ['done', '']],
		// What is one.
		['a lead with errors', { leads: [{ ...row, errors: ['x'] }] }, ['refused', '']],
		['a failed job', { status: 'failed', processed: false }, ['unclear', 'unclear']],
		['a no, queued', [{ externalId: 'a', success: false, status: 'queued' }], ['refused', '']],
		[
			'a reason that says yes',
			[{ externalId: 'a', result: 'Rejected: is created' }],
			['refused', ''],
		],
		[
			'a yes that is denied',
			[{ externalId: 'a', result: 'Could not be created' }],
			['refused', ''],
		],
		['a list of another word', { successful: ['a'], unsuccessful: ['b'] }, ['done', 'refused']],
		['another word', [{ externalId: 'b', status: 'denied', reason: bad }], ['', 'refused']],
		['one left out', [{ externalId: 'b', status: 'skipped', reason: bad }], ['', 'refused']],
		['a list of those left out', { skipped: [{ externalId: 'b', reason: bad }] }, ['', 'refused']],
		['a flag of another name', [{ externalId: 'b', isValid: false }], ['', 'refused']],
		[
			'a flag as number',
			[
				{ ...a, success: 1 },
				{ ...b, success: 0 },
			],
			['done', 'refused'],
		],
		...['erro', 'Falha', 'falhou', 'rejeitado', 'inv\u00e1lido', 'recusada'].map(
			(status): [string, unknown, string[]] => [
				`"${status}"`,
				[{ externalId: 'b', status, mensagem: bad }],
				['', 'refused'],
			],
		),
		...['leads.1.email', 'leads[1].email', '/leads/1/email', '1.email', '[1]'].map(
			(path): [string, unknown, string[]] => [
				`a reason under ${path}`,
				{ errors: { [path]: [bad], 'leads.0': [] } },
				['', 'refused'],
			],
		),
		['a path beside', { errors: [{ path: ['leads', 1, 'x'], message: bad }] }, ['', 'refused']],
		['a path of no lead', { errors: { 'tags.1': [bad] } }, ['unclear', 'unclear']],
	])('tells words of no from refusals: %s', (_, answer, kinds) => {
		const pushed = [{ externalId: 'a', status: 'rejected' }, sent[1]];
		expect(readPushResults(answer, pushed).map((result) => result?.kind ?? '')).toEqual(kinds);
	});

	it('says which field is wrong where a path tells it', () => {
		const [, second] = readPushResults({ errors: { 'leads.1.email': ['is no email'] } }, sent);
		expect(second).toMatchObject({ message: 'leads.1.email: is no email' });
	});

	const failure = { success: false, error: { code: 'V', message: 'Invalid' } };
	const asked = { kind: 'failed', code: 'V', message: 'Invalid' };
	const no = (message: string) => expect.objectContaining({ kind: 'refused', message });
	const yes = expect.objectContaining({ kind: 'done' });

	// The answer failed as a whole; undefined where it tells nothing of any lead.
	it.each<[string, object, unknown[] | undefined]>([
		['an index', { errors: [{ index: 1, message: bad }] }, [asked, no(bad)]],
		['details', { details: [{ externalId: 'b', message: bad }] }, [asked, no(bad)]],
		['details by index', { details: [{ index: 0, message: bad }] }, [no(bad), asked]],
		[
			'details inside',
			{ error: { ...failure.error, details: [{ externalId: 'b', message: bad }] } },
			[asked, no(bad)],
		],
		['issues', { issues: [{ externalId: 'a', message: bad }] }, [no(bad), asked]],
		['refused ones without a reason', { failed: ['b'] }, [asked, no('Invalid')]],
		['leads with IDs', { leads: [{ externalId: 'a', id: '1' }] }, undefined],
		['jobs', { results: [{ externalId: 'a', status: 'queued' }] }, undefined],
		['conflicts', { conflicts: [{ externalId: 'a', existingId: '1' }] }, undefined],
		['what was sent', { request: { leads: ab } }, undefined],
		['what was sent, as data', { data: { leads: ab } }, undefined],
		['what was sent, under another name', { received: ab }, undefined],
		['remarks in no order', { details: [{ message: bad }, { message: bad }] }, undefined],
		['one that is valid', { leads: [{ externalId: 'a', valid: true }] }, undefined],
		['a list of yes', { created: ['a'] }, [yes, asked]],
		['a list of yes with records', { updated: [{ externalId: 'a' }] }, [yes, asked]],
		['records of yes', { created: { a: { id: '1' } } }, [yes, asked]],
		['a flag of yes', { results: [a, { externalId: 'b', ok: true }] }, [yes, yes]],
		['a word of yes', { results: [{ externalId: 'a', action: 'created' }] }, [yes, asked]],
		['a code of yes', { results: [{ externalId: 'a', status: 201 }] }, [yes, asked]],
		['a yes, and a no', { results: [a], errors: ['a: x'] }, [no('x'), asked]],
	])('takes for taken after a failure only what is said to be: %s', (_, told, results) => {
		const answer = { ...failure, ...told };
		expect(tellsOfLeads(answer, sent)).toBe(results !== undefined);
		expect(readPushResults(answer, sent, true)).toEqual(results ?? [asked, asked]);
	});

	it('reads a failure without an envelope', () => {
		const told = { a: ['phone is invalid'], b: ['is no email'] };
		expect(readPushResults(told, sent, true)).toEqual([no('phone is invalid'), no('is no email')]);
		expect(readPushResults({ externalId: 'a', message: bad }, [sent[0]], true)).toEqual([no(bad)]);
	});

	it('takes a refusal of one for that of the one lead sent, and joins the reasons', () => {
		const errors = [{ message: bad }, { reason: 'bad phone' }, { detail: bad }];
		expect(readPushResults({ errors }, [{}])).toEqual([
			{ kind: 'refused', code: undefined, message: `${bad}; bad phone` },
		]);
	});
});
