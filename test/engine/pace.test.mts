/** The rate limit: many executions of one process share a key, and none of them is ever refused. */
import { clock } from '#built/nodes/IntegrationLeads/transport/clock';
import type { Lab } from '../helpers/lab.mts';
import { by, realClock, simulatedClock, startLab } from '../helpers/lab.mts';

let lab: Lab;
/** While a request is under way, no time passes. */
const isBusy = () => lab.sandbox.controls.traffic().inFlight > 0;
afterEach(async () => {
	realClock();
	await lab.sandbox.close();
});

const items = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

test.each([
	{ rpm: 60, executions: 16, each: 11 },
	{ rpm: 100, executions: 16, each: 15 },
	{ rpm: 40, executions: 3, each: 40 },
	{ rpm: 120, executions: 1, each: 300 },
])(
	'$executions executions with $each requests each at $rpm a minute get no 429 and use over 90 %',
	async ({ rpm, executions, each }) => {
		simulatedClock(isBusy);
		lab = await startLab({ rpm });
		const lead = lab.sandbox.controls.createLead({ externalId: 'known' });
		const parameters = { operation: 'get', leadId: by('id', lead.id) };
		const ran = await Promise.all(
			items(executions).map(async () => await lab.engine.run(parameters, { input: items(each) })),
		);
		for (const { items: output, error } of ran) {
			expect([error, output.length]).toEqual([undefined, each]);
		}
		const windows = Object.values(lab.sandbox.controls.rates())[0];
		expect(windows.map(({ rejected }) => rejected)).toEqual(windows.map(() => 0));
		// The last window ends with the work, not with the limit.
		for (const { accepted } of windows.slice(0, -1)) expect(accepted).toBeGreaterThan(rpm * 0.9);
		expect(windows.length).toBe(Math.ceil((executions * each) / (windows[0].accepted || 1)));
		expect(ran.some(({ hints }) => hints[0]?.message.includes('rate limit'))).toBe(true);
	},
);

test.each(['milliseconds', 'delta'] as const)('understands a reset in %s', async (resetFormat) => {
	simulatedClock(isBusy);
	lab = await startLab({ rpm: 100, variant: { resetFormat } });
	const parameters = { operation: 'getAll', returnAll: false, limit: 1 };
	const { error } = await lab.engine.run(parameters, { input: items(250) });
	const windows = Object.values(lab.sandbox.controls.rates())[0];
	expect(error).toBeUndefined();
	expect(windows.map(({ rejected }) => rejected)).toEqual(windows.map(() => 0));
});

test('keeps a careful pace when the service shows no headers', async () => {
	const now = simulatedClock(isBusy);
	lab = await startLab({ rpm: 0, variant: { rateHeaders: false } });
	const start = now();
	const parameters = { operation: 'getAll', returnAll: false, limit: 1 };
	const { error } = await lab.engine.run(parameters, { input: items(100) });
	expect(error).toBeUndefined();
	// Ten a second: the first few go at once.
	expect(now() - start).toBeGreaterThan(8000);
});

test('survives others who use up the limit', async () => {
	simulatedClock(isBusy);
	lab = await startLab({ rpm: 40 });
	const { url, keys, controls } = lab.sandbox;
	const others = async () => {
		const headers = { Authorization: `Bearer ${keys.full}` };
		await fetch(`${url}/api/v1/integration/leads?limit=1`, { headers });
	};
	const { sleep } = clock;
	clock.sleep = async (ms, signal) => {
		await Promise.all(items(12).map(others));
		await sleep(ms, signal);
	};
	const upsert = { operation: 'upsert', externalId: '={{ "e" + $json.n }}' };
	const { items: output, error } = await lab.engine.run(upsert, { input: items(60) });
	expect([error, output.length]).toEqual([undefined, 60]);
	const rejected = controls.requests().filter(({ status }) => status === 429);
	expect(rejected.length).toBeGreaterThan(0);
	const bodies = controls
		.requests()
		.filter(({ method, status }) => method === 'POST' && status === 201);
	expect(bodies).toHaveLength(60);
});

test('an execution that is cancelled does not wait for the next window', async () => {
	lab = await startLab({ rpm: 5 });
	const parameters = { operation: 'getAll', returnAll: false, limit: 1 };
	// The window ends after a minute, which this test does not have.
	const { items: output } = await lab.engine.run(parameters, {
		input: items(20),
		onStart: (cancel) => {
			const watch = setInterval(() => {
				if (lab.sandbox.controls.requests().length < 2) return;
				clearInterval(watch);
				cancel();
			}, 50);
		},
	});
	expect(output).toEqual([]);
	// A process that begins leaves half of so small a limit to others.
	expect(lab.sandbox.controls.requests()).toHaveLength(2);
});
