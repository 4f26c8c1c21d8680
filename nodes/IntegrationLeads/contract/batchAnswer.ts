/**
 * Parses the answer to a batch. Its form is not documented (spec 4.6 only names `POST /sync`), so only a plain yes or no about a
 * lead counts: in an entry with its external ID, or in a list as long as the batch. Every other lead is read from the service
 * (push/leadOutcome.ts). Missing a success costs one request; missing a refusal silently loses a lead.
 */
import { attempt, groupBy, isEmpty, isError, isNil, isObject, pickBy } from 'lodash';

import { parseRecord } from './envelope';
import { isRecord, type ServiceRecord } from '../values/json';
import { documentedValues } from './records';

const SUCCESS = /^(?:created|updated|upserted|linked|success|succeeded|ok|accepted|synced)$/i;
const FAILURE = /^(?:errors?|fail(?:ed|ures?)?|rejected|invalid)$/i;
const OUTCOME = /^(?:status|status_?code|code|result|outcome|action)$/i;
/** Names that only wrap other parts, and state nothing about them. */
const WRAPPER = /^(?:data|results?|responses?|leads?|items?|records?|entries|rows|body|output)$/i;
/** Names of a position: an entry with one may be anywhere in its list. */
const POSITION = /^(?:index|position|row|line)$/i;
/** Names of fields that state nothing about a batch: the ID of a job, or `success`. */
const NEUTRAL = /^(?:success|id|\w*([_-]id|Id))$/;
/** The fields of a lead (spec 2). */
const STORED =
	/^(?:id|created_?at|updated_?at|external_?id|status|priority|source|contact|contactId|estimatedValue|saleDate|notes|tags|protocol|created|linked)$/i;
/** A field that states a failure, anywhere in JSON. */
const ANY_FAILURE =
	/"(?:errors?|fail(?:ed|ures?)?|rejected|invalid)":(?!null|false|0|""|\[\]|\{\})/i;

type Statement = 'recorded' | 'refused' | 'unclear';

/** What the answer states about one lead. */
export interface LeadAnswer {
	/** `nothing`: the answer mentions no lead, and states nothing against the batch. */
	statement: Statement | 'nothing';
	/** The entries about the lead, none where the answer does not mention it. */
	entries: unknown[];
}

/** A part of the answer. */
interface Part {
	value: unknown;
	/** The external ID of its lead, where it is an entry about one. */
	id?: string;
	/** The names around it only wrap it. Below other names, such as `skipped`, no yes counts. */
	isPlain: boolean;
	/** It is below a name such as `errors`. */
	isFailure: boolean;
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
	const { entries, lists, isAgainst, isSilent } = takeApart(
		failed ? withoutReason(answer) : answer,
		sent,
	);
	if (isSilent && !failed) return sent.map(() => ({ statement: 'nothing', entries: [] }));
	const byId = groupBy(entries, 'id');
	// In a list as long as the batch, unless it may be in another order.
	const placed = entries.length === 0 && lists.length === 1 ? lists[0] : [];
	return sent.map((lead, position) => {
		const ofLead =
			entries.length > 0
				? (byId[String(lead.externalId)] ?? [])
				: placed.slice(position, position + 1);
		const statements = ofLead.map((entry) => statementOf(entry, lead, failed));
		const isRecorded = statements.length > 0 && statements.every((one) => one === 'recorded');
		const yes = isRecorded && !isAgainst ? 'recorded' : 'unclear';
		return {
			statement: statements.includes('refused') ? 'refused' : yes,
			entries: ofLead.map(({ value }) => value),
		};
	});
}

/** The fields of an entry without those that came back as they were sent, which state nothing. */
function newsOf(entry: ServiceRecord, lead: ServiceRecord): ServiceRecord {
	const isNews = (value: unknown, name: string) => !isNil(value) && value !== lead[name];
	return pickBy(parseRecord(entry, 'lead'), isNews);
}

