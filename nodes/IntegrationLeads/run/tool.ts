/** The node as the tool of an AI agent: n8n runs it in a variant that differs by its name. */
import { lowerFirst, sortBy } from 'lodash';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { mayBeRecorded } from '../userError';

export function isTool(context: Pick<IExecuteFunctions, 'getNode'>): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * What failed is an answer, unless the node is set to stop: with an error, older n8n versions end the run of an agent or give it
 * an empty text.
 */
export function answerTo(
	failure: Error & { description?: string | null },
	context: IExecuteFunctions,
): INodeExecutionData[][] {
	const { message, description } = failure;
	// Agents read only the message of an error.
	if (description && !message.includes(description)) {
		failure.message = `${message.replace(/[.:]$/, '')}. ${description}`;
	}
	const { onError, retryOnFail } = context.getNode();
	// n8n passes errors on to the model from 2.25 on; this method has been there since 2.33. A tool that an agent invokes
	// itself has another run index in each try, so n8n must not repeat what may have been recorded.
	const isPassedOn =
		(context.onExecutionFinish !== undefined || onError === 'stopWorkflow') &&
		!(retryOnFail && mayBeRecorded(failure));
	if (isPassedOn || context.getExecutionCancelSignal?.()?.aborted) throw failure;
	return [[{ json: { error: failure.message }, pairedItem: { item: 0 } }]];
}

/**
 * An agent reads an output without items as an empty text, which looks like a tool that did not work. It sees no hints
 * either, so they say here why there is nothing.
 */
export function nothingFound(hints: string[]): INodeExecutionData {
	const message =
		hints.length === 0 ? 'Nothing was found that matches' : `No results. ${hints.join(' ')}`;
	return { json: { found: 0, message }, pairedItem: { item: 0 } };
}

/**
 * A text with the names of tools in place of operations: a model knows an operation by the action that names its tool.
 *
 * @param actions by how the panel leads to them, such as `Lead > Get Many`
 */
export function nameTools(text: string, actions: Record<string, string>): string {
	// The longer first: `Tag > Get` begins others.
	return sortBy(Object.keys(actions), ({ length }) => -length).reduce(
		(named, path) => named.replaceAll(path, `"${lowerFirst(actions[path])}"`),
		text,
	);
}
