/**
 * Reads the answer to a batch. Its form is not documented (spec 4.6 only names `POST /sync`), so only a plain statement about
 * a lead counts: in an entry with its external ID, or in a list as long as the batch. All else is unclear, and the lead is read
 * (push/batch.ts): a yes that is missed costs a request, while a refusal that is missed would lose a lead unnoticed.
 */
import { attempt, difference, groupBy, isEmpty, isError, isNil, isObject, pickBy } from 'lodash';

import { parseRecord } from './envelope';
import { isRecord, type ServiceRecord } from '../values/json';
import { documentedValues } from './records';

const SUCCESS = /^(?:created|updated|upserted|linked|success|succeeded|ok|accepted|synced)$/i;
const FAILURE = /^(?:errors?|fail(?:ed|ures?)?|rejected|invalid)$/i;
const OUTCOME = /^(?:status|status_?code|code|result|outcome|action)$/i;
/** Names that only wrap other parts, and state nothing about them. */
const WRAPPER = /^(?:data|results?|responses?|leads?|items?|records?|entries|rows|body|output)$/i;
/** Names of a position: an entry with one may stand anywhere in its list. */
const PLACE = /^(?:index|position|row|line)$/i;
/** The fields of a lead (spec 2). */
const STORED =
	/^(?:id|created_?at|updated_?at|external_?id|status|priority|source|contact|contactId|estimatedValue|saleDate|notes|tags|protocol|created|linked)$/i;
/** A field that states a failure, anywhere in JSON. */
const ANY_FAILURE =
	/"(?:errors?|fail(?:ed|ures?)?|rejected|invalid)":(?!null|false|0|""|\[\]|\{\})/i;

/** What a part of the answer states about a lead. */
type Statement = 'recorded' | 'refused' | 'unclear';

/** What the whole answer states about one lead. */
export interface LeadAnswer {
	/** `nothing`: the answer says nothing about single leads, nor against the batch. */
	states: Statement | 'nothing';
	/** The entries about the lead, none where the answer does not mention it. */
	entries: unknown[];
}

interface AnswerEntry {
	value: unknown;
	/** The external ID that it states. */
	id?: string;
	/** What the names of the objects around it state, e.g. `refused` below `errors`. */
	group?: Statement;
}

/** Whether a word states that a lead was recorded, e.g. `Created`. */
export const isSuccess = (word: string) => SUCCESS.test(word);

/**
 * Finds what the answer states about each lead.
 *
 * @param sent the leads in the order sent, each external ID once
 * @param failed the request as a whole was refused
 * @returns what it states about each of `sent`
 */
export function parseBatchAnswer(
	answer: unknown,
	sent: ServiceRecord[],
	failed = false,
): LeadAnswer[] {
	const known = new Set(sent.map(({ externalId }) => plainText(externalId)));
	const hasIds = sent.some(({ externalId }) => !isNil(externalId));
	// Leads that were sent with their protocol alone may come back with an external ID that nobody sent.
	const { entries, lists, rest } = takeApart(
		failed ? withoutReason(answer) : answer,
		sent.length,
		hasIds ? statedIdOf : () => undefined,
	);
	const [list = [], ...others] = lists.filter(({ length }) => length === sent.length);
	const isPlaced = entries.length + others.length === 0 && list.every(mayBeInPlace);
	// A refusal that names nobody is about the only lead of a batch of one.
	const listed = [...entries, ...lists.flat()];
	const isRefusal = ({ value, id, group }: AnswerEntry) =>
		group === 'refused' && (id === undefined || !isRecord(value));
	const isOnlyRefused = sent.length === 1 && !failed && listed.every(isRefusal);
	const byId = new Map<string | undefined, AnswerEntry[]>(Object.entries(groupBy(entries, 'id')));
	const found = sent.map((lead, position) => {
		const own = byId.get(plainText(lead.externalId)) ?? [];
		const placed = isPlaced ? list.slice(position, position + 1) : own;
		const about = isOnlyRefused ? listed : placed;
		const statements = about.map((entry) => statementOf(entry, lead, failed));
		const isSure = statements.length > 0 && statements.every((each) => each === 'recorded');
		const states: Statement = statements.includes('refused')
			? 'refused'
			: isSure
				? 'recorded'
				: 'unclear';
		return { states, entries: about.map(({ value }) => value) };
	});
	const refused = found.filter(({ states }) => states === 'refused').length;
	const names = new Set(rest.map(([name]) => name));
	const isOfOther = ({ id, group }: AnswerEntry) => group === 'refused' && !known.has(id);
	const isAgainst =
		entries.some(isOfOther) ||
		lists.some(([first]) => first?.group === 'refused' || first?.group === 'unclear') ||
		// A count of refusals that are all known adds nothing.
		rest.some(
			([name, value]) =>
				factOf(name, value) === 'refused' && !(typeof value === 'number' && value <= refused),
		) ||
		sent.some(({ externalId }) => names.has(`of ${String(externalId)}`));
	const isSilent = !failed && entries.length + lists.length === 0 && rest.every(saysNothing);
	return found.map((each) => {
		if (isSilent) return { states: 'nothing' as const, entries: [] };
		const isDoubtful = isAgainst && each.states === 'recorded';
		return isDoubtful ? { ...each, states: 'unclear' as const } : each;
	});
}

/** The fields of an entry without those that came back as they were sent, which state nothing. */
function newsOf(entry: ServiceRecord, lead: ServiceRecord): ServiceRecord {
	const isNews = (each: unknown, name: string) => !isNil(each) && each !== lead[name];
	return pickBy(parseRecord(entry, 'lead'), isNews);
}

