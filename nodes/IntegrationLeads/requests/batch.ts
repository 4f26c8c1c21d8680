/** Sends items in batches, and turns each answer into one outcome per item. */
import {
	chunk,
	compact,
	difference,
	isEmpty,
	isNil,
	isObject,
	omit,
	pick,
	pickBy,
	startCase,
} from 'lodash';
import { NodeApiError } from 'n8n-workflow';

import { ageOf } from '../contract/age';
import { excerptOf, parseBatchAnswer, type LeadResult } from '../contract/batchAnswer';
import { NOT_WRITTEN, noteDifferences } from '../contract/differences';
import { parseError, parseRecord } from '../contract/envelope';
import { isRecord, shorten, type ServiceRecord } from '../values/json';
import { lead as leadShape } from '../contract/leadRecord';
import { pushed } from '../contract/records';
import type { Lookup, Result } from '../operation';
import { inParallel } from '../transport/paginate';
import type { ServiceRequest } from '../transport/send';
import { beforeSending, UnconfirmedError, UserError } from '../userError';
import { isBlank } from '../values/convert';
import { addressesOf } from '../values/identity';
import { bodyOf, emptyValues, planRequest, recordKeysOf } from '../prepare/plan';
import type { ItemResult, Job, PlannedItem, RequestPlan } from '../prepare/plan';
import { idsLast, toItems } from '../output/output';
import { ifUnclear, itemKey } from './ledger';
import type { RunServices } from './services';
import { ACCEPTED_ONLY, leadKey, sendStep, withOutcome } from './step';

/** The field of the request with the leads. Assumed: the spec names the route only. */
const LIST = 'leads';

/**
 * Cuts a list into batches. Entries of one record are sent in their order, each in a later batch. Of entries that share an
 * address, the first goes ahead: the others find the contact that it creates, and may share a batch (what the service does with
 * two new leads of one address in a request is not documented).
 *
 * @param keys of each entry: those of its record (external ID, protocol), and the addresses of its contact
 * @returns positions in `keys`, ascending in each batch
 */
export function cutBatches(
	keys: Array<{ own: string[]; addresses: string[] }>,
	size: number,
): number[][] {
	const rounds: number[][] = [];
	const firstOf = new Map<string, number>();
	const lastOf = new Map<string, number>();
	for (const [position, { own, addresses }] of keys.entries()) {
		const before = [
			...own.map((key) => lastOf.get(key)),
			...addresses.map((key) => firstOf.get(key)),
		];
		const round = Math.max(-1, ...before.map((each) => each ?? -1)) + 1;
		(rounds[round] ??= []).push(position);
		for (const key of [...own, ...addresses]) {
			lastOf.set(key, Math.max(round, lastOf.get(key) ?? 0));
			if (!firstOf.has(key)) firstOf.set(key, round);
		}
	}
	return rounds.flatMap((round) => chunk(round, size));
}

/** An item of an operation with `batch`. */
type BatchedItem = PlannedItem & { plan: RequestPlan };

