import { attempt, compact, groupBy, isError, map, uniqBy } from 'lodash';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Failure, INode, JsonObject } from 'n8n-workflow';

/** Something to tell the user: the message says what is wrong, the description is the way out. */
export class UserError extends Error {
	constructor(
		message: string,
		public description?: string,
	) {
		super(message);
		this.name = new.target.name;
	}
}

/** A request was sent, and it is not known whether it was carried out. */
export class UnconfirmedError extends UserError {}

/** Something the user gave cannot be sent. The message names the field. Thrown before anything is sent. */
export class InputError extends UserError {
	/** Each mistake of an item that has several. */
	parts: InputError[] = [this];
}

/** What is known of a failed request, for those who decide what comes next. */
export interface FailureFacts {
	/** The `run`, if no other request can succeed either; the `service`, if this one may succeed later; else the `request`. */
	concerns: 'run' | 'service' | 'request';
	/** A moment later, it may succeed. */
	isOutage: boolean;
	/** It may have been carried out all the same. */
	mayBeRecorded: boolean;
	/** Of the answer, if there was one. */
	status?: number;
}

/** The service did not accept a request. The HTTP error itself is never attached: it carries the key. */
export class ServiceError extends NodeApiError {
	constructor(
		node: INode,
		stated: JsonObject,
		words: { message: string; description: string; httpCode: string; failure?: Failure },
		readonly facts: FailureFacts,
	) {
		super(node, stated, words);
		// The constructor replaces messages in which it finds the letters of a system code ("preexisting" has EEXIST).
		this.message = words.message;
		// n8n shows errors by their names.
		this.name = NodeApiError.name;
	}

	/** The key lacks the scope. */
	get isForbidden(): boolean {
		return this.facts.status === 403;
	}
}

/** n8n's error for a {@link UserError}, whose message may be cut. */
export class ItemError extends NodeOperationError {
	/** It is not known whether the item was carried out. */
	readonly mayBeRecorded: boolean;

	constructor(
		node: INode,
		error: UserError,
		{
			message = error.message,
			...more
		}: { message?: string; itemIndex?: number; failure?: Failure },
	) {
		super(node, message, { ...more, description: error.description });
		// See ServiceError.
		this.message = message;
		this.name = NodeOperationError.name;
		this.mayBeRecorded = error instanceof UnconfirmedError;
	}
}

/** Something failed, and it is not known whether it was carried out. */
export function mayBeRecorded(reason: Error): boolean {
	if (reason instanceof ServiceError) return reason.facts.mayBeRecorded;
	return reason instanceof ItemError ? reason.mayBeRecorded : reason instanceof UnconfirmedError;
}

/** Takes texts that are shown under the output, each once. */
export interface HintSink {
	add(text: string): unknown;
	has(text: string): boolean;
}

/** Adds "Nothing was sent for this item." to a UserError that `read` throws. */
export async function beforeSending<T>(read: Promise<T>): Promise<T> {
	return await read.catch((reason: unknown) => {
		throw reason instanceof UserError
			? addRemarks(reason, ['Nothing was sent for this item.'])
			: reason;
	});
}

/** The error with more sentences in its description. */
export function addRemarks<E extends { description?: string | null }>(
	error: E,
	remarks: string[],
): E {
	error.description = [...(error.description ? [error.description] : []), ...remarks].join(' ');
	return error;
}

/** The first sentence of a way out: how to write the value instead. */
export function firstSentence(description = ''): string {
	return sentencesIn(description)[0];
}

export const sentencesIn = (text: string) => text.split(/(?<=\.) (?=[A-Z"])/);

/** A value that must be given is blank. */
export function emptyError(
	label: string,
	wayOut = `Enter a value for "${label}", or check what its expression gives.`,
): InputError {
	return new InputError(`"${label}" is empty`, wayOut);
}

/** A filter has no value. */
export function blankFilterError(label: string): InputError {
	return emptyError(
		label,
		`Check what its expression gives, or enter a value. To read all records without it, remove it. Nothing was read, since without "${label}" all records match.`,
	);
}

/** Stands for a value that cannot be read: it is wrong, but not missing. Nothing is sent with it, as its error is noted. */
export const MISTAKEN = true;

/**
 * Converts a value of an item. An error in it is noted, and {@link MISTAKEN} is returned.
 *
 * @param mistakes the item's; without them, a mistake is thrown
 */
export function convertOrNote<T>(
	mistakes: InputError[] | undefined,
	convert: () => T,
): T | typeof MISTAKEN {
	const result = attempt(convert);
	if (!isError(result)) return result;
	if (!mistakes || !(result instanceof InputError)) throw result;
	mistakes.push(result);
	return MISTAKEN;
}

/** @throws InputError with every mistake, if there is one */
export function throwMistakes(mistakes: InputError[]): void {
	// A parameter may be declared for two views, and is read for both.
	const parts = uniqBy(map(mistakes, 'parts').flat(), 'message');
	const [first, ...others] = parts;
	if (!first) return;
	if (others.length === 0) throw first;
	const message = parts.map((part) => part.message).join('; ');
	// Each way out with its fields, unless there is one for all.
	const remedies = Object.entries(groupBy(parts, 'description')).map(([remedy, own]) => {
		const fields = compact(own.map((part) => /^"[^"]+"/.exec(part.message)?.[0]));
		return fields.length > 0 ? `${fields.join(', ')}: ${remedy}` : remedy;
	});
	const description = remedies.length === 1 ? first.description : remedies.join(' ');
	throw Object.assign(new InputError(message, description), { parts });
}

/** A description for n8n, which shows it as HTML. Logs and other workflows show it as text. */
export function toHtml(description: string): string {
	const escaped = description.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
	return escaped.replaceAll('\n', '<br>\n');
}
