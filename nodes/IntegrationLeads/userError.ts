/** Describes failures to users: what happened, of which kind it is, and how to go on. */
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
	const texts = remedies.flatMap((remedy) =>
		typeof remedy === 'string' ? remedy : [remedy.all, remedy[reader]],
	);
	// The service ends its own messages without a full stop.
	return uniq(compact(texts))
		.join('. ')
		.replace(/([.!?:](?:\)| \([^()]*\))?)\. /g, '$1 ');
}

/** Several remedies as one, in their order. */
export const joinRemedies = (...remedies: Remedy[]) => ({
	panel: remedyFor('panel', ...remedies),
	model: remedyFor('model', ...remedies),
	row: remedyFor('row', ...remedies),
});

/** Why something failed, which decides how to go on. */
export type ErrorKind =
	/** A value of the item cannot be sent. Nothing was sent. */
	| 'input'
	/** The item cannot be carried out as it is. */
	| 'item'
	/** Several records match, or the one that does is another person's. */
	| 'ambiguous'
	/** The service refused this request. Others may succeed. */
	| 'refused'
	/** The request was sent, its answer was lost, and the service may have carried it out. It must not be sent again. */
	| 'lostAnswer'
	/** The service is not available. What was sent can be sent again. */
	| 'outage'
	/** No connection was made, so nothing was sent. */
	| 'unreachable'
	| 'rateLimited'
	/** The key lacks the scope for the request. */
	| 'forbidden'
	/** The key is invalid or revoked. */
	| 'key'
	/** The address is not that of the service, or the service does not have the route. */
	| 'address';

/** An error whose message says what happened, and whose remedy says how to go on. It is never changed. */
abstract class ExplainedError extends Error {
	declare readonly message: string;

	declare readonly name: string;

	constructor(
		message: string,
		readonly remedy: Remedy,
		readonly kind: ErrorKind,
	) {
		super(message);
		this.name = new.target.name;
	}

	/** The text that n8n shows below the message. */
	get description(): string {
		return remedyFor('panel', this.remedy);
	}

	/** The same error with another remedy. */
	abstract withRemedy(remedy: Remedy): ExplainedError;
}

/** An error of one item. */
export class UserError extends ExplainedError {
	constructor(message: string, remedy: Remedy = '', kind: ErrorKind = 'item') {
		super(message, remedy, kind);
	}

	withRemedy(remedy: Remedy): UserError {
		return new UserError(this.message, remedy, this.kind);
	}
}

/** A request was sent, but whether the service carried it out is unknown. */
export class UnconfirmedError extends UserError {
	constructor(message: string, remedy?: Remedy) {
		super(message, remedy, 'lostAnswer');
	}

	override withRemedy(remedy: Remedy): UnconfirmedError {
		return new UnconfirmedError(this.message, remedy);
	}
}

/** A value that the user gave cannot be sent. The message names its field. Thrown before anything is sent. */
export class InputError extends UserError {
	/** @param several the errors of an item that has more than one */
	constructor(
		message: string,
		remedy?: Remedy,
		private readonly several?: readonly InputError[],
	) {
		super(message, remedy, 'input');
	}

	/** The errors of an item that has several, or this one. */
	get parts(): readonly InputError[] {
		return this.several ?? [this];
	}

	override withRemedy(remedy: Remedy): InputError {
		return new InputError(this.message, remedy, this.several);
	}
}

/** What n8n is told about a failed request. The HTTP error is never attached, because it contains the key. */
export interface RequestFailure {
	/** What the service stated, without keys. */
	stated: JsonObject;
	/** The HTTP status, or the code of the system. */
	httpCode: string;
	/** Whether the service may have carried out the request, or an earlier attempt of it. */
	mayHaveArrived?: boolean;
	/** The scope that the request needs, if it is known. */
	scope?: string;
	/** The hint for n8n, which has them since 2.37. */
	failure?: Failure;
}

/** The service did not accept a request. */
export class ServiceError extends ExplainedError {
	constructor(
		message: string,
		remedy: Remedy,
		kind: ErrorKind,
		readonly request: Readonly<RequestFailure>,
	) {
		super(message, remedy, kind);
	}

	withRemedy(remedy: Remedy): ServiceError {
		return new ServiceError(this.message, remedy, this.kind, this.request);
	}
}

/** An error of this node, which has a kind and a remedy. Anything else was thrown by n8n, or is a bug. */
export const isExplained = (reason: unknown): reason is UserError | ServiceError =>
	reason instanceof ExplainedError;

/** Returns a function that tells whether an error has one of the kinds. */
const isOf =
	(...kinds: ErrorKind[]) =>
	(reason: unknown): boolean => {
		const isOurs =
			isExplained(reason) || reason instanceof ItemError || reason instanceof RequestError;
		return isOurs && kinds.includes(reason.kind);
	};

/** The key lacks the scope for a request. */
export const isForbidden = isOf('forbidden');

/** Several records match, or the one that does is another person's. */
export const isAmbiguous = isOf('ambiguous');

