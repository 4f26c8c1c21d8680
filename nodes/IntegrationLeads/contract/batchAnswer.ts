/**
 * Reads the answer to a batch. Its form is not documented (spec 4.6), so only a plain yes counts: a lead is taken when
 * every entry about it says so in one of a few forms (see {@link findingOf}), refused when any entry plainly says that,
 * and unconfirmed otherwise. A yes that is missed shows on the first run; a missed refusal would lose a lead unnoticed.
 */
import type { List, Scope } from './batchEntry';
import {
	Entry,
	externalIdsOf,
	findingOf,
	isEmptyValue,
	isFieldName,
	isRefusal,
	isWrapper,
	isYes,
	normalizeKey,
	outcomeOf,
	readField,
	scopeBelow,
	toFlag,
} from './batchEntry';
import { placeEntries } from './batchPlace';
import type { ServiceRecord } from './envelope';
import { isRecord } from './envelope';

/** What became of one lead of a batch. `entries` are the parts of the answer about it, none where it is not mentioned. */
export interface LeadResult {
	/** `batchAccepted`: the answer accepts the batch and is not about single leads. */
	kind: 'taken' | 'refused' | 'unconfirmed' | 'batchAccepted';
	entries: unknown[];
}

/** Numbers that may go with counts, if they are the size of the batch. */
const TOTALS = new Set(['total', 'count', 'processed', 'received']);
/** Identifiers of the request or of a job. */
const OPAQUE = new Set(['id', 'jobid', 'taskid', 'batchid', 'syncid', 'requestid', 'traceid']);

type Fields = Array<[name: string, value: unknown]>;

/** A value to visit, and where it is. */
interface Visit {
	value: unknown;
	name: string;
	scope: Scope;
	/** The entry that the value is part of. */
	entry?: Entry;
	/** A yes in it is one of the entry itself. */
	isOwn: boolean;
	/** The list that holds it, and its place there. */
	list?: List;
	position?: number;
	/** Outside all entries of single leads, so that a list named by an outcome is one of the batch. */
	isOpen: boolean;
}

/**
 * Finds what the answer states about each lead. Linear in the size of the answer, and without recursion.
 *
 * @param answer the whole body
 * @param sent the leads in the order sent, each external ID once
 * @param failed the request as a whole was refused
 * @returns one result for each of `sent`
 */
export function readBatchAnswer(
	answer: unknown,
	sent: ServiceRecord[],
	failed = false,
): LeadResult[] {
	const reader = new Reader(sent, failed);
	reader.walk(answer);
	return reader.settle();
}

class Reader {
	private readonly known = new Map<string, number>();
	/** Fields and values that were sent: where they come back, they state no outcome. */
	private readonly echoes = new Set<string>();
	private readonly visits: Visit[] = [];
	private readonly entries: Entry[] = [];
	/** Records about the batch as a whole. */
	private readonly batchEntries: Entry[] = [];
	/** The sum of `created: 2` and the like; undefined where nothing is counted. */
	private taken: number | undefined;
	/** The largest of `failed: 1` and the like. */
	private refused = 0;
	/** Nothing in the answer can be about a single lead. */
	private isSilent = true;

	constructor(
		private readonly sent: ServiceRecord[],
		private readonly failed: boolean,
	) {
		sent.forEach((lead, position) => {
			if (!isEmptyValue(lead.externalId)) this.known.set(String(lead.externalId), position);
			for (const [name, value] of Object.entries(lead)) this.echoes.add(echoOf(name, value));
		});
	}

	walk(answer: unknown): void {
		this.visits.push({ value: answer, name: 'data', scope: 'neutral', isOwn: true, isOpen: true });
		for (let visit = this.visits.pop(); visit; visit = this.visits.pop()) {
			if (Array.isArray(visit.value)) this.visitList(visit.value, visit);
			else if (isRecord(visit.value)) this.visitRecord(visit.value, visit);
			else this.visitScalar(visit.value, visit);
		}
	}

	private visitList(elements: unknown[], visit: Visit): void {
		const { entry, scope } = visit;
		const isTop = !entry && !visit.list;
		const isOrdered =
			isTop &&
			(scope === 'neutral' || scope === 'taken') &&
			elements.length === this.sent.length &&
			elements.every((element) => element === null || isRecord(element));
		const list: List = { isTop, isOrdered, statesIds: false };
		if (elements.length > 0 || scope !== 'refused') this.isSilent = false;
		elements.forEach((value, position) =>
			this.visits.push({ ...visit, value, list, position, isOwn: false }),
		);
	}

