/** From an answer to a page of a list. */
import { readList } from '../contract/envelope';
import { Problem } from '../problem';
import type { Page } from './paginate';
import type { Answer } from './send';

/** The answer is from the service, but not what the operation needs. */
export class DriftProblem extends Problem {
	/** The same in words for the user, who knows the operation by its action. */
	during(action: string): Problem {
		return new Problem(
			this.message,
			`${action}: the answer has another shape than expected. Use the resource "API Request" to see it as it is, and tell the authors of this node.`,
		);
	}
}

/**
 * One page of a list.
 *
 * @param plural the name under which the service may list the records
 * @throws DriftProblem when no list can be found in the answer
 */
export function toPage(plural: string, answer: Answer): Page {
	const { serverNow } = answer;
	// 204: the service has nothing to list.
	if (answer.data === undefined) return { records: [], total: 0, serverNow };
	const list = readList(answer.data, plural, answer.beside);
	if (!list) throw new DriftProblem('The service answered without a list');
	const { total, totalPages, limit } = list.pagination ?? {};
	return { records: list.records, total, totalPages, limit, serverNow };
}
