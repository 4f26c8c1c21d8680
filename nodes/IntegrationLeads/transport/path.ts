/** Puts values into paths safely: a value of the user or the service cannot lead a request to another route. */
import { shorten } from '../values/json';
import { isPlaceholder } from '../values/words';
import { InputError, joinRemedies, type Remedy } from '../userError';
import { API_PREFIX } from './baseUrl';

/** Longer than any ID; servers refuse addresses from about 8,000 characters. */
const MAX_TEXT_LENGTH = 2000;
// eslint-disable-next-line no-control-regex -- control characters, and unpaired surrogates, are what it matches
const CONTROL = /[\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/u;

/** A slash, also encoded, any number of times: a proxy may decode a path before the service does. */
const SLASH = /[/\\]|%(?:25)*(?:2f|5c)/i;
/** `.` or `..`, also encoded, which URL parsers resolve; some servers also do with path parameters (`..;a=b`). */
const DOT_SEGMENT = /^(?:\.|%(?:25)*2e){1,2}(?:$|;|%(?:25)*3b)/i;

/**
 * Encodes a value as one segment of a path.
 *
 * @param printable whether the value may have any printable character, as an external ID; otherwise it must look like an ID
 * @throws InputError naming the field
 */
export function encodeSegment(value: string, label: string, printable: boolean): string {
	const fault =
		(value.trim() === '' && ['is empty', `Choose or enter a value for "${label}".`]) ||
		(value.length > MAX_TEXT_LENGTH && [
			`is too long: ${value.length} characters`,
			`At most ${MAX_TEXT_LENGTH} characters can be part of an address. Give the ID alone.`,
		]) ||
		(CONTROL.test(value) && [
			'contains a line break or another character that cannot be sent',
			'Give the ID alone, and not, for example, a whole message.',
		]) ||
		((value.split(SLASH).some((part) => DOT_SEGMENT.test(part)) ||
			(!printable && /[/\\?#%]/.test(value))) && [
			`is not an ID: "${shorten(value, 60)}"`,
			printable
				? 'The service cannot be asked for this value: "." and ".." beside a slash reach another route. Use the ID of the record instead.'
				: {
						all: 'An ID holds none of / \\ ? # %.',
						panel: 'If this is your own external ID, choose "By External ID" where it is offered.',
					},
		]);
	if (fault) throw new InputError(`"${label}" ${fault[0]}`, fault[1]);
	return encodeURIComponent(value);
}

/** Wildcards, and what an expression or a language model without an ID leaves behind. */
const NO_ONE_RECORD =
	/^(?:[?%._~-]+|all|any|tod[oa]s|\[\s*(?:["'{].*)?\]|(["'])\s*\1|\{.*\})$|^\*|\*$|\{\{/is;

const FIND_ID = 'Find the ID first, then try again with it.';

/**
 * Rejects values that do not name the record to delete: how the service reads a wildcard is not documented, and no way of
 * encoding a slash keeps all proxies from reading it as one.
 *
 * @throws InputError naming the field
 */
export function requireOneRecord(value: string, label: string, findHint: Remedy = FIND_ID): void {
	if (NO_ONE_RECORD.test(value.trim()) || isPlaceholder(value)) {
		throw new InputError(
			`"${label}" does not name one record: "${shorten(value, 60)}"`,
			joinRemedies('Deleting needs the exact ID of one record. Nothing was sent.', findHint),
		);
	}
	if (SLASH.test(value)) {
		throw new InputError(
			`"${label}" contains / or \\, which servers on the way may take for another address: "${shorten(value, 60)}"`,
			'Nothing was sent, since another record could be deleted. Delete this one in the leads service itself.',
		);
	}
}

/** A host, a query, a fragment, an empty part, a missing last one, an encoded slash, or a % that encodes nothing. */
const NOT_IN_PATH = /^[a-z]+:|[?#\\]|\/\/|\/$|%(?:25)*(?:2f|5c)|%(?![0-9a-f]{2})/i;

/**
 * Checks a path that a user wrote, with or without the prefix, and encodes what needs it.
 *
 * @returns the path below the prefix, beginning with a slash
 * @throws InputError naming the field
 */
export function checkedPath(value: unknown, label: string): string {
	const text = String(value ?? '').trim();
	const isPath = text !== '' && text.length <= MAX_TEXT_LENGTH && !CONTROL.test(text);
	const hasDots = text.split('/').some((part) => DOT_SEGMENT.test(part));
	if (!isPath || hasDots || NOT_IN_PATH.test(text)) {
		throw new InputError(
			`"${label}" is not a path below the base URL: "${shorten(text, 60)}"`,
			`Give the part after ${API_PREFIX}, e.g. /leads or /contacts/lookup, without host, line break, ? # \\ // %2F, . or .. as a part, or a slash at the end. Query parameters have a field of their own.`,
		);
	}
	const rooted = text.startsWith('/') ? text : `/${text}`;
	const below = rooted.startsWith(`${API_PREFIX}/`) ? rooted.slice(API_PREFIX.length) : rooted;
	return new URL(`https://host${API_PREFIX}${below}`).pathname.slice(API_PREFIX.length);
}
