/**
 * What an answer to a batch says of its leads, wherever in the answer it stands. The answer is not shown (spec 4.6), so
 * it is walked as a whole: lists, objects in objects, objects whose keys are external IDs, texts.
 *
 * A lead that was lost must not pass for one that was taken: every way of saying no counts.
 */
import { standsForNothing } from '../nothing';
import type { ServiceRecord } from './envelope';
import { isRecord, readError } from './envelope';

/** A lead as it was sent. */
export interface SentLead {
	externalId?: string;
	status?: unknown;
}

/** Something that an answer says of a lead, or of the batch. */
export interface Verdict {
	refused: boolean;
	/** Positions of the leads it may be about, one where it tells which; none where it tells nothing of that. */
	leads: number[];
	/** The record in which it stood. */
	record: ServiceRecord;
	/** What the service gives as reasons. */
	words: string[];
	code?: string;
}

/** What is said, before the lead is known. */
interface Saying extends Omit<Verdict, 'leads'> {
	externalId?: string;
	/** The lead's place in the batch as the record tells it, and what it calls that. */
	place?: { name: string; value: number };
	/** The list in which it is an entry. Those of refusals have no order of their own. */
	list?: { entries: unknown[]; position: number };
	/** It is but a number of refusals. */
	count?: number;
}

const NO =
	'(?:errors?|errored|fail(?:s|ed|ures?)?|invalid|reject(?:s|ed|ions?)?|refus(?:es?|ed|als?)|unprocess(?:ed|able)|not-(?:accepted|created|found|processed|saved|valid))';
const YES =
	'(?:accepted|created|imported|linked|ok|processed|saved|succeeded|success(?:es|ful)?|synced|updated|upserted)';
const OF_WHAT =
	'(?:-(?:codes?|count|details?|entries|external-ids?|ids?|items?|leads?|list|messages?|reasons?|records?|results?|rows?|texts?))*';
/** A field of such a name holds what was not taken, why, or how many: `failedLeads`, `validation_errors`. */
const NAME_OF_NO = new RegExp(`(?<!(?:^|-)(?:max|no|without)-)(?<![a-z])${NO}${OF_WHAT}$`);
/** A field of such a name may hold plain external IDs of leads that were taken. */
const NAME_OF_YES = new RegExp(`^${YES}${OF_WHAT}$`);
/** A value that says no: `failed`, `VALIDATION_ERROR`, `rejected: no email`. */
const WORD_OF_NO = new RegExp(`(?<!(?:^|-)(?:no|without|0)-)(?<![a-z])${NO}(?![a-z])`);

/** Fields that may hold an HTTP status, or a word. */
const CODES = ['status', 'statusCode', 'httpStatus', 'code'];
/** Fields that tell the outcome by a word. */
const OUTCOMES = [...CODES, 'result', 'outcome', 'action'];
/** Fields that tell how many, beside a list. */
const COUNTS = ['count', 'total'];
/** Fields that say no by being false. */
const FLAGS = ['success', 'ok', 'accepted', 'processed', 'saved', 'valid'];
/** Fields that hold a reason. */
const REASONS = ['message', 'reason', 'detail', 'details', 'description'];
/** What a record has that is a lead and no report of one (spec 2). */
const OF_LEADS = ['createdAt', 'priority', 'source', 'contact'];
/** Names of a place in the batch, in the form of {@link squeeze}. */
const PLACES = /^(?:lead|item)?(?:index|position|row)(?:number)?$/;

/**
 * Reads all that an answer says of the leads that were sent.
 *
 * @param answer the whole of it, also what stands beside `data`
 */
export function readVerdicts(answer: unknown, sent: SentLead[]): Verdict[] {
	const known = new Map<string, number>();
	sent.forEach(({ externalId }, position) => {
		if (externalId !== undefined) known.set(externalId.trim(), position);
	});
	const sayings = new Walk(sent, known).value(answer, '', false);
	const leadsOf = assignment(sayings, known, sent.length);
	const verdicts = sayings.map((saying) => ({ ...saying, leads: leadsOf(saying) }));
	const assigned = verdicts.filter(({ refused, leads }) => refused && leads.length === 1).length;
	// A number of refusals that are told one by one says nothing more.
	return verdicts.filter(({ count }) => count === undefined || count > assigned);
}

/** Collects what is said. `refused` in its methods: it stands below a field whose name says no. */
class Walk {
	constructor(
		private readonly sent: SentLead[],
		private readonly known: Map<string, number>,
	) {}

	/** @param name of the field that holds it, or that holds the list it is in */
	value(value: unknown, name: string, refused: boolean): Saying[] {
		const no = refused || NAME_OF_NO.test(kebab(name));
		if (Array.isArray(value)) return this.list(value, name, no);
		if (isRecord(value)) return this.object(value, no);
		return no ? this.bare(value) : [];
	}

