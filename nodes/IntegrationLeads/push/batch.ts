/** Sends items in batches, and turns each answer into one outcome per item. */
import { difference, isEmpty, omit, pick } from 'lodash';

import { decide } from '../contract/attempt';
import { excerptOf, parseBatchAnswer } from '../contract/batchAnswer';
import { noteDifferences } from '../contract/differences';
import { parseError, parseRecord } from '../contract/envelope';
import { hasId, isRecord, shorten, type ServiceRecord } from '../values/json';
import { lead as leadShape, pushed } from '../contract/records';
import type { Result } from '../operation';
import { clock } from '../transport/clock';
import { inParallel } from '../transport/parallel';
import type { ServiceRequest } from '../transport/request';
import { isExplained, isForbidden, UnconfirmedError, UserError } from '../userError';
import { isBlank } from '../values/convert';
import { addressesOf } from '../values/identity';
import { recordKeysOf, type PlannedItem } from '../prepare/plan';
import { bodyOf, planRequest, type RequestPlan } from '../prepare/request';
import { idsLast, toOutputItems } from '../output/output';
import type { ItemResult, Job } from '../run/itemLoop';
import { unclearError } from '../run/ledger';
import { scopeOfItem, type RunScope } from '../run/runScope';
import { HTTP_ACCEPTED, mayHaveArrived, withOutcome } from '../run/sendStep';
import { cutBatches } from './cutBatches';
import { heldOf, verdictOf, type BatchFacts, type Held, type Verdict } from './verdict';

/** The field of the request with the leads. Assumed: the spec names the route only. */
const LIST = 'leads';

/** An item, and the request that would send it alone. */
type BatchedItem = PlannedItem & { request: RequestPlan };

/** One job for each batch of items, which are of one operation with `batch`. */
export function batchJobs(items: PlannedItem[], runScope: RunScope): Job[] {
	const [first] = items;
	if (!first) return [];
	const planned = items.flatMap((item): BatchedItem[] => {
		const { operation, values } = item.plan;
		const { firstSentAt } = runScope.ledger.entryOf(item);
		if (!operation.batch) return [];
		return [{ ...item, request: planRequest(operation.batch, values, item.plan, { firstSentAt }) }];
	});
	const { batchSize = 100, readUnconfirmed = true } = first.plan.values.options;
	const reads = readUnconfirmed === true;
	const shared = { mayRead: reads, idsOf: new Map<string, Set<string>>() };
	const recordKeys = planned.map(({ plan }) => recordKeysOf(plan));
	const keys = planned.map(({ plan: { values } }, position) => {
		const { contact = {} } = values.body;
		const addresses = isRecord(contact) ? addressesOf(contact) : [];
		return { own: difference(recordKeys[position], addresses), addresses };
	});
	return cutBatches(keys, Number(batchSize)).map((positions) => {
		const members = positions.map((position) => planned[position]);
		return {
			items: members,
			recordKeys: positions.flatMap((position) => recordKeys[position]),
			run: async () =>
				await new BatchSender(scopeOfItem(runScope, false), reads, shared).send(members),
		};
	});
}

class BatchSender {
	/**
	 * @param reads leads about which an answer is unclear are read; without it, they pass
	 * @param shared what all batches of a run find out: `mayRead`, whether the key permits to read leads, as far as it is known;
	 * `idsOf`, the external IDs for which each record was read
	 */
	constructor(
		private readonly runScope: RunScope,
		private readonly reads: boolean,
		private readonly shared: { mayRead: boolean; idsOf: Map<string, Set<string>> },
	) {}

	async send(members: BatchedItem[]): Promise<ItemResult[]> {
		const mayBeSent = ({ request: { attempt, request } }: BatchedItem) =>
			decide(attempt, { isRepeatable: request.repeatable, isListed: false }) === 'send';
		const toSend = members.filter(mayBeSent);
		const begunAt = clock.now();
		const sent = toSend.length > 0 ? await settled(this.post(toSend)) : [];
		return members.map((member) => {
			const position = toSend.indexOf(member);
			if (position < 0) return unclearError();
			return this.noteInLedger(member, sent instanceof Error ? sent : sent[position], begunAt);
		});
	}

