import { isRecord, type ServiceRecord } from '../../nodes/IntegrationLeads/values/json.ts';
import { answered, couldNotTell, differs, every, holds, list, verdict } from '../assumption.mts';
import type { Check } from '../assumption.mts';
import type { Survey } from '../survey/survey.mts';
import { isText, listOf, nameOf, outcomeOf, paginationOf, type Reply } from '../reply.mts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../survey/read.mts';

/** When a lead was created, in epoch milliseconds; NaN when it has no such field. */
const createdMs = ({ createdAt }: ServiceRecord) =>
	isText(createdAt) ? Date.parse(createdAt) : NaN;

/** The tags of a lead, or of what is sent of one. */
export const tagsOf = ({ tags }: ServiceRecord): unknown[] => (Array.isArray(tags) ? tags : []);

const count = (n: number) => `${n} lead${n === 1 ? '' : 's'}`;

/** A number of the pagination object, which may come as text. */
function numberOf(reply: Reply, name: 'limit' | 'total'): number | undefined {
	const value = paginationOf(reply)?.numbers[name];
	return value === undefined || value === '' ? undefined : Number(value);
}

/** Whether a page is of this size, if there are leads enough to fill it. */
const hasSize = (name: string, size: number, fits = (length: number) => length === size): Check =>
	list(name, ({ length }, reply) => {
		const isFilled = length >= size || length < (numberOf(reply, 'total') ?? 0);
		return isFilled ? verdict(fits(length), count(length)) : couldNotTell('too few leads');
	});

const noLargerPage = answered('limit 101', (reply, survey) => {
	if (!listOf(reply)) return holds(outcomeOf(reply));
	return hasSize('limit 101', MAX_LIMIT, (length) => length <= MAX_LIMIT)(survey);
});

const isOtherPage = list('page 2', (items, { sent }, survey) => {
	const whole = listOf(survey.named('limit 100')) ?? [];
	const first = whole.slice(0, Number(sent.query.limit)).map(({ id }) => id);
	// New leads move the end of the first page to the second, but not as far as its end.
	const { id } = items.at(-1) ?? {};
	return verdict(id !== undefined && !first.includes(id), `lead ${String(id)} at its end`);
});

/** On lists that are shorter than their limit. */
const totalCounts: Check = (survey) => {
	const sizes = survey.lists('lead').flatMap((reply) => {
		const [size = NaN, limit = NaN] = [listOf(reply)?.length, numberOf(reply, 'limit')];
		const isWhole = !reply.sent.query.page && size < limit;
		return isWhole ? [{ reply, size, total: numberOf(reply, 'total') }] : [];
	});
	return every(
		sizes,
		({ size, total }) => size === total,
		({ reply, size, total }) => `${nameOf(reply)}: ${count(size)}, total ${total}`,
	);
};

const newestFirst = list('limit 100', (items) => {
	const times = items.map(createdMs);
	const rises = times.some((time, i) => time > times[i - 1]);
	const falls = times.some((time, i) => time < times[i - 1]);
	if (!rises && !falls) return couldNotTell(count(items.length));
	return verdict(!rises, rises ? (falls ? 'in another order' : 'oldest first') : 'newest first');
});

const isBounded: Check = list('created around', (items, { sent: { query } }) => {
	const [from, to] = [query.createdAfter, query.createdBefore].map((at) => Date.parse(String(at)));
	if (!items.length) return differs('a lead is not found between the milliseconds around it');
	const isWithin = (lead: ServiceRecord) => createdMs(lead) >= from && createdMs(lead) <= to;
	return every(items, isWithin, () => 'leads from outside the bounds are listed');
});

/** Whether a bound leaves out the lead whose creation it names. */
const leavesOut = (name: string, bound: 'createdAfter' | 'createdBefore'): Check =>
	list(name, (items, { sent }, survey) => {
		// When bounds are coarser than the millisecond, a lead is missing for that reason.
		const { outcome, seen } = isBounded(survey);
		if (outcome !== 'holds') return couldNotTell(`bounds are coarser: ${seen}`);
		const time = Date.parse(String(sent.query[bound]));
		const found = items.some((lead) => createdMs(lead) === time);
		return verdict(!found, `a lead of that very time is ${found ? 'in' : 'out'}`);
	});

/** Whether a list holds only, and at least some, of what was asked for. */
const filtersBy = (
	name: string,
	fits: (lead: ServiceRecord, wanted: string, survey: Survey) => boolean,
): Check =>
	list(name, (items, { sent }, survey) => {
		const wanted = String(Object.values(sent.query)[0]);
		if (!items.length) return differs(`no lead for ${wanted}, which one has`);
		const isFit = (lead: ServiceRecord) => fits(lead, wanted, survey);
		return every(items, isFit, ({ id }) => `${wanted} also gave lead ${String(id)}`);
	});

const contactText = ({ contact }: ServiceRecord) =>
	JSON.stringify(isRecord(contact) ? contact : {}).toLowerCase();

/** How GET /leads pages, counts, orders and filters. */
export const lists: Record<string, Check> = {
	'page-default': hasSize('listLeads', DEFAULT_LIMIT),
	'page-hundred': hasSize('limit 100', MAX_LIMIT),
	'page-more': noLargerPage,
	'page-respected': isOtherPage,
	'page-past-end': list('far page', ({ length }) => verdict(!length, count(length))),
	total: totalCounts,
	order: newestFirst,
	'created-ms': isBounded,
	'created-after': leavesOut('created after', 'createdAfter'),
	'created-before': leavesOut('created before', 'createdBefore'),
	'filter-status': filtersBy('filter status', ({ status }, wanted) => status === wanted),
	'filter-priority': filtersBy('filter priority', ({ priority }, wanted) => priority === wanted),
	'filter-source': answered('filter source', (reply) => {
		const items = listOf(reply);
		// Lists do not show the source: none may match one that no lead has.
		return items ? verdict(!items.length, count(items.length)) : holds(outcomeOf(reply));
	}),
	'filter-tag': filtersBy('filter tag', (lead, wanted) => tagsOf(lead).includes(wanted)),
	'filter-tag-id': filtersBy('filter tag id', (lead, _, survey) =>
		tagsOf(lead).includes(survey.named('filter tag')?.sent.query.tag),
	),
	'filter-search': filtersBy('filter search', (lead, wanted) =>
		contactText(lead).includes(wanted.toLowerCase()),
	),
};
