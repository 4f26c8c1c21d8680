/** What the fields of a batch answer state. Spec 4.6 only names `POST /sync`, so all words here are assumed. */
import { leadStatuses } from './lead';

const words = (names: string) => new Set(names.split(' '));
/** The value of an outcome field, or the name of a list or a count. */
export const SUCCESS = words(
	'created updated upserted linked success succeeded ok accepted synced',
);
export const FAILURE = words('error errors failed rejected');
const FLAGS = words('success ok created updated');
const OUTCOMES = words('status statuscode code result outcome action');
/** Names that only wrap: an outcome below them is that of the whole. */
export const WRAPPERS = words(
	'data result results response responses body output input lead leads item items record records entry entries row rows batch batches payload sync status summary counts attributes details',
);
export const INDEX = words('index position row');
/** Fields of a lead (spec 2), and what usually comes with them. */
export const LEAD_FIELDS = words(
	'id index position row status priority source contact contactid estimatedvalue saledate notes tags createdat updatedat protocol linked',
);

/** What is stated of a lead. `stored`: it is shown as it is kept, which confirms it if nothing else is unclear. */
export type Statement = 'recorded' | 'refused' | 'unconfirmed' | 'stored';

/** Names are compared in any case, with `_` or `-`. */
export const normalizeKey = (name: string) => name.toLowerCase().replace(/[_-]/g, '');

export function isEmpty(value: unknown): boolean {
	if (typeof value !== 'object') return !value;
	for (const _ in value) return false;
	return true;
}

export function parseCount(value: unknown): number | undefined {
	const text = typeof value === 'object' ? '' : String(value);
	return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** An external ID, if the field states one. */
export function externalIdOf(name: string, value: unknown): string | undefined {
	const isId = /^(number|string)$/.test(typeof value);
	return isId && /^(lead)?externalid$/.test(normalizeKey(name)) ? String(value) : undefined;
}

/**
 * What one field states: an outcome, the name of a field of a lead or of a flag that is false, or `other` content.
 * What is below `errors` and the like is read field by field.
 */
export function factOf(key: string, value: unknown, group?: Statement): string | undefined {
	if (FAILURE.has(key) && isEmpty(value)) return 'noErrors';
	if (value === '' || externalIdOf(key, value) !== undefined) return undefined;
	if (typeof value === 'object') {
		const isKnown = LEAD_FIELDS.has(key) || (WRAPPERS.has(key) && !Array.isArray(value));
		return isKnown || isEmpty(value) ? undefined : 'other';
	}
	if (groupBelow(group, key) === 'refused') return parseCount(value) === 0 ? undefined : 'refused';
	const text = String(value);
	if (FLAGS.has(key)) return flagOf(key, text);
	if (OUTCOMES.has(key)) return outcomeOf(key, text);
	if (LEAD_FIELDS.has(key)) return key;
	// A word of success that is not simply true, or an answer within the answer.
	const isDoubtful = SUCCESS.has(key) ? value !== true : WRAPPERS.has(key) && /^\s*[[{]/.test(text);
	return isDoubtful ? 'unconfirmed' : 'other';
}

/** A refusal holds for all that is below it, and nothing below a name that is not known confirms a lead. */
export function groupBelow(group: Statement | undefined, key: string): Statement | undefined {
	if (group === 'refused' || FAILURE.has(key)) return 'refused';
	if (group === 'unconfirmed' || WRAPPERS.has(key)) return group;
	return SUCCESS.has(key) ? 'recorded' : 'unconfirmed';
}

/** What was not created may have been updated, and the other way round. */
function flagOf(key: string, text: string): string {
	if (text === 'true') return 'recorded';
	if (text !== 'false') return 'unconfirmed';
	return key === 'created' || key === 'updated' ? key : 'refused';
}

function outcomeOf(key: string, text: string): string {
	if (key === 'status' && leadStatuses.some((status) => status === text)) return key;
	const code = parseCount(text) ?? 0;
	const isSuccess = SUCCESS.has(normalizeKey(text)) || (code >= 200 && code < 300);
	return isSuccess ? 'recorded' : code >= 400 ? 'refused' : 'unconfirmed';
}

/** What all facts of an entry state together. */
export function statementOf(facts: Set<string | undefined>, hasExternalId: boolean): Statement {
	if (facts.has('refused')) return 'refused';
	const isNeither = facts.has('created') && facts.has('updated');
	if (facts.has('unconfirmed') || isNeither) return 'unconfirmed';
	if (facts.has('recorded')) return 'recorded';
	const isStored = facts.has('id') && facts.has('createdat');
	const hasNoErrors = hasExternalId && facts.has('noErrors');
	return (isStored || hasNoErrors) && !facts.has('other') ? 'stored' : 'unconfirmed';
}
