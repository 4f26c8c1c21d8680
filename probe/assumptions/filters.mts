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
import type { Evidence } from '../evidence.mts';
import { isJson, listOf, outcomeOf, type Json } from '../reply.mts';
import { count, createdMs, tagsOf } from './lead.mts';

/** Whether a list holds only, and at least some, of what was asked for. */
const filtersBy = (name: string, fits: (lead: Json, wanted: string) => boolean): Check =>
	list(name, (items, { sent }) => {
		const [[, wanted]] = Object.entries(sent.query);
		return every(items, (lead) => fits(lead, String(wanted)), {
			all: `all fit ${String(wanted)}`,
			none: `no lead for ${String(wanted)}, which one has`,
			but: (lead) => `${String(wanted)} also gave lead ${String(lead.id)}`,
		});
	});

/** The tag that is meant, also when it was asked for by its id. */
const tagName = (evidence: Evidence) => evidence.named('filter tag')?.sent.query.tag;

/** Whether a bound leaves out the lead whose creation it names. */
const leavesOut = (name: string, bound: 'createdAfter' | 'createdBefore'): Check =>
	list(name, (items, { sent }, evidence) => {
		// When bounds are coarser than the moment, a lead is missing for that reason.
		const around = aroundOne(evidence);
		if (around.outcome !== 'holds') return couldNotTell(`bounds are coarser: ${around.seen}`);
		const moment = Date.parse(String(sent.query[bound]));
		const found = items.some((lead) => createdMs(lead) === moment);
		return verdict(!found, `a lead of that very moment is ${found ? 'in' : 'out'}`);
	});

const aroundOne: Check = answered('created around', (reply) => {
	const items = listOf(reply);
	if (!items) return differs(outcomeOf(reply));
	const [from, to] = [reply.sent.query.createdAfter, reply.sent.query.createdBefore].map((bound) =>
		Date.parse(String(bound)),
	);
	if (!items.length) return differs('a lead is not found between the milliseconds around it');
	return every(items, (lead) => createdMs(lead) >= from && createdMs(lead) <= to, {
		all: 'found between the milliseconds around it',
		none: '',
		but: () => 'leads from outside the bounds are listed',
	});
});

/** How GET /leads filters: by time, and by fields. */
export const filters: Assumption[] = [
	{
		id: 'created-ms',
		says: 'createdAfter and createdBefore bound the list to the millisecond',
		stated: '4.1',
		notReliedOn: true,
		check: aroundOne,
	},
	{
		id: 'created-after',
		says: 'createdAfter leaves out the moment it names',
		stated: '4.1',
		notReliedOn: true,
		check: leavesOut('created after', 'createdAfter'),
	},
	{
		id: 'created-before',
		says: 'createdBefore leaves out the moment it names',
		stated: '4.1',
		notReliedOn: true,
		check: leavesOut('created before', 'createdBefore'),
	},
	{
		id: 'filter-status',
		says: 'status filters leads',
		stated: '4.1',
		check: filtersBy('filter status', ({ status }, wanted) => status === wanted),
	},
	{
		id: 'filter-priority',
		says: 'priority filters leads',
		stated: '4.1',
		check: filtersBy('filter priority', ({ priority }, wanted) => priority === wanted),
	},
	{
		id: 'filter-source',
		says: 'source filters leads',
		stated: '4.1',
		check: answered('filter source', (reply) => {
			const items = listOf(reply);
			return items
				? verdict(!items.length, `${count(items.length)} for an unknown source`)
				: holds(outcomeOf(reply));
		}),
	},
	{
		id: 'filter-tag',
		says: 'tag filters leads by the name of a tag',
		stated: '4.1',
		check: filtersBy('filter tag', (lead, wanted) => tagsOf(lead).includes(wanted)),
	},
	{
		id: 'filter-tag-id',
		says: 'tag filters leads by the id of a tag',
		stated: '4.1',
		check: list('filter tag id', (items, _, evidence) =>
			every(items, (lead) => tagsOf(lead).includes(tagName(evidence)), {
				all: `all have ${String(tagName(evidence))}`,
				none: 'no lead for the id of a tag that one has',
				but: ({ id }) => `also lead ${String(id)}`,
			}),
		),
	},
	{
		id: 'filter-search',
		says: 'search finds leads by their contact',
		stated: '4.1',
		check: filtersBy('filter search', ({ contact }, wanted) =>
			JSON.stringify(isJson(contact) ? contact : {})
				.toLowerCase()
				.includes(wanted.toLowerCase()),
		),
	},
];