	private list(entries: unknown[], name: string, refused: boolean): Saying[] {
		const taken = NAME_OF_YES.test(kebab(name));
		return entries.flatMap((entry, position): Saying[] => {
			if (Array.isArray(entry)) return this.list(entry, name, refused);
			if (isRecord(entry)) {
				const list = refused ? undefined : { entries, position };
				return [{ ...this.entry(entry, refused, list?.position), list }];
			}
			const text = toText(entry);
			if (refused) return text === '' ? [] : [this.text(text)];
			return taken && this.known.has(text) ? [this.entry({ externalId: text }, false)] : [];
		});
	}

	private object(record: ServiceRecord, refused: boolean): Saying[] {
		const fields = Object.entries(record);
		if (refused && fields.every(([, held]) => isNothing(held))) return [];
		if (fields.length > 0 && fields.every(([name]) => this.known.has(name))) {
			return fields.flatMap(([externalId, told]) => this.keyed(externalId, told, refused));
		}
		const whole = this.entry(record, refused);
		const no = saysNo(record);
		// `{success: false}` is a no to all of which it does not tell, too.
		const { words, code } = whole;
		const toOthers: Saying[] = no && !refused ? [{ refused: true, record, words, code }] : [];
		const holdsList = fields.some(([, held]) => Array.isArray(held) && held.length > 0);
		const isReport = isRecord(record.lead) && (no || !holdsList);
		if (isReport || this.knows(readExternalId(record))) return [whole, ...toOthers];
		const inside = fields.flatMap(([name, held]) => {
			// Under a name that says no, words sum up what is inside.
			const isSum = refused && typeof held !== 'object' && !COUNTS.includes(name);
			return isSum ? [] : this.value(held, name, refused);
		});
		if (!refused) return [...inside, ...toOthers];
		const isTold = inside.some(
			({ externalId, place }) => place !== undefined || this.knows(externalId),
		);
		return isTold && !whole.place ? inside : [whole];
	}

	/** What stands under an external ID: a report, a word, yes or no, or reasons. */
	private keyed(externalId: string, told: unknown, refused: boolean): Saying[] {
		if (isRecord(told)) return [{ ...this.entry(told, refused), externalId }];
		if (refused && isNothing(told)) return [];
		const name = refused ? 'errors' : typeof told === 'boolean' ? 'success' : 'result';
		return [this.entry({ externalId, [name]: told }, refused)];
	}

	/** What stands alone under a name that says no: how many, or why. */
	private bare(value: unknown): Saying[] {
		const count = value === true ? 1 : Number(value);
		if (count > 0) return [{ refused: true, record: {}, words: [], count }];
		return isNothing(value) ? [] : [this.text(toText(value))];
	}

	/** A text names its lead by beginning with the external ID. */
	private text(text: string): Saying {
		const ids = [...this.known.keys()].filter((id) => text.startsWith(id));
		const named = ids.filter((id) => AFTER_ID.test(text.slice(id.length)));
		const externalId = named.sort((a, b) => b.length - a.length).at(0);
		const reason = text.slice(externalId?.length).replace(AFTER_ID, '');
		return { refused: true, record: {}, words: wordsOf(reason), externalId };
	}

	/** @param position that of its lead, if it names none */
	private entry(record: ServiceRecord, refused: boolean, position?: number): Saying {
		const inside = Object.values(record).filter(isRecord);
		const all = [record, ...inside];
		const externalId = firstOf(all, readExternalId);
		const lead = this.sent.at(this.known.get(externalId ?? '') ?? position ?? this.sent.length);
		const reports = [record, record.lead, record.result, record.outcome].filter(isRecord);
		return {
			refused: refused || reports.some((each) => saysNo(each, lead?.status) || holdsNo(each)),
			record,
			externalId,
			place: firstOf(all, readPlace),
			words: wordsOf(record),
			code: firstOf([record.error, record.errors, ...all].flat(), (each) => readError(each).code),
		};
	}

	private knows(externalId: string | undefined): boolean {
		return externalId !== undefined && this.known.has(externalId);
	}
}

/** What stands between an external ID and the reason in a text; nothing where the text is the ID alone. */
const AFTER_ID = /^(?:\s*[:=]\s*|\s+[-\u2013\u2014]\s+|$)/;