/** One job for each batch of items, which are of one operation with `batch`. */
export function batchJobs(items: PlannedItem[], services: RunServices): Job[] {
	const planned = items as BatchedItem[];
	const [first] = planned;
	const { batch } = first?.plan.operation ?? {};
	if (!batch) return [];
	const { batchSize = 100, readUnconfirmed = true } = first.plan.values.options;
	const readHeld = readUnconfirmed === true ? heldReader(services) : undefined;
	const recordKeys = planned.map(({ plan }) => recordKeysOf(plan));
	const keys = planned.map(({ plan: { values } }, position) => {
		const own = recordKeys[position];
		// What is found by its address must not share a request with the lead that it may be.
		if (batch.lookups(values.body).length > 0) return { own, addresses: [] };
		const { contact = {} } = values.body;
		const addresses = isRecord(contact) ? addressesOf(contact) : [];
		return { own: difference(own, addresses), addresses };
	});
	return cutBatches(keys, Number(batchSize)).map((positions) => {
		const members = positions.map((position) => planned[position]);
		return {
			items: members,
			recordKeys: positions.flatMap((position) => recordKeys[position]),
			run: async () => {
				const outcomes = new Map<BatchedItem, Result | Error>();
				const found = await Promise.all(
					members.map(
						async (member) =>
							await identify(member, batch.lookups(bodyOf(member.plan)), services).catch(
								(reason: Error) => void outcomes.set(member, reason),
							),
					),
				);
				// One after another, since two of them may be one lead.
				for (const [position, lead] of found.entries()) {
					const member = members[position];
					if (lead) {
						const updated = updateById(member, lead, batch, services);
						outcomes.set(member, await updated.catch((reason: Error) => reason));
					}
				}
				const ready = members.filter((member) => !outcomes.has(member));
				// Two that were found by their addresses, or one of them and a row with an ID, may be one lead.
				const ids = ready.map(({ plan }) => compact([bodyOf(plan).externalId]).map(String));
				const rounds = cutBatches(
					ids.map((own) => ({ own, addresses: [] })),
					members.length,
				);
				for (const round of rounds) {
					const sent = round.map((position) => ready[position]);
					const results = await sendBatch(sent, services, readHeld).catch((reason: Error) =>
						sent.map(() => reason),
					);
					sent.forEach((member, index) => outcomes.set(member, results[index]));
				}
				const settled = members.map(
					async (member) => await settleMember(member, outcomes.get(member)!),
				);
				return await Promise.all(settled);
			},
		};
	});

	async function settleMember(member: BatchedItem, outcome: Result | Error): Promise<ItemResult> {
		const { plan } = member;
		const settle = async () => (outcome instanceof Error ? await Promise.reject(outcome) : outcome);
		const { ledger } = services;
		return await ledger.once(itemKey(member), settle, ifUnclear(plan)).then(
			async (result) => toItems(plan, result).map(idsLast),
			(reason: Error) => reason,
		);
	}
}

/**
 * Gives a lead without an ID the external ID of the lead that has its email and phone or, where none has, the email or the phone
 * itself, as *Create or Update* does.
 *
 * @returns the lead that has them, if it has no external ID
 * @throws NodeApiError, or UserError where several have them
 */
async function identify(
	{ plan, itemIndex }: BatchedItem,
	lookups: Lookup[],
	{ finder, hintsOf }: RunServices,
): Promise<ServiceRecord | undefined> {
	if (lookups.length === 0) return undefined;
	hintsOf(itemIndex).add(
		'Leads without an External ID were found by their email or phone, which takes a request more for each.',
	);
	const found = await beforeSending(finder.find(lookups));
	const externalId = String(found ? (found.externalId ?? '') : lookups[0].value);
	if (externalId === '') return found;
	bodyOf(plan).externalId = externalId;
	return undefined;
}

/** A lead without an external ID cannot be pushed: it is updated by its ID. */
async function updateById(
	{ plan, itemIndex }: BatchedItem,
	found: ServiceRecord,
	{ update, changes }: NonNullable<RequestPlan['operation']['batch']>,
	services: RunServices,
): Promise<Result> {
	const values = { ...emptyValues(), ...changes(found, bodyOf(plan)) };
	const { leadId: value } = values.path;
	const target = { name: 'leadId', label: 'ID of the lead', value, printable: false };
	const hints = services.hintsOf(itemIndex);
	const step = planRequest(update, values, [target]);
	const { record, ...result } = await sendStep(step, { ...services, hints });
	return { ...result, record: { created: false, ...record }, created: false };
}

