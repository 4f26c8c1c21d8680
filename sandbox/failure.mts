/** An answer other than success (spec part 7); thrown where it is noticed. */
export class Failure extends Error {
	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
		/** Seconds to wait, for 429 only. */
		readonly retryAfter?: number,
	) {
		super(message);
	}

	/** The error body of spec part 7. */
	get body() {
		const { code, message, retryAfter } = this;
		return { success: false, error: { code, message, retryAfter } };
	}
}

// The codes of these two are ours: for validation and missing records the spec shows none.

/** The request is not understood, or a field of it is not acceptable. */
export const invalid = (message: string) => new Failure(400, 'VALIDATION_ERROR', message);

/** What the request names does not exist. */
export const missing = (what: string) => new Failure(404, 'NOT_FOUND', `${what} was not found`);
