/** One item: it is carried out once, although n8n may run the node again on the same input. */
import { isNil, mapValues } from 'lodash';
import { NodeApiError, type IDataObject } from 'n8n-workflow';

import type {
	Result,
	ComposeContext,
	FindStep,
	HowToFind,
	HowToSend,
	Lookup,
	RequestOperation,
	Values,
} from '../operation';
import { onlyReads } from '../operation';
import { pageReader } from '../transport/read';
import type { PlannedItem, ComposedPlan } from '../prepare/plan';
import { ifUnclear, itemKey } from '../requests/ledger';
import { listItems, listLeads } from './listItems';
import { idsLast, toItems } from '../output/output';
import { isComposed, isRead, planStep } from '../prepare/plan';
import { sendStep } from '../requests/step';
import { outcomeOf } from '../contract/outcome';
import type { RecordShape } from '../contract/records';
import { inParallel, readWhole } from '../transport/paginate';
import { clock } from '../transport/clock';
import { addRemarks, UnconfirmedError, UserError } from '../userError';
import { turnsOfProcess, type RunServices } from '../requests/services';

/**
 * Carries an item out, unless that was done in an earlier try.
 *
 * @returns the records for the output
 * @throws NodeApiError, or UserError also when it is not known whether it was carried out
 */
export async function runItem(item: PlannedItem, services: RunServices): Promise<IDataObject[]> {
	const { plan } = item;
	const { output } = plan.operation;
	const isList = output.kind === 'many' || plan.values.settings.paginate === true;
	const key = itemKey(item);
	const run = async (): Promise<Result> =>
		isComposed(plan) ? await runComposed(plan, key, services) : await sendStep(plan, services);
	const items =
		isList && !isComposed(plan)
			? await listItems(plan, services)
			: toItems(
					plan,
					isRead(plan) ? await run() : await services.ledger.once(key, run, ifUnclear(plan)),
				);
	return 'record' in output && !output.record.simplified ? items.map(idsLast) : items;
}

/** How long an operation that keeps trying does so, from the beginning of the run on, and after how long it tries again. */
const PATIENCE_MS = 110_000;
const PAUSE_MS = 10_000;

/**
 * Carries an item out.
 *
 * @param item its key in the ledger
 * @throws NodeApiError, or UserError also where nothing was found
 */
async function runComposed(
	plan: ComposedPlan,
	item: string,
	services: RunServices,
): Promise<Result> {
	const keepsTrying = plan.operation.compose.keepsTrying && !services.isManual;
	for (;;) {
		const begunAt = clock.now();
		const result = await runOnce(plan, item, services).catch((reason: unknown) => {
			const isLate = clock.now() + PAUSE_MS > services.begunAt + PATIENCE_MS;
			if (!keepsTrying || isLate || !mayBeOver(reason)) throw reason;
		});
		if (result) return result;
		plan.triedAt ??= begunAt;
		await services.client.sleep(PAUSE_MS);
	}
}

/** A moment later, the service may answer, or show what became of a request. */
const mayBeOver = (reason: unknown) =>
	reason instanceof UnconfirmedError ||
	(reason instanceof NodeApiError && reason.context.isOutage === true);

async function runOnce(plan: ComposedPlan, item: string, services: RunServices): Promise<Result> {
	const begunAt = clock.now();
	const run = new ComposedItem(plan, item, services);
	const { compose } = plan.operation;
	// The types of an operation's steps and of its function agree, see `compose` of operation.ts.
	const functions = mapValues(compose.steps, (step, name) => run.functionOf(step, name)) as never;
	const { account } = services.client;
	const unlessProcessed: ComposeContext['unlessProcessed'] = async (key, carryOut) =>
		await services.processed.unlessProcessed(`${account} ${key}`, carryOut);
	const inTurn: ComposeContext['inTurn'] = async (id, carryOut) =>
		await turnsOfProcess.take([`found ${account} ${id}`], carryOut);
	const context: ComposeContext = {
		...plan.context,
		account,
		hints: services.hints,
		isTool: services.isTool,
		isRetried: plan.triedAt !== undefined,
		inParallel: async (things, work) => void (await inParallel(things, work)),
		inTurn,
		unlessProcessed,
	};
	return await compose.run(plan.values, functions, context).catch((reason: unknown) => {
		if (run.created.length > 0) services.ledger.note(item, begunAt);
		throw run.explain(reason);
	});
}