	private visitRecord(record: ServiceRecord, visit: Visit): void {
		const all = Object.entries(record);
		const fields = visit.entry ? all : this.visitKeyed(all, visit);
		if (fields.length === 0 && all.length > 0) return;
		const isElement = visit.list !== undefined;
		const stated = [...new Set(externalIdsOf(record, isElement || visit.entry !== undefined))];
		const leads = stated.flatMap((id) => this.known.get(id) ?? []);
		const outer = visit.entry;
		if (stated.length > 1) {
			// One entry for several leads states nothing about either.
			for (const lead of leads) this.add(record, visit, lead).doubt = true;
		}
		const isOnly = this.sent.length === 1 && !isElement && isStored(fields);
		const [lead] = stated.length === 1 ? leads : isOnly && stated.length === 0 ? [0] : [];
		if (outer && (lead === undefined || lead === outer.lead)) {
			this.visitFields(fields, visit, outer, visit.isOwn);
			return;
		}
		if (lead === undefined && !isElement && visit.scope !== 'refused') {
			this.visitBatch(record, fields, visit);
			return;
		}
		const entry = this.add(record, visit, lead);
		entry.hasExternalId = lead !== undefined && stated.length > 0;
		// Another lead inside the entry of one: a duplicate, a conflict, or the like.
		entry.doubt ||= stated.length > 1 || outer?.lead !== undefined;
		if (this.failed && visit.name === 'error' && !isElement) entry.isOfRequest = true;
		if (visit.list && visit.position !== undefined && !outer) {
			const { list, position } = visit;
			if (stated.length > 0) list.statesIds = true;
			if (stated.length > 0 && lead !== position && this.sent.length > 1) list.isOrdered = false;
			entry.place = { list, position };
		}
		this.visitFields(fields, visit, entry, true);
	}

	/** What is under an external ID as a key. Gives the fields that are under another name. */
	private visitKeyed(fields: Fields, visit: Visit): Fields {
		const isAllIds = fields.every(([name]) => this.known.has(name));
		return fields.filter(([name, value]) => {
			const lead = this.known.get(name);
			if (lead === undefined) return true;
			if (isFieldName(name) || this.isSmall(name)) {
				// The key may be the name of a field, or an index.
				if (isAllIds) this.add(value, visit, lead).doubt = true;
				return true;
			}
			if (visit.scope === 'refused' && isEmptyValue(value)) return false;
			const entry = this.add(value, visit, lead);
			entry.hasExternalId = true;
			if (isRecord(value)) {
				const others = externalIdsOf(value, true).filter((id) => id !== name);
				for (const id of others) {
					entry.doubt = true;
					const other = this.known.get(id);
					if (other !== undefined) this.add(value, visit, other).doubt = true;
				}
				this.visitFields(Object.entries(value), visit, entry, true);
			} else this.visitOutcome(entry, value);
			return false;
		});
	}

	private visitOutcome(entry: Entry, value: unknown): void {
		const outcome = typeof value === 'object' ? 'unclear' : outcomeOf(value);
		const flag = typeof value === 'boolean' ? toFlag(value) : undefined;
		if (flag === true || outcome === 'yes') entry.yes = true;
		else if (flag === false || outcome === 'no') entry.no = true;
		else entry.doubt = true;
	}

	/** A part of an entry. */
	private visitFields(fields: Fields, visit: Visit, entry: Entry, isOwn: boolean): void {
		const { scope } = visit;
		const isLead = normalizeKey(visit.name) === 'lead' && !visit.list;
		for (const [name, value] of fields) {
			const keyed = this.known.get(name);
			if (keyed !== undefined && !isFieldName(name)) entry.mentions.push(keyed);
			if (typeof value === 'object' && value !== null) continue;
			const isEcho = this.echoes.has(echoOf(name, value));
			readField(entry, [name, value], { isOwn, isEcho, isLead });
			const mentioned = this.known.get(String(value));
			if (mentioned !== undefined && !isYes(String(value))) entry.mentions.push(mentioned);
		}
		const isOpen = visit.isOpen && entry.lead === undefined && entry.isGroup;
		for (const [name, value] of fields) {
			if (typeof value !== 'object' || value === null) continue;
			const isEmpty = isEmptyValue(value);
			if (isRefusal(name)) {
				if (!isEmpty) entry.no = true;
				else if (isOwn) entry.hasNoErrors = true;
			} else if (!isEmpty && isOwn && !isFieldName(name)) entry.isPlain = false;
			if (isEmpty) continue;
			this.visits.push({
				...{ value, name, entry, isOpen, scope: scopeBelow(scope, name) },
				isOwn: isOwn && isWrapper(name),
			});
		}
	}

	/** A record about the batch, for example the envelope or a summary. */
	private visitBatch(record: ServiceRecord, fields: Fields, visit: Visit): void {
		const entry = new Entry(record, visit.scope);
		this.batchEntries.push(entry);
		if (fields.length === 0 && visit.name !== 'data') this.isSilent = false;
		for (const [name, value] of fields) {
			const scope = scopeBelow(visit.scope, name);
			if (typeof value === 'object' && value !== null) {
				if (!isWrapper(name) && !isRefusal(name)) this.isSilent = false;
				if (!isRefusal(name) || !isEmptyValue(value)) {
					this.visits.push({ value, name, scope, isOwn: true, isOpen: true });
				}
			} else this.visitBatchField(entry, name, value);
		}
	}

