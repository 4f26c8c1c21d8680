import { isRecord, type ServiceRecord } from '../nodes/IntegrationLeads/contract/envelope.ts';
import { isSuccess, kindOf, listOf, recordOf, type Reply } from './reply.mts';

/** Everything that was seen, for the assumptions to be judged by. */
export class Evidence {
	/**
	 * @param replies in the order in which they came
	 * @param skipped why a request was not sent, by its name
	 */
	constructor(
		readonly replies: readonly Reply[],
		private readonly skipped: ReadonlyMap<string, string>,
	) {}

	/** Successful answers with a body, of operations that give one record of a kind. */
	ones(kind?: string): Reply[] {
		return this.answered(false, kind);
	}

	/** The same, of operations that read a list. */
	lists(kind?: string): Reply[] {
		return this.answered(true, kind).filter(({ sent }) => sent.method === 'GET');
	}

	private answered(many: boolean, kind?: string): Reply[] {
		return this.replies.filter((reply) => {
			const its = kindOf(reply.operation, many);
			return its && (!kind || its === kind) && isSuccess(reply) && reply.text.trim();
		});
	}

	/** Every record of this kind, from lists and read alone. */
	records(kind: string): ServiceRecord[] {
		const listed = this.lists(kind).flatMap((reply) => listOf(reply) ?? []);
		return [...listed, ...this.ones(kind).map(recordOf).filter(isRecord)];
	}

	of(operation: string): Reply[] {
		return this.replies.filter((reply) => reply.operation === operation);
	}

	named(name: string): Reply | undefined {
		return this.replies.find((reply) => reply.name === name);
	}

	/** Why there is no reply of this name. */
	whyNot(name: string): string {
		return this.skipped.get(name) ?? 'not asked';
	}
}