	/** Notes in the ledger what became of an item. */
	private noteInLedger(member: BatchedItem, outcome: Result | Error, begunAt: number): ItemResult {
		const { ledger } = this.runScope;
		if (outcome instanceof Error) {
			if (mayHaveArrived(outcome, member.request)) ledger.suspect(member, begunAt);
			return outcome;
		}
		ledger.settle(member, outcome);
		return toOutputItems(member.plan, outcome).map(idsLast);
	}

	/** Sends one request, and reads the leads about which its answer is unclear. */
	private async post(members: BatchedItem[]): Promise<Array<Result | Error>> {
		const { client } = this.runScope;
		const leads = members.map(leadOf);
		const requests = members.map(({ request }) => request.request);
		const request: ServiceRequest = {
			...requests[0],
			body: { [LIST]: leads },
			repeatable: requests.every(({ repeatable }) => repeatable),
			isAnswer: (body) =>
				parseBatchAnswer(body, leads, true).some(({ statement }) => statement !== 'unclear'),
		};
		// What is known of the first lead alone does not explain why several are refused.
		const about = {
			...members[0].request.errorContext,
			...(members.length > 1 && { hasOnlyCode: false }),
		};
		const answer = await client.send(request, about);
		const { failed = false, envelope, data, status, serverSentAt, isRepeated } = answer;
		const body = isEmpty(envelope) ? data : envelope;
		const answers = parseBatchAnswer(body, leads, failed);
		const isUnclear = (_: unknown, n: number) =>
			answers[n].statement === 'unclear' || answers[n].statement === 'nothing';
		const held = failed ? undefined : await this.read(members.filter(isUnclear), serverSentAt);
		const namesOthers = answers.some(({ entries }) => entries.length > 0);
		const facts: BatchFacts = {
			failed,
			isAcceptedOnly: status === HTTP_ACCEPTED,
			reads: this.reads,
		};
		return answers.map((own, position) => {
			const member = members[position];
			const verdict = verdictOf(own.statement, held?.get(member), facts);
			return this.toResult(member, verdict, mergeEntries(own.entries), {
				said: own.entries[0] ?? body,
				body,
				isOfOthers: namesOthers && own.entries.length === 0,
				serverSentAt,
				isRepeated,
			});
		});
	}

	/** @param merged what the answer says of the lead, as one record */
	private toResult(
		member: BatchedItem,
		verdict: Verdict,
		merged: ServiceRecord | undefined,
		answer: {
			said: unknown;
			body: unknown;
			/** It names other leads only. */
			isOfOthers: boolean;
			serverSentAt?: number;
			isRepeated?: boolean;
		},
	): Result | Error {
		const { scrub } = this.runScope.client;
		const { body, isOfOthers } = answer;
		const said = merged ?? answer.said;
		const id = externalIdOf(member);
		const which = id === '' ? 'this lead' : `the lead "${shorten(id)}"`;
		switch (verdict.is) {
			case 'recorded': {
				const { record } = verdict;
				return this.recorded(member, record ?? merged ?? {}, answer, record !== undefined);
			}
			case 'passed':
				this.runScope.hintsOf(member.itemIndex).add(NOT_CONFIRMED);
				return {
					data: { ...externalIdField(member), unconfirmed: true, answer: scrub(excerptOf(said)) },
					extra: {},
				};
			case 'refused': {
				const what = verdict.isOfRequest ? `the request with ${which}` : which;
				// Those of the request are reasons for other leads.
				const own = said === body && isRecord(body) ? omit(body, 'errors') : said;
				const reason = scrub(parseError(own).message ?? excerptOf(own));
				return new UserError(
					`The leads service did not accept ${what}: ${shorten(reason)}`,
					'Correct what it refused and run it again.',
				);
			}
			case 'unknown': {
				const { reason } = verdict;
				const quoted = isOfOthers
					? ', and names others only'
					: `: ${shorten(scrub(excerptOf(said)))}`;
				const finding = reason ? ', and the service does not hold it as it was sent' : '';
				return new UnconfirmedError(`The answer does not confirm ${which}${finding}${quoted}`, {
					all: scrub(
						reason ?? 'The lead may have been recorded: look it up before it is sent again.',
					),
					panel:
						'Set Options > Batch Size to 1 to see the answer for each lead. If the service records leads later, switch off Options > Read Unconfirmed Leads.',
				});
			}
		}
	}

