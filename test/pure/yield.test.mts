/** Many items leave n8n's event loop free, and can be cancelled, before anything is sent. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { lead } from '../../nodes/IntegrationLeads/contract/leadRecord';
import type { Plan, Questions } from '../../nodes/IntegrationLeads/prepare/plan';
import { ItemRun } from '../../nodes/IntegrationLeads/run/items';
import { selectFields } from '../../nodes/IntegrationLeads/output/output';
import { clock } from '../../nodes/IntegrationLeads/transport/clock';
import { node } from '../helpers/node.mts';

const real = { ...clock };
afterEach(() => {
	Object.assign(clock, real);
	jest.restoreAllMocks();
});

/** Each item takes 8 ms to plan, and `startMs` to start. */
async function planSlowly(count: number, startMs = 0) {
	const planned: number[] = [];
	const pauses: number[] = [];
	const sent: number[] = [];
	const controller = new AbortController();
	let now = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	clock.sleep = async () => {
		pauses.push(planned.length);
		if (planned.length === 9) controller.abort();
		await new Promise((resolve) => setImmediate(resolve));
	};
	const context = {
		getInputData: () => Array.from({ length: count }, () => ({ json: {} })),
		continueOnFail: () => false,
		getNode: () => node,
		getExecutionCancelSignal: () => controller.signal,
	} as unknown as IExecuteFunctions;
	const run = new ItemRun(context, () => 2);
	const runAll = async () => {
		const drafted = await run.draft((itemIndex) => {
			now += 8;
			planned.push(itemIndex);
			return [{ pending: [], plan: () => ({}) as Plan }];
		});
		const items = await run.plan(drafted, {} as Questions);
		const jobs = items.map(({ itemIndex, part }) => ({
			items: [{ itemIndex, part }],
			recordKeys: [],
			run: async () => {
				now += startMs;
				sent.push(itemIndex);
				return await Promise.resolve([[{}]]);
			},
		}));
		await run.carryOut(jobs);
	};
	const failure = await runAll().then(
		() => undefined,
		(reason: unknown) => reason,
	);
	return { planned: planned.length, pauses, sent: sent.length, failure };
}

test('n8n does other things after every 20 ms of planning', async () => {
	const { pauses, sent, failure } = await planSlowly(8);
	expect({ pauses, sent, failure }).toEqual({ pauses: [3, 6], sent: 8, failure: undefined });
});

test('n8n does other things while many items are started', async () => {
	const { pauses, sent } = await planSlowly(8, 8);
	expect(sent).toBe(8);
	expect(pauses).toContain(8);
});

test.each([
	['simplified', { simplify: true }],
	['reduced to chosen fields', { output: 'selectedFields', outputFields: ['status'] }],
])('n8n does other things while a list is %s', async (_, settings: IDataObject) => {
	let [now, pauses] = [0, 0];
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	clock.sleep = async () => {
		pauses += 1;
		await Promise.resolve();
	};
	const slow = (id: number) =>
		Object.defineProperty({ id, status: 'open' }, 'tags', {
			get() {
				now += 8;
				return [];
			},
		});
	const records = Array.from({ length: 8 }, (__, id) => slow(id));
	const output = { kind: 'many' as const, record: lead };
	const rows = await selectFields(output, records, { settings, options: {} });
	expect(rows.map(({ status }) => status)).toEqual(Array(8).fill('open'));
	expect(pauses).toBeGreaterThan(1);
});

test('an execution that is cancelled while items are planned plans no more and sends nothing', async () => {
	const { planned, sent, failure } = await planSlowly(100);
	expect({ planned, sent }).toEqual({ planned: 9, sent: 0 });
	expect(failure).toMatchObject({ context: { itemIndex: 9 } });
});