/** The answer without the reason why the request failed, which refuses no lead unless it names one. */
function withoutReason(answer: unknown): unknown {
	if (!isRecord(answer)) return answer;
	const { error, ...parts } = pickBy(answer, isObject);
	return { ...parts, ...(isRecord(error) && { data: error }) };
}

/**
 * Divides an answer into entries with the external ID of a lead and lists as long as the batch. In one pass, without recursion.
 *
 * @returns also `isAgainst`: anything else states a failure; `isSilent`: the answer states nothing at all
 */
function takeApart(answer: unknown, sent: ServiceRecord[]) {
	const known = new Set(sent.map(({ externalId }) => plainText(externalId)));
	known.delete(undefined);
	// Leads that were sent with their protocol alone may come back with an external ID that was not sent.
	const findId = known.size > 0 ? statedIdOf : () => undefined;
	const entries: Part[] = [];
	const lists: Part[][] = [];
	let isAgainst = false;
	let isSilent = true;
	const parts: Part[] = [{ value: answer, isPlain: true, isFailure: false }];
	/** Adds a value to `parts`, and checks a field that is not in an entry. */
	const add = (name: string, value: unknown, around: Part) => {
		const isFailure = around.isFailure || FAILURE.test(name);
		const isPlain = around.isPlain && (name === '' || WRAPPER.test(name));
		for (const id of [name, value]) {
			// A lead that is named, without more: `failed: ["a"]`, `{ "a": "bad" }`.
			if (typeof id === 'string' && known.has(id))
				entries.push({ value: [name, value], id, isPlain: false, isFailure: false });
		}
		if (isObject(value)) {
			parts.push({ value, isPlain, isFailure });
			isSilent &&= isPlain;
			return;
		}
		isAgainst ||= factOf(around.isFailure ? 'error' : name, value) === 'refused';
		isSilent &&= isNil(value) || NEUTRAL.test(name);
	};
	for (const part of parts) {
		const { value, isPlain } = part;
		const id = findId(value);
		if (id !== undefined && known.has(id)) entries.push({ ...part, id });
		else if (Array.isArray(value)) {
			isSilent = false;
			const isPlaced = isPlain && value.length === sent.length && value.every(hasNoPlace);
			if (isPlaced && !value.some(findId)) {
				lists.push(value.map((entry: unknown) => ({ ...part, value: entry })));
			} else value.forEach((item: unknown) => add('', item, part));
		} else if (isRecord(value)) {
			for (const [name, item] of Object.entries(value)) add(name, item, part);
		}
	}
	return { entries, lists, isAgainst, isSilent: isSilent && entries.length === 0 };
}

/** The external ID that an entry states. */
function statedIdOf(value: unknown): string | undefined {
	if (!isRecord(value)) return undefined;
	const below = [value.lead, value.input, value.data].find(
		(record) => isRecord(record) && record.externalId,
	);
	const inside = isRecord(below) ? below.externalId : undefined;
	return plainText(value.externalId ?? value.external_id ?? inside);
}

const plainText = (value: unknown) => (isNil(value) || isObject(value) ? undefined : String(value));

/** Whether a part of a list is an entry that does not state a position. */
const hasNoPlace = (value: unknown) =>
	isRecord(value) && !Object.keys(value).some((name) => POSITION.test(name));

/** What an entry states. Only what was not sent confirms a lead, and only if nothing in the entry is doubtful. */
function statementOf(
	{ value, isPlain, isFailure }: Part,
	lead: ServiceRecord,
	failed: boolean,
): Statement {
	if (isFailure) return 'refused';
	if (!isRecord(value)) return 'unclear';
	const news = newsOf(value, lead);
	const isLead = 'createdAt' in news;
	const facts = Object.entries(news).map(([name, item]) => factOf(name, item, isLead));
	if (facts.includes('refused')) return 'refused';
	const isNeither = news.created === false && news.updated === false;
	if (isNeither || facts.includes('unclear') || !isPlain) return 'unclear';
	const isStored = news.id && isLead && Object.keys(news).every((name) => STORED.test(name));
	return facts.includes('recorded') || (isStored && !failed) ? 'recorded' : 'unclear';
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