/** Finds the leads: by external ID, by a place that is told, else by the order of the one list with an entry for each. */
function assignment(sayings: Saying[], known: Map<string, number>, size: number) {
	const lists = new Set(sayings.flatMap(({ list }) => (list ? [list.entries] : [])));
	const refusals = sayings.filter(({ refused }) => refused);
	// Beside another list, and beside refusals that the list itself does not show, the order means nothing.
	const isWhole = refusals.length === 0 || refusals.some(({ list }) => list);
	const [only] = lists.size === 1 && isWhole ? lists : [];
	const places = sayings.flatMap(({ place }) => place ?? []);
	return ({ externalId, place, list }: Saying): number[] => {
		const byId = externalId === undefined ? undefined : known.get(externalId);
		if (byId !== undefined) return [byId];
		if (place) return placesOf(place, places, size);
		// Under another external ID than was sent, too: a linked lead may keep its own.
		return list && list.entries === only && only.length === size ? [list.position] : [];
	};
}

/** Whether places are counted from 0 or from 1 shows in the first and the last of them. If not, it may be either. */
function placesOf(
	{ name, value }: NonNullable<Saying['place']>,
	all: Array<NonNullable<Saying['place']>>,
	size: number,
): number[] {
	const alike = all.filter((each) => each.name === name).map((each) => each.value);
	const fromOne = !alike.includes(0) && alike.includes(size);
	// An index is what programs count from 0.
	const fromZero = alike.includes(0) || (!fromOne && name.endsWith('index'));
	const readings = [...(fromOne ? [] : [value]), ...(fromZero ? [] : [value - 1])];
	return readings.filter((position) => position >= 0 && position < size);
}

function saysNo(record: ServiceRecord, sentStatus?: unknown): boolean {
	return (
		FLAGS.some((name) => isFalse(record[name])) ||
		OUTCOMES.some((name) => {
			const told = record[name];
			if (CODES.includes(name) && /^[45]\d\d$/.test(toText(told))) return true;
			if (typeof told !== 'string' || !WORD_OF_NO.test(kebab(told))) return false;
			return name !== 'status' || !isOwnStatus(record, sentStatus);
		})
	);
}

/** The status of the lead itself may sound like a failure: in a record that is a lead, or as it was sent. */
function isOwnStatus(record: ServiceRecord, sent: unknown): boolean {
	const isLead = toText(record.id) !== '' && OF_LEADS.some((name) => name in record);
	return isLead || (record.status === sent && wordsOf(record).length === 0);
}

/** A field whose name says no holds something. With `success: true` that is but a warning. */
function holdsNo(record: ServiceRecord): boolean {
	if (toText(record.success) === 'true') return false;
	return Object.entries(record).some(
		([name, held]) => NAME_OF_NO.test(kebab(name)) && !isNothing(held),
	);
}

/** All reasons in a value, the most telling first. */
function wordsOf(value: unknown): string[] {
	if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
	if (Array.isArray(value)) return value.flatMap(wordsOf);
	if (!isRecord(value)) return [];
	const faults = Object.keys(value).filter((name) => NAME_OF_NO.test(kebab(name)));
	return [...faults, 'lead', ...OUTCOMES, ...REASONS].flatMap((name) => {
		const words = wordsOf(value[name]);
		// A code, or an outcome in one word, is no reason.
		const isReason = !/code$/i.test(name) && !OUTCOMES.includes(name);
		return isReason ? words : words.filter((each) => /\s/.test(each));
	});
}

function readExternalId(record: ServiceRecord): string | undefined {
	const named = Object.entries(record).filter(([name]) =>
		['externalid', 'leadexternalid'].includes(squeeze(name)),
	);
	return firstOf(named, ([, value]) => toText(value) || undefined);
}

function readPlace(record: ServiceRecord): Saying['place'] {
	return firstOf(Object.entries(record), ([name, told]) => {
		const value = toText(told);
		if (!PLACES.test(squeeze(name)) || !/^\d{1,9}$/.test(value)) return undefined;
		return { name: squeeze(name), value: Number(value) };
	});
}

function firstOf<T, R>(each: T[], read: (one: T) => R | undefined): R | undefined {
	for (const one of each) {
		const found = read(one);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** A text, or a number as text; nothing for all else. */
function toText(value: unknown): string {
	if (typeof value === 'boolean' || typeof value === 'number') return String(value);
	return typeof value === 'string' ? value.trim() : '';
}

function isFalse(value: unknown): boolean {
	return toText(value).toLowerCase() === 'false';
}

/** A field of that value says that there is nothing to say. */
function isNothing(value: unknown): boolean {
	if (typeof value === 'object') return value === null || Object.keys(value).length === 0;
	const text = toText(value);
	return text === '' || text === '0' || isFalse(text) || standsForNothing(text);
}

/** `failedLeads`, `failed_leads` and `Failed Leads` are one name: `failed-leads`. */
function kebab(name: string): string {
	return name
		.replace(/([a-z0-9])([A-Z])/g, '$1-$2')
		.replace(/[_\s]+/g, '-')
		.toLowerCase();
}

/** `externalId`, `external_id`, `External-ID` are one name: `externalid`. */
function squeeze(name: string): string {
	return kebab(name).replace(/-/g, '');
}
