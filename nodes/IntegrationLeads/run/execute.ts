/** One execution of the node: plans each item, sends, and returns the output. */
import { memoize, once, partition, set, uniq } from 'lodash';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { itemsAtOnce, timeout } from '../fields/options';
import { converterOf } from '../values/converter';
import type { Operation, Parameter, Resource } from '../operation';
import { listedLead } from '../contract/lead';
import { clock } from '../transport/clock';
import type { Page } from '../transport/paginate';
import { PAGE_SIZE } from '../transport/paginate';
import { pageReader } from '../transport/read';
import type { Client } from '../transport/send';
import { createClient } from '../transport/send';
import { batchJobs } from './batch';
import { CreatedRecords } from './created';
import { finderIn } from './finder';
import { isTool, showHints } from './hints';
import type { Job, PlannedItem } from './items';
import { ItemRun } from './items';
import type { Book } from './ledger';
import { Ledger, mayBeRecorded } from './ledger';
import { RecordLocator } from './locate';
import { NewValues } from './newValues';
import { parameterReader } from './parameters';
import type { Plan, ReadParameter } from './plan';
import type { RunServices } from './services';
import type { PlanContext } from './request';
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
		const { onError, retryOnFail } = context.getNode();
		// n8n passes errors on to the model from 2.25 on; this method has been there since 2.33. A tool that an agent invokes
		// itself has another run index in each try, so n8n must not repeat what may have been recorded.
		const passedOn =
			(context.onExecutionFinish !== undefined || onError === 'stopWorkflow') &&
			!(retryOnFail && mayBeRecorded(failure));
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
	let newest: Page = { records: [] };
	const created = new CreatedRecords(client);
	const book = context.getContext('node') as Book;
	const services: RunServices = {
		client,
		hints,
		created,
		locator: new RecordLocator(client),
		ledger: new Ledger(book, runOf(context, client), created, hints),
		newValues: new NewValues(client, hints, () => newest),
	};
	const unsent = new Set<string>();
	const now = clock.now();
	const finder = isTool(context)
		? finderIn(resources, readParameter('resource', 0) as string)
		: undefined;

	// Kept, because an item is planned anew with the IDs that were found, and expressions may change.
	const readOf = memoize((itemIndex: number) =>
		memoize((name: string) => readParameter(name, itemIndex)),
	);
	/** What the output says beside the answer. */
	const remarks: IDataObject[] = [];
	// Of items with a value that the account may have in another spelling.
	const inWords = new Set<number>();
	const readNewest = once(async () => (newest = await newestLeads(client)));
	const valuesOf = memoize((field: string) => uniq(newest.records.map((lead) => lead[field])));
	const planItem = (itemIndex: number, found?: PlanContext['found']): Plan => {
		const read = readOf(itemIndex);
		const operation = operationOf(context, resources, itemIndex, read);
		return planRequest(operation, read, {
			timezone: context.getTimezone(),
			input: input[itemIndex].json,
			now,
			countryCode: client.defaultCountryCode,
			finder,
			found,
			leadValues: (field) => {
				inWords.add(itemIndex);
				return newest.records.length > 0 ? valuesOf(field) : [];
			},
			onUnsent: (fields) => {
				for (const field of fields) unsent.add(field);
				set(remarks, [itemIndex, 'notSent'], fields);
			},
			onLeftOut: (label, value) => {
				set(remarks, [itemIndex, 'leftOut', label], value);
				hints.add(`"${label}" was left out where it cannot be read; "leftOut" says what it was.`);
			},
		});
	};

	const mostAtOnce = runSetting(itemsAtOnce, options) ?? Infinity;
	const run = new ItemRun(
		context,
		() => Math.min(mostAtOnce, client.itemsAtOnce),
		(itemIndex) => remarks[itemIndex] ?? {},
	);
	const planned = await run.plan(planItem);
	const completed = await run.complete(planned, async ({ itemIndex, plan }) => {
		if (inWords.has(itemIndex)) await readNewest();
		else if (plan.lookups.length === 0) return plan;
		return planItem(itemIndex, await services.locator.findAll(plan));
	});
	await run.carryOut(toJobs(completed, services));
	const { output } = run;
	services.ledger.close(output[0]?.json);
	services.created.explain(hints);
	if (unsent.size > 0) hints.add(notSent(unsent));
	if (run.failed > 0) {
		hints.add(`${run.failed} of ${input.length} items failed. "error" in their output says why.`);
	}
	showHints(context, client, hints);
	return [output.length === 0 && isTool(context) ? [nothingFound(hints)] : output];
}

/**
 * Identifies the run of the node, also when n8n repeats it: in the same execution the run of the same number, with the same
 * account. The key does not count, because one that was revoked is replaced before the execution is retried.
 */
function runOf(context: IExecuteFunctions, client: Client): string {
	const { $runIndex } = context.getWorkflowDataProxy(0);
	return [$runIndex, client.account, client.isTestKey].join(' ');
}

/** They show how the account spells its values. Without them, values are sent as they are. */
async function newestLeads(client: Client): Promise<Page> {
	const about = { action: 'Read values of leads', scope: 'leads:read', targets: [] };
	const readPage = pageReader(client, { path: '/leads', about, record: listedLead });
	return await readPage({ page: 1, limit: PAGE_SIZE.largest }).catch(() => ({ records: [] }));
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
	const { ledger, created } = services;
	const [batched, single] = partition(
		planned,
		(item) => item.plan.operation.batch && !ledger.has(item),
	);
	const jobs = single.map((item) => ({
		items: [item.itemIndex],
		recordKeys: [...item.plan.recordKeys, ...created.register(item.plan)],
		run: async () => [
			await ledger.carryOut(item, async () => await runSingle(item.plan, services)),
		],
	}));
	return [...jobs, ...batchJobs(batched, services)];
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
