/**
 * Reads the answer to a batch. Only a plain yes counts: a lead is recorded when every entry about it says so in one of a few
 * forms, refused when any entry plainly says that, and unconfirmed otherwise. A yes that is missed shows on the first run; a
 * missed refusal would lose a lead unnoticed.
 */
import { range } from 'lodash';

import type { AnswerPart, Statement } from './batchParts';
import { BatchParts } from './batchParts';
import type { ServiceRecord } from './envelope';
import { isRecord, parseError } from './envelope';

/** What became of one lead of a batch. */
interface LeadResult {
	/** `batchAccepted`: the answer accepts the batch and is not about single leads. */
	kind: 'recorded' | 'refused' | 'unconfirmed' | 'batchAccepted';
	/** The parts of the answer about it, none where it is not mentioned. */
	entries: unknown[];
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
	const { length } = sent;
	const parts = new BatchParts(answer, sent, failed);
	if (!failed && isAccepted(parts, length)) {
		return sent.map(() => ({ kind: 'batchAccepted', entries: [] }));
	}
	const { batch, counted, refusals } = parts;
	const leads = joinByLead(parts, length);
	const isRefused = batch.facts.has('refused');
	if (length === 1 && !failed && (isRefused || refusals > 0)) leads[0].statements.add('refused');
	const someRefused = leads.some(({ statements }) => statements.has('refused'));
	const trustsStored = !batch.facts.has('unconfirmed') && (!failed || someRefused);
	const kinds = leads.map(({ statements }) => kindOf(statements, trustsStored));
	const recorded = kinds.filter((kind) => kind === 'recorded').length;
	// Which of them was refused is not known.
	const isDoubtful = isRefused || recorded > Math.min(counted ?? recorded, length - refusals);
	return leads.map(({ entries }, n) => ({
		kind: isDoubtful && kinds[n] === 'recorded' ? 'unconfirmed' : kinds[n],
		entries,
	}));
}

/** Nothing but a yes to the batch as a whole. */
function isAccepted({ batch, entries, counted, refusals }: BatchParts, length: number): boolean {
	if (refusals + entries.length + batch.mentions.size > 0) return false;
	const isCounted = counted === undefined ? !batch.facts.has('total') : counted === length;
	const isYes = (fact = 'noErrors') => /^(recorded|noErrors|total)$/.test(fact);
	return isCounted && [...batch.facts].every(isYes);
}

/** What the entries state of each lead. What is about none of the leads is about the batch. */
function joinByLead({ batch, entries }: BatchParts, length: number) {
	const leads = range(length).map(() => ({
		entries: [] as unknown[],
		statements: new Set<Statement>(),
	}));
	const parts = [batch, ...entries];
	const hasIds = entries.some(({ lead }) => lead !== undefined);
	const first = firstIndex(new Set(parts.flatMap(({ index }) => index ?? [])), length);
	for (const entry of entries) {
		const statement = statementOf(entry);
		entry.lead ??= placeOf(entry, first, hasIds);
		const lead = leads[entry.lead];
		lead?.entries.push(entry.value);
		if (lead) lead.statements.add(statement);
		else batch.facts.add(statement === 'refused' ? statement : 'unconfirmed');
	}
	// What a part states of leads other than its own is not known.
	for (const { lead, mentions } of parts) {
		for (const other of mentions) if (other !== lead) leads[other].statements.add('unconfirmed');
	}
	return leads;
}

/** What indexes count from, 0 or 1, if they plainly do: together they stand for every lead. */
function firstIndex(indexes: Set<number>, length: number): number {
	const isFirst = (start: number) => range(length).every((n) => indexes.has(n + start));
	return indexes.size === length ? ([0, 1].find(isFirst) ?? NaN) : NaN;
}

/** What all facts of an entry state together. */
function statementOf({ facts, lead }: AnswerPart): Statement {
	if (facts.has('refused')) return 'refused';
	const isNeither = facts.has('created') && facts.has('updated');
	if (facts.has('unconfirmed') || isNeither) return 'unconfirmed';
	if (facts.has('recorded')) return 'recorded';
	const isStored = facts.has('id') && facts.has('createdat');
	const hasNoErrors = lead !== undefined && facts.has('noErrors');
	return (isStored || hasNoErrors) && !facts.has('other') ? 'stored' : 'unconfirmed';
}

/** By index; else by position, if no external ID is stated. */
function placeOf({ index, position, mentions }: AnswerPart, first: number, hasIds: boolean) {
	if (index !== undefined) return index - first;
	return hasIds || mentions.size > 0 ? -1 : (position ?? -1);
}

/** A refusal wins, and a yes counts only where all entries about the lead agree. */
function kindOf(statements: Set<Statement>, trustsStored: boolean): LeadResult['kind'] {
	if (statements.has('refused')) return 'refused';
	const isYes = (each: Statement) => each === 'recorded' || (each === 'stored' && trustsStored);
	return statements.size > 0 && [...statements].every(isYes) ? 'recorded' : 'unconfirmed';
}

/** Names of the words of an entry, for a message. */
const REASONS = 'message reason detail description error_description errorMessage title'.split(' ');
const MOST_PARTS = 50;
const LONGEST = 2000;

/** The first reason in an entry, nested ones last; undefined where there is none. */
export function reasonOf(entry: unknown): string | undefined {
	const records = [isRecord(entry) ? entry : { errors: entry }];
	for (const record of records) {
		const texts = REASONS.map((name) => record[name]).filter((value) => typeof value === 'string');
		const reason = texts.find((text) => text !== '') ?? parseError(record).message;
		if (reason) return reason.slice(0, LONGEST);
		if (records.length < MOST_PARTS) {
			records.push(...Object.values(record).slice(0, MOST_PARTS).filter(isRecord));
		}
	}
	return undefined;
}

/** An entry as JSON, cut in width and depth: it may be as large as the whole answer. */
export function excerptOf(entry: unknown): string {
	let left = MOST_PARTS;
	const json = JSON.stringify(entry, (_, value: unknown) => {
		if (typeof value === 'string') return value.slice(0, LONGEST);
		if (typeof value !== 'object' || value === null) return value;
		left -= 1;
		if (left < 0) return '…';
		return Array.isArray(value) ? value.slice(0, MOST_PARTS) : value;
	});
	return (json ?? 'nothing').slice(0, LONGEST);
}