	private visitBatchField(entry: Entry, name: string, value: unknown): void {
		const key = normalizeKey(name);
		const count = /^\d{1,9}$/.test(String(value)) ? Number(value) : undefined;
		if (isRefusal(name)) {
			if (count !== undefined) this.refused = Math.max(this.refused, count);
			else if (!isEmptyValue(value)) {
				this.visitScalar(value, { value, name, scope: 'refused', isOwn: true, isOpen: true });
			}
			if (count && this.sent.length === 1) this.addRefusal(value, name);
			return;
		}
		if (isYes(name) && count !== undefined) {
			this.taken = (this.taken ?? 0) + count;
			return;
		}
		if (value === null || value === '' || OPAQUE.has(key)) return;
		if (TOTALS.has(key) && count === this.sent.length) return;
		entry.yes = entry.isChanged = false;
		readField(entry, [name, value], { isOwn: true, isEcho: false, isLead: false });
		if (entry.yes || entry.isChanged) return;
		this.isSilent = false;
		const mentioned = this.known.get(String(value));
		if (mentioned !== undefined) entry.mentions.push(mentioned);
	}

	/** An element of a list, or the only reason of a refusal. */
	private visitScalar(value: unknown, visit: Visit): void {
		const { entry, scope, list } = visit;
		if (value === null || value === undefined || value === '') return;
		this.isSilent = false;
		const lead = this.known.get(String(value));
		if (lead === undefined) {
			if (scope === 'refused' && !entry) this.addRefusal(value, visit.name);
			return;
		}
		if (lead === entry?.lead || (!list && scope !== 'refused')) return;
		const mention = this.add(value, visit, lead);
		mention.doubt = entry?.lead !== undefined || !visit.isOpen;
		if (typeof value === 'number' && this.isSmall(String(value))) mention.doubt = true;
	}

	private addRefusal(value: unknown, name: string): void {
		const refusal = new Entry(value, 'refused');
		refusal.isOfRequest = this.failed && name === 'error';
		this.entries.push(refusal);
	}

	private add(value: unknown, visit: Visit, lead: number | undefined): Entry {
		const { scope, list, isOpen, entry: outer } = visit;
		if (outer && lead !== undefined) outer.holdsOthers = true;
		const entry = new Entry(value, scope, list);
		entry.lead = lead;
		entry.yes = scope === 'taken' && isOpen;
		this.isSilent = false;
		this.entries.push(entry);
		return entry;
	}

	settle(): LeadResult[] {
		const { sent, entries } = this;
		// In a batch of one, what the answer states about the batch is about that lead.
		if (sent.length === 1 && !this.failed) {
			entries.push(...this.batchEntries.filter(({ no }) => no));
		}
		placeEntries(entries, this.batchEntries, sent);
		const placed = entries.filter(({ lead }) => lead !== undefined);
		const others = entries.filter(({ lead }) => lead === undefined);
		const containers = new Set(placed.map(({ container }) => container));
		const isAlone =
			!this.failed &&
			others.every((entry) => entry.isGroup && !entry.no && !entry.doubt) &&
			this.batchEntries.every((entry) => !entry.no && !entry.doubt && !entry.isUnchanged);
		const results = sent.map((): LeadResult => ({ kind: 'unconfirmed', entries: [] }));
		for (const entry of placed) {
			const isApart = entry.scope === 'unknown' && containers.size > 1;
			const finding = findingOf(entry, isAlone);
			const result = results[entry.lead as number];
			const isFirst = result.entries.length === 0;
			result.entries.push(entry.value);
			if (finding === 'refused') result.kind = 'refused';
			else if (result.kind === 'refused') continue;
			else if (finding === 'unconfirmed' || isApart) result.kind = 'unconfirmed';
			else if (isFirst) result.kind = 'taken';
		}
		const taken = results.filter(({ kind }) => kind === 'taken');
		const refusals = Math.max(
			this.refused,
			others.filter(({ no, isOfRequest }) => no && !isOfRequest).length,
		);
		// The counts do not add up: nobody knows which lead was not taken.
		if (taken.length + refusals > sent.length || taken.length > (this.taken ?? sent.length)) {
			for (const result of taken) result.kind = 'unconfirmed';
		}
		const isAccepted =
			isAlone &&
			this.isSilent &&
			entries.length === 0 &&
			this.refused === 0 &&
			(this.taken ?? sent.length) === sent.length;
		return isAccepted ? sent.map(() => ({ kind: 'batchAccepted', entries: [] })) : results;
	}

	/** A number that may be an index, counted from 0 or from 1. */
	private isSmall(text: string): boolean {
		return /^\d{1,9}$/.test(text) && Number(text) <= this.sent.length;
	}
}

/** A lead as the service keeps it. */
function isStored(fields: Fields): boolean {
	const names = new Set(fields.map(([name]) => normalizeKey(name)));
	return names.has('id') && names.has('createdat');
}

function echoOf(name: string, value: unknown): string {
	return typeof value === 'object' ? '' : `${name} ${String(value).slice(0, 100)}`;
}
