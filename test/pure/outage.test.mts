import { Outage } from '../../nodes/IntegrationLeads/run/unanswered';
import { ServiceError, UnconfirmedError, UserError } from '../../nodes/IntegrationLeads/userError';
import { START, virtualClock } from './virtualClock.mts';

let time: ReturnType<typeof virtualClock>;
beforeEach(() => void (time = virtualClock()));
afterEach(() => time.restore());

const SECOND = 1000;
const down = new UserError('down', '', 'outage');
const asksFor = (seconds: number) =>
	new ServiceError('busy', '', 'outage', { stated: { retryAfter: seconds }, httpCode: '503' });
const refused = new UserError('refused', '', 'refused');
const lost = new UserError('lost', '', 'lostAnswer');

/** What comes of work, after how many seconds and tries. */
async function outcomeOf(outage: Outage, work: () => Promise<string>, seconds = 115) {
	const [begunAt, tries] = [time.now(), { count: 0 }];
	const done = outage
		.retry(async () => {
			tries.count += 1;
			return await work();
		})
		.catch(({ message }: Error) => message)
		.then((what) => [what, (time.now() - begunAt) / SECOND, tries.count]);
	await time.runUntil(begunAt + seconds * SECOND);
	return await done;
}

/** Fails with the errors in turn, then succeeds. */
const failing = (...errors: Error[]) => {
	const left = [...errors];
	return async () => {
		const error = left.shift();
		if (error) throw error;
		return await Promise.resolve('done');
	};
};
/** Is not available up to a moment, in seconds from the start. */
const downUntil = (seconds: number) => async () => {
	if (time.now() < START + seconds * SECOND) throw down;
	return await Promise.resolve('done');
};

it.each<[string, () => Promise<string>, isAwaited: boolean, unknown[]]>([
	['an outage', failing(down, down), false, ['done', 20, 3]],
	['an outage that somebody waits for', failing(down), true, ['down', 0, 1]],
	['an outage without an end', downUntil(1000), false, ['down', 110, 12]],
	['a wait that the service asks for', failing(asksFor(60)), false, ['done', 60, 2]],
	['a wait that is too long', failing(asksFor(1200)), false, ['done', 110, 2]],
	['a refusal', failing(refused), false, ['refused', 0, 1]],
	['a lost answer', failing(lost, down, refused), false, ['refused', 20, 3]],
	[
		'a lost answer that nothing follows',
		failing(lost, new UnconfirmedError('unclear')),
		false,
		['lost', 10, 2],
	],
])('%s', async (_, work, isAwaited, expected) => {
	expect(await outcomeOf(new Outage(time, isAwaited), work)).toEqual(expected);
});

it('is one for all work of a run: what begins late in it waits no longer', async () => {
	const outage = new Outage(time, false);
	const first = outcomeOf(outage, downUntil(1000));
	expect(await first).toEqual(['down', 110, 12]);
	expect(await outcomeOf(outage, downUntil(1000))).toEqual(['down', 0, 1]);
});

it('ends with work that succeeds after it has failed, and the next one is outlasted as well', async () => {
	const outage = new Outage(time, false);
	expect(await outcomeOf(outage, downUntil(30))).toEqual(['done', 30, 4]);
	// Minutes later in the same run.
	expect(await outcomeOf(outage, downUntil(145))).toEqual(['done', 30, 4]);
});

it('goes on while other work succeeds, so that rows which always fail are not tried for hours', async () => {
	const outage = new Outage(time, false);
	expect(await outcomeOf(outage, downUntil(1000))).toEqual(['down', 110, 12]);
	expect(await outcomeOf(outage, failing(), 1)).toEqual(['done', 0, 1]);
	expect(await outcomeOf(outage, downUntil(1000), 110)).toEqual(['down', 0, 1]);
	// As long again after that, it is another outage.
	expect(await outcomeOf(outage, failing(down))).toEqual(['done', 10, 2]);
});

it.each([
	['is refused', refused],
	['may have been recorded', new UnconfirmedError('unclear')],
])('ends with work that %s after it has failed', async (_, last) => {
	const outage = new Outage(time, false);
	await outcomeOf(outage, failing(down, last), 100);
	expect(await outcomeOf(outage, downUntil(180))).toEqual(['done', 80, 9]);
});
