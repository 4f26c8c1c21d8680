/**
 * Reads the answer to a batch. Its form is not documented (spec 4.6 only names `POST /sync`), so all words here are assumed,
 * and only a plain yes counts: a lead is recorded when every entry about it says so in one of a few forms, refused when any
 * entry plainly says that, and unconfirmed otherwise. A yes that is missed costs a request, since unconfirmed leads are read
 * (run/confirm.ts); a missed refusal would lose a lead unnoticed.
 */
import { isEmpty, isNil, isObject, omit } from 'lodash';

import type { ServiceRecord } from './envelope';
import { isRecord } from './envelope';
import { documentedValues } from './leadRecord';

const words = (names: string) => new Set(names.split(' '));
/** The value of an outcome field, or the name of a list or a count. */
const SUCCESS = words('created updated upserted linked success succeeded ok accepted synced');
const FAILURE = words('error errors failed failure fail rejected invalid');
const FLAGS = words('success ok created updated');
const OUTCOMES = words('status statuscode code result outcome action');
/** Names that only wrap: an outcome below them is that of the whole. */
const WRAPPERS = words(
	'data result results response responses body output input lead leads item items record records entry entries row rows batch batches payload sync status summary counts attributes details',
);
const INDEX = words('index position row');
/** Identifiers of the request or of a job. */
const JOB_ID = words('id jobid taskid batchid syncid requestid traceid');
/** Fields of a lead (spec 2), and what usually comes with them. */
const LEAD_FIELDS = words(
	'id index position row status priority source contact contactid estimatedvalue saledate notes tags createdat updatedat protocol linked',
);

/** What became of a lead, and what a name states of all that is below it. */
type Outcome = 'recorded' | 'refused' | 'unconfirmed';

export interface LeadResult {
	/** `batchAccepted`: the answer accepts the batch and is not about single leads. */
	kind: Outcome | 'batchAccepted';
	/** The parts of the answer about it, none where it is not mentioned. */
	entries: unknown[];
}

/** A part of the answer about one lead, or all the rest, which is about the batch. */
interface Part {
	value?: unknown;
	/**
	 * See {@link factOf}; also `externalId` where one is stated, `mention` where one is anywhere in it, and `place` where a number
	 * states a lead by another place than the part's own: it may count from 0, from 1, or the rows of a sheet.
	 */
	facts: Set<string>;
	/** The position of its lead among those sent, -1 for none of them; undefined while no external ID is found. */
	lead?: number;
	/** In a list as long as the batch; -1 in other lists. */
	position?: number;
}

/** A value that is still to be read. */
interface Visit {
	value: unknown;
	part: Part;
	/** By the names above it in the part; undefined where they only wrap. */
	group?: Outcome;
	position?: number;
}

/**
 * Finds what the answer states about each lead.
 *
 * @param answer the whole body
 * @param sent the leads in the order sent, each external ID once
 * @param failed the request as a whole was refused
 * @returns one result for each of `sent`
 */
export function parseBatchAnswer(
	answer: unknown,
	sent: ServiceRecord[],
	failed = false,
): LeadResult[] {
	return new BatchAnswer(answer, sent, failed).results();
}

/** Takes the answer apart in one pass, linear in its size and without recursion. */
class BatchAnswer {
	private readonly batch: Part = { facts: new Set() };
	private readonly entries: Part[] = [];
	/** For each lead, the parts with its external ID, and those found to be about it. */
	private readonly about: Array<Set<Part>>;
	/** The sum of `created: 2` and the like, if anything is counted. */
	private counted: number | undefined;
	/** The largest of `failed: 1` and the like. */
	private refusals = 0;

	private readonly leads = new Map<unknown, number>();
	/** Fields with their values: where they come back, they state nothing. */
	private readonly sentFields = new Set<string>();
	private readonly visits: Visit[] = [];

