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
	/** What identifies the lead in which it was found, where the fields of the item are not yet known. */
	externalId?: unknown;
}
