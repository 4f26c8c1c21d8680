/** Serves an AI agent whose tool the node is. n8n runs it as a node type of its own, whose name ends with `Tool`. */
import { lowerFirst, sortBy } from 'lodash';
import type { Failure, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ItemError, isLostAnswer, UserError } from '../userError';

export function isTool(context: Pick<IExecuteFunctions, 'getNode'>): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * Returns a failure as the answer to the agent, unless the node is set to stop: after an error, older versions of n8n end the run
 * of the agent or give it an empty text.
 */
export function answerTo(
	failure: Error & { description?: string | null; failure?: Failure },
	context: IExecuteFunctions,
): INodeExecutionData[][] {
	const { message, description } = failure;
	const isWhole = !description || message.includes(description);
	// Agents read only the message of an error.
	const text = isWhole ? message : `${message.replace(/[.:]$/, '')}. ${description}`;
	const { onError, retryOnFail } = context.getNode();
	// n8n passes errors on to the model since 2.25, and has this method since 2.33. A tool that an agent invokes gets another run
	// index in each try, so n8n must not repeat what may have been recorded.
	const isPassedOn =
		(context.onExecutionFinish !== undefined || onError === 'stopWorkflow') &&
		!(retryOnFail && isLostAnswer(failure));
	if (isPassedOn || context.getExecutionCancelSignal?.()?.aborted) {
		const { failure: hint } = failure;
		throw isWhole
			? failure
			: new ItemError(context.getNode(), new UserError(text), { failure: hint });
	}
	return [[{ json: { error: text }, pairedItem: { item: 0 } }]];
}

/**
 * An item that says why nothing was found. An agent reads an output without items as an empty text, as if the tool had failed,
 * and sees no hints.
 */
export function nothingFound(hints: string[]): INodeExecutionData {
	const message =
		hints.length === 0 ? 'Nothing was found that matches' : `No results. ${hints.join(' ')}`;
	return { json: { found: 0, message }, pairedItem: { item: 0 } };
}

/**
 * Replaces the paths of operations in a text with the names of tools, by which a model knows them.
 *
 * @param actions the actions that name tools, by the path of the operation, such as `Lead > Get Many`
 */
export function nameTools(text: string, actions: Record<string, string>): string {
	// The longer first: `Tag > Get` begins others.
	return sortBy(Object.keys(actions), ({ length }) => -length).reduce(
		(named, path) => named.replaceAll(path, `"${lowerFirst(actions[path])}"`),
		text,
	);
}
