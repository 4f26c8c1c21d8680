/**
 * Reads the answer to a batch. Its form is not documented (spec 4.6), so only a plain yes counts: a lead is taken when
 * every entry about it says so in one of a few forms, refused when any entry plainly says that, and unconfirmed otherwise.
 * A yes that is missed shows on the first run; a missed refusal would lose a lead unnoticed.
 */
import type { Finding, Scope } from './batchFacts';
import { INDEX, OPAQUE, REFUSED, WRAPPERS, YES, factOf, findingOf } from './batchFacts';
import { idOf, isEmpty, normalizeKey, scopeBelow, toCount } from './batchFacts';
import type { ServiceRecord } from './envelope';
import { isRecord } from './envelope';

/** What became of one lead of a batch. `entries` are the parts of the answer about it, none where it is not mentioned. */
export interface LeadResult {
	/** `batchAccepted`: the answer accepts the batch and is not about single leads. */
	kind: 'taken' | 'refused' | 'unconfirmed' | 'batchAccepted';
	entries: unknown[];
}

/** A part of the answer about one lead, with everything inside it. Without an external ID, other signs show the lead. */
interface Entry {
	value: unknown;
	finding: Finding;
	lead?: number;
	index?: number;
	position?: number;
}

/** A value outside all entries. */
interface Visit {
	value: unknown;
	/** What the names above it state. */
	scope: Scope;
	/** Its place in a list, -1 where the list is not as long as the batch. */
	position?: number;
	/** It may state that the request failed as a whole. */
	isOfRequest?: boolean;
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
	private readonly entries: Entry[] = [];
	/** External IDs that are not the one of their entry: what it states of their leads is not known. */
	private readonly mentions = new Set<unknown>();
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
		this.visits.push({ value: answer, scope: 'neutral', isOfRequest: this.failed });
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
		elements.forEach((value, n) =>
			this.visits.push({ value, scope, position: isOrdered ? n : -1 }),
		);
	}

	private visitRecord(record: ServiceRecord, visit: Visit): void {
		const fields = Object.entries(record);
		if (visit.position !== undefined || fields.some(([name, value]) => idOf(name, value))) {
			this.addEntry(visit, record);
		} else if (fields.length > 0 && fields.every(([name]) => this.isKey(name))) {
			for (const [externalId, value] of fields) {
				const outcome = { [typeof value === 'boolean' ? 'ok' : 'result']: value };
				const isUnclear = typeof value === 'object' && !isRecord(value) && { status: 'unclear' };
				this.addEntry({ ...visit, value }, { externalId, ...outcome, ...isUnclear });
			}
		} else {
			if (visit.scope === 'refused' && !visit.isOfRequest) this.unplaced.push(record);
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
		const count = toCount(value);
		for (const text of [name, value]) {
			if (this.leads.has(text)) this.visitScalar({ value: text, scope: 'unconfirmed' });
		}
		if (count !== undefined && REFUSED.has(key)) this.refusals = Math.max(this.refusals, count);
		else if (count !== undefined && YES.has(key)) this.counted = (this.counted ?? 0) + count;
		else if (/^(total|count)$/.test(key) && count === this.sent.length) this.hasTotal = true;
		else if (REFUSED.has(key) ? !isEmpty(value) : typeof value === 'object' && value !== null) {
			if (!WRAPPERS.has(key) || (isEmpty(value) && key !== 'data')) this.isSilent = false;
			const isOfRequest = visit.isOfRequest && key === 'error';
			this.visits.push({ value, scope: scopeBelow(visit.scope, key), isOfRequest });
		} else {
			const fact = factOf(key, value) ?? 'taken';
			if (/^(taken|changed|noErrors)$/.test(fact) || OPAQUE.has(key)) return;
			this.isSilent = false;
			if (fact === 'refused' && !visit.isOfRequest) this.unplaced.push(visit.value);
			else if (fact === 'unconfirmed' || fact === 'unchanged') this.isUnclear = true;
		}
	}

	/** An element of a list, or the only reason of a refusal. */
	private visitScalar(visit: Visit): void {
		const { value, scope, isOfRequest } = visit;
		if (value === null || value === undefined || value === '') return;
		this.isSilent = false;
		if (this.leads.has(value)) this.addEntry({ value, scope }, { externalId: value });
		else if (scope === 'refused' && !isOfRequest) this.unplaced.push(value);
		else this.isUnclear = true;
	}

	private addEntry({ value, scope, position = -1 }: Visit, record: ServiceRecord): void {
		const facts = new Set<string | undefined>([scope]);
		const ids = new Set<string>();
		const texts = new Set<unknown>();
		let index: number | undefined;
		// What is its own, or only wrapped in it, can confirm the lead.
		const parts: Array<[held: object, isOwn: boolean]> = [[record, true]];
		for (let part = parts.pop(); part; part = parts.pop()) {
			const [held, isOwn] = part;
			for (const [name, inner] of Object.entries(held)) {
				const key = Array.isArray(held) ? '' : normalizeKey(name);
				const externalId = idOf(key, inner);
				for (const text of [externalId ?? inner, Array.isArray(held) ? '' : name]) {
					if (this.leads.has(text)) texts.add(text);
				}
				if (isOwn && externalId !== undefined) ids.add(externalId);
				if (isOwn && INDEX.has(key)) index ??= toCount(inner);
				const fact = this.echoes.has(echoOf(name, inner)) ? undefined : factOf(key, inner);
				if (isOwn || fact === 'refused' || fact === 'unconfirmed') facts.add(fact);
				const isWrapped = isOwn && WRAPPERS.has(key) && !Array.isArray(inner);
				if (typeof inner === 'object' && inner !== null) parts.push([inner, isWrapped]);
			}
		}
		const [id, another] = ids;
		if (id !== undefined) facts.add('externalId');
		if (id !== undefined && another === undefined) texts.delete(id);
		for (const text of texts) this.mentions.add(text);
		this.hasIds ||= id !== undefined;
		this.isSilent = false;
		const place = id === undefined ? { index, position: texts.size > 0 ? -1 : position } : {};
		const lead = another === undefined ? this.leads.get(id) : undefined;
		this.entries.push({ value, finding: findingOf(facts), lead, ...place });
	}

	private settle(): LeadResult[] {
		const { sent, failed, unplaced } = this;
		const findings = sent.map(() => new Set<Finding>());
		const results = sent.map((): LeadResult => ({ kind: 'unconfirmed', entries: [] }));
		const first = this.firstIndex();
		for (const { value, finding, lead, index, position = -1 } of this.entries) {
			const byPlace = index === undefined ? (this.hasIds ? -1 : position) : index - first;
			const result = results[lead ?? byPlace];
			result?.entries.push(value);
			if (result) findings[lead ?? byPlace].add(finding);
			else if (finding === 'refused') unplaced.push(value);
			else this.isUnclear = true;
		}
		for (const text of this.mentions) findings[this.leads.get(text) ?? -1].add('unconfirmed');
		if (sent.length === 1 && !failed && (unplaced.length > 0 || this.refusals > 0)) {
			findings[0].add('refused');
			results[0].entries.push(...unplaced);
		}
		results.forEach((result, lead) => {
			const found = findings[lead];
			const isDoubtful = found.has('unconfirmed') || (found.has('stored') && this.isUnclear);
			if (found.has('refused')) result.kind = 'refused';
			else if (found.size > 0 && !isDoubtful) result.kind = 'taken';
		});
		const taken = results.filter(({ kind }) => kind === 'taken');
		const isRefusalOpen = unplaced.length > 0 || this.refusals > sent.length - taken.length;
		// Which of them was refused is not known.
		if (isRefusalOpen || taken.length > (this.counted ?? sent.length)) {
			for (const result of taken) result.kind = 'unconfirmed';
		}
		const isCounted = this.counted === undefined ? !this.hasTotal : this.counted === sent.length;
		const isAccepted = this.isSilent && isCounted && !failed && this.refusals === 0;
		return isAccepted ? sent.map(() => ({ kind: 'batchAccepted', entries: [] })) : results;
	}

	/** What indexes count from, 0 or 1, if they plainly do: together they stand for every lead. */
	private firstIndex(): number {
		const indexes = new Set(this.entries.flatMap(({ index }) => index ?? []));
		const { length } = this.sent;
		const isFirst = (start: number) => this.sent.every((_, n) => indexes.has(n + start));
		return indexes.size === length ? ([0, 1].find(isFirst) ?? NaN) : NaN;
	}
}

/** No object is the same as another. */
const echoOf = (name: string, value: unknown) =>
	typeof value === 'object' ? {} : `${name} ${String(value).slice(0, 100)}`;
