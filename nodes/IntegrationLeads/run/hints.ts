import type { IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../transport/send';

const NOTABLE_WAIT_MS = 5000;

/** n8n runs the node as a tool of an AI agent, in a variant that differs by its name. */
export function isTool(context: Pick<IExecuteFunctions, 'getNode'>): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** Shows hints under the output. n8n has them since version 1.92; agents, who read the output only, get none. */
export function showHints(
	context: IExecuteFunctions,
	client: Client,
	hints: Iterable<string>,
): void {
	const messages = [...hints];
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
	if (isTool(context)) return;
	context.addExecutionHints?.(
		...messages.map((message) => ({ message, location: 'outputPane' as const })),
	);
}
