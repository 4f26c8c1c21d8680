/** Items whose operation is a function of several requests, see {@link ComposedOperation}. */
import { compact, isNil, mapValues } from 'lodash';
import { NodeApiError } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { parseRecord } from '../contract/envelope';
import type { RecordShape } from '../contract/records';
import type {
	ComposeContext,
	HowToSend,
	Lookup,
	LookupStep,
	RequestOperation,
	Result,
	Search,
	SearchStep,
	Values,
} from '../operation';
import { clock } from '../transport/clock';
import { pageReader } from '../transport/read';
import { addRemarks, UserError } from '../userError';
import { LACKS_ADDRESS, unknownAddresses } from './candidates';
import { readForCertain } from './list';
import type { ComposedPlan } from './plan';
import { ifUnclear } from './once';
import { planStep } from './request';
import { searchRecord } from './searchRecord';
import type { RunServices } from './services';
import { sendStep } from './step';

/**
 * Carries an item out.
 *
 * @param item its key in the ledger
 * @throws NodeApiError, or UserError also where nothing was found
 */
export async function runComposed(
	plan: ComposedPlan,
	item: string,
	services: RunServices,
): Promise<Result> {
	const run = new ComposedItem(plan, item, services);
	const { compose } = plan.operation;
	// The types of an operation's steps and of its function agree, see `compose` of operation.ts.
	const functions = mapValues(compose.steps, (step, name) => run.functionOf(step, name)) as never;
	const { client, timezone } = services;
	const { account } = client;
	const unlessProcessed: ComposeContext['unlessProcessed'] = async (key, carryOut) =>
		await services.processed.unlessProcessed(`${account} ${key}`, carryOut);
	const context = { account, now: clock.now(), timezone, unlessProcessed };
	const result = await compose.run(plan.values, functions, context).catch((reason: unknown) => {
		run.showRemarks();
		throw run.explain(reason);
	});
	if (result) {
		const unknown = plan.found ? unknownAddresses(plan.found, result.record?.contact) : [];
		if (unknown.length > 0) run.remarks.push(LACKS_ADDRESS);
		run.showRemarks();
		return withDifferences(result, unknown);
	}
	const { message = 'Nothing was found', description } = plan.about.notFound ?? {};
	throw new UserError(message, [...run.remarks, description].join(' '));
}

/** @param differences in words */
function withDifferences({ adds, inWords = [], ...result }: Result, differences: string[]): Result {
	const all = compact([adds.differences, ...differences]).join(' ');
	return {
		...result,
		adds: { ...adds, ...(all !== '' && { differences: all }) },
		inWords: [...inWords, ...differences],
	};
}

class ComposedItem {
	/** Hints about records that were found but not used. */
	readonly remarks: string[] = [];

	/** What steps created, in words. */
	private readonly created: string[] = [];

	private hasWritten = false;

	/** How often each step was run. */
	private readonly counts = new Map<string, number>();

	constructor(
		private readonly plan: ComposedPlan,
		private readonly item: string,
		private readonly services: RunServices,
	) {}

	/** What the function of the operation gets for a step. */
	functionOf(step: RequestOperation | SearchStep | LookupStep, name: string) {
		if ('finds' in step) return async (searches: Search[]) => await this.search(step, searches);
		if ('looksUp' in step) {
			return async (lookup: Omit<Lookup, 'record'>) => await this.lookUp(step, lookup);
		}
		if (step.output.kind === 'many') {
			const { record } = step.output;
			return async (values: Partial<Values>) => await this.readList(step, values, record);
		}
		return async (values: Partial<Values>, how: HowToSend = {}) =>
			await this.send(step, values, name, how);
	}

	/** Hints at what searches found that was not taken. */
	showRemarks(): void {
		for (const remark of this.remarks) this.services.hints.add(remark);
	}

	/** A failure, with what the user has to know about the earlier steps. */
	explain(reason: unknown): unknown {
		const isKnown = reason instanceof NodeApiError || reason instanceof UserError;
		if (!isKnown) return reason;
		// Of a request that failed, the message itself says whether it was carried out.
		const isUnsent = !this.hasWritten && reason instanceof UserError;
		return addRemarks(reason, isUnsent ? ['Nothing was sent for this item.'] : this.created);
	}

	private async search(step: SearchStep, searches: Search[]): Promise<Result | undefined> {
		const { about } = this.plan;
		const found = await searchRecord(step, searches, about, this.services.client, this.remarks);
		return found && this.found(found.data, step.finds, found.adds);
	}

	private async lookUp(
		{ looksUp: record }: LookupStep,
		lookup: Omit<Lookup, 'record'>,
	): Promise<Result | undefined> {
		const found = await this.services.lookups.lookUpOnly({ ...lookup, record });
		return found && this.found(found, record);
	}

	private async readList(
		step: RequestOperation,
		values: Partial<Values>,
		record: RecordShape,
	): Promise<Result[]> {
		const { request, about } = planStep(step, values, this.plan);
		const list = { path: request.path, query: request.query, about, record };
		const records = await readForCertain(pageReader(this.services.client, list), record);
		return records.map((each) => this.found(each, record));
	}

	private found(data: ServiceRecord, { singular }: RecordShape, adds = {}): Result {
		const record = parseRecord(data, singular);
		return { record, data, adds, created: false };
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
		const sendNow = async () => await sendStep(plan, services);
		this.hasWritten ||= plan.request.method !== 'GET';
		const { output } = operation;
		// What was just looked for is looked for again in the next try.
		const isKept = plan.request.method !== 'GET' && !how.searchedFirst;
		const result = isKept
			? await services.ledger.once(place, sendNow, ifUnclear(plan))
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