class ComposedItem {
	/** What steps created, in words. */
	readonly created: string[] = [];

	private hasWritten = false;

	/** How often each step was run. */
	private readonly counts = new Map<string, number>();

	constructor(
		private readonly plan: ComposedPlan,
		private readonly item: string,
		private readonly services: RunServices,
	) {}

	/** What the function of the operation gets for a step. */
	functionOf(step: RequestOperation | FindStep, name: string) {
		if ('finds' in step) {
			return async (lookups: Array<Omit<Lookup, 'record'>>, how?: HowToFind) =>
				await this.find(step, lookups, how);
		}
		if (step.output.kind === 'many') {
			const { record, hasTimeBounds = false } = step.output;
			return async (values: Partial<Values>) =>
				await this.readList(step, values, record, hasTimeBounds);
		}
		return async (values: Partial<Values>, how: HowToSend = {}) =>
			await this.send(step, values, name, how);
	}

	/** A failure, with what the user has to know about the earlier steps. */
	explain(reason: unknown): unknown {
		const isKnown = reason instanceof NodeApiError || reason instanceof UserError;
		if (!isKnown) return reason;
		if (onlyReads(this.plan.operation)) return reason;
		// Of a request that failed, the message itself says whether it was carried out.
		const isUnsent = !this.hasWritten && reason instanceof UserError;
		return addRemarks(reason, isUnsent ? ['Nothing was sent for this item.'] : this.created);
	}

	private async find(
		{ route, finds: record }: FindStep,
		lookups: Array<Omit<Lookup, 'record'>>,
		how?: HowToFind,
	): Promise<Result | undefined> {
		const path = route.slice('GET '.length);
		const own = path === `/${record.plural}` ? undefined : path;
		const wanted = lookups.map((lookup) => ({ ...lookup, record }));
		const found = await this.services.finder.find(wanted, { ...how, route: own });
		if (!found) return undefined;
		const { triedAt } = this.plan;
		const sentAt = triedAt === undefined ? undefined : this.services.client.toServerTime(triedAt);
		const isRepeated = triedAt !== undefined;
		const { created } = outcomeOf({ by: 'found', record: found, sentAt, isRepeated });
		return { record: found, adds: {}, created };
	}

	private async readList(
		step: RequestOperation,
		values: Partial<Values>,
		record: RecordShape,
		isOfLeads: boolean,
	): Promise<Result[]> {
		const plan = planStep(step, values, this.plan);
		const { path, query } = plan.request;
		const list = { path, query, about: plan.about, record };
		const { records, complete } = isOfLeads
			? { records: await listLeads(plan, this.services), complete: true }
			: await readWhole(pageReader(this.services.client, list));
		if (!complete) {
			throw new UserError(
				`The list of ${record.plural} could not be read completely, so nothing was sent`,
				'Run this item again when fewer changes are being made.',
			);
		}
		return records.map((each) => ({ record: each, adds: {}, created: false }));
	}

	private async send(
		operation: RequestOperation,
		values: Partial<Values>,
		name: string,
		how: HowToSend,
	): Promise<Result> {
		const { item, services } = this;
		const plan = planStep(operation, values, this.plan, how);
		const number = (this.counts.get(name) ?? 0) + 1;
		this.counts.set(name, number);
		const place = `${item} ${name} ${how.key ?? number}`;
		const isWrite = plan.request.method !== 'GET';
		const sendNow = async () => {
			const comparesContact = 'updateContact' in this.plan.operation.compose.steps;
			const result = await sendStep(plan, services, comparesContact);
			if (isWrite) services.finder.forget(plan.request.path);
			return result;
		};
		this.hasWritten ||= isWrite;
		const { output } = operation;
		// What was just looked for is looked for again in the next try.
		const isKept = isWrite && !how.searchedFirst;
		const result = isKept
			? await services.ledger.once(place, sendNow, ifUnclear(plan), services.absenceOf(plan))
			: await sendNow();
		const { record, created } = result;
		if (output.kind !== 'one' || created !== true || isNil(record?.id)) return result;
		const what = `The ${output.record.singular} "${String(record?.id)}" was created for this item`;
		this.created.push(
			how.searchedFirst ? `${what}; running it again finds it.` : `${what} before that.`,
		);
		return result;
	}
}