/** @param readHeld reads leads that the answer leaves open; without it, they pass */
async function sendBatch(
	members: BatchedItem[],
	services: RunServices,
	readHeld?: ReadHeld,
): Promise<Array<Result | Error>> {
	const { client } = services;
	const hintsOf = (position: number) => services.hintsOf(members[position].itemIndex);
	const plans = members.map(({ plan }) => plan);
	const [{ about }] = plans;
	const requests = plans.map(({ request }) => request);
	const leads = plans.map(bodyOf);
	const request: ServiceRequest = {
		...requests[0],
		body: { [LIST]: leads },
		repeatable: requests.every(({ repeatable }) => repeatable),
		isAnswer: (body) =>
			parseBatchAnswer(body, leads, true).results.some(({ kind }) => kind !== 'open'),
	};
	const { failed = false, siblings, data, status, sentAt } = await client.send(request, about);
	const body = isEmpty(siblings) ? data : siblings;
	const { results, mostRecorded } = parseBatchAnswer(body, leads, failed);
	const isOpen = ({ kind }: LeadResult) => kind === 'open' || kind === 'accepted';
	const open = failed ? [] : plans.filter((_, position) => isOpen(results[position]));
	const held = (await readHeld?.(open, sentAt)) ?? new Map<RequestPlan, Held>();
	dismissDoubtful();
	return results.map(({ kind, entries }, position) => {
		const merged = mergeEntries(entries);
		const said = merged ?? entries[0] ?? body;
		if (kind === 'recorded') return recordedResult(position, merged);
		const found = held.get(plans[position]);
		if (isObject(found)) return recordedResult(position, found.record, true);
		const named = idOf(leads[position]);
		// What is only accepted may be recorded later, and what was not asked may be recorded.
		const isAccepted = kind === 'accepted' && (!found || status === ACCEPTED_ONLY);
		if (isAccepted || (kind === 'open' && !failed && !readHeld)) {
			hintsOf(position).add(NOT_CONFIRMED);
			// The service may quote the key.
			const answer = client.scrub(excerptOf(said));
			return { data: { ...named, unconfirmed: true, answer }, adds: {} };
		}
		const which = isEmpty(named) ? 'this lead' : `the lead "${shorten(String(named.externalId))}"`;
		if (kind === 'refused' || failed) {
			const what = kind === 'refused' ? which : `the request with ${which}`;
			// Those of the request are reasons for other leads.
			const own = said === body && isRecord(body) ? omit(body, 'errors') : said;
			const reason = shorten(client.scrub(parseError(own).message ?? excerptOf(own)));
			return new UserError(
				`The leads service did not accept ${what}: ${reason}`,
				'Correct what it refused and run it again.',
			);
		}
		const shown = shorten(client.scrub(excerptOf(said)));
		const finding = found && ', and the service does not hold it as it was sent';
		return new UnconfirmedError(
			`The answer does not confirm ${which}${finding ?? ''}: ${shown}`,
			`${client.scrub(found ?? 'The lead may have been recorded: check it with Sync > Get before you run it again.')} Set Options > Batch Size to 1 to see the answer for each lead. If the service records leads some time after it has answered, switch off Options > Read Unconfirmed Leads.`,
		);
	});

	/** A lead that was there before passes only if the answer, read as doubtfully as can be, leaves room for it. */
	function dismissDoubtful(): void {
		const confirmed = results.filter(({ kind }) => kind === 'recorded').length;
		const isTooMany = confirmed + [...held.values()].filter(isObject).length > mostRecorded;
		for (const [position, plan] of plans.entries()) {
			const found = held.get(plan);
			if (!isObject(found) || found.isNew) continue;
			const { isMentioned } = results[position];
			if (!isMentioned && !isTooMany) continue;
			const doubt = isMentioned ? 'says something of it' : 'counts fewer leads as recorded';
			held.set(plan, `The service had it before with the same values, and the answer ${doubt}.`);
		}
	}

	function recordedResult(position: number, record: ServiceRecord = {}, isRead = false): Result {
		const plan = plans[position];
		const differences = noteDifferences(leads[position], record, hintsOf(position), !isRead);
		const adds = { ...(isRead && { confirmedBy: 'reading' }), ...(differences && { differences }) };
		// The age of a record that was read shows whether the request created it.
		const age = isRead && { sentAt, isRepeated: true };
		const evidence = { by: 'upsert', ...age } as const;
		const { created, adds: outcome } = withOutcome({ record, adds }, plan, services, evidence);
		// The outcome comes before the record's fields.
		const happened = { ...(created !== undefined && { created }), ...outcome };
		return { record: { ...idOf(leads[position]), ...happened, ...record }, created, adds: {} };
	}
}

