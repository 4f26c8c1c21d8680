/** A sandbox, the built node in the real engine, and a clock that runs fast, for the engine tests. */
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';
import { clock } from '#built/nodes/IntegrationLeads/transport/clock';
import { engineWith } from './engine.mts';

const real = { now: clock.now, sleep: clock.sleep };

/**
 * Lets `scale` milliseconds pass for each real one, for the node and for whoever asks the returned function: the
 * waits of minutes that are tested here take fractions of a second.
 */
export function fastClock(scale: number): () => number {
	// Never back in time: windows and pauses of the rate limiters outlive a change of pace.
	const start = Math.max(clock.now(), Date.now());
	const from = performance.now();
	const now = () => start + (performance.now() - from) * scale;
	clock.now = now;
	clock.sleep = async (ms, signal) => await real.sleep(ms / scale, signal);
	return now;
}

/** So many turns of the event loop without an end of what is awaited mean that everything waits for time to pass. */
const QUIET_TURNS = 50;

/**
 * Time that passes only while everything waits for it, so that nothing depends on how fast this machine is. Waits end in
 * the order of their ends.
 *
 * @param isBusy whether time stands still for something else, such as a request under way
 */
export function simulatedClock(isBusy = () => false): () => number {
	let now = Math.max(clock.now(), Date.now());
	let waits: Array<{ end: number; wake: () => void }> = [];
	let passing = false;
	const pass = async () => {
		if (passing) return;
		passing = true;
		while (waits.length > 0) {
			for (let turn = 0; turn < QUIET_TURNS; turn += isBusy() ? 0 : 1) {
				await new Promise(setImmediate);
			}
			const next = waits.reduce((first, each) => (each.end < first.end ? each : first), waits[0]);
			if (!next) break;
			waits = waits.filter((each) => each !== next);
			now = Math.max(now, next.end);
			next.wake();
		}
		passing = false;
	};
	clock.now = () => now;
	clock.sleep = async (ms, signal) => {
		signal?.throwIfAborted();
		await new Promise<void>((wake, reject) => {
			const wait = { end: now + ms, wake };
			signal?.addEventListener('abort', () => {
				waits = waits.filter((each) => each !== wait);
				reject(signal.reason as Error);
			});
			waits.push(wait);
			void pass();
		});
	};
	return clock.now;
}

/** Back to real time. */
export function realClock(): void {
	Object.assign(clock, real);
}

/** A sandbox whose clock is the node's, and an engine for each of its keys. */
export async function startLab(options: SandboxOptions = {}) {
	const sandbox = await startSandbox({ seed: 50, clock: () => clock.now(), ...options });
	const withKey = (apiKey: string, defaultCountryCode?: string) =>
		engineWith({ baseUrl: sandbox.url, apiKey, defaultCountryCode });
	return {
		sandbox,
		withKey,
		/** The engine with the key that may do everything. */
		engine: withKey(sandbox.keys.full),
	};
}

export type Lab = Awaited<ReturnType<typeof startLab>>;

/**
 * A lab for all tests of a file, reset before each of them.
 *
 * @param setClock sets another clock than the real one, before the sandbox starts
 */
export function useLab(options: SandboxOptions, setClock?: () => unknown): Lab {
	const lab = {} as Lab;
	beforeAll(async () => {
		setClock?.();
		Object.assign(lab, await startLab(options));
	});
	beforeEach(() => lab.sandbox.controls.reset());
	afterAll(async () => {
		realClock();
		await lab.sandbox.close();
	});
	return lab;
}

/** The parameters of an operation, such as `lead.get`. */
export function called(name: string, parameters: IDataObject): IDataObject {
	const [resource, operation] = name.split('.');
	return { resource, operation, ...parameters };
}

/** A resource locator's stored value. */
export function by(mode: 'id' | 'list' | 'externalId' | 'emailOrPhone', value: unknown) {
	return { __rl: true, mode, value };
}

/** The requests to the sandbox that write. */
export function writes({ controls }: Sandbox) {
	return controls.requests().filter(({ method }) => method !== 'GET');
}
