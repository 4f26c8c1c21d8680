import type { IExecuteFunctions } from 'n8n-workflow';

/** The node runs as a tool of an AI agent: in the variant that n8n makes of it, told apart by its name. */
export function isTool(context: Pick<IExecuteFunctions, 'getNode'>): boolean {
	return context.getNode().type.endsWith('Tool');
}
