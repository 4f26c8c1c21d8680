import type { IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../transport/send';
import { isTool } from './tool';

/** A wait worth telling the user about. */
const NOTABLE_WAIT_MS = 5000;

/** What came up while working that the user should know, each text once however many items it concerns. */
export type Notes = Pick<Set<string>, 'add'>;

/** Tells what the user would otherwise wonder about. Hosts before n8n 1.92 have no hints. */
export function giveHints(
	context: IExecuteFunctions,
	client: Client,
	notes: Iterable<string>,
): void {
	const messages = [...notes];
	const seconds = Math.round(client.rateLimitDelayMs / 1000);
	if (seconds * 1000 >= NOTABLE_WAIT_MS) {
		messages.push(
			`Waited up to ${seconds} seconds for the rate limit of the API key. Nothing was lost; fewer or less frequent runs avoid the wait.`,
		);
	}
	if (client.isTestKey && context.getMode() !== 'manual') {
		messages.push(
			'This workflow runs in production with a test key. Choose a credential with a production key.',
		);
	}
	// An AI agent reads the output of a tool, nobody its hints.
	if (messages.length === 0 || typeof context.addExecutionHints !== 'function') return;
	if (isTool(context)) return;
	context.addExecutionHints(
		...messages.map((message) => ({ message, location: 'outputPane' as const })),
	);
}
