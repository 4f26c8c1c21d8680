/**
 * Takes the answer to a batch apart: what it states of single leads, and what of the batch. Its form is not documented (spec
 * 4.6 only names `POST /sync`), so all words here are assumed.
 */
import { isNil, omit } from 'lodash';

import type { ServiceRecord } from './envelope';
import { isRecord } from './envelope';
import { documentedValues } from './lead';

const words = (names: string) => new Set(names.split(' '));
/** The value of an outcome field, or the name of a list or a count. */
const SUCCESS = words('created updated upserted linked success succeeded ok accepted synced');
const FAILURE = words('error errors failed rejected');
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

/** `stored`: the lead is shown as it is kept, which confirms it if nothing else is unclear. */
export type Statement = 'recorded' | 'refused' | 'unconfirmed' | 'stored';

/** A part of the answer about one lead, or all the rest, which is about the batch. */
export interface AnswerPart {
	value?: unknown;
	/** See {@link factOf}. */
	facts: Set<string | undefined>;
	/** Leads whose external ID is anywhere in it. */
	mentions: Set<number>;
	/** The position of its lead among those sent, -1 for none of them; undefined while no external ID is found. */
	lead?: number;
	index?: number;
	/** In a list as long as the batch; -1 in other lists. */
	position?: number;
}

/** A value that is still to be read. */
interface Visit {
	value: unknown;
	part: AnswerPart;
	/** What the names above it in the part state; undefined where they only wrap. */
	group?: Statement;
	position?: number;
}

/** Reads the answer in one pass, linear in its size and without recursion. */
export class BatchParts {
	readonly batch: AnswerPart = { facts: new Set(), mentions: new Set() };
	readonly entries: AnswerPart[] = [];
	/** The sum of `created: 2` and the like, if anything is counted. */
	counted: number | undefined;
	/** The largest of `failed: 1` and the like. */
	refusals = 0;

	private readonly leads = new Map<unknown, number>();
	/** Fields with their values: where they come back, they state nothing. */
	private readonly sentFields = new Set<string>();
	private readonly visits: Visit[] = [];

	/** @param failed the request as a whole was refused */
	constructor(
		answer: unknown,
		private readonly sent: ServiceRecord[],
		private readonly failed: boolean,
	) {
		for (const [position, lead] of sent.entries()) {
			if (!isEmpty(lead.externalId)) this.leads.set(String(lead.externalId), position);
			for (const [name, value] of Object.entries(lead)) {
				if (toText(value)) this.sentFields.add(`${name} ${toText(value)}`);
			}
		}
		// Why the request failed is no refusal of a lead, unless it names one.
		const isReason = failed && isRecord(answer) && !Array.isArray(answer.error);
		const roots = isReason ? [omit(answer, 'error'), answer.error].filter(isRecord) : [answer];
		for (const value of roots) this.visitField('data', { value, part: this.batch });
		for (const visit of this.visits) {
			if (Array.isArray(visit.value)) this.visitList(visit.value, visit);
			else if (isRecord(visit.value)) this.visitRecord(visit.value, visit);
			else this.visitElement(visit);
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
			const isKeyed = fields.length > 0 && fields.every(([name]) => this.isKey(name));
			if (isKeyed) return this.visitKeys(fields, group);
			if (ids.length > 0 || position !== undefined) {
				[part, group] = [this.addEntry(record, group, position), undefined];
			}
		}
		if (group === undefined) for (const id of ids) this.identify(part, id);
		for (const [name, value] of fields) this.visitField(name, { value, part, group });
	}

	/** An external ID as a key, unless it may be the name of a field. */
	private isKey(name: string): boolean {
		const isName = [SUCCESS, FAILURE, WRAPPERS].some((names) => names.has(normalizeKey(name)));
		return this.leads.has(name) && !isName;
	}

	private visitKeys(fields: Array<[string, unknown]>, group?: Statement): void {
		const isUnclear = this.mayCount(fields.map(([key]) => key));
		for (const [key, value] of fields) {
			const part = this.addEntry(value, group);
			this.identify(part, key);
			if (isUnclear) part.facts.add('unconfirmed');
			if (value !== true && !isRecord(value)) part.facts.add(outcomeOf('result', toText(value)));
			this.visits.push({ value, part });
		}
	}

	/** Whether keys that are external IDs could as well count other leads, from 0 or from 1. */
	private mayCount(keys: string[]): boolean {
		return [0, 1].some((start) => {
			const isOther = (key: string) => Number(key) - start !== this.leads.get(key);
			return keys.every((key) => Number(key) - start in this.sent) && keys.some(isOther);
		});
	}

