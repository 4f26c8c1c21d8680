import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { InputError, ServiceError, throwMistakes } from '../../nodes/IntegrationLeads/userError';
import { emptyValues } from '../../nodes/IntegrationLeads/prepare/plan';
import { summarizeFailures } from '../../nodes/IntegrationLeads/output/failures';
import { ItemLoop, type Job } from '../../nodes/IntegrationLeads/run/itemLoop';
import { node } from '../helpers/node.mts';

/** The part of n8n's context that the loop uses. */
function contextOf(
	count: number,
	{
		goesOn = false,
		signal = undefined as AbortSignal | undefined,
		rowOf = (index: number): IDataObject => ({ row: index }),
	} = {},
) {
	return {
		getInputData: () => Array.from({ length: count }, (_, index) => ({ json: rowOf(index) })),
		continueOnFail: () => goesOn,
		getNode: () => node,
		getExecutionCancelSignal: () => signal,
	} as unknown as IExecuteFunctions;
}

const emptyDraft = {
	values: emptyValues(),
	targets: [],
	context: { timezone: 'UTC', now: 0 },
};

type ItemJob = Omit<Job, 'items'>;

const job = (run: () => Promise<IDataObject[]>, recordKeys: string[] = []): ItemJob => ({
	recordKeys,
	run: async () => [await run()],
});

/** A job for each item. */
async function runItems(
	context: IExecuteFunctions,
	planJob: (itemIndex: number) => ItemJob | ItemJob[],
	ask: (job: ItemJob) => Promise<void> = async () => await Promise.resolve(),
) {
	const run = new ItemLoop(context, 'account', {});
	const draft = (itemIndex: number) =>
		[planJob(itemIndex)].flat().map((each) => ({
			...emptyDraft,
			// The loop looks up and carries out what it does not know, so a job will do.
			lookups: [{ lookup: each as never, place: 'path', field: 'leadId' } as const],
			operation: { ...each, steps: {} } as never,
		}));
	const planned = await run.plan(draft, async (lookup) => {
		await ask(lookup as never);
		return 'l-1';
	});
	await run.runJobs(
		planned.map(({ plan, ...item }) => ({
			items: [item],
			...(plan.operation as unknown as ItemJob),
		})),
	);
	return run.output;
}

const turns = async (count: number) => {
	for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
};

