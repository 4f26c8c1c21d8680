import type { Kind, OperationName } from './operations.mts';
import { isJson, isSuccess, kindOf, listOf, recordOf, type Json, type Reply } from './reply.mts';

/** All that was seen, for the assumptions to be judged by. */
export interface Evidence {
	/** In the order in which they came. */
	replies: readonly Reply[];
	/** Successful answers with a body that an operation gave which answers with one record, or with a list. */
	answersWith(how: 'one' | 'many', kind?: Kind): Reply[];
	/** Every record of this kind, from lists and by itself. */
	records(kind: Kind): Json[];
	of(operation: OperationName): Reply[];
	named(name: string): Reply | undefined;
	/** Why there is no reply of this name. */
	whyNot(name: string): string;
}

/**
 * @param replies in the order in which they came
 * @param skipped why a request was not sent, by its name
 */
export function evidenceOf(
	replies: readonly Reply[],
	skipped: ReadonlyMap<string, string>,
): Evidence {
	const answersWith: Evidence['answersWith'] = (how, kind) =>
		replies.filter((reply) => {
			const its = kindOf(reply, how);
			return its && (!kind || its === kind) && isSuccess(reply) && reply.body !== undefined;
		});
	return {
		replies,
		answersWith,
		records: (kind) => [
			...answersWith('many', kind).flatMap((reply) => listOf(reply) ?? []),
			...answersWith('one', kind).map(recordOf).filter(isJson),
		],
		of: (operation) => replies.filter((reply) => reply.operation === operation),
		named: (name) => replies.find((reply) => reply.name === name),
		whyNot: (name) => skipped.get(name) ?? 'not asked',
	};
}
