/**
 * Reads the answer to a batch. Its form is not documented (spec 4.6), so only a plain yes counts: a lead is recorded when
 * every entry about it says so in one of a few forms, refused when any entry plainly says that, and unconfirmed otherwise.
 * A yes that is missed shows on the first run; a missed refusal would lose a lead unnoticed.
 */
import { omit } from 'lodash';

import type { Statement } from './batchFacts';
import {
	FAILURE,
	INDEX,
	LEAD_FIELDS,
	SUCCESS,
	WRAPPERS,
	externalIdOf,
	factOf,
	groupBelow,
	isEmpty,
	normalizeKey,
	parseCount,
	statementOf,
} from './batchFacts';
import type { ServiceRecord } from './envelope';
import { isRecord } from './envelope';

/** What became of one lead of a batch. `entries` are the parts of the answer about it, none where it is not mentioned. */
interface LeadResult {
	/** `batchAccepted`: the answer accepts the batch and is not about single leads. */
	kind: 'recorded' | 'refused' | 'unconfirmed' | 'batchAccepted';
	entries: unknown[];
}

/** A part of the answer about one lead, or all the rest, which is about the batch. */
interface AnswerPart {
	value?: unknown;
	/** See {@link factOf}. */
	facts: Set<string | undefined>;
	externalIds: Set<string>;
	/** Leads whose external ID is anywhere in it. */
	mentions: Set<number>;
	/** The external ID as the name of the field that holds it. */
	key?: string;
	index?: number;
	/** In a list as long as the batch; -1 in other lists. */
	position: number;
}

/** A value that is still to be read. */
interface Visit {
	value: unknown;
	entry: AnswerPart;
	/** What the names above it state. */
	group?: Statement;
	/** Not below a name that may be about something else than the lead. */
	isOwn: boolean;
	position?: number;
}

/** Identifiers of the request or of a job. */
const JOB_ID = /^(id|jobid|taskid|batchid|syncid|requestid|traceid)$/;

/**
 * Finds what the answer states about each lead. Linear in the size of the answer, and without recursion.
 *
 * @param answer the whole body
 * @param sent the leads in the order sent, each external ID once
 * @param failed the request as a whole was refused
 * @returns one result for each of `sent`
 */
export const parseBatchAnswer = (answer: unknown, sent: ServiceRecord[], failed = false) =>
	new BatchAnswer(sent, failed).parse(answer);

class BatchAnswer {
	private readonly leads = new Map<unknown, number>();
	/** Fields with their values: where they come back, they state nothing. */
	private readonly sentFields = new Set<string>();
	private readonly visits: Visit[] = [];
	private readonly entries: AnswerPart[] = [];
	private readonly batch = this.addEntry({});
	/** The sum of `created: 2` and the like, if anything is counted. */
	private counted: number | undefined;
	/** The largest of `failed: 1` and the like. */
	private refusals = 0;

	constructor(
		private readonly sent: ServiceRecord[],
		private readonly failed: boolean,
	) {
		for (const [position, lead] of sent.entries()) {
			if (!isEmpty(lead.externalId)) this.leads.set(String(lead.externalId), position);
			for (const [name, value] of Object.entries(lead)) {
				if (typeof value !== 'object') this.sentFields.add(`${name} ${String(value)}`);
			}
		}
	}

	parse(answer: unknown): LeadResult[] {
		const root = { value: answer, entry: this.batch, isOwn: true };
		if (this.failed && isRecord(answer)) {
			// Why the request failed is no refusal of a lead, unless it names one.
			const { error } = answer;
			if (isRecord(error)) this.visits.push({ ...root, value: error });
			if (!Array.isArray(error)) root.value = omit(answer, 'error');
		}
		this.visits.push(root);
		for (let visit = this.visits.pop(); visit; visit = this.visits.pop()) {
			if (Array.isArray(visit.value)) this.visitList(visit.value, visit);
			else if (isRecord(visit.value)) this.visitRecord(visit.value, visit);
			else this.visitElement(visit);
		}
		return this.toResults();
	}

	private visitList(elements: unknown[], visit: Visit): void {
		const isOrdered = elements.length === this.sent.length && /^$|recorded/.test(visit.group ?? '');
		if (visit.entry === this.batch) visit.entry.facts.add('other');
		for (const [n, value] of elements.entries()) {
			this.visits.push({ ...visit, value, isOwn: false, position: isOrdered ? n : -1 });
		}
	}

