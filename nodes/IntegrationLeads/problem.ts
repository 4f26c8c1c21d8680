/**
 * Something the user gave cannot be sent. The message names the field and says what is wrong, the description
 * is the way out. Thrown before anything is sent.
 */
export class InputProblem extends Error {
	constructor(
		message: string,
		readonly description: string,
	) {
		super(message);
		this.name = 'InputProblem';
	}
}
