/** Executes the node once: plans each item, carries it out, and returns the output. */
import { attempt, difference, get, map, memoize } from 'lodash';
import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { toRecord } from './values/json';
import { convertParameter } from './fields/converter';
import { timeout } from './fields/options';
import { onlyReads, type Operation, type Resource, scopesOf } from './operation';
import { createClient, type Client } from './transport/send';
import type { PlannedItem } from './prepare/plan';
import { ItemLoop } from './run/itemLoop';
import { parameterReader } from './prepare/parameters';
import {
	draftItem,
	isOfValue,
	type Draft,
	type PendingLookup,
	type ReadParameter,
} from './prepare/draft';
import { Hints } from './output/hints';
import { DONE_BEFORE, RECORDED_FIRST, RunReport } from './output/report';
import { hasLeftOut, isInputWithResult, withoutResult } from './output/output';
import { noteSameLead } from './output/sameLead';
import { jobsOfPush } from './push/jobs';
import { hintSameList } from './run/listItems';
import { jobOf } from './run/runItem';
import { createRunState, type RunState } from './run/runState';
import { checksInWords } from './run/onlyCheck';
import { rememberStop, takeLastStop } from './run/ledger';
import { answerTo, isTool, nothingFound } from './run/tool';

/** Runs the operation that is chosen in the node. */
export async function execute(
	context: IExecuteFunctions,
	resources: Record<string, Resource>,
): Promise<INodeExecutionData[][]> {
	const run = runOperation(context, resources);
	return isTool(context)
		? await run.catch((failure: Error) => answerTo(failure, context))
		: await run;
}

async function runOperation(
	context: IExecuteFunctions,
	resources: Record<string, Resource>,
): Promise<INodeExecutionData[][]> {
	if (context.getInputData().length === 0) return [[]];
	const readParameter = parameterReader(context);
	const operation = operationOf(context.getNode(), resources, (name) => readParameter(name, 0));
	// An expression in it that fails is that item's failure, when it is drafted.
	const options = toRecord(attempt(readParameter, 'options', 0));
	// The timeout of the first item applies to the whole run. An invalid one is refused when that item is drafted.
	const seconds = attempt(convertParameter, timeout, options.timeout, { timezone: 'UTC' });
	const client = await createClient(context, {
		timeoutMs: typeof seconds === 'number' ? seconds * 1000 : undefined,
		signal: context.getExecutionCancelSignal?.(),
	});
	const hints = new Hints();
	const onlyChecks = onlyChecksIn(context.getNode());
	const runState = createRunState(context, client, hints, onlyChecks);
	const { ledger, rows } = runState;
	const inRows = isInputWithResult(operation, options);
	const inputs = inRows ? rows.map(withoutResult) : rows;
	const tool = isTool(context);
	const modes = { inRows, onlyChecks, scopes: scopesOf(operation) };
	const report = new RunReport(rows, modes);
	const draft = (itemIndex: number): Draft[] => {
		// Some values are read twice, and n8n computes them slowly.
		const read: ReadParameter = memoize((name: string) => readParameter(name, itemIndex));
		return draftItem(operation, read, {
			timezone: runState.timezone,
			input: inputs[itemIndex],
			inputs,
			now: runState.begunAt,
			isCorrection: inRows && hasLeftOut(rows[itemIndex]),
			countryCode: client.defaultCountryCode,
			tool,
			...report.listenersOf(itemIndex),
		});
	};
	const { remarks } = report;
	const loop = new ItemLoop(context, client.account, actionsIn(resources), remarks, modes);
	const planned = await loop.plan(draft, lookUpIn(runState));
	hintSameList(planned, hints);
	await carryOut(planned, operation, loop, runState, context);
	if (inRows) noteSameLead(planned, loop.leads, rows, remarks);
	const { output } = loop;
	ledger.close(output[0]?.json);
	report.addHints(hints, loop.failed);
	if (onlyChecks) hints.add(checksInWords(map(output, 'json'), rows.length, report.columns));
	const texts = hints.inWords(rows);
	showHints(context, client, texts);
	return [output.length === 0 && tool ? [nothingFound(texts)] : output];
}

