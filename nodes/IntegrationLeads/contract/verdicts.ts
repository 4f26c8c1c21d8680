/**
 * What an answer to a batch says of its leads, wherever in the answer it stands. The answer is not shown (spec 4.6), so
 * it is walked as a whole: lists, objects in objects, objects whose keys are external IDs, texts.
 *
 * A lead that was lost must not pass for one that was taken: every way of saying no counts.
 */
import { isPlaceholder } from '../values/placeholders';
import type { ServiceRecord } from './envelope';
import { isRecord, readError } from './envelope';
import {
	kebab,
	LEFT_OUT,
	NAME_OF_ECHO,
	NAME_OF_NO,
	NAME_OF_REMARKS,
	NAME_OF_YES,
	PLACES,
	readWord,
	squeeze,
	STEP_FLAG,
	VERDICT_FLAG,
} from './verdictWords';

/** A lead as it was sent. */
export interface SentLead {
	externalId?: string;
	status?: unknown;
}

/** Something that an answer says of a lead, or of the batch. */
export interface Verdict {
	refused: boolean;
	/** It says outright that what it is about was taken; else it may be a mere mention. */
	taken: boolean;
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
	/** What became of it is not known yet. */
	pending?: boolean;
}

/** A refusal of which no more is known. */
const REFUSAL: Saying = { refused: true, taken: false, record: {}, words: [] };

/** Fields that may hold an HTTP status, or a word. */
const CODES = ['status', 'statusCode', 'httpStatus', 'code'];
/** Fields that tell the outcome by a word. */
const OUTCOMES = [...CODES, 'result', 'outcome', 'action'];
/** Fields that tell how many, beside a list. */
const COUNTS = ['count', 'total'];
/** Fields that hold a reason. */
const REASONS = [
	...['message', 'reason', 'detail', 'details', 'description'],
	...['mensagem', 'motivo', 'detalhe', 'detalhes'],
];
/** Fields that may hold the path of what is wrong in the request. */
const PATHS = ['path', 'field', 'property', 'pointer', 'instancePath', 'loc'];
/** What the place in a path is called; it ends like all that is counted from 0. */
const PATH = 'pathindex';
/** What a record has that is a lead and no report of one (spec 2). */
const OF_LEADS = ['createdAt', 'priority', 'source', 'contact'];
/** Fields of a lead that may have names and values of no, and are of its own. */
const OWN_CODES = ['status', 'code'];

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
	return verdicts.filter(
		({ count, pending }) => !pending && (count === undefined || count > assigned),
	);
}

/** Collects what is said. `refused` in its methods: it stands below a field whose name says no. */
class Walk {
	constructor(
		private readonly sent: SentLead[],
		private readonly known: Map<string, number>,
	) {}

	/** @param name of the field that holds it, or that holds the list it is in */
	value(value: unknown, name: string, refused: boolean): Saying[] {
		if (NAME_OF_ECHO.test(kebab(name))) return [];
		const no = refused || NAME_OF_NO.test(kebab(name));
		if (Array.isArray(value)) return this.list(value, name, no);
		if (isRecord(value)) return this.object(value, name, no);
		return no ? this.bare(value) : [];
	}

	private list(entries: unknown[], name: string, refused: boolean): Saying[] {
		const taken = NAME_OF_YES.test(kebab(name));
		return entries.flatMap((entry, position): Saying[] => {
			if (Array.isArray(entry)) return this.list(entry, name, refused);
			if (isRecord(entry)) {
				const list =
					refused || NAME_OF_REMARKS.test(kebab(name)) ? undefined : { entries, position };
				const no = refused || (LEFT_OUT.test(kebab(name)) && wordsOf(entry).length > 0);
				const said = this.entry(entry, no, list?.position);
				return [{ ...said, taken: taken || said.taken, list }];
			}
			const text = toText(entry);
			if (refused) return text === '' ? [] : [this.text(text)];
			const known = taken && this.known.has(text);
			return known ? [{ ...this.entry({ externalId: text }, false), taken }] : [];
		});
	}