	private visitField(name: string, { value, part, group }: Visit): void {
		const key = normalizeKey(name);
		const isBatch = part === this.batch;
		this.mention(name, part);
		// The ID that the service gave a lead may be the external ID of another one.
		const isNamesake = LEAD_FIELDS.has(key) && part.lead !== undefined;
		if (!isNamesake) this.mention(externalIdOf(name, value) ?? value, part);
		const below = groupBelow(key, group);
		if (isBatch && (JOB_ID.has(key) || this.addCount(key, parseCount(value), group))) return;
		const isSent = this.sentFields.has(`${name} ${toText(value)}`);
		const fact = isSent ? 'field' : factOf(key, value, below);
		const isOwn = group === undefined;
		// Only what is the part's own confirms a lead; a refusal anywhere in it counts, except the one of the request.
		const isBad = fact === 'refused' || fact === 'unconfirmed';
		const isOfRequest = isBatch && isOwn && this.failed && below !== 'refused';
		if (isBad ? !isOfRequest : isOwn) part.facts.add(fact);
		if ((isOwn || isBatch) && INDEX.has(key)) part.index ??= parseCount(value);
		const isObject = typeof value === 'object' && value !== null;
		if (isObject) this.visits.push({ value, part, group: below });
	}

	private addCount(key: string, count: number | undefined, group?: Statement): boolean {
		if (count === undefined) return false;
		const isTotal = key === 'count' || key === 'total';
		if (FAILURE.has(key) || (isTotal && group === 'refused')) {
			this.refusals = Math.max(this.refusals, count);
		} else if (SUCCESS.has(key) || (isTotal && group === 'recorded')) {
			this.counted = (this.counted ?? 0) + count;
		} else if (isTotal && count === this.sent.length) this.batch.facts.add('total');
		else return false;
		return true;
	}

	private addEntry(value: unknown, group?: Statement, position?: number): AnswerPart {
		const entry = { value, facts: new Set([group]), mentions: new Set<number>(), position };
		this.entries.push(entry);
		return entry;
	}

	private identify(part: AnswerPart, externalId: unknown): void {
		const lead = this.leads.get(externalId) ?? -1;
		part.lead = part.lead === undefined || part.lead === lead ? lead : -1;
		this.mention(externalId, part);
	}

	private mention(text: unknown, part: AnswerPart): void {
		const lead = this.leads.get(text);
		if (lead !== undefined) part.mentions.add(lead);
	}
}

/** Names are compared in any case, with `_` or `-`. */
const normalizeKey = (name: string) => name.toLowerCase().replace(/[_-]/g, '');

/** Whether a word states that a lead was recorded, e.g. `Created`. */
export const isSuccess = (word: string) => SUCCESS.has(normalizeKey(word));

const toText = (value: unknown) => (typeof value === 'object' ? '' : String(value));

function isEmpty(value: unknown): boolean {
	if (typeof value !== 'object') return !value;
	for (const _ in value) return false;
	return true;
}

function parseCount(value: unknown): number | undefined {
	return /^\d{1,9}$/.test(toText(value)) ? Number(value) : undefined;
}

/** An external ID, if the field states one. */
function externalIdOf(name: string, value: unknown): string | undefined {
	const isId = /^(number|string)$/.test(typeof value);
	return isId && /^(lead)?externalid$/.test(normalizeKey(name)) ? String(value) : undefined;
}

/** A refusal holds for all that is below it, and nothing below a name that is not known confirms a lead. */
function groupBelow(key: string, group?: Statement): Statement | undefined {
	if (group === 'refused' || FAILURE.has(key)) return 'refused';
	if (WRAPPERS.has(key)) return group;
	return group !== 'unconfirmed' && SUCCESS.has(key) ? 'recorded' : 'unconfirmed';
}

/**
 * What one field states: an outcome, the name of a flag that is false, a `field` of a lead, or `other` content.
 * What is below `errors` and the like is read field by field.
 */
function factOf(key: string, value: unknown, group?: Statement): string | undefined {
	if (FAILURE.has(key) && isEmpty(value)) return 'noErrors';
	if (isNil(value) || value === '' || externalIdOf(key, value) !== undefined) return undefined;
	if (typeof value === 'object') {
		const isSilent = isRecord(value) && WRAPPERS.has(key) && (key === 'data' || !isEmpty(value));
		if (isSilent) return undefined;
		return LEAD_FIELDS.has(key) || isEmpty(value) ? 'field' : 'other';
	}
	if (group === 'refused') return parseCount(value) === 0 ? undefined : 'refused';
	const text = String(value);
	if (FLAGS.has(key)) return flagOf(key, text);
	if (OUTCOMES.has(key)) return outcomeOf(key, text);
	if (LEAD_FIELDS.has(key)) return key;
	// A word of success that is not simply true, or an answer within the answer.
	const isDoubtful = SUCCESS.has(key) ? value !== true : WRAPPERS.has(key) && /^\s*[[{]/.test(text);
	return isDoubtful ? 'unconfirmed' : 'other';
}

/** What was not created may have been updated, and the other way round. */
function flagOf(key: string, text: string): string {
	if (text === 'true') return 'recorded';
	if (text !== 'false') return 'unconfirmed';
	return key === 'created' || key === 'updated' ? key : 'refused';
}

function outcomeOf(key: string, text: string): string {
	if (key === 'status' && documentedValues.status.includes(text)) return key;
	const code = parseCount(text) ?? 0;
	if (isSuccess(text) || (code >= 200 && code < 300)) return 'recorded';
	return code >= 400 ? 'refused' : 'unconfirmed';
}
