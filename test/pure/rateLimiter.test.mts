/** Who is served first when requests wait for the rate limit. */
import { RateLimiter, takePlace } from '../../nodes/IntegrationLeads/transport/rateLimiter';

/** Serves requests of the places, by their names, one after another, and returns the order in which they were served. */
async function served(places: Record<string, ReturnType<typeof takePlace>>, asked: string) {
	const rateLimiter = new RateLimiter();
	// The first request goes alone; until it ends, all others wait.
	const first = await rateLimiter.acquire(takePlace());
	const order: string[] = [];
	const all = [...asked].map(async (name) => {
		const permit = await rateLimiter.acquire(places[name]);
		order.push(name);
		await new Promise(setImmediate);
		permit?.release();
	});
	first?.release();
	await Promise.all(all);
	return order.join('');
}

it.each([
	['the item that began first goes first, whichever asks first', 'cba', 'abc'],
	['an item keeps its place for its later requests', 'ccbbaa', 'aabbcc'],
	['requests of one item keep their order', 'aaa', 'aaa'],
	['a list gives every second turn to the others, though it began first', 'LLLLab', 'LaLbLL'],
	['two lists together take no more than one of them', 'LMLMab', 'LaLbMM'],
	['a list that began last waits for those before it', 'NNab', 'abNN'],
	['a list alone has every turn', 'LLL', 'LLL'],
])('%s', async (_, asked, expected) => {
	const [L, M] = [takePlace(true), takePlace(true)];
	const [a, b, c] = [takePlace(), takePlace(), takePlace()];
	expect(await served({ L, M, a, b, c, N: takePlace(true) }, asked)).toBe(expected);
});