	constructor(
		answer: unknown,
		private readonly sent: ServiceRecord[],
		private readonly failed: boolean,
	) {
		this.about = sent.map(() => new Set());
		for (const [position, lead] of sent.entries()) {
			if (!isNothing(lead.externalId)) this.leads.set(String(lead.externalId), position);
			for (const [name, value] of Object.entries(lead)) {
				if (toText(value)) this.sentFields.add(`${name} ${toText(value)}`);
			}
		}
		// Why the request failed is no refusal of a lead, unless it names one.
		const isReason = failed && isRecord(answer) && !Array.isArray(answer.error);
		const roots = isReason ? [omit(answer, 'error'), answer.error] : [answer];
		for (const value of roots) this.visitField('data', { value, part: this.batch });
		for (const visit of this.visits) {
			if (Array.isArray(visit.value)) this.visitList(visit.value, visit);
			else if (isRecord(visit.value)) this.visitRecord(visit.value, visit);
			else this.visitElement(visit);
		}
		this.placeEntries();
	}

	results(): LeadResult[] {
		const { facts } = this.batch;
		const { length } = this.sent;
		if (this.isAccepted()) return this.sent.map(() => ({ kind: 'batchAccepted', entries: [] }));
		// The body of a failure may repeat the leads, as they were sent or are stored.
		const reports = !this.failed || this.entries.some((entry) => isRefused(entry.facts));
		const trustsStored = reports && !facts.has('unconfirmed') && !facts.has('failed');
		const kinds = this.about.map((parts, n) => kindOf(n, [...parts], trustsStored));
		const recorded = kinds.filter((kind) => kind === 'recorded').length;
		const most = Math.min(this.counted ?? length, length - this.refusals);
		// Which of them was refused is not known, unless there is only one.
		const isOnly = length === 1 && !this.failed && (isRefused(facts) || this.refusals > 0);
		const isDoubtful = isRefused(facts) || facts.has('place') || recorded > most;
		return kinds.map((kind, n) => ({
			kind: isOnly ? 'refused' : isDoubtful && kind === 'recorded' ? 'unconfirmed' : kind,
			entries: [...this.about[n]].filter(({ lead }) => lead === n).map(({ value }) => value),
		}));
	}

	/** Nothing but a yes to the batch as a whole. */
	private isAccepted(): boolean {
		const { batch, counted, entries, failed, refusals, sent } = this;
		const isYes = [...batch.facts].every((fact) => fact === 'recorded');
		const isAll = (counted ?? sent.length) === sent.length;
		return isYes && isAll && !failed && entries.length + refusals === 0;
	}

	/** Finds the leads of entries without external ID. What is about none of the leads is about the batch. */
	private placeEntries(): void {
		const { about, batch, entries } = this;
		const hasIds = entries.some(({ lead }) => lead !== undefined);
		for (const entry of entries) {
			const { facts, position = -1 } = entry;
			if (entry.lead === undefined && facts.has('place')) batch.facts.add('place');
			entry.lead ??= hasIds || facts.has('mention') || facts.has('place') ? -1 : position;
			if (entry.lead >= 0) about[entry.lead].add(entry);
			else batch.facts.add(isRefused(facts) ? 'refused' : 'unconfirmed');
		}
	}

	private visitList(elements: unknown[], { part, group }: Visit): void {
		const isOrdered = elements.length === this.sent.length && (!group || group === 'recorded');
		const below = part === this.batch ? group : (group ?? 'unconfirmed');
		for (const [n, value] of elements.entries()) {
			this.visits.push({ value, part, group: below, position: isOrdered ? n : -1 });
		}
	}

	/** An element of a list that is no record. */
	private visitElement({ value, part, group }: Visit): void {
		if (isNil(value) || value === '') return;
		const isBatch = part === this.batch;
		if (isBatch && this.leads.has(value)) return this.identify(this.addEntry(value, group), value);
		if (group === 'refused') part.facts.add('refused');
		else if (isBatch) part.facts.add('unconfirmed');
		this.mention(value, part);
	}

