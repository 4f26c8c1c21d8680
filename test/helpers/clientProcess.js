/**
 * A process of its own that wants `wanted` requests in flight for `minutes`, permitted by the governor of the build.
 * Time runs `scale` times as fast as real time since `epoch`, as in the sandbox. Begins with
 * the first message, and sends how many requests were refused.
 */
const { clock } = require('../../dist/nodes/IntegrationLeads/transport/clock.js');
const { governorFor } = require('../../dist/nodes/IntegrationLeads/transport/governor.js');

const { url, key, epoch, scale, wanted, minutes } = JSON.parse(process.argv[2]);
const { sleep } = clock;
clock.now = () => epoch + (performance.timeOrigin + performance.now() - epoch) * scale;
clock.sleep = async (ms, signal) => await sleep(ms / scale, signal);

let refused = 0;

async function want() {
	for (;;) {
		const permit = await governorFor(url).acquire();
		const response = await fetch(`${url}/api/v1/integration/leads?limit=1`, {
			headers: { Authorization: `Bearer ${key}` },
		});
		await response.text();
		if (response.status === 429) {
			refused += 1;
			governorFor(url).throttled(Number(response.headers.get('retry-after')) * 1000);
		}
		permit.release(Object.fromEntries(response.headers));
	}
}

process.once('message', () => {
	for (let each = 0; each < wanted; each += 1) void want();
	// What still waits then is dropped.
	void clock.sleep(minutes * 60_000).then(() => process.send({ refused }, () => process.exit()));
});
process.send('ready');
