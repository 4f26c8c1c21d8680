/**
 * Reads the answer to a batch. Its form is not documented (spec 4.6), so only a plain yes counts: a lead is taken when
 * every entry about it says so in one of a few forms, refused when any entry plainly says that, and unconfirmed otherwise.
 * A yes that is missed shows on the first run; a missed refusal would lose a lead unnoticed.
 */
import { omit } from 'lodash';

import type { Finding, Scope } from './batchFacts';
import {
	EntryContent,
	OPAQUE,
	REFUSED,
	WRAPPERS,
	YES,
	echoOf,
	factOf,
	findingOf,
	idOf,
	isEmpty,
	normalizeKey,
	scopeBelow,
	toCount,
} from './batchFacts';
import type { ServiceRecord } from './envelope';
import { isRecord } from './envelope';

/** What became of one lead of a batch. `entries` are the parts of the answer about it, none where it is not mentioned. */
interface LeadResult {
	/** `batchAccepted`: the answer accepts the batch and is not about single leads. */
	kind: 'taken' | 'refused' | 'unconfirmed' | 'batchAccepted';
	entries: unknown[];
}

/** A value outside all entries. */
interface Visit {
	value: unknown;
	/** What the names above it state. */
	scope: Scope;
	/** Its place in a list, -1 where the list is not as long as the batch. */
	position?: number;
}

/**
 * Finds what the answer states about each lead. Linear in the size of the answer, and without recursion.
 *
 * @param answer the whole body
 * @param sent the leads in the order sent, each external ID once
 * @param failed the request as a whole was refused
 * @returns one result for each of `sent`
 */
export const readBatchAnswer = (answer: unknown, sent: ServiceRecord[], failed = false) =>
	new BatchAnswer(sent, failed).read(answer);

class BatchAnswer {
	private readonly leads = new Map<unknown, number>();
	/** Fields with their values: where they come back, they state nothing. */
	private readonly echoes = new Set<unknown>();
	private readonly visits: Visit[] = [];
	private readonly entries: Array<{ visit: Visit; content: EntryContent }> = [];
	private hasIds = false;
	/** Refusals that may be about any lead. */
	private readonly unplaced: unknown[] = [];
	/** The sum of `created: 2` and the like, if anything is counted. */
	private counted: number | undefined;
	private hasTotal = false;
	/** The largest of `failed: 1` and the like. */
	private refusals = 0;
	/** Nothing in the answer can be about a single lead. */
	private isSilent = true;
	/** Something about the batch as a whole is not understood. */
	private isUnclear: boolean;

	constructor(
		private readonly sent: ServiceRecord[],
		private readonly failed: boolean,
	) {
		this.isUnclear = failed;
		sent.forEach((lead, position) => {
			if (!isEmpty(lead.externalId)) this.leads.set(String(lead.externalId), position);
			for (const [name, value] of Object.entries(lead)) this.echoes.add(echoOf(name, value));
		});
	}

	read(answer: unknown): LeadResult[] {
		if (this.failed && isRecord(answer)) {
			// Why the request failed is no refusal of a lead, unless it names one.
			this.visits.push({ value: answer.error, scope: 'unconfirmed' });
			this.visits.push({ value: omit(answer, ['error', 'success']), scope: 'neutral' });
		} else this.visits.push({ value: answer, scope: 'neutral' });
		for (let visit = this.visits.pop(); visit; visit = this.visits.pop()) {
			if (Array.isArray(visit.value)) this.visitList(visit.value, visit);
			else if (isRecord(visit.value)) this.visitRecord(visit.value, visit);
			else this.visitScalar(visit);
		}
		return this.settle();
	}

	private visitList(elements: unknown[], { scope }: Visit): void {
		this.isSilent = false;
		const isOrdered = elements.length === this.sent.length && /neutral|taken/.test(scope);
		for (const [n, value] of elements.entries()) {
			this.visits.push({ value, scope, position: isOrdered ? n : -1 });
		}
	}

	private visitRecord(record: ServiceRecord, visit: Visit): void {
		const fields = Object.entries(record);
		if (visit.position !== undefined || fields.some(([name, value]) => idOf(name, value))) {
			this.addEntry(visit, record);
		} else if (fields.every(([name]) => this.isKey(name))) {
			for (const [externalId, value] of fields) {
				const status = typeof value === 'object' && !isRecord(value) ? 'unclear' : null;
				this.addEntry({ ...visit, value }, { externalId, result: value, status });
			}
		} else {
			if (visit.scope === 'refused') this.unplaced.push(record);
			for (const [name, value] of fields) this.visitField(name, value, visit);
		}
	}

	/** An external ID as a key, unless it may be the name of a field or an index. */
	private isKey(name: string): boolean {
		const isName = [YES, REFUSED, WRAPPERS].some((names) => names.has(normalizeKey(name)));
		return this.leads.has(name) && !isName && !((toCount(name) ?? Infinity) <= this.sent.length);
	}