	/** @param isRead the record was read after the request: its age shows whether it was created */
	private recorded(
		member: BatchedItem,
		record: ServiceRecord,
		{ serverSentAt, isRepeated = false }: { serverSentAt?: number; isRepeated?: boolean },
		isRead: boolean,
	): Result {
		const hints = this.runScope.hintsOf(member.itemIndex);
		const differences = noteDifferences(leadOf(member), record, hints, !isRead);
		const extra = {
			...(isRead && { confirmedBy: 'reading' }),
			...(differences && { differences }),
		};
		const ageDecides = isRead || isRepeated;
		const evidence = { by: 'upsert', serverSentAt, isRepeated: ageDecides } as const;
		const result = withOutcome({ record, extra }, member.request, this.runScope, evidence);
		const { created } = result;
		// The outcome comes before the record's fields.
		const happened = { ...(created !== undefined && { created }), ...result.extra };
		return { record: { ...externalIdField(member), ...happened, ...record }, created, extra: {} };
	}

	/**
	 * Reads leads by their external ID (spec 4.2), one request each: what the service holds shows whether they were recorded.
	 *
	 * @param serverSentAt on the service's clock, if that is shown
	 */
	private async read(
		members: BatchedItem[],
		serverSentAt?: number,
	): Promise<Map<BatchedItem, Held>> {
		const { finder, hints } = this.runScope;
		const held = new Map<BatchedItem, Held>();
		const readOne = async (member: BatchedItem): Promise<boolean> => {
			if (!this.shared.mayRead) return false;
			const value = externalIdOf(member);
			const lookup = { record: leadShape, label: 'External ID', by: 'externalId', value } as const;
			const found = await settled(finder.asItem().find([lookup]));
			if (!(found instanceof Error)) {
				const lead = leadOf(member);
				held.set(member, heldOf(lead, found, serverSentAt));
			} else {
				if (!isExplained(found)) throw found;
				this.shared.mayRead &&= !isForbidden(found);
				hints.add(`Unconfirmed leads could not be read. ${found.message}. ${found.description}`);
			}
			return this.shared.mayRead;
		};
		// The first one shows whether the key permits it.
		const [first, ...others] = members.filter((member) => externalIdOf(member) !== '');
		if (first && (await readOne(first))) await inParallel(others, readOne);
		return this.withoutShared(held);
	}

	/** One record is one lead: where several external IDs led to it, it confirms none of them. */
	private withoutShared(found: Map<BatchedItem, Held>): Map<BatchedItem, Held> {
		const { idsOf } = this.shared;
		const withRecord = [...found].flatMap(([member, held]) =>
			'record' in held && hasId(held.record)
				? { member, record: held.record, id: String(held.record.id) }
				: [],
		);
		for (const { member, id } of withRecord) {
			idsOf.set(id, (idsOf.get(id) ?? new Set()).add(externalIdOf(member)));
		}
		for (const { member, record, id } of withRecord) {
			if (idsOf.get(id)!.size > 1) found.set(member, { is: 'shared', record });
		}
		return found;
	}
}

/** Resolves with the error instead of rejecting. */
const settled = async <T>(work: Promise<T>) => await work.catch((reason: Error) => reason);

const leadOf = ({ request }: BatchedItem) => bodyOf(request);

/** The external ID of the item's lead, or an empty string. */
const externalIdOf = (item: BatchedItem) =>
	isBlank(leadOf(item).externalId) ? '' : String(leadOf(item).externalId);

/** The external ID as a field of the output, if the lead has one. */
const externalIdField = (item: BatchedItem) =>
	externalIdOf(item) === '' ? {} : pick(leadOf(item), 'externalId');

const NOT_CONFIRMED =
	'The answer does not confirm some leads: they have "unconfirmed" in the output. Check one with Sync > Get.';

/** All entries about one lead as one record. */
function mergeEntries(entries: unknown[]): ServiceRecord | undefined {
	const records = entries.filter(isRecord).map((record) => parseRecord(record, pushed.singular));
	return records.length > 0 ? records.reduce((all, each) => ({ ...all, ...each })) : undefined;
}
