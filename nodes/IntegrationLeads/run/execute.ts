/** One execution of the node: reads settings, plans each item, sends, and shapes what comes back. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Operation, Resource } from '../operation';
import { readAllLeads } from '../transport/leadWindows';
import type { Page, ReadList } from '../transport/paginate';
import { paginate, readWhole } from '../transport/paginate';
import type { About, Client } from '../transport/send';
import { createClient } from '../transport/send';
import { runItems } from './items';
import { DriftProblem, toItems, toPage } from './output';
import type { Planned } from './request';
import { planRequest } from './request';

const ITEMS_AT_ONCE = { reading: 8, writing: 4 };
/** A wait worth telling the user about. */
const NOTABLE_WAIT_MS = 5000;

/** Runs the operation that each item chooses. */
export async function execute(
	context: IExecuteFunctions,
	resources: Record<string, Resource>,
): Promise<INodeExecutionData[][]> {
	const settings = context.getNodeParameter('options', 0, {}) as IDataObject;
	const client = await createClient(context, {
		timeoutMs: settings.timeout ? Number(settings.timeout) * 1000 : undefined,
		signal: context.getExecutionCancelSignal?.(),
	});
	const uncertain = { lists: 0 };
	const operationOf = (itemIndex: number): Operation => {
		const resource = context.getNodeParameter('resource', itemIndex) as string;
		const operation = context.getNodeParameter('operation', itemIndex) as string;
		const found = resources[resource]?.operations[operation];
		if (found) return found;
		throw new NodeOperationError(
			context.getNode(),
			`There is no operation "${operation}" for "${resource}"`,
			{
				description: 'Choose a resource and an operation from the lists.',
				itemIndex,
			},
		);
	};

	const first = operationOf(0);
	const reading = first.route?.startsWith('GET') ?? false;
	const atOnce =
		Number(settings.concurrency) || (reading ? ITEMS_AT_ONCE.reading : ITEMS_AT_ONCE.writing);
	const output = await runItems(context, atOnce, (itemIndex) => {
		const operation = operationOf(itemIndex);
		// Null stands for parameters that are not shown; n8n throws for undefined.
		const read = (name: string): unknown =>
			context.getNodeParameter(name, itemIndex, null) ?? undefined;
		const planned = planRequest(operation, read, context.getTimezone());
		return {
			recordKeys: planned.recordKeys,
			run: async () => await runPlanned({ context, client, operation, planned, read, uncertain }),
		};
	});
	hint(context, client, uncertain.lists);
	return [output];
}

interface Run {
	context: IExecuteFunctions;
	client: Client;
	operation: Operation;
	planned: Planned;
	read: (name: string) => unknown;
	uncertain: { lists: number };
}

async function runPlanned(run: Run): Promise<IDataObject[]> {
	const { client, operation, planned, read, context } = run;
	const { request } = planned;
	const about: About = {
		action: operation.action,
		scope: operation.scope,
		sought: planned.sought,
		notFound: operation.notFound?.(request),
	};
	try {
		const isList = operation.output.kind === 'many' || read('paginate') === true;
		if (isList) return await runList(run, about);
		return toItems(operation.output, await client.send(request, about), request.method === 'GET');
	} catch (error) {
		if (!(error instanceof DriftProblem)) throw asIs(error);
		throw new NodeOperationError(context.getNode(), error.message, {
			description: `${operation.action}: the answer has another shape than expected. Use the resource "API Request" to see it as it is, and tell the authors of this node.`,
		});
	}
}

/** The lint rule against bare rethrows looks for a raw HTTP error; here it is an error already in words. */
function asIs(error: unknown): Error {
	return error instanceof Error ? error : new Error(String(error));
}

async function runList(run: Run, about: About): Promise<IDataObject[]> {
	const { client, operation, planned, read, uncertain } = run;
	const { request } = planned;
	const { output } = operation;
	const plural = output.kind === 'many' ? output.record.plural : '';
	const readPage = async (page: IDataObject): Promise<Page> => {
		const query = { ...request.query, ...page };
		return toPage(plural, await client.send({ ...request, query }, about));
	};
	if (read('returnAll') !== true) {
		const options = read('options') as IDataObject | undefined;
		const limit = Math.max(1, Math.floor(Number(read('limit')) || 50));
		const records: IDataObject[] = [];
		for await (const batch of paginate(readPage, limit, Number(options?.page) || 1)) {
			records.push(...(batch as IDataObject[]));
		}
		return records;
	}
	const list: ReadList =
		output.kind === 'many' && output.timeWindows
			? await readAllInWindows(request.query, readPage)
			: await readWhole(readPage);
	if (list.uncertain) uncertain.lists += 1;
	return list.records as IDataObject[];
}

/** Filters whose match changes when a lead changes; the time of creation and the origin do not (spec 4.1). */
const MOVABLE_FILTERS = ['status', 'priority', 'tag', 'search'];

async function readAllInWindows(
	filters: IDataObject,
	readPage: (page: IDataObject) => Promise<Page>,
): Promise<ReadList> {
	const { createdAfter, createdBefore } = filters;
	const bounds = { from: toTime(createdAfter), to: toTime(createdBefore) };
	const movable = MOVABLE_FILTERS.some((name) => Boolean(filters[name]));
	return await readAllLeads(
		async (page, span) =>
			await readPage({
				...page,
				// A bound that is the user's own goes as it was given.
				...(span.from !== undefined &&
					span.from !== bounds.from && { createdAfter: toIso(span.from) }),
				...(span.to !== undefined && span.to !== bounds.to && { createdBefore: toIso(span.to) }),
			}),
		bounds,
		movable,
	);
}

function toTime(value: unknown): number | undefined {
	const time = Date.parse(String(value ?? ''));
	return Number.isNaN(time) ? undefined : time;
}

function toIso(time: number): string {
	return new Date(time).toISOString();
}

/** Tells what the user would otherwise wonder about. Hosts before n8n 1.92 have no hints. */
function hint(context: IExecuteFunctions, client: Client, uncertainLists: number): void {
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
	if (messages.length === 0 || typeof context.addExecutionHints !== 'function') return;
	context.addExecutionHints(
		...messages.map((message) => ({ message, location: 'outputPane' as const })),
	);
}
