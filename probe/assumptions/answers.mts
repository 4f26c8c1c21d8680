import { isRecord } from '../../nodes/IntegrationLeads/values/json.ts';
import { operationOf } from '../../openapi.mts';
import { answered, every, verdict, type Check } from '../assumption.mts';
import type { Survey } from '../survey/survey.mts';
import * as read from '../reply.mts';
import type { Reply } from '../reply.mts';

/** Judges whether all of these replies fit. */
const all =
	(of: (seen: Survey) => Reply[], fits: (reply: Reply) => boolean, describe = shapeOf): Check =>
	(survey) =>
		every(of(survey), fits, describe);

/** `GET /leads: data has items, pagination`: what an answer looks like from outside. */
function shapeOf(reply: Reply): string {
	const data = read.dataOf(reply);
	const shape = isRecord(data) ? `has ${Object.keys(data).join(', ')}` : 'is no object';
	return `${read.nameOf(reply)}: data ${shape}`;
}

function isNamed(reply: Reply): boolean {
	const data = read.dataOf(reply);
	const named = isRecord(data) ? data[operationOf(reply.operation).answers] : undefined;
	return isRecord(named) || Array.isArray(named);
}

const records = (seen: Survey) => seen.ones();
const leadLists = (seen: Survey) => seen.lists('lead');
const otherLists = (seen: Survey) =>
	seen.lists().filter(({ operation }) => read.kindOf(operation, true) !== 'lead');
const failures = (seen: Survey) => seen.replies.filter(({ status }) => status >= 400);

const isPaged = (reply: Reply) => read.paginationOf(reply)?.inside === true;

const codes: Record<number, string[]> = {
	401: ['UNAUTHORIZED'],
	403: ['FORBIDDEN', 'API_KEY_REVOKED'],
	429: ['RATE_LIMIT_EXCEEDED'],
};

function isDocumentedFailure({ outcome }: Reply): boolean {
	const body = outcome.kind === 'refused' && isRecord(outcome.body) ? outcome.body : {};
	const { success, error } = body;
	return success === false && isRecord(error) && [error.code, error.message].every(read.isText);
}

/** Whether a key was refused; unlike other refusals, any status is conclusive here. */
const unauthorized = (name: string): Check =>
	answered(
		name,
		(reply) => {
			const fits = reply.status === 401 && read.errorOf(reply).code === 'UNAUTHORIZED';
			return verdict(fits, read.outcomeOf(reply));
		},
		() => false,
	);

/** How answers are wrapped, and how failures look. */
export const answers: Record<string, Check> = {
	envelope: all(
		({ replies }) => replies.filter((reply) => read.isSuccess(reply) && read.hasBody(reply)),
		read.isEnveloped,
	),
	'record-found': all(records, (reply) => read.idOf(read.recordOf(reply)) !== undefined),
	'record-bare': all(records, (reply) => !isNamed(reply)),
	'leads-named': all(leadLists, isNamed),
	'leads-pagination': all(leadLists, isPaged),
	'list-found': all(
		(seen) => seen.lists(),
		(reply) => read.listOf(reply) !== undefined,
	),
	'lists-named': all(otherLists, isNamed),
	'lists-pagination': all(otherLists, isPaged),
	'pagination-numbers': (seen) =>
		every(
			seen
				.lists()
				.map((reply) => read.paginationOf(reply)?.numbers)
				.filter(isRecord),
			({ page, limit, total, totalPages }) =>
				[page, limit, total, totalPages].every((each) => typeof each === 'number'),
			JSON.stringify,
		),
	'failure-body': all(failures, isDocumentedFailure, ({ status, text }) => `${status} ${text}`),
	'failure-codes': all(
		(seen) => failures(seen).filter(({ status }) => status in codes),
		(reply) => codes[reply.status].includes(String(read.errorOf(reply).code)),
		read.outcomeOf,
	),
	'key-false': unauthorized('false key'),
	'key-none': unauthorized('none key'),
};
