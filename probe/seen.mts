import type { Evidence } from './evidence.mts';
import type { Kind } from './operations.mts';

/** Values and fields the specification shows (part 2), and those this package expects beyond. */
const knownValues: Record<string, string[]> = {
	status: ['open', 'in_progress', 'closed_won'],
	priority: ['medium', 'high'],
	source: ['whatsapp', 'api'],
};
const knownFields: Record<Kind, string> = {
	lead: 'id externalId status priority source contact estimatedValue saleDate notes tags createdAt',
	contact: 'id name email phone createdAt',
	tag: 'id name createdAt',
	interaction: 'id leadId type title description metadata createdAt',
	conversation: 'id leadId contactId createdAt',
	message: 'id conversationId content status createdAt',
};

const listed = (values: Iterable<string>) => [...values].sort().join(', ');

/**
 * What the service has that the specification does not show: for people, not to be judged, as those
 * lists are open.
 *
 * @returns a line for each, without those that have nothing new
 */
export function newlySeen(evidence: Evidence): string[] {
	const lines: Array<[what: string, values: Set<string>]> = [];
	for (const [field, known] of Object.entries(knownValues)) {
		const values = evidence.records('lead').map((lead) => lead[field]);
		const unknown = values.filter((value) => value != null && !known.includes(String(value)));
		lines.push([`${field} of leads`, new Set(unknown.map(String))]);
	}
	for (const [kind, known] of Object.entries(knownFields)) {
		const fields = evidence.records(kind as Kind).flatMap((record) => Object.keys(record));
		const unknown = fields.filter((field) => !known.split(' ').includes(field));
		lines.push([`fields of a ${kind}`, new Set(unknown)]);
	}
	return lines.filter(([, { size }]) => size).map(([what, set]) => `${what}: ${listed(set)}`);
}
