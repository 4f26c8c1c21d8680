/**
 * The trigger through `kill -9` of main, in both ways in which n8n may poll. A database trigger delays the insertion of
 * executions: main is killed after the poll has read its events and before n8n has stored the execution that they start.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { Case } from '../../../scripts/lib/cases.mts';
import { say } from '../../../scripts/lib/progress.mts';
import { pollEvery, until } from '../flow.mts';
import { checkEvents, outcomeOf } from '../trigger.mts';
import type { QueueCaseWorld, QueueWorld } from '../world.mts';
import { figures, withSandbox } from './setup.mts';
import { Watch } from './watch.mts';

/** The last of the ways in which main is killed: it may be anywhere in a poll, or between two. */
const RANDOM_KILL_MS = 6000;
/** For the kill before the first poll after activation: that poll comes so much later. */
const FIRST_POLL_SECONDS = 20;
const EVERY_SECONDS = 2;

/** How triggers poll. */
const ORDINARY = 'ordinary polling';
const DURABLE = 'durable polling';

/** Delays each insertion of an execution of a workflow, in its transaction. */
const delaySql = (workflowId: string) => `
	CREATE OR REPLACE FUNCTION delay_execution() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN PERFORM pg_sleep(1.5); RETURN NEW; END $$;
	CREATE OR REPLACE TRIGGER delay BEFORE INSERT ON execution_entity FOR EACH ROW
		WHEN (NEW."workflowId" = '${workflowId}') EXECUTE FUNCTION delay_execution();`;
const UNDELAY_SQL = 'DROP TRIGGER IF EXISTS delay ON execution_entity';
const INSERTING_SQL = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;
/** The insertion takes 1.5 seconds, and n8n needs less than this to commit it. */
const COMMIT_MS = 5000;

const insertion = async ({ queue }: QueueWorld): Promise<void> =>
	await until(async () => (await queue.query(INSERTING_SQL)).length > 0);

/** When main is killed: each way waits for its moment. */
const MOMENTS: Record<string, (world: QueueWorld) => Promise<void>> = {
	/** The poll has read the events, and n8n inserts the execution that they start. */
	'during the insertion': insertion,
	/**
	 * The execution is stored, and n8n has not queued it for the workers yet. If n8n needs Redis before it commits, as
	 * durable polling sometimes does, this is a kill during the insertion.
	 */
	'before queueing': async (world) => {
		await insertion(world);
		await world.queue.redis('CLIENT PAUSE 600000 WRITE');
		await sleep(COMMIT_MS);
	},
	'at random': async ({ random }) => await sleep(random() * RANDOM_KILL_MS),
};

/** Kills main after leads were created and changed, and starts it again. */
async function killOnce(world: QueueWorld, watch: Watch, moment: string): Promise<void> {
	const { queue } = world;
	await watch.create();
	await watch.create();
	await watch.change();
	await MOMENTS[moment](world);
	await queue.kill('main');
	await queue.redis('CLIENT UNPAUSE');
	await watch.create();
	await queue.start('main');
	await watch.delivered(await watch.create());
	const { lost, repeats } = outcomeOf(watch.receiver.events, watch.expected);
	say(`  main killed ${moment}: ${lost.length} events lost, ${repeats} repeated so far`);
}

function report(world: QueueWorld, watch: Watch, name: string, kills: number): void {
	const { events } = watch.receiver;
	const { lost, repeats } = outcomeOf(events, watch.expected);
	const share = `${lost.length} of ${watch.expected.length}`;
	world.figures.push(figures(name, { 'events lost': share, repeats, kills }));
	checkEvents(events, watch.expected);
}

async function killMain(world: QueueCaseWorld, mode: string, kills: number): Promise<void> {
	const { queue } = world;
	const watch = await Watch.start(world);
	try {
		await watch.create();
		await watch.delivered(await watch.create());
		await queue.setDurable(mode === DURABLE);
		await queue.query(delaySql(watch.id));
		const moments = Object.keys(MOMENTS);
		for (let n = 0; n < kills; n++) await killOnce(world, watch, moments[n % moments.length]);
	} finally {
		await queue.redis('CLIENT UNPAUSE');
		await queue.query(UNDELAY_SQL);
		await watch.stop();
	}
	report(world, watch, `Trigger, ${mode}, main killed`, kills);
}

/** Polls every two seconds, but none in the next twenty. */
function laterPolls() {
	const first = new Date().getUTCSeconds() + FIRST_POLL_SECONDS;
	return pollEvery(EVERY_SECONDS, { first, pause: FIRST_POLL_SECONDS });
}

async function killBeforeFirstPoll(world: QueueCaseWorld): Promise<void> {
	const watch = await Watch.start(world, laterPolls());
	try {
		await watch.create();
		await world.queue.kill('main');
		await watch.create();
		await world.queue.start('main');
		await watch.delivered(await watch.create());
	} finally {
		await watch.stop();
	}
	report(world, watch, `Trigger, ${DURABLE}, main killed before the first poll`, 1);
}

/** @param name of the sandbox's log */
const inMode =
	(mode: string, name: string, work: (world: QueueCaseWorld) => Promise<void>) =>
	async (world: QueueWorld): Promise<void> => {
		await world.queue.setDurable(mode !== ORDINARY);
		await withSandbox(world, { name }, work);
	};

export const casesFor = ({ kills }: { kills: number }): Array<Case<QueueWorld>> => {
	const killed = (mode: string) => ({
		name: `${mode}: no event is lost, though main is killed (${kills}x)`,
		hangMs: (kills + 2) * 180_000,
		run: inMode(mode, 'kills', async (world) => await killMain(world, mode, kills)),
	});
	return [
		killed(ORDINARY),
		killed(DURABLE),
		{
			name: `${DURABLE}: no event is lost, though main is killed before the first poll`,
			hangMs: 300_000,
			run: inMode(DURABLE, 'first-poll', killBeforeFirstPoll),
		},
	];
};
