/** Something the user can put right. The message says what happened and what to do, never the key. */
export class ProbeError extends Error {
	/** @param exitCode 1: the service could not be checked; 2: the command was not understood */
	constructor(
		message: string,
		readonly exitCode: 1 | 2 = 1,
	) {
		super(message);
	}
}

/** What went wrong, for the user; anything but a problem is a mistake of ours. */
export const messageOf = (error: unknown) =>
	error instanceof ProbeError ? error.message : `The probe has a mistake. ${String(error)}`;
