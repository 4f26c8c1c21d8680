import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, openSync, closeSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Who runs a program, if not the user of this process. */
export interface User {
	uid: number;
	gid: number;
}

export interface RunOptions {
	cwd?: string;
	env?: NodeJS.ProcessEnv;
	user?: User;
}

/** A long-running program. */
export interface Service {
	stop(): Promise<void>;
	/** Ends it at once, as a crash does. */
	kill(): Promise<void>;
	/** Resolves to how it ended, unless it was asked to. */
	endedByItself: Promise<string>;
}

/** A program that has ended. */
export interface Finished {
	code: number;
	stdout: string;
	/** Both streams, in order. */
	output: string;
}

/** Everything that is running. `graceMs`: how long it may take to stop. */
const running = new Map<ChildProcess, { ended: Promise<unknown>; graceMs: number }>();
/** Temporary folders to remove. */
const folders = new Set<string>();
/** Processes that were asked to stop, whose end is not reported. */
const stopping = new Set<ChildProcess>();
let guarded = false;
let interrupted = false;
let keepsRunning = false;

/** Leads a process group of its own; on Windows that would open a window. */
const LEADER = { detached: process.platform !== 'win32', windowsHide: true };

/** n8n saves running executions when asked to stop; after this time it is killed. */
const GRACE_MS = 15_000;
/** Programs such as npm have nothing to save and may ignore the signal. */
const NO_GRACE_MS = 500;

/** A folder that is removed when this process ends. @param name part of the folder's name */
export function temporaryFolder(name: string): string {
	guard();
	const folder = mkdtempSync(join(tmpdir(), `integration-leads-${name}-`));
	folders.add(folder);
	return folder;
}

/**
 * Starts a long-running program as the leader of its own process group, so that its children can be
 * stopped with it, and a Ctrl-C in the terminal reaches only this process, which stops the rest in order.
 * @param options `log`: file for its output
 */
export function start(
	file: string,
	args: string[],
	{ cwd, env, user, log }: RunOptions & { log: string },
): Service {
	guard();
	const output = openSync(log, 'a');
	const child = spawn(file, args, {
		cwd,
		env,
		...user,
		...LEADER,
		stdio: ['ignore', output, output],
	});
	closeSync(output);
	const ended = new Promise<string>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
	});
	// Children that the leader left behind are stopped too.
	void ended.then(() => {
		signalGroup(child, 'SIGKILL');
		running.delete(child);
	});
	running.set(child, { ended, graceMs: GRACE_MS });
	return {
		stop: () => stop(child),
		kill: async () => {
			stopping.add(child);
			signalGroup(child, 'SIGKILL');
			await ended;
		},
		endedByItself: ended.then((how) => (stopping.has(child) ? new Promise<never>(() => {}) : how)),
	};
}

/** Runs a program until it ends. */
export function run(
	file: string,
	args: string[],
	{ cwd, env, user }: RunOptions = {},
): Promise<Finished> {
	guard();
	return new Promise((resolve, reject) => {
		const child = spawn(file, args, {
			cwd,
			env,
			...user,
			...LEADER,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		const ended = new Promise((settle) => child.once('exit', settle));
		running.set(child, { ended, graceMs: NO_GRACE_MS });
		let stdout = '';
		let output = '';
		child.stdout.setEncoding('utf8').on('data', (text: string) => {
			stdout += text;
			output += text;
		});
		child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
		child.once('error', (error) => {
			running.delete(child);
			reject(error);
		});
		child.once('close', (code) => {
			running.delete(child);
			resolve({ code: code ?? 1, stdout, output });
		});
	});
}

/** Stops everything that is still running and removes the temporary folders. */
export async function stopAll(): Promise<void> {
	await Promise.all([...running.keys()].map(stop));
	removeFolders();
}

async function stop(child: ChildProcess): Promise<void> {
	const known = running.get(child);
	if (!known) return;
	const { ended, graceMs } = known;
	stopping.add(child);
	signalGroup(child, 'SIGTERM');
	const timer = new AbortController();
	await Promise.race([ended, sleep(graceMs, undefined, { signal: timer.signal }).catch(() => {})]);
	timer.abort();
	signalGroup(child, 'SIGKILL');
	running.delete(child);
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	if (process.platform === 'win32') {
		// Windows has neither process groups nor signals.
		spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { windowsHide: true });
		return;
	}
	try {
		process.kill(-child.pid, signal);
	} catch {
		// ESRCH: the group has already ended.
	}
}

function removeFolders(): void {
	for (const folder of folders) {
		rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
		folders.delete(folder);
	}
}

/** Stops everything when this process ends, except by SIGKILL. */
function guard(): void {
	if (guarded) return;
	guarded = true;
	process.on('exit', () => {
		for (const child of running.keys()) signalGroup(child, 'SIGKILL');
		removeFolders();
	});
	for (const [signal, number] of [
		['SIGINT', 2],
		['SIGTERM', 15],
		['SIGHUP', 1],
	] as const) {
		process.on(signal, () => {
			// On a second signal, exit without waiting.
			if (interrupted) process.exit(128 + number);
			interrupted = true;
			console.log('\nStopping …');
			void stopAll().then(() =>
				process.exit(signal === 'SIGINT' && keepsRunning ? 0 : 128 + number),
			);
		});
	}
}

/** Whether the user is ending the command, which explains any failure from then on. */
export const isInterrupted = (): boolean => interrupted;

/** From now on Ctrl-C ends the command normally, with exit code 0. */
export function endWithCtrlC(): void {
	keepsRunning = true;
}
