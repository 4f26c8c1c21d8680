import { attempt, compact, groupBy, isError, map, uniq, uniqBy } from 'lodash';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Failure, INode, JsonObject } from 'n8n-workflow';

/**
 * Who reads what to do about a failure: a person who edits the workflow in n8n's panel, the model of an AI agent, which only
 * chooses tools and their arguments, or a person who sees a row of a spreadsheet, and can only change that row.
 */
export type Reader = 'panel' | 'model' | 'row';

/** What to do about a failure: for all readers, or for each what only that reader can do, after what all can. */
export type Remedy = string | Partial<Record<'all' | Reader, string>>;

/** What a reader can do; empty for nothing. */
export function remedyFor(reader: Reader, ...remedies: Remedy[]): string {
	const texts = remedies.flatMap((each) =>
		typeof each === 'string' ? each : [each.all, each[reader]],
	);
	return uniq(compact(texts)).join(' ');
}

/** Several remedies as one, in their order. */
export const joinRemedies = (...remedies: Remedy[]) => ({
	panel: remedyFor('panel', ...remedies),
	model: remedyFor('model', ...remedies),
	row: remedyFor('row', ...remedies),
});

/** An error whose message says what is wrong, and whose remedy says how to fix it. */
export class UserError extends Error {
	constructor(
		message: string,
		public remedy: Remedy = '',
	) {
		super(message);
		this.name = new.target.name;
	}

	/** What n8n shows below the message. */
	get description(): string {
		return remedyFor('panel', this.remedy);
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
	remedy: Remedy;

	constructor(
		node: INode,
		stated: JsonObject,
		words: { message: string; remedy: Remedy; httpCode: string; failure?: Failure },
		readonly facts: FailureFacts,
	) {
		super(node, stated, { ...words, description: remedyFor('panel', words.remedy) });
		this.remedy = words.remedy;
		// The constructor replaces messages in which it finds the letters of a system code ("preexisting" has EEXIST).
		this.message = words.message;
		// n8n shows errors by their names.
		this.name = NodeApiError.name;
	}
}

/** The key lacks the scope for a request. */
export const isForbidden = (reason: unknown) =>
	reason instanceof ServiceError && reason.facts.status === 403;

/** An error of this node, which has a remedy. Anything else was thrown by n8n, or is a bug. */
export const isExplained = (reason: unknown): reason is UserError | ServiceError =>
	reason instanceof UserError || reason instanceof ServiceError;

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
		}: { message?: string; description: string; itemIndex?: number; failure?: Failure },
	) {
		super(node, message, more);
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

/** The error with remarks on what has happened so far. A row has no room for them. */
export function addRemarks<E extends UserError | ServiceError>(error: E, remarks: string[]): E {
	const text = remarks.join(' ');
	error.remedy = joinRemedies(error.remedy, { panel: text, model: text });
	return error;
}

/** A value that must be given is blank, which a row shows without more words. */
export function emptyError(label: string, own: Exclude<Remedy, string> = {}): InputError {
	return new InputError(`"${label}" is empty`, {
		panel: `Enter a value for "${label}", or check the value of its expression.`,
		model: `Give a value for "${label}".`,
		...own,
	});
}

/** A filter has no value. */
export function blankFilterError(label: string): InputError {
	return emptyError(label, {
		panel: `Check the value of its expression, or enter a value. To read all records without it, remove it. Nothing was read, since without "${label}" all records match.`,
	});
}

/** For answers that only the authors of this node can do something about. */
export const reportAnswer: Remedy = {
	panel:
		'Use the resource "API Request" to see the answer as it is, and tell the authors of this node.',
};

/** Each mistake of an item that has several, or the one error. */
export const partsOf = <E extends Error>(error: E) =>
	error instanceof InputError ? error.parts : [error];

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
	// Each remedy with its fields, unless there is one for all.
	const remedyOfAll = (reader: Reader) => {
		const byRemedy = Object.entries(groupBy(parts, (part) => remedyFor(reader, part.remedy)));
		const texts = byRemedy.map(([remedy, own]) => {
			const fields = compact(own.map((part) => /^"[^"]+"/.exec(part.message)?.[0]));
			return fields.length > 0 && remedy !== '' ? `${fields.join(', ')}: ${remedy}` : remedy;
		});
		return texts.length === 1 ? remedyFor(reader, first.remedy) : compact(texts).join(' ');
	};
	const remedy = { panel: remedyOfAll('panel'), model: remedyOfAll('model') };
	throw Object.assign(new InputError(message, remedy), { parts });
}

/** A description for n8n, which shows it as HTML. Logs and other workflows show it as text. */
export function toHtml(description: string): string {
	const escaped = description.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
	return escaped.replaceAll('\n', '<br>\n');
}