	private visitRecord(record: ServiceRecord, { part, group, position }: Visit): void {
		const fields = Object.entries(record);
		const ids = fields.flatMap(([name, value]) => externalIdOf(name, value) ?? []);
		if (part === this.batch) {
			if (fields.length > 0 && fields.every(([name]) => this.isKey(name))) {
				for (const [key, value] of fields) this.visitKey(key, value, group);
				return;
			}
			if (ids.length > 0 || position !== undefined) {
				[part, group] = [this.addEntry(record, group, position), undefined];
			}
		}
		if (group === undefined) for (const id of ids) this.identify(part, id);
		for (const [name, value] of fields) this.visitField(name, { value, part, group });
	}

	/** An external ID as a key, unless it may be the name of a field, or the number of a lead. */
	private isKey(name: string): boolean {
		const isName = groupBelow(normalizeKey(name)) !== 'unconfirmed';
		return this.leads.has(name) && !isName && !this.isNumber(name);
	}

	/** Counts the leads, from 0 or from 1. */
	private isNumber(key: string): boolean {
		return Number(parseCount(key)) <= this.sent.length;
	}

	private visitKey(key: string, value: unknown, group?: Outcome): void {
		const part = this.addEntry(value, group);
		this.identify(part, key);
		if (value !== true && !isRecord(value)) part.facts.add(stateOf('result', toText(value)));
		this.visits.push({ value, part });
	}

	private visitField(name: string, { value, part, group }: Visit): void {
		const key = normalizeKey(name);
		const isBatch = part === this.batch;
		const below = groupBelow(key, group);
		this.mention(name, part);
		this.mention(externalIdOf(name, value) ?? value, part);
		if (isBatch && (JOB_ID.has(key) || this.addCount(key, parseCount(value), group))) return;
		const isSent = this.sentFields.has(`${name} ${toText(value)}`);
		const fact = isSent ? 'field' : factOf(key, value, below);
		// Only what is the part's own confirms a lead; a refusal anywhere in it counts, except the one of the request.
		const isBad = ['refused', 'unconfirmed', 'failed'].includes(fact ?? '');
		const isOfRequest = isBatch && !group && this.failed && below !== 'refused';
		const own = fact === 'failed' && group ? 'unconfirmed' : fact;
		if (own && (isBad ? !isOfRequest : !group)) part.facts.add(own);
		const isPlace = INDEX.has(key) && parseCount(value) !== part.position;
		if (isBatch ? isPlace || this.isNumber(name) : isPlace && !group) part.facts.add('place');
		if (isObject(value)) this.visits.push({ value, part, group: below });
	}

	private addCount(key: string, count: number | undefined, group?: Outcome): boolean {
		const outcome = key === 'count' || key === 'total' ? group : groupBelow(key);
		if (count === undefined || !outcome || outcome === 'unconfirmed') return false;
		if (outcome === 'refused') this.refusals = Math.max(this.refusals, count);
		else this.counted = (this.counted ?? 0) + count;
		return true;
	}

	private addEntry(value: unknown, group?: Outcome, position?: number): Part {
		const entry = { value, facts: new Set<string>(group && [group]), position };
		this.entries.push(entry);
		return entry;
	}

	private identify(part: Part, externalId: unknown): void {
		const lead = this.leads.get(externalId) ?? -1;
		part.lead = part.lead === undefined || part.lead === lead ? lead : -1;
		part.facts.add('externalId');
		this.mention(externalId, part);
	}

	private mention(text: unknown, part: Part): void {
		const lead = this.leads.get(text);
		if (lead === undefined) return;
		part.facts.add('mention');
		this.about[lead].add(part);
	}
}

/** A refusal wins, and a yes counts only where all entries about the lead agree, and no other part has its external ID. */
function kindOf(n: number, parts: Part[], trustsStored: boolean): Outcome {
	if (parts.some(({ facts, lead }) => lead === n && isRefused(facts))) return 'refused';
	const isYes = ({ facts, lead }: Part) => lead === n && statesYes(facts, trustsStored);
	return parts.length > 0 && parts.every(isYes) ? 'recorded' : 'unconfirmed';
}

/** A word of failure may be the status of the lead itself, where the rest is not that of a refusal. */
function isRefused(facts: Set<string>): boolean {
	const mayBeStatus = facts.has('recorded') || facts.has('createdat');
	return facts.has('refused') || (facts.has('failed') && !mayBeStatus);
}

