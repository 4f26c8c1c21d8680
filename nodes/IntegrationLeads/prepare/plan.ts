/** Plans an item: everything that is known before anything is written for it. Sends nothing itself. */
import { get, isNil, map, set, uniq } from 'lodash';

import { isRecord, type ServiceRecord } from '../values/json';
import { onlyReads, type Lookup, type Operation, type RunContext, type Values } from '../operation';
import type { ErrorContext } from '../transport/errors';
import { addressesOf } from '../values/identity';

/** Returns the value of a parameter as the user gave it, undefined if it is not set or not shown. */
export type ReadParameter = (name: string) => unknown;

/** A record in the path, and the parameter that names it. */
export type PathRecord = ErrorContext['targets'][number] & { name: string; printable: boolean };

/** Everything about an item, or a part of one, that is known before anything is written. */
export interface Plan {
	operation: Operation;
	values: Values;
	/** The records in the path. */
	targets: PathRecord[];
	context: RunContext;
}

/** A plan in which IDs are missing, because the user named the records by something else. */
export interface Draft extends Plan {
	lookups: PendingLookup[];
}

/** A lookup, and where the ID that it finds is put. */
export interface PendingLookup {
	lookup: Lookup;
	place: 'path' | 'query' | 'body';
	/** With points for a field of an object. */
	field: string;
}

/** @param ids what the lookups of the draft have found, in their order */
export function completePlan({ lookups, ...plan }: Draft, ids: string[]): Plan {
	if (lookups.length === 0) return plan;
	const { path, query, body } = plan.values;
	const values = { ...plan.values, path: { ...path }, query: { ...query }, body: { ...body } };
	for (const [position, { lookup, place, field }] of lookups.entries()) {
		// The user's own JSON, which is read last, may have replaced the value.
		const isThere = place === 'path' || get(values[place], field) === lookup.value;
		if (isThere) set(values[place], field, ids[position]);
	}
	const targets = plan.targets.map((target) => ({ ...target, value: values.path[target.name] }));
	return { ...plan, values, targets };
}

/** An item of the input, or one of the things that it holds. Most items have just one. */
export interface ItemPart {
	itemIndex: number;
	/** The position of the part in its item. */
	part: number;
}

export interface PlannedItem extends ItemPart {
	plan: Plan;
	/** The record that it changes, if it was looked up before the item is carried out. */
	found?: ServiceRecord;
}

/** Whether a plan reads a list, which may take hundreds of requests. */
export function readsList({ operation, values }: Plan): boolean {
	if (values.settings.paginate === true) return true;
	return operation.output.kind === 'many' && onlyReads(operation);
}

/**
 * Keys of the records that an item changes: items that share one keep their order. They are the values that identify a record,
 * in the path and in the body of an upsert. An email or a phone counts too, since two simultaneous requests might both find no
 * contact and create one. Empty for reads.
 */
export function recordKeysOf({ operation, values, targets }: Plan): string[] {
	if (onlyReads(operation)) return [];
	const { externalId, protocol, id, contact = values.body } = values.body;
	const addresses = isRecord(contact) ? addressesOf(contact) : [];
	const ids = [...map(targets, 'value'), externalId, protocol, id];
	const all = [...ids, ...addresses, ...(operation.keys?.(values) ?? [])];
	return uniq(all.filter((value) => !isNil(value) && value !== '').map(String));
}
