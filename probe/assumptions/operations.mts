import { couldNotTell, differs, holds, saysNothing, type Assumption } from '../assumption.mts';
import { operationOf, operations, type OperationName } from '../operations.mts';
import { answerOf, isSuccess, outcomeOf } from '../reply.mts';

/** Each operation is there, and takes what we send. */
export const accepted: Assumption[] = (Object.keys(operations) as OperationName[]).map((name) => {
	const { route, takes, stated } = operationOf(name);
	return {
		id: name,
		says: takes ? `${route} takes ${takes}` : `${route} is there`,
		stated,
		// What was synchronised is only known of what was just pushed.
		writes: !route.startsWith('GET') || name === 'sync.get' ? true : undefined,
		check({ of, whyNot }) {
			const replies = of(name).filter(({ provokes }) => !provokes);
			if (!replies.length) return couldNotTell(whyNot(name));
			const taken = replies.find(isSuccess);
			if (taken) return holds(`${taken.status}`);
			const refusal = replies.find((reply) => !saysNothing(reply)) ?? replies[0];
			return saysNothing(refusal) ? couldNotTell(outcomeOf(refusal)) : differs(answerOf(refusal));
		},
	};
});
