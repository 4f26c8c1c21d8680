/** A failure that the user can fix: its message says what happened and what to do, and is printed without a stack. */
export class CommandError extends Error {
	/** @param remedy what to do about it */
	constructor(message: string, remedy?: string) {
		super(remedy ? `${message}\n${remedy}` : message);
		this.name = 'CommandError';
	}
}

/** The end of a long output, where tools print the reason. */
export const lastLines = (text: string, count = 20): string =>
	text.trimEnd().split('\n').slice(-count).join('\n');

/** The code of a failed system call, such as `EADDRINUSE`, or its message. */
export const codeOf = (error: unknown): string =>
	error instanceof Error
		? 'code' in error && typeof error.code === 'string'
			? error.code
			: error.message
		: String(error);

/** The stack of a thrown value, or what it says if it has none. */
export const stackOf = (error: unknown): string =>
	error instanceof Error ? (error.stack ?? error.message) : String(error);