	/** An element of a list that is no record. */
	private visitElement({ value, entry, group, position }: Visit): void {
		if (value === null || value === undefined || value === '') return;
		const isBatch = entry === this.batch;
		const holder =
			isBatch && this.leads.has(value) ? this.addEntry({ value, group, position }) : entry;
		if (holder !== entry) holder.externalIds.add(String(value));
		else if (group === 'refused') entry.facts.add('refused');
		else if (isBatch) entry.facts.add('unconfirmed');
		this.mention(value, holder);
	}

	private visitRecord(record: ServiceRecord, visit: Visit): void {
		const fields = Object.entries(record);
		const ids = fields.flatMap(([name, value]) => externalIdOf(name, value) ?? []);
		let { entry, isOwn } = visit;
		if (entry === this.batch) {
			const isKeyed = fields.length > 0 && fields.every(([name]) => this.isKey(name));
			if (isKeyed) return this.visitKeys(fields, visit);
			const isEntry = ids.length > 0 || visit.position !== undefined;
			if (isEntry) [entry, isOwn] = [this.addEntry(visit), true];
		}
		if (isOwn) for (const id of ids) entry.externalIds.add(id);
		for (const [name, value] of fields) this.visitField(name, { ...visit, value, entry, isOwn });
	}

	/** An external ID as a key, unless it may be the name of a field. */
	private isKey(name: string): boolean {
		const isName = [SUCCESS, FAILURE, WRAPPERS].some((names) => names.has(normalizeKey(name)));
		return this.leads.has(name) && !isName;
	}

	private visitKeys(fields: Array<[string, unknown]>, visit: Visit): void {
		for (const [key, value] of fields) {
			const entry = this.addEntry({ ...visit, value }, key);
			this.visits.push({ ...visit, value, entry, isOwn: true });
			if (value === true || isRecord(value)) continue;
			const isWord = !isEmpty(value) && typeof value !== 'object';
			entry.facts.add(isWord ? factOf('result', value) : 'unconfirmed');
		}
	}

	private visitField(name: string, { value, entry, group, isOwn }: Visit): void {
		const key = normalizeKey(name);
		const isBatch = entry === this.batch;
		this.mention(name, entry);
		// The ID that the service gave a lead may be the external ID of another one.
		const isNamesake = LEAD_FIELDS.has(key) && entry.externalIds.size > 0;
		if (!isNamesake) this.mention(externalIdOf(name, value) ?? value, entry);
		if (isBatch && (JOB_ID.test(key) || this.addCount(key, parseCount(value), group))) return;
		const below = groupBelow(group, key);
		const isObject = typeof value === 'object' && value !== null;
		const isSent = !isObject && this.sentFields.has(`${name} ${String(value)}`);
		const fact = isSent ? 'sent' : factOf(key, value, group);
		// What is the entry's own can confirm the lead, and a refusal anywhere in it counts.
		const isBad = fact === 'refused' || fact === 'unconfirmed';
		const isOfRequest = isBatch && this.failed && below !== 'refused';
		if (isBad ? !isOfRequest : isOwn) entry.facts.add(fact);
		if (isOwn && INDEX.has(key)) entry.index ??= parseCount(value);
		if (!isObject || fact === 'noErrors') return;
		const isWrapped = isRecord(value) && WRAPPERS.has(key);
		const isSilent = isWrapped && (!isBatch || key === 'data' || !isEmpty(value));
		if (isBatch && !isSilent) entry.facts.add('other');
		this.visits.push({ value, entry, group: below, isOwn: isBatch || (isOwn && isWrapped) });
	}

	private addCount(key: string, count: number | undefined, group?: Statement): boolean {
		if (count === undefined) return false;
		const isCount = key === 'count' || key === 'total';
		if (FAILURE.has(key) || (isCount && group === 'refused')) {
			this.refusals = Math.max(this.refusals, count);
		} else if (SUCCESS.has(key) || (isCount && group === 'recorded')) {
			this.counted = (this.counted ?? 0) + count;
		} else if (isCount && count === this.sent.length) this.batch.facts.add('total');
		else return false;
		return true;
	}

	private mention(text: unknown, entry: AnswerPart): void {
		const lead = this.leads.get(text);
		if (lead !== undefined) entry.mentions.add(lead);
	}

	private addEntry({ value, group, position = -1 }: Partial<Visit>, key?: string): AnswerPart {
		const externalIds = new Set(key === undefined ? [] : [key]);
		const mentions = new Set<number>();
		const entry = { value, facts: new Set([group]), externalIds, mentions, key, position };
		this.entries.push(entry);
		return entry;
	}

