/** Values in paths: nothing that a user or a service puts there may lead to another path than the one meant. */
import { isPlaceholder } from '../values/placeholders';
import { InputError } from '../userError';
import { API_PREFIX } from './baseUrl';

/** Longer than any id; servers begin to refuse whole addresses at about four times as much. */
const LONGEST = 2000;
// eslint-disable-next-line no-control-regex -- control characters, and halves of characters, are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/u;

/**
 * Encodes a value as one segment of a path.
 *
 * @param printable the value may hold anything printable (an external id); else it must look like an id
 * @throws InputError naming the field
 */
export function encodeSegment(value: string, label: string, printable: boolean): string {
	if (value.trim() === '') {
		throw new InputError(`"${label}" is empty`, `Choose or enter a value for "${label}".`);
	}
	if (value.length > LONGEST) {
		throw new InputError(
			`"${label}" is too long: ${value.length} characters`,
			`At most ${LONGEST} characters can be part of an address. Check what the expression gives.`,
		);
	}
	if (CONTROL.test(value)) {
		throw new InputError(
			`"${label}" contains a line break or another character that cannot be sent`,
			'Check the expression, for example for a whole message where an ID is meant.',
		);
	}
	if (value === '.' || value === '..' || (!printable && /[/\\?#%]/.test(value))) {
		throw new InputError(
			`"${label}" is not an ID: "${value.slice(0, 60)}"`,
			printable
				? 'The service cannot be asked for this value. Use the ID of the record instead.'
				: 'An ID holds none of / \\ ? # %. If this is your own external ID, choose "By External ID" where it is offered.',
		);
	}
	return encodeURIComponent(value);
}

/** What stands for many records; then what is left where an expression or a language model had no ID to give. */
const NO_ONE_RECORD =
	/^(?:[*?%._~-]+|\*.*|.*\*|all|any|tod[oa]s|\[\s*(?:["'{].*)?\]|(["'])\s*\1|\{.*\}|.*\{\{.*\}\}.*)$/is;

/**
 * Makes sure that what is deleted was named: how the service reads a wildcard is not documented.
 *
 * @throws InputError naming the field
 */
export function requireOneRecord(value: string, label: string): void {
	if (!NO_ONE_RECORD.test(value.trim()) && !isPlaceholder(value)) return;
	throw new InputError(
		`"${label}" does not name one record: "${value.slice(0, 60)}"`,
		'Deleting needs the exact ID of one record. Nothing was sent. Find the ID first, then try again with it.',
	);
}

/**
 * Checks a path that a user wrote, with or without the prefix, and encodes what needs it.
 *
 * @returns the path below the prefix, beginning with a slash
 * @throws InputError naming the field
 */
export function checkedPath(value: unknown, label: string): string {
	const text = String(value ?? '').trim();
	const reject = (why: string): never => {
		throw new InputError(
			`"${label}" ${why}`,
			'Give the part after /api/v1/integration, e.g. /leads or /contacts/lookup. Query parameters have a field of their own.',
		);
	};
	if (text === '') reject('is empty');
	if (text.length > LONGEST) reject('is too long');
	if (/^[a-z][a-z0-9+.-]*:/i.test(text)) {
		reject('must not name a host: requests go to the base URL of the credential only');
	}
	if (/[?#\\]/.test(text) || CONTROL.test(text)) {
		reject('must not contain ? # \\ or line breaks');
	}
	const rooted = text.startsWith('/') ? text : `/${text}`;
	const below = rooted.startsWith(`${API_PREFIX}/`) ? rooted.slice(API_PREFIX.length) : rooted;
	const segments = below.split('/').slice(1);
	if (segments.some((segment, index) => segment === '' && index < segments.length - 1)) {
		reject('must not contain empty parts (//)');
	}
	if (segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment) || /%(2f|5c)/i.test(segment))) {
		reject('must not contain . or .. as a part, nor encoded slashes');
	}
	if (/%(?![0-9a-f]{2})/i.test(below))
		reject('contains a % that is not part of an encoded character');
	const { pathname } = new URL(`https://host${API_PREFIX}${below}`);
	return pathname.slice(API_PREFIX.length);
}
