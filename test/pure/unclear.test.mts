import type { Unsuccessful } from '../../nodes/IntegrationLeads/transport/retry';
import { isUnclear, mayStillRun } from '../../nodes/IntegrationLeads/transport/retry';

const refused = (status: number): Unsuccessful => ({ kind: 'refused', status });
const unreachable = (code: string, sent = true): Unsuccessful => ({
	kind: 'unreachable',
	code,
	sent,
});

// [result, may have been carried out, may still be at work]
test.each<[Unsuccessful, boolean, boolean]>([
	[unreachable('ECONNRESET'), true, false],
	[unreachable('EPIPE'), true, false],
	[unreachable('ECONNABORTED'), true, true],
	[unreachable('ETIMEDOUT'), true, true],
	[unreachable('ESOCKETTIMEDOUT'), true, true],
	[unreachable('ECONNREFUSED', false), false, false],
	[{ kind: 'broken', status: 201 }, true, false],
	[refused(408), true, false],
	[refused(500), true, false],
	[refused(503), true, false],
	[refused(504), true, true],
	[refused(200), false, false],
	[refused(400), false, false],
	[refused(404), false, false],
	[refused(429), false, false],
	[{ kind: 'otherServer', status: 200, shown: 'page' }, true, false],
	[{ kind: 'otherServer', status: 302, shown: 'redirect' }, false, false],
])('%j', (result, unclear, running) => {
	expect([isUnclear(result), mayStillRun(result)]).toEqual([unclear, running]);
});