	/** A field of what holds the entries, so it is about the batch. */
	private visitField(name: string, value: unknown, visit: Visit): void {
		const key = normalizeKey(name);
		for (const text of [name, value]) {
			if (this.leads.has(text)) this.visitScalar({ value: text, scope: 'unconfirmed' });
		}
		if (this.addCount(key, toCount(value))) return;
		if (REFUSED.has(key) ? !isEmpty(value) : typeof value === 'object' && value !== null) {
			if (!WRAPPERS.has(key) || (isEmpty(value) && key !== 'data')) this.isSilent = false;
			this.visits.push({ value, scope: scopeBelow(visit.scope, key) });
			return;
		}
		this.addBatchFact(key, value, visit);
	}

	private addBatchFact(key: string, value: unknown, visit: Visit): void {
		const fact = factOf(key, value) ?? 'taken';
		if (/^(taken|changed|noErrors)$/.test(fact) || OPAQUE.has(key)) return;
		this.isSilent = false;
		if (fact === 'refused') this.unplaced.push(visit.value);
		if (fact === 'unconfirmed' || fact === 'unchanged') this.isUnclear = true;
	}

	private addCount(key: string, count: number | undefined): boolean {
		if (count === undefined) return false;
		if (REFUSED.has(key)) this.refusals = Math.max(this.refusals, count);
		else if (YES.has(key)) this.counted = (this.counted ?? 0) + count;
		else if (/^(total|count)$/.test(key) && count === this.sent.length) this.hasTotal = true;
		else return false;
		return true;
	}

	/** An element of a list, or the only reason of a refusal. */
	private visitScalar({ value, scope }: Visit): void {
		if (value === null || value === undefined || value === '') return;
		this.isSilent = false;
		if (this.leads.has(value)) this.addEntry({ value, scope }, { externalId: value });
		else if (scope === 'refused') this.unplaced.push(value);
		else this.isUnclear = true;
	}

	private addEntry(visit: Visit, record: ServiceRecord): void {
		const content = new EntryContent(record, visit.scope, this.leads, this.echoes);
		this.isSilent = false;
		this.hasIds ||= content.externalIds.size > 0;
		this.entries.push({ visit, content });
	}

	private settle(): LeadResult[] {
		const { sent, unplaced } = this;
		const results = sent.map((): LeadResult => ({ kind: 'unconfirmed', entries: [] }));
		const findings = this.placeEntries(results);
		const isRefused = unplaced.length > 0 || this.refusals > 0;
		if (this.isAccepted && !isRefused)
			return sent.map(() => ({ kind: 'batchAccepted', entries: [] }));
		if (isRefused && sent.length === 1 && !this.failed) {
			findings[0].add('refused');
			results[0].entries.push(...unplaced);
		}
		results.forEach((result, lead) => (result.kind = this.kindOf(findings[lead])));
		const taken = results.filter(({ kind }) => kind === 'taken');
		const most = Math.min(this.counted ?? sent.length, sent.length - this.refusals);
		// Which of them was refused is not known.
		if (unplaced.length > 0 || taken.length > most) {
			for (const result of taken) result.kind = 'unconfirmed';
		}
		return results;
	}

	/** Adds each entry to the result of its lead, and returns what the entries state of each lead. */
	private placeEntries(results: LeadResult[]): Array<Set<Finding>> {
		const findings = results.map(() => new Set<Finding>());
		const first = this.firstIndex();
		for (const { visit, content } of this.entries) {
			const lead = this.leadOf(content, first) ?? visit.position ?? -1;
			const finding = findingOf(content.facts);
			results[lead]?.entries.push(visit.value);
			if (results[lead]) findings[lead].add(finding);
			else if (finding === 'refused') this.unplaced.push(visit.value);
			else this.isUnclear = true;
			// What an entry states of leads other than its own is not known.
			for (const other of content.mentions) if (other !== lead) findings[other].add('unconfirmed');
		}
		return findings;
	}

	/** Nothing but a yes to the batch as a whole. */
	private get isAccepted(): boolean {
		const isCounted =
			this.counted === undefined ? !this.hasTotal : this.counted === this.sent.length;
		return this.isSilent && isCounted && !this.failed;
	}

	/** By external ID; else by an index; else, where this is undefined, by position if no entry states an external ID. */
	private leadOf(
		{ externalIds, index, mentions }: EntryContent,
		first: number,
	): number | undefined {
		const [externalId] = externalIds;
		if (externalIds.size === 1) return this.leads.get(externalId) ?? -1;
		if (externalIds.size === 0 && index !== undefined) return index - first;
		return this.hasIds || mentions.size > 0 ? -1 : undefined;
	}

	/** A refusal wins, and a yes counts only where all entries about the lead agree. */
	private kindOf(findings: Set<Finding>): LeadResult['kind'] {
		if (findings.has('refused')) return 'refused';
		if (findings.size === 0 || findings.has('unconfirmed')) return 'unconfirmed';
		return findings.has('stored') && this.isUnclear ? 'unconfirmed' : 'taken';
	}

	/** What indexes count from, 0 or 1, if they plainly do: together they stand for every lead. */
	private firstIndex(): number {
		const indexes = new Set(this.entries.flatMap(({ content }) => content.index ?? []));
		const { length } = this.sent;
		const isFirst = (start: number) => this.sent.every((_, n) => indexes.has(n + start));
		return indexes.size === length ? ([0, 1].find(isFirst) ?? NaN) : NaN;
	}
}
