/** One execution of the node: plans each item, sends, and returns the output. */
import { memoize, partition } from 'lodash';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isRecord } from '../contract/envelope';
import { itemsAtOnce, timeout } from '../fields/common';
import { converterOf } from '../values/converter';
import type { Operation, Parameter, Resource } from '../operation';
import { clock } from '../transport/clock';
import { createClient } from '../transport/send';
import { batchJobs } from './batch';
import { CreatedRecords } from './created';
import { finderIn } from './finder';
import { isTool, showHints } from './hints';
import type { Job, PlannedItem } from './items';
import { runItems } from './items';
import { RecordLocator } from './locate';
import { parameterReader } from './parameters';
import type { Plan, ReadParameter } from './plan';
import type { RunServices } from './services';
import { planRequest } from './request';
import { runSingle } from './single';

/**
 * Runs the operation that each item chooses. With an error, older n8n versions end the run of an agent or give it an empty
 * text, so there what failed is an answer, unless the node is set to stop.
 */
export async function execute(
	context: IExecuteFunctions,
	resources: Record<string, Resource>,
): Promise<INodeExecutionData[][]> {
	if (!isTool(context)) return await runOperations(context, resources);
	try {
		return await runOperations(context, resources);
	} catch (reason) {
		const failure = withDescription(reason as Error);
		// n8n passes errors on to the model from 2.25 on; this method has been there since 2.33.
		const passedOn =
			context.onExecutionFinish !== undefined || context.getNode().onError === 'stopWorkflow';
		if (passedOn || context.getExecutionCancelSignal?.()?.aborted) throw failure;
		return [[{ json: { error: failure.message }, pairedItem: { item: 0 } }]];
	}
}

/** Agents read only the message of an error, so the description joins it. */
function withDescription<T extends Error & { description?: string | null }>(failure: T): T {
	const { message, description } = failure;
	if (description && !message.includes(description)) {
		failure.message = `${message.replace(/[.:]$/, '')}. ${description}`;
	}
	return failure;
}

async function runOperations(
	context: IExecuteFunctions,
	resources: Record<string, Resource>,
): Promise<INodeExecutionData[][]> {
	const input = context.getInputData();
	if (input.length === 0) return [[]];
	const readParameter = parameterReader(context);
	const options = (readParameter('options', 0) ?? {}) as IDataObject;
	const timeoutSeconds = runSetting(timeout, options);
	const client = await createClient(context, {
		timeoutMs: timeoutSeconds && timeoutSeconds * 1000,
		signal: context.getExecutionCancelSignal?.(),
	});
	const hints = new Set<string>();
	const services: RunServices = {
		client,
		hints,
		created: new CreatedRecords(client),
		locator: new RecordLocator(client),
		// n8n keeps it with the execution, for loops and for its own retries of the node.
		recorded: context.getContext('node') as RunServices['recorded'],
	};
	const unsent = new Set<string>();
	const now = clock.now();
	const finder = isTool(context)
		? finderIn(resources, readParameter('resource', 0) as string)
		: undefined;

	const planItem = (itemIndex: number): Plan => {
		// Kept, because a plan is made anew with the IDs that were found, and expressions may change.
		const read = memoize((name: string) => readParameter(name, itemIndex));
		const operation = operationOf(context, resources, itemIndex, read);
		const plan = planRequest(operation, read, {
			timezone: context.getTimezone(),
			input: input[itemIndex].json,
			now,
			countryCode: client.defaultCountryCode,
			finder,
		});
		for (const field of plan.unsent) unsent.add(field);
		for (const hint of plan.hints) hints.add(hint);
		return plan;
	};

	const mostAtOnce = runSetting(itemsAtOnce, options) ?? Infinity;
	const output = await runItems(
		context,
		() => Math.min(mostAtOnce, client.itemsAtOnce),
		planItem,
		async (plan) => await services.locator.complete(plan),
		(planned) => toJobs(planned, services),
		(itemIndex, plan) =>
			externalIdOf(plan?.request.body) ?? externalIdOf(input[itemIndex].json) ?? {},
	);
	services.created.explain(hints);
	if (unsent.size > 0) hints.add(notSent(unsent));
	showHints(context, client, hints);
	return [output.length === 0 && isTool(context) ? [nothingFound(hints)] : output];
}

function notSent(columns: Set<string>): string {
	const names = [...columns].map((name) => `"${name}"`).join(', ');
	return `Not sent, because they are no fields of a lead: ${names}. Rename a column that is one (External ID, Name, Email, …), or map the columns by hand.`;
}

function operationOf(
	context: IExecuteFunctions,
	resources: Record<string, Resource>,
	itemIndex: number,
	read: ReadParameter,
): Operation {
	const resource = read('resource') as string;
	const operation = read('operation') as string;
	const found = resources[resource]?.operations[operation];
	if (found) return found;
	throw new NodeOperationError(
		context.getNode(),
		`There is no operation "${operation}" for "${resource}"`,
		{ description: 'Choose a resource and an operation from the lists.', itemIndex },
	);
}

function toJobs(planned: Array<PlannedItem<Plan>>, services: RunServices): Job[] {
	const [batched, single] = partition(planned, ({ plan }) => plan.operation.batch);
	const jobs = single.map(({ itemIndex, plan }) => ({
		items: [itemIndex],
		recordKeys: [...plan.recordKeys, ...services.created.register(plan)],
		run: async () => [await runSingle(plan, services)],
	}));
	return [...jobs, ...batchJobs(batched, services)];
}

function externalIdOf(lead: unknown): IDataObject | undefined {
	const { externalId } = isRecord(lead) ? lead : {};
	return externalId ? ({ externalId } as IDataObject) : undefined;
}

/** The first item's value counts for the whole run. An invalid one is refused when that item is planned. */
function runSetting(parameter: Parameter, options: IDataObject): number | undefined {
	const context = { label: parameter.displayName, timezone: 'UTC' };
	try {
		return converterOf(parameter)?.(options[parameter.name], context) as number | undefined;
	} catch {
		return undefined;
	}
}

/**
 * An agent reads an output without items as an empty text, which looks like a tool that did not work. It sees no hints
 * either, so they say here why there is nothing.
 */
function nothingFound(hints: Set<string>): INodeExecutionData {
	const message =
		hints.size === 0 ? 'Nothing was found that matches' : `No results. ${[...hints].join(' ')}`;
	return { json: { found: 0, message }, pairedItem: { item: 0 } };
}