/** The service refused one request, which says nothing about others. */
export const isRefused = (reason: unknown): reason is Error => isOf('refused')(reason);

/** The service answered that what is meant does not exist (404). */
export const isNotFound = (reason: unknown): boolean =>
	isRefused(reason) && reason instanceof ServiceError && reason.request.httpCode === '404';

/** The service may have carried out what failed, and it must not be sent again. */
export const isLostAnswer = isOf('lostAnswer');

/** The service may have carried out what failed. */
export const mayHaveArrived = (reason: unknown): boolean =>
	isLostAnswer(reason) ||
	(reason instanceof ServiceError && reason.request.mayHaveArrived === true);

/** The service was not available. A moment later it may be, or show what became of a request. */
export const isOutage = isOf('outage', 'unreachable', 'lostAnswer');

/** The service did not confirm a request, for a reason which passes. */
export const isTemporary = isOf('outage', 'unreachable', 'lostAnswer', 'rateLimited');

/** No other request of the run can succeed. */
export const endsRun = isOf('key', 'forbidden', 'address', 'unreachable');

/** Texts for n8n where they differ from those of the error. */
interface Words {
	message?: string;
	description?: string;
	itemIndex?: number;
	failure?: Failure;
}

/** n8n's error for a {@link UserError}. */
export class ItemError extends NodeOperationError {
	readonly kind: ErrorKind;

	constructor(node: INode, error: UserError, { message = error.message, ...more }: Words) {
		super(node, message, { description: error.description, ...more });
		// n8n's constructor replaces messages that contain the letters of a system code, as "preexisting" contains EEXIST.
		this.message = message;
		// n8n shows the name of an error to users.
		this.name = NodeOperationError.name;
		this.kind = error.kind;
	}
}

/** n8n's error for a {@link ServiceError}. */
export class RequestError extends NodeApiError {
	readonly kind: ErrorKind;

	constructor(node: INode, error: ServiceError, { message = error.message, ...more }: Words) {
		const { stated, httpCode, failure } = error.request;
		super(node, stated, { message, description: error.description, httpCode, failure, ...more });
		// See ItemError.
		this.message = message;
		this.name = NodeApiError.name;
		this.kind = error.kind;
	}
}

/** Makes n8n's error for an error of this node. */
export function toN8nError(
	node: INode,
	error: UserError | ServiceError,
	words: Words = {},
): ItemError | RequestError {
	return error instanceof ServiceError
		? new RequestError(node, error, words)
		: new ItemError(node, error, words);
}

/** Collects texts that are shown under the output, each once. */
export interface HintSink {
	add(text: string): unknown;
}

/** The scopes that a part of an item needs, and the text that says what it goes without if the key lacks one. */
export interface NeededScopes {
	scopes: string[];
	hint: string;
}

/** Adds "Nothing was sent for this item." to a UserError with which `read` rejects. */
export async function beforeSending<T>(read: Promise<T>): Promise<T> {
	return await read.catch((reason: unknown) => {
		throw reason instanceof UserError
			? addRemarks(reason, ['Nothing was sent for this item.'])
			: reason;
	});
}

/** The error with remarks on its item. A row has no room for them. */
export function addRemarks(
	error: UserError | ServiceError,
	remarks: string[],
): UserError | ServiceError {
	const text = remarks.join(' ');
	return error.withRemedy(joinRemedies(error.remedy, { panel: text, model: text }));
}

/** A value that must be given is blank. */
export function emptyError(label: string, readers: Exclude<Remedy, string> = {}): InputError {
	return new InputError(`"${label}" is empty`, {
		all: `Give a value for "${label}".`,
		panel: 'Check the value of its expression.',
		...readers,
	});
}

/** A filter has no value. */
export function blankFilterError(label: string): InputError {
	return emptyError(label, {
		panel: `Check the value of its expression. To read all records, remove the filter. Nothing was read, since without "${label}" all records match.`,
	});
}

/** The remedy for answers that only the authors of this node can do something about. */
export const reportAnswer: Remedy = {
	panel:
		'Use the resource "API Request" to see the answer as it is, and tell the authors of this node.',
};

/** Each mistake of an item that has several, or the one error. */
export const mistakesOf = <E extends Error>(error: E): ReadonlyArray<E | InputError> =>
	error instanceof InputError ? error.parts : [error];

/** Placeholder for an unreadable value. Never sent: its error has been collected. */
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
		const texts = byRemedy.map(([remedy, messages]) => {
			const fields = compact(messages.map((part) => /^"[^"]+"/.exec(part.message)?.[0]));
			return fields.length > 0 && remedy !== '' ? `${fields.join(', ')}: ${remedy}` : remedy;
		});
		return texts.length === 1 ? remedyFor(reader, first.remedy) : compact(texts).join(' ');
	};
	const remedy = { panel: remedyOfAll('panel'), model: remedyOfAll('model') };
	throw new InputError(message, remedy, parts);
}

/** Escapes a description for n8n, which renders it as HTML. Logs and other workflows show it as text. */
export function toHtml(description: string): string {
	const escaped = description.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
	return escaped.replaceAll('\n', '<br>\n');
}
