/**
 * Sixteen executions on all workers share one key: few requests are refused, nothing is lost or sent twice, and the limit is used.
 */
import assert from 'node:assert/strict';

import type { RateWindow } from '../../../sandbox/rateLimit.mts';
import type { Case } from '../../../scripts/lib/cases.mts';
import { say } from '../../../scripts/lib/progress.mts';
import { flow, leads, numbered } from '../flow.mts';
import type { QueueCaseWorld, QueueWorld } from '../world.mts';
import { countSent, figures, refusedOf, runTogether, startLine, withSandbox } from './setup.mts';

const EXECUTIONS = 16;
const MINUTE_MS = 60_000;

const WINDOW_MS = 20_000;
interface Limit {
	/** Requests allowed in a window. */
	rpm: number;
	/** Of each execution: enough for more than two windows. */
	items: number;
	/** The share of requests that may be refused. */
	maxRefused: number;
}
const LIMITS: Limit[] = [
	{ rpm: 300, items: 40, maxRefused: 0.02 },
	{ rpm: 100, items: 14, maxRefused: 0.06 },
];

/**
 * The part of the requests allowed that was sent, in all windows but the last, which is not full. It is printed, not asserted:
 * in so short a time it depends on the machine.
 */
function useOf(windows: RateWindow[], rpm: number): number {
	const full = windows.slice(0, -1);
	return full.reduce((sum, { accepted }) => sum + accepted, 0) / (full.length * rpm);
}

async function share(
	world: QueueCaseWorld,
	{ rpm, items, maxRefused }: Limit,
	limitMs: number,
): Promise<void> {
	const upsert = leads('Upsert', 'upsert', { externalId: '={{ $execution.id }}-{{ $json.n }}' });
	const line = await startLine(EXECUTIONS);
	const workflow = flow(`Limit of ${rpm}`, line.node, ...numbered(items), upsert);
	const { executions, workers } = await runTogether(world, workflow, EXECUTIONS, limitMs);
	line.close();

	const requests = await world.sandbox.control('requests');
	const accepted = requests.filter(({ status }) => status !== null && status < 300);
	const expected = executions.flatMap(({ id }) =>
		Array.from({ length: items }, (_, n) => `${id}-${n}`),
	);
	const sent = accepted.map(({ body }) => (body as { externalId: string }).externalId);
	const { twice, never } = countSent(expected, sent);
	const refused = refusedOf(requests);
	const { full: windows } = await world.sandbox.control('rates');
	const perWindow = windows.map(({ accepted, rejected }) => `${accepted}+${rejected}`);
	say(`  accepted+refused in each window: ${perWindow.join(' ')}`);
	const measured = {
		requests: requests.length,
		twice,
		never,
		refused,
		'use of the limit': `${(useOf(windows, rpm) * 100).toFixed(1)} %`,
	};
	world.figures.push(figures(`${EXECUTIONS} executions, limit of ${rpm}`, measured));
	assert.deepEqual(
		executions.map(({ status }) => status),
		executions.map(() => 'success'),
	);
	assert.equal(workers.size, world.queue.workers.length, 'all workers took part');
	assert.deepEqual({ twice, never }, { twice: 0, never: 0 });
	const most = maxRefused * requests.length;
	assert.ok(refused <= most, `${refused} of ${requests.length} requests were refused`);
}

/** Twice as long as the limit demands, and time for n8n. */
const hangOf = ({ rpm, items }: Limit): number =>
	2 * Math.ceil((EXECUTIONS * items) / rpm) * WINDOW_MS + 2 * MINUTE_MS;

export const casesFor = (): Array<Case<QueueWorld>> =>
	LIMITS.map((limit) => {
		const hangMs = hangOf(limit);
		return {
			name: `${EXECUTIONS} executions share a key with ${limit.rpm} requests in ${WINDOW_MS / 1000} s`,
			hangMs,
			async run(world: QueueWorld) {
				const options = {
					name: `limit-${limit.rpm}`,
					limit: { rpm: limit.rpm, windowMs: WINDOW_MS },
				};
				await withSandbox(world, options, async (own) => await share(own, limit, hangMs));
			},
		};
	});
