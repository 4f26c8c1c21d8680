import {
	answered,
	couldNotTell,
	differs,
	every,
	holds,
	list,
	verdict,
	type Assumption,
	type Check,
} from '../assumption.mts';
import { listOf, nameOf, outcomeOf, paginationOf, type Json, type Reply } from '../reply.mts';
import { count, createdMs } from './lead.mts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

const idsOf = (records: Json[]) => records.map(({ id }) => id);

/** A number of the pagination object, which may come as text. */
function numberOf(reply: Reply, name: 'limit' | 'total'): number | undefined {
	const value = paginationOf(reply)?.numbers[name];
	return value === undefined || value === '' ? undefined : Number(value);
}

/** Whether a page is of this size: by how many records it has, else by what it says of itself. */
const pageOf = (name: string, size: number): Check =>
	list(name, (items, reply) => {
		const [limit, total] = [numberOf(reply, 'limit'), numberOf(reply, 'total')];
		const seen = `${count(items.length)}${limit === undefined ? '' : `, limit ${limit}`}`;
		if (items.length > size) return differs(seen);
		if (items.length === size) return holds(seen);
		if (total !== undefined && total > items.length) return differs(`${seen} of ${total}`);
		return limit === undefined
			? couldNotTell(`${seen}: too few to tell`)
			: verdict(limit === size, seen);
	});

/** How GET /leads pages, counts and orders. */
export const pages: Assumption[] = [
	{
		id: 'page-default',
		says: 'A page has 20 leads when no limit is given',
		stated: '4.1',
		notReliedOn: true,
		check: pageOf('lead.list', DEFAULT_LIMIT),
	},
	{
		id: 'page-hundred',
		says: 'A page has 100 leads when asked for',
		stated: '8',
		check: pageOf('limit 100', MAX_LIMIT),
	},
	{
		id: 'page-more',
		says: 'A page never has more than 100 leads',
		stated: '8',
		notReliedOn: true,
		check: answered('limit 101', (reply, evidence) => {
			const items = listOf(reply);
			if (!items) return holds(outcomeOf(reply));
			if (items.length > MAX_LIMIT) return differs(`limit=101 gave ${count(items.length)}`);
			const limit = numberOf(reply, 'limit');
			const full = listOf(evidence.named('limit 100'))?.length === MAX_LIMIT;
			if (limit === undefined && !full) return couldNotTell('too few leads to tell');
			return verdict(
				limit === undefined || limit <= MAX_LIMIT,
				`limit=101 gave ${count(items.length)}`,
			);
		}),
	},
	{
		id: 'page-respected',
		says: 'page brings other leads than the page before',
		stated: '4.1',
		check: list('page 2', (items, { sent }, { named }) => {
			const first = idsOf(listOf(named('limit 100')) ?? []).slice(0, Number(sent.query.limit));
			// A new lead moves some of the first page to the second.
			const repeated = idsOf(items).filter((id) => first.includes(id)).length;
			const others = items.length > 0 && repeated <= first.length / 2;
			return verdict(others, `${repeated} of ${items.length} repeated`);
		}),
	},
	{
		id: 'page-past-end',
		says: 'A page after the last is empty',
		check: list('far page', (items) => verdict(items.length === 0, count(items.length))),
	},
	{
		id: 'total',
		says: 'total counts the leads that match',
		stated: '2',
		check: ({ answersWith }) => {
			const whole = answersWith('many', 'lead').flatMap((reply) => {
				const [limit, total] = [numberOf(reply, 'limit'), numberOf(reply, 'total')];
				const size = listOf(reply)?.length;
				if (reply.sent.query.page || limit === undefined || size === undefined) return [];
				return size < limit ? [{ size, total, reply }] : [];
			});
			return every(whole, ({ size, total }) => size === total, {
				all: 'total is the number of leads',
				none: 'no list that is short of its limit',
				but: ({ size, total, reply }) => `${nameOf(reply)}: ${count(size)}, total ${String(total)}`,
			});
		},
	},
	{
		id: 'order',
		says: 'Lists of leads have the newest first',
		notReliedOn: true,
		check: list('limit 100', (items) => {
			const times = items.map(createdMs);
			const rising = times.filter((time, i) => i > 0 && time > times[i - 1]).length;
			const falling = times.filter((time, i) => i > 0 && time < times[i - 1]).length;
			if (rising + falling === 0) return couldNotTell(`${count(items.length)}`);
			if (rising === 0) return holds('newest first');
			return differs(falling === 0 ? 'oldest first' : 'in another order');
		}),
	},
];
