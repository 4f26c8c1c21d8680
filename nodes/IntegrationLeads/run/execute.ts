/** One execution of the node: reads settings, plans each item, sends, and shapes what comes back. */
import { partition } from 'lodash';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { itemsAtOnce, timeout } from '../fields/common';
import { converterOf } from '../values/converter';
import type { Operation, Parameter, Resource } from '../operation';
import { clock } from '../transport/clock';
import { createClient } from '../transport/send';
import { batchJobs } from './batch';
import { giveHints } from './hints';
import type { Job, PlannedItem } from './items';
import { runItems } from './items';
import type { Plan } from './plan';
import { planRequest } from './request';
import { runSingle } from './single';
import { isTool } from './tool';

/**
 * An agent reads no items at all as an empty text, and cannot tell that from a tool that did not work. Nor does it see
 * hints: where there are notes, they say why there is nothing.
 */
function nothing(notes: Set<string>): INodeExecutionData {
	const message =
		notes.size === 0
			? 'Nothing was found that matches'
			: `There is nothing to give. ${[...notes].join(' ')}`;
	return { json: { found: 0, message }, pairedItem: { item: 0 } };
}

const ITEMS_AT_ONCE = { reading: 8, writing: 4 };

/** Runs the operation that each item chooses. */
export async function execute(
	context: IExecuteFunctions,
	resources: Record<string, Resource>,
): Promise<INodeExecutionData[][]> {
	const input = context.getInputData();
	if (input.length === 0) return [[]];
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const timeoutSeconds = settingOfRun(timeout, options);
	const client = await createClient(context, {
		timeoutMs: timeoutSeconds && timeoutSeconds * 1000,
		signal: context.getExecutionCancelSignal?.(),
	});
	const node = context.getNode();
	const notes = new Set<string>();
	const unsent = new Set<string>();
	const now = clock.now();

	const operationOf = (itemIndex: number): Operation => {
		const resource = context.getNodeParameter('resource', itemIndex) as string;
		const operation = context.getNodeParameter('operation', itemIndex) as string;
		const found = resources[resource]?.operations[operation];
		if (found) return found;
		throw new NodeOperationError(node, `There is no operation "${operation}" for "${resource}"`, {
			description: 'Choose a resource and an operation from the lists.',
			itemIndex,
		});
	};

	const plan = (itemIndex: number): Plan => {
		const operation = operationOf(itemIndex);
		// Null stands for parameters that are not shown; n8n throws for undefined.
		const read = (name: string): unknown =>
			context.getNodeParameter(name, itemIndex, null) ?? undefined;
		const timezone = context.getTimezone();
		const planned = planRequest(operation, read, timezone, input[itemIndex].json, now);
		for (const field of planned.unsent) unsent.add(field);
		return { operation, planned, read: (name) => planned.settings[name] };
	};

	const services = { client, notes };
	const toJobs = (planned: Array<PlannedItem<Plan>>): Job[] => {
		const [together, alone] = partition(planned, ({ plan: { operation } }) => operation.batch);
		const single = alone.map(({ itemIndex, plan: own }) => ({
			items: [itemIndex],
			recordKeys: own.planned.recordKeys,
			run: async () => [await runSingle(own, services)],
		}));
		return [...single, ...batchJobs(together, services)];
	};

	const reading = operationOf(0).route?.startsWith('GET') ?? false;
	const atOnce =
		settingOfRun(itemsAtOnce, options) ?? (reading ? ITEMS_AT_ONCE.reading : ITEMS_AT_ONCE.writing);
	const output = await runItems(context, atOnce, plan, toJobs);
	if (unsent.size > 0) {
		notes.add(`Not sent, because a lead has no such fields: ${[...unsent].join(', ')}.`);
	}
	giveHints(context, client, notes);
	return [output.length === 0 && isTool(context) ? [nothing(notes)] : output];
}

/** Of what holds for the whole run the first item decides. What cannot be read is refused when that item is planned. */
function settingOfRun(parameter: Parameter, options: IDataObject): number | undefined {
	const about = { label: parameter.displayName, timezone: 'UTC' };
	try {
		return converterOf(parameter)?.(options[parameter.name], about) as number | undefined;
	} catch {
		return undefined;
	}
}
