/** The rate limit, as executions meet it. How many are refused: rateLimitedService.test.mts. */
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

test('16 executions of one process are never refused, and use the limit', async () => {
	const [rpm, executions, each] = [100, 16, 15];
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
	expect(windows.map(({ accepted }) => accepted)).toEqual([95, 95, 50]);
	expect(ran.some(({ hints }) => hints[0]?.message.includes('rate limit'))).toBe(true);
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
	expect(lab.sandbox.controls.requests().length).toBeLessThanOrEqual(5);
});
