import { attempt, isError } from 'lodash';

/** Something to tell the user: the message says what is wrong, the description is the way out. */
export class UserError extends Error {
	constructor(
		message: string,
		readonly description?: string,
	) {
		super(message);
		this.name = new.target.name;
	}
}

/** A request was answered, and the answer leaves open whether it was carried out. */
export class UnconfirmedError extends UserError {}

/** Something the user gave cannot be sent. The message names the field. Thrown before anything is sent. */
export class InputError extends UserError {
	/** Each mistake of an item that has several. */
	parts: InputError[] = [this];
}

/**
 * Converts all entries, also after one that cannot be.
 *
 * @throws InputError with every mistake
 */
export function convertAll<T, R>(entries: T[], convert: (entry: T) => R): R[] {
	const parts: InputError[] = [];
	const converted = entries.flatMap((entry) => {
		const result = attempt(convert, entry);
		if (!isError(result)) return [result];
		if (!(result instanceof InputError)) throw result;
		parts.push(...result.parts);
		return [];
	});
	if (parts.length === 0) return converted;
	const [first, ...others] = parts;
	if (others.length === 0) throw first;
	const message = parts.map((part) => part.message).join('; ');
	const description = [...new Set(parts.map((part) => part.description))].join(' ');
	throw Object.assign(new InputError(message, description), { parts });
}