describe('runItems', () => {
	const item = fc.record({
		turns: fc.nat(12),
		keys: fc.uniqueArray(fc.constantFrom<string[]>('a', 'b', 'c'), { maxLength: 2 }),
		gives: fc.nat(3),
		fails: fc.boolean(),
	});

	it('cuts a message that quotes a long value', async () => {
		const [{ json }] = await runItems(contextOf(1, { goesOn: true }), () => {
			throw new InputError(`No contact has the phone ${'1'.repeat(100_000)}`, 'Check it.');
		});
		expect(json.error).toMatch(/^No contact has the phone 1{975}…$/);
		expect(json.message).toBe('Check it.');
	});

	it('keeps order and pairing, the limit of items at once, and one item at a time for each record', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(item, { maxLength: 25 }), async (items) => {
				const begun: number[] = [];
				const running = new Set<number>();
				const output = await runItems(contextOf(items.length, { goesOn: true }), (index) =>
					job(async () => {
						const { keys, gives, fails } = items[index];
						for (const other of running) {
							expect(items[other].keys.filter((key) => keys.includes(key))).toEqual([]);
						}
						running.add(index);
						begun.push(index);
						await turns(items[index].turns);
						running.delete(index);
						if (fails) throw new InputError('no', 'why');
						return Array.from({ length: gives }, (_, nth) => ({ index, nth }));
					}, items[index].keys),
				);
				expect([...begun].sort((a, b) => a - b)).toEqual(items.map((_, index) => index));
				for (const key of ['a', 'b', 'c']) {
					const ofKey = begun.filter((index) => items[index].keys.includes(key));
					expect(ofKey).toEqual([...ofKey].sort((a, b) => a - b));
				}
				expect(output.map(({ json, pairedItem }) => [json, pairedItem])).toEqual(
					items.flatMap(({ gives, fails }, index) => {
						const records: IDataObject[] = fails
							? [{ error: 'no', message: 'why', input: { row: index } }]
							: Array.from({ length: gives }, (_, nth) => ({ index, nth }));
						return records.map((json) => [json, { item: index }]);
					}),
				);
			}),
		);
	});

	it.each([
		['in words for the user', new InputError('"Lead" is empty', 'Choose one.'), '"Lead" is empty'],
		['with the letters of a system code', new InputError('"preexisting"', 'x'), '"preexisting"'],
		['unexpected', new Error('boom'), 'boom'],
	])('turns thrown values into n8n errors that name the item: %s', async (_, thrown, message) => {
		const plan = (index: number) => {
			if (index === 1) throw thrown;
			return job(async () => [{}]);
		};
		const failed = await runItems(contextOf(2), plan).catch((error: unknown) => error);
		expect(failed).toBeInstanceOf(NodeOperationError);
		expect(failed).toMatchObject({
			message: thrown instanceof InputError ? `Item 2: ${message}` : message,
		});
		const [, item1] = await runItems(contextOf(2, { goesOn: true }), plan);
		expect(item1).toMatchObject({
			json: { error: message, input: { row: 1 } },
			pairedItem: { item: 1 },
		});
		expect(Object.keys(item1).sort()).toEqual(['json', 'pairedItem']);
	});

	it("makes n8n's error with the item; its description, which n8n shows as HTML, is text", async () => {
		const description = 'HTTP 400, <img src=x> & co';
		const error = new ServiceError('m', description, 'refused', { stated: {}, httpCode: '400' });
		const run = runItems(contextOf(1), () => job(async () => await Promise.reject(error)));
		const thrown = await run.catch((reason: unknown) => reason);
		expect(thrown).toBeInstanceOf(NodeApiError);
		expect(thrown).toMatchObject({
			message: 'm',
			description: 'HTTP 400, &lt;img src=x> &amp; co',
			httpCode: '400',
			context: { itemIndex: 0 },
			kind: 'refused',
		});
		expect(error.description).toBe(description);
	});

	it.each([
		['with the item', {}, { message: 'm', description: 'd', context: { itemIndex: 0 } }],
		['as it is if it names one', { itemIndex: 7 }, { context: { itemIndex: 7 } }],
	])('passes on what n8n threw %s, and leaves it unchanged', async (_, more, expected) => {
		const error = new NodeOperationError(node, 'm', { description: 'd', ...more });
		const before = structuredClone({ ...error, node: undefined });
		const run = runItems(contextOf(1), () => job(async () => await Promise.reject(error)));
		await expect(run).rejects.toMatchObject(expected);
		expect({ ...error, node: undefined }).toEqual(before);
	});

	// No slot is handed on before the failure is recorded, which would send one more item.
	it('sends no further items once one has failed, waits for those that have started, and names the failed', async () => {
		const begun: number[] = [];
		const ended: number[] = [];
		const run = runItems(contextOf(20), (index) =>
			job(async () => {
				begun.push(index);
				// Item 3 fails first in time, item 1 first in order.
				await turns(index === 3 ? 1 : 20);
				ended.push(index);
				if ([1, 3].includes(index)) throw new InputError(`item ${index}`, '');
				return [];
			}),
		);
		await expect(run).rejects.toMatchObject({
			message: '2 of 20 items failed: items 2, 4',
			description: 'Item 2: item 1<br>\nItem 4: item 3',
		});
		const started = [0, 1, 2, 3, 4, 5, 6, 7];
		expect([begun, ended.sort()]).toEqual([started, started]);
	});

	const phone = (row: number) => [`"Fone" has no country code: "${row}"`, 'Begin with +.'];
	const date = (text: string) => [`"Data" must be a date: ${text}`, 'Give it as 2026-01-31.'];
	const noId = ['"External ID" is required', 'Give one.'];
	const unsent = 'Nothing was sent.';
	const wayOn = `${unsent} To send the others, set Settings > On Error of this node to Continue.`;
	const each = (count: number, mistake: (index: number) => string[]) =>
		Object.fromEntries(Array.from({ length: count }, (_, index) => [index, [mistake(index)]]));
	const several = { 2: [phone(1)], 8: [phone(2), date('<b>soon</b>')], 28: [noId], 29: [noId] };

	/** Each case: the number of items, the mistakes of each that has some, by its index, and the paragraphs of the message. */
	it.each<[string, number, Record<number, string[][]>, string, string[], boolean?]>([
		['the only item, in its own words', 1, { 0: [noId] }, noId[0], ['Give one.']],
		['one mistake of one item', 30, { 3: [noId] }, `Item 4: ${noId[0]}`, [wayOn, noId[1]]],
		['the same in all', 2, each(2, () => noId), `Items 1, 2: ${noId[0]}`, [unsent, noId[1]]],
		[
			'the same in many',
			13,
			each(12, () => noId),
			`Items 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more: ${noId[0]}`,
			[wayOn, noId[1]],
		],
		[
			'several mistakes, what to do stated once for those of a kind, in the numbers of the sheet',
			30,
			several,
			'4 of 30 items cannot be sent: rows 4, 10, 30, 31',
			[
				wayOn,
				`Row 4: ${phone(1)[0]}|Row 10: ${phone(2).join('|')}`,
				'Row 10: "Data" must be a date: &lt;b>soon&lt;/b>|Give it as 2026-01-31.',
				`Rows 30, 31: ${noId.join('|')}`,
			],
			true,
		],
		[
			'ten at most',
			12,
			each(12, phone),
			'12 of 12 items cannot be sent: items 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more',
			[
				unsent,
				Array.from({ length: 10 }, (_, n) => `Item ${n + 1}: ${phone(n)[0]}|`).join('') +
					phone(0)[1],
				'and 2 more',
			],
		],
	])(
		'names every mistake: %s',
		async (_, count, mistakes, message, paragraphs, isSheet = false) => {
			const rowOf = (index: number): IDataObject => (isSheet ? { row_number: index + 2 } : {});
			const run = runItems(contextOf(count, { rowOf }), (index) => {
				throwMistakes((mistakes[index] ?? []).map(([text, cure]) => new InputError(text, cure)));
				return job(async () => [{}]);
			});
			const description = paragraphs.join('||').replaceAll('|', '<br>\n');
			await expect(run).rejects.toMatchObject({ message, description });
		},
	);

	describe('of a failure, each reader gets what he can do', () => {
		const error = new InputError('"Lead" is unknown', {
			all: 'Check it.',
			panel: 'Choose one From List.',
			model: 'Lead > Get Many finds it.',
			row: 'Write its number.',
		});
		const fail = async (type: string, inRows: boolean) => {
			const context = { ...contextOf(1), getNode: () => ({ ...node, type }) };
			const actions = { 'Lead > Get Many': 'Get many leads' };
			const run = new ItemLoop(context, 'account', actions, [], { inRows });
			const failure = run.plan(() => {
				throw error;
			}, undefined as never);
			return { run, failure };
		};

		it.each([
			['a person at the panel', 'leads', 'Check it. Choose one From List.'],
			['the model of an agent', 'leadsTool', 'Check it. "get many leads" finds it.'],
		])('%s', async (_, type, description) => {
			const { failure } = await fail(type, false);
			await expect(failure).rejects.toMatchObject({ message: error.message, description });
		});

		it('a row, with the rest for whoever has the panel', async () => {
			const { run, failure } = await fail('leads', true);
			await failure;
			expect(run.output[0].json.result).toBe(
				'refused: "Lead" is unknown. Check it. Write its number',
			);
			const hint = summarizeFailures(run.failed, [{}], true);
			expect(hint).toContain('"result" in their output says why.');
			expect(hint).toMatch(/Choose one From List\.$/);
			const all = new Map([...run.failed, [1, new Error('forbidden')]]);
			expect(summarizeFailures(all, [{}, {}], true)).toContain(
				'"result" or "error" in their output',
			);
		});
	});

	it('ends with the first failure that is no mistake of an item', async () => {
		const planned: number[] = [];
		const run = runItems(contextOf(5), (index) => {
			planned.push(index);
			if (index === 1) throw new Error('the expression names a node that has not run');
			return job(async () => [{}]);
		});
		await expect(run).rejects.toMatchObject({ context: { itemIndex: 1 } });
		expect(planned).toEqual([0, 1]);
	});

	it('starts no further items once the execution is cancelled, even if set to continue', async () => {
		const controller = new AbortController();
		const begun: number[] = [];
		const run = runItems(contextOf(20, { goesOn: true, signal: controller.signal }), (index) =>
			job(async () => {
				begun.push(index);
				if (index === 1) controller.abort(new Error('cancelled'));
				await turns(3);
				return [];
			}),
		);
		await expect(run).rejects.toMatchObject({ message: 'cancelled' });
		// Those of the same moment at most.
		expect(Math.max(...begun)).toBeLessThan(8);
	});
});
