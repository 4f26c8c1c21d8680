/** Sixteen executions on all workers share one key: nothing is refused, nothing is sent twice, and the limit is used. */
import assert from 'node:assert/strict';

import { flow, leads } from '../flow.mjs';
import { countSent, figures, numbered, runTogether, withSandbox } from './setup.mjs';

const EXECUTIONS = 16;
const MINUTE_MS = 60_000;

/** Items of each execution, by requests per minute: enough for some windows, or in the short form for more than one. */
const ITEMS = {
	full: { 1000: 190, 300: 75, 100: 30 },
	short: { 1000: 80, 300: 0, 100: 8 },
};

/** The part of the requests allowed that was sent, in all windows but the last, which is not full. */
function useOf(windows, rpm) {
	const full = windows.slice(0, -1);
	return full.reduce((sum, { accepted }) => sum + accepted, 0) / (full.length * rpm);
}

async function share(world, rpm, items) {
	const upsert = leads('Upsert', 'upsert', { externalId: '={{ $execution.id }}-{{ $json.n }}' });
	const workflow = flow(`${EXECUTIONS} at ${rpm} a minute`, ...numbered(items), upsert);
	const limitMs = hangOf(rpm, items);
	const { executions, workers } = await runTogether(world, workflow, EXECUTIONS, limitMs);

	const requests = await world.sandbox.control('requests');
	const accepted = requests.filter(({ status }) => status < 300);
	const expected = executions.flatMap(({ id }) =>
		Array.from({ length: items }, (_, n) => `${id}-${n}`),
	);
	const { twice, never } = countSent(
		expected,
		accepted.map(({ body }) => body.externalId),
	);
	const refused = requests.filter(({ status }) => status === 429).length;
	const use = useOf((await world.sandbox.control('rates')).full, rpm);
	const measured = { requests: requests.length, twice, never, refused };
	const percent = `${(use * 100).toFixed(1)} %`;
	world.figures.push(
		figures(`${EXECUTIONS} executions, ${rpm} a minute`, {
			...measured,
			'use of the limit': percent,
		}),
	);
	assert.deepEqual(
		executions.map(({ status }) => status),
		executions.map(() => 'success'),
	);
	assert.equal(workers.size, world.queue.workers.length, 'all workers took part');
	assert.deepEqual(measured, { requests: expected.length, twice: 0, never: 0, refused: 0 });
	assert.ok(use >= 0.9, `${percent} of the limit were used`);
}

/** Twice as long as the limit demands, and time for n8n. */
const hangOf = (rpm, items) => ((2 * EXECUTIONS * items) / rpm + 4) * MINUTE_MS;

export const casesFor = ({ short }) =>
	Object.entries(short ? ITEMS.short : ITEMS.full)
		.filter(([, items]) => items > 0)
		.map(([rpm, items]) => ({
			name: `${EXECUTIONS} executions share a key at ${rpm} requests a minute`,
			hangMs: hangOf(Number(rpm), items),
			run: async (world) =>
				await withSandbox(world, { name: `limit-${rpm}`, rpm: Number(rpm) }, (own) =>
					share(own, Number(rpm), items),
				),
		}));
