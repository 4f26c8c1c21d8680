import { couldNotTell, every, refused, verdict, type Assumption } from '../assumption.mts';
import type { Evidence } from '../evidence.mts';
import {
	dataOf,
	errorOf,
	idOf,
	isEnveloped,
	isJson,
	isSuccess,
	isText,
	kindOf,
	listOf,
	memberOf,
	nameOf,
	outcomeOf,
	paginationOf,
	recordOf,
	type Reply,
} from '../reply.mts';

const NONE = 'no such answer';

/** `data is an array`, `data has items, pagination`: what an answer looks like from outside. */
function shapeOf(reply: Reply): string {
	const data = dataOf(reply);
	if (Array.isArray(data)) return `${nameOf(reply)}: data is an array`;
	return `${nameOf(reply)}: data has ${isJson(data) ? Object.keys(data).join(', ') : typeof data}`;
}

const isNamed = (reply: Reply) => {
	const data = dataOf(reply);
	const named = isJson(data) ? data[memberOf(reply)] : undefined;
	return isJson(named) || Array.isArray(named);
};

const leadLists = (evidence: Evidence) => evidence.answersWith('many', 'lead');
const otherLists = (evidence: Evidence) =>
	evidence.answersWith('many').filter((reply) => kindOf(reply, 'many') !== 'lead');

const listsAreNamed = (replies: Reply[]) =>
	every(replies, isNamed, { all: 'as expected', none: NONE, but: shapeOf });

const paginationIsInside = (replies: Reply[]) =>
	every(replies, (reply) => paginationOf(reply)?.where === 'inside', {
		all: 'data.pagination',
		none: NONE,
		but: (reply) => `${nameOf(reply)}: ${paginationOf(reply) ? 'beside data' : 'no pagination'}`,
	});

const numberNames = ['page', 'limit', 'total', 'totalPages'];

const statusCodes: Record<number, string[]> = {
	401: ['UNAUTHORIZED'],
	403: ['FORBIDDEN', 'API_KEY_REVOKED'],
	429: ['RATE_LIMIT_EXCEEDED'],
};

const failures = ({ replies }: Evidence) => replies.filter(({ status }) => status >= 400);

/** How answers are wrapped, and how failures look. */
export const answers: Assumption[] = [
	{
		id: 'envelope',
		says: 'A success is { success: true, data }',
		stated: '4',
		notReliedOn: true,
		check: ({ replies }) =>
			every(
				replies.filter((reply) => isSuccess(reply) && (reply.body ?? reply.foreign) !== undefined),
				isEnveloped,
				{
					all: 'success, data',
					none: NONE,
					but: (reply) => `${nameOf(reply)}: ${reply.foreign ? 'no JSON' : 'the data is the body'}`,
				},
			),
	},
	{
		id: 'record-bare',
		says: 'One record is data itself',
		notReliedOn: true,
		check: (evidence) =>
			every(evidence.answersWith('one'), (reply) => !isNamed(reply), {
				all: 'data is the record',
				none: NONE,
				but: shapeOf,
			}),
	},
	{
		id: 'record-found',
		says: 'One record, with an id, is data itself or stands under its name',
		check: (evidence) =>
			every(evidence.answersWith('one'), (reply) => idOf(recordOf(reply)) !== undefined, {
				all: 'found',
				none: NONE,
				but: shapeOf,
			}),
	},
	{
		id: 'leads-named',
		says: 'A list of leads is data.leads',
		stated: '4.1',
		notReliedOn: true,
		check: (evidence) => listsAreNamed(leadLists(evidence)),
	},
	{
		id: 'lists-named',
		says: 'Other lists are data.contacts, data.tags and so on',
		notReliedOn: true,
		check: (evidence) => listsAreNamed(otherLists(evidence)),
	},
	{
		id: 'list-found',
		says: 'A list stands under its name, is data itself, or is the only array in it',
		check: (evidence) =>
			every(evidence.answersWith('many'), (reply) => listOf(reply) !== undefined, {
				all: 'found',
				none: NONE,
				but: shapeOf,
			}),
	},
	{
		id: 'leads-pagination',
		says: 'Lists of leads have data.pagination',
		stated: '4.1',
		notReliedOn: true,
		check: (evidence) => paginationIsInside(leadLists(evidence)),
	},
	{
		id: 'lists-pagination',
		says: 'Other lists have data.pagination too',
		notReliedOn: true,
		check: (evidence) => paginationIsInside(otherLists(evidence)),
	},
	{
		id: 'pagination-numbers',
		says: 'page, limit, total and totalPages of the pagination are numbers',
		stated: '2',
		notReliedOn: true,
		check: (evidence) =>
			every(
				evidence
					.answersWith('many')
					.map((reply) => paginationOf(reply)?.numbers)
					.filter(isJson),
				(numbers) => numberNames.every((name) => typeof numbers[name] === 'number'),
				{ all: 'four numbers', none: 'no pagination', but: (numbers) => JSON.stringify(numbers) },
			),
	},
	{
		id: 'failure-body',
		says: 'A failure is { success: false, error: { code, message } }',
		stated: '7',
		check: (evidence) =>
			every(
				failures(evidence),
				(reply) => {
					const { code, message } = errorOf(reply);
					const { body } = reply;
					return isText(code) && isText(message) && isJson(body) && body.success === false;
				},
				{
					all: 'success, code, message',
					none: 'nothing failed',
					but: (reply) => `${nameOf(reply)}: ${reply.status} ${JSON.stringify(reply.body)}`,
				},
			),
	},
	{
		id: 'failure-codes',
		says: '401, 403 and 429 have the documented codes',
		stated: '7',
		check: (evidence) =>
			every(
				failures(evidence).filter(({ status }) => status in statusCodes),
				(reply) => statusCodes[reply.status].includes(String(errorOf(reply).code)),
				{ all: 'as documented', none: 'none of them seen', but: outcomeOf },
			),
	},
	...(['false', 'none'] as const).map((key): Assumption => {
		const which = key === 'false' ? 'A wrong key' : 'A missing key';
		return {
			id: `key-${key}`,
			says: `${which} is refused with 401 UNAUTHORIZED`,
			stated: '5',
			check: ({ named, whyNot }) => {
				const reply = named(`${key} key`);
				if (!reply) return couldNotTell(whyNot(`${key} key`));
				const { code } = errorOf(reply);
				return verdict(reply.status === 401 && code === 'UNAUTHORIZED', outcomeOf(reply));
			},
		};
	}),
	{
		id: 'missing-record',
		says: 'A lead that does not exist is answered with 404',
		check: refused('missing lead', 404),
	},
];
