/** What the fields of a batch answer state. Spec 4.6 only names `POST /sync`, so all words here are assumed. */
import { isRecord } from './envelope';
import { leadStatuses } from './lead';

const set = (names: string) => new Set(names.split(' '));
/** Words of success: the value of an outcome field, or the name of a list or a count. */
export const YES = set('created updated upserted linked success succeeded ok accepted synced');
const FLAGS = set('success ok created updated');
export const REFUSED = set('error errors failed rejected');
const OUTCOMES = set('status statuscode code result outcome action');
/** Names that only wrap: an outcome below them is that of the whole. */
export const WRAPPERS = set(
	'data result results response responses body output input lead leads item items record records entry entries row rows batch batches payload sync status summary counts attributes',
);
const INDEX = set('index position row');
const EXTERNAL_ID = set('externalid leadexternalid');
/** Identifiers of the request or of a job. */
export const OPAQUE = set('id jobid taskid batchid syncid requestid traceid');
/** Fields of a lead (spec 2), and what usually comes with them. */
const LEAD = set(
	'id externalid leadexternalid index position row status priority source contact contactid estimatedvalue saledate notes tags createdat updatedat protocol',
);

/** `stored`: taken, if nothing else in the answer is unclear. */
export type Finding = 'taken' | 'refused' | 'unconfirmed' | 'stored';
/** What the names above a value state. */
export type Scope = Finding | 'neutral';

/** Names are compared in any case, with `_` or `-`. */
export const normalizeKey = (name: string) => name.toLowerCase().replace(/[_-]/g, '');

export function isEmpty(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return !value;
	for (const _ in value) return false;
	return true;
}

export function toCount(value: unknown): number | undefined {
	const text = typeof value === 'object' ? '' : String(value);
	return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** An external ID, if the field states one. */
export function idOf(name: string, value: unknown): string | undefined {
	const isId = typeof value === 'number' || typeof value === 'string';
	return isId && EXTERNAL_ID.has(normalizeKey(name)) ? String(value) : undefined;
}

/** What one field states: an outcome, the name of a field of a lead, or `other` content. */
export function factOf(key: string, value: unknown): string | undefined {
	if (REFUSED.has(key)) return isEmpty(value) ? 'noErrors' : 'refused';
	if (value === null || value === '') return undefined;
	if (typeof value === 'object') {
		const isKnown = LEAD.has(key) || (WRAPPERS.has(key) && !Array.isArray(value));
		return isKnown || isEmpty(value) ? undefined : 'other';
	}
	if (FLAGS.has(key)) return flagOf(key, value);
	if (OUTCOMES.has(key)) return outcomeOf(key, value);
	return isDoubtful(key, value) ? 'unconfirmed' : LEAD.has(key) ? key : 'other';
}

/** A word of success that is not simply true, or an answer within the answer. */
function isDoubtful(key: string, value: unknown): boolean {
	if (YES.has(key)) return key !== 'linked' && value !== true;
	return WRAPPERS.has(key) && /^\s*[[{]/.test(String(value));
}

/** One of the two flags of an upsert is false where the other is true. */
function flagOf(key: string, value: unknown): string {
	const isUpsert = key === 'created' || key === 'updated';
	if (value === true || value === 'true') return isUpsert ? 'changed' : 'taken';
	return value === false || value === 'false'
		? isUpsert
			? 'unchanged'
			: 'refused'
		: 'unconfirmed';
}

function outcomeOf(key: string, value: unknown): string {
	if (key === 'status' && leadStatuses.some((status) => status === value)) return key;
	const code = toCount(value) ?? 0;
	const isYes = YES.has(normalizeKey(String(value))) || (code >= 200 && code < 300);
	return isYes ? 'taken' : code >= 400 ? 'refused' : 'unconfirmed';
}

/** What is in an entry. */
export class EntryContent {
	readonly facts = new Set<string | undefined>();
	readonly externalIds = new Set<string>();
	/** Leads whose external ID is anywhere in it. */
	readonly mentions = new Set<number>();
	index?: number;

	/** @param echoes fields as they were sent (see {@link echoOf}): where they come back, they state nothing */
	constructor(record: object, scope: Scope, leads: Map<unknown, number>, echoes: Set<unknown>) {
		this.facts.add(scope);
		const parts: Array<[held: unknown, isOwn: boolean]> = [[record, true]];
		for (let part = parts.pop(); part; part = parts.pop()) {
			const [held, isOwn] = part;
			this.addMention(leads.get(held));
			if (typeof held !== 'object' || held === null) continue;
			for (const [name, value] of Object.entries(held)) {
				const key = normalizeKey(name);
				if (!Array.isArray(held)) this.addMention(leads.get(name));
				this.addField(key, value, isOwn, echoes.has(echoOf(name, value)));
				parts.push([idOf(key, value) ?? value, isOwn && isRecord(value) && WRAPPERS.has(key)]);
			}
		}
	}

	private addMention(lead: number | undefined): void {
		if (lead !== undefined) this.mentions.add(lead);
	}

	/** What is the entry's own, or only wrapped in it, can confirm the lead. */
	private addField(key: string, value: unknown, isOwn: boolean, isEcho: boolean): void {
		const fact = isEcho ? undefined : factOf(key, value);
		if (isOwn || fact === 'refused' || fact === 'unconfirmed') this.facts.add(fact);
		const externalId = isOwn ? idOf(key, value) : undefined;
		if (externalId !== undefined) {
			this.externalIds.add(externalId);
			this.facts.add('externalid');
		}
		if (isOwn && INDEX.has(key)) this.index ??= toCount(value);
	}
}

/** No object is the same as another. */
export const echoOf = (name: string, value: unknown) =>
	typeof value === 'object' ? {} : `${name} ${String(value)}`;

/** What all fields of an entry state together. */
export function findingOf(facts: Set<string | undefined>): Finding {
	const isUnchanged = facts.has('unchanged') && !facts.has('changed');
	if (facts.has('refused') || (isUnchanged && !facts.has('taken'))) return 'refused';
	if (facts.has('unconfirmed') || isUnchanged) return 'unconfirmed';
	if (facts.has('taken') || facts.has('changed')) return 'taken';
	const isStored = facts.has('id') && facts.has('createdat');
	const isClean = facts.has('externalid') && facts.has('noErrors');
	return (isStored || isClean) && !facts.has('other') ? 'stored' : 'unconfirmed';
}

/** A refusal holds for all that is below it, and nothing below a name that is not known confirms a lead. */
export function scopeBelow(scope: Scope, key: string): Scope {
	if (scope === 'refused' || REFUSED.has(key)) return 'refused';
	if (scope === 'unconfirmed' || WRAPPERS.has(key)) return scope;
	return YES.has(key) ? 'taken' : 'unconfirmed';
}