/** Returns a function that looks up what a draft lacks. */
function lookUpIn({ finder, ledger, listedValues, outage }: RunState) {
	const lookUp = async (lookup: PendingLookup['lookup']) =>
		isOfValue(lookup)
			? await listedValues.spell(lookup)
			: await ledger.idOf(lookup, async () => await finder.idOf(lookup));
	return async (lookup: PendingLookup['lookup']) =>
		await outage.retry(async () => await lookUp(lookup));
}

/** Carries out all items, and says what was done before: by an earlier try of this execution, or by the last one, if it was stopped. */
async function carryOut(
	planned: PlannedItem[],
	operation: Operation,
	loop: ItemLoop,
	runState: RunState,
	context: IExecuteFunctions,
): Promise<void> {
	const { ledger, hints, hintsOf, onlyChecks } = runState;
	const doneBefore = planned.filter((item) => ledger.entryOf(item).result);
	const { batch } = operation;
	const runItems = async (items: PlannedItem[]) => {
		const phases = batch
			? jobsOfPush(items, batch, runState)
			: [items.map((item) => jobOf(item, runState))];
		for (const jobs of phases) await loop.runJobs(jobs);
	};
	const work = async () => {
		await runItems(planned);
		const { again, kept } = ledger.reopenReplaced(planned);
		for (const { itemIndex } of kept) hintsOf(itemIndex).add(RECORDED_FIRST);
		for (const items of again) await runItems(items);
		const unsent = difference(doneBefore, ...again).length;
		if (unsent > 0) hints.add(`${unsent} of ${planned.length} items ${DONE_BEFORE}`);
	};
	if (onlyChecks || onlyReads(operation)) return await work();
	await ledger.ifStopped(() => rememberStop(context, loop.unfinished(planned)), work);
	const last = takeLastStop(context);
	// What an earlier try of the same execution has done was not sent again.
	if (last !== undefined && doneBefore.length === 0) hints.add(last);
}

/** Whether nothing is to be written. An expression might fail, or return a text, and then all items would be sent. */
function onlyChecksIn(node: INode): boolean {
	const chosen: unknown = get(node.parameters, 'options.onlyCheck', false);
	if (typeof chosen === 'boolean') return chosen;
	throw new NodeOperationError(node, '"Only Check" is an expression', {
		description: 'Nothing was sent. Switch "Options > Only Check" on or off for all items.',
	});
}

function operationOf(
	node: INode,
	resources: Record<string, Resource>,
	read: ReadParameter,
): Operation {
	const [resource, operation] = ['resource', 'operation'].map((name) => String(read(name)));
	const operations = Object.hasOwn(resources, resource) ? resources[resource].operations : {};
	// The value of an expression may be `constructor`.
	if (Object.hasOwn(operations, operation)) return operations[operation];
	throw new NodeOperationError(node, `There is no operation "${operation}" for "${resource}"`, {
		description: 'Choose a resource and an operation from the lists.',
	});
}

const actionsIn = (resources: Record<string, Resource>) =>
	Object.fromEntries(
		Object.values(resources).flatMap(({ name, operations }) =>
			Object.values(operations).map((operation) => [
				`${name} > ${operation.name}`,
				operation.action,
			]),
		),
	);

const NOTABLE_WAIT_MS = 5000;

/** Shows hints under the output, which n8n can since version 1.92. Agents read only the output, so they get none. */
function showHints(context: IExecuteFunctions, client: Client, hints: string[]): void {
	if (isTool(context)) return;
	const messages = [...hints];
	const seconds = Math.round(client.rateLimitDelayMs / 1000);
	if (seconds * 1000 >= NOTABLE_WAIT_MS) {
		messages.push(
			`Waited up to ${seconds} seconds for the rate limit of the API key. Nothing was lost; fewer runs avoid the wait.`,
		);
	}
	if (client.isTestKey && context.getMode() !== 'manual') {
		messages.push(
			'This workflow runs in production with a test key. Choose a credential with a production key.',
		);
	}
	context.addExecutionHints?.(
		...messages.map((message) => ({ message, location: 'outputPane' as const })),
	);
}
