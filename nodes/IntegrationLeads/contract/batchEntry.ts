/** The fields of a batch answer that state an outcome (spec 4.6 only names `POST /sync`, so all of this is assumed). */
import { isRecord } from './envelope';
import { leadStatuses } from './lead';

const set = (names: string) => new Set(names.split(' '));

/** Words of success: as the value of an outcome field, or as the name of a list. */
const YES = set('created updated upserted linked success succeeded ok accepted synced');
const FLAGS = set('success ok created updated');
/** Flags of an upsert, one of which is false when the other is true. */
const CHANGES = set('created updated');
const OUTCOMES = set('status statuscode code result outcome action');
const REFUSED = set('error errors failed rejected');
/** Names that only wrap: an outcome below them is that of the whole. */
const WRAPPERS = set(
	'data result results response body output lead leads item items record records entry entries row rows batch batches chunk chunks payload status outcome outcomes summary counts totals stats attributes',
);
const EXTERNAL_ID = set('externalid leadexternalid');
const INDEX = set('index leadindex itemindex position row line');
/** Fields of a lead (spec 2), of its contact, and a time that usually goes with `createdAt`. */
const LEAD = set(
	'id externalid status priority source contact contactid estimatedvalue saledate notes tags createdat updatedat protocol name email phone metadata input',
);

/** The name of a list or object: what it means for the leads inside. */
export type Scope = 'neutral' | 'taken' | 'refused' | 'unknown';

/** A list in the answer. */
export interface List {
	/** Not inside an entry: an index in it is one of the batch. */
	isTop: boolean;
	/** Its order may be that of the batch. */
	isOrdered: boolean;
	/** An entry states an external ID. */
	statesIds: boolean;
}

/** A part of the answer that is about one lead, or about the batch. */
export class Entry {
	/** Position of its lead in the batch. */
	lead?: number;
	/** Where it is in a list outside all entries. */
	place?: { list: List; position: number };
	index?: { name: string; value: number };
	/** Leads whose external ID is in one of its fields, whatever the name. */
	mentions: number[] = [];
	yes = false;
	no: boolean;
	/** Something in it contradicts a yes. */
	doubt = false;
	/** `created` or `updated` is true. */
	isChanged = false;
	/** `created` or `updated` is false. */
	isUnchanged = false;
	hasExternalId = false;
	hasId = false;
	hasCreatedAt = false;
	/** `errors` is stated as empty. */
	hasNoErrors = false;
	/** It has only fields of a lead. */
	isPlain = true;
	/** It has neither text nor flags, so it may just group other entries. */
	isGroup = true;
	/** Entries of leads are inside it, so it is not one itself. */
	holdsOthers = false;
	/** It explains why the request failed. */
	isOfRequest = false;

	constructor(
		readonly value: unknown,
		readonly scope: Scope,
		/** The list it is in. */
		readonly container?: List,
	) {
		this.no = scope === 'refused';
	}
}

/** A name as it is compared: in any case, with `_` or `-`. Longer names are none that we know. */
export function normalizeKey(name: string): string {
	return name.length > 40 ? '' : name.toLowerCase().replace(/[_-]/g, '');
}

/** The scope of what is under a name. A refusal holds for everything below it. */
export function scopeBelow(scope: Scope, name: string): Scope {
	const key = normalizeKey(name);
	if (scope === 'refused' || REFUSED.has(key)) return 'refused';
	if (YES.has(key)) return 'taken';
	return WRAPPERS.has(key) ? scope : 'unknown';
}

export function isWrapper(name: string): boolean {
	return WRAPPERS.has(normalizeKey(name));
}

export function isYes(name: string): boolean {
	return YES.has(normalizeKey(name));
}

export function isRefusal(name: string): boolean {
	return REFUSED.has(normalizeKey(name));
}

/** Whether a name means something to the reader, so that the same external ID as a key would be ambiguous. */
export function isFieldName(name: string): boolean {
	const key = normalizeKey(name);
	return [YES, OUTCOMES, REFUSED, WRAPPERS, EXTERNAL_ID, INDEX, LEAD].some((names) =>
		names.has(key),
	);
}

/** The external IDs that a record states itself or in what it wraps. */
export function externalIdsOf(record: Record<string, unknown>, opensWrappers: boolean): string[] {
	return Object.entries(record).flatMap(([name, value]) => {
		if (opensWrappers && isRecord(value) && (isWrapper(name) || name === 'input')) {
			return externalIdsOf(value, false);
		}
		const isId = typeof value === 'string' ? value !== '' : typeof value === 'number';
		return isId && EXTERNAL_ID.has(normalizeKey(name)) ? String(value) : [];
	});
}

