/**
 * A process of its own that wants `wanted` requests in flight, permitted by the governor of the build and sent over
 * HTTP. Its time is the parent's: each message is the time now, and the reply, once all its work sleeps and no request
 * is under way, when the first of it wakes. So nothing depends on how fast the machine is.
 */
const { setImmediate } = require('node:timers/promises');

// Loading n8n takes each process a second. Nothing of it is used but the sleep that is replaced below.
require.cache[require.resolve('n8n-workflow')] = { exports: {}, loaded: true };
const { clock } = require('../../dist/nodes/IntegrationLeads/transport/clock.js');
const { governorFor } = require('../../dist/nodes/IntegrationLeads/transport/governor.js');

const { url, key, wanted, seed } = JSON.parse(process.argv[2]);
let now = 0;
let random = seed;
let underWay = 0;
let sleeping = [];

clock.now = () => now;
clock.random = () => {
	random = (random * 16_807) % 2_147_483_647;
	return random / 2_147_483_647;
};
clock.sleep = async (ms, signal) =>
	await new Promise((wake, reject) => {
		const sleeper = { at: now + ms, wake };
		sleeping.push(sleeper);
		signal?.addEventListener('abort', () => {
			sleeping = sleeping.filter((each) => each !== sleeper);
			reject(signal.reason);
		});
	});

async function send() {
	underWay += 1;
	const response = await fetch(`${url}/api/v1/integration/leads?limit=1`, {
		headers: { Authorization: `Bearer ${key}` },
	});
	await response.text();
	underWay -= 1;
	return response;
}

async function want() {
	for (;;) {
		const permit = await governorFor(url).acquire();
		const tripMs = 20 + clock.random() * 480;
		await clock.sleep(tripMs / 2);
		const { status, headers } = await send();
		await clock.sleep(tripMs / 2);
		const retryAfterMs = headers.get('retry-after') * 1000;
		const kind = status === 429 ? 'refused' : 'accepted';
		permit.release({
			result: { kind, status, retryAfterMs },
			headers: Object.fromEntries(headers),
		});
	}
}

process.on('message', async (time) => {
	const isFirst = now === 0;
	now = time;
	if (isFirst) for (let each = 0; each < wanted; each += 1) void want();
	const due = sleeping.filter(({ at }) => at <= now);
	sleeping = sleeping.filter(({ at }) => at > now);
	for (const { wake } of due) wake();
	do await setImmediate();
	while (underWay > 0);
	process.send(Math.min(...sleeping.map(({ at }) => at)));
});
