/** What the cases of this folder are given. */
import type { Case } from '../../scripts/lib/cases.mts';
import type { Queue } from '../../scripts/lib/queue.mts';
import type { N8nClient } from '../../scripts/lib/rest.mts';
import type { Sandbox } from '../../scripts/lib/sandbox.mts';
import type { StandIns } from '../../scripts/lib/stand-ins.mts';
import type { Credential } from '../../scripts/lib/workflow.mts';
import type { World } from '../../scripts/lib/world.mts';
import type { Editor } from './editor.mts';

export interface CaseWorld extends World {
	/** All that n8n can reach outside of this machine. */
	standIns: StandIns;
	/** The path of a browser, if there is one. */
	chromium: string | undefined;
	/** The folder for screenshots and logs. */
	output: string;
	/** Opened by the first case that needs it. */
	editor?: Promise<Editor>;
	/** Called after the last case. */
	closing: Array<() => Promise<void>>;
}

/** A file with cases. */
export interface CaseFile {
	cases: Array<Case<CaseWorld>>;
	/** Its cases cannot run without a browser. */
	needsBrowser?: boolean;
}

/** What the cases of queue mode are given. */
export interface QueueWorld {
	queue: Queue;
	client: N8nClient;
	output: string;
	/** Returns a number from 0 to 1. */
	random: () => number;
	/** Rows of the table that ends the run. */
	figures: Array<Record<string, unknown>>;
}

/** A case's own sandbox, and the credential for it. */
export interface QueueCaseWorld extends QueueWorld {
	sandbox: Sandbox;
	credential: Credential;
}

/** A file with cases of queue mode. */
export interface QueueCaseFile {
	casesFor(options: { kills: number }): Array<Case<QueueWorld>>;
}