	private object(record: ServiceRecord, name: string, refused: boolean): Saying[] {
		const fields = Object.entries(record);
		if (refused && fields.every(([, held]) => isNothing(held))) return [];
		if (fields.length > 0 && fields.every(([key]) => this.known.has(key))) {
			const taken = NAME_OF_YES.test(kebab(name));
			return fields
				.flatMap(([externalId, told]) => this.keyed(externalId, told, refused))
				.map((said) => ({ ...said, taken: taken || said.taken }));
		}
		const whole = this.entry(record, refused);
		const no = readTone([record], this.statusSent(readExternalId(record))) === 'no';
		// `{success: false}` is a no to all of which it does not tell, too.
		const { words, code } = whole;
		const toOthers = no && !refused ? [{ ...REFUSAL, record, words, code }] : [];
		const holdsList = fields.some(([, held]) => Array.isArray(held) && held.length > 0);
		const isReport = isRecord(record.lead) && (no || !holdsList);
		if (isReport || this.knows(readExternalId(record))) return [whole, ...toOthers];
		const inside = fields.flatMap(([key, held]) => {
			const place = refused ? readPath(key) : undefined;
			if (place) {
				const words = wordsOf(held).map((word) => `${key}: ${word}`);
				return isNothing(held) ? [] : [{ ...REFUSAL, place, words }];
			}
			// Under a name that says no, words sum up what is inside.
			const isSum = refused && typeof held !== 'object' && !COUNTS.includes(key);
			return isSum ? [] : this.value(held, key, refused);
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
		if (count > 0) return [{ ...REFUSAL, count }];
		return isNothing(value) ? [] : [this.text(toText(value))];
	}

	/** A text names its lead by beginning with the external ID. */
	private text(text: string): Saying {
		const ids = [...this.known.keys()].filter((id) => text.startsWith(id));
		const named = ids.filter((id) => AFTER_ID.test(text.slice(id.length)));
		const externalId = named.sort((a, b) => b.length - a.length).at(0);
		const reason = text.slice(externalId?.length).replace(AFTER_ID, '');
		return { ...REFUSAL, words: wordsOf(reason), externalId };
	}

	/** @param position that of its lead, if it names none */
	private entry(record: ServiceRecord, refused: boolean, position?: number): Saying {
		const inside = Object.values(record).filter(isRecord);
		const all = [record, ...inside];
		const externalId = firstOf(all, readExternalId);
		const reports = [record, record.lead, record.result, record.outcome].filter(isRecord);
		const tone = readTone(reports, this.statusSent(externalId, position));
		// With `success: true` that is but a warning.
		const holds = readFlag(reports) !== true && reports.some(holdsNo);
		const no = refused || tone === 'no' || holds;
		return {
			refused: no,
			taken: !no && tone === 'yes',
			pending: !no && tone === 'later',
			record,
			externalId,
			place: firstOf(all, readPlace) ?? (no ? firstOf(all, readFault) : undefined),
			words: wordsOf(record),
			code: firstOf([record.error, record.errors, ...all].flat(), (each) => readError(each).code),
		};
	}

	/** @param position that of the lead, if it goes by no external ID that was sent */
	private statusSent(externalId = '', position = 0): unknown {
		const known = this.known.get(externalId);
		const isOnly = this.sent.length === 1;
		return this.sent.at(known ?? (isOnly ? 0 : position))?.status;
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

/** What reports of one lead, or of the batch, say together. A plain yes or no wins over words. */
function readTone(
	reports: ServiceRecord[],
	sentStatus: unknown,
): 'no' | 'yes' | 'later' | undefined {
	const flag = readFlag(reports);
	if (flag !== undefined) return flag ? 'yes' : 'no';
	const tones = reports.flatMap((report) => outcomesIn(report, sentStatus).map(readWord));
	// A number in such a field counts leads.
	const isUndone = reports.some((report) => flagsIn(report, STEP_FLAG).includes('false'));
	if (tones.includes('no')) return 'no';
	if (isUndone) return tones.includes('later') ? 'later' : 'no';
	if (reports.some((report) => isLeftOut(report, sentStatus))) return 'no';
	return tones.includes('yes') ? 'yes' : undefined;
}

function readFlag(reports: ServiceRecord[]): boolean | undefined {
	const flags = reports.flatMap((report) => flagsIn(report, VERDICT_FLAG));
	if (flags.some((flag) => flag === 'false' || flag === '0')) return false;
	return flags.some((flag) => flag === 'true' || flag === '1') ? true : undefined;
}

function flagsIn(record: ServiceRecord, flag: RegExp): string[] {
	const named = Object.entries(record).filter(([name]) => flag.test(kebab(name)));
	return named.map(([, told]) => toText(told).toLowerCase());
}

/** The words of outcome in a record, without those that are the lead's own. */
function outcomesIn(record: ServiceRecord, sentStatus: unknown): string[] {
	const isOwn = (name: string) =>
		(OWN_CODES.includes(name) && isLead(record)) ||
		// The status of the lead as it was sent may sound like an outcome.
		(name === 'status' && record.status === sentStatus && wordsOf(record).length === 0);
	return OUTCOMES.filter((name) => !isOwn(name)).flatMap((name) => {
		const text = toText(record[name]);
		// A number is a code only where codes are told.
		return /^\d+$/.test(text) && !CODES.includes(name) ? [] : text;
	});
}

function isLeftOut(record: ServiceRecord, sentStatus: unknown): boolean {
	const words = outcomesIn(record, sentStatus).map(kebab);
	return words.some((word) => LEFT_OUT.test(word)) && wordsOf(record).length > 0;
}

/** A record that is a lead as the service keeps it, and no report of one. */
function isLead(record: ServiceRecord): boolean {
	return toText(record.id) !== '' && OF_LEADS.some((name) => name in record);
}

/** A field whose name says no holds something. Of a lead, all but plain errors may be fields of its own. */
function holdsNo(record: ServiceRecord): boolean {
	const name = isLead(record) ? /^(?:validation-)?errors?$/ : NAME_OF_NO;
	return Object.entries(record).some(
		([field, held]) => name.test(kebab(field)) && !isNothing(held),
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

/** Where the path of what is wrong leads. */
function readFault(record: ServiceRecord): Saying['place'] {
	return firstOf(PATHS, (name) => {
		const told = record[name];
		return readPath(Array.isArray(told) ? told.join('.') : toText(told));
	});
}

/** The place in the path of a field of a lead: `leads.1.email`, `leads[1].email`, `/leads/1/email`. */
function readPath(path: string): Saying['place'] {
	const [, index] =
		/^\/?(?:[a-z]*(?:lead|item|record|row)s[./]?)?\[?(\d{1,9})(?:[\]./]|$)/i.exec(path) ?? [];
	return index === undefined ? undefined : { name: PATH, value: Number(index) };
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

/** A field of that value says that there is nothing to say. */
function isNothing(value: unknown): boolean {
	if (typeof value === 'object') return value === null || Object.keys(value).length === 0;
	const text = toText(value).toLowerCase();
	return ['', '0', 'false'].includes(text) || isPlaceholder(text);
}
