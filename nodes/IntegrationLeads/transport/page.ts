/** From an answer to a page of a list. */
import { readList } from '../contract/envelope';
import { UserError } from '../userError';
import type { Page } from './paginate';
import type { Answer } from './send';

/** The answer is from the service, but not what the operation needs. */
export class UnexpectedAnswerError extends UserError {
	/** The same in words for the user, who knows the operation by its action. */
	during(action: string): UserError {
		return new UserError(
			this.message,
			`${action}: the answer has another shape than expected. Use the resource "API Request" to see it as it is, and tell the authors of this node.`,
		);
	}
}

/**
 * One page of a list.
 *
 * @param plural the name under which the service may list the records
 * @throws UnexpectedAnswerError when no list can be found in the answer
 */
export function toPage(plural: string, answer: Answer): Page {
	const { serverNow, requestsPerMinute } = answer;
	const shown = { serverNow, requestsPerMinute };
	// 204: the service has nothing to list.
	if (answer.data === undefined) return { ...shown, records: [], total: 0 };
	const list = readList(answer.data, plural, answer.siblings);
	if (!list) throw new UnexpectedAnswerError('The service answered without a list');
	const { total, totalPages, limit } = list.pagination ?? {};
	return { ...shown, records: list.records, total, totalPages, limit };
}
