import type { ServiceRecord } from '../../nodes/IntegrationLeads/contract/envelope.ts';
import { idOf, isText, kindOf } from '../reply.mts';

/** Something the probe created. */
export interface Made {
	kind: string;
	/** What it is, for the user. */
	label: string;
	/** Unknown when the answer did not show it. */
	id?: string;
	/** A lead's; by this it can be deleted. */
	externalId?: string;
}

/**
 * What the probe created. An entry is made before the request is sent: when the answer is lost, the
 * record may exist.
 */
export class Ledger {
	made: readonly Made[] = [];

	/** Notes what a request is about to create. */
	begin(operation: string, body: ServiceRecord = {}, creates?: string): Made[] {
		if (creates === undefined) return [];
		const kind = kindOf(operation, false) ?? 'lead';
		const bodies = Array.isArray(body.leads) ? (body.leads as ServiceRecord[]) : [body];
		const entries = bodies.map(({ externalId }): Made => {
			return { kind, label: creates, ...(isText(externalId) && { externalId }) };
		});
		this.made = [...this.made, ...entries];
		return entries;
	}

	/** The answer has come: what was refused was not created. */
	end(entries: Made[], status: number, id?: string): void {
		for (const entry of entries) entry.id ??= id;
		if (status >= 300 && status < 500) this.forget(...entries);
	}

	forget(...entries: Made[]): void {
		this.made = this.made.filter((entry) => !entries.includes(entry));
	}

	/** Gives ids that were found by reading to what was created without one. */
	identify(kind: string, records: ServiceRecord[]): void {
		const known = this.made.map(({ id }) => id);
		const free = records.map(idOf).filter((id) => id && !known.includes(id));
		for (const entry of this.made) if (entry.kind === kind) entry.id ??= free.shift();
	}
}
