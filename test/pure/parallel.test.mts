/** How long loops leave room for others, and how work with the same key waits. */
import { clock } from '../../nodes/IntegrationLeads/transport/clock';
import { KeyedMutex, yielder } from '../../nodes/IntegrationLeads/transport/parallel';

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

it.each([
	['ended well', async () => 'first'],
	['failed', async () => await Promise.reject(new Error('first'))],
])('work begins after earlier work with its key that %s', async (_, work) => {
	const locks = new KeyedMutex();
	const order: string[] = [];
	const first = locks.take(['a'], async () => {
		await new Promise(setImmediate);
		order.push('first');
		return await work();
	});
	const second = locks.take(['a', 'b'], async () => void order.push('second'));
	await Promise.allSettled([first, locks.take(['c'], async () => void order.push('other'))]);
	await second;
	expect(order).toEqual(['other', 'first', 'second']);
});