/** The external ID of a lead, for its output. */
function idOf(lead: ServiceRecord): { externalId?: unknown } {
	return pickBy(pick(lead, 'externalId'), (id) => !isNil(id) && id !== '');
}

const NOT_CONFIRMED =
	'The answer does not confirm some leads: they have "unconfirmed" in the output. Check one with Sync > Get.';

/** All entries about one lead as one record. */
function mergeEntries(entries: unknown[]): ServiceRecord | undefined {
	const records = entries.filter(isRecord).map((record) => parseRecord(record, pushed.singular));
	return records.length > 0 ? (Object.assign({}, ...records) as ServiceRecord) : undefined;
}

/** What the service holds of a lead: the record as it was sent, or why it does not count as recorded. */
type Held = { record: ServiceRecord; isNew: boolean } | string;

/** Reads the leads of a batch that can be read. `sentAt` is on the service's clock, if that is shown. */
type ReadHeld = (plans: RequestPlan[], sentAt?: number) => Promise<Map<RequestPlan, Held>>;

/**
 * Returns the function that reads leads for all batches of a run: those that the answer neither confirms nor refuses, by their
 * external ID (spec 4.2), one request each. What the service holds shows whether they were recorded.
 */
function heldReader({ finder, written, hints }: RunServices): ReadHeld {
	let isPermitted = true;
	return async (plans, sentAt) => {
		const held = new Map<RequestPlan, Held>();
		const read = async (plan: RequestPlan): Promise<boolean> => {
			if (!isPermitted) return false;
			const value = String(bodyOf(plan).externalId);
			const lookup = { record: leadShape, label: 'External ID', by: 'externalId', value } as const;
			const unread = (reason: unknown): void => {
				if (reason instanceof NodeApiError) isPermitted &&= reason.httpCode !== '403';
				else if (!(reason instanceof UserError)) throw reason;
				hints.add(`Unconfirmed leads could not be read. ${reason.message}. ${reason.description}`);
			};
			await finder
				.find([lookup])
				.then((found) => held.set(plan, judge(plan, found, sentAt)), unread);
			return isPermitted;
		};
		// The first one shows whether the key permits it.
		const [first, ...others] = plans.filter((plan) => !isBlank(bodyOf(plan).externalId));
		if (first && (await read(first))) await inParallel(others, read);
		return held;
	};

	/** An older lead may have been refused, and have most of its values from before: every one that was sent must be there. */
	function judge(plan: RequestPlan, record: ServiceRecord | undefined, sentAt?: number): Held {
		if (!record) return 'No lead has this external ID.';
		// An item before this one may have created it.
		const isNew = ageOf(record, sentAt) === 'since' && !written.has(leadKey(bodyOf(plan)));
		if (isNew) return { record, isNew };
		const differences = noteDifferences(bodyOf(plan), record, new Set());
		if (differences) return `The service has it with other values: ${differences}`;
		const sent = omit(bodyOf(plan), 'externalId', ...NOT_WRITTEN);
		const hidden = hiddenFields(sent, record).map((name) => startCase(name));
		if (hidden.length === 0) return { record, isNew };
		return `The service had it before, and does not show ${hidden.join(', ')}.`;
	}
}

/** The fields of what was sent that the record does not show. */
function hiddenFields(sent: ServiceRecord, record: ServiceRecord): string[] {
	return Object.entries(sent).flatMap(([name, value]) => {
		const shown = name === 'contactId' ? (record.contactId ?? record.contact) : record[name];
		if (shown === undefined) return [name];
		return isRecord(value) && isRecord(shown)
			? hiddenFields(value, shown).map((field) => `${name} ${field}`)
			: [];
	});
}
