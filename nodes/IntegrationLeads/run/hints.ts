import type { IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../transport/send';

/** A wait worth telling the user about. */
const NOTABLE_WAIT_MS = 5000;

/** Tells what the user would otherwise wonder about. Hosts before n8n 1.92 have no hints. */
export function giveHints(
	context: IExecuteFunctions,
	client: Client,
	uncertainLists: number,
): void {
	const messages: string[] = [];
	const seconds = Math.round(client.heldMs() / 1000);
	if (seconds * 1000 >= NOTABLE_WAIT_MS) {
		messages.push(
			`Waited up to ${seconds} seconds for the rate limit of the API key. Nothing was lost; fewer or less frequent runs avoid the wait.`,
		);
	}
	if (uncertainLists > 0) {
		messages.push(
			'The list changed while it was read, so entries may be missing. Run it again when the account is calmer.',
		);
	}
	if (client.isTestKey && context.getMode() !== 'manual') {
		messages.push(
			'This workflow runs in production with a test key. Choose a credential with a production key.',
		);
	}
	// An AI agent reads the output of a tool, nobody its hints.
	const asTool = context.getNode().type.endsWith('Tool');
	if (messages.length === 0 || asTool || typeof context.addExecutionHints !== 'function') return;
	context.addExecutionHints(
		...messages.map((message) => ({ message, location: 'outputPane' as const })),
	);
}