/** The answer without the reason why the request failed, which refuses no lead unless it names one. */
function withoutReason(answer: unknown): unknown {
	if (!isRecord(answer)) return answer;
	const { error, ...parts } = pickBy(answer, isObject);
	return { ...parts, ...(isRecord(error) && { data: error }) };
}

/** Divides an answer into entries with an external ID, lists without, and fields about the batch. In one pass, without recursion. */
function takeApart(answer: unknown, length: number, findId: typeof statedIdOf) {
	const entries: AnswerEntry[] = [];
	const lists: AnswerEntry[][] = [];
	const rest: Array<[name: string, value: unknown]> = [];
	const left: AnswerEntry[] = [{ value: answer }];
	for (const { value, group } of left) {
		if (Array.isArray(value)) {
			const listed = value.map((each: unknown) => ({
				value: each,
				id: findId(each, group),
				group,
			}));
			const named = listed.filter(({ id }) => id !== undefined);
			entries.push(...named);
			if (named.length === 0) lists.push(listed);
			if (named.length > 0 || listed.length !== length) left.push(...difference(listed, named));
		} else if (findId(value) !== undefined) entries.push({ value, id: findId(value), group });
		else if (isRecord(value)) {
			for (const [name, each] of Object.entries(value)) {
				const below = groupBelow(name, group);
				if (isObject(each)) {
					left.push({ value: each, group: below });
					if (below === 'unclear') rest.push([`of ${name}`, null]);
				} else if (group === undefined || group === 'recorded') rest.push([name, each]);
				else rest.push([group === 'refused' ? 'error' : `of ${name}`, each]);
			}
		}
	}
	return { entries, lists, rest };
}

function groupBelow(name: string, group?: Statement): Statement | undefined {
	if (group === 'refused' || FAILURE.test(name)) return 'refused';
	if (WRAPPER.test(name)) return group;
	return SUCCESS.test(name) && group !== 'unclear' ? 'recorded' : 'unclear';
}

/** The external ID that an entry states; below a name that says what happened, it may be the ID itself. */
function statedIdOf(value: unknown, group?: Statement): string | undefined {
	// Not a number, which may be a position.
	if (typeof value === 'string') return group && value;
	if (!isRecord(value)) return undefined;
	const own = value.externalId ?? value.external_id;
	const below = [value.lead, value.input, value.data].find(
		(each) => isRecord(each) && each.externalId,
	);
	return plainText(own ?? (isRecord(below) ? below.externalId : undefined));
}

const plainText = (value: unknown) => (isNil(value) || isObject(value) ? undefined : String(value));

const mayBeInPlace = ({ value, group }: AnswerEntry) =>
	group !== 'refused' && isRecord(value) && !Object.keys(value).some((name) => PLACE.test(name));

/** Whether a field says nothing against a lead: the ID of a job, or a yes. */
const saysNothing = ([name, value]: [string, unknown]) =>
	/^(?:success|id|\w*([_-]id|Id))$/.test(name) || (isNil(value) && !name.startsWith('of '));

/** What an entry states. Only what was not sent confirms a lead, and only if nothing in the entry is doubtful. */
function statementOf(
	{ value, group }: AnswerEntry,
	lead: ServiceRecord,
	failed: boolean,
): Statement {
	if (group === 'refused' || !isRecord(value)) return group ?? 'unclear';
	const own = newsOf(value, lead);
	const isLead = 'createdAt' in own;
	const facts = Object.entries(own).map(([name, each]) => factOf(name, each, isLead));
	if (facts.includes('refused')) return 'refused';
	const isNeither = own.created === false && own.updated === false;
	if (isNeither || facts.includes('unclear') || group === 'unclear') return 'unclear';
	const isStored = own.id && isLead && Object.keys(own).every((name) => STORED.test(name));
	return facts.includes('recorded') || (isStored && !failed) ? 'recorded' : (group ?? 'unclear');
}

/** What one field states, if anything. A word for a failure may also be the status of a lead. */
function factOf(name: string, value: unknown, isLead = false): Statement | undefined {
	const text = plainText(value)?.toLowerCase();
	if (FAILURE.test(name)) return isEmpty(value) && !Number(value) ? undefined : 'refused';
	if (text === undefined) return hasFailure(value) ? 'unclear' : undefined;
	if (/^(?:created|updated)$/i.test(name)) return text === 'true' ? 'recorded' : undefined;
	if (/^(?:success|ok)$/i.test(name)) {
		return text === 'true' ? 'recorded' : text === 'false' ? 'refused' : 'unclear';
	}
	const isDoubt = SUCCESS.test(name) && text !== 'true' && name !== 'linked';
	if (!OUTCOME.test(name)) return isDoubt ? 'unclear' : undefined;
	if (isSuccess(text) || /^2\d\d$/.test(text)) return 'recorded';
	if (FAILURE.test(text) || /^[45]\d\d$/.test(text))
		return isLead && name === 'status' ? 'unclear' : 'refused';
	return name === 'status' && documentedValues.status.includes(text) ? undefined : 'unclear';
}

function hasFailure(value: unknown): boolean {
	const json = attempt(() => JSON.stringify(value));
	return isError(json) || ANY_FAILURE.test(json);
}

/** An entry as JSON, cut: it may be as large and as deep as the whole answer. */
export function excerptOf(entry: unknown): string {
	let left = 50;
	const json = JSON.stringify(entry, (_, value: unknown) => {
		if (isObject(value)) left -= 1;
		return isObject(value) && left < 0 ? '…' : value;
	});
	return (json ?? 'nothing').slice(0, 2000);
}
