/** How long loops leave room for others. */
import { clock } from '../../nodes/IntegrationLeads/transport/clock';
import { yielder } from '../../nodes/IntegrationLeads/transport/parallel';

it('a long loop yields every 20 ms, and not before its first step', async () => {
	const { sleep } = clock;
	let now = 1000;
	const time = jest.spyOn(Date, 'now').mockImplementation(() => now);
	let yields = 0;
	clock.sleep = async () => await Promise.resolve(void (yields += 1));
	const yieldNow = yielder();
	const after: number[] = [];
	for (const passedMs of [500, 0, 19, 1, 0, 20, 5]) {
		now += passedMs;
		await yieldNow();
		after.push(yields);
	}
	time.mockRestore();
	clock.sleep = sleep;
	expect(after).toEqual([0, 0, 0, 1, 1, 2, 2]);
});
