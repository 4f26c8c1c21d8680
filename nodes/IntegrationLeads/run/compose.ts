/** Items whose operation is a function of several requests, see {@link ComposedOperation}. */
import { compact, isNil, mapValues } from 'lodash';
import { NodeApiError } from 'n8n-workflow';

import type { RecordShape } from '../contract/records';
import type {
	ComposeContext,
	FindStep,
	HowToFind,
	HowToSend,
	Lookup,
	RequestOperation,
	Result,
	Values,
} from '../operation';
import { clock } from '../transport/clock';
import { pageReader } from '../transport/read';
import { addRemarks, UserError } from '../userError';
import type { Found } from '../find/find';
import { NotOneError, unknownAddresses } from '../find/find';
import { readForCertain } from '../find/list';
import type { ComposedPlan } from '../prepare/plan';
import { ifUnclear } from '../requests/ledger';
import { planStep } from '../prepare/request';
import type { RunServices } from '../requests/services';
import { sendStep } from '../requests/step';
import { turnsOfProcess } from '../requests/turns';

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
	const inTurn: ComposeContext['inTurn'] = async (id, carryOut) =>
		await turnsOfProcess.take([`found ${account} ${id}`], carryOut);
	const context = { account, now: clock.now(), timezone, inTurn, unlessProcessed };
	const result = await compose.run(plan.values, functions, context).catch((reason: unknown) => {
		throw run.explain(reason);
	});
	if (result) {
		return withDifferences(result, run.unknownAddresses(result));
	}
	const { message = 'Nothing was found', description } = plan.about.notFound ?? {};
	throw new UserError(message, description);
}

/** @param differences in words */
function withDifferences({ adds, ...result }: Result, differences: string[]): Result {
	const all = compact([adds.differences, ...differences]).join(' ');
	return { ...result, adds: { ...adds, ...(all !== '' && { differences: all }) } };
}

/** A hint where an item has an address that its record does not have. */
const LACKS_ADDRESS =
	'A record was found by one address and does not have another one that was given: see "differences" in the output.';

class ComposedItem {
	/** What a search found that all values of the item led to. */
	private found?: Found;

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
	functionOf(step: RequestOperation | FindStep, name: string) {
		if ('finds' in step) {
			return async (lookups: Array<Omit<Lookup, 'record'>>, how?: HowToFind) =>
				await this.find(step, lookups, how);
		}
		if (step.output.kind === 'many') {
			const { record } = step.output;
			return async (values: Partial<Values>) => await this.readList(step, values, record);
		}
		return async (values: Partial<Values>, how: HowToSend = {}) =>
			await this.send(step, values, name, how);
	}

	/** Which addresses of the item the record that was found does not have, in words. */
	unknownAddresses({ record = {} }: Result): string[] {
		const { contact = record } = record;
		const unknown = this.found ? unknownAddresses(this.found, contact) : [];
		if (unknown.length > 0) this.services.hints.add(LACKS_ADDRESS);
		return unknown;
	}

	/** A failure, with what the user has to know about the earlier steps. */
	explain(reason: unknown): unknown {
		const isKnown = reason instanceof NodeApiError || reason instanceof UserError;
		if (!isKnown) return reason;
		// Of a request that failed, the message itself says whether it was carried out.
		const isUnsent = !this.hasWritten && reason instanceof UserError;
		return addRemarks(reason, isUnsent ? ['Nothing was sent for this item.'] : this.created);
	}

	private async find(
		{ route, finds: record }: FindStep,
		lookups: Array<Omit<Lookup, 'record'>>,
		{ required, orNone = false }: HowToFind = {},
	): Promise<Result | undefined> {
		const path = route.slice('GET '.length);
		const how = { required, route: path === `/${record.plural}` ? undefined : path };
		const wanted = lookups.map((lookup) => ({ ...lookup, record }));
		const found = await this.services.finder.find(wanted, how).catch((reason: unknown) => {
			if (orNone && reason instanceof NotOneError) return undefined;
			throw reason;
		});
		if (!found) return undefined;
		this.found = found;
		const adds = { matchedBy: found.by, matchedValue: found.value };
		return { record: found.record, adds, created: false };
	}

	private async readList(
		step: RequestOperation,
		values: Partial<Values>,
		record: RecordShape,
	): Promise<Result[]> {
		const { request, about } = planStep(step, values, this.plan);
		const list = { path: request.path, query: request.query, about, record };
		const records = await readForCertain(pageReader(this.services.client, list), record);
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