/** @param trustsStored a lead that is shown as it is stored is a recorded one */
function statesYes(facts: Set<string>, trustsStored: boolean): boolean {
	const isNeither = facts.has('created') && facts.has('updated');
	if (facts.has('unconfirmed') || facts.has('failed') || isNeither) return false;
	if (facts.has('recorded')) return true;
	return trustsStored && facts.has('id') && facts.has('createdat') && !facts.has('other');
}

/** Names are compared in any case, with `_` or `-`. */
const normalizeKey = (name: string) => name.toLowerCase().replace(/[_-]/g, '');

/** Whether a word states that a lead was recorded, e.g. `Created`. */
export const isSuccess = (word: string) => SUCCESS.has(normalizeKey(word));

const toText = (value: unknown) => (typeof value === 'object' ? '' : String(value));

const isNothing = (value: unknown) => !value || (typeof value === 'object' && isEmpty(value));

const parseCount = (value: unknown) =>
	/^\d{1,9}$/.test(toText(value)) ? Number(value) : undefined;

/** An external ID, if the field states one. */
function externalIdOf(name: string, value: unknown): string | undefined {
	const isId = /^(number|string)$/.test(typeof value);
	return isId && /^(lead)?externalid$/.test(normalizeKey(name)) ? String(value) : undefined;
}

/** A refusal holds for all that is below it, and nothing below a name that is not known confirms a lead. */
function groupBelow(key: string, group?: Outcome): Outcome | undefined {
	if (group === 'refused' || FAILURE.has(key)) return 'refused';
	if (WRAPPERS.has(key)) return group;
	return group !== 'unconfirmed' && SUCCESS.has(key) ? 'recorded' : 'unconfirmed';
}

/**
 * What one field states, if anything: an outcome, the name of a flag that is false, a `field` of a lead, or `other` content.
 * What is below `errors` and the like is read field by field.
 */
function factOf(key: string, value: unknown, group?: Outcome): string | undefined {
	if (FAILURE.has(key) && isNothing(value)) return undefined;
	if (isNil(value) || value === '' || externalIdOf(key, value) !== undefined) return undefined;
	if (isRecord(value) && WRAPPERS.has(key) && (key === 'data' || !isEmpty(value))) return undefined;
	if (isObject(value)) return LEAD_FIELDS.has(key) || isEmpty(value) ? 'field' : 'other';
	if (group === 'refused') return parseCount(value) === 0 ? undefined : 'refused';
	const text = String(value);
	if (FLAGS.has(key) && text === 'true') return 'recorded';
	// What was not created may have been updated, and the other way round.
	if (FLAGS.has(key) && text === 'false') return /^(cre|upd)ated$/.test(key) ? key : 'refused';
	if (OUTCOMES.has(key)) return stateOf(key, text);
	if (LEAD_FIELDS.has(key)) return key;
	// A word of success that is not simply true, or an answer within the answer.
	const isDoubtful = SUCCESS.has(key) ? value !== true : /^\s*[[{]/.test(text);
	return isDoubtful ? 'unconfirmed' : 'other';
}

function stateOf(key: string, text: string): string {
	if (key === 'status' && documentedValues.status.includes(text)) return key;
	const code = parseCount(text) ?? 0;
	if (isSuccess(text) || (code >= 200 && code < 300)) return 'recorded';
	if (FAILURE.has(normalizeKey(text))) return 'failed';
	return code >= 400 ? 'refused' : 'unconfirmed';
}

const MOST_PARTS = 50;
const LONGEST = 2000;

/** An entry as JSON, cut: it may be as large and as deep as the whole answer. */
export function excerptOf(entry: unknown): string {
	let left = MOST_PARTS;
	const json = JSON.stringify(entry, (_, value: unknown) => {
		if (isObject(value)) left -= 1;
		return isObject(value) && left < 0 ? '…' : value;
	});
	return (json ?? 'nothing').slice(0, LONGEST);
}
