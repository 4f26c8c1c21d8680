import { fieldsOf, openapi } from '../openapi.mts';
import type { Evidence } from './evidence.mts';

const { schemas } = openapi.components;
const enumerations = { status: schemas.Status, priority: schemas.Priority, source: schemas.Source };
const kinds = ['Lead', 'Contact', 'Tag', 'Interaction', 'Conversation', 'Message'];
/** Fields that this package expects beyond those that openapi.yaml has of a record. */
const expected = ['createdAt', 'leadId', 'contactId', 'conversationId'];

/**
 * What the service has that the specification does not show: for people, not to be judged, as those
 * lists are open.
 *
 * @returns a line for each, without those that have nothing new
 */
export function newlySeen(evidence: Evidence): string[] {
	const values = Object.entries(enumerations).map(([field, { examples: known = [] }]) => {
		const seen = evidence.records('lead').flatMap((lead) => lead[field] ?? []);
		return lineOf(`${field} of leads`, seen.map(String), known);
	});
	const fields = kinds.map((name) => {
		const kind = name.toLowerCase();
		const seen = evidence.records(kind).flatMap((record) => Object.keys(record));
		return lineOf(`fields of a ${kind}`, seen, [
			...Object.keys(fieldsOf(schemas[name])),
			...expected,
		]);
	});
	return [...values, ...fields].flat();
}

function lineOf(what: string, seen: string[], known: string[]): string[] {
	const news = new Set(seen.filter((each) => !known.includes(each)));
	return news.size ? [`${what}: ${[...news].sort().join(', ')}`] : [];
}
