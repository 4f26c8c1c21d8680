import { isRecord, type ServiceRecord } from '../nodes/IntegrationLeads/contract/envelope.ts';
import { hasBody, isSuccess, kindOf, listOf, recordOf, type Reply } from './reply.mts';

/** Everything that was seen, for the assumptions to be judged by. */
export class Evidence {
	/** In the order in which they came. */
	readonly replies: Reply[] = [];
	/** Why a request was not sent, by its name. */
	protected readonly skipped = new Map<string, string>();

	/** Successful answers with a body, of operations that give one record. */
	ones = (kind?: string): Reply[] => this.answered(false, kind);

	/** The same, of operations that read a list. */
	lists = (kind?: string): Reply[] =>
		this.answered(true, kind).filter(({ sent }) => sent.method === 'GET');

	/** Every record of this kind, from lists and read alone. */
	records(kind: string): ServiceRecord[] {
		const listed = this.lists(kind).flatMap((reply) => listOf(reply) ?? []);
		return [...listed, ...this.ones(kind).map(recordOf).filter(isRecord)];
	}

	of = (operation: string) => this.replies.filter((reply) => reply.operation === operation);

	named = (name: string) => this.replies.find((reply) => reply.name === name);

	/** Why there is no reply of this name. */
	whyNot = (name: string) => this.skipped.get(name) ?? 'not asked';

	private answered(many: boolean, kind?: string): Reply[] {
		return this.replies.filter((reply) => {
			const its = kindOf(reply.operation, many);
			return its && (!kind || its === kind) && isSuccess(reply) && hasBody(reply);
		});
	}
}
