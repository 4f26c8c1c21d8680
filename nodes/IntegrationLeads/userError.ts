import { attempt, compact, groupBy, isError, map, uniq, uniqBy } from 'lodash';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Failure, INode, JsonObject } from 'n8n-workflow';

/**
 * Who reads what to do about a failure: a person who edits the workflow in n8n's panel, the model of an AI agent, which only
 * chooses tools and their arguments, or a person who sees a row of a spreadsheet, and can only change that row.
 */
export type Reader = 'panel' | 'model' | 'row';

/** How to fix a failure: one text for all readers, or also texts for what only one of them can do. */
export type Remedy = string | Partial<Record<'all' | Reader, string>>;

/** Returns the text for one reader; empty if that reader can do nothing. */
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

	/** The text that n8n shows below the message. */
	get description(): string {
		return remedyFor('panel', this.remedy);
	}
}

/** A request was sent, but whether the service carried it out is unknown. */
export class UnconfirmedError extends UserError {}

/** A value that the user gave cannot be sent. The message names its field. Thrown before anything is sent. */
export class InputError extends UserError {
	/** The errors of an item that has several. */
	parts: InputError[] = [this];
}

/** Facts about a failed request, by which callers decide how to go on. */
export interface FailureFacts {
	/** What failed: the `run` if no other request can succeed, the `service` if this one may succeed later, else the `request`. */
	concerns: 'run' | 'service' | 'request';
	/** Whether it may succeed a moment later. */
	isOutage: boolean;
	/** Whether the service may have carried it out nevertheless. */
	mayBeRecorded: boolean;
	/** The HTTP status, if there was an answer. */
	status?: number;
}

/** The service did not accept a request. The HTTP error is never attached, because it contains the key. */
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
		// n8n's constructor replaces messages that contain the letters of a system code, as "preexisting" contains EEXIST.
		this.message = words.message;
		// n8n shows the name of an error to users.
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
	/** Whether the service may have carried out the item. */
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

/** Whether the service may have carried out what failed. */
export function mayBeRecorded(reason: Error): boolean {
	if (reason instanceof ServiceError) return reason.facts.mayBeRecorded;
	return reason instanceof ItemError ? reason.mayBeRecorded : reason instanceof UnconfirmedError;
}

/** Collects texts that are shown under the output, each once. */
export interface HintSink {
	add(text: string): unknown;
}

/** Adds "Nothing was sent for this item." to a UserError with which `read` rejects. */
export async function beforeSending<T>(read: Promise<T>): Promise<T> {
	return await read.catch((reason: unknown) => {
		throw reason instanceof UserError
			? addRemarks(reason, ['Nothing was sent for this item.'])
			: reason;
	});
}

/** A copy of the error with remarks, since items that waited for one request share its error. A row has no room for them. */
export function addRemarks<E extends UserError | ServiceError>(error: E, remarks: string[]): E {
	const text = remarks.join(' ');
	const own = Object.getOwnPropertyDescriptors(error);
	const copy = Object.create(Object.getPrototypeOf(error) as E, own) as E;
	copy.remedy = joinRemedies(error.remedy, { panel: text, model: text });
	if (copy instanceof InputError && copy.parts.length === 1) copy.parts = [copy];
	return copy;
}

/** A value that must be given is blank. */
export function emptyError(label: string, own: Exclude<Remedy, string> = {}): InputError {
	return new InputError(`"${label}" is empty`, {
		all: `Give a value for "${label}".`,
		panel: 'Check the value of its expression.',
		...own,
	});
}

/** A filter has no value. */
export function blankFilterError(label: string): InputError {
	return emptyError(label, {
		panel: `Check the value of its expression. To read all records, remove it. Nothing was read, since without "${label}" all records match.`,
	});
}

/** The remedy for answers that only the authors of this node can do something about. */
export const reportAnswer: Remedy = {
	panel:
		'Use the resource "API Request" to see the answer as it is, and tell the authors of this node.',
};

/** Each mistake of an item that has several, or the one error. */
export const mistakesOf = <E extends Error>(error: E) =>
	error instanceof InputError ? error.parts : [error];

/** Stands for a value that cannot be read: it is invalid, but not missing. It is never sent, because its error is noted. */
export const MISTAKEN = true;

/**
 * Converts a value of an item. An InputError is added to `mistakes`, and {@link MISTAKEN} is returned.
 *
 * @param mistakes collects the errors of the item; without it, they are thrown
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

/** @throws InputError with all of `mistakes`, if there are any */
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

/** Escapes a description for n8n, which renders it as HTML. Logs and other workflows show it as text. */
export function toHtml(description: string): string {
	const escaped = description.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
	return escaped.replaceAll('\n', '<br>\n');
}
