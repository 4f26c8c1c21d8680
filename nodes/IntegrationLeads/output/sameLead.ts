/** Finds the rows of a run that are about one lead, so that each names the others, and says which of their values it replaces. Pure. */
import { compact, groupBy, keys, map, omit, set, sortBy, uniq, without } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { differencesIn } from '../contract/differences';
import { recordKeysOf, type PlannedItem } from '../prepare/plan';
import type { ServiceRecord } from '../values/json';
import { nameRows } from './hints';
import type { Remarks } from './output';

/** The most rows about the same lead that a row names. */
const MAX_SAME_LEAD_ROWS = 3;

/** What a later row does not replace: tags are joined, and a contact keeps what it has. */
export const NEVER_REPLACED = [
	'externalId',
	'protocol',
	'contact',
	'tags',
	'createContactIfNotFound',
];

/**
 * Notes which rows are about one lead: they have its ID, or an email or a phone has led to it.
 *
 * @param leads what identifies the lead of each row that was carried out, in the order in which they were, by their index
 * @param rows all items of the run
 */
export function noteSameLead(
	planned: PlannedItem[],
	leads: Map<number, string[]>,
	rows: IDataObject[],
	remarks: Remarks[],
): void {
	const turns = new Map([...leads.keys()].map((itemIndex, turn) => [itemIndex, turn]));
	for (const same of byLead(planned, leads)) {
		// One more than are named, because a row does not name itself.
		const first = same.slice(0, MAX_SAME_LEAD_ROWS + 1);
		for (const item of same) {
			const named = map(without(first, item), 'itemIndex');
			const others = nameRows(named, rows, MAX_SAME_LEAD_ROWS, same.length - 1);
			set(remarks, [item.itemIndex, 'sameLead'], others);
		}
		const isUpserted = ({ itemIndex, plan: { operation } }: PlannedItem) =>
			turns.has(itemIndex) && operation.output.kind === 'one' && operation.output.upserts === true;
		const inTurn = sortBy(same.filter(isUpserted), ({ itemIndex }) => turns.get(itemIndex));
		noteReplaced(inTurn, rows, remarks);
	}
}

/** Notes which values of earlier rows each row replaces by others. @param items of one lead, in the order in which they were sent */
function noteReplaced(items: PlannedItem[], rows: IDataObject[], remarks: Remarks[]): void {
	const written: Record<string, { value: ServiceRecord[string]; itemIndex: number } | undefined> =
		{};
	for (const { itemIndex, plan } of items) {
		const body: ServiceRecord = omit(plan.values.body, NEVER_REPLACED);
		const replaced = keys(body).flatMap((name) => {
			const earlier = written[name];
			const difference = earlier && differencesIn({ [name]: earlier.value }, body);
			return earlier && difference ? [{ difference, itemIndex: earlier.itemIndex }] : [];
		});
		const texts = Object.values(groupBy(replaced, 'itemIndex')).map((ofItem) => {
			const which = nameRows([ofItem[0].itemIndex], rows);
			return `replaces values of ${which}: ${map(ofItem, 'difference').join(' ')}`;
		});
		if (texts.length > 0) set(remarks, [itemIndex, 'replaced'], texts);
		for (const name of keys(body)) written[name] = { value: body[name], itemIndex };
	}
}

/** Divides items into groups of one lead, and leaves out those that are alone. An item that has failed is known by its first key. */
function byLead(planned: PlannedItem[], leads: Map<number, string[]>): PlannedItem[][] {
	interface Group {
		items: PlannedItem[];
		keys: string[];
	}
	const groupOf = new Map<string, Group>();
	for (const item of planned) {
		const [first] = recordKeysOf(item.plan);
		const known = [...(leads.get(item.itemIndex) ?? []), ...(first ? [first] : [])];
		const [group = { items: [], keys: [] }, ...others] = uniq(
			compact(known.map((key) => groupOf.get(key))),
		);
		group.items.push(item, ...others.flatMap(({ items }) => items));
		const added = [...known, ...others.flatMap((other) => other.keys)];
		const fresh = added.filter((key) => groupOf.get(key) !== group);
		for (const key of fresh) groupOf.set(key, group);
		group.keys.push(...fresh);
	}
	const groups = uniq([...groupOf.values()]).filter(({ items }) => items.length > 1);
	return groups.map(({ items }) => sortBy(items, 'itemIndex'));
}
