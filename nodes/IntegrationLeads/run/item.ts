/** One item: it is carried out once, although n8n may run the node again on the same input. */
import { isNil, mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

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
import { addRemarks, ServiceError, UnconfirmedError, UserError } from '../userError';
import { turnsOfProcess, type RunServices } from '../requests/services';

/**
 * Carries an item out, unless that was done in an earlier try.
 *
 * @returns the records for the output
 * @throws ServiceError, or UserError also when it is not known whether it was carried out
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
					isRead(plan)
						? await run()
						: await services.ledger.once(key, run, { unclear: ifUnclear(plan) }),
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
 * @throws ServiceError, or UserError also where nothing was found
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
	reason instanceof UnconfirmedError || (reason instanceof ServiceError && reason.facts.isOutage);

async function runOnce(plan: ComposedPlan, item: string, services: RunServices): Promise<Result> {
	const begunAt = clock.now();
	const { operation, triedAt } = plan;
	const { steps, run } = operation.compose;
	const { client, finder, ledger, hints, processed } = services;
	const { account } = client;
	const isRetried = triedAt !== undefined;
	/** What steps created, in words. */
	const created: string[] = [];
	let hasWritten = false;
	/** How often each step was run. */
	const counts = new Map<string, number>();

	/** What the function of the operation gets for a step. */
	function functionOf(step: RequestOperation | FindStep, name: string) {
		if ('finds' in step) return finding(step);
		const { output } = step;
		return output.kind === 'many'
			? reading(step, output.record, output.hasTimeBounds)
			: sending(step, name);
	}

	function finding({ route, finds: record }: FindStep) {
		const path = route.slice('GET '.length);
		const own = path === `/${record.plural}` ? undefined : path;
		return async (lookups: Array<Omit<Lookup, 'record'>>, how?: HowToFind) => {
			const wanted = lookups.map((lookup) => ({ ...lookup, record }));
			const found = await finder.find(wanted, { ...how, route: own });
			const sentAt = isRetried ? client.toServerTime(triedAt) : undefined;
			const evidence = { by: 'found', record: found, sentAt, isRepeated: isRetried } as const;
			return found && { record: found, adds: {}, created: outcomeOf(evidence).created };
		};
	}

	function reading(step: RequestOperation, record: RecordShape, isOfLeads = false) {
		return async (values: Partial<Values>): Promise<Result[]> => {
			const own = planStep(step, values, plan);
			const { path, query } = own.request;
			const list = { path, query, about: own.about, record };
			const { records, complete } = isOfLeads
				? { records: await listLeads(own, services), complete: true }
				: await readWhole(pageReader(client, list));
			if (!complete) {
				throw new UserError(
					`The list of ${record.plural} could not be read completely, so nothing was sent`,
					'Run this item again when fewer changes are being made.',
				);
			}
			return records.map((each) => ({ record: each, adds: {}, created: false }));
		};
	}

	function sending(step: RequestOperation, name: string) {
		return async (values: Partial<Values>, how: HowToSend = {}): Promise<Result> => {
			const own = planStep(step, values, plan, how);
			const number = (counts.get(name) ?? 0) + 1;
			counts.set(name, number);
			const place = `${item} ${name} ${number}`;
			const isWrite = !isRead(own);
			const sendNow = async () => {
				const result = await sendStep(own, services, 'updateContact' in steps);
				if (isWrite) finder.forget(own.request.path);
				return result;
			};
			hasWritten ||= isWrite;
			// What was just looked for is looked for again in the next try.
			const isKept = isWrite && !how.searchedFirst;
			const result = isKept
				? await ledger.once(place, sendNow, {
						unclear: ifUnclear(own),
						isAbsent: services.absenceOf(own),
					})
				: await sendNow();
			const { output } = step;
			if (output.kind === 'one' && result.created === true && !isNil(result.record?.id)) {
				const what = `The ${output.record.singular} "${String(result.record.id)}" was created for this item`;
				const remark = how.searchedFirst ? '; running it again finds it.' : ' before that.';
				created.push(what + remark);
			}
			return result;
		};
	}

	/** A failure, with what the user has to know about the earlier steps. */
	function explain(reason: unknown): unknown {
		const isKnown = reason instanceof ServiceError || reason instanceof UserError;
		if (!isKnown || onlyReads(operation)) return reason;
		// Of a request that failed, the message itself says whether it was carried out.
		const isUnsent = !hasWritten && reason instanceof UserError;
		return addRemarks(reason, isUnsent ? ['Nothing was sent for this item.'] : created);
	}

	const context: ComposeContext = {
		...plan.context,
		account,
		hints,
		isRetried,
		inParallel: async (things, work) => void (await inParallel(things, work)),
		inTurn: async (id, carryOut) => await turnsOfProcess.take([`found ${account} ${id}`], carryOut),
		unlessProcessed: async (key, carryOut) =>
			await processed.unlessProcessed(`${account} ${key}`, carryOut),
	};
	// The types of an operation's steps and of its function agree, see `compose` of operation.ts.
	const functions = mapValues(steps, functionOf) as never;
	return await run(plan.values, functions, context).catch((reason: unknown) => {
		if (created.length > 0) ledger.note(item, begunAt);
		throw explain(reason);
	});
}