export function isEmptyValue(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return !value || value === '0';
	for (const _ in value) return false;
	return true;
}

/** The outcome that a value states: 2xx or a word of success, 400 and above, neither, or nothing at all. */
export function outcomeOf(value: unknown): 'yes' | 'no' | 'unclear' | undefined {
	if (value === null || value === undefined || value === '') return undefined;
	if (typeof value === 'boolean') return 'unclear';
	const text = String(value);
	const code = text.length < 10 ? Number(text) : NaN;
	if (code >= 400) return 'no';
	if (code >= 200 && code < 300) return 'yes';
	return isYes(text) ? 'yes' : 'unclear';
}

export function toFlag(value: unknown): boolean | undefined {
	if (value === true || value === 'true') return true;
	return value === false || value === 'false' || value === 0 || value === '0' ? false : undefined;
}

/**
 * Adds to an entry what one of its scalar fields states.
 *
 * @param isOwn the field is the entry's own or wrapped: only then can it be a yes
 * @param isEcho a lead was sent with just this field and value, so it is not an outcome
 */
export function readField(
	entry: Entry,
	[name, value]: [string, unknown],
	{ isOwn, isEcho, isLead }: { isOwn: boolean; isEcho: boolean; isLead: boolean },
): void {
	const key = normalizeKey(name);
	if (typeof value === 'string' && WRAPPERS.has(key) && /^\s{0,9}[[{]/.test(value))
		entry.doubt = true;
	if (typeof value === 'string' ? value !== '' : typeof value === 'boolean') entry.isGroup = false;
	if (REFUSED.has(key)) {
		if (!isEmptyValue(value)) entry.no = true;
		else if (key.startsWith('error') && isOwn) entry.hasNoErrors = true;
		return;
	}
	if (INDEX.has(key) && isOwn && /^\d{1,9}$/.test(String(value))) {
		entry.index ??= { name: key, value: Number(value) };
		return;
	}
	if (isEcho) return;
	if (YES.has(key)) readFlag(entry, key, value, isOwn);
	else if (OUTCOMES.has(key)) {
		const outcome = outcomeOf(value);
		if (outcome === 'yes' && isOwn) entry.yes = true;
		if (outcome === 'no') entry.no = true;
		if (outcome === 'unclear' && !(key === 'status' && isLeadStatus(value))) {
			if (key === 'status' && isLead) entry.isPlain = false;
			else entry.doubt = true;
		}
	} else if (value !== null && value !== '' && isOwn) {
		if (key === 'id') entry.hasId = true;
		if (key === 'createdat') entry.hasCreatedAt = true;
		if (!LEAD.has(key) && !EXTERNAL_ID.has(key)) entry.isPlain = false;
	}
}

function readFlag(entry: Entry, key: string, value: unknown, isOwn: boolean): void {
	const flag = toFlag(value);
	if (CHANGES.has(key)) {
		if (!isOwn) return;
		if (flag === true) entry.isChanged = true;
		else if (flag === false) entry.isUnchanged = true;
		else entry.doubt = true;
	} else if (FLAGS.has(key)) {
		if (flag === true && isOwn) entry.yes = true;
		if (flag === false) entry.no = true;
		if (flag === undefined) entry.doubt = true;
	} else if (flag !== true && key !== 'linked') entry.doubt = true;
}

function isLeadStatus(value: unknown): boolean {
	return leadStatuses.some((status) => status === value);
}

/** What an entry states as a whole. `isAlone`: nothing else in the answer needs an explanation. */
export function findingOf(entry: Entry, isAlone: boolean): 'taken' | 'refused' | 'unconfirmed' {
	const isUnchanged = entry.isUnchanged && !entry.isChanged;
	if (entry.no || (isUnchanged && !entry.yes)) return 'refused';
	if (entry.doubt || isUnchanged) return 'unconfirmed';
	if (entry.yes || entry.isChanged) return 'taken';
	const isStored = entry.hasId && entry.hasCreatedAt;
	const isNeutral = entry.scope === 'neutral' || entry.scope === 'taken';
	const isClean = entry.hasExternalId && entry.hasNoErrors;
	return isAlone && isNeutral && entry.isPlain && (isStored || isClean) ? 'taken' : 'unconfirmed';
}
