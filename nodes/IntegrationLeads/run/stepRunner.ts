/** The steps of one item of a composed operation. */
import { isNil } from 'lodash';

import { outcomeOf } from '../contract/outcome';
import { contact as contactShape, type RecordShape } from '../contract/records';
import { onlyReads } from '../operation';
import type {
	FindStep,
	FindOptions,
	SendOptions,
	Lookup,
	RequestOperation,
	Result,
	StepFunction,
	Values,
} from '../operation';
import { isRead, planStep, type ComposedPlan, type RequestPlan } from '../prepare/plan';
import { unclearErrorFor } from '../requests/ledger';
import type { RunScope } from '../requests/runScope';
import { sendStep } from '../requests/sendStep';
import { readList } from '../transport/readList';
import { addRemarks, isExplained, UserError } from '../userError';
import { warnIfIncomplete } from './listItems';

/** Carries out the steps of an item, each write once although n8n may run the node again, and records what they created. */
export class StepRunner {
	/** Sentences about what the steps created. */
	readonly created: string[] = [];

	private hasWritten = false;

	/** How often each step was sent. The ledger identifies a write by its step and this number. */
	private readonly counts = new Map<string, number>();

	/** @param itemKey the key of the item in the ledger */
	constructor(
		private readonly plan: ComposedPlan,
		private readonly itemKey: string,
		private readonly runScope: RunScope,
	) {}

	/** The function for a step, which is passed to `run` of the operation. */
	functionOf(step: RequestOperation | FindStep, name: string): StepFunction {
		if ('finds' in step) {
			return async (lookups: Array<Omit<Lookup, 'record'>>, how?: FindOptions) =>
				await this.find(step, lookups, how);
		}
		const { output } = step;
		if (output.kind === 'many') {
			return async (values: Partial<Values>) =>
				await this.list(step, output.record, values, output.hasTimeBounds);
		}
		return async (values: Partial<Values>, how?: SendOptions) =>
			await this.send(step, name, values, how);
	}

	/** Adds to a failure what the user has to know about the earlier steps. */
	explain(reason: unknown): unknown {
		if (!isExplained(reason) || onlyReads(this.plan.operation)) return reason;
		// The message of a failed request already says whether it was carried out.
		const isUnsent = !this.hasWritten && reason instanceof UserError;
		return addRemarks(reason, isUnsent ? ['Nothing was sent for this item.'] : this.created);
	}

	private async find(
		{ route, looksUp, finds: record }: FindStep,
		lookups: Array<Omit<Lookup, 'record'>>,
		how?: FindOptions,
	): Promise<Result | undefined> {
		const { client, finder } = this.runScope;
		const { triedAt } = this.plan;
		const ownRoute = looksUp ? route.slice('GET '.length) : undefined;
		const wanted = lookups.map((lookup) => ({ ...lookup, record }));
		const found = await finder.find(wanted, { ...how, route: ownRoute });
		const isRepeated = triedAt !== undefined;
		const serverSentAt = isRepeated ? client.toServerTime(triedAt) : undefined;
		const { created } = outcomeOf({ by: 'found', record: found, serverSentAt, isRepeated });
		return found && { record: found, extra: {}, created };
	}

	private async list(
		step: RequestOperation,
		record: RecordShape,
		values: Partial<Values>,
		bounds?: boolean,
	): Promise<Result[]> {
		const { request, about } = planStep(step, values, this.plan);
		const { path, query } = request;
		const list = await readList(this.runScope.client, { path, query, about, record }, { bounds });
		const { complete } = list;
		const records = bounds ? warnIfIncomplete(list, this.runScope) : list.records;
		if (!complete && !bounds) {
			throw new UserError(
				`The list of ${record.plural} could not be read completely`,
				'Run this item again when fewer changes are being made.',
			);
		}
		return records.map((each) => ({ record: each, extra: {}, created: false }));
	}

	private async send(
		step: RequestOperation,
		name: string,
		values: Partial<Values>,
		how: SendOptions = {},
	): Promise<Result> {
		const { client, ledger, absenceOf } = this.runScope;
		const plan = planStep(step, values, this.plan, how);
		const number = (this.counts.get(name) ?? 0) + 1;
		this.counts.set(name, number);
		const { fillsContact } = this.plan.operation.compose;
		if (isRead(plan)) return await this.read(plan, how);
		this.hasWritten = true;
		const write = async () => {
			return await sendStep(plan, this.runScope, fillsContact);
		};
		// After a search, the next try searches again instead of asking the ledger.
		const result = how.searchedFirst
			? await write()
			: await ledger.once(`${this.itemKey} ${name} ${number}`, write, {
					unclear: unclearErrorFor(plan),
					isAbsent: absenceOf(plan, client),
				});
		this.noteCreated(step, result, how);
		return result;
	}

	/** Reads a record. A contact is read once in a run, see find/contacts.ts. */
	private async read(plan: RequestPlan, { isFresh }: SendOptions): Promise<Result> {
		const read = async () => await sendStep(plan, this.runScope);
		const { output } = plan.operation;
		if (output.kind !== 'one' || output.record !== contactShape) return await read();
		const { contacts } = this.runScope.finder;
		const readRecord = async () => (await read()).record;
		return { record: await contacts.read(plan.request.path, readRecord, isFresh), extra: {} };
	}

	private noteCreated(
		{ output }: RequestOperation,
		{ created, record }: Result,
		{ searchedFirst }: SendOptions,
	): void {
		if (output.kind !== 'one' || created !== true || isNil(record?.id)) return;
		const what = `The ${output.record.singular} "${String(record.id)}" was created for this item`;
		this.created.push(what + (searchedFirst ? '; running it again finds it.' : ' before that.'));
	}
}