	private toResults(): LeadResult[] {
		const { sent, failed, entries } = this;
		const { facts } = this.batch;
		const results = sent.map(() => ({
			entries: [] as unknown[],
			statements: new Set<Statement>(),
		}));
		this.placeEntries(results);
		const isRefused = facts.has('refused') || this.refusals > 0;
		if (!isRefused && !failed && entries.length === 1 && this.isAccepted) {
			return sent.map(() => ({ kind: 'batchAccepted', entries: [] }));
		}
		if (isRefused && sent.length === 1 && !failed) results[0].statements.add('refused');
		const someRefused = results.some(({ statements }) => statements.has('refused'));
		const trustsStored = !facts.has('unconfirmed') && (!failed || someRefused);
		const kinds = results.map(({ statements }) => kindOf(statements, trustsStored));
		const recorded = kinds.filter((kind) => kind === 'recorded').length;
		const most = Math.min(this.counted ?? sent.length, sent.length - this.refusals);
		// Which of them was refused is not known.
		const isDoubtful = facts.has('refused') || recorded > most;
		return results.map(({ entries: parts }, n) => ({
			kind: isDoubtful && kinds[n] === 'recorded' ? 'unconfirmed' : kinds[n],
			entries: parts,
		}));
	}

	/** Adds what each entry states to the result of its lead. */
	private placeEntries(results: Array<{ entries: unknown[]; statements: Set<Statement> }>): void {
		const { batch, entries } = this;
		const mayCount = this.mayCount(entries.flatMap(({ key }) => key ?? []));
		const first = this.firstIndex(new Set(entries.flatMap(({ index }) => index ?? [])));
		const hasIds = entries.some(({ externalIds }) => externalIds.size > 0);
		for (const entry of entries) {
			const { value, facts, key, externalIds, mentions } = entry;
			const lead = this.leadOf(entry, first, hasIds || mentions.size > 0);
			const stated = statementOf(facts, externalIds.size > 0);
			const isUnclear = mayCount && key !== undefined && stated !== 'refused';
			const statement = isUnclear ? 'unconfirmed' : stated;
			results[lead]?.entries.push(value);
			if (results[lead]) results[lead].statements.add(statement);
			else if (entry !== batch)
				batch.facts.add(statement === 'refused' ? statement : 'unconfirmed');
			// What an entry states of leads other than its own is not known.
			for (const other of mentions) {
				if (other !== lead) results[other].statements.add('unconfirmed');
			}
		}
	}

	/** By external ID; else by index; else by position if no external ID is stated. */
	private leadOf(entry: AnswerPart, first: number, hasIds: boolean): number {
		const { externalIds, index, position } = entry;
		const [externalId] = externalIds;
		if (externalIds.size === 1) return this.leads.get(externalId) ?? -1;
		if (externalIds.size === 0 && index !== undefined) return index - first;
		return hasIds ? -1 : position;
	}

	/** What indexes count from, 0 or 1, if they plainly do: together they stand for every lead. */
	private firstIndex(indexes: Set<number>): number {
		const isFirst = (start: number) => this.sent.every((_, n) => indexes.has(n + start));
		return indexes.size === this.sent.length ? ([0, 1].find(isFirst) ?? NaN) : NaN;
	}

	/** Whether keys that are external IDs could as well count other leads, from 0 or from 1. */
	private mayCount(keys: string[]): boolean {
		return [0, 1].some((start) => {
			const positions = keys.map((key) => Number(key) - start);
			const isOther = (position: number, n: number) => position !== this.leads.get(keys[n]);
			return positions.every((position) => position in this.sent) && positions.some(isOther);
		});
	}

	/** Nothing but a yes to the batch as a whole. */
	private get isAccepted(): boolean {
		const { facts, mentions } = this.batch;
		const isYes = (fact = 'noErrors') => /^(recorded|noErrors|total)$/.test(fact);
		const isCounted =
			this.counted === undefined ? !facts.has('total') : this.counted === this.sent.length;
		return isCounted && mentions.size === 0 && [...facts].every(isYes);
	}
}

/** A refusal wins, and a yes counts only where all entries about the lead agree. */
function kindOf(statements: Set<Statement>, trustsStored: boolean): LeadResult['kind'] {
	if (statements.has('refused')) return 'refused';
	if (statements.size === 0 || statements.has('unconfirmed')) return 'unconfirmed';
	return statements.has('stored') && !trustsStored ? 'unconfirmed' : 'recorded';
}
